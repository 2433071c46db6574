//! What a check found.

use super::section::Section;
use super::tree::Known;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// As it should be.
    Fine,
    /// Worth knowing where figures are surprising.
    Note,
    /// Figures are worse for it.
    Matters,
}

impl Severity {
    /// Name in JSON.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Severity::Fine => "fine",
            Severity::Note => "note",
            Severity::Matters => "matters",
        }
    }
}

/// What is said about one thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) severity: Severity,
    pub(super) found: String,
    /// What to do about it; `None` where nothing is to be done.
    pub(super) remedy: Option<String>,
}

impl Said {
    pub(super) fn fine(found: impl Into<String>) -> Said {
        Said {
            severity: Severity::Fine,
            found: found.into(),
            remedy: None,
        }
    }

    pub(super) fn note(found: impl Into<String>, remedy: impl Into<String>) -> Said {
        Said {
            severity: Severity::Note,
            found: found.into(),
            remedy: Some(remedy.into()),
        }
    }

    pub(super) fn matters(found: impl Into<String>, remedy: impl Into<String>) -> Said {
        Said {
            severity: Severity::Matters,
            found: found.into(),
            remedy: Some(remedy.into()),
        }
    }
}

/// A check, and what came of it: the reason where nothing could be found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    /// The section of the guide that explains it.
    pub(super) guide: &'static Section,
    pub(super) outcome: Known<Said>,
}

impl Finding {
    /// Where the guide explains it.
    pub(super) fn link(&self) -> String {
        format!("docs/reference/doctor.md#{}", self.guide.anchor)
    }

    /// `None` where nothing could be found out.
    pub(super) fn severity(&self) -> Option<Severity> {
        self.outcome.as_ref().ok().map(|said| said.severity)
    }
}
