//! How the data model becomes JSON and comes back.
//!
//! One description for each type serves both directions: [`object!`] lists the members of a struct,
//! `words!` the words of an enumeration. Doc comments of fields and words are docs/reference/record-fields.md, which a
//! test writes from the sources.
//!
//! Crates whose processes have messages of their own describe them with the same words: [`encode()`] and [`open()`] are
//! a line of any type.

use std::borrow::Cow;

use crate::Error;
use crate::json::{Kind, Value, Writer};
pub use crate::line::{encode, open};
pub use crate::members::Members;

/// A value in JSON.
pub trait Json {
    /// Appends the value.
    fn write(&self, out: &mut Writer);

    /// Replaces the value by that of the field `name`.
    ///
    /// # Errors
    ///
    /// When the field holds something else than this type.
    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error>;

    /// Whether there is no value: such a member is not written, and a missing one leaves it so.
    fn is_absent(&self) -> bool {
        false
    }
}

/// A part of an object: one member for each [`Json`], several that belong together for other types.
pub trait Field {
    /// Appends the members; `name` is that of the field.
    fn write_field(&self, name: &str, out: &mut Writer);

    /// Replaces the part by that of the members.
    ///
    /// # Errors
    ///
    /// When a member is missing or holds something else than this type.
    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error>;
}

impl<T: Json> Field for T {
    fn write_field(&self, name: &str, out: &mut Writer) {
        if !self.is_absent() {
            out.name(name);
            self.write(out);
        }
    }

    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        match from.take(name) {
            Some(value) => self.read(name, value),
            None if self.is_absent() => Ok(()),
            None => Err(from.missing(name)),
        }
    }
}

/// A struct whose members [`object!`] lists.
pub trait Object {
    /// Appends its members.
    fn write_members(&self, out: &mut Writer);

    /// Replaces it by what the members hold.
    ///
    /// # Errors
    ///
    /// When a member is missing, holds something else, or contradicts another one.
    fn read_members(&mut self, from: &mut Members<'_>) -> Result<(), Error>;

    /// The struct that has these members.
    ///
    /// # Errors
    ///
    /// As for [`Object::read_members`].
    fn from_members(from: &mut Members<'_>) -> Result<Self, Error>
    where
        Self: Default,
    {
        let mut read = Self::default();
        read.read_members(from)?;
        Ok(read)
    }
}

/// Writes fields under their names.
pub fn write_fields(out: &mut Writer, fields: &[(&str, &dyn Field)]) {
    for (name, field) in fields {
        field.write_field(name, out);
    }
}

/// Reads fields from the members of their names.
///
/// # Errors
///
/// The first that is missing, or holds something else.
pub fn read_fields(
    from: &mut Members<'_>,
    fields: &mut [(&str, &mut dyn Field)],
) -> Result<(), Error> {
    for (name, field) in fields {
        field.read_field(name, from)?;
    }
    Ok(())
}

/// Checks that columns have one length.
///
/// # Errors
///
/// The first that differs from the first column.
pub fn same_length(from: &Members<'_>, columns: &[(&str, usize)]) -> Result<(), Error> {
    let (first, expected) = columns[0];
    match columns.iter().find(|column| column.1 != expected) {
        None => Ok(()),
        Some((name, length)) => Err(from.malformed(&format!(
            "column `{first}` has {expected} entries, column `{name}` {length}"
        ))),
    }
}

/// Lists the members of a struct in the order in which they are written.
///
/// * `member` is a field of that name, `outer.member` a field of a field.
/// * `member as "name"` has another name in JSON.
/// * `columns [..]` are lists of one length.
/// * `check f` calls `f(&mut self, &Members) -> Result<(), Error>` after reading.
#[macro_export]
macro_rules! object {
    (@name $field:ident) => {
        stringify!($field)
    };
    (@name $field:ident . $inner:ident) => {
        stringify!($inner)
    };
    (@name $field:ident as $name:literal) => {
        $name
    };
    (
        $type:ty {
            $($field:ident $(. $inner:ident)? $(as $name:literal)?),* $(,)?
        }
        $(columns [$($column:ident),*])*
        $(check $check:ident)?
    ) => {
        impl $crate::codec::Object for $type {
            fn write_members(&self, out: &mut $crate::json::Writer) {
                $crate::codec::write_fields(out, &[$((
                    $crate::object!(@name $field $(. $inner)? $(as $name)?),
                    &self.$field $(. $inner)? as &dyn $crate::codec::Field,
                )),*]);
            }

            fn read_members(
                &mut self,
                from: &mut $crate::codec::Members<'_>,
            ) -> Result<(), $crate::Error> {
                $crate::codec::read_fields(from, &mut [$((
                    $crate::object!(@name $field $(. $inner)? $(as $name)?),
                    &mut self.$field $(. $inner)? as &mut dyn $crate::codec::Field,
                )),*])?;
                $($crate::codec::same_length(from, &[$((
                    stringify!($column),
                    self.$column.len(),
                )),*])?;)*
                $(self.$check(from)?;)?
                Ok(())
            }
        }

        impl $crate::codec::Json for $type {
            fn write(&self, out: &mut $crate::json::Writer) {
                out.object(|out| $crate::codec::Object::write_members(self, out));
            }

            fn read(
                &mut self,
                name: &str,
                value: $crate::json::Value<'_>,
            ) -> Result<(), $crate::Error> {
                let mut members = $crate::codec::Members::of(name, value)?;
                $crate::codec::Object::read_members(self, &mut members)
            }
        }
    };
}
pub use object;

/// Declares an enumeration whose values are words in JSON. The text before the braces is what a
/// reader expects; the first value is the default.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $type:ident: $wanted:literal {
            $($(#[$word_meta:meta])* $word:ident = $name:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$word_meta])* $word,)*
        }

        impl $type {
            pub(crate) const ALL: &[$type] = &[$($type::$word),*];

            /// The word in records.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$word => $name,)*
                }
            }

            /// The value of a word.
            pub fn of_name(name: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|one| one.name() == name)
            }
        }

        impl Default for $type {
            fn default() -> $type {
                $type::ALL[0]
            }
        }

        impl $crate::codec::Json for $type {
            fn write(&self, out: &mut $crate::json::Writer) {
                out.text(self.name());
            }

            fn read(
                &mut self,
                name: &str,
                value: $crate::json::Value<'_>,
            ) -> Result<(), $crate::Error> {
                let word = $crate::codec::text(name, value)?;
                *self = $type::of_name(&word).ok_or_else(|| value.not(name, $wanted))?;
                Ok(())
            }
        }
    };
}
pub(crate) use words;

/// A value as a text.
pub fn json(value: &dyn Json) -> String {
    let mut out = Writer::default();
    value.write(&mut out);
    out.finish()
}

/// The value that the field `name` holds.
///
/// # Errors
///
/// As for [`Json::read`].
pub fn value<T: Json + Default>(name: &str, value: Value<'_>) -> Result<T, Error> {
    let mut read = T::default();
    read.read(name, value)?;
    Ok(read)
}

/// The text that the field `name` holds.
pub(crate) fn text<'t>(name: &str, value: Value<'t>) -> Result<Cow<'t, str>, Error> {
    value.text().ok_or_else(|| value.not(name, "a text"))
}

impl Json for String {
    fn write(&self, out: &mut Writer) {
        out.text(self);
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        *self = text(name, value)?.into_owned();
        Ok(())
    }
}

impl Json for bool {
    fn write(&self, out: &mut Writer) {
        out.json(self);
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        *self = value.parsed(name, "true or false")?;
        Ok(())
    }
}

/// A number that is not finite has no form in JSON: it is absent, `null` in a list, and never read.
impl Json for f64 {
    fn write(&self, out: &mut Writer) {
        if self.is_finite() {
            // The fewest digits that read back as the same bits, with an exponent where it is short.
            out.json(format_args!("{self:?}"));
        } else {
            out.json("null");
        }
    }

    fn is_absent(&self) -> bool {
        !self.is_finite()
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        const WANTED: &str = "a finite number";
        *self = value.parsed(name, WANTED)?;
        // `1e999` is valid JSON.
        if self.is_finite() {
            Ok(())
        } else {
            Err(value.not(name, WANTED))
        }
    }
}

macro_rules! wholes {
    ($($type:ty)*) => {$(
        impl Json for $type {
            fn write(&self, out: &mut Writer) {
                out.json(self);
            }

            fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
                *self = value.json().parse().map_err(|_| {
                    let (from, to) = (<$type>::MIN, <$type>::MAX);
                    value.not(name, &format!("a whole number from {from} to {to}"))
                })?;
                Ok(())
            }
        }
    )*};
}
wholes!(u8 u32 u64 i32);

impl<T: Json + Default> Json for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.list(|out| {
            for item in self {
                out.separate();
                item.write(out);
            }
        });
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        if value.kind() != Kind::List {
            return Err(value.not(name, "a list"));
        }
        let items = value.items().map(|item| self::value(name, item));
        *self = items.collect::<Result<_, _>>()?;
        // It grew by doubling, and samples are most of a record.
        self.shrink_to_fit();
        Ok(())
    }
}

impl<T: Json + Default> Json for Option<T> {
    fn write(&self, out: &mut Writer) {
        match self {
            Some(value) => value.write(out),
            None => out.json("null"),
        }
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        self.insert(T::default()).read(name, value)
    }

    fn is_absent(&self) -> bool {
        self.as_ref().is_none_or(Json::is_absent)
    }
}

impl<T: Json> Json for Box<T> {
    fn write(&self, out: &mut Writer) {
        (**self).write(out);
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        (**self).read(name, value)
    }
}
