//! The area of a thread's restartable sequences: `linux/rseq.h`.

use std::arch::asm;
use std::ffi::c_int;
use std::ptr::{self, NonNull};

/// The word in front of the address to which the kernel would send an interrupted sequence; glibc registers
/// with the same number (`bits/rseq.h`).
#[cfg(target_arch = "x86_64")]
const SIGNATURE: u32 = 0x5305_3053;
#[cfg(target_arch = "aarch64")]
const SIGNATURE: u32 = 0xd428_bc00;

/// `RSEQ_FLAG_UNREGISTER`.
const UNREGISTER: c_int = 1;

/// `struct rseq` in its first version, with which all later ones start.
#[derive(Debug)]
#[repr(C, align(32))]
struct Fields {
    cpu_id_start: u32,
    cpu_id: u32,
    sequence: *const Descriptor,
    flags: u32,
    reserved: [u32; 3],
}

/// The area of the thread that made it. Not `Send`, because of the pointer.
#[derive(Debug)]
pub(super) struct Area {
    fields: NonNull<Fields>,
    /// Whether it was registered here and not by the C library.
    ours: bool,
}

impl Area {
    /// The area, or why there is none.
    pub(super) fn of_this_thread() -> Result<Area, &'static str> {
        let (fields, ours) = match registered_by_libc() {
            Some(fields) => (fields, false),
            None => (register()?, true),
        };
        Ok(Area { fields, ours })
    }

    #[inline(always)]
    pub(super) fn set(&self) {
        // SAFETY: the area lives as long as the thread or `self`, and the kernel accepts any pointer to a
        // valid descriptor. Volatile, because the kernel reads it at any time.
        unsafe { (&raw mut (*self.fields.as_ptr()).sequence).write_volatile(&raw const CANARY) };
    }

    #[inline(always)]
    pub(super) fn is_set(&self) -> bool {
        // SAFETY: as above; volatile, because the kernel writes it.
        !unsafe { (&raw const (*self.fields.as_ptr()).sequence).read_volatile() }.is_null()
    }

    #[inline(always)]
    pub(super) fn cpu(&self) -> u32 {
        // SAFETY: as above.
        unsafe { (&raw const (*self.fields.as_ptr()).cpu_id).read_volatile() }
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        // SAFETY: as above; null is no sequence.
        unsafe { (&raw mut (*self.fields.as_ptr()).sequence).write_volatile(ptr::null()) };
        if self.ours && rseq(self.fields, UNREGISTER) {
            // SAFETY: it was a box in `register`, and the kernel no longer writes to it.
            drop(unsafe { Box::from_raw(self.fields.as_ptr()) });
        }
    }
}

/// The area that the C library has registered for this thread. Two symbols of glibc locate it, which older
/// versions and other libraries lack; a size of 0 means that there is none.
fn registered_by_libc() -> Option<NonNull<Fields>> {
    // SAFETY: the names end in a zero byte; the symbols, if they exist, are a `ptrdiff_t` and an `unsigned
    // int` that the library sets before any code of the program runs.
    unsafe {
        let offset = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()).cast::<isize>();
        let size = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()).cast::<u32>();
        if offset.is_null() || size.is_null() || size.read() == 0 {
            return None;
        }
        let fields = thread_pointer().byte_offset(offset.read()).cast::<Fields>();
        NonNull::new(fields)
    }
}

/// The address to which glibc's offset is relative.
fn thread_pointer() -> *mut u8 {
    let pointer: *mut u8;
    // SAFETY: reads the thread pointer, in the first word of the segment on x86-64, and nothing else.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("mov {}, fs:[0]", out(reg) pointer, options(nostack, preserves_flags, readonly));
        #[cfg(target_arch = "aarch64")]
        asm!("mrs {}, tpidr_el0", out(reg) pointer, options(nostack, preserves_flags, nomem));
    }
    pointer
}

/// Registers an area for this thread, until the [`Area`] is dropped.
fn register() -> Result<NonNull<Fields>, &'static str> {
    let fields = Box::new(Fields {
        cpu_id_start: 0,
        // `RSEQ_CPU_ID_UNINITIALIZED`.
        cpu_id: u32::MAX,
        sequence: ptr::null(),
        flags: 0,
        reserved: [0; 3],
    });
    // A leaked canary leaks it too: the kernel writes there as long as the thread lives.
    let fields = NonNull::from(Box::leak(fields));
    if rseq(fields, 0) {
        return Ok(fields);
    }
    // SAFETY: it was the box above, and the kernel has refused it.
    drop(unsafe { Box::from_raw(fields.as_ptr()) });
    Err(
        "the kernel gave this thread no restartable sequences: it is older than 4.18, forbids them, or \
         another library has them",
    )
}

/// The call `rseq`; whether it succeeded.
fn rseq(fields: NonNull<Fields>, flags: c_int) -> bool {
    // SAFETY: the area has its alignment and this length, and lives until it is unregistered.
    let result = unsafe {
        libc::syscall(
            libc::SYS_rseq,
            fields.as_ptr(),
            size_of::<Fields>() as u32,
            flags,
            SIGNATURE,
        )
    };
    result == 0
}

/// `struct rseq_cs`: a sequence.
#[derive(Debug)]
#[repr(C, align(32))]
struct Descriptor {
    version: u32,
    flags: u32,
    start: *const u32,
    length: u64,
    abort: *const u32,
}

// SAFETY: the pointers are to a static and only the kernel follows them.
unsafe impl Sync for Descriptor {}

/// A sequence that is never executed. The kernel checks it before it removes it: version and flags 0, a start,
/// a length, and an address outside of both after the signature.
static CANARY: Descriptor = Descriptor {
    version: 0,
    flags: 0,
    start: (&raw const CODE).cast(),
    length: 4,
    abort: (&raw const CODE).cast::<u32>().wrapping_add(2),
};
static CODE: [u32; 3] = [0, SIGNATURE, 0];

// The length that the kernel registers.
const _: () = assert!(size_of::<Fields>() == 32 && size_of::<*mut ()>() == 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_area_is_unregistered() {
        // A thread with an area of the C library gets no second one; one without gets it, twice.
        std::thread::spawn(|| {
            if registered_by_libc().is_some() {
                assert!(register().is_err());
            } else if let Ok(fields) = register() {
                assert!(rseq(fields, UNREGISTER));
                assert!(rseq(fields, 0) && rseq(fields, UNREGISTER));
            }
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_removed_canary_is_not_set() {
        let Ok(area) = Area::of_this_thread() else {
            return;
        };
        area.set();
        // SAFETY: null is no sequence.
        unsafe { (&raw mut (*area.fields.as_ptr()).sequence).write_volatile(ptr::null()) };
        assert!(!area.is_set());
    }
}
