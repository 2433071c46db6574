//! The cycles of a thread in user mode, counted by the performance monitoring unit and read by `rdpmc`.
//!
//! The kernel says in the event's page which counter has them at the moment and what to add to it
//! (`linux/perf_event.h`, struct `perf_event_mmap_page`).

use std::arch::asm;

use crate::perf_event::{Attributes, Page, of_user_mode};

/// Hardware (type 0), cycles (config 0).
pub(crate) const CYCLES: Attributes = of_user_mode(0, 0);

// Offsets in `struct perf_event_mmap_page`, and a capability.
const INDEX: usize = 12;
const OFFSET: usize = 16;
const ENABLED: usize = 24;
const RUNNING: usize = 32;
const CAPABILITIES: usize = 40;
const WIDTH: usize = 48;
const CAP_USER_RDPMC: u64 = 1 << 2;

/// What a page said of the cycles so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// The cycles; without those since the counter was taken away where it is away now.
    pub(crate) cycles: u64,
    /// Whether a counter has them at the moment: not on a core of another kind, and not while other
    /// events have all counters.
    pub(crate) is_counted: bool,
    /// Nanoseconds for which they should have been counted, up to the last change, and were not.
    pub(crate) missed_ns: u64,
}

/// Whether the kernel lets this process read counters.
pub(crate) fn is_allowed(page: &Page) -> bool {
    page.field::<u64>(CAPABILITIES) & CAP_USER_RDPMC != 0
}

/// Reads the cycles of the thread that opened the event of `page`, which must be the calling one; `None`
/// where the kernel does not stop writing, or forbids it.
#[inline]
pub(crate) fn count(page: &Page) -> Option<Count> {
    if !is_allowed(page) {
        return None;
    }
    count_by(page, read_counter)
}

#[inline]
fn count_by(page: &Page, read: impl Fn(u32) -> u64) -> Option<Count> {
    page.unchanged(|page| {
        let mut cycles: u64 = page.field(OFFSET);
        let index: u32 = page.field(INDEX);
        if let Some(number) = index.checked_sub(1) {
            // The counter has so many bits, the uppermost of which is a sign.
            let unused = 64 - u32::from(page.field::<u16>(WIDTH).clamp(1, 64));
            let raw = read(number) as i64;
            cycles = cycles.wrapping_add((raw << unused >> unused) as u64);
        }
        let (enabled, running): (u64, u64) = (page.field(ENABLED), page.field(RUNNING));
        Count {
            cycles,
            is_counted: index != 0,
            missed_ns: enabled.wrapping_sub(running),
        }
    })
}

#[inline(always)]
fn read_counter(number: u32) -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: the page says that this process may read counters, and that this one is on.
    unsafe {
        asm!(
            "rdpmc",
            in("ecx") number,
            out("rax") low,
            out("rdx") high,
            options(nostack, preserves_flags),
        );
    }
    high << 32 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with a counter of 48 bits.
    fn page(capabilities: u64, index: u64, missed_ns: u64) -> Page {
        Page::made(&[
            // The index lies in the upper half of these eight bytes, the lock in the lower one.
            (8, index << 32),
            (OFFSET, 1 << 47),
            (ENABLED, 5_000),
            (RUNNING, 5_000 - missed_ns),
            (CAPABILITIES, capabilities),
            (WIDTH, 48),
        ])
    }

    #[test]
    fn a_counter_is_added_to_what_was_counted_before() {
        // The kernel starts a counter at -2^47, so that it overflows as late as possible.
        let counted = count_by(&page(CAP_USER_RDPMC, 3, 0), |number| {
            assert_eq!(number, 2);
            (1 << 47) + 1_234
        });
        let count = Count {
            cycles: 1_234,
            is_counted: true,
            missed_ns: 0,
        };
        assert_eq!(counted, Some(count));
    }

    #[test]
    fn where_no_counter_has_them_none_is_read() {
        let away = page(CAP_USER_RDPMC, 0, 700);
        let counted = count_by(&away, |_| unreachable!("there is none"));
        let counted = counted.expect("the page does not change");
        assert!(!counted.is_counted);
        assert_eq!(counted.missed_ns, 700);
        assert_eq!(count(&away), Some(counted));
    }

    #[test]
    fn what_the_kernel_forbids_is_not_tried() {
        // All others: `rdpmc` would end this process.
        assert_eq!(count(&page(!CAP_USER_RDPMC, 3, 0)), None);
    }

    #[test]
    fn a_page_that_is_being_written_says_nothing() {
        let page = Page::made(&[(8, 3 << 32 | 1), (CAPABILITIES, CAP_USER_RDPMC)]);
        assert_eq!(count_by(&page, |_| 7), None);
    }
}
