//! The counters of one thread, and whether anything is counted at all.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::counts::{COUNTERS, Counter, Counts, Event, Totals};
use crate::shard::{self, Shard};

/// Numbers of open regions.
///
/// Every allocation of every thread reads it; it is written only when a region opens or closes. It has
/// cache lines of its own (two, for processors that fetch pairs), so no counter's traffic slows it.
#[repr(align(128))]
struct Gate {
    regions: AtomicU32,
    /// Those that want more than the counts of their thread.
    wanting_more: AtomicU32,
}

static GATE: Gate = Gate {
    regions: AtomicU32::new(0),
    wanting_more: AtomicU32::new(0),
};

/// Whether any region is open in this process: what every allocation asks first.
///
/// Relaxed is enough: a thread sees its own opening, and a thread that the opening thread started or
/// woke sees it by that synchronisation.
#[inline(always)]
pub(crate) fn is_counting() -> bool {
    GATE.regions.load(Relaxed) != 0
}

/// Whether any open region counts the whole process or inspects single blocks.
///
/// One test for both, because most regions want neither.
#[inline(always)]
pub(crate) fn more_wanted() -> bool {
    GATE.wanting_more.load(Relaxed) != 0
}

/// Keeps the gate open while it lives.
#[derive(Debug)]
pub(crate) struct Pass {
    more: bool,
}

impl Pass {
    /// For a region that wants `more` than the counts of its thread, or not.
    pub(crate) fn new(more: bool) -> Self {
        GATE.regions.fetch_add(1, Relaxed);
        GATE.wanting_more.fetch_add(u32::from(more), Relaxed);
        Self { more }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        GATE.wanting_more.fetch_sub(u32::from(self.more), Relaxed);
        GATE.regions.fetch_sub(1, Relaxed);
    }
}

/// Counters that only go up, and the two peaks.
///
/// Regions take differences of the counters, so nested regions need no bookkeeping. "Live" is what this
/// thread allocated less what it freed while any region of any thread was open.
#[repr(C, align(64))]
pub(crate) struct Tally {
    // The peaks and the first six counters, which every event needs, share a cache line.
    peak_bytes: Cell<i64>,
    peak_blocks: Cell<i64>,
    counters: [Cell<u64>; COUNTERS],
    /// The counters of this thread for the whole process, once it has some.
    shard: Cell<Option<&'static Shard>>,
    /// The details that the innermost region wants; null if it wants none.
    #[cfg(feature = "full")]
    details: Cell<*const crate::details::Details>,
}

thread_local! {
    // Constant and without destructor: reading it never allocates, never registers anything, and
    // works while the thread shuts down.
    static TALLY: Tally = const {
        Tally {
            peak_bytes: Cell::new(0),
            peak_blocks: Cell::new(0),
            counters: [const { Cell::new(0) }; COUNTERS],
            shard: Cell::new(None),
            #[cfg(feature = "full")]
            details: Cell::new(std::ptr::null()),
        }
    };
}

/// Passes this thread's counters to `use_it`.
#[inline(always)]
pub(crate) fn with<R>(use_it: impl FnOnce(&Tally) -> R) -> R {
    TALLY.with(use_it)
}

impl Tally {
    /// Sets the details that the innermost region wants, and returns the previous ones.
    #[cfg(feature = "full")]
    pub(crate) fn replace_details(
        &self,
        details: *const crate::details::Details,
    ) -> *const crate::details::Details {
        self.details.replace(details)
    }

    /// The details that the innermost region wants.
    #[cfg(feature = "full")]
    #[inline(always)]
    pub(crate) fn details(&self) -> Option<&crate::details::Details> {
        // SAFETY: the pointer is null or to the details that `count::watch` keeps alive until it has
        // restored the pointer, which it does before it returns or unwinds; other threads have their own.
        unsafe { self.details.get().as_ref() }
    }

    /// The counters of this thread for the whole process.
    #[inline(always)]
    pub(crate) fn shard(&self) -> &'static Shard {
        self.shard.get().unwrap_or_else(|| {
            let claimed = shard::claim();
            self.shard.set(Some(claimed));
            claimed
        })
    }

    #[inline(always)]
    pub(crate) fn count(&self, event: Event) {
        event.count(|counter, amount| {
            let counter = &self.counters[counter as usize];
            counter.set(counter.get().wrapping_add(amount));
        });
        if matches!(event, Event::Alloc { .. } | Event::Realloc { .. }) {
            let bytes = self.live(Counter::AllocatedBytes, Counter::FreedBytes);
            raise(&self.peak_bytes, bytes);
        }
        if matches!(event, Event::Alloc { .. }) {
            raise(
                &self.peak_blocks,
                self.live(Counter::Allocs, Counter::Frees),
            );
        }
    }

    #[inline(always)]
    fn live(&self, up: Counter, down: Counter) -> i64 {
        let [up, down] = [up, down].map(|counter| self.counters[counter as usize].get());
        up.wrapping_sub(down) as i64
    }

    fn totals(&self) -> Totals {
        Totals(self.counters.each_ref().map(Cell::get))
    }
}

#[inline(always)]
fn raise(peak: &Cell<i64>, live: i64) {
    if live > peak.get() {
        peak.set(live);
    }
}

/// The counters of a thread at one moment.
#[derive(Debug)]
pub(crate) struct Mark {
    start: Totals,
    /// Address of the thread's counters, which no other thread's have while this one lives.
    thread: usize,
}

impl Mark {
    /// This thread, now.
    pub(crate) fn here() -> Self {
        with(|tally| Self {
            start: tally.totals(),
            thread: std::ptr::from_ref(tally).addr(),
        })
    }

    /// The counts of this thread since the mark, without peaks; `None` on another thread.
    pub(crate) fn counts(&self) -> Option<Counts> {
        with(|tally| {
            let same = std::ptr::from_ref(tally).addr() == self.thread;
            same.then(|| tally.totals().since(&self.start, i64::MIN, i64::MIN))
        })
    }
}

/// A period in which this thread is counted.
///
/// Dropping it closes it, also when the code inside unwinds. Regions of a thread close in the reverse
/// order of their opening, because only closures hold them, unless coroutines with stacks of their own
/// take turns on the thread: then the peaks are wrong, and nothing else.
pub(crate) struct ThreadRegion {
    start: Totals,
    outer_peak_bytes: i64,
    outer_peak_blocks: i64,
    _pass: Pass,
    _of_this_thread: PhantomData<*const ()>,
}

impl ThreadRegion {
    /// For a region that inspects single blocks (`more`), or only counts.
    pub(crate) fn open(more: bool) -> Self {
        let pass = Pass::new(more);
        with(|tally| {
            let start = tally.totals();
            Self {
                outer_peak_bytes: tally.peak_bytes.replace(start.live_bytes()),
                outer_peak_blocks: tally.peak_blocks.replace(start.live_blocks()),
                start,
                _pass: pass,
                _of_this_thread: PhantomData,
            }
        })
    }

    /// The counts so far.
    pub(crate) fn counts(&self) -> Counts {
        with(|tally| {
            let (bytes, blocks) = (tally.peak_bytes.get(), tally.peak_blocks.get());
            tally.totals().since(&self.start, bytes, blocks)
        })
    }
}

impl Drop for ThreadRegion {
    fn drop(&mut self) {
        // The outer region has reached the peak of the inner one, too.
        with(|tally| {
            raise(&tally.peak_bytes, self.outer_peak_bytes);
            raise(&tally.peak_blocks, self.outer_peak_blocks);
        });
    }
}
