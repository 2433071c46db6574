//! The core's cycles, counted by the performance monitoring unit and read by `rdpmc`.

use super::reading::Facts;
#[cfg(not(target_arch = "x86_64"))]
use crate::Absence;
use crate::{Behind, Counts, Listed, Path, Scope};

fn facts() -> Facts {
    Facts {
        counts: Counts::Cycles,
        scope: Scope::Thread,
        frequency: || None,
        behind: Behind {
            path: Path::Instruction("rdpmc"),
            hardware: Some("performance monitoring unit".to_owned()),
            change: Some("kernel.perf_event_paranoid of 2 or less lets everybody count"),
        },
        ..Facts::wall("rdpmc-cycles")
    }
}

/// The cycles of the calling thread in user mode, where the kernel lets this process read them.
#[cfg(target_arch = "x86_64")]
pub(super) fn listed() -> Listed {
    match page::Page::open() {
        Ok(page) => facts().read_by(move || page.cycles()),
        Err(absence) => facts().absent(absence),
    }
}

/// Read by an instruction of x86-64 only.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn listed() -> Listed {
    facts().absent(Absence::OtherProcessor("x86-64"))
}

#[cfg(target_arch = "x86_64")]
mod page {
    use std::arch::asm;
    use std::io;
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    use std::ptr;
    use std::sync::atomic::{Ordering, compiler_fence};

    use crate::{Absence, Ticks};

    /// `struct perf_event_attr` up to `PERF_ATTR_SIZE_VER0`: hardware (type 0), cycles (config 0),
    /// without kernel (bit 5) and hypervisor (bit 6).
    const CYCLES: [u64; 8] = [64 << 32, 0, 0, 0, 0, 1 << 5 | 1 << 6, 0, 0];
    /// `PERF_FLAG_FD_CLOEXEC`.
    const CLOSE_ON_EXEC: libc::c_ulong = 8;

    // Offsets in `struct perf_event_mmap_page` of `linux/perf_event.h`, and a capability.
    const LOCK: usize = 8;
    const INDEX: usize = 12;
    const OFFSET: usize = 16;
    const CAPABILITIES: usize = 40;
    const WIDTH: usize = 48;
    const CAP_USER_RDPMC: u64 = 1 << 2;

    /// How often a page that is being written is read again.
    const TRIES: usize = 100;

    /// The event's page; the event counts while it is mapped.
    pub(super) struct Page {
        start: *mut libc::c_void,
        length: usize,
    }

    impl Page {
        pub(super) fn open() -> Result<Page, Absence> {
            // SAFETY: sysconf has no preconditions.
            let length = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
            // SAFETY: the attributes say their own size and live for the call; this thread (0), any
            // processor (-1), no group (-1).
            let descriptor = unsafe {
                libc::syscall(
                    libc::SYS_perf_event_open,
                    CYCLES.as_ptr(),
                    0,
                    -1,
                    -1,
                    CLOSE_ON_EXEC,
                )
            };
            if descriptor < 0 {
                return Err(refused(&io::Error::last_os_error()));
            }
            // SAFETY: the kernel has just handed out this descriptor, and nobody else has it.
            let event = unsafe { OwnedFd::from_raw_fd(descriptor as i32) };
            // SAFETY: a new mapping, read only, at an address of the kernel's choice.
            let start = unsafe {
                libc::mmap(
                    ptr::null_mut(),
                    length,
                    libc::PROT_READ,
                    libc::MAP_SHARED,
                    event.as_raw_fd(),
                    0,
                )
            };
            if start == libc::MAP_FAILED {
                let error = io::Error::last_os_error();
                return Err(Absence::Refused(format!(
                    "the page of the cycle counter could not be mapped ({error})"
                )));
            }
            let page = Page { start, length };
            if page.field::<u64>(CAPABILITIES) & CAP_USER_RDPMC == 0 {
                return Err(Absence::Forbidden(
                    "the kernel counts cycles but forbids rdpmc; write 1 into \
                     /sys/bus/event_source/devices/cpu/rdpmc"
                        .to_owned(),
                ));
            }
            Ok(page)
        }

        /// The cycles so far; those before the counter was last taken away where it is away now.
        #[inline]
        pub(super) fn cycles(&self) -> Ticks {
            let mut count = 0;
            for _ in 0..TRIES {
                let lock: u32 = self.field(LOCK);
                compiler_fence(Ordering::Acquire);
                count = self.field::<i64>(OFFSET);
                let index: u32 = self.field(INDEX);
                if let Some(number) = index.checked_sub(1) {
                    // The counter has so many bits, the uppermost of which is a sign.
                    let unused = 64 - u32::from(self.field::<u16>(WIDTH).clamp(1, 64));
                    let raw = read_counter(number) as i64;
                    count = count.wrapping_add(raw << unused >> unused);
                }
                compiler_fence(Ordering::Acquire);
                if lock == self.field::<u32>(LOCK) {
                    break;
                }
            }
            Ticks(count as u64)
        }

        fn field<T: Copy>(&self, offset: usize) -> T {
            // SAFETY: the offsets above lie in the page, which is at least 4 KiB and mapped while
            // `self` lives; they are aligned for their fields; integers have no invalid bits.
            unsafe { self.start.byte_add(offset).cast::<T>().read_volatile() }
        }
    }

    impl Drop for Page {
        fn drop(&mut self) {
            // SAFETY: the mapping was made with this start and length, and nobody refers to it.
            unsafe { libc::munmap(self.start, self.length) };
        }
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

    /// Why there is no event.
    fn refused(error: &io::Error) -> Absence {
        match error.raw_os_error() {
            Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) => Absence::NoDevice(
                "no performance monitoring unit: neither the machine nor its hypervisor shows one"
                    .to_owned(),
            ),
            Some(libc::EACCES | libc::EPERM) => Absence::Forbidden(
                "the kernel forbids perf events; set kernel.perf_event_paranoid to 2 or less"
                    .to_owned(),
            ),
            _ => Absence::Refused(format!("the kernel opened no cycle counter ({error})")),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn every_refusal_has_its_kind() {
            let absence = |number| refused(&io::Error::from_raw_os_error(number));
            assert!(matches!(absence(libc::ENOENT), Absence::NoDevice(_)));
            assert!(matches!(absence(libc::EACCES), Absence::Forbidden(_)));
            assert!(matches!(absence(libc::ENOSYS), Absence::Refused(_)));
        }
    }
}
