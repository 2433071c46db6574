//! Breaking text into lines.

use crate::Style;
use crate::escape::display_width;
use crate::style::Ink;

/// Text of several lines.
#[derive(Debug)]
pub struct TextLines<'a> {
    /// How it is drawn.
    pub style: &'a Style,
    /// The lines so far, each ended.
    pub text: String,
}

impl<'a> TextLines<'a> {
    /// No line yet.
    pub fn new(style: &'a Style) -> TextLines<'a> {
        TextLines {
            style,
            text: String::new(),
        }
    }

    /// Adds items in lines no wider than the terminal: the first after `lead`, the others indented as
    /// far.
    ///
    /// Lines break between items where there is a choice, and within an item wider than a line at its
    /// spaces. A word wider than a line, such as a path, is not broken. The separator at a break is
    /// dropped.
    pub fn items<S: AsRef<str>>(
        &mut self,
        ink: Ink,
        lead: &str,
        items: impl IntoIterator<Item = S>,
    ) {
        let columns = self.style.columns();
        let mut lines = Lines {
            done: Vec::new(),
            line: lead.to_owned(),
            width: display_width(lead),
            bare: true,
            columns,
            indent: display_width(lead),
        };
        let mut joint = "";
        if lines.indent > columns / 2 {
            // There would be no room after it: it is broken itself.
            lines.line.clear();
            lines.width = 0;
            lines.indent = 2;
            lines.item("", lead.trim_end());
            joint = " ";
        }
        for item in items {
            lines.item(joint, item.as_ref());
            joint = self.style.glyphs().separator;
        }
        lines.done.push(lines.line);
        for line in lines.done {
            self.text += &self.style.paint(ink, line.trim_ascii_end());
            self.text.push('\n');
        }
    }

    /// Adds a line as it is, unless it is empty.
    pub(crate) fn add(&mut self, line: &str) {
        let visible = line.trim_ascii_end();
        if !visible.is_empty() {
            self.text.push_str(visible);
            self.text.push('\n');
        }
    }

    /// Adds one item, see [`TextLines::items`].
    pub fn line(&mut self, ink: Ink, lead: &str, text: &str) {
        self.items(ink, lead, [text]);
    }
}

struct Lines {
    done: Vec<String>,
    /// The line that is being filled.
    line: String,
    /// Its width.
    width: usize,
    /// Whether it holds nothing but the lead or the indentation.
    bare: bool,
    columns: usize,
    indent: usize,
}

impl Lines {
    fn item(&mut self, mut joint: &str, item: &str) {
        if display_width(item) <= self.columns - self.indent {
            self.put(joint, item);
            return;
        }
        for word in words(item) {
            self.put(joint, word);
            joint = " ";
        }
    }

    fn put(&mut self, joint: &str, piece: &str) {
        let own = display_width(piece);
        if !self.bare && self.width + display_width(joint) + own > self.columns {
            let next = " ".repeat(self.indent);
            self.done.push(std::mem::replace(&mut self.line, next));
            self.width = self.indent;
        } else if !self.bare {
            self.line += joint;
            self.width += display_width(joint);
        }
        self.line += piece;
        self.width += own;
        self.bare = false;
    }
}

/// Units that stay on the line of their number.
const UNITS: [&str; 10] = [
    "ns", "µs", "us", "ms", "s", "%", "ppm", "GHz", "MHz", "ticks",
];

/// The words of a text. A unit belongs to its number.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(' ') {
        let next = text[at + 1..].split(' ').next().unwrap_or_default();
        let unit = next.trim_end_matches([',', ';', '.', ':', ')']);
        let is_number = text[..at].ends_with(|last: char| last.is_ascii_digit());
        if !(is_number && UNITS.contains(&unit)) {
            words.push(&text[start..at]);
            start = at + 1;
        }
    }
    words.push(&text[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(width: usize, lead: &str, items: &[&str]) -> String {
        let style = Style::of_width(width);
        let mut page = TextLines::new(&style);
        page.items(Ink::Plain, lead, items);
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
    fn long_items_break_at_spaces_and_long_words_do_not_break() {
        assert_eq!(
            filled(24, "! ", &["a sentence that is too long for it"]),
            "! a sentence that is too\n  long for it\n"
        );
        let path = "/a/path/that/has/no/spaces/at/all.rs";
        assert_eq!(filled(24, "in ", &[path]), format!("in {path}\n"));
        assert_eq!(
            filled(24, "in ", &["or", path, "here"]),
            format!("in or\n   {path}\n   here\n")
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
            wide_tables: false,
        };
        let mut page = TextLines::new(&style);
        page.line(Ink::Note, "! ", "a sentence that is too long");
        assert_eq!(
            page.text,
            "\x1b[33m! a sentence that is too\x1b[0m\n\x1b[33m  long\x1b[0m\n"
        );
    }
}
