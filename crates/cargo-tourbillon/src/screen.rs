//! What stdout and stderr can show: the style of text, paragraphs, and the progress line.

use std::env;
use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};
use tourbillon_report::{Figure, Style, display_width, escape, shell_word};
use tourbillon_values::{ColorChoice, is_colored, shows_unicode};

use crate::exit::say;
use crate::table::Sheet;

/// Width without a terminal.
const USUAL_WIDTH: usize = 80;

/// The flag `--color`.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ColorFlag {
    /// Colour: auto, always or never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless the environment disables it.
    #[default]
    Auto,
    Always,
    Never,
}

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    Text,
    #[value(alias = "jsonl")]
    Json,
}

impl ColorFlag {
    /// The style of text on stdout.
    pub(crate) fn style(self) -> Style {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        Style {
            width: tourbillon_os::terminal_width(&stdout).map_or(USUAL_WIDTH, usize::from),
            unicode: !terminal || shows_unicode(|name| env::var(name).ok()),
            color: is_colored(self.color.into(), terminal, |name| env::var(name).ok())
                && tourbillon_os::follow_escapes(&stdout),
        }
    }
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> ColorChoice {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

/// Units that stay on the line of their number.
const UNITS: [&str; 10] = [
    "ns", "µs", "us", "ms", "s", "%", "ppm", "GHz", "MHz", "ticks",
];

/// A text for a terminal.
#[derive(Debug)]
pub(crate) struct Page<'s> {
    pub(crate) text: String,
    pub(crate) style: &'s Style,
}

impl<'s> Page<'s> {
    pub(crate) fn new(style: &'s Style) -> Page<'s> {
        let text = String::new();
        Page { text, style }
    }

    /// Adds a paragraph, wrapped to the width of the terminal: the first line begins with `lead`, the others
    /// are indented by its width. Longer words, mostly paths and commands, stay whole so that they can be
    /// copied. No control character passes, whatever the text is made of.
    pub(crate) fn say(&mut self, lead: &str, text: &str) {
        let indent = " ".repeat(display_width(lead));
        let options = textwrap::Options::new(self.style.width.max(Style::NARROWEST))
            .initial_indent(lead)
            .subsequent_indent(&indent)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
        let lines = textwrap::wrap(&with_units(&escape(text, true)), options).join("\n");
        self.line(&lines.replace(JOINED, " "));
    }

    /// Adds a paragraph that has text from outside, of which less passes where the style is ASCII.
    pub(crate) fn quote(&mut self, lead: &str, text: &str) {
        self.say(lead, &self.escaped(text));
    }

    /// Adds a line as it is.
    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(crate) fn sheet(&mut self, sheet: &Sheet) {
        self.text.push_str(&sheet.render(self.style));
    }

    /// Text without control characters.
    pub(crate) fn escaped(&self, text: &str) -> String {
        escape(text, self.style.unicode)
    }

    /// A word of a command that a reader copies.
    pub(crate) fn shell_word(&self, word: &str) -> String {
        shell_word(word, self.style.unicode)
    }

    /// A time in nanoseconds.
    pub(crate) fn time(&self, ns: f64) -> String {
        Figure::exact(ns).time(self.style)
    }
}

/// Stands for a space that is no line break; one column wide.
const JOINED: char = '\u{a0}';

/// The words of a text with single spaces; a number and its unit are joined.
fn with_units(text: &str) -> String {
    let mut joined = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let unit = word.trim_end_matches([',', ';', '.', ':']);
        if joined.ends_with(|last: char| last.is_ascii_digit()) && UNITS.contains(&unit) {
            joined.push(JOINED);
        } else if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// One line on stderr that the next one replaces; nothing where a bench program shows no progress.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    shown: bool,
    wanted: bool,
}

impl ProgressLine {
    pub(crate) fn new() -> ProgressLine {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_some_and(|term| term == "dumb");
        ProgressLine {
            shown: false,
            wanted: io::stderr().is_terminal() && !dumb && set("CI").is_none(),
        }
    }

    /// Shows a line.
    pub(crate) fn show(&mut self, what: &str) {
        if self.wanted {
            say(&format!("\r\x1b[K{what}"));
            self.shown = true;
        }
    }

    /// Writes a message above the line.
    pub(crate) fn remark(&mut self, text: &str) {
        self.clear();
        say(&format!("{text}\n"));
    }

    /// Erases the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            say("\r\x1b[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_wide_as_the_terminal_and_hang() {
        let style = Style {
            width: 24,
            ..Style::default()
        };
        let mut page = Page::new(&style);
        page.say("! a: ", "one two three four five six");
        page.say("", "/a/path/that/is/wider/than/the/line is");
        assert_eq!(
            page.text,
            "! a: one two three four\n     five six\n\
             /a/path/that/is/wider/than/the/line\nis\n"
        );
    }

    #[test]
    fn a_paragraph_has_no_control_character() {
        let style = Style::default();
        let mut page = Page::new(&style);
        page.say("a ", "b\u{1b}]0;c\u{7}\u{202e}\0 \u{9b}d");
        assert_eq!(page.text, "a b\\u{1b}]0;c\\u{7}\\u{202e}\\u{0} \\u{9b}d\n");
    }

    #[test]
    fn a_unit_stays_with_its_number() {
        assert_eq!(
            with_units("at most  20.0 ns, or 3 of it"),
            "at most 20.0\u{a0}ns, or 3 of it"
        );
    }
}
