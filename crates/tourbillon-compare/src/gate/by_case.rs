//! The result of the gate by case.

use std::collections::HashSet;

use tourbillon_record::{ByCase, Verdict};

use crate::counts::CountKind;
use crate::gate::result::{GateResult, Grown, Slower, more};

/// The result of the gate by case.
pub(crate) struct OfCases<'g> {
    slower: ByCase<'g, &'g Slower>,
    grown: ByCase<'g, &'g Grown>,
    undecided: HashSet<&'g str>,
}

impl OfCases<'_> {
    /// That of a gate.
    pub(crate) fn of(gate: &GateResult) -> OfCases<'_> {
        let undecided = gate.undecided.iter().filter(|_| gate.undecided_fails);
        OfCases {
            slower: ByCase::of(gate.slower.iter().map(|one| (&*one.case, one))),
            grown: ByCase::of(gate.grown.iter().map(|one| (&*one.case, one))),
            undecided: undecided.map(String::as_str).collect(),
        }
    }

    /// By how much the time or the percentile of a verdict exceeds what is allowed.
    pub(crate) fn slower(&self, verdict: &Verdict) -> Option<String> {
        let mut of_case = self.slower.case(&verdict.case).iter();
        let found = of_case.find(|one| one.metric == verdict.metric);
        found.map(|slower| slower.text())
    }

    /// By how much the counts of a case exceed what is allowed.
    pub(crate) fn grown(&self, case: &str, kind: CountKind) -> Option<String> {
        let of_case = self.grown.case(case).iter().copied();
        let of_kind: Vec<&Grown> = of_case.filter(|grown| grown.kind() == kind).collect();
        (!of_kind.is_empty()).then(|| more(kind, of_kind))
    }

    /// Whether what has this name is undecided, and fails the gate for that.
    pub(crate) fn fails_undecided(&self, name: &str) -> bool {
        self.undecided.contains(name)
    }
}
