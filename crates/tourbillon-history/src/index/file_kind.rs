//! The kinds of files that an index is made of.

/// What a file of an archive is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The summary of a run.
    Run,
    /// The summary of a comparison of two commits.
    Comparison,
    /// A commit that cannot be measured.
    Failure,
}

impl FileKind {
    /// The folder of the files in an archive.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            FileKind::Run => "summaries",
            FileKind::Comparison => "comparisons",
            FileKind::Failure => "failures",
        }
    }
}
