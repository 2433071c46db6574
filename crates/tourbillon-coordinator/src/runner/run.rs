//! A run, from its cases to its results.

use tourbillon_analysis::sweep::{Series, series};
use tourbillon_analysis::{Rules, Spread, ticks_inside, void_times};
use tourbillon_record::{Case, CaseResult, End, Entry, Fault, FaultKind, LaunchSamples, Plan};
use tourbillon_stats::Confidence;

use crate::runner::budget::Starts;
use crate::runner::case_progress::CaseProgress;
use crate::runner::memory::count_all;
use crate::runner::observer::{Observer, PostRun, Progress, RunClock};
use crate::runner::run_worker::{WorkerOutcome, fault, outcome};
use crate::runner::schedule::{Schedule, Turn};
use crate::runner::settings::Settings;
use crate::runner::worker::{Draw, Error, SpawnWorker, Worker};

/// Exit code of a run in which a launch failed.
pub const EXIT_FAILED: u8 = 3;
/// Exit code of a run that a signal stopped.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Most looks at the width of an interval. Each but the first doubles the launches.
const LOOKS: u32 = 3;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results, in the order of the cases; those of cycles after those of time.
    pub results: Vec<CaseResult>,
    /// How the launches of each case scatter, in the order of the cases; `None` for one without figures.
    pub spreads: Vec<Option<Spread>>,
    /// The launches that failed, in the order in which they did.
    pub faults: Vec<Fault>,
    /// How the run ended.
    pub end: End,
    /// Whether a signal stopped it.
    pub interrupted: bool,
}

/// Launches all cases in one random order, and makes the results.
///
/// All cases are run, also those that are marked as ignored: the caller has selected them. Identities must
/// differ.
///
/// The pilot launch of a case decides how many launches it gets. With a precision, a case whose interval is
/// too wide gets as many launches again, and once more twice as many; the three looks share the error. Without
/// one, contended launches are repeated until twelve others were made or the time of the case is used up.
///
/// The same settings, workers that answer the same, and a scripted clock give the same outcome.
pub fn run(
    cases: &[Case],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
) -> Outcome {
    run_and(cases, settings, spawner, run_clock, observer, &mut |_| ())
}

/// As [`run`]; calls `post_run` after the last launch, unless a signal stopped the run, and before the end
/// of the record.
pub fn run_and(
    cases: &[Case],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
    post_run: &mut dyn FnMut(&mut PostRun<'_>),
) -> Outcome {
    let mut run = Run::new(cases, settings, spawner, run_clock, observer);
    run.make_launches();
    run.call(post_run);
    run.count_memory();
    run.end()
}

struct Run<'a> {
    settings: &'a Settings,
    spawner: &'a mut dyn SpawnWorker,
    run_clock: &'a dyn RunClock,
    observer: &'a mut dyn Observer,
    rules: Rules,
    cases: Vec<CaseProgress<'a>>,
    schedule: Schedule,
    starts: Starts,
    faults: Vec<Fault>,
    /// Whether an assertion does not hold.
    failed: bool,
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
        settings: &'a Settings,
        spawner: &'a mut dyn SpawnWorker,
        run_clock: &'a dyn RunClock,
        observer: &'a mut dyn Observer,
    ) -> Run<'a> {
        for case in cases {
            observer.entry(Entry::Case(case));
        }
        let progress = |case: &'a Case| CaseProgress::new(case, settings.of(&case.id));
        let cases: Vec<_> = cases.iter().map(progress).collect();
        let launches = cases
            .iter()
            .map(|case| (case.launches, case.settings.shared_worker));
        let launches: Vec<_> = launches.collect();
        let now_ns = run_clock.now_ns();
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
            cases,
            schedule: Schedule::new(settings.order_seed(), &launches),
            starts: Starts::new(),
            faults: Vec::new(),
            failed: false,
            interrupted: false,
            started_ns: now_ns,
            free_ns: now_ns,
            done: 0,
            launches: 0,
            launch_ticks: 0,
            batch_ticks: 0,
        }
    }

    /// Makes all launches, and more of the cases whose interval is too wide.
    fn make_launches(&mut self) {
        for look in 0..LOOKS {
            let mut next = None;
            loop {
                self.interrupted |= self.spawner.interrupted();
                if self.interrupted {
                    return;
                }
                let Some(launch) = next.take().or_else(|| self.start()) else {
                    break;
                };
                self.report_progress(launch.turn);
                next = self.finish(launch);
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

    /// Starts the worker of the next launch; `None` when all have been made.
    fn start(&mut self) -> Option<Launch> {
        let turn = self.schedule.turn()?;
        let case = &self.cases[turn.case];
        let budget_ns = case.batches_ns(self.starts);
        let (id, launch, length) = (&case.case.id, turn.launch, turn.length);
        let plan = Plan {
            contended_from: case.contended_from(),
            ..self.settings.plan(id, launch, length, budget_ns)
        };
        let worker = self.spawner.spawn(&plan, &Draw::of(&plan));
        Some(Launch { turn, plan, worker })
    }

    fn report_progress(&mut self, turn: Turn) {
        self.observer.progress(&Progress {
            done: self.done,
            total: self.done + 1 + self.schedule.left(),
            faults: self.faults.len(),
            case: &self.cases[turn.case].case.id,
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
        let timeout_ns = self.cases[turn.case].settings.timeout_ns;
        let outcome = outcome(&mut *worker, &plan, timeout_ns, self.run_clock);
        let wall_ns = self.run_clock.now_ns().saturating_sub(self.free_ns);
        self.free_ns += wall_ns;
        self.cases[turn.case].spent_ns += wall_ns;
        match outcome {
            WorkerOutcome::Launch(samples) => {
                let inside_ns = self.rules.frequency.nanos(samples.launch_ticks);
                self.cases[turn.case].start_ns += self.starts.count(wall_ns, inside_ns);
                if turn.length.is_none() {
                    let case = &mut self.cases[turn.case];
                    case.plan_launches(&samples, &self.rules);
                    let others = case.launches - 1;
                    self.schedule
                        .piloted(turn.case, samples.batch_shape, others);
                }
                // A process takes about a millisecond to start, most of it without the coordinator. Meanwhile
                // the one before ends, and its samples are written.
                let next = self.start();
                self.dismiss(turn.case, worker);
                self.take(turn.case, *samples);
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
            WorkerOutcome::Interrupted | WorkerOutcome::Rounds(_) | WorkerOutcome::Memory(_) => {
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
    fn take(&mut self, index: usize, launch: LaunchSamples) {
        self.done += 1;
        self.launches += 1;
        self.launch_ticks = self.launch_ticks.saturating_add(launch.launch_ticks);
        self.batch_ticks = self
            .batch_ticks
            .saturating_add(ticks_inside(&launch.batches));
        self.observer.entry(Entry::Launch(&launch));
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
            let repeats = case.repeats(&self.rules);
            if repeats > 0 {
                self.schedule.add(index, repeats);
                self.schedule.shuffle();
            }
        }
    }

    /// Calls the caller back after the launches.
    fn call(&mut self, post_run: &mut dyn FnMut(&mut PostRun<'_>)) {
        if self.interrupted {
            return;
        }
        let not_wall_time = self.cases.iter().filter(|case| case.not_wall_time);
        let mut stage = PostRun {
            settings: self.settings,
            spawner: self.spawner,
            run_clock: self.run_clock,
            observer: self.observer,
            not_wall_time: not_wall_time.map(|case| case.case.id.clone()).collect(),
            faults: std::mem::take(&mut self.faults),
            failed: false,
            interrupted: false,
            launch_ticks: self.launch_ticks,
            batch_ticks: self.batch_ticks,
        };
        post_run(&mut stage);
        self.launch_ticks = stage.launch_ticks;
        self.batch_ticks = stage.batch_ticks;
        self.interrupted = stage.interrupted;
        self.failed = stage.failed;
        self.faults = stage.faults;
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

    /// Makes the results.
    fn end(mut self) -> Outcome {
        let mut end = self.last_entry();
        let frequency = &self.rules.frequency;
        let disagreement = end
            .clock_check
            .and_then(|check| frequency.disagreement(&check));
        if let (None, Some(check)) = (frequency.error_ppm, end.clock_check) {
            // The error of the clock is unknown, but the check of this run bounds it.
            self.rules.frequency.error_ppm = Some(check.deviation_ppm.abs() + check.bound_ppm);
        }
        let mut results = Vec::new();
        let mut spreads = Vec::new();
        for case in &self.cases {
            let (mut of_case, spread) = case.results(&self.rules);
            spreads.push(spread);
            if let Some(ppm) = disagreement {
                void_times(&mut of_case, ppm);
            }
            for result in &of_case {
                self.observer.entry(Entry::Result(result));
            }
            results.append(&mut of_case);
        }
        let cases = self.cases.iter().map(|case| case.case);
        let grows = series(cases, &results).iter().any(Series::exceeds);
        if end.exit_code == 0 && (self.failed || grows) {
            end.exit_code = EXIT_FAILED;
        }
        self.observer.entry(Entry::End(&end));
        Outcome {
            results,
            spreads,
            faults: self.faults,
            end,
            interrupted: self.interrupted,
        }
    }

    fn last_entry(&self) -> End {
        let frequency = &self.rules.frequency;
        let counting = self.cases.iter().map(|case| case.memory.launches_ns());
        let launches_ns = frequency.nanos(self.launch_ticks);
        End {
            clock_check: self.run_clock.check(),
            machine_events: self.run_clock.machine_events(),
            wall_ns: self.run_clock.now_ns().saturating_sub(self.started_ns),
            launches_ns: counting.fold(launches_ns, u64::saturating_add),
            batches_ns: frequency.nanos(self.batch_ticks),
            launches: self.launches,
            faults: self.faults.len() as u64,
            interrupted: self.interrupted,
            exit_code: match (self.interrupted, self.faults.is_empty()) {
                (true, _) => EXIT_INTERRUPTED,
                (false, false) => EXIT_FAILED,
                (false, true) => 0,
            },
            unknown: String::new(),
        }
    }
}
