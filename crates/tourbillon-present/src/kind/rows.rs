//! The members of rows that several kinds of documents have.

/// What a member of a row holds, or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A text.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
}

use Holds::{Number, Text};

/// Members of the rows of a table.
pub(super) type Members = &'static [(&'static str, Holds)];

pub(super) const VERDICTS: Members = &[
    ("case", Text),
    ("verdict", Text),
    ("reference", Number),
    ("candidate", Number),
    ("ratio", Number),
    ("lower", Number),
    ("upper", Number),
    ("margin", Number),
    ("gate", Text),
];
pub(super) const NOMINATIONS: Members = &[
    ("case", Text),
    ("machine", Text),
    ("metric", Text),
    ("ratio", Number),
    ("verdict", Text),
    ("measured_ratio", Number),
    ("measured_lower", Number),
    ("measured_upper", Number),
    ("commits", Text),
    ("likely", Text),
    ("runs", Text),
    ("accepted", Text),
];
/// Why cases are faster or slower.
pub(super) const CAUSES: Members = &[
    ("case", Text),
    ("cause", Text),
    ("sentence", Text),
    ("ratio", Number),
    ("instructions_before", Number),
    ("instructions_now", Number),
];
pub(super) const FUNCTION_DIFFERENCES: Members = &[
    ("function", Text),
    ("before", Number),
    ("now", Number),
    ("difference", Number),
    ("change", Text),
    ("case", Text),
];
pub(super) const CHANGED_LINES: Members = &[
    ("line", Text),
    ("change", Text),
    ("instructions", Number),
    ("text", Text),
    ("case", Text),
];
/// Lines of sources, each followed by its instructions.
pub(super) const CODE: Members = &[
    ("code", Text),
    ("instructions", Number),
    ("row", Text),
    ("address", Text),
    ("function", Text),
    ("build", Text),
    ("case", Text),
];
