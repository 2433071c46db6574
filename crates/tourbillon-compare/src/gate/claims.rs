//! What a gate claims: of each case, that its time and the percentiles of its calls are not larger by more than a share.

use tourbillon_record::{Finding, Metric, Undecided, Verdict};

use crate::gate::thresholds::{Gate, Threshold};
use crate::measurement::{MeasuredCase, times_calls};

/// What the gate allows for the time of a case, or for a percentile of its calls. Each has an answer: slower, undecided
/// or neither.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    /// The index of the case.
    pub(crate) at: usize,
    /// `None` for the time.
    pub(crate) percentile: Option<Metric>,
    /// What is allowed, as a share; `None` if that depends on a time which was not measured.
    pub(crate) margin: Option<f64>,
}

impl Claim {
    /// All claims about the cases that were measured; those that are unchanged pass. Cases whose calls are not timed have no percentiles; where it
    /// is unknown whether they are, or they are in one build only, the claim is undecided.
    pub(crate) fn all(cases: &[MeasuredCase], gate: &Gate) -> Vec<Claim> {
        let mut claims = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            if case.has_failed() || case.is_unchanged() {
                continue;
            }
            let threshold = gate.of(&case.case);
            let is_of_number = case.is_of_number();
            // Nanoseconds are no limit of a number.
            let is_judged = threshold.relative.is_some() || !is_of_number;
            if threshold != Threshold::default() && is_judged {
                claims.push(Claim {
                    at,
                    percentile: None,
                    margin: share(threshold, case.verdict.reference_ns),
                });
            }
            let times_none = !case.launches.is_empty() && times_calls(&case.launches) == [false; 2];
            if times_none || is_of_number {
                continue;
            }
            for metric in Metric::PERCENTILES {
                if let Some(share) = gate.percentile(&case.case, metric) {
                    claims.push(Claim {
                        at,
                        percentile: Some(metric),
                        margin: Some(share),
                    });
                }
            }
        }
        claims
    }

    /// Whether the verdict shows that it holds: faster and same are not slower, and neither is an interval below the
    /// threshold. What cannot be compared does not close a gate.
    pub(crate) fn holds(&self, verdict: &Verdict) -> bool {
        if verdict.why == Some(Undecided::NotComparable) {
            return true;
        }
        let most = 1.0 + verdict.margin;
        let number = verdict.number.as_ref();
        let is_within = if number.is_some_and(|number| number.more_is_better) {
            verdict.lower.is_some_and(|lower| lower > 1.0 / most)
        } else {
            verdict.upper.is_some_and(|upper| upper < most)
        };
        self.margin.is_some() && (verdict.finding != Finding::Undecided || is_within)
    }
}

/// The allowed slowdown of a case as a share: the larger one of two thresholds.
fn share(threshold: Threshold, reference_ns: Option<f64>) -> Option<f64> {
    let absolute = match (threshold.absolute_ns, reference_ns) {
        (Some(limit), Some(reference)) if reference > 0.0 => Some(limit / reference),
        _ => None,
    };
    match (threshold.relative, absolute) {
        (Some(relative), Some(absolute)) => Some(relative.max(absolute)),
        (relative, absolute) => relative.or(absolute),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tourbillon_analysis::judge_numbers;
    use tourbillon_coordinator::values::SettingsFile;
    use tourbillon_record::{Calls, CaseResult, OwnMetric, Scope};
    use tourbillon_report::Names;

    use super::*;
    use crate::counts::Tally;
    use crate::counts::tests::counts;
    use crate::gate::flag::GateFlag;
    use crate::gate::result::tests::measured;
    use crate::gate::result::{GateResult, hold};

    #[test]
    fn a_number_closes_the_gate_by_its_direction() {
        let exact = |of: f64, more_is_better| CaseResult {
            metric: Metric::Own,
            own: Some(OwnMetric {
                more_is_better,
                ..OwnMetric::default()
            }),
            estimate: Ok(of),
            lower: Some(of),
            upper: Some(of),
            scope: Scope::Processes,
            ..CaseResult::default()
        };
        let held = |then: f64, now: f64, more_is_better: [bool; 2]| {
            let mut cases = measured(1).cases;
            let names = Names::of([&cases[0].case.clone()]);
            let [then, now] = [
                exact(then, more_is_better[0]),
                exact(now, more_is_better[1]),
            ];
            cases[0].verdict = Verdict {
                case: cases[0].case.id.clone(),
                ..judge_numbers(&then, &now, 0.01)
            };
            cases[0].launches.clear();
            cases[0].percentiles.clear();
            let flags = [GateFlag::parse("5%").expect("a flag")];
            let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
            hold(&cases, &gate, &names, (0.001, 0), true).lines()
        };
        let passes = ["no case is slower than allowed"];
        let closes = ["c is worse by more than 5 %"];
        assert_eq!(held(100.0, 110.0, [false; 2]), closes);
        assert_eq!(held(100.0, 110.0, [true; 2]), passes);
        assert_eq!(held(100.0, 90.0, [true; 2]), closes);
        assert_eq!(held(100.0, 102.0, [false; 2]), passes);
        // What cannot be compared fails nothing, also where what is undecided fails.
        assert_eq!(held(100.0, 200.0, [false, true]), passes);
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

    #[test]
    fn a_percentile_that_was_not_measured_is_undecided() {
        let held = |change: fn(&mut MeasuredCase), elsewhere| {
            let mut cases = measured(1).cases;
            cases[0].percentiles.clear();
            change(&mut cases[0]);
            let (flags, names) = (
                [GateFlag::parse("p99=5%").expect("a flag")],
                Names::of([&cases[0].case.clone()]),
            );
            let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
            let result = hold(&cases, &gate, &names, (0.001, elsewhere), true);
            let (line, passes) = (result.lines().join("\n"), result.passes());
            let judged: Vec<_> = result
                .verdicts("p/t::c")
                .iter()
                .map(|one| one.metric)
                .collect();
            let mistake = GateResult::mistake(&[result], &flags);
            (line, passes, mistake.is_some(), judged)
        };
        let undecided = "undecided, counted as failed: c p99";
        // A verdict that nothing but the gate asks for is made.
        assert_eq!(held(|_| {}, 0).0, "no case is slower than allowed");
        let sides: [fn(&mut MeasuredCase); 2] = [without_calls::<0>, without_calls::<1>];
        for one_side in sides {
            let (line, passes, is_mistake, judged) = held(one_side, 0);
            assert_eq!(
                (line.as_str(), passes, is_mistake),
                (undecided, false, false)
            );
            assert_eq!(judged, [Some(Metric::P99)]);
        }
        let (line, passes, ..) = held(|case| case.launches.clear(), 0);
        assert_eq!((line.as_str(), passes), (undecided, false));
        // Neither build times them: the case has no percentile, and the gate nothing to judge.
        let neither = |case: &mut MeasuredCase| {
            for rounds in &mut case.launches {
                rounds.calls = None;
            }
        };
        let (line, passes, is_mistake, judged) = held(neither, 0);
        assert_eq!(line, "p99 is not judged: no case times its calls");
        assert_eq!((passes, is_mistake), (true, true));
        assert_eq!(judged, []);
        // Those of other shards may time theirs.
        assert!(!held(neither, 1).2);
    }

    fn without_calls<const ARM: usize>(case: &mut MeasuredCase) {
        for calls in case
            .launches
            .iter_mut()
            .filter_map(|rounds| rounds.calls.as_mut())
        {
            calls[ARM] = Calls::default();
        }
    }

    #[test]
    fn counts_of_one_build_are_undecided() {
        let held = |missing: &[usize], text: &str| {
            let three: [&[u64]; 2] = [&[3, 3], &[3, 3]];
            let mut cases = measured(1).cases;
            cases[0].counts = counts(three, three);
            for side in missing {
                cases[0].counts.sides[*side] = Tally::default();
            }
            let path = Path::new("tourbillon.toml");
            let file = SettingsFile::parse(path, text).expect("settings");
            let gate = Gate::read(&[], Some(&file)).expect(text).expect("a gate");
            let names = Names::of([&cases[0].case]);
            hold(&cases, &gate, &names, (0.001, 0), true)
        };
        let any = "[gate]\nallocs = \"any\"\nbytes = \"any\"\npeak = \"any\"\nkept = \"any\"\n";
        for missing in [&[][..], &[0, 1]] {
            assert!(held(missing, "[gate]").passes(), "{missing:?}");
        }
        for missing in [&[0], &[1]] {
            let lines = held(missing, "[gate]").lines();
            assert_eq!(lines, ["undecided, counted as failed: c allocations"]);
            assert!(held(missing, any).passes(), "{missing:?}");
        }
    }
}
