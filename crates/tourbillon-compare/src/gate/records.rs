//! The gate of stored comparisons, such as those of the shards of a suite.

use tourbillon_analysis::{Criteria, Frequency};
use tourbillon_record::{ByCase, Case, Fault, Memory, Rounds, Run, Verdict};
use tourbillon_report::Names;

use crate::counts::{Counts, Tally};
use crate::gate::result::{GateResult, hold};
use crate::gate::thresholds::Gate;
use crate::measurement::{MeasuredCase, is_of_number};

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
    Ok(hold(&mut cases, gate, &names, (error, 0), undecided_fails))
}

/// The cases of a run as they were when they had been measured. Its samples count, and not what the record says that
/// they come to.
fn measured(run: &Run, frequency: Frequency) -> impl Iterator<Item = MeasuredCase> {
    let rounds = run.rounds.iter();
    let rounds = ByCase::of(rounds.filter_map(|of| Some((&**of.cases.last()?, of))));
    let memory = ByCase::of(run.memory.iter().map(|of| (&*of.case, of)));
    let faults = ByCase::of(run.faults.iter().map(|of| (&*of.case, of)));
    let verdicts = ByCase::of(run.verdicts.iter().map(|of| (&*of.case, of)));
    let cases = run.cases.iter();
    cases.map(move |case| of_case(case, frequency, &rounds, &memory, &faults, &verdicts))
}

fn of_case(
    case: &Case,
    frequency: Frequency,
    rounds: &ByCase<'_, &Rounds>,
    memory: &ByCase<'_, &Memory>,
    faults: &ByCase<'_, &Fault>,
    verdicts: &ByCase<'_, &Verdict>,
) -> MeasuredCase {
    let launches: Vec<Rounds> = rounds.case(&case.id).iter().copied().cloned().collect();
    // The command line may have named another case of the reference.
    let reference = launches
        .first()
        .and_then(|of| of.cases.first())
        .unwrap_or(&case.id);
    let side = |arm: u8, id: &str| {
        let launches = memory.case(id).iter().copied();
        let of_side = launches.filter(|memory| memory.arm == Some(arm));
        Tally::Counted(of_side.cloned().collect())
    };
    let sides = [side(0, reference), side(1, &case.id)];
    // The record does not name the side.
    let fault = faults
        .case(&case.id)
        .first()
        .map(|fault| (1, Fault::clone(fault)));
    let mut measured = MeasuredCase {
        case: case.clone(),
        verdict: Verdict {
            case: case.id.clone(),
            ..Verdict::default()
        },
        percentiles: Vec::new(),
        launches,
        frequency,
        counts: Counts { sides },
        fault,
    };
    if let Some(verdict) = verdicts.case(&case.id).iter().find(|one| is_of_number(one)) {
        // Numbers are compared by what the record says that they come to.
        measured.verdict = Verdict::clone(verdict);
    } else {
        measured.judge_again(None, Criteria::BUILDS);
    }
    measured
}

#[cfg(test)]
pub(crate) mod tests {
    use tourbillon_coordinator::values::SettingsFile;
    use tourbillon_record::{ClockFacts, Finding, Header, Metric};

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
            let file = SettingsFile {
                text: format!("[gate]\nabsolute = \"{limit}\"\np90 = \"5%\"\n"),
                ..SettingsFile::default()
            };
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
            lines[0].starts_with("late allocates more: allocs 3 -> 4"),
            "{lines:?}"
        );
    }
}
