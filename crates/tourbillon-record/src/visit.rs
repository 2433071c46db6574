use crate::BatchShape;
use crate::{Metric, OwnMetric};

/// The raw samples of one visit: one case in one process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visit {
    /// Identity of the case.
    pub case: String,
    /// Number of the launch, from 0.
    pub launch: u32,
    /// Whether this visit found the batch length for the others.
    pub scout: bool,
    /// Seed of everything that chance decided in this visit.
    pub seed: u64,
    /// Process id of the worker.
    pub pid: u32,
    /// When the visit started, in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// What the benchmark called on its `Bencher`, such as `iter` or `with_inputs.iter_mut`.
    pub terminal: String,
    /// Whether the drop of outputs is inside the timed region.
    pub drop_inside: bool,
    /// Ops in one iteration.
    pub ops_per_iteration: u64,
    /// What an op processes.
    pub throughput: Option<Throughput>,
    /// From the start of the worker's visit to the call of the terminal, in ticks.
    pub setup_ticks: u64,
    /// The first call of the body, one iteration, in ticks, clock reads included.
    pub first_call_ticks: u64,
    /// How the batch length was found.
    pub pilot: Pilot,
    /// How warming up went.
    pub warmup: Warmup,
    /// Batch length of the samples.
    pub length: BatchShape,
    /// The samples, in the order in which they were taken.
    pub batches: Batches,
    /// Readings of the reference chain, between the batches; `None` where there is none.
    pub chain: Option<Chain>,
    /// Readings of the unrolled empty body: the resolution.
    pub empty: Empty,
    /// Corrections for pauses, for bodies that control the clock.
    pub pauses: Option<Pauses>,
    /// Readings with one item alone, for a body that gets one after the other.
    pub fixed_item: Option<FixedItem>,
    /// Readings of ops each of which begins when the one before is over, for short bodies whose calls may
    /// overlap.
    pub apart: Option<Apart>,
    /// What was measured beside wall time and counts in its place.
    pub measured: Option<Box<Measured>>,
    /// What was noted of the threads, for a body that runs on several at once.
    pub team: Option<Team>,
    /// From the start of the worker's visit to its end, in ticks.
    pub visit_ticks: u64,
    /// Threads of the process when the visit ended, the measuring one included; 0 is never used:
    /// `None` where it could not be had.
    pub threads: Option<u32>,
    /// What the system counted while the samples were taken.
    pub counted: SystemCounts,
    /// Memory in whole pages that batches touched behind the samples, in bytes: of a scout, where the
    /// case has cycles of one thread and the system tells.
    pub touched_bytes: Option<u64>,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

/// What the system counts for a process: in all, or from one moment to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemCounts {
    /// Pages that were touched for the first time; those that came from a disk are not among them.
    /// `None` where the system does not count them.
    pub page_faults: Option<u64>,
    /// Bytes that were written to files, pipes and terminals, without what a worker says to its
    /// coordinator. `None` where the system does not count them.
    pub written_bytes: Option<u64>,
    /// Nanoseconds for which the measuring thread was ready to run and something else had its
    /// processor. `None` where the system does not count them.
    pub waited_ns: Option<u64>,
}

impl SystemCounts {
    /// What was counted since `earlier`; what only one of the two knows is not known.
    #[must_use]
    #[inline(never)]
    pub fn since(self, earlier: SystemCounts) -> SystemCounts {
        let less = |now: Option<u64>, then: Option<u64>| now?.checked_sub(then?);
        SystemCounts {
            page_faults: less(self.page_faults, earlier.page_faults),
            written_bytes: less(self.written_bytes, earlier.written_bytes),
            waited_ns: less(self.waited_ns, earlier.waited_ns),
        }
    }
}

/// What an op processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throughput {
    /// What is counted.
    pub unit: ThroughputUnit,
    /// How many of it an op processes.
    pub per_op: u64,
}

/// What a [`Throughput`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThroughputUnit {
    /// Bytes.
    Bytes,
    /// Items.
    Items,
}

impl ThroughputUnit {
    /// Name in records: `bytes` or `items`.
    pub const fn name(self) -> &'static str {
        match self {
            ThroughputUnit::Bytes => "bytes",
            ThroughputUnit::Items => "items",
        }
    }
}

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

/// How warming up went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warmup {
    /// Batches run to warm up.
    pub batches: u64,
    /// Ticks spent.
    pub ticks: u64,
    /// Whether two doubling windows agreed before the share of the budget was used up.
    pub settled: bool,
}

/// Samples in the order in which they were taken; all columns have one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batches {
    /// Relative length: 0 for a batch of no iterations, 1 for the short, 2 for the long one.
    pub kind: Vec<u8>,
    /// Ticks of the batch, windows summed, pauses left out.
    pub ticks: Vec<u64>,
    /// Pauses in the batch; empty for bodies that cannot pause.
    pub pauses: Vec<u64>,
    /// Cycles of the batch in user mode, what reads the clock included: counted by hardware. Empty where
    /// no counter had all of them.
    pub cycles: Vec<u64>,
}

/// Readings of the reference chain, instructions whose cost in cycles is known, at two lengths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// What the chain is made of, such as `multiplications of 3 cycles`.
    pub of: String,
    /// Cycles of the core in the short chain.
    pub short_cycles: u64,
    /// Cycles of the core in the long chain.
    pub long_cycles: u64,
    /// How many batches had been taken before each reading.
    pub at: Vec<u64>,
    /// Ticks of the short chain.
    pub short_ticks: Vec<u64>,
    /// Ticks of the long chain.
    pub long_ticks: Vec<u64>,
    /// Additions beside it; `None` where they were not read. In a box, because few readers look at
    /// them.
    pub additions: Option<Box<Additions>>,
}

/// Readings of chains of additions, one cycle each, beside those of the reference chain and of as many
/// cycles: a neighbour on the same core holds them up more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Additions {
    /// Ticks of the short chain.
    pub short_ticks: Vec<u64>,
    /// Ticks of the long chain.
    pub long_ticks: Vec<u64>,
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

/// What one pause costs inside the timed region, found with empty pairs in the same visit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pauses {
    /// Empty pairs in each calibration reading.
    pub pairs: u64,
    /// Ticks left in the region by that many empty pairs, one entry a reading: what twice as many
    /// left, less what that many left.
    pub residual_ticks: Vec<u64>,
}

/// What a visit measured in place of wall time, which its ticks are as always.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What it is.
    pub metric: Metric,
    /// Name and unit, for [`Metric::Own`] and nothing else.
    pub own: Option<OwnMetric>,
    /// How far apart, in nanoseconds, the kernel looks whose time it is; `None` where the amounts are
    /// as good as the clock behind them.
    pub step_ns: Option<u64>,
    /// That of the first call.
    pub first_call: f64,
    /// Those of the batches, in the unit of the metric: a column beside those of [`Batches`].
    pub amounts: Vec<f64>,
}

/// A body that gets one item after the other, on one of them alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixedItem {
    /// Ticks of batches of the short length.
    pub short_ticks: Vec<u64>,
    /// Ticks of batches of the long length; empty where there is none.
    pub long_ticks: Vec<u64>,
}

/// Ops each of which begins when the one before is over, in batches of two lengths; the same loop without
/// that; and an empty body with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// Ops of the short batch; the long one has twice as many.
    pub ops: u64,
    /// Ticks of the short batches.
    pub short_ticks: Vec<u64>,
    /// Ticks of the long ones.
    pub long_ticks: Vec<u64>,
    /// Ticks of short batches whose ops may overlap.
    pub free_short_ticks: Vec<u64>,
    /// Ticks of long ones.
    pub free_long_ticks: Vec<u64>,
    /// Ticks of short batches of an empty body.
    pub empty_short_ticks: Vec<u64>,
    /// Ticks of long ones.
    pub empty_long_ticks: Vec<u64>,
}

/// The threads that a body runs on at once, and how far they were from each other. The columns have a
/// value for every batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Threads.
    pub threads: u64,
    /// Processors that the process may use; `None` where the system does not tell.
    pub processors: Option<u64>,
    /// Ticks of the thread that took least, from its own start to its own end.
    pub fastest_ticks: Vec<u64>,
    /// Ticks of the thread that took longest.
    pub slowest_ticks: Vec<u64>,
    /// Ticks from the first start to the last one.
    pub apart_ticks: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::SystemCounts;

    #[test]
    fn only_what_both_know_is_told_apart() {
        let counted = |page_faults, written_bytes| SystemCounts {
            page_faults,
            written_bytes,
            waited_ns: page_faults,
        };
        let later = counted(Some(9), Some(100));
        assert_eq!(
            later.since(counted(Some(2), Some(100))),
            counted(Some(7), Some(0))
        );
        assert_eq!(later.since(counted(None, Some(101))), counted(None, None));
        assert_eq!(counted(None, Some(5)).since(later), counted(None, None));
    }
}
