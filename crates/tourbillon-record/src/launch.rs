//! The samples of one launch, and the counts of the system around them.

use crate::codec::{object, same_length};
use crate::members::Members;
use crate::{
    BatchShape, Batches, Calls, Chain, Empty, Error, Fenced, FixedItem, Measured, Pauses, Pilot,
    Team, Throughput, Warmup,
};

/// The raw samples of one launch: one case in one process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaunchSamples {
    /// Identity of the case.
    pub case: String,
    /// Number of the launch, from 0.
    pub launch: u32,
    /// Whether this is the pilot launch, which finds the batch length for the others.
    pub pilot_launch: bool,
    /// Seed of all random choices in this launch.
    pub seed: u64,
    /// Process id of the worker.
    pub pid: u32,
    /// When the launch started, in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// Method of `Bencher` that the benchmark called, such as `iter` or `with_inputs.iter_mut`.
    pub terminal: String,
    /// Whether the drop of outputs is inside the timed region.
    pub drop_inside: bool,
    /// Ops in one iteration.
    pub ops_per_iteration: u64,
    /// What an op processes.
    pub throughput: Option<Throughput>,
    /// From the start of the worker's launch to the call of the terminal, in ticks.
    pub setup_ticks: u64,
    /// The first call of the body, one iteration, in ticks, clock reads included.
    pub first_call_ticks: u64,
    /// How the batch length was found: columns with a row for each step.
    pub pilot: Pilot,
    /// The warm-up.
    pub warmup: Warmup,
    /// Batch length of the samples.
    pub batch_shape: BatchShape,
    /// The samples, in the order in which they were measured, as columns.
    pub batches: Batches,
    /// Readings of the reference chain, between the batches; `None` where there is none.
    pub chain: Option<Chain>,
    /// Readings of the empty body in the inner loop of 8, in every other round (docs/reference/glossary.md#round), from
    /// the first: resolution and contention.
    pub empty: Empty,
    /// Corrections for pauses, for bodies that pause the clock.
    pub pauses: Option<Pauses>,
    /// Readings with one item alone, for a body that gets a stream of items.
    pub fixed_item: Option<FixedItem>,
    /// Readings of ops that do not overlap, for short bodies whose calls may overlap.
    pub fenced: Option<Fenced>,
    /// What was measured in place of wall time; ticks are wall time as always.
    pub measured: Option<Box<Measured>>,
    /// The durations of single calls, for a body whose calls are timed one by one: from the end of the call before, or
    /// at a rate from when the call was due. One reading of the clock is in each.
    pub calls: Option<Box<Calls>>,
    /// The threads, for a body that runs on several at once. Lists have a value for each batch.
    pub team: Option<Team>,
    /// From the start of the worker's launch to its end, in ticks.
    pub launch_ticks: u64,
    /// Threads of the process after the last sample, the measuring one included, without the others of the team;
    /// `None` where that is not known.
    pub threads: Option<u32>,
    /// Those of `threads` that did not sleep; `None` where that is not known.
    pub working_threads: Option<u32>,
    /// What the system counted during the samples.
    pub counted: SystemCounts,
    /// Memory, in whole pages, that batches after the samples touched: of a pilot launch with cycles of one thread,
    /// where the system reports it.
    pub touched_bytes: Option<u64>,
    /// In a comparison of two builds, which of them was launched: 0 the reference, 1 the other, whose launch follows.
    pub arm: Option<u8>,
    /// The kind of core that it ran on: `performance`, `middle`, `efficiency`, `low-power`, or `mixed` where the list of
    /// processors has several; `None` where all cores are alike.
    pub core_kind: Option<String>,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    LaunchSamples {
        case, launch, pilot_launch, seed, pid, started_unix_ns, terminal, drop_inside, ops_per_iteration,
        throughput, setup_ticks, first_call_ticks, pilot, warmup, batch_shape, batches, chain, empty, pauses,
        fixed_item, fenced, measured, calls, team, launch_ticks, threads,
        working_threads,
        counted.page_faults, counted.written_bytes, counted.waited_ns, touched_bytes, arm,
        core_kind,
    } check amounts
}

impl LaunchSamples {
    /// Whether it is the first call in a process of its own, of a body that is isolated.
    pub fn is_isolated(&self) -> bool {
        self.terminal.starts_with("isolated.")
    }

    fn amounts(&mut self, from: &Members<'_>) -> Result<(), Error> {
        self.measured.as_ref().map_or(Ok(()), |measured| {
            let batches = ("ticks", self.batches.ticks.len());
            same_length(from, &[batches, ("amounts", measured.amounts.len())])
        })
    }
}

/// What the system counts for a process: in total, or between two moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemCounts {
    /// Pages touched for the first time, without those read from a disk: of a launch during the samples, preparation
    /// included. `None` for isolated cases, as the next two are, and where the system does not count them.
    pub page_faults: Option<u64>,
    /// Bytes written to stdout, stderr and files, without the messages to the coordinator. `None` where the system
    /// does not count them, or not apart from those to sockets, pipes and event counters of the process.
    pub written_bytes: Option<u64>,
    /// Nanoseconds for which the measuring thread was ready to run but another one had its processor.
    /// `None` where the system does not count them.
    pub waited_ns: Option<u64>,
}

impl SystemCounts {
    /// The counts since `earlier`; a count that one of the two lacks is unknown.
    #[must_use]
    pub fn since(self, earlier: SystemCounts) -> SystemCounts {
        let less = |now: Option<u64>, then: Option<u64>| now?.checked_sub(then?);
        SystemCounts {
            page_faults: less(self.page_faults, earlier.page_faults),
            written_bytes: less(self.written_bytes, earlier.written_bytes),
            waited_ns: less(self.waited_ns, earlier.waited_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SystemCounts;

    #[test]
    fn a_count_that_one_lacks_is_unknown() {
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
