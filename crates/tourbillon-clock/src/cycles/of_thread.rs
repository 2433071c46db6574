//! Cycles by the performance monitoring unit, for one thread of the process.

use std::arch::asm;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, ThreadId};

use super::Cycles;
use crate::Regions;
use crate::perf_event::{Page, Whose};
use crate::rdpmc::{CYCLES, Count, count};

/// The counter of the first thread that asked for one. More than one to a process would have to share
/// the machine's few counters, each of them counting for a part of the time.
static FIRST: OnceLock<Option<Counting>> = OnceLock::new();

/// Regions of one thread.
#[derive(Debug)]
struct Counting {
    page: Page,
    thread: ThreadId,
    /// What the page said before the region.
    cycles: AtomicU64,
    missed_ns: AtomicU64,
    /// Of the regions since this was last asked for.
    sum: AtomicU64,
    is_lost: AtomicBool,
}

/// The counter of this thread; `None` where it cannot be had.
pub(super) fn cycles() -> Option<&'static dyn Cycles> {
    let first = FIRST.get_or_init(|| {
        let page = Page::open(&CYCLES, Whose::Thread).ok()?;
        // Not on a core of another kind than the event is of, nor while other events have all counters.
        is_counted(count(&page))?;
        Some(Counting {
            page,
            thread: thread::current().id(),
            cycles: AtomicU64::new(0),
            missed_ns: AtomicU64::new(0),
            sum: AtomicU64::new(0),
            is_lost: AtomicBool::new(false),
        })
    });
    match first {
        Some(counting) if counting.thread == thread::current().id() => Some(counting),
        _ => None,
    }
}

/// A count that a counter stands behind.
#[inline]
fn is_counted(count: Option<Count>) -> Option<Count> {
    count.filter(|count| count.is_counted)
}

/// Cycles from one count to another; `None` where some of them were not counted. A reading takes some
/// cycles itself, so that there are never none.
#[inline]
fn between(before: Count, after: Option<Count>) -> Option<u64> {
    let after = is_counted(after)?;
    let is_whole = before.missed_ns == after.missed_ns && after.cycles > before.cycles;
    is_whole.then(|| after.cycles - before.cycles)
}

impl Regions for Counting {
    #[inline(never)]
    fn before(&self) {
        wait();
        match is_counted(count(&self.page)) {
            Some(count) => {
                self.cycles.store(count.cycles, Relaxed);
                self.missed_ns.store(count.missed_ns, Relaxed);
            }
            None => self.is_lost.store(true, Relaxed),
        }
    }

    fn begin(&self) {}

    fn end(&self) {}

    #[inline(never)]
    fn after(&self) {
        wait();
        let before = Count {
            cycles: self.cycles.load(Relaxed),
            is_counted: true,
            missed_ns: self.missed_ns.load(Relaxed),
        };
        match between(before, count(&self.page)) {
            Some(cycles) => {
                let sum = self.sum.load(Relaxed) + cycles;
                self.sum.store(sum, Relaxed);
            }
            None => self.is_lost.store(true, Relaxed),
        }
    }
}

impl Cycles for Counting {
    fn take(&self) -> Option<u64> {
        let sum = self.sum.swap(0, Relaxed);
        let is_lost = self.is_lost.swap(false, Relaxed);
        (!is_lost).then_some(sum)
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

    #[test]
    fn a_region_in_which_the_counter_was_away_has_no_cycles() {
        let count = |cycles, is_counted, missed_ns| Count {
            cycles,
            is_counted,
            missed_ns,
        };
        let before = count(100, true, 7);
        assert_eq!(between(before, Some(count(350, true, 7))), Some(250));
        for after in [
            // At the end it is away.
            Some(count(350, false, 7)),
            // It was, and is back.
            Some(count(350, true, 8)),
            // It is another one, which did not go on where the first one stopped.
            Some(count(100, true, 7)),
            Some(count(50, true, 7)),
            // The page cannot be read.
            None,
        ] {
            assert_eq!(between(before, after), None, "{after:?}");
        }
    }

    #[test]
    fn the_cycles_of_a_page_without_a_counter_are_lost() {
        let counting = Counting {
            // Readable, and no counter has its event.
            page: Page::made(&[(40, 1 << 2)]),
            thread: thread::current().id(),
            cycles: AtomicU64::new(0),
            missed_ns: AtomicU64::new(0),
            sum: AtomicU64::new(0),
            is_lost: AtomicBool::new(false),
        };
        counting.before();
        counting.after();
        assert_eq!(counting.take(), None);
        // Nothing was asked of it since.
        assert_eq!(counting.take(), Some(0));
    }

    /// On a machine with a performance monitoring unit that this process may read, cycles go up with the
    /// work; on every other there are none.
    #[test]
    fn this_machine_counts_or_says_that_it_does_not() {
        let Some(cycles) = cycles() else {
            let refused = Page::open(&CYCLES, Whose::Thread);
            assert!(refused.is_err_and(|error| error.raw_os_error().is_some()));
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
        // Another test may have had the counter first, and this thread none.
        if let (Some(few), Some(many)) = (of(1_000), of(1_000_000)) {
            assert!(many > few && few > 0, "{few} {many}");
        }
    }
}
