//! Runs commands in rounds: one process of each in random order, until the verdicts are decided or time is up.

mod limits;
mod measurement;
mod plan;
mod progress;

use std::num::NonZeroU64;

use tourbillon_analysis::{Design, Frequency, settled_among};
use tourbillon_record::{Fault, FaultKind, ProcessCounter, Processes, Rounds};
use tourbillon_stats::Rng;
use tourbillon_tool::exit::{ENVIRONMENT, FAILED, INTERRUPTED};

use crate::arms::Arm;
use crate::columns::Columns;
use crate::runner::Execute;
use crate::wire::{End, Job, NotRun, Ran};

pub(crate) use self::limits::Limits;
use self::measurement::{ArmTime, Measurement, Stopped};
pub(crate) use self::measurement::{Measured, Subjects, exit_code};
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
        of_arms: vec![ArmTime::default(); arms.len()],
        rounds_ns: 0,
        rounds: 0,
        measured: (1..arms.len()).collect(),
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
        (true, false) => "the last --conclude did not run; what it removes",
        (false, true) => "--cleanup did not run; what it removes",
        (true, true) => "the last --conclude and --cleanup did not run; what they remove",
    };
    Some(format!("interrupted: {flags} is still there"))
}

impl Measurement<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        let is_noted = self.note(self.limits.too_few(self.arms.len(), None));
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
            order.retain(|arm| *arm == 0 || self.measured.contains(arm));
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
            self.mark(order.len());
            round += 1;
            let round_ns = self.spent_ns - before_ns;
            self.rounds_ns += round_ns;
            self.rounds = round;
            shortest_ns = shortest_ns.min(round_ns);
            // The first round may be slow, with cold caches.
            if round == 2 && !is_noted {
                let arms = self.arms.len();
                let few = self.limits.too_few(arms, Some(shortest_ns));
                self.note(few.or_else(|| self.limits.too_long(arms, shortest_ns)));
            }
            if self.execute.now_ns() >= self.shown_ns + PROGRESS_NS {
                self.show();
            }
        }
        Ok(())
    }

    /// Says what the caller has to know; whether there was anything.
    fn note(&mut self, note: Option<String>) -> bool {
        let is_noted = note.is_some();
        note.into_iter().map(Word::Note).for_each(&mut *self.say);
        is_noted
    }

    /// Marks the processes of the last round, which are so many, if the canary was contended before it or is now.
    fn mark(&mut self, processes: usize) {
        let now = self.execute.is_contended();
        let before = self.was_contended;
        self.was_contended = now;
        if let Some(columns) = self.found.rounds.processes.as_deref_mut() {
            match (before.zip(now), &mut columns.contended) {
                (Some((before, now)), Some(contended)) => {
                    let from = contended.len().saturating_sub(processes);
                    contended[from..].fill(u64::from(before || now));
                }
                // The system tells no more.
                (_, contended) => *contended = None,
            }
        }
    }

    /// Whether enough rounds were measured. Those to come are without commands that have had their share of the time.
    fn is_over(&mut self, rounds: u64) -> bool {
        let limits = self.limits;
        if let Some(runs) = limits.runs {
            return rounds >= runs;
        }
        if limits.max_runs.is_some_and(|most| rounds >= most) {
            return true;
        }
        let arms = self.arms.len();
        let fewest = limits.fewest(arms);
        // At most half of them do not count.
        let may_lack = limits.min_runs.is_none() && rounds < 2 * fewest;
        if rounds < fewest || may_lack && self.counted(rounds) < fewest {
            return false;
        }
        if arms == 1 {
            return self.spent_ns >= limits.time_ns;
        }
        let mut measured = std::mem::take(&mut self.measured);
        measured.retain(|arm| !limits.is_up(rounds, self.share_used(*arm)));
        self.measured = measured;
        let launch = std::slice::from_ref(&self.found.rounds);
        self.measured.is_empty()
            || settled_among(Design::Commands, launch, limits.criteria, &self.measured)
    }

    /// The time that would have passed if all commands had taken as long as the slower one of this and the reference.
    ///
    /// It is the same if the two change places in any round, so that when a pair ends does not depend on which of
    /// two equal commands was the slower one.
    fn share_used(&self, arm: usize) -> u64 {
        if self.arms.len() == 2 {
            return self.spent_ns;
        }
        let [one, other] = [self.of_arms[0], self.of_arms[arm]];
        let longer = one.runs_ns.max(other.runs_ns) + one.others_ns.max(other.others_ns);
        longer.saturating_mul(self.arms.len() as u64)
    }

    /// The rounds that count.
    fn counted(&self, rounds: u64) -> u64 {
        let processes = self.found.rounds.processes.as_deref();
        let discarded = processes.map_or(&[][..], Processes::discarded);
        let of_reference = self.found.rounds.arm.iter().zip(discarded);
        let contended = of_reference.filter(|(arm, mark)| **arm == 0 && **mark != 0);
        rounds - contended.count() as u64
    }

    /// What a round takes; `None` before the first is over, and where rounds go on without some commands.
    fn pace_ns(&self) -> Option<u64> {
        let is_whole = self.measured.len() + 1 >= self.arms.len();
        self.rounds_ns.checked_div(self.rounds).filter(|_| is_whole)
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
