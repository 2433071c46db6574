use std::borrow::Cow;

use nojson::RawJsonValue;

use super::Value;
use crate::Error;

/// The members of a JSON object, taken out one by one.
///
/// One rule for all fields that may be absent: missing and `null` are the same. What nobody takes
/// is [`Fields::rest`]: the members that only a newer version knows.
pub(super) struct Fields<'t, 'r> {
    members: Vec<Member<'t, 'r>>,
    /// Where the search starts: lines are written in the order in which they are read.
    next: usize,
    object: RawJsonValue<'t, 'r>,
}

struct Member<'t, 'r> {
    name: Cow<'t, str>,
    value: RawJsonValue<'t, 'r>,
    taken: bool,
}

impl<'t, 'r> Fields<'t, 'r> {
    pub(super) fn of(value: Value<'t, 'r, '_>) -> Result<Self, Error> {
        let object = value.json;
        let mut members = Vec::new();
        for (name, value) in object.to_object().map_err(|_| value.not("an object"))? {
            let name = Value {
                name: "name",
                json: name,
            }
            .text()?;
            members.push(Member {
                name,
                value,
                taken: false,
            });
        }
        Ok(Fields {
            members,
            next: 0,
            object,
        })
    }

    /// The value of this name, `None` where it is missing or `null`.
    #[inline(never)]
    pub(super) fn optional<'n>(&mut self, name: &'n str) -> Option<Value<'t, 'r, 'n>> {
        let count = self.members.len();
        let order = (self.next..count).chain(0..self.next.min(count));
        let index = order.into_iter().find(|&index| {
            let member = &self.members[index];
            !member.taken && member.name == name
        })?;
        self.next = index + 1;
        let member = &mut self.members[index];
        member.taken = true;
        (!member.value.kind().is_null()).then_some(Value {
            name,
            json: member.value,
        })
    }

    pub(super) fn required<'n>(&mut self, name: &'n str) -> Result<Value<'t, 'r, 'n>, Error> {
        self.optional(name).ok_or_else(|| self.missing(name))
    }

    /// The error of an object that lacks a field.
    #[cold]
    pub(super) fn missing(&self, name: &str) -> Error {
        self.broken(format!("field `{name}` is missing or null"))
    }

    /// The error of an object whose fields do not fit together.
    #[cold]
    pub(super) fn broken(&self, what: String) -> Error {
        Error::malformed(what, self.object.position())
    }

    pub(super) fn object(&mut self, name: &str) -> Result<Fields<'t, 'r>, Error> {
        Fields::of(self.required(name)?)
    }

    pub(super) fn object_or_none(&mut self, name: &str) -> Result<Option<Fields<'t, 'r>>, Error> {
        self.optional(name).map(Fields::of).transpose()
    }

    #[inline(never)]
    pub(super) fn text(&mut self, name: &str) -> Result<String, Error> {
        Ok(self.required(name)?.text()?.into_owned())
    }

    #[inline(never)]
    pub(super) fn text_or_none(&mut self, name: &str) -> Result<Option<String>, Error> {
        self.optional(name)
            .map(|value| value.text().map(Cow::into_owned))
            .transpose()
    }

    #[inline(never)]
    pub(super) fn texts(&mut self, name: &str) -> Result<Vec<String>, Error> {
        self.required(name)?.texts()
    }

    #[inline(never)]
    pub(super) fn whole(&mut self, name: &str) -> Result<u64, Error> {
        self.required(name)?.whole()
    }

    #[inline(never)]
    pub(super) fn whole_as<T: TryFrom<u64>>(&mut self, name: &str) -> Result<T, Error> {
        self.required(name)?.whole_as()
    }

    #[inline(never)]
    pub(super) fn wholes<T: TryFrom<u64>>(&mut self, name: &str) -> Result<Vec<T>, Error> {
        self.required(name)?.wholes()
    }

    #[inline(never)]
    pub(super) fn number(&mut self, name: &str) -> Result<f64, Error> {
        self.required(name)?.number()
    }

    #[inline(never)]
    pub(super) fn number_or_none(&mut self, name: &str) -> Result<Option<f64>, Error> {
        self.optional(name).map(Value::number).transpose()
    }

    #[inline(never)]
    pub(super) fn signed_or_none(&mut self, name: &str) -> Result<Option<i32>, Error> {
        self.optional(name).map(Value::signed).transpose()
    }

    #[inline(never)]
    pub(super) fn whole_or_none<T: TryFrom<u64>>(
        &mut self,
        name: &str,
    ) -> Result<Option<T>, Error> {
        self.optional(name).map(Value::whole_as).transpose()
    }

    #[inline(never)]
    pub(super) fn flag(&mut self, name: &str) -> Result<bool, Error> {
        self.required(name)?.flag()
    }

    /// Refuses columns that are read side by side and differ in length.
    pub(super) fn same_length(&self, columns: &[(&str, usize)]) -> Result<(), Error> {
        for pair in columns.windows(2) {
            let [(one, length), (other, different)] = pair else {
                continue;
            };
            if length != different {
                return Err(self.broken(format!(
                    "column `{one}` has {length} entries, column `{other}` {different}"
                )));
            }
        }
        Ok(())
    }

    /// The members that nobody took: name and JSON text.
    ///
    /// # Errors
    ///
    /// A field that was taken and is there once more: which of the two counts is not decidable.
    pub(super) fn rest(self) -> Result<Vec<(String, String)>, Error> {
        let (taken, left): (Vec<_>, Vec<_>) =
            self.members.into_iter().partition(|member| member.taken);
        let mut rest = Vec::new();
        for member in left {
            if taken.iter().any(|other| other.name == member.name) {
                let what = format!("field `{}` is there twice", member.name);
                return Err(Error::malformed(what, member.value.position()));
            }
            rest.push((
                member.name.into_owned(),
                member.value.as_raw_str().to_owned(),
            ));
        }
        Ok(rest)
    }
}
