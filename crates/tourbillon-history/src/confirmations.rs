//! What comparisons of commits make of nominations.

use std::collections::HashMap;

use tourbillon_clock::wall;
use tourbillon_compare::Demand;
use tourbillon_record::Finding;
use tourbillon_report::Outcome;
use tourbillon_tool::exit::Stop;

use crate::index::{CommitVerdict, ComparisonSummary, Index};
use crate::nominate::Nomination;

/// What is known about a nomination.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Status {
    /// No comparison was made.
    Open,
    /// A comparison shows a change in the same direction.
    Confirmed(CommitVerdict),
    /// A comparison shows none, or one in the other direction.
    NotConfirmed(CommitVerdict),
    /// A comparison was made and did not decide.
    Undecided(CommitVerdict),
}

impl Status {
    /// In words, for texts and for programs; `None` without a comparison.
    pub(crate) fn words(&self) -> Option<&'static str> {
        match self {
            Status::Open => None,
            Status::Confirmed(_) => Some("confirmed"),
            Status::NotConfirmed(_) => Some("not confirmed"),
            Status::Undecided(_) => Some(Outcome::Undecided.word()),
        }
    }

    /// The verdict that it comes from.
    pub(crate) fn verdict(&self) -> Option<&CommitVerdict> {
        match self {
            Status::Open => None,
            Status::Confirmed(verdict)
            | Status::NotConfirmed(verdict)
            | Status::Undecided(verdict) => Some(verdict),
        }
    }
}

/// The comparisons of a history.
pub(crate) struct Comparisons {
    /// In the order of their start; first those that began after now, by a clock that was ahead.
    all: Vec<ComparisonSummary>,
    /// For each case where it is in them, and in their verdicts.
    of_cases: HashMap<String, Vec<[usize; 2]>>,
}

impl Comparisons {
    pub(crate) fn read(index: &mut dyn Index) -> Result<Comparisons, Stop> {
        let all = index.comparisons()?;
        Ok(Comparisons::new(all, wall::unix_ns()))
    }

    fn new(mut all: Vec<ComparisonSummary>, now_unix_ns: u64) -> Comparisons {
        all.sort_by_key(|one| one.started_unix_ns <= now_unix_ns);
        let mut comparisons = Comparisons {
            all: Vec::new(),
            of_cases: HashMap::new(),
        };
        for one in all {
            comparisons.push(one);
        }
        comparisons
    }

    /// Adds one that was measured now.
    pub(crate) fn push(&mut self, comparison: ComparisonSummary) {
        for (at, verdict) in comparison.verdicts.iter().enumerate() {
            let of_case = self.of_cases.entry(verdict.case.clone()).or_default();
            // The first verdict counts.
            if of_case
                .last()
                .is_none_or(|[last, _]| *last != self.all.len())
            {
                of_case.push([self.all.len(), at]);
            }
        }
        self.all.push(comparison);
    }

    /// The comparisons of a case with their verdicts on it, the newest first.
    fn newest_first(
        &self,
        case: &str,
    ) -> impl Iterator<Item = (&ComparisonSummary, &CommitVerdict)> {
        let of_case = self.of_cases.get(case).into_iter().flatten().rev();
        of_case.map(|[one, at]| (&self.all[*one], &self.all[*one].verdicts[*at]))
    }

    /// The record of the comparison that a verdict comes from.
    pub(crate) fn record_of(&self, verdict: &CommitVerdict) -> Option<&str> {
        let mut newest_first = self.newest_first(&verdict.case);
        let found = newest_first.find(|(_, one)| *one == verdict);
        found.map(|(comparison, _)| comparison.record.as_str())
    }

    /// The verdict on a case between two commits on a kind of machine, or any kind, that `is_wanted`: the newest that
    /// decides, else the newest.
    pub(crate) fn verdict(
        &self,
        machine: Option<&str>,
        case: &str,
        is_of: impl Fn(&[String; 2]) -> bool,
        is_wanted: impl Fn(&CommitVerdict) -> bool,
    ) -> Option<&CommitVerdict> {
        let on_machine = |one: &ComparisonSummary| {
            machine.is_none_or(|key| one.machine.key == key) && is_of(&one.commits)
        };
        let verdicts: Vec<&CommitVerdict> = self
            .newest_first(case)
            .filter(|(one, verdict)| on_machine(one) && is_wanted(verdict))
            .map(|(_, verdict)| verdict)
            .collect();
        verdicts
            .iter()
            .find(|verdict| verdict.finding != Finding::Undecided)
            .or(verdicts.first())
            .copied()
    }

    /// The kind of machine of the newest comparison of a case between two commits.
    pub(crate) fn machine(&self, case: &str, ends: [&String; 2]) -> Option<String> {
        let mut newest_first = self.newest_first(case);
        let found = newest_first.find(|(one, _)| one.commits.each_ref() == ends);
        found.map(|(one, _)| one.machine.key.clone())
    }

    /// What is known about a nomination: the comparison of a commit of the level before with one of the level after.
    pub(crate) fn status(&self, nomination: &Nomination<'_>) -> Status {
        let series = &nomination.series;
        let [old, new] = &nomination.sides;
        let is_of = |[reference, candidate]: &[String; 2]| {
            old.contains(&reference.as_str()) && new.contains(&candidate.as_str())
        };
        let demand = Demand::default();
        let of_levels = |verdict: &CommitVerdict| {
            verdict.limit.is_none()
                && demand.is_met_by(verdict.confidence)
                && nomination.is_about(verdict)
        };
        let verdict = self.verdict(Some(&series.machine), &series.case, is_of, of_levels);
        let Some(verdict) = verdict.cloned() else {
            return Status::Open;
        };
        match (verdict.finding, nomination.is_worse()) {
            (Finding::Undecided, _) => Status::Undecided(verdict),
            (Finding::Slower, true) | (Finding::Faster, false) => Status::Confirmed(verdict),
            _ => Status::NotConfirmed(verdict),
        }
    }
}
