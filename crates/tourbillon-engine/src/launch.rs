//! One launch: one case, measured in this process.

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::{
    BatchShape, Batches, Frame, LaunchSamples, Metric, Pauses, Pilot, Plan, SystemCounts, Team,
    Warmup,
};
use tourbillon_stats::Rng;

use crate::arm::{About, Arm, Pace, Suite};
use crate::arms::residual;
use crate::calibrate::{Budget, pilot, still_fits, warm_up};
use crate::find::{Opened, find};
use crate::heartbeat::Heartbeat;
use crate::meter::{Meter, with_meter};
use crate::sample::{Probes, Sampled, Until, begins_contended, read_fenced, sample};

/// Empty pauses in a calibration reading.
const PAIRS: u64 = 256;
/// Calibration readings of pauses in a launch.
const PAUSE_READINGS: usize = 9;
/// Readings of the reference chain and the empty loop in the launch of an isolated case.
const ISOLATED_ROUNDS: u64 = 9;

/// Most calls at a rate in a launch: their durations take 8 MiB.
const MOST_DUE: u64 = 1 << 20;

/// The length of the batches that are looked at, in short ones: code that walks on through its memory from one
/// batch to the next, at 8 bytes per nanosecond, gets through 6 MiB in that time.
const TOUCHING_BATCHES: u64 = 12;

/// The system, as far as this crate asks it anything.
pub trait System: Sync {
    /// What it has counted up to now.
    fn counts(&self) -> SystemCounts {
        SystemCounts::default()
    }

    /// Has it forget what memory was touched; `None` where it cannot. The value is for
    /// [`System::touched_bytes`].
    fn forget_touched(&self) -> Option<u64> {
        None
    }

    /// Bytes of memory that were touched since; `None` where that is unknown.
    fn touched_bytes(&self, _forgotten: u64) -> Option<u64> {
        None
    }

    /// Threads of the process, the calling one included; `None` where that is unknown.
    fn threads(&self) -> Option<Threads> {
        None
    }

    /// What reads a processor time; `None` where it has nothing that does.
    fn meter(&self, _metric: Metric) -> Option<Box<dyn Meter>> {
        None
    }
}

/// Threads of a process, the calling one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// All that stay.
    pub all: u32,
    /// Those of them that do not sleep; `None` where that is unknown.
    pub working: Option<u32>,
}

/// A system that knows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl System for Silent {}

/// Makes the launch that `plan` asks for and sends signs of life, then the samples or a fault. `system` is asked for
/// its counters before the first sample and after the last, for its threads after that, and, in a pilot launch, what
/// memory batches touch.
///
/// A case is measured in the metric that the plan asks for, else in its own; a body that returns a number, in that.
///
/// A panic of the benchmark goes through to the caller.
pub fn run_launch(
    suite: &dyn Suite,
    plan: &Plan,
    clock: &Clock,
    system: &dyn System,
    send: &mut (dyn FnMut(Frame) + Send),
) {
    let mut measure = |arm: &mut dyn Arm, about, opened, send: &mut dyn FnMut(Frame)| {
        let meter_of = |metric| system.meter(metric);
        let launch = with_meter(arm, about, plan.metric, clock, meter_of, |arm, about| {
            measured(arm, about, plan, clock, opened, system, send)
        })?;
        Ok(Frame::Launch(Box::new(launch)))
    };
    find(suite, plan, clock, &mut measure, send);
}

/// Measures `arm` in this process as `plan` asks, outside of any suite.
///
/// # Errors
///
/// What the body returned at its first call, if that is an error.
pub fn measure(
    arm: &mut dyn Arm,
    about: About,
    plan: &Plan,
    clock: &Clock,
    send: &mut dyn FnMut(Frame),
) -> Result<LaunchSamples, String> {
    let opened = Opened::now(clock);
    measured(arm, about, plan, clock, opened, &Silent, send)
}

/// First call, pilot, warm-up, samples; for an isolated case only the first call.
pub(crate) fn measured(
    arm: &mut dyn Arm,
    about: About,
    plan: &Plan,
    clock: &Clock,
    opened: Opened,
    system: &dyn System,
    send: &mut dyn FnMut(Frame),
) -> Result<LaunchSamples, String> {
    let mut launch = begun(plan, &about, opened);
    launch.setup_ticks = since(clock, opened.ticks);
    // From here on threads are noted.
    arm.team();
    let first = arm.first(clock)?;
    launch.first_call_ticks = first.ticks.0;
    let asked = Asked {
        about: &about,
        plan,
        clock,
        system,
        budget: Budget::of(plan, about.measures).for_calls(arm.pace()),
        began: clock.now(),
        first_work: arm.work().unwrap_or(first.ticks.0),
    };
    let mut heartbeat = Heartbeat::new(plan, clock, send);
    // With its preparation; a body that times itself may return less than its call takes.
    let took = since_opened(asked.began, opened).saturating_sub(launch.setup_ticks);
    let took = u128::from(took.max(first.ticks.0));
    let first_call_ns = took * 1_000_000_000 / u128::from(plan.tick_hz.max(1));
    heartbeat.first_call(u64::try_from(first_call_ns).unwrap_or(u64::MAX));

    if arm.limits().pauses {
        let readings = (0..PAUSE_READINGS).filter_map(|_| residual(clock, PAIRS));
        launch.pauses = Some(Pauses {
            pairs: PAIRS,
            residual_ticks: readings.collect(),
        });
    }
    let mut rng = Rng::new(Rng::new(plan.seed).derive(1));
    let mut alive = || heartbeat.beat();
    let probes = if about.isolated {
        launch.team = arm.team();
        launch.batches = isolated(arm, clock, &about, first.ticks, first.pauses);
        let until = Until::rounds(ISOLATED_ROUNDS);
        sample(None, clock, &mut rng, asked.began, until, &mut alive)
    } else {
        asked.rounds(&mut launch, arm, &mut rng, &mut alive)
    };
    launch.measured = arm.noted()?;
    launch.chain = probes.chain;
    launch.empty = probes.empty;
    launch.fixed_item = probes.fixed_item;
    launch.launch_ticks = since(clock, opened.ticks);
    // While the arm lives: a pool or a runtime that it holds has its threads.
    if let Some(threads) = system.threads() {
        let of_team = others_of(launch.team.as_ref());
        launch.threads = Some(threads.all.saturating_sub(of_team));
        launch.working_threads = threads
            .working
            .map(|working| working.saturating_sub(of_team).max(1));
    }
    Ok(launch)
}

/// Threads that run the body together with this one.
fn others_of(team: Option<&Team>) -> u32 {
    let others = team.map_or(0, |team| team.threads.saturating_sub(1));
    u32::try_from(others).unwrap_or(u32::MAX)
}

fn since_opened(now: Ticks, opened: Opened) -> u64 {
    now.0.wrapping_sub(opened.ticks.0)
}

fn since(clock: &Clock, earlier: Ticks) -> u64 {
    clock.now().0.wrapping_sub(earlier.0)
}

/// A launch without samples.
fn begun(plan: &Plan, about: &About, opened: Opened) -> LaunchSamples {
    LaunchSamples {
        case: plan.case.clone(),
        launch: plan.launch,
        pilot_launch: plan.batch_shape.is_none(),
        seed: plan.seed,
        pid: crate::process_id(),
        started_unix_ns: opened.unix_ns,
        terminal: about.recorded_terminal(),
        drop_inside: about.drop_inside,
        ops_per_iteration: about.ops_per_iteration,
        throughput: about.throughput,
        warmup: Warmup {
            settled: true,
            ..Warmup::default()
        },
        batch_shape: BatchShape::of_items(1),
        core_kind: plan.core_kind.clone(),
        ..LaunchSamples::default()
    }
}

/// The first call of an isolated case as its only batch. If an amount is measured, also the amounts of regions
/// without a call.
fn isolated(arm: &mut dyn Arm, clock: &Clock, about: &About, first: Ticks, pauses: u64) -> Batches {
    let mut batches = Batches {
        kind: vec![1],
        ticks: vec![first.0],
        ..Batches::default()
    };
    if arm.limits().pauses {
        batches.pauses.push(pauses);
    }
    if about.measures.is_some() {
        arm.note();
        for _ in 0..ISOLATED_ROUNDS {
            batches.kind.push(0);
            let none = BatchShape::of_items(0);
            batches.ticks.push(arm.batch(clock, none).ticks.0);
            arm.note();
        }
    }
    batches
}

/// What the launch of a body that is called again and again was asked for.
struct Asked<'a> {
    about: &'a About,
    plan: &'a Plan,
    clock: &'a Clock,
    system: &'a dyn System,
    budget: Budget,
    began: Ticks,
    /// Ticks of the first call.
    first_work: u64,
}

impl Asked<'_> {
    /// Finds the length of the batches, warms up and takes the rounds. Adds them to `launch`, and returns the
    /// readings of the probes.
    fn rounds(
        &self,
        launch: &mut LaunchSamples,
        arm: &mut dyn Arm,
        rng: &mut Rng,
        alive: &mut dyn FnMut(),
    ) -> Probes {
        let (about, plan, clock, budget) = (self.about, self.plan, self.clock, &self.budget);
        let is_timed = about.measures.is_none();
        let length = self.length(arm, &mut launch.pilot);
        launch.batch_shape = length;
        let is_short = length.slope || self.first_work < budget.warmup;
        if is_short
            && is_timed
            && let Some(probes) = begins_contended(clock, plan.contended_from)
        {
            return probes;
        }
        if is_short && !about.is_sampled() {
            launch.warmup = warm_up(arm, clock, length, budget.warmup);
        }
        // What was noted before does not belong to the samples.
        let is_team = arm.team().is_some();
        // A counter has the cycles of one thread, and reading it would be in every pause.
        let can_count = !is_team && !arm.limits().pauses && is_timed;
        let counting = can_count.then(|| clock.counting_cycles()).flatten();
        arm.time_calls(clock, plan.tick_hz);
        let until = match arm.pace() {
            Some(Pace::PerSecond(_)) => Until::around_one(ISOLATED_ROUNDS),
            _ => Until::new(budget.samples, plan.min_iterations, length),
        };
        let mut sampled = Sampled::new(arm, length, counting);
        let earlier = self.system.counts();
        let sampling = clock.now();
        let probes = sample(Some(&mut sampled), clock, rng, self.began, until, alive);
        let took = since(clock, sampling);
        launch.counted = self.system.counts().since(earlier);
        launch.batches = sampled.into_batches();
        launch.team = arm.team();
        launch.calls = arm.calls();
        // What follows is about cycles.
        if is_timed && probes.chain.is_some() {
            if about.ops_per_iteration == 1 {
                launch.fenced = read_fenced(arm, clock, length, &launch.batches, rng);
            }
            if launch.pilot_launch {
                // Rounds have one batch of no iterations, and one or two more.
                let batch = took / (launch.batches.kind.len() as u64).div_ceil(2).max(1);
                launch.touched_bytes =
                    touched_bytes(arm, clock, length, batch, budget, self.system);
            }
        }
        probes
    }

    /// The length that the pilot launch found, if it still fits; otherwise that of a new pilot.
    fn length(&self, arm: &mut dyn Arm, steps: &mut Pilot) -> BatchShape {
        let (clock, plan, budget) = (self.clock, self.plan, &self.budget);
        let pace = arm.pace();
        let due = pace.and_then(|pace| pace.due_in(budget.samples, plan.tick_hz));
        let given = plan.batch_shape;
        let given = given.filter(|&length| still_fits(arm, clock, plan, length, budget, steps));
        let length =
            given.unwrap_or_else(|| pilot(arm, clock, plan, budget, self.first_work, steps));
        BatchShape {
            // What is known to a step only is not known better from the difference of two lengths, and batches
            // of many steps are longer than any warm-up.
            slope: length.slope && !self.about.is_sampled() && pace.is_none(),
            // At a rate all calls are one batch, so that a stall delays every call that is due after it.
            items: due.map_or(length.items, |due| {
                due.max(plan.min_iterations).min(MOST_DUE)
            }),
            ..length
        }
    }
}

/// Bytes that some batches of a case touch; `None` where the system does not know, or where a batch takes too
/// long to be run once more: `batch` ticks with all that is around it.
fn touched_bytes(
    arm: &mut dyn Arm,
    clock: &Clock,
    length: BatchShape,
    batch: u64,
    budget: &Budget,
    system: &dyn System,
) -> Option<u64> {
    if batch > budget.extra {
        return None;
    }
    let forgotten = system.forget_touched()?;
    let start = clock.now();
    loop {
        arm.batch(clock, length);
        if clock.now().0.wrapping_sub(start.0) >= budget.batch.saturating_mul(TOUCHING_BATCHES) {
            return system.touched_bytes(forgotten);
        }
    }
}
