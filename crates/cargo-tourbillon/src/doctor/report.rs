//! Everything that `doctor` found.

use super::finding::{Finding, Severity};
use super::landmarks::Row;

/// The findings, in the order of the checks.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
    /// Kernels that were measured.
    pub(super) landmarks: Vec<Row>,
}

impl Report {
    /// Findings of a severity; those without one, which could not be made, for `None`.
    pub(super) fn of(&self, severity: Option<Severity>) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(move |finding| finding.severity() == severity)
    }

    /// Whether a finding matters.
    pub(super) fn matters(&self) -> bool {
        self.of(Some(Severity::Matters)).next().is_some()
    }
}
