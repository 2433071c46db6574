//! Layouts of types, without a trait that they would have to implement.

use std::any::type_name;
use std::fmt;

use crate::size_text::Counted;

/// Size and alignment of a type, from [`layout_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeLayout {
    /// The type's name, as the compiler spells it.
    pub name: &'static str,
    /// Bytes of a value, and the distance between two in an array.
    pub size_bytes: usize,
    /// Bytes that its address is a multiple of.
    pub align_bytes: usize,
    /// Whether `Option` of it is no larger: some of its bit patterns are no values.
    pub has_niche: bool,
}

/// The layout of a type.
///
/// # Examples
/// ```
/// let layout = tourbillon_mem::layout_of::<char>();
/// assert_eq!(layout.to_string(), "char: 4 bytes, aligned to 4, has a niche");
/// assert!(!tourbillon_mem::layout_of::<u8>().has_niche);
/// ```
#[must_use]
pub fn layout_of<T>() -> TypeLayout {
    TypeLayout {
        name: short_name::<T>(),
        size_bytes: size_of::<T>(),
        align_bytes: align_of::<T>(),
        has_niche: size_of::<Option<T>>() == size_of::<T>(),
    }
}

/// A type's name without the modules it is in, its parameters included.
pub(crate) fn short_name<T: ?Sized>() -> &'static str {
    let name = type_name::<T>();
    // Modules can be cut off without a copy only before the parameters.
    let head = name
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
        .unwrap_or(name.len());
    name[..head]
        .rfind("::")
        .map_or(name, |end| &name[end + 2..])
}

impl fmt::Display for TypeLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let niche = if self.has_niche {
            "has a niche"
        } else {
            "no niche"
        };
        let size = Counted(self.size_bytes as u64, "byte");
        write!(
            f,
            "{}: {size}, aligned to {}, {niche}",
            self.name, self.align_bytes
        )
    }
}

/// A field of a struct, from [`layout!`](crate::layout!).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// The field's name, or its number.
    pub name: &'static str,
    /// The name of its type, as the compiler spells it.
    pub type_name: &'static str,
    /// Bytes from the beginning of the struct.
    pub offset_bytes: usize,
    /// Bytes that it has.
    pub size_bytes: usize,
    /// Bytes that its address is a multiple of.
    pub align_bytes: usize,
}

/// Called by [`layout!`](crate::layout) for each field.
#[doc(hidden)]
pub fn field<S, T>(
    name: &'static str,
    offset_bytes: usize,
    _of_struct: fn(&S) -> &T,
) -> FieldLayout {
    FieldLayout {
        name,
        type_name: short_name::<T>(),
        offset_bytes,
        size_bytes: size_of::<T>(),
        align_bytes: align_of::<T>(),
    }
}

/// The fields of a struct and the holes between them, from [`layout!`](crate::layout!).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructLayout {
    /// The struct as a whole.
    pub whole: TypeLayout,
    /// Its fields, by ascending offset.
    pub fields: Vec<FieldLayout>,
}

/// Bytes of a struct that belong to no field; [`layout!`](crate::layout!) finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Bytes from the beginning of the struct.
    pub offset_bytes: usize,
    /// Bytes that it has.
    pub size_bytes: usize,
}

impl StructLayout {
    #[doc(hidden)]
    #[must_use]
    pub fn new<S>(mut fields: Vec<FieldLayout>) -> Self {
        // Fields without bytes come before the field at the same offset.
        fields.sort_by_key(|field| (field.offset_bytes, field.size_bytes));
        Self {
            whole: layout_of::<S>(),
            fields,
        }
    }

    /// The holes between the fields and after the last one.
    #[must_use]
    pub fn holes(&self) -> Vec<Hole> {
        let mut holes = Vec::new();
        let mut end = 0;
        let ends = self
            .fields
            .iter()
            .map(|field| (field.offset_bytes, field.size_bytes))
            .chain([(self.whole.size_bytes, 0)]);
        for (offset_bytes, size_bytes) in ends {
            if offset_bytes > end {
                holes.push(Hole {
                    offset_bytes: end,
                    size_bytes: offset_bytes - end,
                });
            }
            end = end.max(offset_bytes + size_bytes);
        }
        holes
    }

    /// Bytes of the fields alone.
    #[must_use]
    pub fn packed_bytes(&self) -> usize {
        self.fields.iter().map(|field| field.size_bytes).sum()
    }

    /// Bytes that belong to no field.
    #[must_use]
    pub fn padding_bytes(&self) -> usize {
        self.whole.size_bytes.saturating_sub(self.packed_bytes())
    }

    /// The smallest size over all orders of these fields.
    #[must_use]
    pub fn best_bytes(&self) -> usize {
        self.packed_bytes().next_multiple_of(self.whole.align_bytes)
    }

    /// The fields in an order of the smallest size: by descending alignment, which leaves no holes,
    /// because a size is a multiple of the alignment. Fields of equal alignment keep their order.
    #[must_use]
    pub fn best_order(&self) -> Vec<FieldLayout> {
        let mut fields = self.fields.clone();
        fields.sort_by_key(|field| std::cmp::Reverse(field.align_bytes));
        fields
    }
}

impl fmt::Display for StructLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.whole)?;
        let names = self.fields.iter().map(|field| field.name.chars().count());
        let longest = names.max();
        let width = longest.unwrap_or(0).max("hole".len());
        let holes = self.holes();
        let mut holes = holes.iter().peekable();
        for field in &self.fields {
            while let Some(hole) = holes.next_if(|hole| hole.offset_bytes < field.offset_bytes) {
                hole.fmt_aligned(f, width)?;
            }
            let end = field.offset_bytes + field.size_bytes;
            writeln!(
                f,
                "  {:>4}..{end:<4} {} {}",
                field.offset_bytes,
                padded(field.name, width),
                field.type_name
            )?;
        }
        for hole in holes {
            hole.fmt_aligned(f, width)?;
        }
        let (padding, best) = (self.padding_bytes(), self.best_bytes());
        if padding == 0 {
            return f.write_str("no padding");
        }
        let share = padding as f64 / self.whole.size_bytes as f64 * 100.0;
        let padding = Counted(padding as u64, "byte");
        write!(
            f,
            "{padding} of padding ({share:.0} %), packed {}",
            self.packed_bytes()
        )?;
        if best >= self.whole.size_bytes {
            return f.write_str("; no order of the fields is smaller");
        }
        write!(f, "; {best} as")?;
        for (place, field) in self.best_order().iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma} {}", field.name)?;
        }
        Ok(())
    }
}

/// A text with spaces after it up to a number of characters: the widths of `format!` have 16 bits.
fn padded(text: &str, width: usize) -> String {
    let spaces = width.saturating_sub(text.chars().count());
    text.to_owned() + &" ".repeat(spaces)
}

impl Hole {
    fn fmt_aligned(&self, f: &mut fmt::Formatter<'_>, width: usize) -> fmt::Result {
        let end = self.offset_bytes + self.size_bytes;
        let size = Counted(self.size_bytes as u64, "byte");
        writeln!(
            f,
            "  {:>4}..{end:<4} {} {size}",
            self.offset_bytes,
            padded("hole", width)
        )
    }
}

/// The layout of a struct: a path to it, and all its fields by name or number. A missing field is a
/// compile error.
///
/// # Examples
/// ```
/// use tourbillon_mem::layout;
///
/// #[repr(C)]
/// struct Order { side: u8, price: u64, quantity: u32 }
///
/// let layout = layout!(Order { side, price, quantity });
/// assert_eq!(layout.to_string(), "\
/// Order: 24 bytes, aligned to 8, no niche
///      0..1    side     u8
///      1..8    hole     7 bytes
///      8..16   price    u64
///     16..20   quantity u32
///     20..24   hole     4 bytes
/// 11 bytes of padding (46 %), packed 13; 16 as price, quantity, side");
/// ```
///
/// # Accuracy
/// That of this build: without `repr(C)` the compiler orders the fields. Not for packed structs, whose
/// fields cannot be referred to, nor for enums and unions.
#[macro_export]
macro_rules! layout {
    ($struct:path { $($field:tt),* $(,)? }) => {{
        // Naming a field twice or not at all does not compile.
        let _ = |$struct { $($field: _),* }: &$struct| {};
        $crate::StructLayout::new::<$struct>(::std::vec![$(
            $crate::field::<$struct, _>(
                ::std::stringify!($field),
                ::std::mem::offset_of!($struct, $field),
                |of_struct| &of_struct.$field,
            )
        ),*])
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = match std::str::from_utf8(&[b'x'; 70_000]) {
        Ok(text) => text,
        Err(_) => unreachable!(),
    };

    #[test]
    fn a_field_may_have_a_name_of_any_length() {
        let mut layout = StructLayout::new::<u64>(vec![field::<u64, u64>("bits", 0, |all| all)]);
        layout.fields[0].name = LONG;
        assert!(layout.to_string().contains("xxx u64"));
    }

    #[test]
    fn names_lose_their_modules_and_keep_their_parameters() {
        assert_eq!(short_name::<u8>(), "u8");
        assert_eq!(short_name::<String>(), "String");
        assert_eq!(short_name::<Vec<u8>>(), "Vec<u8>");
        assert_eq!(short_name::<[u8; 3]>(), "[u8; 3]");
        assert_eq!(short_name::<(u8, String)>(), type_name::<(u8, String)>());
    }
}
