//! What is counted.

/// What code asked of the allocator between two moments, from [`tally`](crate::tally).
///
/// A reallocation changes a block: its growth adds to the bytes allocated, its shrinking to the bytes
/// freed. So live blocks are allocations less frees, and live bytes are bytes allocated less bytes
/// freed, exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Blocks allocated, zeroed ones included.
    pub allocs: u64,
    /// Blocks freed, whatever code had allocated them.
    pub frees: u64,
    /// Reallocations that left the block in place.
    pub reallocs_in_place: u64,
    /// Reallocations that moved the block.
    pub reallocs_moved: u64,
    /// Calls that the allocator could not serve; no other count includes them.
    pub failed: u64,
    /// Bytes requested by allocations and by the growth of blocks.
    pub allocated_bytes: u64,
    /// Requested bytes given back by frees and by the shrinking of blocks.
    pub freed_bytes: u64,
    /// Bytes copied with moved blocks: the smaller of the old and the new size of each. An allocator
    /// that remaps the pages of large blocks copies fewer.
    pub copied_bytes: u64,
    /// The most bytes live at once, above those live at the beginning. A block that moves counts once,
    /// though both places may have been taken while it was copied.
    pub peak_bytes: u64,
    /// The most blocks live at once, above those live at the beginning.
    pub peak_blocks: u64,
}

impl Counts {
    /// Bytes allocated and not freed; negative if more was freed than allocated.
    #[must_use]
    pub const fn live_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes) as i64
    }

    /// Blocks allocated and not freed; negative if more were freed than allocated.
    #[must_use]
    pub const fn live_blocks(&self) -> i64 {
        self.allocs.wrapping_sub(self.frees) as i64
    }

    /// Requests for memory: allocations and reallocations.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.allocs + self.reallocs_in_place + self.reallocs_moved
    }

    /// Whether the allocator was not called at all.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.requests() == 0 && self.frees == 0 && self.failed == 0
    }
}

/// Counts of the whole process, and those of the thread that opened the region, from
/// [`tally_process`](crate::tally_process) or [`count_process`](crate::count_process).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessCounts {
    /// Every thread.
    pub process: Counts,
    /// The thread that opened the region.
    pub thread: Counts,
}

impl ProcessCounts {
    /// Requests for memory by other threads.
    #[must_use]
    pub const fn requests_elsewhere(&self) -> u64 {
        self.process
            .requests()
            .saturating_sub(self.thread.requests())
    }

    /// Bytes allocated by other threads.
    #[must_use]
    pub const fn allocated_elsewhere_bytes(&self) -> u64 {
        self.process
            .allocated_bytes
            .saturating_sub(self.thread.allocated_bytes)
    }
}

/// A counter that only goes up; its number is its place in [`Totals`]. The most frequent come first.
#[derive(Clone, Copy)]
pub(crate) enum Counter {
    Allocs,
    Frees,
    AllocatedBytes,
    FreedBytes,
    ReallocsInPlace,
    ReallocsMoved,
    CopiedBytes,
    Failed,
}

pub(crate) const COUNTERS: usize = Counter::Failed as usize + 1;

/// The values of all counters at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals(pub(crate) [u64; COUNTERS]);

impl Totals {
    pub(crate) fn live_bytes(&self) -> i64 {
        self.difference(Counter::AllocatedBytes, Counter::FreedBytes)
    }

    pub(crate) fn live_blocks(&self) -> i64 {
        self.difference(Counter::Allocs, Counter::Frees)
    }

    fn difference(&self, up: Counter, down: Counter) -> i64 {
        self.0[up as usize].wrapping_sub(self.0[down as usize]) as i64
    }

    /// What was counted since `start`, with the highest live bytes and blocks in between.
    pub(crate) fn since(&self, start: &Totals, peak_bytes: i64, peak_blocks: i64) -> Counts {
        let of = |counter: Counter| {
            let place = counter as usize;
            self.0[place].wrapping_sub(start.0[place])
        };
        let above = |peak: i64, start: i64| u64::try_from(peak.wrapping_sub(start)).unwrap_or(0);
        Counts {
            allocs: of(Counter::Allocs),
            frees: of(Counter::Frees),
            reallocs_in_place: of(Counter::ReallocsInPlace),
            reallocs_moved: of(Counter::ReallocsMoved),
            failed: of(Counter::Failed),
            allocated_bytes: of(Counter::AllocatedBytes),
            freed_bytes: of(Counter::FreedBytes),
            copied_bytes: of(Counter::CopiedBytes),
            peak_bytes: above(peak_bytes, start.live_bytes()),
            peak_blocks: above(peak_blocks, start.live_blocks()),
        }
    }
}

/// A call of the allocator.
#[derive(Clone, Copy)]
pub(crate) enum Event {
    Alloc { bytes: usize },
    Free { bytes: usize },
    Realloc { old: usize, new: usize, moved: bool },
    Fail,
}

impl Event {
    /// Adds the event to its counters. Without branches in the event: whether a block moves is hard to
    /// predict.
    #[inline(always)]
    pub(crate) fn count(self, add: impl Fn(Counter, u64)) {
        match self {
            Event::Alloc { bytes } => {
                add(Counter::Allocs, 1);
                add(Counter::AllocatedBytes, bytes as u64);
            }
            Event::Free { bytes } => {
                add(Counter::Frees, 1);
                add(Counter::FreedBytes, bytes as u64);
            }
            Event::Realloc { old, new, moved } => {
                add(Counter::ReallocsMoved, u64::from(moved));
                add(Counter::ReallocsInPlace, u64::from(!moved));
                let copied = if moved { old.min(new) } else { 0 };
                add(Counter::CopiedBytes, copied as u64);
                add(Counter::AllocatedBytes, new.saturating_sub(old) as u64);
                add(Counter::FreedBytes, old.saturating_sub(new) as u64);
            }
            Event::Fail => add(Counter::Failed, 1),
        }
    }
}
