//! The page in which the kernel says of a perf event what a program can read by itself.

use std::ffi::{c_int, c_ulong, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{Ordering, fence};

use crate::sys;

/// `struct perf_event_attr` up to `PERF_ATTR_SIZE_VER0`, in words of eight bytes: `linux/perf_event.h`.
pub(crate) type Attributes = [u64; 8];

/// Kind, event and size of a perf event that leaves out the kernel (bit 5) and the hypervisor (bit 6).
pub(crate) const fn of_user_mode(kind: u32, event: u64) -> Attributes {
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

/// Whose event it is.
#[derive(Clone, Copy)]
pub(crate) enum Whose {
    /// The calling thread's, wherever it runs.
    Thread,
    /// Of everything that runs on processor 0.
    Processor,
}

// Offset of the lock in `struct perf_event_mmap_page`.
const LOCK: usize = 8;
/// How often a page that is being written is read again.
const TRIES: usize = 100;
/// `PERF_FLAG_FD_CLOEXEC` of `linux/perf_event.h`.
const CLOSE_ON_EXEC: c_ulong = 8;

/// The page of an event; the event lives while it is mapped.
#[derive(Debug)]
pub(crate) struct Page {
    start: *mut c_void,
    length: usize,
}

// SAFETY: memory that this process only reads, mapped until the last owner drops the page.
unsafe impl Send for Page {}
// SAFETY: as above; every reading is a volatile one of an integer.
unsafe impl Sync for Page {}

impl Page {
    /// Opens an event and maps its page.
    ///
    /// # Errors
    ///
    /// What the kernel answered.
    #[inline(never)]
    pub(crate) fn open(attributes: &Attributes, whose: Whose) -> io::Result<Page> {
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
            return Err(io::Error::last_os_error());
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
        if start == sys::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // The mapping keeps the event alive; its descriptor is closed here.
        Ok(Page { start, length })
    }

    /// Reads a field that the kernel may be writing: at least eight bytes before the 4096th, at an
    /// offset that is a multiple of its size.
    #[inline]
    pub(crate) fn field<T: Word>(&self, offset: usize) -> T {
        assert!(offset <= 4088 && offset.is_multiple_of(size_of::<T>()));
        // SAFETY: the field lies in the page, which is at least 4 KiB and mapped while `self` lives;
        // it is aligned, and integers have no invalid bits.
        unsafe { self.start.byte_add(offset).cast::<T>().read_volatile() }
    }

    /// What `read` reads between two equal and even readings of the page's lock; `None` where the
    /// kernel does not stop writing.
    #[inline]
    pub(crate) fn unchanged<T>(&self, read: impl Fn(&Page) -> T) -> Option<T> {
        for _ in 0..TRIES {
            let lock: u32 = self.field(LOCK);
            fence(Ordering::Acquire);
            let value = read(self);
            fence(Ordering::Acquire);
            if lock.is_multiple_of(2) && lock == self.field::<u32>(LOCK) {
                return Some(value);
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

/// An integer of the page.
pub(crate) trait Word: Copy {}
impl Word for u16 {}
impl Word for u32 {}
impl Word for u64 {}

#[cfg(test)]
impl Page {
    /// A page with these fields, each of eight bytes at its offset, and nothing else in it.
    pub(crate) fn made(fields: &[(usize, u64)]) -> Page {
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
        for (offset, value) in fields {
            assert!(*offset <= length - 8 && offset.is_multiple_of(8));
            // SAFETY: the field lies in the mapping, aligned, and nobody else has it.
            unsafe { start.byte_add(*offset).cast::<u64>().write(*value) };
        }
        Page { start, length }
    }
}
