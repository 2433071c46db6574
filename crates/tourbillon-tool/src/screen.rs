//! What stdout and stderr can show: the style of text, paragraphs, and the progress line.

use std::env;
use std::io::{self, IsTerminal};

use tourbillon_coordinator::values::{ColorChoice, is_colored, shows_unicode};
use tourbillon_present::{Table, paragraph};
use tourbillon_report::{Figure, Style, escape, shell_operand};

use crate::exit::{draw, say};

/// Width without a terminal.
const USUAL_WIDTH: usize = 80;

/// The style of text on stdout.
pub fn style(color: ColorChoice) -> Style {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    Style {
        width: tourbillon_os::terminal_width(&stdout).map_or(USUAL_WIDTH, usize::from),
        wide_tables: !terminal,
        unicode: !terminal || shows_unicode(|name| env::var(name).ok()),
        color: is_colored(color, terminal, |name| env::var(name).ok())
            && tourbillon_os::follow_escapes(&stdout),
    }
}

/// A text for a terminal.
#[derive(Debug)]
pub struct Page<'s> {
    /// What was written.
    pub text: String,
    /// What the terminal can show.
    pub style: &'s Style,
}

impl<'s> Page<'s> {
    /// An empty one.
    pub fn new(style: &'s Style) -> Page<'s> {
        let text = String::new();
        Page { text, style }
    }

    /// Adds a paragraph, wrapped to the width of the terminal: the first line begins with `lead`, the others
    /// are indented by its width. Longer words, mostly paths and commands, stay whole so that they can be
    /// copied. No control character passes, whatever the text is made of.
    pub fn say(&mut self, lead: &str, text: &str) {
        self.text += &paragraph(lead, &escape(text, true), self.style);
    }

    /// Adds a paragraph that has text from outside, of which less passes where the style is ASCII.
    pub fn quote(&mut self, lead: &str, text: &str) {
        self.say(lead, &self.escaped(text));
    }

    /// Adds a line as it is.
    pub fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Adds a table.
    pub fn table(&mut self, table: &Table) {
        self.text.push_str(&table.text(self.style));
    }

    /// Text without control characters.
    pub fn escaped(&self, text: &str) -> String {
        escape(text, self.style.unicode)
    }

    /// A word of a command that a reader copies, and no flag of it.
    pub fn shell_operand(&self, word: &str) -> String {
        shell_operand(word, self.style.unicode)
    }

    /// A time in nanoseconds.
    pub fn time(&self, ns: f64) -> String {
        Figure::exact(ns).time(self.style)
    }
}

/// One line on stderr that the next one replaces; nothing where a bench program shows no progress.
#[derive(Debug)]
pub struct ProgressLine {
    shown: bool,
    wanted: bool,
}

impl ProgressLine {
    /// A line that is not shown yet.
    #[expect(
        clippy::new_without_default,
        reason = "it looks at stderr and the environment"
    )]
    pub fn new() -> ProgressLine {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_some_and(|term| term == "dumb");
        ProgressLine {
            shown: false,
            wanted: io::stderr().is_terminal() && !dumb && set("CI").is_none(),
        }
    }

    /// Shows a line.
    pub fn show(&mut self, what: &str) {
        if self.wanted {
            draw(&format!("\r\x1b[K{}", escape(what, true)));
            self.shown = true;
        }
    }

    /// Writes a message above the line.
    pub fn remark(&mut self, text: &str) {
        self.clear();
        say(&format!("{text}\n"));
    }

    /// Erases the line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            draw("\r\x1b[K");
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
}
