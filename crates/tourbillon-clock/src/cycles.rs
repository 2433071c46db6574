//! Cycles of timed regions, where there is a counter that has them.

use crate::{Clock, Regions};

#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod of_thread;
#[cfg(feature = "script")]
mod scripted;

/// Who counts the cycles of regions that it is told of.
pub(crate) trait Cycles: Regions {
    /// Those of all regions since this was last asked; `None` where some were not counted.
    fn take(&self) -> Option<u64>;
}

/// A clock whose regions are counted in cycles of the core, too.
///
/// # Accuracy
///
/// Cycles in user mode of the thread that asked for it: nothing that interrupts it, and nothing that
/// the kernel does for it. The counter is read just before the clock at the start and just after it at
/// the stop: what the readings cost is the same for a region of any length. A region in which the
/// counter was taken away, or which ran on a core of another kind, has no cycles.
#[derive(Debug)]
pub struct CountingClock {
    clock: Clock,
    cycles: &'static dyn Cycles,
}

impl CountingClock {
    /// The clock: for regions of the thread that asked for it, and for no other's.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Cycles of all regions since this was last called, or since the clock was made; `None` where not
    /// all of them were counted.
    #[must_use]
    pub fn take(&self) -> Option<u64> {
        self.cycles.take()
    }
}

impl Clock {
    /// This clock, counting cycles; `None` where this machine has no counter of cycles, where the system
    /// does not let this process read it, and where somebody else is told of the regions.
    ///
    /// # Cost
    ///
    /// The first time in a thread, a system call that fails or two that do not. The kernel takes some ten
    /// milliseconds for those if no other process counts anything at the time. Then some bytes
    /// that are not given back before the process ends. Regions get a few calls around them.
    #[inline(never)]
    #[must_use]
    pub fn counting_cycles(&self) -> Option<CountingClock> {
        let cycles = self.cycles()?;
        Some(CountingClock {
            clock: self.clone().telling(cycles),
            cycles,
        })
    }

    fn cycles(&self) -> Option<&'static dyn Cycles> {
        #[cfg(feature = "script")]
        if let Some(script) = self.script() {
            return scripted::cycles(script);
        }
        #[cfg(all(
            target_arch = "x86_64",
            any(target_os = "linux", target_os = "android")
        ))]
        if !self.is_watched() {
            return of_thread::cycles();
        }
        None
    }
}
