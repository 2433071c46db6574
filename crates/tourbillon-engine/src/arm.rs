//! Arms: bodies together with the way in which they are repeated. Suites: where they come from.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::{
    BatchShape, Calls, Case, CaseOptions, Measured, Metric, OwnMetric, Team, Throughput,
};
use tourbillon_stats::Rng;

use crate::arms::LoopKind;

/// A body that can be run batch by batch.
///
/// The one call of [`Arm::batch`] per batch is the only dynamic dispatch on the way to the timed
/// loop. An arm borrows its body from the stack frame of the benchmark, so that several arms can be
/// alive at once and run in any order.
pub trait Arm {
    /// Runs one batch: `shape.windows` times, prepares inputs, then times `shape.items` iterations. A shape of
    /// zero items times nothing: the fixed cost.
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading;

    /// Runs a batch on one item alone, for a body that otherwise gets one item after the other; `pick`
    /// decides which. `None` for other bodies.
    fn fixed_item(&mut self, _clock: &Clock, _shape: BatchShape, _pick: u64) -> Option<Reading> {
        None
    }

    /// Runs a batch of `ops` iterations, each of which begins when the one before is over, if `fenced`.
    /// `None` for bodies whose calls wait for each other anyway, or that cannot be run so.
    fn batch_with_fences(&mut self, _clock: &Clock, _ops: u64, _fenced: bool) -> Option<Ticks> {
        None
    }

    /// Runs one iteration as the first one of the process and checks what it returned.
    ///
    /// # Errors
    ///
    /// What the body returned, if that is an error.
    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        Ok(self.batch(clock, BatchShape::of_items(1)))
    }

    /// Ticks of work in the batch before, or in the first call, which decide its length: for a body whose
    /// threads also wait for each other's start. `None` where all of the batch is work.
    fn work(&self) -> Option<u64> {
        None
    }

    /// What was noted of the threads of a body that has several, batch by batch since the last call;
    /// nothing is noted before the first one. `None` for other bodies.
    fn team(&mut self) -> Option<Team> {
        None
    }

    /// What a batch of this arm may look like.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// The loop around its body.
    fn loop_kind(&self) -> LoopKind {
        LoopKind::Calls
    }

    /// Notes the amount of the batch before as a sample, where an amount is measured.
    fn note(&mut self) {}

    /// What was noted, for the record; `None` where only wall time is measured.
    ///
    /// # Errors
    ///
    /// Why it is unusable.
    fn noted(&mut self) -> Result<Option<Box<Measured>>, String> {
        Ok(None)
    }

    /// Whether calls are timed one by one, and when each begins; `None` for other bodies.
    fn pace(&self) -> Option<Pace> {
        None
    }

    /// From here on times each call by itself, of a clock of `tick_hz`. Does nothing for other bodies.
    fn time_calls(&mut self, _clock: &Clock, _tick_hz: u64) {}

    /// The calls since [`Arm::time_calls`]; no more are timed. `None` for other bodies.
    fn calls(&mut self) -> Option<Box<Calls>> {
        None
    }

    /// Moves to another address, drawn from `rng`: an arm that cannot be moved stays.
    fn settle(&mut self, _rng: &mut Rng) {}
}

/// When calls that are timed one by one begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// When the call before has ended.
    BackToBack,
    /// So many in a second, at equal distances, whether or not the call before has ended.
    PerSecond(f64),
}

/// What is measured in place of wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measures {
    /// The metric.
    pub metric: Metric,
    /// Only for [`Metric::Own`].
    pub own: Option<Number>,
    /// The step in which the system attributes time, in nanoseconds; `None` for amounts that are as good as
    /// the clock after them. A batch takes many steps.
    pub step_ns: Option<u64>,
}

/// A number that bodies return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// Whether a larger one is the better one.
    pub more_is_better: bool,
}

impl Number {
    /// The metric in a record.
    pub fn recorded(self) -> OwnMetric {
        OwnMetric {
            name: self.name.to_owned(),
            unit: self.unit.to_owned(),
            more_is_better: self.more_is_better,
        }
    }
}

/// What one batch read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Ticks inside the timed region, windows summed, pauses excluded.
    pub ticks: Ticks,
    /// Pauses that were excluded.
    pub pauses: u64,
}

impl Reading {
    /// A reading without pauses.
    pub(crate) fn of(ticks: u64) -> Reading {
        Reading {
            ticks: Ticks(ticks),
            pauses: 0,
        }
    }
}

/// What a batch of an arm may look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that a window holds for each item, inputs and outputs together; `None` for an arm
    /// that needs no windows.
    pub window_bytes_per_item: Option<usize>,
    /// Most items that a window may hold, where the benchmark limits how many inputs are alive; `None`
    /// elsewhere.
    pub window_items: Option<u64>,
    /// Whether the inner loop may hold eight copies of the body.
    pub unrolls: bool,
    /// Whether the body can pause the clock.
    pub pauses: bool,
    /// Whether the body loops itself: a call may have costs besides those of its iterations, and none of no
    /// iterations is made.
    pub loops_itself: bool,
}

impl Limits {
    /// Windows of this many bytes for each item.
    pub(crate) fn windows(bytes: usize) -> Limits {
        Limits {
            window_bytes_per_item: Some(bytes),
            ..Limits::default()
        }
    }
}

/// What a benchmark has set on its `Bencher`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The terminal that was called, such as `iter` or `with_inputs.iter_mut`.
    pub terminal: &'static str,
    /// Whether the drop of outputs is inside the timed region.
    pub drop_inside: bool,
    /// Whether every iteration gets a process of its own: only the first call is measured.
    pub isolated: bool,
    /// Ops in one iteration.
    pub ops_per_iteration: u64,
    /// What an op processes.
    pub throughput: Option<Throughput>,
    /// What is measured; `None` for wall time.
    pub measures: Option<Measures>,
}

impl About {
    /// Whether the system attributes the time that is measured in steps.
    pub(crate) fn is_sampled(&self) -> bool {
        self.measures
            .is_some_and(|measures| measures.step_ns.is_some())
    }

    /// The terminal as records name it.
    pub(crate) fn recorded_terminal(&self) -> String {
        let prefix = if self.isolated { "isolated." } else { "" };
        format!("{prefix}{}", self.terminal)
    }

    /// Why a case of that name cannot be compared batch by batch; `None` where it can be.
    pub(crate) fn not_comparable(&self, name: &str) -> Option<String> {
        let why = match (self.isolated, self.measures) {
            (true, _) => "isolated, each call in a process of its own; remove `isolated()`",
            (_, Some(_)) => "not measured in wall time; `show` puts its records side by side",
            _ => return None,
        };
        Some(format!(
            "`{name}` cannot be compared batch by batch: it is {why}"
        ))
    }
}

/// Takes the arm of a benchmark.
///
/// The arm lives in the stack frame of the terminal that calls [`Drive::drive`]: a driver may run
/// it, or keep the reference while it calls the function of the next arm, and let the innermost
/// call run all of them.
pub trait Drive {
    /// Takes one arm; returns when it is no longer needed.
    fn drive(&mut self, arm: &mut dyn Arm, about: About);

    /// This driver for a `Bencher` that may be used on another thread; `None` for one that keeps arms.
    fn movable(&mut self) -> Option<&mut (dyn Drive + Send)> {
        None
    }
}

/// A collection of cases.
///
/// The functions registered by the `bench` attribute are one; a facade that discovers its cases by
/// running functions is another. Cases come in the same order with the same identities in every
/// process of a run.
pub trait Suite {
    /// Offers every case to `visitor`, until it breaks off.
    fn visit(&self, visitor: &mut dyn Visitor);
}

/// Goes through the cases of a [`Suite`]: to list them, to test them, or to measure one.
pub trait Visitor {
    /// Whether the case with this identity is of interest. A suite that knows identities before it has all of a
    /// case asks this first, so that a worker finds its own among thousands at once.
    fn wants(&self, _id: &str) -> bool {
        true
    }

    /// Whether a case of the function with this path may be of interest: its identity is the path, or the path and
    /// arguments in brackets. A suite whose functions have values asks this before it evaluates them, so that a worker
    /// runs no code of other benchmarks.
    fn wants_some(&self, _path: &str) -> bool {
        true
    }

    /// Takes one case. Calling `body` with a driver runs the benchmark once, up to its terminal,
    /// which hands its arm to the driver; `Err` is what the benchmark returned as its error.
    fn case(
        &mut self,
        case: &Case,
        options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()>;
}
