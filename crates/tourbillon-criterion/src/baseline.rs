//! What becomes of saved results.

/// What a run does with the results that were saved under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// Compares with them where they exist.
    CompareLenient,
    /// Compares with them, and fails where they do not exist.
    CompareStrict,
    /// Compares with them and replaces them.
    Save,
    /// Neither compares nor saves.
    Discard,
}
