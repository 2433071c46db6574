//! What the gate says of a comparison that was measured.

use tourbillon_analysis::{Criteria, Design, Frequency, judge};
use tourbillon_record::{Finding, Metric, Verdict};
use tourbillon_stats::step_down;

use super::alloc_limits::HELD;
use super::counts::Counts;
use super::gate::{Gate, Threshold};
use super::measure::{Measured, MeasuredCase};
use super::results::trimmed;

/// What the gate says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GateResult {
    /// Cases that are slower by more than they may be: identity and threshold.
    pub(crate) slower: Vec<(String, f64)>,
    /// Counts that are higher than they may be.
    pub(crate) grown: Vec<Grown>,
    /// Cases of which it is not known whether they are slower.
    pub(crate) undecided: Vec<String>,
    /// Cases that were not measured.
    pub(crate) failed: Vec<String>,
}

/// A count that is higher than it may be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grown {
    pub(crate) case: String,
    pub(crate) metric: Metric,
    /// From what to what, and how much more would be allowed.
    text: String,
}

impl GateResult {
    /// Whether the gate lets the comparison pass.
    pub(crate) fn passes(&self, undecided_fails: bool) -> bool {
        self.slower.is_empty()
            && self.grown.is_empty()
            && (self.undecided.is_empty() || !undecided_fails)
    }

    /// What it says, for people.
    pub(super) fn lines(&self, undecided_fails: bool) -> Vec<String> {
        let mut lines = Vec::new();
        for (case, share) in &self.slower {
            let percent = trimmed(100.0 * share);
            lines.push(format!("{case} is slower by more than {percent} %"));
        }
        for of_case in self.grown.chunk_by(|one, other| one.case == other.case) {
            let counts: Vec<&str> = of_case.iter().map(|grown| grown.text.as_str()).collect();
            let (case, counts) = (&of_case[0].case, counts.join(", "));
            lines.push(format!("{case} asks for more memory: {counts}"));
        }
        if !self.undecided.is_empty() {
            let (what, flag) = match undecided_fails {
                true => ("fail", ""),
                false => ("pass", "; --undecided fail would let them fail"),
            };
            lines.push(format!(
                "undecided, which counts as a {what}{flag}: {}",
                self.undecided.join(", ")
            ));
        }
        if !self.failed.is_empty() {
            lines.push(format!("not measured: {}", self.failed.join(", ")));
        }
        if lines.is_empty() {
            lines.push("no case is slower by more than it may be".to_owned());
        }
        lines
    }
}

/// The counts of a case that are higher than they may be.
fn grown(case: &str, counts: &Counts, gate: &Gate) -> Vec<Grown> {
    let mut all = Vec::new();
    for pair in counts.pairs(case) {
        let metric = pair.metric;
        let allowed = gate.allowed(case, metric);
        if HELD.contains(&metric) && allowed.is_exceeded(&pair.then, &pair.now) {
            all.push(Grown {
                case: case.to_owned(),
                metric,
                text: format!("{} {}{}", metric.name(), pair.text(), allowed.text(metric)),
            });
        }
    }
    all
}

/// How much slower a case may get, as a share: with two thresholds, the larger.
pub(crate) fn share(threshold: Threshold, reference_ns: Option<f64>) -> Option<f64> {
    let absolute = match (threshold.absolute_ns, reference_ns) {
        (Some(limit), Some(reference)) if reference > 0.0 => Some(limit / reference),
        _ => None,
    };
    match (threshold.relative, absolute) {
        (Some(relative), Some(absolute)) => Some(relative.max(absolute)),
        (relative, absolute) => relative.or(absolute),
    }
}

/// Holds the verdicts of a suite against the gate, so that with the confidence that was asked for no
/// case is called slower that is not: by Holm's [`step_down`]. Each case found slower leaves more of the
/// error to those that are left. The verdicts become those of the last step.
pub(crate) fn hold(measured: &mut Measured, gate: &Gate, error: f64) -> GateResult {
    let frequency = measured.frequency;
    let mut gated = GateResult::default();
    let mut open: Vec<usize> = Vec::new();
    for (at, case) in measured.cases.iter().enumerate() {
        gated
            .grown
            .extend(grown(&case.verdict.case, &case.counts, gate));
        if case.fault.is_some() && case.launches.is_empty() {
            gated.failed.push(case.verdict.case.clone());
        } else if margin(case, gate).is_some() {
            open.push(at);
        }
    }
    let mut slower = step_down(open.len(), error, |number, error| {
        let case = &mut measured.cases[open[number]];
        case.verdict = judged(case, gate, error, &frequency);
        case.verdict.finding == Finding::Slower
    });
    slower.sort_unstable();
    for &number in &slower {
        let case = &measured.cases[open[number]];
        gated
            .slower
            .push((case.verdict.case.clone(), case.verdict.margin));
    }
    for (number, at) in open.into_iter().enumerate() {
        if slower.contains(&number) {
            continue;
        }
        let verdict = &measured.cases[at].verdict;
        // Faster and the same are both not slower; so is what lies wholly below the threshold.
        let below = verdict
            .upper
            .is_some_and(|upper| upper < 1.0 + verdict.margin);
        if verdict.finding == Finding::Undecided && !below {
            gated.undecided.push(verdict.case.clone());
        }
    }
    gated
}

/// The threshold of a case, as a share.
pub(crate) fn margin(case: &MeasuredCase, gate: &Gate) -> Option<f64> {
    share(gate.of(&case.verdict.case), case.verdict.reference_ns)
}

fn judged(case: &MeasuredCase, gate: &Gate, error: f64, frequency: &Frequency) -> Verdict {
    let terms = Criteria {
        margin: margin(case, gate).unwrap_or(case.verdict.margin),
        error,
    };
    Verdict {
        case: case.verdict.case.clone(),
        reference: case.verdict.reference.clone(),
        ..judge(Design::Builds, &case.launches, 0, 1, terms, frequency)
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::tests::counts;
    use super::*;

    #[test]
    fn counts_that_grew_close_the_gate_and_are_named() {
        let three: [&[u64]; 2] = [&[3, 3], &[3, 3]];
        let four: [&[u64]; 2] = [&[4, 4], &[4, 4]];
        let gated = |then, now| GateResult {
            grown: grown("p/t::c", &counts(then, now), &Gate::default()),
            ..GateResult::default()
        };
        assert!(gated(three, three).passes(true));
        // Less is no reason to stop anybody.
        assert!(gated(four, three).passes(true));
        let closed = gated(three, four);
        assert!(!closed.passes(false));
        let line = "p/t::c asks for more memory: allocs 3 -> 4, bytes 24 B -> 32 B, \
                    peak 24 B -> 32 B";
        assert_eq!(closed.lines(false), [line]);
        assert_eq!(
            gated(three, three).lines(false),
            ["no case is slower by more than it may be"]
        );
    }

    #[test]
    fn of_two_thresholds_the_larger_holds() {
        let threshold = |relative, absolute_ns| Threshold {
            relative,
            absolute_ns,
        };
        assert_eq!(share(threshold(Some(0.02), None), Some(10.0)), Some(0.02));
        assert_eq!(
            share(threshold(Some(0.02), Some(1.0)), Some(10.0)),
            Some(0.1)
        );
        assert_eq!(
            share(threshold(Some(0.02), Some(1.0)), Some(1e3)),
            Some(0.02)
        );
        assert_eq!(share(threshold(None, Some(5.0)), Some(1e3)), Some(0.005));
        assert_eq!(share(threshold(None, Some(5.0)), None), None);
        assert_eq!(share(threshold(None, None), Some(1.0)), None);
    }
}
