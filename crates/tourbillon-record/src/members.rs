//! Members of a JSON object, taken by name; the rest is kept as unknown.

use crate::Error;
use crate::json::{Kind, Value};

/// The members of a JSON object, taken out by name.
///
/// A member that is missing and one that is `null` are the same.
#[derive(Debug)]
pub struct Members<'t> {
    members: Vec<Member<'t>>,
    /// Where the search starts: members are read in the order in which they are written.
    next: usize,
    /// Where the object starts in the line.
    offset: usize,
}

#[derive(Debug)]
struct Member<'t> {
    name: Value<'t>,
    value: Value<'t>,
    taken: bool,
}

impl<'t> Members<'t> {
    /// The members of an object that the field `name` holds.
    ///
    /// # Errors
    ///
    /// When it holds something else.
    pub fn of(name: &str, object: Value<'t>) -> Result<Members<'t>, Error> {
        if object.kind() != Kind::Object {
            return Err(object.not(name, "an object"));
        }
        let mut items = object.items();
        let mut members = Vec::new();
        while let (Some(name), Some(value)) = (items.next(), items.next()) {
            members.push(Member {
                name,
                value,
                taken: false,
            });
        }
        Ok(Members {
            members,
            next: 0,
            offset: object.offset(),
        })
    }

    /// Takes the value of this name out; `None` where it is missing or `null`.
    pub fn take(&mut self, name: &str) -> Option<Value<'t>> {
        let at = self.find(name)?;
        self.next = at + 1;
        let member = &mut self.members[at];
        member.taken = true;
        (member.value.kind() != Kind::Null).then_some(member.value)
    }

    fn find(&self, name: &str) -> Option<usize> {
        let (before, after) = self.members.split_at(self.next);
        let is_it = |member: &Member<'_>| member.name.text().is_some_and(|text| text == name);
        let after = after.iter().position(is_it).map(|at| self.next + at);
        after.or_else(|| before.iter().position(is_it))
    }

    /// That a member is missing.
    #[cold]
    pub fn missing(&self, name: &str) -> Error {
        self.malformed(&format!("field `{name}` is missing or null"))
    }

    /// That something is wrong with the object as a whole.
    #[cold]
    pub fn malformed(&self, what: &str) -> Error {
        Error::malformed(what, self.offset)
    }

    /// The members that were not taken, as they are written, with commas between them.
    ///
    /// # Errors
    ///
    /// When one of them has the name of a member that was taken: either could be meant.
    pub fn rest(&self) -> Result<String, Error> {
        let (taken, rest): (Vec<_>, Vec<_>) = self.members.iter().partition(|member| member.taken);
        let mut unknown = Vec::new();
        for member in rest {
            let name = member.name.text();
            if taken.iter().any(|taken| taken.name.text() == name) {
                let name = name.unwrap_or_default();
                let what = format!("field `{name}` appears twice");
                return Err(Error::malformed(&what, member.value.offset()));
            }
            unknown.push(format!("{}:{}", member.name.json(), member.value.json()));
        }
        Ok(unknown.join(","))
    }
}
