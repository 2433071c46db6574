//! Breaking text into lines.

use std::mem::take;

use crate::Style;
use crate::escape::{display_width, prefix, push_spaces};
use crate::pieces::{Pieces, part};
use crate::style::Ink;
use crate::text::{Text, push, trimmed};

/// Text of several lines.
pub(crate) struct Page<'a> {
    pub(crate) style: &'a Style,
    pub(crate) text: String,
    /// What the next lines are to say.
    pub(crate) line: Text,
}

impl<'a> Page<'a> {
    pub(crate) fn new(style: &'a Style) -> Page<'a> {
        Page {
            style,
            text: String::new(),
            line: Text::new(style),
        }
    }

    /// Adds what [`Page::line`] says, and empties it: lines no wider than the terminal, the first
    /// behind `lead`, the others indented as far.
    ///
    /// They break between items where there is a choice, within an item wider than a line at its
    /// spaces, and within a word wider than a line anywhere. A separator at a break is dropped.
    #[inline(never)]
    pub(crate) fn fill(&mut self, ink: Ink, lead: &str) {
        let columns = self.style.columns();
        let items = take(&mut self.line.string);
        let mut line = Line {
            text: String::new(),
            columns,
            indent: display_width(lead),
            ink,
            joint: "",
        };
        if line.indent <= columns / 2 {
            push(&mut line.text, lead);
        } else {
            // Behind as much there would be no room for what it leads to: it is broken itself.
            line.indent = 2;
            line.item(self, trimmed(lead));
            line.joint = " ";
        }
        for item in Pieces::of(&items) {
            line.item(self, item);
            line.joint = self.style.glyphs().separator;
        }
        line.end(self);
    }

    /// Adds a sentence of this crate broken into lines, see [`Page::wrap`].
    pub(crate) fn sentence(&mut self, ink: Ink, lead: &str, sentence: &str) {
        self.line.say(sentence);
        self.fill(ink, lead);
    }
}

/// The line that is being filled.
struct Line {
    text: String,
    columns: usize,
    indent: usize,
    ink: Ink,
    /// What goes before the next piece, if that finds room on the line.
    joint: &'static str,
}

impl Line {
    #[inline(never)]
    fn item(&mut self, page: &mut Page<'_>, item: &str) {
        let room = self.columns - self.indent;
        if display_width(item) <= room {
            self.place(page, item);
            return;
        }
        let mut rest = item;
        while !rest.is_empty() {
            let (mut word, after) = split_word(rest);
            loop {
                let (piece, end) = word.split_at(prefix(word, room));
                if end.is_empty() {
                    break;
                }
                self.place(page, piece);
                self.joint = "";
                word = end;
            }
            self.place(page, word);
            self.joint = " ";
            rest = after;
        }
    }

    #[inline(never)]
    fn place(&mut self, page: &mut Page<'_>, piece: &str) {
        let width = display_width(&self.text) + display_width(self.joint) + display_width(piece);
        if width > self.columns {
            self.end(page);
            push_spaces(&mut self.text, self.indent);
        } else {
            push(&mut self.text, self.joint);
        }
        push(&mut self.text, piece);
    }

    #[inline(never)]
    fn end(&mut self, page: &mut Page<'_>) {
        let line = trimmed(&self.text);
        page.style.paint(&mut page.text, self.ink, line);
        page.text.push('\n');
        self.text.clear();
    }
}

/// The first word and what follows the space behind it. A percent sign belongs to its number.
#[inline(never)]
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += 1;
        if bytes[at - 1] == b' ' && bytes.get(at) != Some(&b'%') {
            return (part(text, 0, at - 1), part(text, at, text.len()));
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(width: usize, lead: &str, items: &[&str]) -> String {
        let style = Style {
            width,
            ..Style::default()
        };
        let mut page = Page::new(&style);
        for item in items {
            page.line.item().say(item);
        }
        page.fill(Ink::Plain, lead);
        page.text
    }

    #[test]
    fn lines_break_between_items_first() {
        assert_eq!(
            filled(40, "cpu ", &["one core", "two caches"]),
            "cpu one core · two caches\n"
        );
        assert_eq!(
            filled(24, "cpu ", &["one core", "two caches", "three"]),
            "cpu one core\n    two caches · three\n"
        );
    }

    #[test]
    fn long_items_break_at_spaces_and_long_words_anywhere() {
        assert_eq!(
            filled(24, "! ", &["a sentence that is too long for it"]),
            "! a sentence that is too\n  long for it\n"
        );
        assert_eq!(
            filled(24, "in ", &["/a/path/that/has/no/spaces/at/all.rs"]),
            "in /a/path/that/has/no/s\n   paces/at/all.rs\n"
        );
    }

    #[test]
    fn a_long_word_is_read_once() {
        // Where what is left was measured for each line, this took hours.
        let word = "x".repeat(4_000_000);
        assert_eq!(
            filled(24, "", &[&word]).lines().count(),
            4_000_000_usize.div_ceil(24)
        );
    }

    #[test]
    fn a_long_lead_is_broken_too() {
        assert_eq!(
            filled(24, "a name of many words: ", &["1 ns", "2"]),
            "a name of many words:\n  1 ns · 2\n"
        );
        assert_eq!(
            filled(24, "of_twenty_columns___: ", &["2"]),
            "of_twenty_columns___: 2\n"
        );
    }

    #[test]
    fn a_percent_sign_stays_with_its_number() {
        assert_eq!(
            filled(24, "", &["it ran about this 61 % slow, twice"]),
            "it ran about this 61 %\nslow, twice\n"
        );
        assert_eq!(
            filled(24, "", &["it ran about this, all 61 % slow"]),
            "it ran about this, all\n61 % slow\n"
        );
    }

    #[test]
    fn colours_end_with_their_line() {
        let style = Style {
            width: 24,
            unicode: true,
            color: true,
        };
        let mut page = Page::new(&style);
        page.sentence(Ink::Note, "! ", "a sentence that is too long");
        assert_eq!(
            page.text,
            "\x1b[33m! a sentence that is too\x1b[0m\n\x1b[33m  long\x1b[0m\n"
        );
    }
}
