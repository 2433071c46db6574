//! Regions of the whole process, and their peaks.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicI64, AtomicU32};

use crate::counts::Counts;
use crate::gate::Pass;
use crate::shard::{self, Shard};
use crate::tally::{self, between};

/// How many regions of the whole process can be open at once: each has a peak of its own, as they may
/// begin and end in any order.
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

/// Which of the peaks belong to an open region, one bit each.
static TAKEN: AtomicU32 = AtomicU32::new(0);

/// Whether any region of the whole process is open.
#[inline(always)]
pub(crate) fn open() -> bool {
    TAKEN.load(Relaxed) != 0
}

#[inline(always)]
pub(crate) fn alloc(bytes: usize) {
    own_shard().alloc(bytes as u64);
    raise_peaks();
}

#[inline(always)]
pub(crate) fn free(bytes: usize) {
    own_shard().free(bytes as u64);
}

#[inline(never)]
pub(crate) fn realloc(old: usize, new: usize, moved: bool) {
    own_shard().realloc(old as u64, new as u64, moved);
    raise_peaks();
}

pub(crate) fn fail() {
    own_shard().fail();
}

/// Where this thread counts for the process.
#[inline(always)]
fn own_shard() -> &'static Shard {
    tally::with(tally::Tally::shard)
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

/// Looks first: a peak is rarely raised, and all threads can look at once.
#[inline(always)]
fn raise(peak: &AtomicI64, live: i64) {
    if live > peak.load(Relaxed) {
        peak.fetch_max(live, Relaxed);
    }
}

/// A stretch of the process's life that is being counted; closed by dropping it.
#[derive(Debug)]
pub(crate) struct ProcessRegion {
    start: Counts,
    slot: u32,
    _pass: Pass,
}

impl ProcessRegion {
    /// `None` when [`MOST_REGIONS`] are open.
    pub(crate) fn open() -> Option<Self> {
        let slot = take()?;
        let pass = Pass::more();
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

    /// What was counted so far.
    pub(crate) fn counts(&self) -> Counts {
        let peak = &PEAKS[self.slot as usize];
        let now = shard::totals();
        // Two threads that allocate at the same instant may each have missed the other one's block.
        between(
            &self.start,
            &now,
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

fn take() -> Option<u32> {
    let mut taken = TAKEN.load(Relaxed);
    loop {
        let slot = taken.trailing_ones();
        if slot >= MOST_REGIONS {
            return None;
        }
        match TAKEN.compare_exchange_weak(taken, taken | 1 << slot, Acquire, Relaxed) {
            Ok(_) => return Some(slot),
            Err(now) => taken = now,
        }
    }
}
