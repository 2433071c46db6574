//! The parts of a launch that hold its readings in columns.

use crate::codec::{object, same_length};
use crate::members::Members;
use crate::result::check_own;
use crate::{Error, Metric, OwnMetric, Scale};

/// Steps of the pilot, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pilot {
    /// Windows of each step.
    pub windows: Vec<u64>,
    /// Iterations per window of each step.
    pub items: Vec<u64>,
    /// Copies of the body in the inner loop of each step.
    pub unroll: Vec<u32>,
    /// Ticks of each step.
    pub ticks: Vec<u64>,
}

object! {
    Pilot { windows, items, unroll, ticks } columns [windows, items, unroll, ticks]
}

/// The warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warmup {
    /// Batches run to warm up.
    pub batches: u64,
    /// Ticks spent.
    pub ticks: u64,
    /// Whether two doubling windows agreed before the share of the budget was used up.
    pub settled: bool,
}

object! {
    Warmup { batches, ticks, settled }
}

/// Samples in the order in which they were measured; all columns have one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batches {
    /// Relative length: 0 for a batch of no iterations, 1 for the short, 2 for the long one.
    pub kind: Vec<u8>,
    /// Ticks of the batch, windows summed, without pauses.
    pub ticks: Vec<u64>,
    /// Pauses in the batch; empty for bodies that cannot pause.
    pub pauses: Vec<u64>,
    /// Cycles of the batch in user mode, counted by hardware, clock reads included. Empty where no counter covered
    /// every batch, for bodies that pause or run on several threads, and for other metrics than wall time.
    pub cycles: Vec<u64>,
}

object! {
    Batches { kind, ticks, pauses, cycles } check columns
}

impl Batches {
    fn columns(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let mut columns = vec![("kind", self.kind.len()), ("ticks", self.ticks.len())];
        // Empty where there was nothing to count.
        let counted = [("pauses", self.pauses.len()), ("cycles", self.cycles.len())];
        columns.extend(counted.into_iter().filter(|column| column.1 > 0));
        same_length(from, &columns)
    }
}

/// Readings of the reference chain, instructions of known cost in cycles, at two lengths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// What the chain is made of, such as `multiplications of 3 cycles`.
    pub of: String,
    /// Cycles of the core in the short chain.
    pub short_cycles: u64,
    /// Cycles of the core in the long chain.
    pub long_cycles: u64,
    /// How many batches had been measured before each reading.
    pub at: Vec<u64>,
    /// Ticks of the short chain.
    pub short_ticks: Vec<u64>,
    /// Ticks of the long chain.
    pub long_ticks: Vec<u64>,
    /// Chains of additions of as many cycles, which contention slows down more; `None` where they were not read.
    pub additions: Option<Box<Additions>>,
}

object! {
    Chain { of, short_cycles, long_cycles, at, short_ticks, long_ticks, additions } check columns
}

impl Chain {
    fn columns(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let mut columns = vec![
            ("at", self.at.len()),
            ("short_ticks", self.short_ticks.len()),
            ("long_ticks", self.long_ticks.len()),
        ];
        if let Some(additions) = &self.additions {
            columns.push(("additions.short_ticks", additions.short_ticks.len()));
            columns.push(("additions.long_ticks", additions.long_ticks.len()));
        }
        same_length(from, &columns)
    }
}

/// Readings of chains of additions, one cycle each, of the same cycles as the reference chain:
/// contention slows them down more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Additions {
    /// Ticks of the short chain.
    pub short_ticks: Vec<u64>,
    /// Ticks of the long chain.
    pub long_ticks: Vec<u64>,
}

object! {
    Additions { short_ticks, long_ticks }
}

/// Readings of the empty body in the inner loop of 8, at two lengths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Empty {
    /// Ops of the short batch; the long one has twice as many.
    pub ops: u64,
    /// Ticks of the short batches.
    pub short_ticks: Vec<u64>,
    /// Ticks of the long batches.
    pub long_ticks: Vec<u64>,
}

object! {
    Empty { ops, short_ticks, long_ticks }
}

/// Cost of a pause inside the timed region, measured with empty pairs in the same launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pauses {
    /// Empty pairs in each calibration reading.
    pub pairs: u64,
    /// Ticks that this many empty pairs leave in the region, one entry for each reading: those of twice
    /// as many pairs, minus those of this many.
    pub residual_ticks: Vec<u64>,
}

object! {
    Pauses { pairs, residual_ticks }
}

/// What a launch measured in place of wall time; its ticks are wall time nevertheless.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The metric, and its unit.
    ///
    /// * `metric`, text: the metric, one of [`Metric`].
    /// * `unit`, text: its unit.
    pub metric: Metric,
    /// Name and direction, for [`Metric::Own`] and nothing else.
    ///
    /// * `name`, text?: name of the number, of [`Metric::Own`].
    /// * `more_is_better`, flag?: whether a larger one is better, of [`Metric::Own`].
    pub own: Option<OwnMetric>,
    /// Units in which its numbers are shown, of an own metric that has some besides its unit.
    pub units: Scale,
    /// Units of its rates, likewise.
    pub rates: Scale,
    /// The kernel's accounting step in nanoseconds, for times that it samples; `None` where the amounts
    /// are as precise as their clock.
    pub step_ns: Option<u64>,
    /// The amount of the first call.
    pub first_call: f64,
    /// The amount of each batch, in the unit of the metric; as many as `batches` has.
    pub amounts: Vec<f64>,
}

object! {
    Measured { metric, own, units, rates, step_ns, first_call, amounts } check own_metric
}

impl Measured {
    fn own_metric(&mut self, from: &Members<'_>) -> Result<(), Error> {
        check_own(self.metric, self.own.is_some(), from)
    }
}

/// Readings of a body that gets a stream of items, on one item alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixedItem {
    /// Ticks of batches of the short length.
    pub short_ticks: Vec<u64>,
    /// Ticks of batches of the long length; empty where there is none.
    pub long_ticks: Vec<u64>,
}

object! {
    FixedItem { short_ticks, long_ticks }
}

/// Batches of two lengths: of ops with a fence after each, which do not overlap; of the same loop
/// without fences; and of an empty body with fences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fenced {
    /// Ops of the short batch; the long one has twice as many.
    pub ops: u64,
    /// Ticks of the short batches, with a fence after each op.
    pub short_ticks: Vec<u64>,
    /// Ticks of the long batches, with a fence after each op.
    pub long_ticks: Vec<u64>,
    /// Ticks of short batches of the same loop without fences.
    pub free_short_ticks: Vec<u64>,
    /// Ticks of long batches of the same loop without fences.
    pub free_long_ticks: Vec<u64>,
    /// Ticks of short batches of an empty body with fences.
    pub empty_short_ticks: Vec<u64>,
    /// Ticks of long batches of an empty body with fences.
    pub empty_long_ticks: Vec<u64>,
}

object! {
    Fenced {
        ops, short_ticks, long_ticks, free_short_ticks, free_long_ticks, empty_short_ticks,
        empty_long_ticks,
    }
}

/// The threads that a body runs on at once, and how much they differed. The columns have a value for
/// every batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Threads.
    pub threads: u64,
    /// Processors that the process may use; `None` where the system does not tell.
    pub processors: Option<u64>,
    /// Ticks of the fastest thread, from its own start to its own end.
    pub fastest_ticks: Vec<u64>,
    /// Ticks of the slowest thread, likewise.
    pub slowest_ticks: Vec<u64>,
    /// Ticks from the first start of a thread to the last one.
    pub start_spread_ticks: Vec<u64>,
}

object! {
    Team { threads, processors, fastest_ticks, slowest_ticks, start_spread_ticks }
    columns [fastest_ticks, slowest_ticks, start_spread_ticks]
}
