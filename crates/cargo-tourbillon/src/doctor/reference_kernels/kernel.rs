//! A kernel and its cost.

use std::fmt;

use tourbillon_engine::Arm;

/// Code of known cost.
pub(super) struct Kernel {
    pub(super) name: String,
    /// Cycles per op; 0 for an empty body.
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
