use std::fmt::{self, Write};

use crate::SCHEMA;

/// Writes one JSON object on one line, member after member.
///
/// Optional members are always written, `null` where there is nothing. A number that is not finite
/// has no form in JSON and is written as `null`, too.
pub(super) struct Writer {
    out: String,
}

impl Writer {
    /// Starts a line of this type: `type` and `schema` come first.
    pub(super) fn line(kind: &str) -> Writer {
        let mut writer = Writer {
            out: String::from("{"),
        };
        writer.text("type", kind);
        writer.whole("schema", u64::from(SCHEMA));
        writer
    }

    /// Ends the line, after the members that a newer writer had put there.
    pub(super) fn finish(mut self, unknown: &[(String, String)]) -> String {
        for (name, json) in unknown {
            self.separate();
            self.put_text(name);
            self.out.push(':');
            self.out.push_str(json);
        }
        self.out.push('}');
        self.out
    }

    #[inline(never)]
    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        self.put_text(value);
    }

    pub(super) fn text_or_null(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(name, value),
            None => self.null(name),
        }
    }

    #[inline(never)]
    pub(super) fn texts(&mut self, name: &str, values: &[String]) {
        self.open_list(name);
        for value in values {
            self.separate();
            self.put_text(value);
        }
        self.close_list();
    }

    #[inline(never)]
    pub(super) fn whole(&mut self, name: &str, value: u64) {
        self.name(name);
        self.put(format_args!("{value}"));
    }

    pub(super) fn whole_or_null(&mut self, name: &str, value: Option<u64>) {
        match value {
            Some(value) => self.whole(name, value),
            None => self.null(name),
        }
    }

    pub(super) fn signed_or_null(&mut self, name: &str, value: Option<i32>) {
        match value {
            Some(value) => {
                self.name(name);
                self.put(format_args!("{value}"));
            }
            None => self.null(name),
        }
    }

    #[inline(never)]
    pub(super) fn wholes<T: Copy + Into<u64>>(&mut self, name: &str, values: &[T]) {
        self.open_list(name);
        for &value in values {
            let value: u64 = value.into();
            self.separate();
            self.put(format_args!("{value}"));
        }
        self.close_list();
    }

    /// A number by the fewest digits that read back as the same bits; `{:?}` switches to an
    /// exponent for very large and very small ones, where `{}` would print hundreds of zeroes.
    #[inline(never)]
    pub(super) fn number(&mut self, name: &str, value: f64) {
        if value.is_finite() {
            self.name(name);
            self.put(format_args!("{value:?}"));
        } else {
            self.null(name);
        }
    }

    pub(super) fn number_or_null(&mut self, name: &str, value: Option<f64>) {
        match value {
            Some(value) => self.number(name, value),
            None => self.null(name),
        }
    }

    #[inline(never)]
    pub(super) fn flag(&mut self, name: &str, value: bool) {
        self.name(name);
        self.out.push_str(if value { "true" } else { "false" });
    }

    pub(super) fn null(&mut self, name: &str) {
        self.name(name);
        self.out.push_str("null");
    }

    pub(super) fn open(&mut self, name: &str) {
        self.name(name);
        self.out.push('{');
    }

    pub(super) fn close(&mut self) {
        self.out.push('}');
    }

    pub(super) fn open_list(&mut self, name: &str) {
        self.name(name);
        self.out.push('[');
    }

    /// Starts an object in a list; [`Writer::close`] ends it.
    pub(super) fn open_item(&mut self) {
        self.separate();
        self.out.push('{');
    }

    pub(super) fn close_list(&mut self) {
        self.out.push(']');
    }

    #[inline(never)]
    fn name(&mut self, name: &str) {
        self.separate();
        self.put_text(name);
        self.out.push(':');
    }

    /// A comma, unless this is the first in its object or list. A bracket at the end of the text
    /// has just been opened: one that belongs to a string is followed by a quote.
    fn separate(&mut self) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
    }

    fn put_text(&mut self, text: &str) {
        self.put(format_args!("{}", nojson::Json(text)));
    }

    fn put(&mut self, arguments: fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.out.write_fmt(arguments);
    }
}
