//! What fields hold: texts, numbers, lists.

use super::Fields;
use crate::json::{Items, Kind, Value, push};

impl<'t> Fields<'t, '_> {
    #[inline(never)]
    pub(super) fn text(&mut self, name: &str, place: &mut String) {
        if let Some(value) = self.required(name) {
            self.text_of(name, value, place);
        }
    }

    #[inline(never)]
    pub(super) fn text_or_none(&mut self, name: &str, place: &mut Option<String>) {
        if let Some(value) = self.value(name) {
            self.text_of(name, value, place.insert(String::new()));
        }
    }

    #[inline(never)]
    pub(super) fn texts(&mut self, name: &str, place: &mut Vec<String>) {
        for item in self.list(name) {
            place.push(String::new());
            if let Some(text) = place.last_mut() {
                self.text_of(name, item, text);
            }
        }
    }

    #[inline(never)]
    pub(super) fn whole(&mut self, name: &str) -> u64 {
        match self.required(name) {
            Some(value) => self.whole_of(name, value),
            None => 0,
        }
    }

    #[inline(never)]
    pub(super) fn whole_or_none<T: TryFrom<u64> + Default>(&mut self, name: &str) -> Option<T> {
        let value = self.value(name)?;
        Some(self.narrow(name, value))
    }

    /// A whole number in the range of its type.
    #[inline(never)]
    pub(super) fn whole_as<T: TryFrom<u64> + Default>(&mut self, name: &str) -> T {
        match self.required(name) {
            Some(value) => self.narrow(name, value),
            None => T::default(),
        }
    }

    #[inline(never)]
    pub(super) fn wholes<T: TryFrom<u64> + Default>(&mut self, name: &str, place: &mut Vec<T>) {
        for item in self.list(name) {
            place.push(self.narrow(name, item));
        }
    }

    /// Nothing where there is no such field.
    #[inline(never)]
    pub(super) fn wholes_if_any(&mut self, name: &str, place: &mut Vec<u64>) {
        if self.value(name).is_some() {
            self.wholes(name, place);
        }
    }

    #[inline(never)]
    pub(super) fn signed_or_none(&mut self, name: &str) -> Option<i32> {
        let value = self.value(name)?;
        let signed = value.signed();
        if signed.is_none() {
            self.not(name, value, "a whole number of 32 bits");
        }
        signed
    }

    #[inline(never)]
    pub(super) fn number(&mut self, name: &str) -> f64 {
        match self.required(name) {
            Some(value) => self.number_of(name, value),
            None => 0.0,
        }
    }

    #[inline(never)]
    pub(super) fn number_or_none(&mut self, name: &str) -> Option<f64> {
        let value = self.value(name)?;
        Some(self.number_of(name, value))
    }

    #[inline(never)]
    pub(super) fn numbers(&mut self, name: &str, place: &mut Vec<f64>) {
        for item in self.list(name) {
            place.push(self.number_of(name, item));
        }
    }

    #[inline(never)]
    pub(super) fn flag(&mut self, name: &str) -> bool {
        let Some(value) = self.required(name) else {
            return false;
        };
        let flag = value.flag();
        if flag.is_none() {
            self.not(name, value, "true or false");
        }
        flag == Some(true)
    }

    /// Which of some words stands in the field; the first, and an error, if it is none of them.
    #[inline(never)]
    pub(super) fn one_of(&mut self, name: &str, words: &[&str], wanted: &str) -> usize {
        if let Some(word) = self.word(name) {
            let mut index = 0;
            while index < words.len() {
                if word.is_text(words[index]) {
                    return index;
                }
                index += 1;
            }
            self.not(name, word, wanted);
        }
        0
    }

    /// A text to be compared with others, see [`Value::is_text`].
    #[inline(never)]
    pub(super) fn word(&mut self, name: &str) -> Option<Value<'t>> {
        let value = self.required(name)?;
        if value.kind() != Kind::Text {
            self.not(name, value, "a text");
            return None;
        }
        Some(value)
    }

    /// The items of a list; [`Fields::enter_item`] goes into those that are objects.
    #[inline(never)]
    pub(super) fn list(&mut self, name: &str) -> Items<'t> {
        match self.required(name) {
            Some(value) if value.kind() == Kind::List => value.items(),
            Some(value) => {
                self.not(name, value, "a list");
                Items::default()
            }
            None => Items::default(),
        }
    }

    #[inline(never)]
    fn text_of(&self, name: &str, value: Value<'_>, place: &mut String) {
        match value.text() {
            Some(text) => push(place, &text),
            None => self.not(name, value, "a text"),
        }
    }

    #[inline(never)]
    fn whole_of(&self, name: &str, value: Value<'_>) -> u64 {
        match value.whole() {
            Some(whole) => whole,
            None => {
                self.not(name, value, "a whole number from 0 to 2^64 - 1");
                0
            }
        }
    }

    fn narrow<T: TryFrom<u64> + Default>(&self, name: &str, value: Value<'_>) -> T {
        match T::try_from(self.whole_of(name, value)) {
            Ok(narrow) => narrow,
            Err(_) => {
                self.not(name, value, "a whole number in the field's range");
                T::default()
            }
        }
    }

    /// `1e999`, which is valid JSON, is refused like everything that is not finite.
    #[inline(never)]
    fn number_of(&self, name: &str, value: Value<'_>) -> f64 {
        match value.number() {
            Some(number) if number.is_finite() => number,
            _ => {
                self.not(name, value, "a finite number");
                0.0
            }
        }
    }

    /// Refuses a field that is not absent.
    #[inline(never)]
    pub(super) fn nothing(&mut self, name: &str, wanted: &str) {
        if let Some(value) = self.value(name) {
            let text = value.kind() == Kind::Text;
            self.not(name, value, if text { wanted } else { "a text" });
        }
    }

    /// What a field held that must not be missing, unless it was.
    pub(super) fn present<T: Default>(&self, name: &str, held: Option<T>) -> T {
        match held {
            Some(held) => held,
            None => {
                self.missing(name);
                T::default()
            }
        }
    }
}
