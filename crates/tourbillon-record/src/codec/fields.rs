use std::fmt;

use super::FirstError;
use crate::error::{Error, shortened};
use crate::json::{Items, Kind, Value, push};

/// The members of a JSON object, taken out one by one.
///
/// One rule for all fields that may be absent: missing and `null` are the same. What nobody takes
/// is [`Fields::rest`]: the members that only a newer version knows. What is wrong goes to the
/// [`FirstError`].
///
/// What owns memory is read into its place. In the expression of a whole struct every field would have
/// to drop those before it if it panicked: three times the code.
pub(super) struct Fields<'t, 'e> {
    /// Those of the line, of the object in it that is being read, and so on.
    members: Vec<Member<'t>>,
    object: Object,
    /// Those that the object stands in.
    outer: Vec<Object>,
    first_error: &'e FirstError,
}

/// The object whose members are taken out.
#[derive(Clone, Copy)]
struct Object {
    /// Its first member.
    first: usize,
    /// Where the search starts: lines are written in the order in which they are read.
    next: usize,
    /// Where it starts in the line.
    offset: usize,
}

#[derive(Clone, Copy)]
struct Member<'t> {
    name: Value<'t>,
    value: Value<'t>,
    taken: bool,
}

impl<'t, 'e> Fields<'t, 'e> {
    /// The members of the object that a line is.
    #[inline(never)]
    pub(super) fn of(line: Value<'t>, first_error: &'e FirstError) -> Self {
        let mut fields = Fields {
            members: Vec::new(),
            object: Object {
                first: 0,
                next: 0,
                offset: line.offset(),
            },
            outer: Vec::new(),
            first_error,
        };
        fields.open("line", line);
        fields
    }

    /// Takes the members of an object that a field of this name holds.
    #[inline(never)]
    fn open(&mut self, name: &str, object: Value<'t>) {
        if object.kind() != Kind::Object {
            self.not(name, object, "an object");
            return;
        }
        let mut items = object.items();
        while let (Some(name), Some(value)) = (items.next(), items.next()) {
            self.members.push(Member {
                name,
                value,
                taken: false,
            });
        }
    }

    /// Goes into the object that a field holds: its members are taken until [`Fields::leave`].
    #[inline(never)]
    pub(super) fn enter(&mut self, name: &str) -> bool {
        match self.required(name) {
            Some(object) => {
                self.enter_item(name, object);
                true
            }
            None => false,
        }
    }

    /// The same, of a field that may be absent.
    #[inline(never)]
    pub(super) fn enter_if_any(&mut self, name: &str) -> bool {
        match self.value(name) {
            Some(object) => {
                self.enter_item(name, object);
                true
            }
            None => false,
        }
    }

    /// Goes into an object that is an item of a list.
    #[inline(never)]
    pub(super) fn enter_item(&mut self, name: &str, object: Value<'t>) {
        self.outer.push(self.object);
        let first = self.members.len();
        self.object = Object {
            first,
            next: first,
            offset: object.offset(),
        };
        self.open(name, object);
    }

    /// Goes back to the object that this one stands in.
    #[inline(never)]
    pub(super) fn leave(&mut self) {
        self.members.truncate(self.object.first);
        if let Some(outer) = self.outer.pop() {
            self.object = outer;
        }
    }

    /// What a field holds; `null` where there is none.
    #[inline(never)]
    pub(super) fn kind(&self, name: &str) -> Kind {
        match self.find(name) {
            Some(index) => self.members[index].value.kind(),
            None => Kind::Null,
        }
    }

    #[inline(never)]
    fn find(&self, name: &str) -> Option<usize> {
        let end = self.members.len();
        let mut index = self.object.next;
        for _ in self.object.first..end {
            if index >= end {
                index = self.object.first;
            }
            if self.members[index].name.is_text(name) {
                return Some(index);
            }
            index += 1;
        }
        None
    }

    /// The value of this name, `None` where it is missing or `null`.
    #[inline(never)]
    fn value(&mut self, name: &str) -> Option<Value<'t>> {
        let index = self.find(name)?;
        self.object.next = index + 1;
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
        // A run holds the samples of all of its visits until its end.
        place.shrink_to_fit();
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

    /// Notes that this is a line of a kind that only a newer version knows.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown_type(&self, name: Value<'_>) {
        let name = name.text().unwrap_or_default();
        self.first_error.note(Error::unknown_type(&name));
    }

    /// Notes that a value is not what its field asks for.
    #[cold]
    #[inline(never)]
    fn not(&self, name: &str, value: Value<'_>, wanted: &str) {
        let found = shortened(value.json());
        self.broken(
            format_args!("field `{name}` is {found}, where {wanted} is expected"),
            value.offset(),
        );
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
        for member in &self.members[self.object.first..] {
            if member.taken && member.name.is_text(name) {
                return Some(member.value);
            }
        }
        None
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

    /// Notes that the object lacks a field.
    #[cold]
    #[inline(never)]
    fn missing(&self, name: &str) {
        let what = format_args!("field `{name}` is missing or null");
        self.broken(what, self.object.offset);
    }

    #[cold]
    #[inline(never)]
    fn broken(&self, what: fmt::Arguments<'_>, offset: usize) {
        self.first_error.note(Error::malformed(what, offset));
    }

    /// Refuses columns that are read side by side and differ in length.
    #[inline(never)]
    pub(super) fn same_length(&self, columns: &[(&str, usize)]) {
        let Some(&(one, length)) = columns.first() else {
            return;
        };
        for &(other, different) in columns {
            if length != different {
                let offset = self.object.offset;
                self.broken(
                    format_args!(
                        "column `{one}` has {length} entries, column `{other}` {different}"
                    ),
                    offset,
                );
            }
        }
    }

    /// The members that nobody took, as they stand, with commas between them.
    ///
    /// A field that was taken and is there once more is an error: which of the two counts is not
    /// decidable.
    #[inline(never)]
    pub(super) fn rest(&self, place: &mut String) {
        for member in &self.members[self.object.first..] {
            if !member.taken {
                self.keep(*member, place);
            }
        }
    }

    #[inline(never)]
    fn keep(&self, member: Member<'_>, place: &mut String) {
        self.refuse_second(member);
        let comma = if place.is_empty() { "" } else { "," };
        for part in &[comma, member.name.json(), ":", member.value.json()] {
            push(place, part);
        }
    }

    #[inline(never)]
    fn refuse_second(&self, member: Member<'_>) {
        let name = member.name.text().unwrap_or_default();
        if self.taken(&name).is_some() {
            let what = format_args!("field `{name}` is there twice");
            self.broken(what, member.value.offset());
        }
    }
}
