//! Runs commands in rounds: one process of each in random order, until the verdicts are decided or time is up.

mod limits;
mod measurement;
mod plan;
mod progress;

use std::num::NonZeroU64;

use tourbillon_analysis::{Design, Frequency, settled};
use tourbillon_record::{Fault, FaultKind, ProcessCounter, Processes, Rounds};
use tourbillon_stats::Rng;
use tourbillon_tool::exit::{ENVIRONMENT, FAILED, INTERRUPTED};

use crate::arms::Arm;
use crate::columns::Columns;
use crate::runner::Execute;
use crate::wire::{End, Job, NotRun, Ran};

pub(crate) use self::limits::Limits;
use self::limits::{FIRST_LOOK, STRETCH};
pub(crate) use self::measurement::{Measured, Subjects};
use self::measurement::{Measurement, Stopped};
use self::plan::{Planned, Role};
pub(crate) use self::progress::Word;

/// Most bytes that are added to the environment, the same for all processes of a round: the stack begins at any
/// place of a page.
const PADDING: NonZeroU64 = NonZeroU64::new(4096).expect("not zero");

/// The empty program runs after each of this many rounds, and after each round of this number and its multiples.
const EMPTY_ROUNDS: u64 = 10;

/// Nanoseconds between two lines of progress.
const PROGRESS_NS: u64 = 100_000_000;

/// Measures commands, and says how it goes on.
pub(crate) fn measure(
    subjects: Subjects<'_>,
    limits: &Limits,
    seed: u64,
    frequency: Frequency,
    execute: &mut dyn Execute,
    say: &mut dyn FnMut(Word<'_>),
) -> Measured {
    let Subjects { arms, empty } = subjects;
    let (empty, empty_rounds) = match empty {
        Ok(job) => (
            Some(job),
            Ok(no_rounds(vec!["empty".to_owned()], &[], seed)),
        ),
        Err(why) => (None, Err(why)),
    };
    let mut measurement = Measurement {
        arms,
        empty,
        limits,
        frequency,
        execute,
        rng: Rng::new(seed),
        found: Measured {
            rounds: no_rounds(
                arms.iter().map(|arm| arm.case.id.clone()).collect(),
                arms.first().map_or(&[], |arm| &arm.job.counters),
                seed,
            ),
            fault: None,
            exit_code: 0,
            left_processes: vec![false; arms.len()],
            failed: vec![0; arms.len()],
            empty: empty_rounds,
        },
        say,
        shown_ns: 0,
        spent_ns: 0,
        was_contended: None,
    };
    let stopped = measurement.run().err();
    // What was set up is cleaned up, unless a signal stops everything.
    let is_interrupted = matches!(stopped, Some(Stopped::Interrupted));
    let cleaned = if is_interrupted {
        let note = not_cleaned(arms).map(Word::Note);
        note.into_iter().for_each(&mut *measurement.say);
        Ok(())
    } else {
        measurement.run_others(|arm| arm.cleanup.as_ref(), "--cleanup")
    };
    let mut found = measurement.found;
    match stopped.or(cleaned.err()) {
        Some(Stopped::Interrupted) => found.exit_code = INTERRUPTED,
        Some(Stopped::Fault(fault, code)) => {
            found.fault = Some(*fault);
            found.exit_code = code;
        }
        None => {}
    }
    let ticks = u128::from(measurement.spent_ns) * u128::from(frequency.hz()) / 1_000_000_000;
    found.rounds.launch_ticks = u64::try_from(ticks).unwrap_or(u64::MAX);
    found
}

/// The flags whose commands a signal prevents.
fn not_cleaned(arms: &[Arm]) -> Option<String> {
    let has = |of: fn(&Arm) -> &Option<Job>| arms.iter().any(|arm| of(arm).is_some());
    let flags = match (has(|arm| &arm.conclude), has(|arm| &arm.cleanup)) {
        (false, false) => return None,
        (true, false) => "the last --conclude",
        (false, true) => "--cleanup",
        (true, true) => "the last --conclude and --cleanup",
    };
    Some(format!(
        "interrupted: {flags} did not run; what they remove is still there"
    ))
}

impl Measurement<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        let is_noted = self.note_too_few(None);
        self.show();
        self.run_others(|arm| arm.setup.as_ref(), "--setup")?;
        for _ in 0..self.limits.warmup {
            let all = 0..self.arms.len();
            let warm = all.flat_map(|at| self.planned(Role::WarmUp, at, 0, ""));
            self.run_all(&warm.collect::<Vec<_>>())?;
        }
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        let mut round = 0;
        let mut shortest_ns = u64::MAX;
        self.was_contended = self.execute.is_contended();
        while !self.is_over(round) {
            self.rng.shuffle(&mut order);
            let padding = "x".repeat(self.rng.below(PADDING) as usize);
            let of_round = order.iter();
            let of_round =
                of_round.flat_map(|&at| self.planned(Role::Measured, at, round, &padding));
            let mut planned: Vec<Planned> = of_round.collect();
            if round < EMPTY_ROUNDS || round.is_multiple_of(EMPTY_ROUNDS) {
                planned.extend(self.empty.clone().map(|job| Planned {
                    role: Role::Empty,
                    arm: 0,
                    round,
                    job,
                }));
            }
            let before_ns = self.spent_ns;
            self.run_all(&planned)?;
            self.mark();
            round += 1;
            shortest_ns = shortest_ns.min(self.spent_ns - before_ns);
            // The first round may be slow, with cold caches.
            if round == 2 && !is_noted {
                self.note_too_few(Some(shortest_ns));
            }
            if self.execute.now_ns() >= self.shown_ns + PROGRESS_NS {
                self.show();
            }
        }
        Ok(())
    }

    /// Says that rounds are too few for a verdict, if they are.
    fn note_too_few(&mut self, round_ns: Option<u64>) -> bool {
        let note = self.limits.too_few(self.arms.len(), round_ns);
        let is_noted = note.is_some();
        note.into_iter().map(Word::Note).for_each(&mut *self.say);
        is_noted
    }

    /// Marks the processes of the last round, if the canary was contended before it or is now.
    fn mark(&mut self) {
        let now = self.execute.is_contended();
        let before = self.was_contended;
        self.was_contended = now;
        if let Some(columns) = self.found.rounds.processes.as_deref_mut() {
            match (before.zip(now), &mut columns.contended) {
                (Some((before, now)), Some(contended)) => {
                    let from = contended.len().saturating_sub(self.arms.len());
                    contended[from..].fill(u64::from(before || now));
                }
                // The system tells no more.
                (_, contended) => *contended = None,
            }
        }
    }

    /// Whether enough rounds were measured.
    fn is_over(&self, rounds: u64) -> bool {
        let Limits {
            runs,
            min_runs,
            max_runs,
            time_ns,
            criteria,
            ..
        } = self.limits;
        if let Some(runs) = runs {
            return rounds >= *runs;
        }
        if max_runs.is_some_and(|most| rounds >= most) {
            return true;
        }
        if rounds < *min_runs {
            return false;
        }
        let is_late = self.spent_ns >= *time_ns;
        if self.arms.len() == 1 {
            return is_late;
        }
        let launch = std::slice::from_ref(&self.found.rounds);
        is_late && rounds >= FIRST_LOOK
            || self.spent_ns >= time_ns.saturating_mul(STRETCH)
            || settled(Design::Commands, launch, *criteria)
    }

    fn not_run(&self, at: usize, not_run: NotRun) -> Stopped {
        let (message, code) = match not_run {
            NotRun::Interrupted => return Stopped::Interrupted,
            NotRun::Failed(message) => (message, FAILED),
            NotRun::Machine(message) => (message, ENVIRONMENT),
        };
        let fault = Fault {
            case: self.arms[at].case.id.clone(),
            kind: FaultKind::Spawn,
            message,
            ..Fault::default()
        };
        Stopped::Fault(Box::new(fault), code)
    }

    /// A process that failed.
    fn fault(&self, at: usize, ran: &Ran, message: String) -> Fault {
        Fault {
            case: self.arms[at].case.id.clone(),
            launch: self
                .found
                .rounds
                .round
                .last()
                .map_or(0, |round| *round as u32),
            kind: match ran.end {
                End::Code(code) => FaultKind::Exit(code),
                End::Signal(signal) => FaultKind::Signal(signal),
                End::TimedOut => FaultKind::Hang(self.frequency.nanos(ran.ticks) / 1_000_000),
            },
            message,
            stderr: String::from_utf8_lossy(ran.stderr.trim_ascii_end()).into_owned(),
            ..Fault::default()
        }
    }
}

/// Rounds of these commands, whose counters are at these places of the list of them, before the first.
fn no_rounds(cases: Vec<String>, counters: &[u8], seed: u64) -> Rounds {
    let arms = cases.len();
    let counters = counters.iter().map(|place| ProcessCounter {
        name: Columns::counter_names()[usize::from(*place)].to_owned(),
        counts: Vec::new(),
    });
    Rounds {
        cases,
        seed,
        pids: vec![0; arms],
        ops: vec![1; arms],
        first_call_ticks: vec![0; arms],
        fixed_ticks: vec![0; arms],
        lead_in: Rounds::LEAST_LEAD_IN,
        processes: Some(Box::new(Processes {
            contended: Some(Vec::new()),
            counters: Some(counters.collect()).filter(|all: &Vec<_>| !all.is_empty()),
            ..Processes::default()
        })),
        ..Rounds::default()
    }
}

#[cfg(test)]
mod tests;
