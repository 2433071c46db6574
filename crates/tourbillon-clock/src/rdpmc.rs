//! The cycles of a thread in user mode, counted by the performance monitoring unit and read by `rdpmc`.
//!
//! The kernel says in the event's page which counter has them at the moment and what to add to it
//! (`linux/perf_event.h`, struct `perf_event_mmap_page`).

use std::arch::asm;

use crate::perf_event::{Attributes, Look, View, of_user_mode};

/// Hardware (type 0), cycles (config 0).
pub(crate) const CYCLES: Attributes = of_user_mode(0, 0);

/// The kernel lets this process read counters.
const CAP_USER_RDPMC: u64 = 1 << 2;

/// What there is of the cycles of the thread that opened the event of `page`, which must be the calling
/// one; `None` where this process may not read counters, or the kernel does not stop writing.
#[inline(never)]
pub(crate) fn look(page: View<'_>) -> Option<Look> {
    // `rdpmc` would end a process that may not.
    let allowed = page.look(|_| 0)?.capabilities & CAP_USER_RDPMC != 0;
    if !allowed {
        return None;
    }
    page.look(read_counter)
}

/// The cycles so far; without those since the counter was taken away where it is away now.
pub(crate) fn cycles(look: &Look) -> u64 {
    // The counter has so many bits, the uppermost of which is a sign.
    let unused = (look.width_and_conversion as u16).wrapping_neg() & 63;
    let counter = (look.counter as i64) << unused >> unused;
    look.offset.wrapping_add(counter as u64)
}

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
    use crate::perf_event::Page;

    /// A page with a counter of 48 bits.
    fn page(capabilities: u64, index: u64, missed_ns: u64) -> Page {
        Page::made(&[
            (1, index << 32),
            (2, 1 << 47),
            (3, 5_000),
            (4, 5_000 - missed_ns),
            (5, capabilities),
            (6, 0xffff_ffff_ffff_0000 | 48),
        ])
    }

    #[test]
    fn a_counter_is_added_to_what_was_counted_before() {
        // The kernel starts a counter at -2^47, so that it overflows as late as possible.
        let read = |number| (1 << 47) + 1_232 + u64::from(number);
        let look = page(CAP_USER_RDPMC, 3, 0).view().look(read).unwrap();
        assert_eq!(cycles(&look), 1_234);
        assert!(look.is_counted);
        assert_eq!(look.missed_ns, 0);
    }

    #[test]
    fn where_no_counter_has_them_none_is_read() {
        let away = page(CAP_USER_RDPMC, 0, 700);
        let look = look(away.view()).expect("the page does not change");
        assert!(!look.is_counted);
        assert_eq!((cycles(&look), look.missed_ns), (1 << 47, 700));
    }

    #[test]
    fn what_the_kernel_forbids_is_not_tried() {
        assert!(look(page(!CAP_USER_RDPMC, 3, 0).view()).is_none());
    }

    #[test]
    fn a_page_that_is_being_written_says_nothing() {
        let page = Page::made(&[(1, 3 << 32 | 1), (5, CAP_USER_RDPMC)]);
        assert!(page.view().look(|_| 7).is_none());
    }
}
