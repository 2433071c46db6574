use super::text::{push, push_escaped, put};

/// Writes one JSON object on one line, member after member.
///
/// Optional members are always written, `null` where there is nothing. A number that is not finite
/// has no form in JSON and is written as `null`, too.
#[derive(Debug)]
pub(crate) struct Writer {
    out: String,
}

impl Writer {
    /// Starts the object.
    #[inline(never)]
    pub(crate) fn new() -> Writer {
        let mut writer = Writer { out: String::new() };
        writer.raw("{");
        writer
    }

    /// Ends the object, after members whose JSON text is at hand, as they stand, with commas between
    /// them.
    pub(crate) fn finish(mut self, others: &str) -> String {
        if !others.is_empty() {
            self.separate();
            self.raw(others);
        }
        self.raw("}");
        self.out
    }

    #[inline(never)]
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        self.put_text(value);
    }

    #[inline(never)]
    pub(crate) fn text_or_null(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(name, value),
            None => self.null(name),
        }
    }

    #[inline(never)]
    pub(crate) fn texts(&mut self, name: &str, values: &[String]) {
        self.open_list(name);
        for value in values {
            self.separate();
            self.put_text(value);
        }
        self.close_list();
    }

    #[inline(never)]
    pub(crate) fn whole(&mut self, name: &str, value: u64) {
        self.name(name);
        put(&mut self.out, format_args!("{value}"));
    }

    pub(crate) fn whole_or_null(&mut self, name: &str, value: Option<u64>) {
        match value {
            Some(value) => self.whole(name, value),
            None => self.null(name),
        }
    }

    #[inline(never)]
    pub(crate) fn signed_or_null(&mut self, name: &str, value: Option<i32>) {
        match value {
            Some(value) => {
                self.name(name);
                put(&mut self.out, format_args!("{value}"));
            }
            None => self.null(name),
        }
    }

    #[inline(never)]
    pub(crate) fn wholes<T: Copy + Into<u64>>(&mut self, name: &str, values: &[T]) {
        self.open_list(name);
        for &value in values {
            self.item(value.into());
        }
        self.close_list();
    }

    #[inline(never)]
    fn item(&mut self, value: u64) {
        self.separate();
        put(&mut self.out, format_args!("{value}"));
    }

    /// A number by the fewest digits that read back as the same bits; `{:?}` switches to an
    /// exponent for very large and very small ones, where `{}` would print hundreds of zeroes.
    #[inline(never)]
    pub(crate) fn number(&mut self, name: &str, value: f64) {
        if value.is_finite() {
            self.name(name);
            put(&mut self.out, format_args!("{value:?}"));
        } else {
            self.null(name);
        }
    }

    /// Numbers, all finite.
    #[inline(never)]
    pub(crate) fn numbers(&mut self, name: &str, values: &[f64]) {
        self.open_list(name);
        for value in values {
            self.separate();
            put(&mut self.out, format_args!("{value:?}"));
        }
        self.close_list();
    }

    #[inline(never)]
    pub(crate) fn number_or_null(&mut self, name: &str, value: Option<f64>) {
        match value {
            Some(value) => self.number(name, value),
            None => self.null(name),
        }
    }

    #[inline(never)]
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        self.name(name);
        self.raw(if value { "true" } else { "false" });
    }

    #[inline(never)]
    pub(crate) fn null(&mut self, name: &str) {
        self.name(name);
        self.raw("null");
    }

    #[inline(never)]
    pub(crate) fn open(&mut self, name: &str) {
        self.name(name);
        self.raw("{");
    }

    #[inline(never)]
    pub(crate) fn close(&mut self) {
        self.raw("}");
    }

    #[inline(never)]
    pub(crate) fn open_list(&mut self, name: &str) {
        self.name(name);
        self.raw("[");
    }

    /// Starts an object in a list; [`Writer::close`] ends it.
    #[inline(never)]
    pub(crate) fn open_item(&mut self) {
        self.separate();
        self.raw("{");
    }

    #[inline(never)]
    pub(crate) fn close_list(&mut self) {
        self.raw("]");
    }

    #[inline(never)]
    fn name(&mut self, name: &str) {
        self.separate();
        self.put_text(name);
        self.raw(":");
    }

    /// A comma, unless this is the first in its object or list. A bracket at the end of the text
    /// has just been opened: one that belongs to a string is followed by a quote.
    #[inline(never)]
    fn separate(&mut self) {
        if !matches!(self.out.as_bytes(), [.., b'{' | b'[']) {
            self.raw(",");
        }
    }

    #[inline(never)]
    fn put_text(&mut self, text: &str) {
        self.raw("\"");
        push_escaped(&mut self.out, text);
        self.raw("\"");
    }

    fn raw(&mut self, json: &str) {
        push(&mut self.out, json);
    }
}
