use tourbillon_analysis::sweep::{Series, series};
use tourbillon_analysis::{LaunchQuota, Rules, estimate, ticks_inside, void_times};
use tourbillon_record::{
    Absence, Case, CaseResult, End, Entry, Fault, FaultKind, Note, Plan, Scope, Visit,
};
use tourbillon_stats::Confidence;

use crate::attempt::{Attempt, attempt, fault};
use crate::launch_count::{expected_cost, time_ns};
use crate::memory::CaseMemory;
use crate::plan::{draw, order, plan};
use crate::reached::Reached;
use crate::schedule::{Schedule, Turn};
use crate::stored_launch;
use crate::visit_time::{Overhead, Starts, batches_ns};
use crate::{
    Error, Observer, PostRun, Progress, RunClock, Settings, SpawnWorker, Worker, launch_count,
};

/// Exit code of a run in which a visit failed.
pub const EXIT_FAILED: u8 = 3;
/// Exit code of a run that a signal ended before its time.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Looks at most at how wide an interval is: the launches are doubled for each but the first.
const LOOKS: u32 = 3;
/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results, in the order of the cases; those of cycles behind those of time.
    pub results: Vec<CaseResult>,
    /// The visits that failed, in the order in which they did.
    pub faults: Vec<Fault>,
    /// How the run ended.
    pub end: End,
    /// Whether a signal ended it before its time.
    pub interrupted: bool,
}

/// Runs cases: visits all of them in one random order, and makes the results.
///
/// Every case gets visits, those too that are marked as ignored: what is run has been selected
/// before. Identities must differ.
///
/// How many launches a case gets is decided when its scout is back: see [`launch_count`]. With a
/// precision, a case whose interval is too wide gets as many launches again, and once more twice
/// as many; the error is shared between the three looks. Without one, launches that a busy neighbour
/// until twelve others are there or the time of the case is over.
///
/// The same settings, workers that answer the same, and a scripted watch give the same outcome.
pub fn run(
    cases: &[Case],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
) -> Outcome {
    run_and(cases, settings, spawner, run_clock, observer, &mut |_| ())
}

/// As [`run`]; `post_run` has its turn after the last visit, unless the run was interrupted,
/// and before the end of the record.
pub fn run_and(
    cases: &[Case],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
    post_run: &mut dyn FnMut(&mut PostRun<'_>),
) -> Outcome {
    let mut run = Run::new(cases, settings, run_clock);
    for case in cases {
        observer.entry(Entry::Case(case));
    }
    run.visit_all(spawner, observer);
    if !run.interrupted {
        let mut stage = PostRun {
            settings,
            spawner,
            run_clock,
            observer,
            otherwise: run.measured_otherwise(),
            faults: std::mem::take(&mut run.faults),
            interrupted: false,
            visit_ticks: 0,
            batch_ticks: 0,
        };
        post_run(&mut stage);
        run.interrupted = stage.interrupted;
        run.afterwards_ticks = (stage.visit_ticks, stage.batch_ticks);
        run.faults = stage.faults;
    }
    if spawner.counts() && !run.interrupted {
        run.count_all(spawner, observer);
    }
    run.end(observer)
}

/// A run being conducted.
pub(crate) struct Run<'a> {
    pub(crate) settings: &'a Settings,
    rules: Rules,
    pub(crate) run_clock: &'a dyn RunClock,
    started_ns: u64,
    pub(crate) cases: Vec<Reached<'a>>,
    schedule: Schedule,
    done: usize,
    /// When the visit before was over.
    free_ns: u64,
    starts: Starts,
    faults: Vec<Fault>,
    pub(crate) interrupted: bool,
    /// Visits that were made, and ticks inside of them and inside their batches.
    made: (u64, u64, u64),
    /// Ticks inside visits and inside batches of what had its turn after the cases.
    afterwards_ticks: (u64, u64),
}

/// A visit whose worker has been started, or could not be.
struct Waiting {
    turn: Turn,
    plan: Plan,
    worker: Result<Box<dyn Worker>, Error>,
}

impl<'a> Run<'a> {
    #[inline(never)]
    fn new(cases: &'a [Case], settings: &'a Settings, run_clock: &'a dyn RunClock) -> Run<'a> {
        let (mut reached, mut launches) = (Vec::new(), Vec::new());
        for case in cases {
            let settings = settings.of(&case.id);
            launches.push(settings.asked());
            reached.push(Reached {
                case,
                settings,
                launches: settings.asked(),
                overhead: Overhead::unknown(),
                spent_ns: 0,
                visits: Vec::new(),
                quota: LaunchQuota::default(),
                time_ns: settings.budget(),
                is_prolonged: false,
                otherwise: false,
                failed: 0,
                left_processes: 0,
                memory: CaseMemory::default(),
            });
        }
        Run {
            settings,
            rules: Rules {
                frequency: settings.frequency,
                confidence: Confidence::new(settings.confidence).unwrap_or(Confidence::P99),
                core_cache_bytes: settings.core_cache_bytes,
            },
            run_clock,
            started_ns: run_clock.now_ns(),
            schedule: Schedule::new(order(settings.seed), &launches),
            cases: reached,
            done: 0,
            free_ns: run_clock.now_ns(),
            starts: Starts::new(),
            faults: Vec::new(),
            interrupted: false,
            made: (0, 0, 0),
            afterwards_ticks: (0, 0),
        }
    }

    fn visit_all(&mut self, spawner: &mut dyn SpawnWorker, observer: &mut dyn Observer) {
        for look in 0..LOOKS {
            let mut next = None;
            loop {
                self.interrupted |= spawner.interrupted();
                if self.interrupted {
                    return;
                }
                let visit = match next.take() {
                    Some(visit) => visit,
                    None => match self.hired(spawner) {
                        Some(visit) => visit,
                        None => break,
                    },
                };
                self.progress(visit.turn, observer);
                next = self.visit(visit, spawner, observer);
            }
            if look + 1 == LOOKS {
                return;
            }
            // 1, 1 and 2 times the launches of the first look make 1, 2 and 4 times as many.
            for index in 0..self.cases.len() {
                let reached = &self.cases[index];
                if self.is_too_wide(reached, observer) {
                    self.schedule.add(index, reached.launches << look);
                }
            }
            self.schedule.shuffle();
        }
    }

    /// The cases that are not measured in wall time.
    #[inline(never)]
    fn measured_otherwise(&self) -> Vec<String> {
        let mut otherwise = Vec::new();
        for reached in &self.cases {
            if reached.otherwise {
                otherwise.push(reached.case.id.clone());
            }
        }
        otherwise
    }

    /// Finds a worker for the next visit; `None` when all have been made.
    fn hired(&mut self, spawner: &mut dyn SpawnWorker) -> Option<Waiting> {
        let turn = self.schedule.turn()?;
        let reached = &self.cases[turn.case];
        let budget_ns = self.batches_ns(reached);
        let mut plan = plan(self.settings, &reached.case.id, turn, budget_ns);
        if reached.settings.min_time_ns == 0 {
            plan.contended_from = reached.quota.contended_from();
        }
        let worker = spawner.spawn(&plan, &draw(&plan));
        Some(Waiting { turn, plan, worker })
    }

    /// Time for the batches of a visit of a case.
    pub(crate) fn batches_ns(&self, reached: &Reached<'_>) -> u64 {
        let Reached {
            settings,
            launches,
            overhead,
            ..
        } = reached;
        batches_ns(settings, *launches, self.starts, *overhead)
    }

    fn progress(&self, turn: Turn, observer: &mut dyn Observer) {
        observer.progress(&Progress {
            done: self.done,
            total: self.done + 1 + self.schedule.left(),
            faults: self.faults.len(),
            case: &self.cases[turn.case].case.id,
            launch: turn.launch,
            elapsed_ns: self.run_clock.now_ns().saturating_sub(self.started_ns),
        });
    }

    /// Makes a visit. The worker is gone when this returns, whatever happened; that of the next
    /// visit may be there already.
    #[inline(never)]
    fn visit(
        &mut self,
        visit: Waiting,
        spawner: &mut dyn SpawnWorker,
        observer: &mut dyn Observer,
    ) -> Option<Waiting> {
        let Waiting { turn, plan, worker } = visit;
        let mut worker = match worker {
            Ok(worker) => worker,
            Err(e) => {
                let fault = fault(&plan, FaultKind::Spawn, &e.to_string());
                self.note(turn, fault, observer);
                return None;
            }
        };
        let timeout_ns = self.cases[turn.case].settings.timeout_ns;
        let heard = attempt(&mut *worker, &plan, timeout_ns, self.run_clock);
        let wall_ns = self.run_clock.now_ns().saturating_sub(self.free_ns);
        self.free_ns += wall_ns;
        self.cases[turn.case].spent_ns += wall_ns;
        match heard {
            Attempt::Interrupted => {
                self.interrupted = true;
                worker.dismiss();
                None
            }
            Attempt::Visit(visit) => {
                let inside = self.rules.frequency.nanos(visit.visit_ticks);
                self.starts.count(wall_ns, inside);
                self.scouted(turn, &visit);
                // A process takes about a millisecond to start, most of it without the coordinator:
                // meanwhile the one before ends, and its samples are written.
                let next = self.hired(spawner);
                let left = worker.dismiss();
                self.cases[turn.case].left_processes += u32::from(left.left_processes);
                self.take(turn, visit, observer);
                next
            }
            // `attempt` takes a visit for a plan that asks for one, and nothing else.
            Attempt::Rounds(_) => None,
            Attempt::Memory(_) => {
                // Not asked for here, and so not heard.
                worker.dismiss();
                None
            }
            Attempt::Fault(mut fault) => {
                let left = worker.dismiss();
                self.cases[turn.case].left_processes += u32::from(left.left_processes);
                if fault.stderr.is_empty() {
                    fault.stderr = left.stderr;
                }
                self.note(turn, fault, observer);
                None
            }
        }
    }

    /// If this was the scout, decides how many launches the case gets, and how long batches are.
    #[inline(never)]
    fn scouted(&mut self, turn: Turn, visit: &Visit) {
        if turn.length.is_some() {
            return;
        }
        let reached = &mut self.cases[turn.case];
        let cost = expected_cost(visit, &self.rules.frequency);
        reached.launches = launch_count(reached.settings, cost, self.rules.needed());
        reached.time_ns = time_ns(reached.settings, cost, self.rules.needed());
        // Half as much again is what warming up and starting processes may take.
        let all_ns = cost.saturating_mul(u64::from(reached.launches));
        reached.is_prolonged =
            reached.settings.launches_fixed && all_ns / 3 * 2 > reached.settings.budget();
        reached.overhead = Overhead::of(visit, &self.rules.frequency);
        self.schedule
            .scouted(turn.case, visit.length, reached.launches - 1);
    }

    fn take(&mut self, turn: Turn, visit: Box<Visit>, observer: &mut dyn Observer) {
        self.done += 1;
        let (visits, visit_ticks, batch_ticks) = &mut self.made;
        *visits += 1;
        *visit_ticks = visit_ticks.saturating_add(visit.visit_ticks);
        *batch_ticks = batch_ticks.saturating_add(ticks_inside(&visit.batches));
        let reached = &mut self.cases[turn.case];
        reached.otherwise = visit.measured.is_some();
        reached.visits.push(stored_launch::keep(&visit, observer));
        reached.quota.count(&visit);
        self.repeat_contended(turn.case);
    }

    /// Adds launches to a case that has none left, in the place of contended ones.
    fn repeat_contended(&mut self, case: usize) {
        let reached = &self.cases[case];
        let ended = reached.quota.made() + reached.failed;
        // Looks at the precision get more launches in another way.
        if reached.settings.precision.is_none() && self.schedule.is_done(case, ended) {
            let (spent_ns, time_ns) = (reached.spent_ns, reached.time_ns);
            let (launches, needed) = (reached.launches, self.rules.needed());
            let more = reached.quota.more(launches, needed, spent_ns, time_ns);
            self.schedule.add(case, more);
            if more > 0 {
                self.schedule.shuffle();
            }
        }
    }

    #[cold]
    fn note(&mut self, turn: Turn, fault: Fault, observer: &mut dyn Observer) {
        self.done += 1;
        self.schedule.failed(turn.case);
        self.cases[turn.case].failed += 1;
        observer.entry(Entry::Fault(&fault));
        self.faults.push(fault);
        self.repeat_contended(turn.case);
    }

    /// Whether a case that was asked for a precision has not reached it.
    fn is_too_wide(&self, reached: &Reached<'_>, observer: &mut dyn Observer) -> bool {
        let Some(precision) = reached.settings.precision else {
            return false;
        };
        let results = self.results(reached, observer);
        // That of its time is the first one.
        let Some(time) = results.first() else {
            return false;
        };
        match (time.estimate, time.lower, time.upper) {
            // An interval of single processes, because others were contended, is no precision.
            (Ok(estimate), Some(lower), Some(upper)) => {
                let of_process = time.scope == Scope::Process;
                of_process && reached.launches >= self.rules.needed()
                    || (upper - lower) / 2.0 > precision * estimate.abs()
            }
            // Too few launches for an interval, or for a figure.
            (Ok(_) | Err(Absence::MachineBusy | Absence::TooScattered), _, _) => true,
            // What is below the resolution stays there.
            (Err(_), _, _) => false,
        }
    }

    fn results(&self, reached: &Reached<'_>, observer: &mut dyn Observer) -> Vec<CaseResult> {
        let (visits, lost) = stored_launch::all(&reached.visits, observer);
        let mut tally = reached.tally();
        tally.failed += lost;
        let mut results = estimate(&reached.case.id, &visits, &tally, &self.rules);
        if let (Some(time), 1..) = (results.first_mut(), reached.left_processes) {
            let launches = reached.left_processes;
            time.notes.push(Note::ProcessesLeft { launches });
        }
        reached.memory.add_to(&reached.case.id, &mut results);
        results
    }

    fn end(mut self, observer: &mut dyn Observer) -> Outcome {
        let clock_check = self.run_clock.check();
        let meanwhile = self.run_clock.meanwhile();
        let frequency = &self.rules.frequency;
        let disagreement = clock_check.and_then(|check| frequency.disagreement(&check));
        if let (None, Some(check)) = (self.rules.frequency.error_ppm, clock_check) {
            // The clock's own word is missing: what the run saw bounds its error as well.
            self.rules.frequency.error_ppm = Some(check.deviation_ppm.abs() + check.bound_ppm);
        }
        let (visits, visit_ticks, batch_ticks) = self.made;
        let visit_ticks = visit_ticks.saturating_add(self.afterwards_ticks.0);
        let batch_ticks = batch_ticks.saturating_add(self.afterwards_ticks.1);
        let exit_code = match (self.interrupted, self.faults.is_empty()) {
            (true, _) => EXIT_INTERRUPTED,
            (false, false) => EXIT_FAILED,
            (false, true) => 0,
        };
        let visits_ns = self.rules.frequency.nanos(visit_ticks);
        let visits_ns = self.cases.iter().fold(visits_ns, |sum, reached| {
            sum.saturating_add(reached.memory.visits_ns())
        });
        let mut end = End {
            wall_ns: self.run_clock.now_ns().saturating_sub(self.started_ns),
            visits_ns,
            batches_ns: self.rules.frequency.nanos(batch_ticks),
            visits,
            faults: self.faults.len() as u64,
            interrupted: self.interrupted,
            clock_check,
            meanwhile,
            exit_code,
            unknown: String::new(),
        };
        let mut results = Vec::new();
        for reached in &self.cases {
            let mut of_case = self.results(reached, observer);
            if let Some(ppm) = disagreement {
                void_times(&mut of_case, ppm);
            }
            for result in &of_case {
                observer.entry(Entry::Result(result));
            }
            results.append(&mut of_case);
        }
        let cases = self.cases.iter().map(|reached| reached.case);
        if end.exit_code == 0 && series(cases, &results).iter().any(Series::exceeds) {
            end.exit_code = EXIT_FAILED;
        }
        observer.entry(Entry::End(&end));
        Outcome {
            results,
            faults: self.faults,
            end,
            interrupted: self.interrupted,
        }
    }
}
