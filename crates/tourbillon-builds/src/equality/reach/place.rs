//! Places in atoms.

/// Where in an atom; before its beginning for a field that is added to the address after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) atom: u32,
    pub(super) offset: i64,
}
