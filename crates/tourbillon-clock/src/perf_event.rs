//! The page in which the kernel says of a perf event what a program can read by itself: how the time stamp
//! counter is converted, and which counter of the performance monitoring unit `rdpmc` finds the event in.

use std::arch::asm;
use std::ffi::{c_int, c_ulong, c_void};
use std::marker::PhantomData;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::sys;

/// `struct perf_event_attr` up to `PERF_ATTR_SIZE_VER0`, in words of eight bytes: `linux/perf_event.h`.
pub type Attributes = [u64; 8];

/// Kind, event and size of a perf event that leaves out the kernel (bit 5) and the hypervisor (bit 6).
pub const fn of_user_mode(kind: u32, event: u64) -> Attributes {
    let size = size_of::<Attributes>() as u64;
    [
        kind as u64 | size << 32,
        event,
        0,
        0,
        0,
        1 << 5 | 1 << 6,
        0,
        0,
    ]
}

/// Hardware (type 0), cycles (config 0).
pub const CYCLES: Attributes = of_user_mode(0, 0);

/// Whose event it is.
#[derive(Clone, Copy)]
pub enum Whose {
    /// The calling thread's, wherever it runs.
    Thread,
    /// Of everything that runs on processor 0.
    Processor,
}

// Words of eight bytes of `struct perf_event_mmap_page`.
/// The lock, and in the upper half the number of the counter, from 1; 0 where there is none.
const LOCK_AND_INDEX: usize = 1;
const OFFSET: usize = 2;
const ENABLED: usize = 3;
const RUNNING: usize = 4;
const CAPABILITIES: usize = 5;
const WIDTH_AND_CONVERSION: usize = 6;

/// The kernel lets this process read counters.
pub const CAP_USER_RDPMC: u64 = 1 << 2;

/// How often a page that is being written is read again.
const TRIES: usize = 100;
/// `PERF_FLAG_FD_CLOEXEC` of `linux/perf_event.h`.
const CLOSE_ON_EXEC: c_ulong = 8;

/// The page of an event; the event lives while it is mapped.
pub struct Page {
    start: *mut c_void,
    length: usize,
}

impl Page {
    /// Opens an event and maps its page; `None` where the kernel does not, and its last error says why.
    #[inline(never)]
    pub fn open(attributes: &Attributes, whose: Whose) -> Option<Page> {
        // SAFETY: sysconf has no preconditions.
        let length = unsafe { sys::sysconf(sys::_SC_PAGESIZE) } as usize;
        let (thread, processor): (c_int, c_int) = match whose {
            Whose::Thread => (0, -1),
            Whose::Processor => (-1, 0),
        };
        // SAFETY: the attributes say their own size and live for the call; no group (-1), closed in
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
            return None;
        }
        // SAFETY: the kernel has just handed out this descriptor, and nobody else has it.
        let event = unsafe { OwnedFd::from_raw_fd(descriptor as c_int) };
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
        if start == sys::MAP_FAILED {
            return None;
        }
        Some(Page { start, length })
    }

    pub fn view(&self) -> View<'_> {
        View {
            start: self.start,
            mapped: PhantomData,
        }
    }
}

/// A page that stays for as long as the process lasts, once it is there.
pub struct Kept {
    /// Its address; 0 before.
    start: AtomicU64,
}

impl Kept {
    pub const fn new() -> Kept {
        Kept {
            start: AtomicU64::new(0),
        }
    }

    pub fn keep(&self, page: Page) {
        self.start
            .store(page.start.expose_provenance() as u64, Relaxed);
        mem::forget(page);
    }

    /// As [`View::look`]; nothing before there is a page.
    pub fn look(&self) -> Look {
        let start = self.start.load(Relaxed);
        if start == 0 {
            return NOTHING;
        }
        let view = View {
            start: ptr::with_exposed_provenance_mut(start as usize),
            mapped: PhantomData,
        };
        view.look()
    }
}

/// A look into a page that is mapped.
#[derive(Clone, Copy)]
pub struct View<'p> {
    start: *mut c_void,
    mapped: PhantomData<&'p Page>,
}

impl View<'_> {
    /// One of the first 512 words of eight bytes, which the kernel may be writing.
    #[inline]
    fn word(self, index: usize) -> u64 {
        let index = index % 512;
        // SAFETY: the word lies in the page, which is at least 4 KiB, begins where a page does, and is
        // mapped while the page lives that this is of; integers have no invalid bits.
        unsafe { self.start.cast::<u64>().add(index).read_volatile() }
    }

    /// What the page says between two equal and even readings of its lock, and what the counter has that
    /// it names: that of the calling thread, where the event is of a thread. Nothing where the kernel does
    /// not stop writing.
    ///
    /// Without a fence: volatile readings stay in their order, and x86-64 does not change that of loads.
    #[inline(never)]
    pub fn look(self) -> Look {
        let mut tries = 0;
        while tries < TRIES {
            let before = self.word(LOCK_AND_INDEX);
            let mut look = NOTHING;
            look.capabilities = self.word(CAPABILITIES);
            look.offset = self.word(OFFSET);
            look.missed_ns = self.word(ENABLED).wrapping_sub(self.word(RUNNING));
            look.width_and_conversion = self.word(WIDTH_AND_CONVERSION);
            let index = (before >> 32) as u32;
            // `rdpmc` would end a process that may not.
            if index != 0 && look.capabilities & CAP_USER_RDPMC != 0 {
                look.counter = read_counter(index - 1);
                look.is_counted = true;
            }
            if before & 1 == 0 && before == self.word(LOCK_AND_INDEX) {
                return look;
            }
            tries += 1;
        }
        NOTHING
    }
}

/// What nobody says.
const NOTHING: Look = Look {
    capabilities: 0,
    is_counted: false,
    offset: 0,
    counter: 0,
    missed_ns: 0,
    width_and_conversion: 0,
};

/// What a page says.
#[derive(Clone, Copy)]
pub struct Look {
    pub capabilities: u64,
    /// Whether a counter has the event at the moment that this process may read: not on a core of another
    /// kind, and not while other events have all counters.
    pub is_counted: bool,
    /// What that counter had when it got it, to be added.
    pub offset: u64,
    /// What it has now; 0 without one.
    pub counter: u64,
    /// Nanoseconds for which there should have been a counter, up to the last change, and was none.
    pub missed_ns: u64,
    /// From below: 16 bits with the bits of the counter, 16 bits of shift and 32 bits of multiplier,
    /// which convert the time stamp counter.
    pub width_and_conversion: u64,
}

impl Look {
    /// What was counted so far; without what came since the counter was taken away where it is away now.
    #[inline(never)]
    pub fn count(&self) -> u64 {
        // The counter has so many bits, the uppermost of which is a sign.
        let unused = (self.width_and_conversion as u16).wrapping_neg() & 63;
        let counter = (self.counter as i64) << unused >> unused;
        self.offset.wrapping_add(counter as u64)
    }
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

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this start and length, and no reference to it is left.
        unsafe { sys::munmap(self.start, self.length) };
    }
}

#[cfg(test)]
impl Page {
    /// A page with these words and nothing else in it.
    pub fn made(words: &[(usize, u64)]) -> Page {
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
            // SAFETY: the word lies in the mapping, aligned, and nobody else has it.
            unsafe { start.cast::<u64>().add(index % 512).write(*value) };
        }
        Page { start, length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page says with a counter of 48 bits, or of none.
    fn look(capabilities: u64, index: u64, missed_ns: u64) -> Look {
        let page = Page::made(&[
            (LOCK_AND_INDEX, index << 32),
            (OFFSET, 1 << 47),
            (ENABLED, 5_000),
            (RUNNING, 5_000 - missed_ns),
            (CAPABILITIES, capabilities),
            (WIDTH_AND_CONVERSION, 0xffff_ffff_ffff_0000 | 48),
        ]);
        page.view().look()
    }

    #[test]
    fn a_counter_is_added_to_what_was_counted_before() {
        // The kernel starts a counter at -2^47, so that it overflows as late as possible.
        let look = Look {
            counter: (1 << 47) + 1_234,
            ..look(CAP_USER_RDPMC, 0, 0)
        };
        assert_eq!(look.count(), 1_234);
    }

    #[test]
    fn where_no_counter_has_the_event_none_is_read() {
        let look = look(CAP_USER_RDPMC, 0, 700);
        assert!(!look.is_counted);
        assert_eq!((look.count(), look.missed_ns), (1 << 47, 700));
    }

    #[test]
    fn what_the_kernel_forbids_is_not_tried() {
        let look = look(!CAP_USER_RDPMC, 3, 0);
        assert!(!look.is_counted);
        assert_eq!(look.counter, 0);
    }

    #[test]
    fn a_page_that_is_being_written_says_nothing() {
        let page = |lock| Page::made(&[(LOCK_AND_INDEX, lock), (CAPABILITIES, CAP_USER_RDPMC)]);
        assert_eq!(page(0).view().look().capabilities, CAP_USER_RDPMC);
        assert_eq!(page(1).view().look().capabilities, 0);
    }
}
