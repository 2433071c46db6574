//! How many inputs are alive at once.

/// How many inputs of [`Bencher::iter_batched`](crate::Bencher::iter_batched) are alive at once, at most. The
/// engine takes fewer where more would not fit into the caches of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BatchSize {
    /// As many as the engine chooses, for inputs of which thousands fit into memory.
    SmallInput,
    /// Ten, for inputs of which few fit into memory.
    LargeInput,
    /// One: no two inputs are alive at any time. Every iteration is timed by itself, and the two readings of the
    /// clock are part of its time.
    PerIteration,
    /// A batch is divided into this many parts.
    NumBatches(u64),
    /// So many.
    NumIterations(u64),
}

/// Inputs of `LargeInput` that are alive at once.
const LARGE_INPUTS: u64 = 10;

impl BatchSize {
    /// Most inputs that are alive at once; `None` where the engine chooses.
    ///
    /// # Panics
    ///
    /// When it is zero, as criterion does.
    #[track_caller]
    pub(crate) fn most_alive(self) -> Option<u64> {
        match self {
            BatchSize::SmallInput => None,
            BatchSize::LargeInput => Some(LARGE_INPUTS),
            BatchSize::PerIteration => Some(1),
            BatchSize::NumBatches(parts) => {
                assert!(parts > 0, "Batch size must not be zero.");
                None
            }
            BatchSize::NumIterations(iterations) => {
                assert!(iterations > 0, "Batch size must not be zero.");
                Some(iterations)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_that_are_alive_at_once() {
        for (size, most) in [
            (BatchSize::SmallInput, None),
            (BatchSize::LargeInput, Some(10)),
            (BatchSize::PerIteration, Some(1)),
            (BatchSize::NumBatches(3), None),
            (BatchSize::NumIterations(7), Some(7)),
        ] {
            assert_eq!(size.most_alive(), most, "{size:?}");
        }
    }

    #[test]
    #[should_panic(expected = "must not be zero")]
    fn no_iterations_are_refused() {
        BatchSize::NumIterations(0).most_alive();
    }
}
