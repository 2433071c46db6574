//! What became of one case.

use tourbillon_present::{Explanation, Judged};
use tourbillon_record::{Case, Verdict};
use tourbillon_report::{Names, Outcome, Status};

use crate::counts::{CountKind, Counts, Pair};

/// A verdict on a case or a percentile, an assertion, allocations that differ, a limit of growth or allocations that is
/// exceeded or could not be judged, or a case without a verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CaseOutcome {
    /// What it is about, the same in every run.
    pub(crate) id: String,
    /// Its package and target: `shop/speed`.
    pub(crate) suite: String,
    /// As printed, not escaped.
    pub(crate) name: String,
    /// Source file and line.
    pub(crate) place: Option<(String, u32)>,
    pub(crate) outcome: Outcome,
    /// What the gate makes of it.
    pub(crate) status: Status,
    /// What was measured.
    pub(crate) verdict: Option<Verdict>,
    /// What changed, of a row without a verdict.
    pub(crate) change: String,
    /// What its placement does to it, as a share, where that is known and shown.
    pub(crate) placement: Option<f64>,
    /// Why, and what else there is to know.
    pub(crate) notes: Vec<Explanation>,
}

impl CaseOutcome {
    /// A row without figures.
    pub(crate) fn new(id: &str, name: &str, outcome: Outcome) -> CaseOutcome {
        CaseOutcome {
            id: id.to_owned(),
            suite: id.split("::").next().unwrap_or_default().to_owned(),
            name: name.to_owned(),
            place: None,
            outcome,
            status: outcome.status(),
            verdict: None,
            change: String::new(),
            placement: None,
            notes: Vec::new(),
        }
    }

    /// The counts of a case, where they differ.
    pub(crate) fn of_differing(
        case: &Case,
        counts: &Counts,
        names: &Names,
        kind: CountKind,
    ) -> Option<CaseOutcome> {
        let pairs = counts.pairs(&case.id);
        let is_wanted = |pair: &&Pair| CountKind::of(pair.metric) == kind && pair.differs();
        let differing: Vec<&Pair> = pairs.iter().filter(is_wanted).collect();
        let outcome = kind.outcome(differing.first()?.is_more());
        let changes: Vec<String> = differing.iter().take(2).map(|pair| pair.change()).collect();
        let name = kind.name(names.name(&case.id));
        Some(CaseOutcome {
            change: changes.join(", "),
            ..CaseOutcome::new(&kind.name(&case.id), &name, outcome).at(case)
        })
    }

    pub(crate) fn at(mut self, case: &Case) -> CaseOutcome {
        self.place = (!case.file.is_empty()).then(|| (case.file.clone(), case.line));
        self
    }

    /// Where the gate does not allow it.
    pub(crate) fn exceed(&mut self) {
        self.status = self.status.min(Status::Exceeds);
    }

    pub(crate) fn note(mut self, note: Explanation) -> CaseOutcome {
        self.notes.push(note);
        self
    }

    /// The notes as sentences.
    pub(crate) fn sentences(&self) -> Vec<String> {
        self.notes.iter().map(|note| note.text(false)).collect()
    }

    /// Seconds of measuring.
    pub(crate) fn seconds(&self) -> f64 {
        self.verdict.as_ref().map_or(0.0, |verdict| verdict.seconds)
    }

    /// As it is shown.
    pub(crate) fn judged(&self) -> Judged<'_> {
        Judged {
            name: &self.name,
            outcome: self.outcome,
            status: self.status,
            verdict: self.verdict.as_ref(),
            change: &self.change,
            placement: self.placement,
        }
    }
}
