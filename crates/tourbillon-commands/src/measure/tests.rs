//! Measurements by a script: no process, no clock.

use std::num::NonZeroU64;

use tourbillon_analysis::{Criteria, judge};
use tourbillon_os::command::CommandUsage;
use tourbillon_record::{Case, Finding};

use super::*;
use crate::arms::Arm;
use crate::options::IgnoredCodes;
use crate::runner::{Meanwhile, Reader};
use crate::wire::Job;

mod contention;
mod progress;
mod shares;

const GIGAHERTZ: Frequency = Frequency {
    numerator: NonZeroU64::new(1_000_000_000).expect("not zero"),
    denominator: NonZeroU64::MIN,
    error_ppm: None,
};

fn arm(name: &str) -> Arm {
    let job = |program: String| {
        Some(Job {
            program: program.into(),
            ..Job::default()
        })
    };
    Arm {
        case: Case {
            id: name.to_owned(),
            ..Case::default()
        },
        job: job(name.to_owned()).expect("a job"),
        setup: job(format!("setup {name}")),
        prepare: job(format!("prepare {name}")),
        conclude: job(format!("conclude {name}")),
        cleanup: job(format!("cleanup {name}")),
    }
}

/// Without anything before and after each run.
fn bare(name: &str) -> Arm {
    Arm {
        prepare: None,
        conclude: None,
        ..arm(name)
    }
}

pub(super) fn limits() -> Limits {
    Limits {
        warmup: 0,
        runs: None,
        min_runs: Some(10),
        max_runs: None,
        time_ns: 10_000_000_000,
        criteria: Criteria::COMMANDS,
        ignored: None,
    }
}

/// A reading of the canary when so many processes have run.
type Contended = fn(usize) -> Option<bool>;

/// Plays processes, and time.
struct Script<F> {
    now_ns: u64,
    ran: Vec<String>,
    variables: Vec<Vec<String>>,
    /// The nanoseconds and the end of a process, by its name and how many were before it.
    of: F,
    /// Whether other programs take all processors.
    contended: Contended,
}

impl<F: FnMut(&str, usize) -> Result<(u64, End), NotRun>> Script<F> {
    fn new(of: F) -> Script<F> {
        Script {
            now_ns: 0,
            ran: Vec::new(),
            variables: Vec::new(),
            of,
            contended: |_| None,
        }
    }
}

impl<F: FnMut(&str, usize) -> Result<(u64, End), NotRun>> Execute for Script<F> {
    fn run_while(&mut self, job: &Job, meanwhile: Meanwhile<'_>) -> Result<Ran, NotRun> {
        let name = job.program.to_str().expect("text").to_owned();
        let (ns, end) = (self.of)(&name, self.ran.len())?;
        self.ran.push(name);
        let variables = job.environment.iter();
        self.variables.push(
            variables
                .map(|one| one.to_string_lossy().into_owned())
                .collect(),
        );
        (0..ns / 100_000_000).for_each(|tenth| meanwhile(self.now_ns + tenth * 100_000_000));
        self.now_ns += ns + 1_000;
        Ok(Ran {
            end,
            pid: self.ran.len() as u64,
            ticks: ns,
            usage: CommandUsage {
                user_us: ns / 2_000,
                peak_bytes: 1 << 20,
                minor_faults: 1,
                ..CommandUsage::default()
            },
            counts: job
                .counters
                .iter()
                .map(|place| ns * u64::from(*place))
                .collect(),
            stderr: b"it went wrong\n".to_vec(),
        })
    }

    fn read(&mut self, job: &Job, _: Reader<'_>) -> Result<Ran, NotRun> {
        self.run(job)
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn is_contended(&self) -> Option<bool> {
        (self.contended)(self.ran.len())
    }
}

fn run(
    arms: &[Arm],
    limits: &Limits,
    of: impl FnMut(&str, usize) -> Result<(u64, End), NotRun>,
) -> (Measured, Vec<String>, Vec<Vec<String>>) {
    let mut script = Script::new(of);
    let subjects = Subjects {
        arms,
        empty: Err("no program".to_owned()),
    };
    let found = measure(subjects, limits, 7, GIGAHERTZ, &mut script, &mut |_| {});
    (found, script.ran, script.variables)
}

/// Durations that scatter by some per cent, a little longer with each process.
fn noisy(base: f64, at: usize) -> u64 {
    let noise = (at * 7_919 % 101) as f64 / 1_000.0;
    let drift = at as f64 / 1_000.0;
    (base * (1.0 + noise + drift)) as u64
}

fn finding(found: &Measured) -> Finding {
    let launch = std::slice::from_ref(&found.rounds);
    judge(
        Design::Commands,
        launch,
        0,
        1,
        Criteria::COMMANDS,
        &GIGAHERTZ,
    )
    .finding
}

#[test]
fn a_round_has_a_process_of_each_command_in_random_order() {
    let arms = ["a", "b", "c"].map(arm);
    let exact = Limits {
        runs: Some(200),
        ..limits()
    };
    let (found, ran, variables) = run(&arms, &exact, |_, at| Ok((noisy(1e6, at), End::Code(0))));
    let rounds = &found.rounds;
    assert_eq!(rounds.round.len(), 600);
    let mut firsts = [0; 3];
    for (at, round) in rounds.arm.chunks(3).enumerate() {
        let mut sorted = round.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2]);
        assert_eq!(rounds.round[3 * at..3 * at + 3], [at as u64; 3]);
        firsts[usize::from(round[0])] += 1;
    }
    // Five standard errors of 7.
    assert!(
        firsts.iter().all(|count| (32..=102).contains(count)),
        "{firsts:?}"
    );
    assert_eq!(ran[..3], ["setup a", "setup b", "setup c"]);
    assert_eq!(
        ran[ran.len() - 3..],
        ["cleanup a", "cleanup b", "cleanup c"]
    );
    let first = usize::from(rounds.arm[0]);
    let name = ["a", "b", "c"][first];
    assert_eq!(
        ran[3..6],
        [
            format!("prepare {name}"),
            name.to_owned(),
            format!("conclude {name}")
        ]
    );
    // One environment for a round, another for the next.
    let padding = |at: usize| &variables[3 + 9 * at + 1][1];
    assert_eq!(padding(0), &variables[3 + 4][1]);
    assert_ne!(padding(0), padding(1));
    assert_eq!(variables[3 + 9][0], "HYPERFINE_ITERATION=1");
}

#[test]
fn it_ends_when_the_verdict_is_decided() {
    let arms = ["a", "b"].map(arm);
    let of = |name: &str, at| {
        let base = if name == "b" { 2e6 } else { 1e6 };
        Ok((noisy(base, at), End::Code(0)))
    };
    let (found, ..) = run(&arms, &limits(), of);
    // At the first look.
    assert_eq!(found.rounds.round.len(), 32);
    assert_eq!(finding(&found), Finding::Slower);
    assert!(found.fault.is_none() && found.exit_code == 0);
}

#[test]
fn time_ends_it_after_the_first_look() {
    let arms = ["a", "b"].map(bare);
    // One per cent apart: on the edge of the margin, never decided.
    let of = |name: &str, at| {
        let base = if name == "b" { 1.01e8 } else { 1e8 };
        Ok((noisy(base, at % 2), End::Code(0)))
    };
    let seconds = |time_ns| Limits {
        time_ns,
        ..limits()
    };
    let (found, ..) = run(&arms, &seconds(5_000_000_000), of);
    let rounds = found.rounds.round.len() / 2;
    assert!((16..=25).contains(&rounds), "{rounds}");
    // The first look needs 3.2 s, which is less than four times one second.
    let (found, ..) = run(&arms, &seconds(1_000_000_000), of);
    assert_eq!(found.rounds.round.len() / 2, 16);
    // And more than four times a tenth of a second: the fewest runs.
    let (found, ..) = run(&arms, &seconds(100_000_000), of);
    assert_eq!(found.rounds.round.len() / 2, 10);
    // Without a flag, those that a verdict needs.
    let usual = Limits {
        min_runs: None,
        ..seconds(100_000_000)
    };
    let (found, ..) = run(&arms, &usual, of);
    assert_eq!(found.rounds.round.len() / 2, 12);
}

#[test]
fn one_command_runs_for_its_time() {
    let arms = [bare("a")];
    let of = |_: &str, _| Ok((1_000_000, End::Code(0)));
    let time = Limits {
        time_ns: 500_000_000,
        ..limits()
    };
    let (found, ..) = run(&arms, &time, of);
    assert!((499..=500).contains(&found.rounds.round.len()));
    let most = Limits {
        max_runs: Some(12),
        ..time
    };
    let (found, ..) = run(&arms, &most, of);
    assert_eq!(found.rounds.round.len(), 12);
}

#[test]
fn warm_up_runs_are_not_recorded() {
    let arms = ["a", "b"].map(arm);
    let warm = Limits {
        warmup: 3,
        runs: Some(2),
        ..limits()
    };
    let (found, ran, _) = run(&arms, &warm, |_, at| Ok((noisy(1e6, at), End::Code(0))));
    assert_eq!(found.rounds.round.len(), 4);
    assert_eq!(ran.iter().filter(|name| *name == "a").count(), 5);
    // The first run of each is the cold one.
    assert_eq!(found.rounds.first_call_ticks[0], noisy(1e6, 3));
}

#[test]
fn a_failure_ends_it_and_keeps_what_was_measured() {
    let arms = ["a", "b"].map(arm);
    let fails = |end| {
        move |name: &str, at| {
            let end = if name == "b" && at > 40 {
                end
            } else {
                End::Code(0)
            };
            Ok((noisy(1e6, at), end))
        }
    };
    for (end, kind) in [
        (End::Code(3), FaultKind::Exit(3)),
        (End::Signal(11), FaultKind::Signal(11)),
    ] {
        let (found, ran, _) = run(&arms, &limits(), fails(end));
        let fault = found.fault.expect("it failed");
        assert_eq!((fault.case.as_str(), fault.kind), ("b", kind));
        assert_eq!(fault.stderr, "it went wrong");
        assert!(found.rounds.round.len() >= 10);
        // What was set up is cleaned up.
        assert_eq!(ran.last().map(String::as_str), Some("cleanup b"));
    }
    let ignores = Limits {
        runs: Some(20),
        ignored: Some(IgnoredCodes::These(vec![3])),
        ..limits()
    };
    let (found, ..) = run(&arms, &ignores, fails(End::Code(3)));
    assert!(
        found.fault.is_none() && found.failed[1] > 0,
        "{:?}",
        found.failed
    );
    let (found, ..) = run(&arms, &ignores, fails(End::Code(4)));
    assert_eq!(
        found.fault.map(|fault| fault.kind),
        Some(FaultKind::Exit(4))
    );
    let all = Limits {
        ignored: Some(IgnoredCodes::All),
        ..ignores
    };
    let (found, ..) = run(&arms, &all, fails(End::TimedOut));
    assert!(matches!(
        found.fault.map(|fault| fault.kind),
        Some(FaultKind::Hang(1))
    ));
}

#[test]
fn a_failing_preparation_names_its_flag() {
    let of = |name: &str, at| {
        let end = if name == "prepare a" {
            End::Code(1)
        } else {
            End::Code(0)
        };
        Ok((noisy(1e6, at), end))
    };
    let (found, ..) = run(&[arm("a")], &limits(), of);
    assert_eq!(found.fault.expect("it failed").message, "in --prepare");
}

#[test]
fn what_the_machine_does_not_permit_is_not_the_commands_failure() {
    for (not_run, code) in [
        (
            NotRun::Machine("too many open files".to_owned()),
            ENVIRONMENT,
        ),
        (NotRun::Failed("no interpreter".to_owned()), FAILED),
    ] {
        let of = |_: &str, at| match at {
            50 => Err(not_run.clone()),
            at => Ok((noisy(1e6, at), End::Code(0))),
        };
        let (found, ..) = run(&["a", "b"].map(arm), &limits(), of);
        assert_eq!(found.exit_code, code, "{not_run:?}");
        assert!(found.fault.is_some() && found.rounds.ticks.len() > 10);
    }
}

#[test]
fn an_interrupt_keeps_what_was_measured() {
    let arms = ["a", "b"].map(arm);
    let of = |_: &str, at| match at {
        50 => Err(NotRun::Interrupted),
        at => Ok((noisy(1e6, at), End::Code(0))),
    };
    let exact = Limits {
        runs: Some(100),
        ..limits()
    };
    let (found, ran, _) = run(&arms, &exact, of);
    assert!(found.exit_code == INTERRUPTED && found.fault.is_none());
    assert_eq!(ran.len(), 50);
    let processes = found.rounds.processes.expect("columns");
    assert_eq!(processes.exit_codes.len(), found.rounds.ticks.len());
    assert!(found.rounds.ticks.len() > 10);
}

#[test]
fn an_empty_program_runs_between_the_rounds() {
    let arms = ["a", "b"].map(arm);
    let exact = Limits {
        runs: Some(31),
        ..limits()
    };
    let empty = |fails: bool| {
        let mut script = Script::new(|name: &str, at| {
            let fails = fails && name == "true" && at > 50;
            Ok((noisy(1e6, at), End::Code(i32::from(fails))))
        });
        let subjects = Subjects {
            arms: &arms,
            empty: Ok(Job {
                program: "true".into(),
                ..Job::default()
            }),
        };
        let found = measure(subjects, &exact, 7, GIGAHERTZ, &mut script, &mut |_| {});
        assert_eq!(found.rounds.round.len(), 62);
        found.empty
    };
    let rounds = empty(false).expect("it runs");
    assert_eq!(rounds.round, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30]);
    assert_eq!(empty(true), Err("it exited with code 1".to_owned()));
}
