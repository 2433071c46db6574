//! A kernel, and what it costs.

use std::fmt;

use tourbillon_engine::Arm;

/// Code whose cost is known.
pub(super) struct Kernel {
    pub(super) name: String,
    /// Cycles of an op; none for a body that does nothing.
    pub(super) cycles: f64,
    pub(super) arm: Box<dyn Arm>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .field("cycles", &self.cycles)
            .finish_non_exhaustive()
    }
}
