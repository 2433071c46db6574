//! Who counts in a memory visit.

use tourbillon_clock::Clock;
use tourbillon_record::Resident;

/// Somebody who counts what happens in the timed regions of a clock.
///
/// This crate knows no allocator: what counts is handed in, and a program that counts nothing has
/// nothing of it in it.
pub trait Ledger {
    /// The clock whose timed regions are looked at; see [`Clock::watched`].
    fn clock(&self) -> Clock;

    /// Why allocations are not counted; `None` where they are.
    fn not_counted(&self) -> Option<String>;

    /// Whether page faults are to be read from now on, at both ends of every region: that takes a
    /// while.
    fn read_faults(&self, wanted: bool);

    /// What happened in the regions since this was last called. They are taken as one stretch: bytes
    /// live at the end of one are live at the beginning of the next.
    fn take(&self) -> Tallied;

    /// From here on is what [`Ledger::resident`] is about, as far as the system allows it.
    fn forget_resident(&self);

    /// The most memory that was resident, without any page faults, or why it is not known.
    ///
    /// # Errors
    ///
    /// Why the system does not tell.
    fn resident(&self) -> Result<Resident, String>;
}

/// What was counted in one or several regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallied {
    /// Blocks allocated.
    pub allocs: u64,
    /// Blocks freed.
    pub frees: u64,
    /// Reallocations that left the block where it was.
    pub reallocs_in_place: u64,
    /// Reallocations that put the block somewhere else.
    pub reallocs_moved: u64,
    /// Bytes allocated, growth of blocks included.
    pub allocated_bytes: u64,
    /// Bytes given back, shrinking of blocks included.
    pub freed_bytes: u64,
    /// Bytes that moved blocks took with them.
    pub copied_bytes: u64,
    /// The most bytes live at once, above those live at the beginning.
    pub peak_bytes: u64,
    /// Requests for memory on other threads; `None` where that could not be told.
    pub requests_elsewhere: Option<u64>,
    /// Page faults served from memory, where they were read.
    pub faults_minor: u64,
    /// Page faults served from a disk, where they were read.
    pub faults_major: u64,
}

impl Tallied {
    /// Adds another iteration. The peak is the higher one of the two: each began anew.
    pub(crate) fn and(&mut self, other: &Tallied) {
        self.allocs += other.allocs;
        self.frees += other.frees;
        self.reallocs_in_place += other.reallocs_in_place;
        self.reallocs_moved += other.reallocs_moved;
        self.allocated_bytes += other.allocated_bytes;
        self.freed_bytes += other.freed_bytes;
        self.copied_bytes += other.copied_bytes;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
        self.requests_elsewhere = match (self.requests_elsewhere, other.requests_elsewhere) {
            (Some(one), Some(two)) => Some(one + two),
            _ => None,
        };
        self.faults_minor += other.faults_minor;
        self.faults_major += other.faults_major;
    }
}
