//! Processes that are to be run, and what becomes of them.

use tourbillon_record::Rounds;
use tourbillon_tool::exit::FAILED;

use super::measurement::{Measurement, Stopped, exit_code};
use super::progress::{Progress, Running, SLOW_NS, Word};
use crate::arms::Arm;
use crate::wire::{End, Job, NotRun, Ran};

/// What a process is run for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Measured,
    WarmUp,
    /// What an empty program takes.
    Empty,
    /// What a flag requests, before or after others.
    Of(&'static str),
}

/// A process to be run.
pub(super) struct Planned {
    pub(super) role: Role,
    pub(super) arm: usize,
    pub(super) round: u64,
    pub(super) job: Job,
}

impl Planned {
    /// Whether it belongs to a run, not to the whole measurement.
    fn is_of_run(&self) -> bool {
        !matches!(self.role, Role::Of("--setup" | "--cleanup"))
    }
}

impl Measurement<'_> {
    /// A process of a command, with what runs before and after it.
    pub(super) fn planned(
        &self,
        role: Role,
        at: usize,
        round: u64,
        padding: &str,
    ) -> impl Iterator<Item = Planned> {
        let arm = &self.arms[at];
        let all = [
            (Role::Of("--prepare"), arm.prepare.clone()),
            (role, Some(arm.job.clone())),
            (Role::Of("--conclude"), arm.conclude.clone()),
        ];
        let iteration = [
            format!("HYPERFINE_ITERATION={round}"),
            format!("TOURBILLON_PADDING={padding}"),
        ];
        all.into_iter().filter_map(move |(role, job)| {
            let mut job = job?;
            job.environment.extend(iteration.iter().map(Into::into));
            Some(Planned {
                role,
                arm: at,
                round,
                job,
            })
        })
    }

    /// Runs what a flag requests for each command, in their order.
    pub(super) fn run_others(
        &mut self,
        of: impl Fn(&Arm) -> Option<&Job>,
        flag: &'static str,
    ) -> Result<(), Stopped> {
        let all = self.arms.iter().enumerate();
        let all = all.filter_map(|(arm, one)| {
            Some(Planned {
                role: Role::Of(flag),
                arm,
                round: 0,
                job: of(one)?.clone(),
            })
        });
        let all: Vec<Planned> = all.collect();
        self.run_all(&all)
    }

    /// Runs processes in their order, until one fails that must not.
    pub(super) fn run_all(&mut self, planned: &[Planned]) -> Result<(), Stopped> {
        for one in planned {
            let before = self.execute.now_ns();
            let result = self.watched(one, before);
            let now_ns = self.execute.now_ns();
            self.spend(one, now_ns.saturating_sub(before));
            self.took(one, result)?;
            if now_ns >= self.shown_ns.saturating_add(SLOW_NS) {
                self.show();
            }
        }
        Ok(())
    }

    /// Adds to what was spent of the time to measure. What runs once is not a part of it.
    fn spend(&mut self, one: &Planned, ns: u64) {
        if !one.is_of_run() {
            return;
        }
        self.spent_ns += ns;
        let own = &mut self.of_arms[one.arm];
        match one.role {
            Role::Measured | Role::WarmUp => own.runs_ns += ns,
            Role::Of(_) => own.others_ns += ns,
            Role::Empty => {}
        }
    }

    /// Runs a process that began at `before`, and says so while it takes long.
    fn watched(&mut self, one: &Planned, before: u64) -> Result<Ran, NotRun> {
        let case = &self.arms[one.arm].case.id;
        let (what, of) = match one.role {
            Role::Of(flag) => (format!("{flag} of "), case.as_str()),
            Role::WarmUp => ("warm-up of ".to_owned(), case.as_str()),
            Role::Measured => (String::new(), case.as_str()),
            Role::Empty => (String::new(), "empty program"),
        };
        let pace_ns = self.pace_ns();
        let (found, say, limits) = (&self.found, &mut self.say, self.limits);
        let (shown_ns, spent_ns) = (&mut self.shown_ns, self.spent_ns);
        self.execute.run_while(&one.job, &mut |now_ns| {
            if now_ns >= (*shown_ns).max(before).saturating_add(SLOW_NS) {
                *shown_ns = now_ns;
                let running_ns = now_ns - before;
                say(Word::Progress(Progress {
                    rounds: &found.rounds,
                    limits,
                    spent_ns: spent_ns + if one.is_of_run() { running_ns } else { 0 },
                    pace_ns,
                    running: Some(Running {
                        what: what.clone(),
                        of: of.to_owned(),
                        ns: running_ns,
                    }),
                }));
            }
        })
    }

    /// Says how far it is.
    pub(super) fn show(&mut self) {
        self.shown_ns = self.execute.now_ns();
        let pace_ns = self.pace_ns();
        (self.say)(Word::Progress(Progress {
            rounds: &self.found.rounds,
            limits: self.limits,
            spent_ns: self.spent_ns,
            pace_ns,
            running: None,
        }));
    }

    /// Adds what a process took.
    fn took(&mut self, one: &Planned, ran: Result<Ran, NotRun>) -> Result<(), Stopped> {
        let at = one.arm;
        let ran = match ran {
            Ok(ran) => ran,
            Err(NotRun::Failed(why) | NotRun::Machine(why)) if one.role == Role::Empty => {
                self.lacks_empty(why);
                return Ok(());
            }
            Err(not_run) => return Err(self.not_run(at, not_run)),
        };
        let code = exit_code(ran.end);
        let is_ignored = || {
            let ignored = self.limits.ignored.as_ref();
            ran.end != End::TimedOut && ignored.is_some_and(|ignored| ignored.has(code))
        };
        let failed = match one.role {
            Role::Of(flag) => (code != 0).then(|| format!("in {flag}")),
            Role::Empty if code != 0 => {
                self.lacks_empty(format!("it exited with code {code}"));
                return Ok(());
            }
            _ => (code != 0 && !is_ignored()).then(String::new),
        };
        if let Some(message) = failed {
            let fault = self.fault(at, &ran, message);
            return Err(Stopped::Fault(Box::new(fault), FAILED));
        }
        match one.role {
            Role::Of(_) => {}
            Role::Measured | Role::WarmUp => self.add_run(one, &ran),
            Role::Empty => {
                if let Ok(rounds) = &mut self.found.empty {
                    add(rounds, 0, one.round, &ran);
                }
            }
        }
        Ok(())
    }

    /// Adds a process of a command.
    fn add_run(&mut self, one: &Planned, ran: &Ran) {
        let at = one.arm;
        let rounds = &mut self.found.rounds;
        if rounds.pids[at] == 0 {
            rounds.pids[at] = u32::try_from(ran.pid).unwrap_or(u32::MAX);
            rounds.first_call_ticks[at] = ran.ticks;
        }
        self.found.left_processes[at] |= ran.usage.left_processes;
        if one.role == Role::Measured {
            self.found.failed[at] += u64::from(exit_code(ran.end) != 0);
            add(rounds, at, one.round, ran);
        }
    }

    /// The empty program is not run again.
    fn lacks_empty(&mut self, why: String) {
        self.empty = None;
        self.found.empty = Err(why);
    }
}

/// Adds the reading of a process.
fn add(rounds: &mut Rounds, at: usize, round: u64, ran: &Ran) {
    rounds.round.push(round);
    rounds.arm.push(u8::try_from(at).unwrap_or(u8::MAX));
    rounds.ticks.push(ran.ticks);
    if let Some(processes) = rounds.processes.as_deref_mut() {
        let usage = ran.usage;
        processes.user_us.push(usage.user_us);
        processes.kernel_us.push(usage.kernel_us);
        processes.peak_bytes.push(usage.peak_bytes);
        processes.minor_faults.push(usage.minor_faults);
        processes.major_faults.push(usage.major_faults);
        processes.voluntary_switches.push(usage.voluntary_switches);
        let involuntary = usage.involuntary_switches;
        processes.involuntary_switches.push(involuntary);
        processes.exit_codes.push(exit_code(ran.end));
        processes.contended.iter_mut().for_each(|all| all.push(0));
        let counters = processes.counters.iter_mut().flatten();
        for (counter, count) in counters.zip(&ran.counts) {
            counter.counts.push(*count);
        }
    }
}
