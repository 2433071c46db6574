//! Regions of the whole process, and their peaks.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicI64, AtomicU32};

use crate::counts::{Counts, Event, Totals};
use crate::shard;
use crate::tally::{self, Pass, Tally};

/// Most regions of the whole process that can be open at once: each has a peak of its own, because they
/// may begin and end in any order.
pub(crate) const MOST_REGIONS: u32 = 16;

struct Peak {
    bytes: AtomicI64,
    blocks: AtomicI64,
}

static PEAKS: [Peak; MOST_REGIONS as usize] = [const {
    Peak {
        bytes: AtomicI64::new(0),
        blocks: AtomicI64::new(0),
    }
}; MOST_REGIONS as usize];

/// The peaks that belong to an open region, one bit each.
static TAKEN: AtomicU32 = AtomicU32::new(0);

/// Counts an event, if any region of the whole process is open.
#[inline(always)]
pub(crate) fn count(event: Event) {
    if TAKEN.load(Relaxed) == 0 {
        return;
    }
    tally::with(Tally::shard).count(event);
    if matches!(event, Event::Alloc { .. } | Event::Realloc { .. }) {
        raise_peaks();
    }
}

#[inline(always)]
fn raise_peaks() {
    let (blocks, bytes) = shard::live();
    let mut taken = TAKEN.load(Relaxed);
    while taken != 0 {
        if let Some(peak) = PEAKS.get(taken.trailing_zeros() as usize) {
            raise(&peak.bytes, bytes);
            raise(&peak.blocks, blocks);
        }
        taken &= taken - 1;
    }
}

/// Reads first: peaks rise rarely, and all threads can read at once.
#[inline(always)]
fn raise(peak: &AtomicI64, live: i64) {
    if live > peak.load(Relaxed) {
        peak.fetch_max(live, Relaxed);
    }
}

/// A period in which the whole process is counted; dropping it ends it.
#[derive(Debug)]
pub(crate) struct ProcessRegion {
    start: Totals,
    slot: u32,
    _pass: Pass,
}

impl ProcessRegion {
    /// `None` if [`MOST_REGIONS`] are open.
    pub(crate) fn open() -> Option<Self> {
        let free = |taken: u32| {
            let slot = taken.trailing_ones();
            (slot < MOST_REGIONS).then(|| taken | 1 << slot)
        };
        let slot = TAKEN
            .fetch_update(Acquire, Relaxed, free)
            .ok()?
            .trailing_ones();
        let pass = Pass::new(true);
        let start = shard::totals();
        let peak = &PEAKS[slot as usize];
        peak.bytes.store(start.live_bytes(), Relaxed);
        peak.blocks.store(start.live_blocks(), Relaxed);
        Some(Self {
            start,
            slot,
            _pass: pass,
        })
    }

    /// The counts so far.
    pub(crate) fn counts(&self) -> Counts {
        let peak = &PEAKS[self.slot as usize];
        let now = shard::totals();
        // Two threads that allocate at the same instant may each have missed the other one's block.
        now.since(
            &self.start,
            peak.bytes.load(Relaxed).max(now.live_bytes()),
            peak.blocks.load(Relaxed).max(now.live_blocks()),
        )
    }
}

impl Drop for ProcessRegion {
    fn drop(&mut self) {
        TAKEN.fetch_and(!(1 << self.slot), Release);
    }
}
