//! One visit: one case, measured in this process.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Ticks, wall};
use tourbillon_record::{
    BatchShape, Batches, Case, Empty, Fault, FaultKind, Frame, Pauses, Pilot, Plan, SystemCounts,
    Visit, Warmup,
};
use tourbillon_stats::Rng;

use crate::Stretch;
use crate::alone::read_apart;
use crate::arms::residual;
use crate::budget::Budget;
use crate::contention::contention;
use crate::pilot::{pilot, still_fits};
use crate::randomize_layout::redrawn;
use crate::sampling::{Beside, Sampled, Until, sample};
use crate::warmup::warm_up;
use crate::working_set::touched_bytes;
use crate::{About, Arm, CaseOptions, Drive, Silent, Suite, System, Visitor};

/// Empty pauses in a calibration reading.
const PAIRS: u64 = 256;
/// Calibration readings of pauses in a visit.
const PAUSE_READINGS: usize = 9;
/// Readings of the reference chain and the empty loop beside an isolated call.
const ISOLATED_ROUNDS: u64 = 9;

/// Makes the visit that `plan` asks for and tells `send` what came of it: signs of life, then the
/// samples or a fault. `system` is asked for its counters before the first sample and after the
/// last, and, where this visit is the scout, what memory batches touch behind them.
///
/// A panic of the benchmark goes through to the caller.
pub fn visit(
    suite: &dyn Suite,
    plan: &Plan,
    clock: &Clock,
    system: &dyn System,
    send: &mut dyn FnMut(Frame),
) {
    let mut measure = |arm: &mut dyn Arm, about, opened, send: &mut dyn FnMut(Frame)| {
        let visit = measured(arm, about, plan, clock, opened, system, send)?;
        Ok(Frame::Visit(Box::new(visit)))
    };
    find(suite, plan, clock, &mut measure, send);
}

/// Has `measure` measure the arm of the case of `plan`, and tells `send` what came of it.
#[inline(never)]
pub(crate) fn find(
    suite: &dyn Suite,
    plan: &Plan,
    clock: &Clock,
    measure: Measure<'_>,
    send: &mut dyn FnMut(Frame),
) {
    let mut rng = Rng::new(plan.seed);
    let mut found = Found {
        plan,
        clock,
        measure,
        send,
        outcome: Outcome::UnknownCase,
    };
    redrawn(&mut rng, &mut || suite.visit(&mut found));
    let frame = match found.outcome {
        Outcome::Measured(frame) => frame,
        Outcome::Failed(error) => fault(plan, FaultKind::Error, error),
        Outcome::NoTerminal => fault(plan, FaultKind::NoTerminal, String::new()),
        Outcome::UnknownCase => fault(plan, FaultKind::UnknownCase, String::new()),
    };
    (found.send)(frame);
}

/// What a worker says of its own fault.
#[inline(never)]
pub(crate) fn fault(plan: &Plan, kind: FaultKind, message: String) -> Frame {
    Frame::Fault(Fault {
        case: plan.case.clone(),
        launch: plan.launch,
        kind,
        message,
        place: None,
        stderr: String::new(),
        unknown: String::new(),
    })
}

/// Measures the arm of a case: what there is to be said of it, or why it failed.
pub(crate) type Measure<'m> =
    &'m mut dyn FnMut(&mut dyn Arm, About, Opened, &mut dyn FnMut(Frame)) -> Result<Frame, String>;

/// Measures `arm` in this process as `plan` asks, outside of any suite.
///
/// # Errors
///
/// What the body returned at its first call, when that says that it failed.
#[inline]
pub fn measure(
    arm: &mut dyn Arm,
    about: About,
    plan: &Plan,
    clock: &Clock,
    send: &mut dyn FnMut(Frame),
) -> Result<Visit, String> {
    let opened = Opened::now(clock);
    measured(arm, about, plan, clock, opened, &Silent, send)
}

/// What came of looking for the case.
enum Outcome {
    UnknownCase,
    NoTerminal,
    Failed(String),
    Measured(Frame),
}

/// When a visit began.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    ticks: Ticks,
    unix_ns: u64,
}

impl Opened {
    fn now(clock: &Clock) -> Self {
        Self {
            unix_ns: wall::unix_ns(),
            ticks: clock.now(),
        }
    }
}

/// Looks for the case of the plan and measures it.
struct Found<'v> {
    plan: &'v Plan,
    clock: &'v Clock,
    measure: Measure<'v>,
    send: &'v mut dyn FnMut(Frame),
    outcome: Outcome,
}

impl Visitor for Found<'_> {
    fn wants(&self, id: &str) -> bool {
        id == self.plan.case
    }

    fn case(
        &mut self,
        case: &Case,
        options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if !self.wants(&case.id) {
            return ControlFlow::Continue(());
        }
        // A coordinator that is another program knows no more of the case than its name.
        if options.timeout_ns.is_some() {
            (self.send)(Frame::Progress {
                first_call_ns: 0,
                timeout_ns: options.timeout_ns,
            });
        }
        let mut driver = Measuring {
            measure: self.measure,
            send: self.send,
            opened: Opened::now(self.clock),
            outcome: Outcome::NoTerminal,
        };
        let returned = body(&mut driver);
        self.outcome = match (returned, driver.outcome) {
            (Err(error), _) => Outcome::Failed(error),
            (Ok(()), outcome) => outcome,
        };
        ControlFlow::Break(())
    }
}

/// Measures the arm that it is handed.
struct Measuring<'v> {
    measure: Measure<'v>,
    send: &'v mut dyn FnMut(Frame),
    opened: Opened,
    outcome: Outcome,
}

impl Drive for Measuring<'_> {
    fn drive(&mut self, arm: &mut dyn Arm, about: About) {
        let outcome = (self.measure)(arm, about, self.opened, self.send);
        self.outcome = match outcome {
            Ok(frame) => Outcome::Measured(frame),
            Err(error) => Outcome::Failed(error),
        };
    }
}

/// First call, pilot, warm-up, samples; for an isolated case the first call only.
pub(crate) fn measured(
    arm: &mut dyn Arm,
    about: About,
    plan: &Plan,
    clock: &Clock,
    opened: Opened,
    system: &dyn System,
    send: &mut dyn FnMut(Frame),
) -> Result<Visit, String> {
    let since = |earlier: Ticks| clock.now().0.wrapping_sub(earlier.0);
    let setup_ticks = since(opened.ticks);

    // From here on.
    arm.team();
    let first = arm.first(clock)?;
    let mut visit = begun(plan, &about, opened);
    visit.setup_ticks = setup_ticks;
    visit.first_call_ticks = first.ticks.0;
    if about.isolated {
        visit.batches.kind.push(1);
        visit.batches.ticks.push(first.ticks.0);
        if arm.limits().pauses {
            visit.batches.pauses.push(first.pauses);
        }
    }
    sampled(&mut visit, arm, &about, plan, clock, system, send)?;
    visit.visit_ticks = since(opened.ticks);
    Ok(visit)
}

/// A visit of which nothing is known yet but what it is of.
#[inline(never)]
fn begun(plan: &Plan, about: &About, opened: Opened) -> Visit {
    let mut terminal = String::new();
    if about.isolated {
        terminal.push_str("isolated.");
    }
    terminal.push_str(about.terminal);
    Visit {
        case: plan.case.clone(),
        launch: plan.launch,
        scout: plan.length.is_none(),
        seed: plan.seed,
        pid: std::process::id(),
        started_unix_ns: opened.unix_ns,
        terminal,
        drop_inside: about.drop_inside,
        ops_per_iteration: about.ops_per_iteration,
        throughput: about.throughput,
        setup_ticks: 0,
        first_call_ticks: 0,
        pilot: Pilot::default(),
        warmup: Warmup {
            settled: true,
            ..Warmup::default()
        },
        length: BatchShape {
            windows: 1,
            items: 1,
            unroll: 1,
            slope: false,
        },
        batches: Batches::default(),
        chain: None,
        empty: Empty::default(),
        pauses: None,
        fixed_item: None,
        apart: None,
        measured: None,
        team: None,
        visit_ticks: 0,
        threads: None,
        counted: SystemCounts::default(),
        touched_bytes: None,
        unknown: String::new(),
    }
}

/// Tells of the first call, and adds the samples behind it.
fn sampled(
    visit: &mut Visit,
    arm: &mut dyn Arm,
    about: &About,
    plan: &Plan,
    clock: &Clock,
    system: &dyn System,
    send: &mut dyn FnMut(Frame),
) -> Result<(), String> {
    let since = |earlier: Ticks| clock.now().0.wrapping_sub(earlier.0);
    let began = clock.now();
    let budget = Budget::of(plan, about.measures);
    let first_ticks = visit.first_call_ticks;
    let first_work = arm.work().unwrap_or(first_ticks);
    let first_call_ns = u128::from(first_ticks) * 1_000_000_000 / u128::from(plan.tick_hz.max(1));
    let first_call_ns = u64::try_from(first_call_ns).unwrap_or(u64::MAX);
    send(Frame::Progress {
        first_call_ns,
        timeout_ns: None,
    });

    if about.isolated {
        visit.team = arm.team();
    }
    if arm.limits().pauses {
        let mut residual_ticks = Vec::new();
        for _ in 0..PAUSE_READINGS {
            if let Some(residual) = residual(clock, PAIRS) {
                residual_ticks.push(residual);
            }
        }
        visit.pauses = Some(Pauses {
            pairs: PAIRS,
            residual_ticks,
        });
    }
    let mut last_sign = clock.now();
    let mut alive = || {
        if since(last_sign) >= budget.silence {
            send(Frame::Progress {
                first_call_ns,
                timeout_ns: None,
            });
            last_sign = clock.now();
        }
    };
    let mut rng = Rng::new(Rng::new(plan.seed).derive(1));
    let beside = if about.isolated {
        note_isolated(arm, clock, about, &mut visit.batches);
        sample(
            &mut [],
            clock,
            &mut rng,
            began,
            Until::rounds(ISOLATED_ROUNDS),
            &mut alive,
        )
    } else {
        let asked = Asked {
            about,
            plan,
            clock,
            system,
            budget,
            began,
            first_work,
        };
        asked.rounds(visit, arm, &mut rng, &mut alive)
    };
    {
        visit.measured = arm.noted()?;
    }
    visit.chain = beside.chain;
    visit.empty = beside.empty;
    visit.fixed_item = beside.fixed_item;
    Ok(())
}

/// What a visit of a body that is called again and again was asked for.
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
    /// Finds the length of the batches, warms up and takes the rounds: adds to `visit` what they were, and
    /// gives what stands beside them.
    fn rounds(
        &self,
        visit: &mut Visit,
        arm: &mut dyn Arm,
        rng: &mut Rng,
        alive: &mut dyn FnMut(),
    ) -> Beside {
        let Asked {
            about,
            plan,
            clock,
            system,
            budget,
            began,
            first_work,
        } = *self;
        let steps = &mut visit.pilot;
        let given = plan
            .length
            .filter(|&length| still_fits(arm, clock, length, &budget, steps));
        let mut length =
            given.unwrap_or_else(|| pilot(arm, clock, plan, &budget, first_work, steps));
        if about.is_sampled() {
            // What is known to a step only is not known better from the difference of two lengths,
            // and batches of many steps are longer than any warming up.
            length.slope = false;
        }
        let is_short = length.slope || first_work < budget.warmup;
        visit.length = length;
        if is_short
            && about.measures.is_none()
            && let Some(beside) = contention(clock, plan.contended_from)
        {
            return beside;
        }
        if is_short && !about.is_sampled() {
            visit.warmup = warm_up(arm, clock, length, budget.warmup);
        }
        // What was noted before is not of the samples.
        let is_team = arm.team().is_some();
        // A counter has the cycles of one thread, and reading it would be in every pause.
        let counting = if is_team || arm.limits().pauses || about.measures.is_some() {
            None
        } else {
            clock.counting_cycles()
        };
        let mut arms = [Sampled::new(arm, length, counting)];
        let earlier = system.counts();
        let sampling = clock.now();
        let until = Until::new(budget.samples, plan.min_iterations, length);
        let beside = sample(&mut arms, clock, rng, began, until, alive);
        let took = clock.now().0.wrapping_sub(sampling.0);
        visit.counted = system.counts().since(earlier);
        let [sampled] = arms;
        visit.batches = sampled.into_batches();
        visit.team = arm.team();
        let is_op = about.ops_per_iteration == 1 && about.measures.is_none();
        if is_op && beside.chain.is_some() {
            visit.apart = read_apart(arm, clock, length, &visit.batches, rng);
        }
        // Only about cycles is there something to be said.
        if visit.scout && beside.chain.is_some() && about.measures.is_none() {
            // Rounds have one of no iterations, and one or two more.
            let batch = took / (visit.batches.kind.len() as u64).div_ceil(2).max(1);
            visit.touched_bytes = touched_bytes(arm, clock, length, batch, &budget, system);
        }
        beside
    }
}

/// Notes what the one call of an isolated case came to, and beside it what regions without a call do.
fn note_isolated(arm: &mut dyn Arm, clock: &Clock, about: &About, batches: &mut Batches) {
    if about.measures.is_none() {
        return;
    }
    arm.note();
    for _ in 0..ISOLATED_ROUNDS {
        let none = Stretch {
            windows: 1,
            items: 0,
            unroll: 1,
        };
        batches.kind.push(0);
        batches.ticks.push(arm.batch(clock, none).ticks.0);
        arm.note();
    }
}
