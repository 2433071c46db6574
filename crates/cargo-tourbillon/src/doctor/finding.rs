//! Findings of checks.

use super::section::Section;
use super::tree::Known;

/// How severe a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// As it should be.
    Fine,
    /// Worth knowing when figures are surprising.
    Note,
    /// It makes figures worse.
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

/// What a check reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assessment {
    pub(super) severity: Severity,
    pub(super) found: String,
    /// What to do; `None` if nothing.
    pub(super) remedy: Option<String>,
}

impl Assessment {
    pub(super) fn fine(found: impl Into<String>) -> Assessment {
        Assessment {
            severity: Severity::Fine,
            found: found.into(),
            remedy: None,
        }
    }

    pub(super) fn note(found: impl Into<String>, remedy: impl Into<String>) -> Assessment {
        Assessment {
            severity: Severity::Note,
            found: found.into(),
            remedy: Some(remedy.into()),
        }
    }

    pub(super) fn matters(found: impl Into<String>, remedy: impl Into<String>) -> Assessment {
        Assessment {
            severity: Severity::Matters,
            found: found.into(),
            remedy: Some(remedy.into()),
        }
    }
}

/// A check and its assessment, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    /// The section of the guide that explains it.
    pub(super) guide: &'static Section,
    pub(super) outcome: Known<Assessment>,
}

impl Finding {
    /// The link to that section.
    pub(super) fn link(&self) -> String {
        format!("docs/GUIDE.md#{}", self.guide.anchor)
    }

    /// `None` if the check could not assess anything.
    pub(super) fn severity(&self) -> Option<Severity> {
        self.outcome.as_ref().ok().map(|outcome| outcome.severity)
    }
}
