//! Applies the gate to a comparison.

use std::collections::{HashMap, HashSet};

use tourbillon_analysis::Criteria;
use tourbillon_present::number::trimmed;
use tourbillon_record::{Case, Finding, Metric, Verdict};
use tourbillon_report::Names;
use tourbillon_stats::step_down;

use crate::counts::{CountKind, Counts};
use crate::gate::claims::Claim;
use crate::gate::flag::GateFlag;
use crate::gate::limits::{AllocLimits, is_limited};
use crate::gate::thresholds::Gate;
use crate::growth::Growth;
use crate::measurement::MeasuredCase;

/// The result of the gate.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GateResult {
    /// Cases that are slower than allowed.
    pub(crate) slower: Vec<Slower>,
    /// Counts that are higher than allowed.
    pub(crate) grown: Vec<Grown>,
    /// How benchmarks with `at_most` grow.
    pub(crate) growth: Vec<Growth>,
    /// The printed names of cases for which it is unknown whether they are slower.
    pub(crate) undecided: Vec<String>,
    /// The printed names of cases that were not measured.
    failed: Vec<String>,
    /// Percentiles of which nothing is known, because no case times its calls.
    untimed: Vec<Metric>,
    /// Whether undecided cases fail the gate.
    pub(crate) undecided_fails: bool,
    /// The verdicts by the criteria of the gate, by the case.
    verdicts: HashMap<String, Vec<Verdict>>,
}

/// A case that is slower than allowed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slower {
    /// Its id.
    pub(crate) case: String,
    /// The percentile, where it is one.
    pub(crate) metric: Option<Metric>,
    /// As printed.
    name: String,
    /// What is allowed, as a share.
    margin: f64,
    /// Whether it is a number, which is worse than allowed.
    is_number: bool,
}

/// A count that is higher than allowed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grown {
    /// The id of the case.
    pub(crate) case: String,
    pub(crate) metric: Metric,
    /// The printed name of the case.
    name: String,
    /// Both counts, and how much more is allowed.
    text: String,
}

impl GateResult {
    /// Whether the comparison passes.
    pub(crate) fn passes(&self) -> bool {
        self.slower.is_empty()
            && self.grown.is_empty()
            && !self.growth.iter().any(|growth| growth.exceeds)
            && (self.undecided.is_empty() || !self.undecided_fails)
    }

    /// That a flag names a percentile which no case has, in any of several comparisons.
    pub(crate) fn mistake(results: &[GateResult], flags: &[GateFlag]) -> Option<String> {
        let is_untimed =
            |metric: &Metric| results.iter().all(|result| result.untimed.contains(metric));
        let mut typed = flags.iter().map(|flag| flag.metric);
        let name = typed
            .find(|metric| !results.is_empty() && is_untimed(metric))?
            .name();
        Some(format!(
            "--gate {name} has nothing to judge: no case times its calls; leave it out"
        ))
    }

    /// The verdicts on a case by the criteria of the gate: those that it judged, that on the time first.
    pub(crate) fn verdicts(&self, case: &str) -> &[Verdict] {
        self.verdicts.get(case).map_or(&[], Vec::as_slice)
    }

    /// The result as lines of text.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for slower in &self.slower {
            lines.push(format!("{} is {}", slower.name, slower.text()));
        }
        let is_alike =
            |one: &Grown, other: &Grown| one.case == other.case && one.kind() == other.kind();
        for of_case in self.grown.chunk_by(is_alike) {
            lines.push(format!(
                "{} {}",
                of_case[0].name,
                more(of_case[0].kind(), of_case)
            ));
        }
        lines.extend(self.growth.iter().filter_map(Growth::text));
        if !self.undecided.is_empty() {
            let (what, flag) = if self.undecided_fails {
                ("failed", "")
            } else {
                ("passed", "; --undecided fail makes them fail")
            };
            let undecided = self.undecided.join(", ");
            lines.push(format!("undecided, counted as {what}{flag}: {undecided}"));
        }
        if !self.failed.is_empty() {
            lines.push(format!("not measured: {}", self.failed.join(", ")));
        }
        for metric in &self.untimed {
            let name = metric.name();
            lines.push(format!("{name} is not judged: no case times its calls"));
        }
        if lines.is_empty() {
            lines.push("no case is slower than allowed".to_owned());
        }
        lines
    }
}

impl Slower {
    pub(crate) fn text(&self) -> String {
        let percent = trimmed(100.0 * self.margin);
        let word = if self.is_number { "worse" } else { "slower" };
        format!("{word} by more than {percent} %")
    }
}

impl Grown {
    pub(crate) fn kind(&self) -> CountKind {
        CountKind::of(self.metric)
    }
}

/// The counts of one kind of one case that are higher than allowed, as text.
pub(crate) fn more<'g>(kind: CountKind, of_case: impl IntoIterator<Item = &'g Grown>) -> String {
    let counts: Vec<&str> = of_case
        .into_iter()
        .map(|grown| grown.text.as_str())
        .collect();
    format!("{}: {}", kind.outcome(true).word(), counts.join(", "))
}

/// The counts of a case that are higher than allowed.
fn grown(case: &Case, name: &str, counts: &Counts, gate: &Gate) -> Vec<Grown> {
    let mut all = Vec::new();
    for pair in counts.pairs(&case.id) {
        let metric = pair.metric;
        let limit = gate.limit(case, metric);
        if is_limited(metric) && pair.exceeds(limit) == Some(true) {
            all.push(Grown {
                case: case.id.clone(),
                metric,
                name: name.to_owned(),
                text: format!("{}{}", pair.change(), limit.text(metric)),
            });
        }
    }
    all
}

/// Whether counts that have a limit are not known of both builds.
fn are_unknown(case: &MeasuredCase, gate: &Gate, kind: CountKind) -> bool {
    if kind != CountKind::Events {
        return case.counts.are_unknown(kind);
    }
    let pairs = case.counts.pairs(&case.case.id);
    let mut limited = Metric::events()
        .map(|metric| (metric, gate.limit(&case.case, metric)))
        .filter(|(_, limit)| *limit != AllocLimits::Any);
    limited.any(|(metric, limit)| {
        let pair = pairs.iter().find(|pair| pair.metric == metric);
        pair.is_none_or(|pair| pair.exceeds(limit).is_none())
    })
}

/// Applies the gate to all cases, so that the confidence holds for all of them together, by Holm's
/// [`step_down`]: each case found slower leaves a larger error rate to the remaining ones. The
/// verdicts of the gate are those of the last step. `error` is that of all cases together, those of `elsewhere` among
/// them: as many claims are decided by other shards, so that their cases together have no larger error.
pub(crate) fn hold(
    cases: &[MeasuredCase],
    gate: &Gate,
    names: &Names,
    (error, elsewhere): (f64, usize),
    undecided_fails: bool,
) -> GateResult {
    let mut result = GateResult {
        undecided_fails,
        ..GateResult::default()
    };
    for case in cases {
        let name = names.name(&case.case.id);
        let grown = grown(&case.case, name, &case.counts, gate);
        result.grown.extend(grown);
        if case.has_failed() {
            result.failed.push(name.to_owned());
            continue;
        }
        for kind in CountKind::ALL {
            let is_counted = kind == CountKind::Allocations || !case.is_unchanged();
            if is_counted && gate.limits_counts(&case.case, kind) && are_unknown(case, gate, kind) {
                result.undecided.push(kind.name(name));
            }
        }
    }
    let claims = Claim::all(cases, gate);
    let mut judged: Vec<Option<Verdict>> = vec![None; claims.len()];
    let slower = step_down((claims.len(), elsewhere), error, |number, error| {
        let claim = claims[number];
        let Some(margin) = claim.margin else {
            return false;
        };
        let criteria = Criteria {
            margin,
            error,
            ..Criteria::BUILDS
        };
        let verdict = cases[claim.at].judged(claim.percentile, criteria);
        judged[number].insert(verdict).finding == Finding::Slower
    });
    let slower: HashSet<usize> = slower.into_iter().collect();
    for (number, (claim, judged)) in claims.iter().zip(judged).enumerate() {
        // What is allowed for a time may depend on one that was not measured.
        let verdict = judged.unwrap_or_else(|| cases[claim.at].verdict.clone());
        let name = name(&verdict, names);
        if slower.contains(&number) {
            result.slower.push(Slower {
                case: verdict.case.clone(),
                metric: verdict.metric,
                name,
                margin: verdict.margin,
                is_number: verdict.number.is_some(),
            });
        } else if !claim.holds(&verdict) {
            result.undecided.push(name);
        }
        let of_case = result.verdicts.entry(verdict.case.clone());
        of_case.or_default().push(verdict);
    }
    let is_held = |metric: &Metric| claims.iter().any(|one| one.percentile == Some(*metric));
    // Cases that were not measured, and those of other shards, may time their calls.
    let are_measured = result.failed.is_empty() && !cases.iter().any(MeasuredCase::is_unchanged);
    if elsewhere == 0 && are_measured {
        result.untimed = gate.percentiles();
        result.untimed.retain(|metric| !is_held(metric));
    }
    result
}

/// The printed name of the case of a verdict, with the percentile that it is about.
pub(crate) fn name(verdict: &Verdict, names: &Names) -> String {
    let name = names.name(&verdict.case);
    match verdict.metric {
        Some(metric) => format!("{name} {}", metric.name()),
        None => name.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use tourbillon_analysis::Frequency;
    use tourbillon_record::{Calls, ClockFacts, Rounds};

    use super::*;
    use crate::counts::tests::{counts, few_events};
    use crate::growth::tests::growth;
    use crate::measurement::{Links, Measured};

    #[test]
    fn counts_that_grew_fail_the_gate_and_are_named() {
        let three: [&[u64]; 2] = [&[3, 3], &[3, 3]];
        let four: [&[u64]; 2] = [&[4, 4], &[4, 4]];
        let result = |then, now| GateResult {
            grown: grown(&case(), "c", &counts(then, now), &Gate::default()),
            ..GateResult::default()
        };
        assert!(result(three, three).passes());
        // Fewer allocations pass.
        assert!(result(four, three).passes());
        let closed = result(three, four);
        assert!(!closed.passes());
        let line = "c allocates more: 4 allocs instead of 3, 32 B instead of 24 B, \
                    32 B at the peak instead of 24 B";
        assert_eq!(closed.lines(), [line]);
        assert_eq!(
            result(three, three).lines(),
            ["no case is slower than allowed"]
        );
    }

    #[test]
    fn events_of_too_few_launches_leave_the_gate_undecided() {
        let flag = GateFlag::parse("branch_misses=5%").expect("a flag");
        let gate = Gate::read(&[flag], None).expect("flags").expect("a gate");
        let result = |count, each| {
            let mut measured = measured(1);
            measured.cases[0].counts = few_events(count, each);
            let names = Names::of([&measured.cases[0].case]);
            hold(&measured.cases, &gate, &names, (0.01, 0), true)
        };
        let undecided = |result: &GateResult| {
            result
                .undecided
                .iter()
                .filter(|name| name.ends_with("counters"))
                .count()
        };
        let few = result(19, [100, 110]);
        assert_eq!((undecided(&few), few.grown.len()), (1, 0));
        assert_eq!(undecided(&result(19, [100, 104])), 0);
        let enough = result(20, [100, 110]);
        assert_eq!((undecided(&enough), enough.grown.len()), (0, 1));
    }

    fn case() -> Case {
        Case {
            id: "p/t::c".to_owned(),
            name: "c".to_owned(),
            ..Case::default()
        }
    }

    /// Sixteen pairs of processes whose batches take as long; p99 of the second build is `slower` times as long.
    pub(crate) fn measured(slower: u64) -> Measured {
        let calls = |factor: u64| Calls {
            ticks: vec![10_000, 20_000 * factor],
            count: vec![1_800, 200],
            ..Calls::default()
        };
        let of_launch = |launch: u32| Rounds {
            cases: vec!["p/t::c".to_owned(); 2],
            launch,
            ops: vec![10, 10],
            fixed_ticks: vec![0, 0],
            round: vec![0, 0],
            arm: vec![0, 1],
            ticks: vec![100_000, 100_000],
            calls: Some(vec![calls(1), calls(slower)]),
            ..Rounds::default()
        };
        let percentile = |metric| Verdict {
            case: "p/t::c".to_owned(),
            metric: Some(metric),
            ..Verdict::default()
        };
        let frequency = Frequency {
            numerator: std::num::NonZeroU64::MIN,
            denominator: std::num::NonZeroU64::MIN,
            error_ppm: None,
        };
        Measured {
            cases: vec![MeasuredCase {
                case: case(),
                verdict: Verdict {
                    case: "p/t::c".to_owned(),
                    launches: 16,
                    ..Verdict::default()
                },
                percentiles: vec![percentile(Metric::P50), percentile(Metric::P99)],
                launches: (0..16).map(of_launch).collect(),
                numbers: Default::default(),
                frequency,
                counts: Counts::default(),
                fault: None,
            }],
            interrupted: false,
            seed: 1,
            processor: None,
            core_kinds: Vec::new(),
            clock: ClockFacts::default(),
            criteria: Criteria::BUILDS,
            wall_ns: 1,
            linking_ns: 0,
            launches_ns: 1,
            links: Links::default(),
        }
    }

    #[test]
    fn a_gate_holds_a_percentile_by_itself() {
        let gate = |text: &str| {
            let flags: Vec<GateFlag> = text
                .split(' ')
                .map(|flag| GateFlag::parse(flag).expect(flag))
                .collect();
            let gate = Gate::read(&flags, None).expect("flags");
            gate.expect("a gate")
        };
        let held = |slower, text| {
            let names = Names::of([&case()]);
            let cases = &measured(slower).cases;
            hold(cases, &gate(text), &names, (0.001, 0), true)
        };
        assert!(held(1, "2% p99=5%").passes());
        // The time and the median are the same.
        assert!(held(2, "2% p50=5%").passes());
        let failed = held(2, "2% p50=5% p99=5%");
        assert!(!failed.passes());
        assert_eq!(failed.lines(), ["c p99 is slower by more than 5 %"]);
        assert!(held(2, "p99=150%").passes());
        // Sixteen pairs are too few for an error of 1e-9.
        let (names, elsewhere) = (Names::of([&case()]), 1_000_000);
        let error = (0.001, elsewhere);
        let of_many = hold(&measured(2).cases, &gate("p99=5%"), &names, error, true);
        assert_eq!(of_many.slower, []);
        assert_eq!(of_many.undecided, ["c p99"]);
    }

    #[test]
    fn growth_beyond_the_limit_fails_the_gate() {
        let result = |at_most, sizes| GateResult {
            growth: growth(at_most, sizes),
            ..GateResult::default()
        };
        let failed = result("n log n", 7);
        assert!(!failed.passes());
        let lines = failed.lines();
        assert!(
            lines[0].contains("grows faster than at_most = \"n log n\""),
            "{lines:?}"
        );
        assert_eq!(lines.len(), 1);
        let passed = result("n^2", 7);
        assert!(passed.passes());
        assert_eq!(passed.lines(), ["no case is slower than allowed"]);
        // What cannot be examined is reported.
        let few = result("n", 3);
        assert!(few.passes() && few.lines()[0].contains("is not compared with"));
    }
}
