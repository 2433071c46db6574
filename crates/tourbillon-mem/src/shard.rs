//! The counters of the whole process, split so that threads do not contend for them.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::counts::{COUNTERS, Counter, Event, Totals};

/// Number of threads with counters of their own; all others share one set.
///
/// Each further set makes every allocation that is counted for the process 0.18 ns slower, because the
/// peak is found by adding all of them up.
const OWNED: usize = 16;

/// Counters that only go up, of one thread or of all threads that came too late for their own.
///
/// Counters that one thread alone writes need no locked additions, which cost three times as much as
/// everything else. A thread keeps its shard while the process lives, because no event marks when the
/// thread ends: thread-locals have no destructor here.
#[repr(align(128))]
pub(crate) struct Shard([AtomicU64; COUNTERS]);

/// The first one is shared.
static SHARDS: [Shard; 1 + OWNED] =
    [const { Shard([const { AtomicU64::new(0) }; COUNTERS]) }; 1 + OWNED];

/// Number of threads that have a shard of their own.
static THREADS: AtomicU32 = AtomicU32::new(0);

/// A shard for a thread that has none yet.
#[cold]
#[inline(never)]
pub(crate) fn claim() -> &'static Shard {
    let next = |threads: u32| ((threads as usize) < OWNED).then_some(threads + 1);
    match THREADS.fetch_update(AcqRel, Relaxed, next) {
        Ok(threads) => &SHARDS[1 + threads as usize],
        Err(_) => &SHARDS[0],
    }
}

/// The shards that have ever been written to.
#[inline(always)]
fn in_use() -> &'static [Shard] {
    let threads = THREADS.load(Acquire) as usize;
    SHARDS.get(..=threads).unwrap_or(&SHARDS)
}

impl Shard {
    #[inline(always)]
    pub(crate) fn count(&self, event: Event) {
        let shared = std::ptr::eq(self, &raw const SHARDS[0]);
        event.count(|counter, amount| {
            let counter = &self.0[counter as usize];
            if !shared {
                // Only this thread writes here.
                counter.store(counter.load(Relaxed).wrapping_add(amount), Relaxed);
            } else if amount > 0 {
                counter.fetch_add(amount, Relaxed);
            }
        });
    }
}

/// Live blocks and bytes. Changes by other threads at this moment may be missing; nothing is included
/// that was not there.
///
/// First all allocations are read, then all frees, so a change in between makes the result smaller. In
/// another order a block that moves from one thread to another meanwhile would be counted twice.
#[inline(always)]
pub(crate) fn live() -> (i64, i64) {
    let (mut blocks, mut bytes) = (0_u64, 0_u64);
    for Shard(shard) in in_use() {
        blocks = blocks.wrapping_add(shard[Counter::Allocs as usize].load(Acquire));
        bytes = bytes.wrapping_add(shard[Counter::AllocatedBytes as usize].load(Acquire));
    }
    // `in_use` again: a new thread may have freed blocks that are in the sums.
    for Shard(shard) in in_use() {
        blocks = blocks.wrapping_sub(shard[Counter::Frees as usize].load(Relaxed));
        bytes = bytes.wrapping_sub(shard[Counter::FreedBytes as usize].load(Relaxed));
    }
    (blocks as i64, bytes as i64)
}

/// The counters of all threads.
pub(crate) fn totals() -> Totals {
    let mut sums = [0_u64; COUNTERS];
    for Shard(shard) in &SHARDS {
        for (sum, counter) in sums.iter_mut().zip(shard) {
            *sum = sum.wrapping_add(counter.load(Relaxed));
        }
    }
    Totals(sums)
}
