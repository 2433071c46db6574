//! Writing JSON.

use std::fmt::{Display, Write};

/// Appends JSON to one string. Commas go where they belong.
#[derive(Debug, Default)]
pub struct Writer {
    out: String,
}

impl Writer {
    /// What was written.
    pub fn finish(self) -> String {
        self.out
    }

    /// Appends an object, whose members `write` appends.
    pub fn object(&mut self, write: impl FnOnce(&mut Writer)) {
        self.out.push('{');
        write(self);
        self.out.push('}');
    }

    /// Appends a list, whose items `write` appends, each after a call of [`Writer::separate`].
    pub fn list(&mut self, write: impl FnOnce(&mut Writer)) {
        self.out.push('[');
        write(self);
        self.out.push(']');
    }

    /// Appends the name of a member; its value comes next.
    pub fn name(&mut self, name: &str) {
        self.separate();
        self.text(name);
        self.out.push(':');
    }

    /// Appends a comma, except before the first item of an object or list. A bracket at the end of
    /// the text was just opened: one that belongs to a text is followed by a quote.
    pub fn separate(&mut self) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
    }

    /// Appends a text. Quotes, backslashes, and what a terminal would obey (control characters, marks of direction)
    /// are escaped, nothing else.
    pub fn text(&mut self, text: &str) {
        self.out.push('"');
        let mut plain = 0;
        for (at, c) in text.char_indices() {
            if c != '"' && c != '\\' && !is_obeyed(c) {
                continue;
            }
            self.out.push_str(&text[plain..at]);
            plain = at + c.len_utf8();
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                _ => self.json(format_args!("\\u{:04x}", u32::from(c))),
            }
        }
        self.out.push_str(&text[plain..]);
        self.out.push('"');
    }

    /// Appends what is JSON as it is displayed.
    pub fn json(&mut self, json: impl Display) {
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{json}");
    }
}

/// Whether a terminal obeys a character: all of these have four digits.
fn is_obeyed(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}
