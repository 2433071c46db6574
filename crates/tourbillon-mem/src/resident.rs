//! Resident memory on Windows and macOS, which report it by a call.

use std::io;

/// The most memory that this process had resident since it began, in bytes.
#[cfg(windows)]
pub(crate) fn peak_bytes() -> io::Result<u64> {
    use windows_sys::Win32::System::ProcessStatus::{
        K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS,
    };
    use windows_sys::Win32::System::Threading::GetCurrentProcess;

    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let bytes = size_of_val(&memory) as u32;
    // SAFETY: the size is that of the structure, into which the call writes.
    match unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &raw mut memory, bytes) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(memory.PeakWorkingSetSize as u64),
    }
}

/// The most memory that this process had resident since it began, in bytes.
#[cfg(target_os = "macos")]
pub(crate) fn peak_bytes() -> io::Result<u64> {
    // Bytes on macOS, kibibytes on other systems (getrusage(2)).
    usage().map(|usage| usage.ru_maxrss as u64)
}

/// Page faults of this process: those served from memory, and those from a disk.
#[cfg(target_os = "macos")]
pub(crate) fn page_faults() -> io::Result<[u64; 2]> {
    usage().map(|usage| [usage.ru_minflt as u64, usage.ru_majflt as u64])
}

#[cfg(target_os = "macos")]
fn usage() -> io::Result<libc::rusage> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: there is room for what the call writes.
    match unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) } {
        // SAFETY: the call succeeded, so it wrote all of it.
        0 => Ok(unsafe { usage.assume_init() }),
        _ => Err(io::Error::last_os_error()),
    }
}
