//! Memory of the process that is in the machine's memory, by the kernel's account.

use crate::unavailable::Unavailable;

const PEAK: &str = "peak resident memory";
#[cfg(target_os = "linux")]
const STATUS: &str = "/proc/self/status";

/// The most memory that this process had resident since it began, or since
/// [`reset_peak_resident`], in bytes.
///
/// # Errors
/// Where the kernel does not tell: elsewhere than on Linux, or without `/proc`.
///
/// # Accuracy
/// Whole pages, of the program, its libraries, stacks and heap together; a page counts from its first
/// use, not from its allocation. Kernels keep this count in portions for each processor: it may be
/// off by some dozens of pages for each, and lags for a process that runs on many.
///
/// # Cost
/// Opens and reads a file of the kernel: about 20 microseconds, no allocation.
#[inline]
pub fn peak_resident_bytes() -> Result<u64, Unavailable> {
    #[cfg(target_os = "linux")]
    {
        let mut buffer = [0; 4096];
        let status = crate::proc_file::read(PEAK, STATUS, &mut buffer)?;
        high_water_mark(status).ok_or_else(|| Unavailable::no_entry(PEAK, STATUS))
    }
    #[cfg(not(target_os = "linux"))]
    Err(Unavailable::on_this_system(PEAK))
}

/// Makes what is resident now the peak, so that the next [`peak_resident_bytes`] is about what
/// happens from here on.
///
/// # Errors
/// Where the kernel does not let us: elsewhere than on Linux, where `/proc` is read-only as in some
/// containers, or in a kernel without page monitoring. The peak is then that of the whole process.
#[inline]
pub fn reset_peak_resident() -> Result<(), Unavailable> {
    #[cfg(target_os = "linux")]
    {
        // By the kernel's manual, 5 resets the peak and nothing else.
        crate::proc_file::write(PEAK, "/proc/self/clear_refs", b"5\n")
    }
    #[cfg(not(target_os = "linux"))]
    Err(Unavailable::on_this_system(PEAK))
}

/// The entry of that name, in bytes; the kernel writes kibibytes whatever the unit's name.
#[cfg(target_os = "linux")]
#[inline]
fn high_water_mark(status: &[u8]) -> Option<u64> {
    let line = status
        .split(|byte| *byte == b'\n')
        .find_map(|line| line.strip_prefix(b"VmHWM:"))?;
    crate::proc_file::number(line)?.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::high_water_mark;

    #[test]
    fn the_entry_is_found_among_others() {
        let status =
            b"Name:\t\xff\xfe\nVmPeak:\t    9000 kB\nVmHWM:\t    2192 kB\nVmRSS:\t 100 kB\n";
        assert_eq!(high_water_mark(status), Some(2192 * 1024));
        assert_eq!(high_water_mark(b"Name:\tVmHWM: 1\n"), None);
        assert_eq!(high_water_mark(b"VmHWM:\tmuch\n"), None);
    }
}
