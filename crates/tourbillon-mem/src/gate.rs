//! Whether anything is being counted: what every allocation asks first.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Regions that are open, and those among them that want more than the counts of their thread.
///
/// Read by every allocation of every thread and written only when a region opens or closes; alone in
/// its cache lines (two, for processors that fetch pairs), so that no counter's traffic slows it.
#[repr(align(128))]
struct Gate {
    regions: AtomicU32,
    wanting_more: AtomicU32,
}

static GATE: Gate = Gate {
    regions: AtomicU32::new(0),
    wanting_more: AtomicU32::new(0),
};

/// Whether any region is open in this process.
///
/// Relaxed is enough: a thread always sees its own opening, and what was started or woken by the
/// opening thread sees it through whatever started or woke it.
#[inline(always)]
pub(crate) fn open() -> bool {
    GATE.regions.load(Relaxed) != 0
}

/// Whether any of the open regions counts the whole process, or looks at single blocks.
///
/// One question for both, as what is usually open wants neither.
#[inline(always)]
pub(crate) fn more_wanted() -> bool {
    GATE.wanting_more.load(Relaxed) != 0
}

/// Keeps the gate open while it lives.
#[derive(Debug)]
pub(crate) struct Pass {
    more: bool,
}

impl Pass {
    /// For a region that counts its thread.
    pub(crate) fn thread() -> Self {
        GATE.regions.fetch_add(1, Relaxed);
        Self { more: false }
    }

    /// For a region that wants more than that.
    pub(crate) fn more() -> Self {
        GATE.regions.fetch_add(1, Relaxed);
        GATE.wanting_more.fetch_add(1, Relaxed);
        Self { more: true }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if self.more {
            GATE.wanting_more.fetch_sub(1, Relaxed);
        }
        GATE.regions.fetch_sub(1, Relaxed);
    }
}
