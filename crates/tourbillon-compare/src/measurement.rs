//! What a comparison measured.

use tourbillon_analysis::{Criteria, Design, Frequency, judge, placement_spread, with_margin};
use tourbillon_present::number::fixed;
use tourbillon_record::{Case, ClockFacts, Fault, Finding, Metric, Rounds, Undecided, Verdict};
use tourbillon_report::{Outcome, counted};

use crate::counts::Counts;
use crate::numbers::NumberLaunches;
use crate::pairing::Comparison;

/// The result of measuring.
#[derive(Debug)]
pub(crate) struct Measured {
    /// In the order of the cases.
    pub(crate) cases: Vec<MeasuredCase>,
    pub(crate) interrupted: bool,
    pub(crate) seed: u64,
    /// The processor that single-threaded workers were pinned to.
    pub(crate) processor: Option<u32>,
    /// The kinds of the cores of all workers; empty where they are alike.
    pub(crate) core_kinds: Vec<String>,
    /// The clock that workers read.
    pub(crate) clock: ClockFacts,
    pub(crate) criteria: Criteria,
    /// From the first pair of workers to the end of the last.
    pub(crate) wall_ns: u64,
    /// The part of `wall_ns` in which placements were linked.
    pub(crate) linking_ns: u64,
    /// The part of `wall_ns` within the workers' launches.
    pub(crate) launches_ns: u64,
    /// What was linked, before the first pair of workers and later.
    pub(crate) links: Links,
}

impl Measured {
    /// Verdicts on executables that were compiled in different ways, which nothing explains, are undecided for that.
    pub(crate) fn note_built_otherwise(&mut self, comparison: &Comparison) {
        for (case, paired) in self.cases.iter_mut().zip(&comparison.cases) {
            if comparison.conditions.are_otherwise(paired.pair) {
                for verdict in std::iter::once(&mut case.verdict).chain(&mut case.percentiles) {
                    note_built_otherwise(verdict);
                }
            }
        }
    }
}

/// A case that was compared.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredCase {
    /// As the candidate lists it.
    pub(crate) case: Case,
    pub(crate) verdict: Verdict,
    /// Those on percentiles of its single calls, where they were timed.
    pub(crate) percentiles: Vec<Verdict>,
    pub(crate) launches: Vec<Rounds>,
    /// Launches of which numbers are compared.
    pub(crate) numbers: NumberLaunches,
    /// Of the clock that its workers read.
    pub(crate) frequency: Frequency,
    pub(crate) counts: Counts,
    /// Which side failed, 0 for the reference, and why.
    pub(crate) fault: Option<(usize, Fault)>,
}

impl MeasuredCase {
    /// Whether it is about something else than wall time, or would be if it could be compared.
    pub(crate) fn is_of_number(&self) -> bool {
        let is_compared = self.verdict.number.is_some() || self.numbers.len() > 0;
        is_compared || self.verdict.why == Some(Undecided::NotComparable)
    }

    /// The verdict on the time, or on a percentile, by other criteria.
    pub(crate) fn judged(&self, percentile: Option<Metric>, criteria: Criteria) -> Verdict {
        if self.is_unchanged() || percentile.is_none() && self.is_of_number() {
            return with_margin(&self.verdict, criteria.margin);
        }
        let design = percentile.map_or(Design::Builds, Design::Percentile);
        let mut verdict = Verdict {
            case: self.case.id.clone(),
            reference: self.verdict.reference.clone(),
            ..judge(design, &self.launches, 0, 1, criteria, &self.frequency)
        };
        if self.verdict.why == Some(Undecided::BuiltOtherwise) {
            note_built_otherwise(&mut verdict);
        }
        verdict
    }

    /// Whether it was not measured, because both builds have the same code for it.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.verdict.finding == Finding::Unchanged
    }

    /// What its placement does to its time, as a share; `None` where that is not known, and for numbers.
    pub(crate) fn placement_spread(&self) -> Option<f64> {
        let is_of_time = !self.is_of_number();
        is_of_time.then(|| placement_spread(&self.launches))?
    }

    /// Whether it failed before anything was measured.
    pub(crate) fn has_failed(&self) -> bool {
        self.fault.is_some() && self.launches.is_empty()
    }

    /// All verdicts, that on the time first.
    pub(crate) fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        std::iter::once(&self.verdict).chain(&self.percentiles)
    }

    /// What became of it, as one of its verdicts has it.
    pub(crate) fn outcome(&self, verdict: &Verdict) -> Outcome {
        if self.fault.is_some() {
            Outcome::Failed
        } else {
            Outcome::of(verdict)
        }
    }
}

fn note_built_otherwise(verdict: &mut Verdict) {
    verdict.why = Some(Undecided::BuiltOtherwise);
    verdict.seconds_needed = None;
}

/// Whether calls were timed one by one in the reference, and in the other build.
pub(crate) fn times_calls<'r>(launches: impl IntoIterator<Item = &'r Rounds>) -> [bool; 2] {
    let mut times = [false; 2];
    for calls in launches
        .into_iter()
        .filter_map(|rounds| rounds.calls.as_ref())
    {
        for (times, calls) in times.iter_mut().zip(calls) {
            *times |= calls.calls() > 0;
        }
    }
    times
}

/// The placements that were linked rather than found in the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Links {
    /// Nanoseconds for each.
    each_ns: Vec<u64>,
}

impl Links {
    /// Records a placement; `None` if it was in the cache.
    pub(crate) fn note(&mut self, link_ns: Option<u64>) {
        self.each_ns.extend(link_ns);
    }

    pub(crate) fn count(&self) -> usize {
        self.each_ns.len()
    }

    /// The median, the upper one of two; `None` without links.
    pub(crate) fn median_ns(&self) -> Option<u64> {
        let mut sorted = self.each_ns.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }

    /// The longest; `None` without links.
    pub(crate) fn most_ns(&self) -> Option<u64> {
        self.each_ns.iter().max().copied()
    }

    /// `32 placements linked, 0.04 s each, at most 0.06 s`; `None` without links.
    pub(crate) fn text(&self) -> Option<String> {
        let [each, most] = [self.median_ns()?, self.most_ns()?].map(|ns| ns as f64 / 1e9);
        let placements = counted(self.count(), "placement");
        let [each, most] = [each, most].map(|seconds| fixed(seconds, 2));
        Some(format!(
            "{placements} linked, {each} s each, at most {most} s"
        ))
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_builds::Equality;
    use tourbillon_record::CompiledOtherwise;

    use super::*;
    use crate::gate::result::tests::measured;
    use crate::measure::is_open_at_first;
    use crate::results::rows::tests::comparison;

    #[test]
    fn what_was_built_otherwise_is_not_measured_and_undecided() {
        let (mut comparison, mut plain) = (comparison(), measured(1));
        plain.note_built_otherwise(&comparison);
        assert_eq!(plain.cases[0].verdict.why, None);
        assert!(is_open_at_first(&comparison, 0));
        comparison.conditions.otherwise = vec![vec![CompiledOtherwise {
            fact: "opt_level",
            then: "3".to_owned(),
            now: "1".to_owned(),
        }]];
        assert!(!is_open_at_first(&comparison, 0));
        plain.note_built_otherwise(&comparison);
        for verdict in plain.cases[0].verdicts() {
            assert_eq!(verdict.why, Some(Undecided::BuiltOtherwise));
        }
    }

    #[test]
    fn what_is_unchanged_is_not_measured() {
        let mut comparison = comparison();
        comparison.equality = vec![Equality::Different];
        assert!(is_open_at_first(&comparison, 0));
        comparison.equality = vec![Equality::Equal];
        assert!(!is_open_at_first(&comparison, 0));
        // Another case of the same program.
        comparison.cases[0].reference = "p/t::other".to_owned();
        assert!(is_open_at_first(&comparison, 0));
    }

    #[test]
    fn cached_placements_take_no_time() {
        let mut links = Links::default();
        links.note(None);
        assert_eq!((links.median_ns(), links.text()), (None, None));
        for ns in [50_000_000, 30_000_000, 400_000_000] {
            links.note(Some(ns));
        }
        links.note(None);
        assert_eq!(links.count(), 3);
        assert_eq!(links.median_ns(), Some(50_000_000));
        let text = links.text();
        assert_eq!(
            text.as_deref(),
            Some("3 placements linked, 0.05 s each, at most 0.40 s")
        );
    }
}
