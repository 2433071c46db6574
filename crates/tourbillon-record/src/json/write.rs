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

    /// Appends a text. Quotes, backslashes and control characters are escaped, nothing else.
    pub fn text(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
            self.out.push_str(&rest[..at]);
            match rest.as_bytes()[at] {
                b'"' => self.out.push_str("\\\""),
                b'\\' => self.out.push_str("\\\\"),
                b'\n' => self.out.push_str("\\n"),
                b'\r' => self.out.push_str("\\r"),
                b'\t' => self.out.push_str("\\t"),
                byte => self.json(format_args!("\\u{byte:04x}")),
            }
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest);
        self.out.push('"');
    }

    /// Appends what is JSON as it is displayed.
    pub fn json(&mut self, json: impl Display) {
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{json}");
    }
}
