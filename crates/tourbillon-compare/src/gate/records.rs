//! The gate of stored comparisons, such as those of the shards of a suite.

use tourbillon_analysis::{Criteria, Frequency};
use tourbillon_record::{
    ByCase, Case, Fault, Finding, LaunchSamples, Memory, Rounds, Run, Stepped, Undecided, Verdict,
};
use tourbillon_report::Names;

use crate::counts::{Counts, Tally};
use crate::gate::result::{GateResult, hold};
use crate::gate::thresholds::Gate;
use crate::measurement::MeasuredCase;
use crate::numbers::{NumberLaunches, number_launches};

/// Applies a gate to the cases of several runs together, each of which one machine measured.
///
/// `error` is that of all cases together. Limits of growth are not judged: the cases of a
/// benchmark are in several runs, and times of two machines are not compared.
///
/// # Errors
///
/// If the clock of a run has no frequency.
pub(crate) fn hold_stored(
    runs: &[&Run],
    gate: &Gate,
    error: f64,
    undecided_fails: bool,
) -> Result<GateResult, String> {
    let mut cases = Vec::new();
    for run in runs {
        let frequency = Frequency::of(&run.header.clock)
            .ok_or_else(|| format!("the clock {} has no frequency", run.header.clock.source))?;
        cases.extend(measured(run, frequency));
    }
    let names = Names::of(runs.iter().flat_map(|run| &run.cases));
    Ok(hold(&cases, gate, &names, (error, 0), undecided_fails))
}

/// What a run has of each case.
struct Lines<'r> {
    frequency: Frequency,
    /// Those by which the run judged.
    criteria: Criteria,
    rounds: ByCase<'r, &'r Rounds>,
    numbers: ByCase<'r, [&'r LaunchSamples; 2]>,
    memory: ByCase<'r, &'r Memory>,
    stepped: ByCase<'r, &'r Stepped>,
    faults: ByCase<'r, &'r Fault>,
    verdicts: ByCase<'r, &'r Verdict>,
}

/// The cases of a run as they were when they had been measured. Its samples count, and not what the record says that
/// they come to.
fn measured(run: &Run, frequency: Frequency) -> impl Iterator<Item = MeasuredCase> {
    let rounds = run.rounds.iter();
    let numbers = number_launches(run).map(|[old, new]| (&*new.case, [old, new]));
    let lines = Lines {
        frequency,
        criteria: Criteria {
            error: 1.0 - run.header.settings.confidence,
            ..Criteria::BUILDS
        },
        rounds: ByCase::of(rounds.filter_map(|of| Some((&**of.cases.last()?, of)))),
        numbers: ByCase::of(numbers),
        memory: ByCase::of(run.memory.iter().map(|of| (&*of.case, of))),
        stepped: ByCase::of(run.stepped.iter().map(|of| (&*of.case, of))),
        faults: ByCase::of(run.faults.iter().map(|of| (&*of.case, of))),
        verdicts: ByCase::of(run.verdicts.iter().map(|of| (&*of.case, of))),
    };
    run.cases.iter().map(move |case| lines.of_case(case))
}

impl Lines<'_> {
    fn of_case(&self, case: &Case) -> MeasuredCase {
        let rounds = self.rounds.case(&case.id).iter();
        let launches: Vec<Rounds> = rounds.copied().cloned().collect();
        let mut numbers = NumberLaunches::default();
        for pair in self.numbers.case(&case.id) {
            numbers.add(pair.map(LaunchSamples::clone));
        }
        let mut measured = MeasuredCase {
            case: case.clone(),
            verdict: Verdict {
                case: case.id.clone(),
                ..Verdict::default()
            },
            percentiles: Vec::new(),
            counts: self.counts(case),
            launches,
            numbers,
            frequency: self.frequency,
            // The record does not name the side.
            fault: self
                .faults
                .case(&case.id)
                .first()
                .map(|fault| (1, Fault::clone(fault))),
        };
        measured.verdict = self.verdict(&measured);
        measured
    }

    fn verdict(&self, of: &MeasuredCase) -> Verdict {
        let id = &of.case.id;
        if of.numbers.len() > 0 {
            return of.numbers.verdict(id, &self.criteria, &of.frequency);
        }
        let stored = self.verdicts.case(id).iter();
        let mut unmeasured = stored.filter(|one| {
            let is_incomparable = one.why == Some(Undecided::NotComparable);
            one.metric.is_none() && (is_incomparable || one.finding == Finding::Unchanged)
        });
        match unmeasured.next() {
            // Only the builds tell that they are one program, or measure different things.
            Some(stored) if of.launches.is_empty() => Verdict::clone(stored),
            _ => of.judged(None, Criteria::BUILDS),
        }
    }

    fn counts(&self, case: &Case) -> Counts {
        // The command line may have named another case of the reference.
        let of_rounds = self.rounds.case(&case.id).first();
        let of_numbers = self.numbers.case(&case.id).first();
        let reference = of_rounds
            .and_then(|of| of.cases.first())
            .or(of_numbers.map(|[old, _]| &old.case))
            .unwrap_or(&case.id);
        let side = |arm: u8, id: &str| {
            let launches = self.memory.case(id).iter().copied();
            let of_side = launches.filter(|memory| memory.arm == Some(arm));
            Tally::Counted(of_side.cloned().collect())
        };
        let followed = |arm: u8, id: &str, has_events: bool| {
            let launches = self.stepped.case(id).iter().copied();
            launches
                .filter(move |one| one.arm == Some(arm) && one.events.is_some() == has_events)
                .cloned()
        };
        let stepped = |arm: u8, id: &str| followed(arm, id, false).collect();
        let events = |arm: u8, id: &str| followed(arm, id, true).next();
        Counts {
            sides: [side(0, reference), side(1, &case.id)],
            stepped: [stepped(0, reference), stepped(1, &case.id)],
            events: [events(0, reference), events(1, &case.id)],
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use tourbillon_coordinator::values::SettingsFile;
    use tourbillon_record::{
        BatchShape, Batches, ClockFacts, Finding, Header, Measured, Metric, OwnMetric,
    };

    use super::*;
    use crate::counts::tests::memory;
    use crate::gate::flag::GateFlag;
    use crate::gate::result::tests::measured as of_test;

    /// A run of the case of [`of_test`] with another name, as it is read from a record.
    pub(crate) fn run(name: &str, slower: u64) -> Run {
        let id = format!("p/t::{name}");
        let case = of_test(slower).cases.swap_remove(0);
        let named = |verdict: Verdict| Verdict {
            case: id.clone(),
            ..verdict
        };
        let clock = ClockFacts {
            hz_numerator: 1,
            hz_denominator: 1,
            ..ClockFacts::default()
        };
        let launches = case.launches.into_iter().map(|rounds| Rounds {
            cases: vec![id.clone(); 2],
            pids: vec![1, 2],
            first_call_ticks: vec![100; 2],
            ..rounds
        });
        Run {
            header: Header {
                clock,
                ..Header::default()
            },
            cases: vec![Case {
                id: id.clone(),
                name: name.to_owned(),
                ..case.case
            }],
            rounds: launches.collect(),
            verdicts: std::iter::once(case.verdict)
                .chain(case.percentiles)
                .map(named)
                .collect(),
            ..Run::default()
        }
    }

    pub(crate) fn flag(text: &str) -> GateFlag {
        GateFlag::parse(text).expect(text)
    }

    /// A gate of 2 % for times and 5 % for p99.
    pub(crate) fn gate() -> Gate {
        let flags = ["2%", "p99=5%"].map(flag);
        Gate::read(&flags, None).expect("flags").expect("a gate")
    }

    fn result(runs: &[&Run]) -> GateResult {
        hold_stored(runs, &gate(), 0.001, true).expect("a frequency")
    }

    #[test]
    fn cases_of_two_machines_have_one_gate() {
        let (same, slower) = (run("even", 1), run("late", 2));
        let closed = result(&[&same, &slower]);
        assert!(!closed.passes());
        assert_eq!(closed.lines(), ["late p99 is slower by more than 5 %"]);
        assert_eq!(closed.slower[0].metric, Some(Metric::P99));
        assert!(result(&[&same]).passes());
    }

    /// A run whose second build takes twice the 10 000 s of an op of the first.
    fn twice(name: &str) -> Run {
        let mut run = run(name, 1);
        for rounds in &mut run.rounds {
            rounds.ticks[1] *= 2;
        }
        run
    }

    #[test]
    fn samples_are_judged_and_not_what_the_record_says_of_them() {
        let gate = |limit: &str| {
            let text = format!("[gate]\nabsolute = \"{limit}\"\np90 = \"5%\"\n");
            let path = Path::new("tourbillon.toml");
            let file = SettingsFile::parse(path, &text).expect("settings");
            Gate::read(&[], Some(&file))
                .expect("a file")
                .expect("a gate")
        };
        let lines = |run: &Run, limit: &str| {
            let held = hold_stored(&[run], &gate(limit), 0.001, true);
            held.expect("a frequency").lines()
        };
        for reference_ns in [None, Some(0.0), Some(1e30)] {
            let mut run = twice("late");
            for verdict in &mut run.verdicts {
                verdict.finding = Finding::Same;
                verdict.reference_ns = reference_ns;
            }
            let slower = ["late is slower by more than 50 %"];
            assert_eq!(lines(&run, "5000s"), slower, "{reference_ns:?}");
            assert_eq!(lines(&run, "20000s"), ["no case is slower than allowed"]);
            run.verdicts.clear();
            assert_eq!(lines(&run, "5000s"), slower);
            // Nothing is left to judge.
            run.rounds.clear();
            let undecided = ["undecided, counted as failed: late, late p90"];
            assert_eq!(lines(&run, "5000s"), undecided);
        }
    }

    #[test]
    fn a_case_that_is_unchanged_passes() {
        let mut run = run("c", 2);
        run.rounds.clear();
        run.verdicts.truncate(1);
        run.verdicts[0].finding = Finding::Unchanged;
        let flags = [GateFlag::parse("1%").expect("a flag")];
        let gate = Gate::read(&flags, None).expect("flags").expect("a gate");
        let held = hold_stored(&[&run], &gate, 0.001, true).expect("a frequency");
        assert!(held.passes(), "{held:?}");
        run.verdicts[0].finding = Finding::Same;
        let held = hold_stored(&[&run], &gate, 0.001, true).expect("a frequency");
        assert!(!held.passes(), "without samples");
    }

    /// Twelve launches of each build whose bodies return these numbers, of which a record says that they are the same.
    pub(crate) fn of_numbers(then: f64, now: f64) -> Run {
        let own = OwnMetric {
            name: "hits".to_owned(),
            unit: "hits".to_owned(),
            more_is_better: true,
        };
        let launch = |launch: u32, arm: u8| LaunchSamples {
            case: "p/t::late".to_owned(),
            launch,
            arm: Some(arm),
            ops_per_iteration: 1,
            batch_shape: BatchShape {
                windows: 1,
                items: 1,
                unroll: 1,
                slope: false,
            },
            batches: Batches {
                kind: vec![1; 4],
                ticks: vec![1_000; 4],
                ..Batches::default()
            },
            measured: Some(Box::new(Measured {
                metric: Metric::Own,
                own: Some(own.clone()),
                amounts: vec![[then, now][usize::from(arm)]; 4],
                ..Measured::default()
            })),
            ..LaunchSamples::default()
        };
        let mut run = run("late", 1);
        run.header.settings.confidence = 0.99;
        run.rounds.clear();
        run.verdicts.truncate(1);
        run.verdicts[0].finding = Finding::Same;
        run.verdicts[0].launches = 12;
        run.build_launches = (0..12)
            .flat_map(|number| [launch(number, 0), launch(number, 1)])
            .collect();
        run
    }

    #[test]
    fn numbers_are_judged_by_their_launches() {
        let gate = Gate::read(&[flag("2%")], None)
            .expect("a flag")
            .expect("a gate");
        let lines = |run: &Run| {
            let held = hold_stored(&[run], &gate, 0.001, true);
            held.expect("a frequency").lines()
        };
        let passes = ["no case is slower than allowed"];
        assert_eq!(lines(&of_numbers(100.0, 110.0)), passes);
        let worse = of_numbers(100.0, 90.0);
        assert_eq!(lines(&worse), ["late is worse by more than 2 %"]);
        let mut lost = worse;
        lost.build_launches.clear();
        assert_eq!(lines(&lost), ["undecided, counted as failed: late"]);
        // Builds that measure different things have no launches that could be judged.
        lost.verdicts[0].why = Some(Undecided::NotComparable);
        assert_eq!(lines(&lost), passes);
    }

    #[test]
    fn a_case_that_failed_was_not_measured() {
        let mut failed = run("late", 2);
        failed.rounds.clear();
        failed.faults = vec![Fault {
            case: "p/t::late".to_owned(),
            ..Fault::default()
        }];
        assert_eq!(result(&[&failed]).lines(), ["not measured: late"]);
    }

    #[test]
    fn counts_are_those_of_the_two_builds() {
        let mut grown = run("late", 1);
        for (arm, requests) in [(0, 3), (1, 4)] {
            for launch in 0..2 {
                grown.memory.push(Memory {
                    case: "p/t::late".to_owned(),
                    launch,
                    arm: Some(arm),
                    ..memory(&[requests; 2])
                });
            }
        }
        let lines = result(&[&grown]).lines();
        assert!(
            lines[0].starts_with("late allocates more: 4 allocs instead of 3"),
            "{lines:?}"
        );
    }
}
