//! The row of an assertion.

use tourbillon_present::Explanation;
use tourbillon_record::Verdict;
use tourbillon_report::{Names, Outcome, Style, asserted};

use crate::results::case_outcome::CaseOutcome;

/// A verdict on an assertion.
pub(crate) fn of_assertion(verdict: &Verdict, names: &Names) -> CaseOutcome {
    let id = format!("{} <= {}", verdict.case, verdict.reference);
    let name = asserted(verdict, names, &Style::default());
    let why = tourbillon_report::Reason::of(verdict).map(|why| Explanation::Common(why.text()));
    CaseOutcome {
        verdict: Some(verdict.clone()),
        notes: why.into_iter().collect(),
        ..CaseOutcome::new(&id, &name, Outcome::of(verdict))
    }
}
