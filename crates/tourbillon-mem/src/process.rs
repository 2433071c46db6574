//! The counters of all threads together.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64};

use crate::counts::Counts;
use crate::gate::Pass;
use crate::tally::between;

/// How many regions of the whole process can be open at once: each has a peak of its own, as they may
/// begin and end in any order.
pub(crate) const MOST_REGIONS: u32 = 16;

/// Counters that only go up. Two atomic additions for an allocation or a free: bytes and blocks live
/// are not counters of their own, they follow from these.
///
/// The peak follows from one counter's answer to the addition and a reading of the other one just
/// after, so it can miss what is under way on other threads at that instant, and never invents any.
#[repr(align(128))]
struct Totals {
    allocs: AtomicU64,
    frees: AtomicU64,
    reallocs_in_place: AtomicU64,
    reallocs_moved: AtomicU64,
    failed: AtomicU64,
    allocated_bytes: AtomicU64,
    freed_bytes: AtomicU64,
    copied_bytes: AtomicU64,
}

static TOTALS: Totals = Totals {
    allocs: AtomicU64::new(0),
    frees: AtomicU64::new(0),
    reallocs_in_place: AtomicU64::new(0),
    reallocs_moved: AtomicU64::new(0),
    failed: AtomicU64::new(0),
    allocated_bytes: AtomicU64::new(0),
    freed_bytes: AtomicU64::new(0),
    copied_bytes: AtomicU64::new(0),
};

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

#[inline(never)]
pub(crate) fn alloc(bytes: usize) {
    let bytes = bytes as u64;
    let allocs = TOTALS.allocs.fetch_add(1, Relaxed).wrapping_add(1);
    let allocated = TOTALS.allocated_bytes.fetch_add(bytes, Relaxed);
    let live_blocks = live(allocs, &TOTALS.frees);
    let live_bytes = live(allocated.wrapping_add(bytes), &TOTALS.freed_bytes);
    for_each_open(|peak| {
        raise(&peak.bytes, live_bytes);
        raise(&peak.blocks, live_blocks);
    });
}

#[inline(never)]
pub(crate) fn free(bytes: usize) {
    TOTALS.frees.fetch_add(1, Relaxed);
    TOTALS.freed_bytes.fetch_add(bytes as u64, Relaxed);
}

#[inline(never)]
pub(crate) fn realloc(old: usize, new: usize, moved: bool) {
    if moved {
        TOTALS.reallocs_moved.fetch_add(1, Relaxed);
        TOTALS.copied_bytes.fetch_add(old.min(new) as u64, Relaxed);
    } else {
        TOTALS.reallocs_in_place.fetch_add(1, Relaxed);
    }
    if new >= old {
        let growth = (new - old) as u64;
        let allocated = TOTALS.allocated_bytes.fetch_add(growth, Relaxed);
        let live_bytes = live(allocated.wrapping_add(growth), &TOTALS.freed_bytes);
        for_each_open(|peak| raise(&peak.bytes, live_bytes));
    } else {
        let shrinkage = (old - new) as u64;
        TOTALS.freed_bytes.fetch_add(shrinkage, Relaxed);
    }
}

pub(crate) fn fail() {
    TOTALS.failed.fetch_add(1, Relaxed);
}

fn live(added: u64, removed: &AtomicU64) -> i64 {
    added.wrapping_sub(removed.load(Relaxed)) as i64
}

#[inline(always)]
fn for_each_open(raise_it: impl Fn(&Peak)) {
    let mut taken = TAKEN.load(Relaxed);
    while taken != 0 {
        if let Some(peak) = PEAKS.get(taken.trailing_zeros() as usize) {
            raise_it(peak);
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

fn totals() -> Counts {
    Counts {
        allocs: TOTALS.allocs.load(Relaxed),
        frees: TOTALS.frees.load(Relaxed),
        reallocs_in_place: TOTALS.reallocs_in_place.load(Relaxed),
        reallocs_moved: TOTALS.reallocs_moved.load(Relaxed),
        failed: TOTALS.failed.load(Relaxed),
        allocated_bytes: TOTALS.allocated_bytes.load(Relaxed),
        freed_bytes: TOTALS.freed_bytes.load(Relaxed),
        copied_bytes: TOTALS.copied_bytes.load(Relaxed),
        peak_bytes: 0,
        peak_blocks: 0,
    }
}

/// A stretch of the process's life that is being counted; closed by dropping it.
pub(crate) struct ProcessRegion {
    start: Counts,
    slot: u32,
    _pass: Pass,
}

impl ProcessRegion {
    /// `None` when [`MOST_REGIONS`] are open.
    pub(crate) fn open() -> Option<Self> {
        let slot = take()?;
        let pass = Pass::process();
        let start = totals();
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
        between(
            &self.start,
            &totals(),
            peak.bytes.load(Relaxed),
            peak.blocks.load(Relaxed),
        )
    }
}

impl Drop for ProcessRegion {
    fn drop(&mut self) {
        TAKEN.fetch_and(!(1 << self.slot), Relaxed);
    }
}

fn take() -> Option<u32> {
    let mut taken = TAKEN.load(Relaxed);
    loop {
        let slot = taken.trailing_ones();
        if slot >= MOST_REGIONS {
            return None;
        }
        match TAKEN.compare_exchange_weak(taken, taken | 1 << slot, Relaxed, Relaxed) {
            Ok(_) => return Some(slot),
            Err(now) => taken = now,
        }
    }
}
