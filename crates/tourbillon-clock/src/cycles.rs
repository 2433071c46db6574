//! Cycles of timed regions, if there is a counter for them.

use crate::{Clock, Regions};

/// Counts the cycles of regions.
pub(crate) trait Cycles: Regions {
    /// Cycles of all regions since the last call; `None` if some were not counted.
    fn take(&self) -> Option<u64>;
}

/// A clock whose regions are counted in cycles of the core, too.
///
/// # Accuracy
///
/// Cycles in user mode of the thread that created it: neither interrupts nor the kernel's work for the thread
/// are included. The counter is read just before the clock at the start and just after it at the stop: the
/// readings add the same to a region of any length. A region has no cycles if the counter was taken away in
/// it, or if it ran on a core of another kind.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::Clock;
///
/// if let Some(counting) = Clock::choose().clock.counting_cycles() {
///     let clock = counting.clock();
///     let start = clock.start();
///     let ticks = clock.stop().since(start);
///     println!("{ticks:?}, {:?} cycles", counting.take());
/// }
/// ```
#[derive(Debug)]
pub struct CountingClock {
    clock: Clock,
    cycles: &'static dyn Cycles,
}

impl CountingClock {
    /// The clock, for regions of the thread that created it.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Cycles of all regions since the last call, or since the clock was created; `None` if some were not
    /// counted.
    #[must_use]
    pub fn take(&self) -> Option<u64> {
        self.cycles.take()
    }
}

impl Clock {
    /// This clock, counting cycles; `None` if this machine has no counter of cycles, if the system does not
    /// let this process read it, or if the clock already calls an observer of regions.
    ///
    /// # Cost
    ///
    /// The first time, a system call that fails or two that succeed. The kernel takes about ten milliseconds
    /// for those if no other process counts anything at the time. Leaks a few bytes. Regions get a few calls
    /// around them.
    #[must_use]
    pub fn counting_cycles(&self) -> Option<CountingClock> {
        let cycles = self.cycles()?;
        Some(CountingClock {
            clock: self.clone().watched_by(cycles),
            cycles,
        })
    }

    fn cycles(&self) -> Option<&'static dyn Cycles> {
        #[cfg(feature = "script")]
        if let Some(script) = self.script() {
            return scripted::cycles(script);
        }
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        if self.watched_clock().is_none() {
            return of_thread::cycles();
        }
        None
    }
}

/// Cycles by the performance monitoring unit, for one thread of the process.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod of_thread {
    use std::arch::asm;
    use std::ffi::c_long;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::Cycles;
    use crate::perf_event::{Look, Page};
    use crate::{Regions, sys};

    /// The counter of the first thread that asked for one; `None` if it cannot be had. It lasts as long as
    /// the process: one event for all cases, because the machine has few counters.
    static FIRST: OnceLock<Option<Counting>> = OnceLock::new();

    /// Regions of one thread, the only one that calls it: so nothing here is ordered.
    #[derive(Debug)]
    struct Counting {
        thread: c_long,
        page: Page,
        /// The contents of the page before the region.
        cycles: AtomicU64,
        missed_ns: AtomicU64,
        /// Cycles of the regions since the last request; [`LOST`] if some were not counted.
        sum: AtomicU64,
    }

    /// In place of a sum.
    const LOST: u64 = u64::MAX;

    /// The counter of this thread; `None` if it cannot be had.
    pub(super) fn cycles() -> Option<&'static dyn Cycles> {
        // SAFETY: has no preconditions.
        let thread: c_long = unsafe { sys::syscall(sys::SYS_gettid) };
        let first = FIRST.get_or_init(|| {
            let counting = Counting::new(thread, Page::of_cycles().ok()?);
            // Not on a core of another kind, nor while other events use all counters.
            counting.look().is_counted.then_some(counting)
        });
        let counting = first.as_ref().filter(|first| first.thread == thread)?;
        Some(counting)
    }

    impl Counting {
        fn new(thread: c_long, page: Page) -> Counting {
            Counting {
                thread,
                page,
                cycles: AtomicU64::new(0),
                missed_ns: AtomicU64::new(0),
                sum: AtomicU64::new(0),
            }
        }

        /// Adds the cycles of a region to the sum; `look` is the contents of the page at its end.
        fn add(&self, look: Look) {
            let (before, after) = (self.cycles.load(Relaxed), look.count());
            let mut sum = self.sum.load(Relaxed);
            // Reading takes some cycles itself, so there are never none.
            let is_whole = look.missed_ns == self.missed_ns.load(Relaxed) && after > before;
            if look.is_counted && is_whole && sum != LOST {
                sum += after - before;
            } else {
                sum = LOST;
            }
            self.sum.store(sum, Relaxed);
        }

        /// The contents of the page when everything before has executed.
        fn look(&self) -> Look {
            // SAFETY: waits; changes no register and no memory.
            unsafe { asm!("lfence", options(nostack, preserves_flags)) };
            self.page.look()
        }
    }

    impl Regions for Counting {
        fn before(&self) {
            let look = self.look();
            self.missed_ns.store(look.missed_ns, Relaxed);
            // No count is above that one.
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

    #[cfg(test)]
    mod tests {
        use super::*;

        /// A counter of cycles with a page of these words.
        fn of_page(words: &[(usize, u64)]) -> Counting {
            Counting::new(0, Page::made(words))
        }

        #[test]
        fn regions_without_a_counter_have_no_cycles() {
            // A counter that must not be read; an event without a counter.
            for counting in [of_page(&[(1, 3 << 32)]), of_page(&[(5, 1 << 2)])] {
                counting.before();
                counting.after();
                assert_eq!(counting.take(), None);
                // At the end of a region that began with a counter there is none either.
                counting.cycles.store(100, Relaxed);
                counting.after();
                assert_eq!(counting.take(), None);
                // No region since.
                assert_eq!(counting.take(), Some(0));
            }
        }

        #[test]
        fn a_region_that_was_not_counted_whole_is_lost() {
            let look = |count, is_counted, missed_ns| Look {
                capabilities: 1 << 2,
                is_counted,
                offset: count,
                counter: 0,
                missed_ns,
                width_and_conversion: 48,
            };
            let of_regions = |ends: &[Look]| {
                let counting = of_page(&[]);
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
                // No counter at the end.
                look(350, false, 7),
                // No counter in between.
                look(350, true, 8),
                // Another counter, which did not continue the first one's count.
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
        fn cycles_grow_with_the_work_if_this_machine_counts_them() {
            let Some(cycles) = cycles() else {
                println!(
                    "absent: this machine has no counter of cycles that this process may read"
                );
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
}

/// Cycles of a script.
#[cfg(feature = "script")]
mod scripted {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::Cycles;
    use crate::{Regions, Script};

    /// Regions on a scripted clock.
    #[derive(Debug)]
    struct Counting {
        script: Script,
        state: Mutex<State>,
    }

    #[derive(Debug, Default)]
    struct State {
        before: Option<f64>,
        sum: f64,
        is_lost: bool,
    }

    /// The counter of a script; `None` if it has none.
    pub(super) fn cycles(script: &Script) -> Option<&'static dyn Cycles> {
        script.counted()?;
        let counting = Counting {
            script: script.clone(),
            state: Mutex::default(),
        };
        Some(Box::leak(Box::new(counting)))
    }

    impl Counting {
        fn state(&self) -> MutexGuard<'_, State> {
            self.state.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl Regions for Counting {
        fn before(&self) {
            self.state().before = self.script.counted();
        }

        fn begin(&self) {}

        fn end(&self) {}

        fn after(&self) {
            let mut state = self.state();
            match (state.before.take(), self.script.counted()) {
                (Some(before), Some(after)) => state.sum += after - before,
                _ => state.is_lost = true,
            }
        }
    }

    impl Cycles for Counting {
        fn take(&self) -> Option<u64> {
            let state = std::mem::take(&mut *self.state());
            (!state.is_lost).then_some(state.sum.round() as u64)
        }
    }
}
