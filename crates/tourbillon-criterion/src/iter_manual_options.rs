//! The schedule that a suite of CodSpeed asks for.

/// Rounds and iterations of [`Bencher::iter_manual_unstable`](crate::Bencher::iter_manual_unstable). Accepted; the pilot
/// launch finds the length of batches.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct IterManualOptions;

impl IterManualOptions {
    /// Options without effect.
    pub fn new() -> IterManualOptions {
        IterManualOptions
    }

    /// Has no effect.
    #[must_use]
    pub fn rounds(self, _: u64) -> IterManualOptions {
        self
    }

    /// Has no effect.
    #[must_use]
    pub fn iters(self, _: u64) -> IterManualOptions {
        self
    }

    /// Has no effect.
    #[must_use]
    pub fn warmup(self, _: u64) -> IterManualOptions {
        self
    }
}
