//! The result of `doctor`.

use super::finding::{Finding, Severity};
use super::reference_kernels::Row;

/// The findings, in the order of the checks.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
    /// Reference kernels that were measured.
    pub(super) reference_kernels: Vec<Row>,
}

impl Report {
    /// Findings of a severity; for `None`, those without an assessment.
    pub(super) fn of(&self, severity: Option<Severity>) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(move |finding| finding.severity() == severity)
    }

    /// Whether a finding matters.
    pub(super) fn matters(&self) -> bool {
        self.of(Some(Severity::Matters)).next().is_some()
    }
}
