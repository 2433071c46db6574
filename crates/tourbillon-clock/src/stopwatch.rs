//! Elapsed time for deadlines and progress, outside of any measurement.

use crate::os;

/// Counts nanoseconds from the moment it is made, on the operating system's monotonic clock.
///
/// For deadlines, budgets of a run and progress lines; samples are read from a
/// [`Clock`](crate::Clock).
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started_ns: u64,
}

impl Stopwatch {
    /// Starts counting.
    #[must_use]
    pub fn start() -> Stopwatch {
        Stopwatch {
            started_ns: os::monotonic_ns(),
        }
    }

    /// Nanoseconds since the start.
    ///
    /// The clock never goes backwards, and it stands still while the machine is suspended.
    #[must_use]
    pub fn elapsed_ns(&self) -> u64 {
        os::monotonic_ns().saturating_sub(self.started_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_time_only_grows() {
        let stopwatch = Stopwatch::start();
        let first = stopwatch.elapsed_ns();
        let second = stopwatch.elapsed_ns();
        assert!(second >= first);
    }
}
