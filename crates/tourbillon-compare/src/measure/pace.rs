//! How long the processes of a comparison run.

/// How long the processes of a comparison run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    /// Least time for the batches of one pair of workers, in nanoseconds. Pairs differ mostly by what is drawn for
    /// each, so many short pairs tell more than few long ones.
    pub(super) pair_ns: u64,
    /// A pair lasts this many times longer than starting and ending it.
    pub(super) of_starting: u64,
    /// Approximate time for the rows of a memory launch, in nanoseconds.
    pub(super) memory_ns: u64,
}

impl Pace {
    /// For results that are kept.
    pub(crate) const USUAL: Pace = Pace {
        pair_ns: 25_000_000,
        of_starting: 4,
        memory_ns: 50_000_000,
    };

    /// For a person who waits.
    pub(crate) const QUICK: Pace = Pace {
        pair_ns: 8_000_000,
        of_starting: 0,
        memory_ns: 2_000_000,
    };
}
