//! What was counted.

/// What code asked of the allocator between two moments.
///
/// A reallocation changes a block, it does not make one: it adds to the bytes allocated what the
/// block grew by, or to the bytes freed what it shrank by. So blocks live are allocations less
/// frees, and bytes live are bytes allocated less bytes freed, exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Blocks allocated, zeroed ones included.
    pub allocs: u64,
    /// Blocks freed, whoever had allocated them.
    pub frees: u64,
    /// Reallocations that left the block where it was.
    pub reallocs_in_place: u64,
    /// Reallocations that put the block somewhere else.
    pub reallocs_moved: u64,
    /// Calls that the allocator could not serve; they are in no other count.
    pub failed: u64,
    /// Bytes requested by allocations and by the growth of blocks.
    pub allocated_bytes: u64,
    /// Bytes given back by frees and by the shrinking of blocks, as they had been requested.
    pub freed_bytes: u64,
    /// Bytes that moved blocks took with them: the smaller of the old and the new size of each. An
    /// allocator that moves large blocks by mapping their pages elsewhere copies fewer.
    pub copied_bytes: u64,
    /// The most bytes live at once, above those that were live at the beginning. A block that moves
    /// counts once, though both places may have been taken while it was copied.
    pub peak_bytes: u64,
    /// The most blocks live at once, above those that were live at the beginning.
    pub peak_blocks: u64,
}

impl Counts {
    /// Bytes allocated and not freed; negative where more was freed than allocated.
    #[must_use]
    pub const fn live_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes) as i64
    }

    /// Blocks allocated and not freed; negative where more were freed than allocated.
    #[must_use]
    pub const fn live_blocks(&self) -> i64 {
        self.allocs.wrapping_sub(self.frees) as i64
    }

    /// Times that memory was asked for: allocations and reallocations.
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

/// What a region of the whole process counted, and the share of the thread that opened it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessCounts {
    /// Every thread.
    pub process: Counts,
    /// The thread that opened the region.
    pub thread: Counts,
}

impl ProcessCounts {
    /// Requests for memory that other threads made.
    #[must_use]
    pub const fn requests_elsewhere(&self) -> u64 {
        self.process
            .requests()
            .saturating_sub(self.thread.requests())
    }

    /// Bytes that other threads allocated.
    #[must_use]
    pub const fn allocated_elsewhere_bytes(&self) -> u64 {
        self.process
            .allocated_bytes
            .saturating_sub(self.thread.allocated_bytes)
    }
}
