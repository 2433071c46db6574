//! What Linux maps into the program: the registers of the high precision event timer, and the page of the
//! core's cycle counter.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path as FilePath;
use std::{io, ptr};

use tourbillon_clock::{Absence, Frequency, FrequencyFrom, Ticks};

use super::reading::Facts;
use crate::{Behind, Counts, Listed, Path, Scope};

const DEVICE: &str = "/dev/hpet";

/// Offsets of registers in the page (Intel's "IA-PC HPET Specification" 1.0a, 2004, section 2.3).
const CAPABILITIES: usize = 0;
const COUNTER: usize = 0xf0;

/// A flag of the capabilities: the counter has 64 bits, not 32.
const WIDE: u64 = 1 << 13;
/// The longest period that the specification allows, in femtoseconds: 100 ns.
const LONGEST_PERIOD_FS: u64 = 100_000_000;
const FEMTOSECONDS: u64 = 1_000_000_000_000_000;

/// The high precision event timer, a device of PCs.
pub(super) fn hpet() -> Listed {
    let facts = Facts {
        frequency: || Some(Device::open(FilePath::new(DEVICE)).ok()?.frequency),
        behind: Behind::of(Path::Instruction("mov"), "HPET"),
        caveat: Some(
            "a device far from the processor: a reading takes half a microsecond or more, and some \
             have only 32 bits"
                .to_owned(),
        ),
        ..Facts::wall("hpet")
    };
    match Device::open(FilePath::new(DEVICE)) {
        Ok(device) => facts.read_by(move || device.read()),
        Err(absence) => facts.absent(absence),
    }
}

/// The page of the registers, mapped for reading.
struct Device {
    start: *mut libc::c_void,
    length: usize,
    wide: bool,
    frequency: Frequency,
}

impl Device {
    fn open(path: &FilePath) -> Result<Device, Absence> {
        let file = File::open(path).map_err(|error| refused(path, &error))?;
        // SAFETY: sysconf has no preconditions.
        let length = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        // SAFETY: a new mapping, read only, at an address of the kernel's choice.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                length,
                libc::PROT_READ,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if start == libc::MAP_FAILED {
            let error = io::Error::last_os_error();
            return Err(Absence::Refused(format!(
                "the registers of {} could not be mapped ({error}); the kernel maps them if it was \
                 started with hpet_mmap=1",
                path.display()
            )));
        }
        let mut device = Device {
            start,
            length,
            wide: false,
            frequency: Frequency::of_nanoseconds(),
        };
        let capabilities = device.register(CAPABILITIES);
        device.wide = capabilities & WIDE != 0;
        device.frequency = frequency(capabilities)?;
        Ok(device)
    }

    #[inline]
    fn read(&self) -> Ticks {
        let count = self.register(COUNTER);
        Ticks(if self.wide {
            count
        } else {
            count & u64::from(u32::MAX)
        })
    }

    #[inline]
    fn register(&self, offset: usize) -> u64 {
        // SAFETY: the offsets above are aligned and lie in the page, which is mapped while `self` lives;
        // volatile, because the device changes it.
        unsafe { self.start.byte_add(offset).cast::<u64>().read_volatile() }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this start and length, and no reference to it is left.
        unsafe { libc::munmap(self.start, self.length) };
    }
}

/// The frequency, from the period in femtoseconds in the upper half of the capabilities.
fn frequency(capabilities: u64) -> Result<Frequency, Absence> {
    let period = capabilities >> 32;
    Frequency::new(FEMTOSECONDS, period, FrequencyFrom::DeviceRegister, None)
        .ok()
        .filter(|_| period <= LONGEST_PERIOD_FS)
        .ok_or_else(|| {
            Absence::Refused(format!(
                "the device states a period of {period} femtoseconds, which no such timer has"
            ))
        })
}

fn refused(path: &FilePath, error: &io::Error) -> Absence {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => {
            Absence::NoDevice(format!("no high precision event timer: there is no {path}"))
        }
        io::ErrorKind::PermissionDenied => {
            Absence::Forbidden(format!("only an administrator may read {path}"))
        }
        _ => Absence::Refused(format!("{path} cannot be opened ({error})")),
    }
}

/// The cycles of the calling thread in user mode, which the performance monitoring unit counts.
pub(super) fn cycles() -> Listed {
    let facts = Facts {
        counts: Counts::Cycles,
        scope: Scope::Thread,
        frequency: || None,
        behind: Behind {
            change: Some("kernel.perf_event_paranoid of 2 or less allows all users to count"),
            ..Behind::of(Path::Instruction("rdpmc"), "performance monitoring unit")
        },
        ..Facts::wall("rdpmc-cycles")
    };
    #[cfg(not(target_arch = "x86_64"))]
    return facts.absent(Absence::OtherProcessor("x86-64"));
    #[cfg(target_arch = "x86_64")]
    match tourbillon_clock::perf_event::Page::of_cycles() {
        Ok(page) if page.look().may_read_counters() => {
            facts.read_by(move || Ticks(page.look().count()))
        }
        Ok(_) => facts.absent(Absence::Forbidden(
            "the kernel counts cycles but forbids rdpmc; write 1 into \
             /sys/bus/event_source/devices/cpu/rdpmc"
                .to_owned(),
        )),
        Err(error) => facts.absent(no_event(&error)),
    }
}

/// Why there is no event.
#[cfg(target_arch = "x86_64")]
fn no_event(error: &io::Error) -> Absence {
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

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_refusal_has_its_kind() {
        let absence = |number| no_event(&io::Error::from_raw_os_error(number));
        assert!(matches!(absence(libc::ENOENT), Absence::NoDevice(_)));
        assert!(matches!(absence(libc::EACCES), Absence::Forbidden(_)));
        assert!(matches!(absence(libc::ENOSYS), Absence::Refused(_)));
    }

    /// The device as a file: a page with these registers.
    fn device(name: &str, capabilities: u64, counter: u64) -> Result<Device, Absence> {
        let mut page = vec![0; 64 * 1024];
        page[..8].copy_from_slice(&capabilities.to_ne_bytes());
        page[COUNTER..COUNTER + 8].copy_from_slice(&counter.to_ne_bytes());
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::write(&path, page).unwrap();
        let device = Device::open(&path);
        std::fs::remove_file(&path).unwrap();
        device
    }

    #[test]
    fn the_registers_are_read() {
        // 69.841 279 ns, as most have it: 14.318 18 MHz.
        let period = 69_841_279 << 32;
        let wide = device("hpet-wide", period | WIDE, 1 << 40 | 7).unwrap();
        assert_eq!(wide.read(), Ticks(1 << 40 | 7));
        assert!((wide.frequency.hz() - 14_318_180.0).abs() < 1.0);
        let narrow = device("hpet-narrow", period, 1 << 40 | 7).unwrap();
        assert_eq!(narrow.read(), Ticks(7));
    }

    #[test]
    fn an_implausible_device_is_absent() {
        for (name, period) in [("hpet-none", 0), ("hpet-slow", LONGEST_PERIOD_FS + 1)] {
            let absence = device(name, period << 32, 0).err().unwrap();
            assert!(matches!(absence, Absence::Refused(_)), "{absence}");
        }
        let absence = Device::open(FilePath::new("/nonexistent/hpet")).err();
        assert!(matches!(absence, Some(Absence::NoDevice(_))));
    }
}
