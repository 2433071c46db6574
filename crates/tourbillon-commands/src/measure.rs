//! Runs commands in rounds: one process of each in random order, until the verdicts are decided or time is up.

use std::num::NonZeroU64;

use tourbillon_analysis::{Criteria, Design, Frequency, settled};
use tourbillon_record::{Fault, FaultKind, Processes, Rounds};
use tourbillon_stats::Rng;

use crate::arms::Arm;
use crate::options::IgnoredCodes;
use crate::runner::Execute;
use crate::wire::{End, Job, NotRun, Ran};
use tourbillon_tool::exit::{ENVIRONMENT, FAILED, INTERRUPTED};

/// Rounds of the first look at the pairs.
const FIRST_LOOK: u64 = 16;

/// How many times as long as planned the first look may take.
const STRETCH: u64 = 4;

/// Most bytes that are added to the environment, the same for all processes of a round: the stack begins at any
/// place of a page.
const PADDING: NonZeroU64 = NonZeroU64::new(4096).expect("not zero");

/// The empty program runs after each of this many rounds, and after each round of this number and its multiples.
const EMPTY_ROUNDS: u64 = 10;

/// Nanoseconds between two lines of progress.
const PROGRESS_NS: u64 = 100_000_000;

/// How much is measured.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Untimed runs of each command.
    pub(crate) warmup: u32,
    /// Runs of each command, whatever they show.
    pub(crate) runs: Option<u64>,
    pub(crate) min_runs: u64,
    pub(crate) max_runs: Option<u64>,
    /// Nanoseconds of measuring, without what runs before and after each run.
    pub(crate) time_ns: u64,
    pub(crate) criteria: Criteria,
    pub(crate) ignored: Option<IgnoredCodes>,
}

/// What was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) rounds: Rounds,
    /// What ended it early.
    pub(crate) fault: Option<Fault>,
    pub(crate) exit_code: u8,
    /// Whether each command left processes behind that still ran.
    pub(crate) left_processes: Vec<bool>,
    /// Processes of each command that ended with another exit code than 0.
    pub(crate) failed: Vec<u64>,
    /// The processes of an empty program, as those of a single command; or why there are none.
    pub(crate) empty: Result<Rounds, String>,
}

/// The commands, and what their start alone takes.
#[derive(Debug)]
pub(crate) struct Subjects<'s> {
    pub(crate) arms: &'s [Arm],
    /// A program that does nothing, started in the same way; or why there is none.
    pub(crate) empty: Result<Job, String>,
}

/// Why a measurement ends before its time.
enum Stopped {
    Interrupted,
    /// With the exit code.
    Fault(Box<Fault>, u8),
}

/// A measurement that goes on.
struct Measurement<'m> {
    arms: &'m [Arm],
    empty: Option<Job>,
    limits: &'m Limits,
    frequency: Frequency,
    execute: &'m mut dyn Execute,
    rng: Rng,
    found: Measured,
    /// Nanoseconds in which commands ran that are measured.
    spent_ns: u64,
}

/// Measures commands. `progress` gets the rounds so far, and the nanoseconds spent.
pub(crate) fn measure(
    subjects: Subjects<'_>,
    limits: &Limits,
    seed: u64,
    frequency: Frequency,
    execute: &mut dyn Execute,
    progress: &mut dyn FnMut(&Rounds, u64),
) -> Measured {
    let Subjects { arms, empty } = subjects;
    let (empty, empty_rounds) = match empty {
        Ok(job) => (Some(job), Ok(no_rounds(vec!["empty".to_owned()], seed))),
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
            rounds: no_rounds(arms.iter().map(|arm| arm.case.id.clone()).collect(), seed),
            fault: None,
            exit_code: 0,
            left_processes: vec![false; arms.len()],
            failed: vec![0; arms.len()],
            empty: empty_rounds,
        },
        spent_ns: 0,
    };
    let stopped = measurement.run(progress).err();
    // What was set up is cleaned up, unless a signal stops everything.
    let is_interrupted = matches!(stopped, Some(Stopped::Interrupted));
    let cleaned = if is_interrupted {
        Ok(())
    } else {
        measurement.others(|arm| arm.cleanup.as_ref(), "--cleanup")
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

impl Measurement<'_> {
    fn run(&mut self, progress: &mut dyn FnMut(&Rounds, u64)) -> Result<(), Stopped> {
        self.others(|arm| arm.setup.as_ref(), "--setup")?;
        for _ in 0..self.limits.warmup {
            for at in 0..self.arms.len() {
                self.one(at, 0, "")?;
            }
        }
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        let mut shown_ns = 0;
        let mut round = 0;
        let mut was_contended = self.execute.is_contended();
        if let (Some(_), Some(columns)) =
            (was_contended, self.found.rounds.processes.as_deref_mut())
        {
            columns.contended = Some(Vec::new());
        }
        while !self.is_over(round) {
            self.rng.shuffle(&mut order);
            let padding = "x".repeat(self.rng.below(PADDING) as usize);
            for &at in &order {
                let ran = self.one(at, round, &padding)?;
                self.found.failed[at] += u64::from(exit_code(ran.end) != 0);
                add(&mut self.found.rounds, at, round, &ran);
            }
            if round < EMPTY_ROUNDS || round.is_multiple_of(EMPTY_ROUNDS) {
                self.run_empty(round)?;
            }
            round += 1;
            was_contended = self.mark(was_contended);
            if self.spent_ns >= shown_ns + PROGRESS_NS {
                shown_ns = self.spent_ns;
                progress(&self.found.rounds, self.spent_ns);
            }
        }
        Ok(())
    }

    /// Marks the processes of the last round, if the canary was contended before it or is now; gives the reading.
    fn mark(&mut self, before: Option<bool>) -> Option<bool> {
        let now = self.execute.is_contended();
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
        now
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

    /// Runs a command once, with what runs before and after it.
    fn one(&mut self, at: usize, round: u64, padding: &str) -> Result<Ran, Stopped> {
        let arm = &self.arms[at];
        let iteration = [
            format!("HYPERFINE_ITERATION={round}"),
            format!("TOURBILLON_PADDING={padding}"),
        ];
        let with = |job: &Job| {
            let mut job = job.clone();
            job.environment.extend(iteration.iter().map(Into::into));
            job
        };
        if let Some(prepare) = &arm.prepare {
            self.other(at, &with(prepare), "--prepare")?;
        }
        let job = with(&arm.job);
        let before = self.execute.now_ns();
        let ran = self.execute.run(&job);
        self.spent_ns += self.execute.now_ns().saturating_sub(before);
        let ran = ran.map_err(|not_run| self.not_run(at, not_run))?;
        let code = exit_code(ran.end);
        let is_ignored = || {
            let ignored = self.limits.ignored.as_ref();
            ran.end != End::TimedOut && ignored.is_some_and(|ignored| ignored.has(code))
        };
        if code != 0 && !is_ignored() {
            let fault = self.fault(at, &ran, String::new());
            return Err(Stopped::Fault(Box::new(fault), FAILED));
        }
        if self.found.rounds.pids[at] == 0 {
            self.found.rounds.pids[at] = u32::try_from(ran.pid).unwrap_or(u32::MAX);
            self.found.rounds.first_call_ticks[at] = ran.ticks;
        }
        self.found.left_processes[at] |= ran.left_processes;
        if let Some(conclude) = &arm.conclude {
            self.other(at, &with(conclude), "--conclude")?;
        }
        Ok(ran)
    }

    /// Runs what belongs to each command, in their order.
    fn others(
        &mut self,
        of: impl Fn(&Arm) -> Option<&Job>,
        flag: &'static str,
    ) -> Result<(), Stopped> {
        for at in 0..self.arms.len() {
            if let Some(job) = of(&self.arms[at]) {
                self.other(at, job, flag)?;
            }
        }
        Ok(())
    }

    /// Runs what is not measured; it must succeed.
    fn other(&mut self, at: usize, job: &Job, flag: &'static str) -> Result<(), Stopped> {
        let ran = self
            .execute
            .run(job)
            .map_err(|not_run| self.not_run(at, not_run))?;
        match exit_code(ran.end) {
            0 => Ok(()),
            _ => {
                let fault = self.fault(at, &ran, format!("in {flag}"));
                Err(Stopped::Fault(Box::new(fault), FAILED))
            }
        }
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

    /// Runs the empty program once. If it fails, it is not run again.
    fn run_empty(&mut self, round: u64) -> Result<(), Stopped> {
        let Some(job) = &self.empty else {
            return Ok(());
        };
        let why = match self.execute.run(job) {
            Err(NotRun::Interrupted) => return Err(Stopped::Interrupted),
            Err(NotRun::Failed(why) | NotRun::Machine(why)) => why,
            Ok(ran) if exit_code(ran.end) == 0 => {
                if let Ok(rounds) = &mut self.found.empty {
                    add(rounds, 0, round, &ran);
                }
                return Ok(());
            }
            Ok(ran) => format!("it exited with code {}", exit_code(ran.end)),
        };
        self.empty = None;
        self.found.empty = Err(why);
        Ok(())
    }
}

/// Rounds of these commands, before the first.
fn no_rounds(cases: Vec<String>, seed: u64) -> Rounds {
    let arms = cases.len();
    Rounds {
        cases,
        seed,
        pids: vec![0; arms],
        ops: vec![1; arms],
        first_call_ticks: vec![0; arms],
        fixed_ticks: vec![0; arms],
        lead_in: Rounds::LEAST_LEAD_IN,
        processes: Some(Box::default()),
        ..Rounds::default()
    }
}

/// Adds the reading of a process.
fn add(rounds: &mut Rounds, at: usize, round: u64, ran: &Ran) {
    rounds.round.push(round);
    rounds.arm.push(u8::try_from(at).unwrap_or(u8::MAX));
    rounds.ticks.push(ran.ticks);
    if let Some(processes) = rounds.processes.as_deref_mut() {
        let Processes {
            user_us,
            kernel_us,
            peak_bytes,
            minor_faults,
            major_faults,
            voluntary_switches,
            involuntary_switches,
            exit_codes,
            contended,
        } = processes;
        user_us.push(ran.user_us);
        kernel_us.push(ran.kernel_us);
        peak_bytes.push(ran.peak_bytes);
        minor_faults.push(ran.minor_faults);
        major_faults.push(ran.major_faults);
        voluntary_switches.push(ran.voluntary_switches);
        involuntary_switches.push(ran.involuntary_switches);
        exit_codes.push(exit_code(ran.end));
        if let Some(contended) = contended {
            contended.push(0);
        }
    }
}

/// The exit code of a process, as shells give it: 128 and its number for a signal.
fn exit_code(end: End) -> i32 {
    match end {
        End::Code(code) => code,
        End::Signal(signal) => 128 + signal,
        // SIGTERM
        End::TimedOut => 143,
    }
}

#[cfg(test)]
mod tests;
