//! The kernel's own conversion from the time stamp counter, in the page of a perf event.
//!
//! Any event has it, also one of the software that counts nothing. The kernel fills it in where its
//! own scheduler clock is the counter: on bare metal, not in most guests
//! (`arch_perf_update_userpage` in `arch/x86/events/core.c`).
//!
//! The event is one of a processor, which takes rights (root, `CAP_PERFMON`, or
//! `kernel.perf_event_paranoid` below 1), and not one of this thread, which would take none: the
//! first event of a thread switches on bookkeeping at every change of threads and waits until all
//! processors have seen it. Linux 6.18, two processors, three openings each: 10 to 20 ms against
//! 0.06 ms; measuring takes one.

use std::ffi::{c_ulong, c_void};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{Ordering, fence};

use crate::{Frequency, FrequencyFrom, sys};

/// `struct perf_event_attr` up to `PERF_ATTR_SIZE_VER0`, in words of eight bytes: `linux/perf_event.h`.
type Attributes = [u64; 8];

/// A software event (type 1) called dummy (config 9), which leaves out the kernel (bit 5) and the
/// hypervisor (bit 6): nothing is to be counted.
const DUMMY: Attributes = [
    1 | (size_of::<Attributes>() as u64) << 32,
    9,
    0,
    0,
    0,
    1 << 5 | 1 << 6,
    0,
    0,
];

// Offsets in `struct perf_event_mmap_page`, and the bit that says that the conversion is there.
const LOCK: usize = 8;
const CAPABILITIES: usize = 40;
const TIME_SHIFT: usize = 50;
const TIME_MULT: usize = 52;
const CAP_USER_TIME: u64 = 1 << 3;

/// How often a page that is being written is read again.
const TRIES: usize = 100;

/// `nanoseconds = ticks * mult >> shift`.
#[derive(Clone, Copy, Debug)]
struct Conversion {
    mult: u32,
    shift: u16,
}

/// Opens an event, reads its page, closes it; `None` where that is forbidden.
pub(super) fn frequency() -> Option<Frequency> {
    let khz = Page::open()?.conversion()?.khz()?;
    Frequency::from_khz(khz, FrequencyFrom::PerfPage)
}

impl Conversion {
    /// The counter's rate in kHz, which is how the kernel holds it: the multiplier has 31 or 32
    /// bits, so that the nearest whole number is the right one.
    fn khz(self) -> Option<u64> {
        if self.shift >= 64 {
            return None;
        }
        let dividend = 1_000_000_u128 << self.shift;
        let mult = u128::from(self.mult);
        let khz = (dividend + mult / 2).checked_div(mult)?;
        u64::try_from(khz).ok()
    }
}

/// A mapped page; unmapped on drop.
struct Page {
    start: *mut c_void,
    length: usize,
}

impl Page {
    fn open() -> Option<Page> {
        // SAFETY: sysconf has no preconditions.
        let length = usize::try_from(unsafe { sys::sysconf(sys::_SC_PAGESIZE) }).ok()?;
        // SAFETY: the attributes say their own size and live for the call; all threads (-1) of
        // processor 0, no group (-1), closed in children.
        let descriptor = unsafe {
            sys::syscall(
                sys::SYS_perf_event_open,
                DUMMY.as_ptr(),
                -1,
                0,
                -1,
                PERF_FLAG_FD_CLOEXEC,
            )
        };
        let descriptor = i32::try_from(descriptor).ok()?;
        if descriptor < 0 {
            return None;
        }
        // SAFETY: the kernel has just handed out this descriptor, and nobody else has it.
        let event = unsafe { OwnedFd::from_raw_fd(descriptor) };
        // SAFETY: a new mapping, read only, at an address of the kernel's choice.
        let start = unsafe {
            sys::mmap(
                ptr::null_mut(),
                length,
                sys::PROT_READ,
                sys::MAP_SHARED,
                event.as_raw_fd(),
                0,
            )
        };
        // The mapping keeps the event alive; its descriptor is closed here.
        (start != sys::MAP_FAILED).then_some(Page { start, length })
    }

    /// Reads a field that the kernel may be writing.
    fn field<T: Copy>(&self, offset: usize) -> T {
        // SAFETY: the offsets above lie in the page, which is at least 4 KiB and mapped while
        // `self` lives; they are aligned for their fields; integers have no invalid bits.
        unsafe { self.start.byte_add(offset).cast::<T>().read_volatile() }
    }

    /// The conversion, read between two equal and even readings of the page's lock.
    fn conversion(&self) -> Option<Conversion> {
        for _ in 0..TRIES {
            let lock: u32 = self.field(LOCK);
            fence(Ordering::Acquire);
            let capabilities: u64 = self.field(CAPABILITIES);
            let conversion = Conversion {
                mult: self.field(TIME_MULT),
                shift: self.field(TIME_SHIFT),
            };
            fence(Ordering::Acquire);
            if lock.is_multiple_of(2) && lock == self.field::<u32>(LOCK) {
                return (capabilities & CAP_USER_TIME != 0).then_some(conversion);
            }
        }
        None
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this start and length, and no reference to it is left.
        unsafe { sys::munmap(self.start, self.length) };
    }
}

/// `PERF_FLAG_FD_CLOEXEC` of `linux/perf_event.h`.
const PERF_FLAG_FD_CLOEXEC: c_ulong = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_multipliers_give_back_its_kilohertz() {
        // As `clocks_calc_mult_shift` makes them: to the nearest, as long as they fit 32 bits.
        for khz in [
            1_000_003_u64,
            2_095_078,
            2_596_106,
            2_600_000,
            3_693_061,
            5_000_000,
        ] {
            for shift in [30_u16, 31] {
                let mult = ((1_000_000 << shift) + khz / 2) / khz;
                let mult = u32::try_from(mult).unwrap();
                assert_eq!(Conversion { mult, shift }.khz(), Some(khz), "shift {shift}");
            }
        }
    }

    #[test]
    fn a_page_that_makes_no_sense_states_nothing() {
        assert_eq!(Conversion { mult: 0, shift: 31 }.khz(), None);
        assert_eq!(Conversion { mult: 1, shift: 64 }.khz(), None);
        assert_eq!(
            Conversion {
                mult: 1,
                shift: u16::MAX
            }
            .khz(),
            None
        );
    }
}
