//! The page of a perf event, in which the kernel publishes what a program can read by itself: how the time
//! stamp counter is converted, and which counter of the performance monitoring unit `rdpmc` reads.

use std::arch::asm;
use std::ffi::{c_int, c_ulong, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

use crate::sys;

/// `struct perf_event_attr` up to `PERF_ATTR_SIZE_VER0`, in words of eight bytes: `linux/perf_event.h`.
type Attributes = [u64; 8];

/// Type, config and size of a perf event that excludes the kernel (bit 5) and the hypervisor (bit 6).
const fn of_user_mode(kind: u32, event: u64) -> Attributes {
    let mut attributes = [0; 8];
    attributes[0] = kind as u64 | (size_of::<Attributes>() as u64) << 32;
    attributes[1] = event;
    attributes[5] = 1 << 5 | 1 << 6;
    attributes
}

/// Hardware (type 0), cycles (config 0).
const CYCLES: Attributes = of_user_mode(0, 0);
/// A software event (type 1) called dummy (config 9), which counts nothing.
const DUMMY: Attributes = of_user_mode(1, 9);

// Words of eight bytes of `struct perf_event_mmap_page`.
/// The lock, and in the upper half the number of the counter, from 1; 0 without one.
const LOCK_AND_INDEX: usize = 1;
const OFFSET: usize = 2;
const ENABLED: usize = 3;
const RUNNING: usize = 4;
const CAPABILITIES: usize = 5;
const WIDTH_AND_CONVERSION: usize = 6;

/// The kernel lets this process read counters.
const CAP_USER_RDPMC: u64 = 1 << 2;
/// The page has the conversion of the time stamp counter.
const CAP_USER_TIME: u64 = 1 << 3;

/// Attempts to read a page that the kernel is writing.
const TRIES: usize = 100;
/// `PERF_FLAG_FD_CLOEXEC` of `linux/perf_event.h`.
const CLOSE_ON_EXEC: c_ulong = 8;

/// The page of an event; the event lives while it is mapped.
#[derive(Debug)]
pub struct Page {
    start: *mut c_void,
    length: usize,
}

// SAFETY: the mapping belongs to the process, and is only read.
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

impl Page {
    /// The page of an event that counts the cycles of the calling thread in user mode.
    ///
    /// # Errors
    ///
    /// If the kernel does not open the event or does not map its page.
    pub fn of_cycles() -> io::Result<Page> {
        Page::open(&CYCLES, 0, -1)
    }

    /// The page of an event of processor 0 that counts nothing.
    ///
    /// It needs privileges (root, `CAP_PERFMON`, or `kernel.perf_event_paranoid` below 1), which an event
    /// of this thread would not. But the first event of a thread switches on bookkeeping at every context
    /// switch and waits until all processors have seen it: 10 to 20 ms against 0.06 ms (Linux 6.18, two
    /// processors, three openings each). Measuring the frequency takes one.
    pub(crate) fn of_processor() -> io::Result<Page> {
        Page::open(&DUMMY, -1, 0)
    }

    fn open(attributes: &Attributes, thread: c_int, processor: c_int) -> io::Result<Page> {
        // SAFETY: sysconf has no preconditions.
        let length = unsafe { sys::sysconf(sys::_SC_PAGESIZE) } as usize;
        // SAFETY: the attributes contain their own size and live for the call; no group (-1), closed in
        // children.
        let descriptor = unsafe {
            sys::syscall(
                sys::SYS_perf_event_open,
                attributes.as_ptr(),
                thread,
                processor,
                -1,
                CLOSE_ON_EXEC,
            )
        };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a new descriptor that has no other owner.
        let event = unsafe { OwnedFd::from_raw_fd(descriptor as c_int) };
        let (read, shared, fd) = (sys::PROT_READ, sys::MAP_SHARED, event.as_raw_fd());
        // SAFETY: a new mapping, read only, at an address of the kernel's choice.
        let start = unsafe { sys::mmap(ptr::null_mut(), length, read, shared, fd, 0) };
        if start == sys::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // The mapping keeps the event alive; its descriptor is closed here.
        Ok(Page { start, length })
    }

    /// One of the first 512 words of eight bytes, which the kernel may be writing.
    fn word(&self, index: usize) -> u64 {
        let index = index % 512;
        // SAFETY: the word lies in the page, which is at least 4 KiB, aligned, and mapped while `self`
        // lives; integers have no invalid bits.
        unsafe { self.start.cast::<u64>().add(index).read_volatile() }
    }

    /// The contents of the page between two equal and even readings of its lock, and the value of the
    /// counter that it names (of the calling thread, for an event of a thread). Zeroes if the kernel does
    /// not stop writing.
    ///
    /// Without a fence: volatile readings stay in their order, and x86-64 does not reorder loads.
    #[must_use]
    pub fn look(&self) -> Look {
        for _ in 0..TRIES {
            let before = self.word(LOCK_AND_INDEX);
            let mut look = Look {
                capabilities: self.word(CAPABILITIES),
                offset: self.word(OFFSET),
                missed_ns: self.word(ENABLED).wrapping_sub(self.word(RUNNING)),
                width_and_conversion: self.word(WIDTH_AND_CONVERSION),
                ..Look::default()
            };
            let index = (before >> 32) as u32;
            // A forbidden `rdpmc` would end the process.
            if index != 0 && look.may_read_counters() {
                look.counter = read_counter(index - 1);
                look.is_counted = true;
            }
            if before & 1 == 0 && before == self.word(LOCK_AND_INDEX) {
                return look;
            }
        }
        Look::default()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this start and length, and no reference to it is left.
        unsafe { sys::munmap(self.start, self.length) };
    }
}

/// The contents of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    pub(crate) capabilities: u64,
    /// Whether a readable counter counts the event now: not on a core of another kind, and not while other
    /// events use all counters.
    pub(crate) is_counted: bool,
    /// The count before the event got its counter, to be added.
    pub(crate) offset: u64,
    /// The value of the counter; 0 without one.
    pub(crate) counter: u64,
    /// Nanoseconds in which the event had no counter, up to the last change.
    pub(crate) missed_ns: u64,
    /// From the lowest bit: the width of the counter (16 bits), and the shift (16 bits) and multiplier (32
    /// bits) that convert the time stamp counter.
    pub(crate) width_and_conversion: u64,
}

impl Look {
    /// Whether the kernel lets this process read counters by `rdpmc`.
    #[must_use]
    pub fn may_read_counters(&self) -> bool {
        self.capabilities & CAP_USER_RDPMC != 0
    }

    /// The count so far; without the events since the last counter was taken away, if there is none now.
    #[must_use]
    pub fn count(&self) -> u64 {
        // The highest bit of the counter's width is a sign.
        let unused = (self.width_and_conversion as u16).wrapping_neg() & 63;
        let counter = (self.counter as i64) << unused >> unused;
        self.offset.wrapping_add(counter as u64)
    }

    /// Multiplier and shift that convert the time stamp counter to nanoseconds; `None` if the kernel states
    /// none.
    pub(crate) fn conversion(&self) -> Option<(u32, u16)> {
        let shift = self.width_and_conversion >> 16;
        let mult = shift >> 16;
        (self.capabilities & CAP_USER_TIME != 0).then_some((mult as u32, shift as u16))
    }
}

fn read_counter(number: u32) -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: the page states that this process may read counters, and that this one is on.
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
impl Page {
    /// A page with these words and nothing else in it.
    pub(crate) fn made(words: &[(usize, u64)]) -> Page {
        let length = 4096;
        // SAFETY: a new mapping of memory of its own, at an address of the kernel's choice.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(start, libc::MAP_FAILED);
        for (index, value) in words {
            // SAFETY: the word lies in the mapping, aligned, and it is not shared.
            unsafe { start.cast::<u64>().add(index % 512).write(*value) };
        }
        Page { start, length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contents of a page with a counter of 48 bits, or without one.
    fn look(capabilities: u64, index: u64, missed_ns: u64) -> Look {
        let page = Page::made(&[
            (LOCK_AND_INDEX, index << 32),
            (OFFSET, 1 << 47),
            (ENABLED, 5_000),
            (RUNNING, 5_000 - missed_ns),
            (CAPABILITIES, capabilities),
            (WIDTH_AND_CONVERSION, 0xffff_ffff_ffff_0000 | 48),
        ]);
        page.look()
    }

    #[test]
    fn a_counter_is_added_to_the_offset() {
        // The kernel starts a counter at -2^47, so that it overflows as late as possible.
        let look = Look {
            counter: (1 << 47) + 1_234,
            ..look(CAP_USER_RDPMC, 0, 0)
        };
        assert_eq!(look.count(), 1_234);
    }

    #[test]
    fn without_a_counter_none_is_read() {
        let look = look(CAP_USER_RDPMC, 0, 700);
        assert!(!look.is_counted);
        assert_eq!((look.count(), look.missed_ns), (1 << 47, 700));
    }

    #[test]
    fn a_forbidden_counter_is_not_read() {
        let look = look(!CAP_USER_RDPMC, 3, 0);
        assert!(!look.is_counted);
        assert_eq!(look.counter, 0);
    }

    #[test]
    fn a_page_that_is_being_written_is_discarded() {
        let page = |lock| Page::made(&[(LOCK_AND_INDEX, lock), (CAPABILITIES, CAP_USER_RDPMC)]);
        assert_eq!(page(0).look().capabilities, CAP_USER_RDPMC);
        assert_eq!(page(1).look().capabilities, 0);
    }
}
