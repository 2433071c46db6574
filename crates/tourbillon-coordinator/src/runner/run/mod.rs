//! A run, from its cases to its results.

mod end;

use std::num::NonZeroU64;

use tourbillon_analysis::{Rules, ticks_inside};
use tourbillon_record::{BatchShape, Case, Entry, Fault, FaultKind, Plan, Verdict};
use tourbillon_stats::{Confidence, Rng};

use crate::runner::budget::Starts;
use crate::runner::case_progress::CaseProgress;
use crate::runner::comparison::{BlockComparison, Comparison, block_comparisons, sets};
use crate::runner::follow::follow_all;
use crate::runner::launch_fault::fault;
use crate::runner::memory::count_all;
use crate::runner::observer::{Observer, Progress, RunClock};
use crate::runner::outcome::Outcome;
use crate::runner::run_worker::{WorkerOutcome, outcome};
use crate::runner::schedule::{Schedule, Set, Turn};
use crate::runner::settings::Settings;
use crate::runner::worker::{Draw, Error, SentLaunch, SpawnWorker, Worker};

/// Most looks at the width of an interval. Each but the first doubles the launches.
const LOOKS: u32 = 3;

/// Time that a run may take beyond the usual for launches in place of contended ones, in nanoseconds.
const BEYOND_NS: u64 = 15_000_000_000;

/// Launches all cases in one random order, and makes the results, and the verdicts of the `comparisons`.
///
/// All cases are run, also those that are marked as ignored: the caller has selected them. Identities must
/// differ.
///
/// The pilot launch of a case decides how many launches it gets. With a precision, a case whose interval is
/// too wide gets as many launches again, and once more twice as many; the three looks share the error. Without
/// one, contended launches are repeated until twelve others were made or the time of the case is used up. Cases that are
/// compared get more launches, in blocks, until the verdicts are decided or the time of the comparison is used up.
///
/// The same settings, workers that answer the same, and a scripted clock give the same outcome.
pub fn run(
    cases: &[Case],
    comparisons: &[Comparison],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut run = Run::new(cases, comparisons, settings, spawner, run_clock, observer);
    run.make_launches();
    run.compare();
    run.count_memory();
    run.follow();
    run.end()
}

struct Run<'a> {
    settings: &'a Settings,
    spawner: &'a mut dyn SpawnWorker,
    run_clock: &'a dyn RunClock,
    observer: &'a mut dyn Observer,
    rules: Rules,
    cases: Vec<CaseProgress<'a>>,
    comparisons: Vec<BlockComparison>,
    /// What holds the launches of each case together with those of others.
    sets: Vec<Set>,
    schedule: Schedule,
    starts: Starts,
    faults: Vec<Fault>,
    verdicts: Vec<Verdict>,
    assertions: Vec<Verdict>,
    interrupted: bool,
    started_ns: u64,
    /// When the last launch ended.
    free_ns: u64,
    /// Launches that have ended, failed ones included.
    done: usize,
    /// Launches that gave samples, and the ticks inside launches and inside batches.
    launches: u64,
    launch_ticks: u64,
    batch_ticks: u64,
}

/// A launch whose worker has been started, or could not be.
struct Launch {
    turn: Turn,
    plan: Plan,
    worker: Result<Box<dyn Worker>, Error>,
}

impl<'a> Run<'a> {
    fn new(
        cases: &'a [Case],
        comparisons: &[Comparison],
        settings: &'a Settings,
        spawner: &'a mut dyn SpawnWorker,
        run_clock: &'a dyn RunClock,
        observer: &'a mut dyn Observer,
    ) -> Run<'a> {
        let mut progress = Vec::new();
        for case in cases {
            observer.entry(Entry::Case(case));
            progress.push(CaseProgress::new(case, settings.of(&case.id)));
        }
        let comparisons = block_comparisons(comparisons, &progress);
        let sets = sets(&comparisons, &progress);
        let mut launches = Vec::new();
        for (case, set) in progress.iter().zip(&sets) {
            launches.push((case.launches, *set));
        }
        Run {
            settings,
            spawner,
            run_clock,
            observer,
            rules: Rules {
                frequency: settings.frequency,
                confidence: Confidence::new(settings.confidence).unwrap_or(Confidence::P99),
                core_cache_bytes: settings.core_cache_bytes,
            },
            cases: progress,
            comparisons,
            schedule: Schedule::new(settings.order_seed(), &launches),
            sets,
            starts: Starts::new(),
            faults: Vec::new(),
            verdicts: Vec::new(),
            assertions: Vec::new(),
            interrupted: false,
            started_ns: run_clock.begun_ns(),
            free_ns: run_clock.now_ns(),
            done: 0,
            launches: 0,
            launch_ticks: 0,
            batch_ticks: 0,
        }
    }

    /// Makes all launches, and more of the cases whose interval is too wide.
    fn make_launches(&mut self) {
        for look in 0..LOOKS {
            self.make_scheduled();
            if self.interrupted {
                return;
            }
            if look + 1 < LOOKS {
                // 1, 1 and 2 times the launches of the first look make 1, 2 and 4 times as many.
                for (index, case) in self.cases.iter().enumerate() {
                    if case.is_too_wide(&self.rules) {
                        self.schedule.add(index, case.launches << look);
                    }
                }
                self.schedule.shuffle();
            }
        }
    }

    /// Makes the launches of the schedule, unless a signal stops the run.
    fn make_scheduled(&mut self) {
        let mut next = None;
        loop {
            self.interrupted |= self.spawner.interrupted();
            if self.interrupted {
                return;
            }
            let Some(launch) = next.take().or_else(|| self.start()) else {
                return;
            };
            self.report_progress(launch.turn);
            next = self.finish(launch);
        }
    }

    /// Makes blocks for the comparisons that are open, and the verdicts.
    fn compare(&mut self) {
        while !self.interrupted {
            let mut is_open = false;
            for comparison in &mut self.comparisons {
                for (case, launches) in comparison.more(&self.cases, &self.rules) {
                    self.schedule.add(case, launches);
                    is_open = true;
                }
            }
            self.schedule.shuffle();
            // What is given up gets no more.
            if !is_open || self.schedule.left() == 0 {
                break;
            }
            self.make_scheduled();
        }
        if self.interrupted {
            return;
        }
        for comparison in &self.comparisons {
            for verdict in comparison.verdicts(&self.cases, &self.rules) {
                self.observer.entry(Entry::Verdict(&verdict));
                if comparison.is_assertion() {
                    self.assertions.push(verdict);
                } else {
                    self.verdicts.push(verdict);
                }
            }
        }
    }

    /// The case by which chance is drawn for a launch of a case: the launches of a block have the same draws.
    fn drawn_by(&self, case: usize) -> &'a str {
        match self.sets[case] {
            Set::Block(first) => &self.cases[first].case.id,
            Set::Alone(_) | Set::Pass(_) => &self.cases[case].case.id,
        }
    }

    /// Starts the worker of the next launch; `None` when all have been made.
    fn start(&mut self) -> Option<Launch> {
        let turn = self.schedule.turn()?;
        let case = &self.cases[turn.case];
        let budget_ns = case.batches_ns(self.starts);
        let (id, launch) = (&case.case.id, turn.launch);
        let seed = self.settings.seed_of(self.drawn_by(turn.case), launch);
        let length = turn.length.map(|length| with_drawn_windows(length, seed));
        let plan = Plan {
            contended_from: case.contended_from(),
            seed,
            ..self.settings.plan(id, launch, length, budget_ns)
        };
        let worker = self.spawner.spawn(&plan, &Draw::of(&plan));
        Some(Launch { turn, plan, worker })
    }

    fn report_progress(&mut self, turn: Turn) {
        let case = &self.cases[turn.case];
        self.observer.progress(&Progress {
            done: self.done,
            total: self.done + 1 + self.schedule.left(),
            faults: self.faults.len(),
            case: &case.case.id,
            kept: case.kept(),
            launch: turn.launch,
            elapsed_ns: self.run_clock.now_ns().saturating_sub(self.started_ns),
        });
    }

    /// Finishes a launch, after which its worker is gone. The worker of the next launch, which is returned, may
    /// have been started meanwhile.
    fn finish(&mut self, launch: Launch) -> Option<Launch> {
        let Launch { turn, plan, worker } = launch;
        let mut worker = match worker {
            Ok(worker) => worker,
            Err(error) => {
                self.fail(
                    turn.case,
                    fault(&plan, FaultKind::Spawn, &error.to_string()),
                );
                return None;
            }
        };
        let timeout_ns = self.cases[turn.case].settings.options.timeout_ns;
        let outcome = outcome(&mut *worker, &plan, timeout_ns, self.run_clock);
        let wall_ns = self.run_clock.now_ns().saturating_sub(self.free_ns);
        self.free_ns += wall_ns;
        self.cases[turn.case].spent_ns += wall_ns;
        match outcome {
            WorkerOutcome::Launch(sent) => {
                let samples = &sent.samples;
                let inside_ns = self.rules.frequency.nanos(samples.launch_ticks);
                self.cases[turn.case].start_ns += self.starts.count(wall_ns, inside_ns);
                if turn.length.is_none() {
                    let case = &mut self.cases[turn.case];
                    case.plan_launches(samples, &self.rules);
                    let others = case.launches - 1;
                    self.schedule
                        .piloted(turn.case, samples.batch_shape, others);
                }
                // A process takes about a millisecond to start, most of it without the coordinator. Meanwhile
                // the one before ends, and its samples are written.
                let next = self.start();
                self.dismiss(turn.case, worker);
                self.take(turn.case, sent);
                next
            }
            WorkerOutcome::Fault(mut fault) => {
                let stderr = self.dismiss(turn.case, worker);
                if fault.stderr.is_empty() {
                    fault.stderr = stderr;
                }
                self.fail(turn.case, fault);
                None
            }
            // `run_worker` rejects other samples than those of a launch.
            WorkerOutcome::Interrupted | WorkerOutcome::Memory(_) | WorkerOutcome::Followed(_) => {
                self.interrupted = true;
                worker.dismiss();
                None
            }
        }
    }

    /// Ends a worker; returns what it left on stderr.
    fn dismiss(&mut self, index: usize, worker: Box<dyn Worker>) -> String {
        let left = worker.dismiss();
        self.cases[index].left_processes += u32::from(left.left_processes);
        left.stderr
    }

    /// Takes the samples of a launch.
    fn take(&mut self, index: usize, sent: SentLaunch) {
        let launch = *sent.samples;
        self.done += 1;
        self.launches += 1;
        self.launch_ticks = self.launch_ticks.saturating_add(launch.launch_ticks);
        self.batch_ticks = self
            .batch_ticks
            .saturating_add(ticks_inside(&launch.batches));
        self.observer.launch(&launch, &sent.line);
        self.cases[index].take(launch);
        self.repeat_contended(index);
    }

    /// Takes the fault of a launch.
    fn fail(&mut self, index: usize, fault: Fault) {
        self.done += 1;
        self.schedule.failed(index);
        self.cases[index].failed += 1;
        self.observer.entry(Entry::Fault(&fault));
        self.faults.push(fault);
        self.repeat_contended(index);
    }

    /// Adds launches to a case whose launches have all ended, in place of contended ones.
    fn repeat_contended(&mut self, index: usize) {
        let case = &self.cases[index];
        if self.schedule.is_done(index, case.ended()) {
            let beyond_ns = self.cases.iter().map(CaseProgress::beyond_ns).sum();
            let repeats = case.repeats(&self.rules, BEYOND_NS.saturating_sub(beyond_ns));
            if repeats > 0 {
                self.schedule.add(index, repeats);
                self.schedule.shuffle();
            }
        }
    }

    /// Makes the memory launches.
    fn count_memory(&mut self) {
        if self.interrupted || !self.spawner.counts() {
            return;
        }
        self.interrupted = !count_all(
            &mut self.cases,
            self.settings,
            self.starts,
            self.spawner,
            self.run_clock,
            self.observer,
        );
    }

    /// Has workers followed by another program.
    fn follow(&mut self) {
        if !self.interrupted {
            let (cases, settings) = (&mut self.cases, self.settings);
            self.interrupted =
                !follow_all(cases, settings, self.spawner, self.run_clock, self.observer);
        }
    }
}

/// What the draw of windows is derived by.
const WINDOWS: u64 = 0x77;

/// A length with another number of windows in each launch, from half of it on. An allocator comes to other states with
/// another number of outputs that are dropped between two batches: the cost of a call differs by a third. How many
/// windows the pilot launch finds depends on the machine, so that another run would have another cost.
fn with_drawn_windows(length: BatchShape, seed: u64) -> BatchShape {
    let least = length.windows.div_ceil(2);
    let Some(numbers) = NonZeroU64::new(length.windows - least + 1) else {
        return length;
    };
    let windows = least + Rng::new(Rng::new(seed).derive(WINDOWS)).below(numbers);
    BatchShape { windows, ..length }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn launches_have_half_of_the_windows_or_more() {
        let drawn = |windows, seed| {
            let length = BatchShape {
                windows,
                ..BatchShape::of_items(32)
            };
            let drawn = with_drawn_windows(length, seed);
            assert_eq!(drawn, with_drawn_windows(length, seed));
            assert_eq!(drawn.items, 32);
            drawn.windows
        };
        let of_many: BTreeSet<u64> = (0..200).map(|seed| drawn(11, seed)).collect();
        assert!(of_many.into_iter().eq(6..=11));
        assert!((0..20).all(|seed| drawn(1, seed) == 1));
    }
}
