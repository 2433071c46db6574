//! What stdout and stderr can show: the style of text, paragraphs, and the progress line.

use std::env;
use std::io::{self, IsTerminal};

use tourbillon_coordinator::values::{ColorChoice, is_colored, shows_unicode};
use tourbillon_present::{Block, Document, Table, beginning};
use tourbillon_report::{Figure, Style, escape};

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

/// A document that is written from top to bottom.
#[derive(Debug)]
pub struct Page<'s> {
    blocks: Vec<Block>,
    /// What stands together.
    group: Vec<Block>,
    /// What the terminal can show.
    pub style: &'s Style,
}

impl<'s> Page<'s> {
    /// An empty one.
    pub fn new(style: &'s Style) -> Page<'s> {
        Page {
            blocks: Vec::new(),
            group: Vec::new(),
            style,
        }
    }

    /// Adds a paragraph: the first line begins with `lead`, the others are indented by its width.
    pub fn say(&mut self, lead: &str, text: &str) {
        self.group.push(Block::led(lead, text));
    }

    /// Adds a line as it is, without control characters but those of colours; without a text, ends what stands together.
    pub fn line(&mut self, text: &str) {
        if text.is_empty() {
            self.gap();
        } else {
            self.lines(&format!("{text}\n"));
        }
    }

    /// Adds lines as they are.
    pub fn lines(&mut self, text: &str) {
        match self.group.last_mut() {
            Some(Block::Lines(lines)) => lines.push_str(text),
            _ => self.group.push(Block::Lines(text.to_owned())),
        }
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.group.push(Block::Table(table));
    }

    /// Ends what stands together: an empty line follows.
    pub fn gap(&mut self) {
        if !self.group.is_empty() {
            let group = std::mem::take(&mut self.group);
            self.blocks.push(Block::Group(group));
        }
    }

    /// What was written.
    #[must_use]
    pub fn document(mut self) -> Document {
        self.gap();
        Document::of(self.blocks)
    }

    /// Text without control characters.
    #[must_use]
    pub fn escaped(&self, text: &str) -> String {
        escape(text, self.style.unicode)
    }

    /// A time in nanoseconds.
    #[must_use]
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
            let line = beginning(&escape(what, true), ProgressLine::room(), "…");
            draw(&format!("\r\x1b[K{line}"));
            self.shown = true;
        }
    }

    /// Columns of the line.
    #[must_use]
    pub fn room() -> usize {
        let width = tourbillon_os::terminal_width(&io::stderr()).map_or(USUAL_WIDTH, usize::from);
        Style::of_width(width).columns_drawn_over()
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
    fn what_stands_together_has_no_empty_line() {
        let style = Style::of_width(24);
        let mut page = Page::new(&style);
        page.say("! a: ", "one two three four five six");
        page.say("", "/a/path/that/is/wider/than/the/line is");
        page.line("");
        page.line("a line that is wider than the terminal");
        page.line("b");
        page.line("");
        assert_eq!(
            page.document().text(&style),
            "! a: one two three four\n     five six\n\
             /a/path/that/is/wider/than/the/line\nis\n\n\
             a line that is wider than the terminal\nb\n"
        );
    }

    #[test]
    fn a_paragraph_has_no_control_character() {
        let style = Style::default();
        let mut page = Page::new(&style);
        page.say("a ", "b\u{1b}]0;c\u{7}\u{202e}\0 \u{9b}d");
        assert_eq!(
            page.document().text(&style),
            "a b\\u{1b}]0;c\\u{7}\\u{202e}\\u{0} \\u{9b}d\n"
        );
    }
}
