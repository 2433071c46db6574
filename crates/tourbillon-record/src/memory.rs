/// What one memory visit counted: one case in one process, not timed.
///
/// A row for each batch, in the order in which they were run: first the first call of the body, then
/// single iterations, then longer batches. Only what happened in the timed regions is in a row: what
/// is prepared before the clock starts, and dropped after it has stopped, is not.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Identity of the case.
    pub case: String,
    /// Number of the memory visit of this case, from 0.
    pub launch: u32,
    /// Seed of everything that chance decided in this visit.
    pub seed: u64,
    /// Process id of the worker.
    pub pid: u32,
    /// When the visit started, in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// In a comparison of two builds, which of them was counted: 0 the reference, 1 the other.
    pub arm: Option<u8>,
    /// What the benchmark called on its `Bencher`.
    pub terminal: String,
    /// Whether the drop of outputs is inside the timed region, and so is counted.
    pub drop_inside: bool,
    /// Ops in one iteration.
    pub ops_per_iteration: u64,
    /// Iterations of each row; those of one iteration come first, and the very first is the first
    /// call.
    pub iterations: Vec<u64>,
    /// What was counted, or why nothing was.
    pub counts: Result<Counted, String>,
    /// Page faults in the rows of one iteration, and the most memory that was resident, or why
    /// they are not known.
    pub resident: Result<Resident, String>,
    /// From the start of the worker's visit to its end, in nanoseconds.
    pub visit_ns: u64,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

/// What all threads of the process asked of the allocator, a row for each batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Blocks allocated.
    pub allocs: Vec<u64>,
    /// Blocks freed.
    pub frees: Vec<u64>,
    /// Reallocations that left the block where it was.
    pub reallocs_in_place: Vec<u64>,
    /// Reallocations that put the block somewhere else.
    pub reallocs_moved: Vec<u64>,
    /// Bytes requested by allocations and by the growth of blocks.
    pub allocated_bytes: Vec<u64>,
    /// Bytes given back by frees and by the shrinking of blocks.
    pub freed_bytes: Vec<u64>,
    /// Bytes that moved blocks took with them.
    pub copied_bytes: Vec<u64>,
    /// The most bytes live at once in an iteration, above those live at its beginning.
    pub peak_bytes: Vec<u64>,
    /// Of the allocations and reallocations, those on other threads than the measuring one; empty
    /// where that could not be told.
    pub requests_elsewhere: Vec<u64>,
}

impl Counted {
    /// Times that memory was asked for in a row: allocations and reallocations.
    #[inline]
    pub fn requests(&self, row: usize) -> u64 {
        self.allocs[row] + self.reallocs_in_place[row] + self.reallocs_moved[row]
    }

    /// Bytes allocated and not freed in a row; negative where more was freed.
    #[inline]
    pub fn kept_bytes(&self, row: usize) -> i64 {
        self.allocated_bytes[row].wrapping_sub(self.freed_bytes[row]) as i64
    }
}

/// What the kernel says of the memory that is in use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resident {
    /// The most memory of the process that was resident, in bytes, all of it together.
    pub peak_bytes: u64,
    /// Whether that is since the first call of the body; else since the process began, with what
    /// was prepared before.
    pub since_first_call: bool,
    /// Page faults served from memory, for each row of one iteration.
    pub faults_minor: Vec<u64>,
    /// Page faults served from a disk, for each row of one iteration.
    pub faults_major: Vec<u64>,
}
