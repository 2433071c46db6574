//! The pieces of a program that a linker moves as a whole.

use super::place::Place;
use super::unwinding::Frame;

/// A function, a datum, or all of a section that is not divided.
#[derive(Debug, Default)]
pub(super) struct Atom<'f> {
    /// What the linker calls its beginning; empty if it has no name.
    pub(super) name: &'f str,
    /// Whether it is code, may be written, belongs to each thread, or is not in the file: flags of its section.
    pub(super) flags: u64,
    pub(super) align: u64,
    pub(super) size: u64,
    /// Its contents; empty where all are zero.
    pub(super) bytes: &'f [u8],
    /// Where it names others, in the order of these places.
    pub(super) references: Vec<Reference<'f>>,
    /// How to unwind through its functions, in their order.
    pub(super) frames: Vec<Frame<'f>>,
}

/// A field that the linker fills in, or that does not count.
#[derive(Debug)]
pub(super) struct Reference<'f> {
    /// Where the field begins in the atom, and its length.
    pub(super) start: u64,
    pub(super) width: u64,
    /// The kind of the relocation.
    pub(super) kind: u32,
    pub(super) target: Target<'f>,
}

/// What a field names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target<'f> {
    Place(Place),
    /// A symbol of a shared library or of the linker, and what is added to its address.
    Symbol(&'f str, i64),
    /// The beginning or the end of all sections of a name.
    Group(&'f str, Edge, i64),
    /// A value that no placement changes.
    Fixed(u64),
    /// Not known, and why.
    Unknown(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
}

impl<'f> Atom<'f> {
    /// The number of the reference whose field begins here.
    pub(super) fn reference_at(&self, start: u64) -> Option<usize> {
        let found = self
            .references
            .binary_search_by_key(&start, |one| one.start);
        found.ok()
    }

    /// Its contents from here on; none beyond its end.
    pub(super) fn from(&self, offset: i64) -> &'f [u8] {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        self.bytes.get(offset..).unwrap_or_default()
    }

    /// A number in it.
    pub(super) fn number(&self, offset: u64) -> Option<u64> {
        let offset = usize::try_from(offset).ok()?;
        let bytes = self.bytes.get(offset..)?.first_chunk::<8>()?;
        Some(u64::from_le_bytes(*bytes))
    }
}
