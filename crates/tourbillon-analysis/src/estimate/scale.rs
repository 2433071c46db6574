//! A tick of the clock in the unit of a result.

use super::chain::CoreClock;

/// Error of a cycle as the reference chain reads it, as a fraction. The reference kernels of 1000 and 3000
/// cycles, whose loop costs next to nothing, came out at most 0.05 % long.
const CHAIN_RESIDUE: f64 = 5e-4;

/// A tick in the unit of a result.
pub(crate) enum Scale {
    /// The same throughout.
    Ticks(f64),
    /// By the clock of the core, which drifts.
    Core(CoreClock),
    /// Its typical value; the batches were counted in the unit itself.
    Counted(f64),
}

impl Scale {
    /// During a batch, counted from 0.
    pub(crate) fn during(&self, batch: u64) -> f64 {
        match self {
            Scale::Ticks(scale) | Scale::Counted(scale) => *scale,
            Scale::Core(core) => 1.0 / core.ticks_per_cycle(batch),
        }
    }

    /// Over the whole launch.
    pub(crate) fn typical(&self) -> f64 {
        match self {
            Scale::Ticks(scale) | Scale::Counted(scale) => *scale,
            Scale::Core(core) => 1.0 / core.typical,
        }
    }

    /// Its error as a fraction; none where that is the same for all launches.
    pub(crate) fn error(&self) -> f64 {
        match self {
            Scale::Ticks(_) | Scale::Counted(_) => 0.0,
            Scale::Core(core) => CHAIN_RESIDUE + core.error,
        }
    }
}
