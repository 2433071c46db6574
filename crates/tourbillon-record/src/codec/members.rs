use std::fmt;

use super::FirstError;
use crate::error::{Error, shortened};
use crate::json::{Kind, Value, push};

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
    pub(super) fn value(&mut self, name: &str) -> Option<Value<'t>> {
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
    pub(super) fn required(&mut self, name: &str) -> Option<Value<'t>> {
        let value = self.value(name);
        if value.is_none() {
            self.missing(name);
        }
        value
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
    pub(super) fn not(&self, name: &str, value: Value<'_>, wanted: &str) {
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

    /// Notes that the object lacks a field.
    #[cold]
    #[inline(never)]
    pub(super) fn missing(&self, name: &str) {
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
