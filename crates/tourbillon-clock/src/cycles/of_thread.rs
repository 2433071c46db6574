//! Cycles by the performance monitoring unit, for one thread of the process.

use std::arch::asm;
use std::ffi::c_long;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Cycles;
use crate::perf_event::{CYCLES, Kept, Look, Page, Whose};
use crate::{Regions, sys};

/// The counter of the first thread that asked for one. It lasts as long as the process, so that who
/// measures one case after the other opens one event, not one a case to share the machine's few counters.
static FIRST: Counting = Counting::new();

/// Regions of one thread, which alone is to tell of them: so nothing here is ordered.
struct Counting {
    /// 1 once somebody asked.
    is_asked: AtomicU64,
    /// The thread; 0 where the counter cannot be had.
    thread: AtomicU64,
    page: Kept,
    /// What the page said before the region.
    cycles: AtomicU64,
    missed_ns: AtomicU64,
    /// Cycles of the regions since this was last asked for; [`LOST`] where some were not counted.
    sum: AtomicU64,
}

/// In the place of a sum.
const LOST: u64 = u64::MAX;

/// The counter of this thread; `None` where it cannot be had.
pub(super) fn cycles() -> Option<&'static dyn Cycles> {
    // SAFETY: has no preconditions.
    let thread: c_long = unsafe { sys::syscall(sys::SYS_gettid) };
    if FIRST.is_asked.swap(1, Relaxed) == 0 {
        FIRST.page.keep(Page::open(&CYCLES, Whose::Thread)?);
        // Not on a core of another kind than the event is of, nor while other events have all counters.
        if FIRST.look().is_counted {
            FIRST.thread.store(thread as u64, Relaxed);
        }
    }
    if FIRST.thread.load(Relaxed) != thread as u64 {
        return None;
    }
    Some(&FIRST)
}

impl Counting {
    const fn new() -> Counting {
        Counting {
            is_asked: AtomicU64::new(0),
            thread: AtomicU64::new(0),
            page: Kept::new(),
            cycles: AtomicU64::new(0),
            missed_ns: AtomicU64::new(0),
            sum: AtomicU64::new(0),
        }
    }

    /// Adds the cycles of a region to the sum, at the end of which the page says that.
    fn add(&self, look: Look) {
        let (before, after) = (self.cycles.load(Relaxed), look.count());
        let mut sum = self.sum.load(Relaxed);
        // Looking takes some cycles itself, so that there are never none.
        let is_whole = look.missed_ns == self.missed_ns.load(Relaxed) && after > before;
        if look.is_counted && is_whole && sum != LOST {
            sum += after - before;
        } else {
            sum = LOST;
        }
        self.sum.store(sum, Relaxed);
    }

    /// What the page says when everything before has executed.
    fn look(&self) -> Look {
        wait();
        self.page.look()
    }
}

impl fmt::Debug for Counting {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Counting")
    }
}

impl Regions for Counting {
    fn before(&self) {
        let look = self.look();
        self.missed_ns.store(look.missed_ns, Relaxed);
        // No count is behind that one.
        let cycles = if look.is_counted { look.count() } else { LOST };
        self.cycles.store(cycles, Relaxed);
    }

    fn begin(&self) {}

    fn end(&self) {}

    fn after(&self) {
        self.add(self.look());
    }
}

impl Cycles for Counting {
    fn take(&self) -> Option<u64> {
        match self.sum.swap(0, Relaxed) {
            LOST => None,
            sum => Some(sum),
        }
    }
}

/// Waits until everything before has executed.
#[inline(always)]
fn wait() {
    // SAFETY: changes no register and no memory.
    unsafe { asm!("lfence", options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter of cycles in no page but that one.
    fn of_page(words: &[(usize, u64)]) -> Counting {
        let counting = Counting::new();
        counting.page.keep(Page::made(words));
        counting
    }

    #[test]
    fn regions_without_a_counter_have_no_cycles() {
        // No page; one that must not be used; one of an event that no counter has.
        for counting in [
            Counting::new(),
            of_page(&[(1, 3 << 32)]),
            of_page(&[(5, 1 << 2)]),
        ] {
            counting.before();
            counting.after();
            assert_eq!(counting.take(), None);
            // At the end of a region that began with a counter there is none either.
            counting.cycles.store(100, Relaxed);
            counting.after();
            assert_eq!(counting.take(), None);
            // Nothing was told since.
            assert_eq!(counting.take(), Some(0));
        }
    }

    #[test]
    fn what_was_not_counted_whole_is_lost_and_stays_so() {
        let look = |count, is_counted, missed_ns| Look {
            capabilities: 1 << 2,
            is_counted,
            offset: count,
            counter: 0,
            missed_ns,
            width_and_conversion: 48,
        };
        let of_regions = |ends: &[Look]| {
            let counting = Counting::new();
            counting.cycles.store(100, Relaxed);
            counting.missed_ns.store(7, Relaxed);
            for end in ends {
                counting.add(*end);
            }
            counting.take()
        };
        let whole = look(350, true, 7);
        assert_eq!(of_regions(&[whole, whole]), Some(500));
        for lost in [
            // At the end the counter is away.
            look(350, false, 7),
            // It was, and is back.
            look(350, true, 8),
            // It is another one, which did not go on where the first one stopped.
            look(100, true, 7),
            look(50, true, 7),
        ] {
            assert_eq!(of_regions(&[lost]), None);
            assert_eq!(of_regions(&[whole, lost, whole]), None);
        }
    }

    /// On a machine with a performance monitoring unit that this process may read, cycles go up with the
    /// work; on every other there are none.
    #[test]
    fn this_machine_counts_or_says_that_it_does_not() {
        let Some(cycles) = cycles() else {
            println!("absent: this machine has no counter of cycles that this process may read");
            assert!(!FIRST.look().is_counted || FIRST.thread.load(Relaxed) != 0);
            return;
        };
        let of = |turns: u64| {
            cycles.before();
            for turn in 0..turns {
                std::hint::black_box(turn);
            }
            cycles.after();
            cycles.take()
        };
        // Where others use all counters, some of the time there is none.
        if let (Some(few), Some(many)) = (of(1_000), of(1_000_000)) {
            assert!(many > few && few > 0, "{few} {many}");
        }
    }
}
