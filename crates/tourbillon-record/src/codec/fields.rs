use std::borrow::Cow;

use super::FirstError;
use crate::error::{Error, shortened};
use crate::json::{Items, Kind, Value};

/// The members of a JSON object, taken out one by one.
///
/// One rule for all fields that may be absent: missing and `null` are the same. What nobody takes
/// is [`Fields::rest`]: the members that only a newer version knows. What is wrong goes to the
/// [`FirstError`].
pub(super) struct Fields<'t, 'e> {
    members: Vec<Member<'t>>,
    /// Where the search starts: lines are written in the order in which they are read.
    next: usize,
    /// Where the object starts in the line.
    offset: usize,
    first_error: &'e FirstError,
}

struct Member<'t> {
    name: Cow<'t, str>,
    value: Value<'t>,
    taken: bool,
}

impl<'t, 'e> Fields<'t, 'e> {
    /// The members of the object that a field of this name holds.
    #[inline(never)]
    pub(super) fn of(name: &str, object: Value<'t>, first_error: &'e FirstError) -> Self {
        let mut fields = Fields {
            members: Vec::new(),
            next: 0,
            offset: object.offset(),
            first_error,
        };
        if object.kind() != Kind::Object {
            fields.not(name, object, "an object");
            return fields;
        }
        let mut items = object.items();
        while let (Some(name), Some(value)) = (items.next(), items.next()) {
            fields.members.push(Member {
                name: name.text().unwrap_or_default(),
                value,
                taken: false,
            });
        }
        fields
    }

    /// What a field holds; `null` where there is none.
    pub(super) fn kind(&self, name: &str) -> Kind {
        match self.find(name) {
            Some(index) => self.members[index].value.kind(),
            None => Kind::Null,
        }
    }

    #[inline(never)]
    fn find(&self, name: &str) -> Option<usize> {
        let count = self.members.len();
        for step in 0..count {
            let index = (self.next + step) % count;
            if self.members[index].name == name {
                return Some(index);
            }
        }
        None
    }

    /// The value of this name, `None` where it is missing or `null`.
    #[inline(never)]
    fn value(&mut self, name: &str) -> Option<Value<'t>> {
        let index = self.find(name)?;
        self.next = index + 1;
        let member = &mut self.members[index];
        member.taken = true;
        match member.value.kind() {
            Kind::Null => None,
            _ => Some(member.value),
        }
    }

    #[inline(never)]
    fn required(&mut self, name: &str) -> Option<Value<'t>> {
        let value = self.value(name);
        if value.is_none() {
            self.missing(name);
        }
        value
    }

    #[inline(never)]
    pub(super) fn text(&mut self, name: &str) -> String {
        match self.required(name) {
            Some(value) => self.text_of(name, value),
            None => String::new(),
        }
    }

    #[inline(never)]
    pub(super) fn text_or_none(&mut self, name: &str) -> Option<String> {
        let value = self.value(name)?;
        Some(self.text_of(name, value))
    }

    #[inline(never)]
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for item in self.list(name) {
            texts.push(self.text_of(name, item));
        }
        texts
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
    pub(super) fn wholes<T: TryFrom<u64> + Default>(&mut self, name: &str) -> Vec<T> {
        let mut wholes = Vec::new();
        for item in self.list(name) {
            wholes.push(self.narrow(name, item));
        }
        // A run holds the samples of all of its visits until its end.
        wholes.shrink_to_fit();
        wholes
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

    #[cfg(feature = "amounts")]
    #[inline(never)]
    pub(super) fn numbers(&mut self, name: &str) -> Vec<f64> {
        let mut numbers = Vec::new();
        for item in self.list(name) {
            numbers.push(self.number_of(name, item));
        }
        numbers
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
        let found = self.text(name);
        for (index, &word) in words.iter().enumerate() {
            if word == found {
                return index;
            }
        }
        self.refuse(name, wanted);
        0
    }

    #[inline(never)]
    pub(super) fn object(&mut self, name: &str) -> Fields<'t, 'e> {
        match self.required(name) {
            Some(value) => self.inside(name, value),
            None => Fields {
                members: Vec::new(),
                ..*self
            },
        }
    }

    #[inline(never)]
    pub(super) fn object_or_none(&mut self, name: &str) -> Option<Fields<'t, 'e>> {
        let value = self.value(name)?;
        Some(self.inside(name, value))
    }

    /// The items of a list; [`Fields::inside`] opens those that are objects.
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

    /// The members of an object that stands in this one, in a field of this name.
    pub(super) fn inside(&self, name: &str, object: Value<'t>) -> Fields<'t, 'e> {
        Fields::of(name, object, self.first_error)
    }

    #[inline(never)]
    fn text_of(&self, name: &str, value: Value<'_>) -> String {
        match value.text() {
            Some(text) => text.into_owned(),
            None => {
                self.not(name, value, "a text");
                String::new()
            }
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

    /// Notes that this is a line of a kind that only a newer version knows.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown_type(&self, name: &str) {
        self.first_error.note(Error::unknown_type(name));
    }

    /// Notes that a value is not what its field asks for.
    #[cold]
    #[inline(never)]
    fn not(&self, name: &str, value: Value<'_>, wanted: &str) {
        let found = shortened(value.json());
        let what = format!("field `{name}` is {found}, where {wanted} is expected");
        self.first_error
            .note(Error::malformed(&what, value.offset()));
    }

    /// Notes that a field which was taken does not hold what is asked for.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(&self, name: &str, wanted: &str) {
        if let Some(value) = self.taken(name) {
            self.not(name, value, wanted);
        }
    }

    #[inline(never)]
    fn taken(&self, name: &str) -> Option<Value<'t>> {
        for member in &self.members {
            if member.taken && member.name == name {
                return Some(member.value);
            }
        }
        None
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

    /// Notes that the object lacks a field.
    #[cold]
    #[inline(never)]
    fn missing(&self, name: &str) {
        self.broken(&format!("field `{name}` is missing or null"));
    }

    #[cold]
    #[inline(never)]
    fn broken(&self, what: &str) {
        self.first_error.note(Error::malformed(what, self.offset));
    }

    /// Refuses columns that are read side by side and differ in length.
    #[inline(never)]
    pub(super) fn same_length(&self, columns: &[(&str, usize)]) {
        let Some(&(one, length)) = columns.first() else {
            return;
        };
        for &(other, different) in columns {
            if length != different {
                self.broken(&format!(
                    "column `{one}` has {length} entries, column `{other}` {different}"
                ));
            }
        }
    }

    /// The members that nobody took: name and JSON text.
    ///
    /// A field that was taken and is there once more is an error: which of the two counts is not
    /// decidable.
    #[inline(never)]
    pub(super) fn rest(&self) -> Vec<(String, String)> {
        let mut rest = Vec::new();
        for member in &self.members {
            if member.taken {
                continue;
            }
            let name: &str = &member.name;
            if self.taken(name).is_some() {
                let what = format!("field `{name}` is there twice");
                let error = Error::malformed(&what, member.value.offset());
                self.first_error.note(error);
            }
            rest.push((name.to_owned(), member.value.json().to_owned()));
        }
        rest
    }
}
