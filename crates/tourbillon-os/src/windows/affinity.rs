//! The processors of a thread and of the processes that it starts.

use std::io;
use std::os::windows::io::RawHandle;

use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, GetThreadGroupAffinity,
    SetProcessAffinityMask, SetThreadAffinityMask,
};

use super::call::succeeded;

/// Processors that the calling thread may run on, ascending, of the group that the process is in: a machine
/// with more than 64 has several groups.
pub(crate) fn affinity() -> io::Result<Vec<u32>> {
    let mask = of_thread()?;
    Ok((0..usize::BITS)
        .filter(|cpu| mask >> cpu & 1 == 1)
        .collect())
}

/// Pins the calling thread to these processors.
pub(crate) fn set_affinity(cpus: &[u32]) -> io::Result<()> {
    let mut mask = 0_usize;
    for &cpu in cpus {
        let bit = 1_usize.checked_shl(cpu).ok_or_else(|| {
            let text = format!("there is no processor {cpu} in this process's group of processors");
            io::Error::new(io::ErrorKind::InvalidInput, text)
        })?;
        mask |= bit;
    }
    // SAFETY: takes a pseudo handle and a number.
    match unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Gives a process that has not begun the processors of the calling thread. The system would give it those of
/// this process.
pub(crate) fn pass_on(process: RawHandle) -> io::Result<()> {
    let mask = of_thread()?;
    if mask == of_process()? {
        return Ok(());
    }
    // SAFETY: a handle that is open, and a number.
    succeeded(unsafe { SetProcessAffinityMask(process, mask) })
}

fn of_thread() -> io::Result<usize> {
    let mut affinity = GROUP_AFFINITY::default();
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe { GetThreadGroupAffinity(GetCurrentThread(), &raw mut affinity) })?;
    Ok(affinity.Mask)
}

fn of_process() -> io::Result<usize> {
    let (mut own, mut all) = (0, 0);
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut own, &raw mut all) })?;
    Ok(own)
}
