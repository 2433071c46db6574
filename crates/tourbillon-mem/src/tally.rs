//! The counters of one thread.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::counts::Counts;
use crate::gate::Pass;
use crate::shard::{self, Shard};

/// Counters that only go up, and the two peaks.
///
/// Regions take differences of the counters, so that regions inside of regions need no bookkeeping.
/// Peaks are relative to nothing but the counters themselves: "live" is what this thread allocated
/// less what it freed while any region of any thread was open.
#[repr(C, align(64))]
pub(crate) struct Tally {
    // What every event needs, in one cache line.
    allocs: Cell<u64>,
    frees: Cell<u64>,
    allocated_bytes: Cell<u64>,
    freed_bytes: Cell<u64>,
    peak_bytes: Cell<i64>,
    peak_blocks: Cell<i64>,
    reallocs_in_place: Cell<u64>,
    reallocs_moved: Cell<u64>,
    copied_bytes: Cell<u64>,
    failed: Cell<u64>,
    /// Where this thread counts for the process, once it did.
    shard: Cell<Option<&'static Shard>>,
    /// What the innermost region wants to know beyond counts; null when it does not.
    #[cfg(feature = "full")]
    details: Cell<*const crate::details::Details>,
}

thread_local! {
    // Constant and without destructor: reading it never allocates, never registers anything, and
    // works while the thread shuts down.
    static TALLY: Tally = const { Tally::new() };
}

/// Lets `use_it` see this thread's counters.
#[inline(always)]
pub(crate) fn with<R>(use_it: impl FnOnce(&Tally) -> R) -> R {
    TALLY.with(use_it)
}

#[inline(always)]
fn add(counter: &Cell<u64>, amount: u64) {
    counter.set(counter.get().wrapping_add(amount));
}

impl Tally {
    const fn new() -> Self {
        Self {
            allocs: Cell::new(0),
            frees: Cell::new(0),
            allocated_bytes: Cell::new(0),
            freed_bytes: Cell::new(0),
            peak_bytes: Cell::new(0),
            peak_blocks: Cell::new(0),
            reallocs_in_place: Cell::new(0),
            reallocs_moved: Cell::new(0),
            copied_bytes: Cell::new(0),
            failed: Cell::new(0),
            shard: Cell::new(None),
            #[cfg(feature = "full")]
            details: Cell::new(std::ptr::null()),
        }
    }

    /// Puts what the innermost region wants to know in place, and returns what was there.
    #[cfg(feature = "full")]
    pub(crate) fn replace_details(
        &self,
        details: *const crate::details::Details,
    ) -> *const crate::details::Details {
        self.details.replace(details)
    }

    /// Where this thread counts for the process.
    #[inline(always)]
    pub(crate) fn shard(&self) -> &'static Shard {
        self.shard.get().unwrap_or_else(|| {
            let claimed = shard::claim();
            self.shard.set(Some(claimed));
            claimed
        })
    }

    #[inline(always)]
    pub(crate) fn alloc(&self, bytes: usize) {
        add(&self.allocs, 1);
        add(&self.allocated_bytes, bytes as u64);
        self.raise_peak_bytes();
        let live = self.allocs.get().wrapping_sub(self.frees.get()) as i64;
        if live > self.peak_blocks.get() {
            self.peak_blocks.set(live);
        }
    }

    #[inline(always)]
    pub(crate) fn free(&self, bytes: usize) {
        add(&self.frees, 1);
        add(&self.freed_bytes, bytes as u64);
    }

    #[inline(always)]
    pub(crate) fn realloc(&self, old: usize, new: usize, moved: bool) {
        add(&self.reallocs_moved, u64::from(moved));
        add(&self.reallocs_in_place, u64::from(!moved));
        let copied = if moved { old.min(new) } else { 0 };
        add(&self.copied_bytes, copied as u64);
        add(&self.allocated_bytes, new.saturating_sub(old) as u64);
        add(&self.freed_bytes, old.saturating_sub(new) as u64);
        self.raise_peak_bytes();
    }

    pub(crate) fn fail(&self) {
        add(&self.failed, 1);
    }

    /// What the innermost region wants to know beyond counts.
    #[cfg(feature = "full")]
    #[inline(always)]
    pub(crate) fn details(&self) -> Option<&crate::details::Details> {
        // SAFETY: the pointer is null or to what `details::watch` keeps alive until it has put the
        // pointer back, which it does before it returns or unwinds; other threads have their own.
        unsafe { self.details.get().as_ref() }
    }

    #[inline(always)]
    fn raise_peak_bytes(&self) {
        let live = self
            .allocated_bytes
            .get()
            .wrapping_sub(self.freed_bytes.get()) as i64;
        if live > self.peak_bytes.get() {
            self.peak_bytes.set(live);
        }
    }

    /// The counters as they stand; the peaks are filled in by a region, which knows the beginning.
    #[inline]
    fn totals(&self) -> Counts {
        Counts {
            allocs: self.allocs.get(),
            frees: self.frees.get(),
            reallocs_in_place: self.reallocs_in_place.get(),
            reallocs_moved: self.reallocs_moved.get(),
            failed: self.failed.get(),
            allocated_bytes: self.allocated_bytes.get(),
            freed_bytes: self.freed_bytes.get(),
            copied_bytes: self.copied_bytes.get(),
            peak_bytes: 0,
            peak_blocks: 0,
        }
    }
}

/// What happened between two readings of counters that only go up, with the peaks of the later one.
pub(crate) fn between(start: &Counts, end: &Counts, peak_bytes: i64, peak_blocks: i64) -> Counts {
    let above = |peak: i64, start: i64| u64::try_from(peak.wrapping_sub(start)).unwrap_or(0);
    Counts {
        allocs: end.allocs.wrapping_sub(start.allocs),
        frees: end.frees.wrapping_sub(start.frees),
        reallocs_in_place: end.reallocs_in_place.wrapping_sub(start.reallocs_in_place),
        reallocs_moved: end.reallocs_moved.wrapping_sub(start.reallocs_moved),
        failed: end.failed.wrapping_sub(start.failed),
        allocated_bytes: end.allocated_bytes.wrapping_sub(start.allocated_bytes),
        freed_bytes: end.freed_bytes.wrapping_sub(start.freed_bytes),
        copied_bytes: end.copied_bytes.wrapping_sub(start.copied_bytes),
        peak_bytes: above(peak_bytes, start.live_bytes()),
        peak_blocks: above(peak_blocks, start.live_blocks()),
    }
}

/// The counters of a thread at some moment.
#[derive(Debug)]
pub(crate) struct Mark {
    start: Counts,
    /// Where the thread's counters are, which no other thread has there while this one lives.
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

    /// What this thread counted since, without peaks; `None` for another thread than that of the
    /// mark.
    pub(crate) fn counts(&self) -> Option<Counts> {
        with(|tally| {
            let same = std::ptr::from_ref(tally).addr() == self.thread;
            same.then(|| between(&self.start, &tally.totals(), i64::MIN, i64::MIN))
        })
    }
}

/// A stretch of this thread's life that is being counted.
///
/// Closed by dropping it, also when the code inside unwinds. Regions of a thread close in the
/// reverse order of their opening, for only closures hold them, unless coroutines with stacks of their own
/// take turns on the thread: then the peaks are wrong, and nothing else.
pub(crate) struct ThreadRegion {
    start: Counts,
    outer_peak_bytes: i64,
    outer_peak_blocks: i64,
    _pass: Pass,
    _of_this_thread: PhantomData<*const ()>,
}

impl ThreadRegion {
    pub(crate) fn open() -> Self {
        Self::with_pass(Pass::thread())
    }

    /// For one that looks at single blocks as well.
    #[cfg(feature = "full")]
    pub(crate) fn open_for_more() -> Self {
        Self::with_pass(Pass::more())
    }

    fn with_pass(pass: Pass) -> Self {
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

    /// What was counted so far.
    pub(crate) fn counts(&self) -> Counts {
        with(|tally| {
            between(
                &self.start,
                &tally.totals(),
                tally.peak_bytes.get(),
                tally.peak_blocks.get(),
            )
        })
    }
}

impl Drop for ThreadRegion {
    fn drop(&mut self) {
        // The peak of a part is one that the whole has reached as well.
        with(|tally| {
            let higher = self.outer_peak_bytes.max(tally.peak_bytes.get());
            tally.peak_bytes.set(higher);
            let higher = self.outer_peak_blocks.max(tally.peak_blocks.get());
            tally.peak_blocks.set(higher);
        });
    }
}
