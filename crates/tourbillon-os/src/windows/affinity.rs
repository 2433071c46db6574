//! The processors of a thread and of the processes that it starts.

use std::io;
use std::os::windows::io::RawHandle;
use std::ptr;

use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    GetActiveProcessorGroupCount, GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask,
    GetThreadGroupAffinity, SetProcessAffinityMask, SetThreadGroupAffinity,
};

use super::call::succeeded;
use crate::processor_groups::GroupMask;

/// Processors that the calling thread may run on, ascending, of the group that the thread is in: a machine
/// with more than 64 has several groups.
pub(crate) fn affinity() -> io::Result<Vec<u32>> {
    Ok(of_thread()?.processors())
}

/// Pins the calling thread to these processors of one group.
pub(crate) fn set_affinity(cpus: &[u32]) -> io::Result<()> {
    let wanted =
        GroupMask::of(cpus).map_err(|text| io::Error::new(io::ErrorKind::InvalidInput, text))?;
    let wanted = group_affinity(wanted);
    // SAFETY: takes a pseudo handle and a structure that is only read; the earlier value is not wanted.
    succeeded(unsafe {
        SetThreadGroupAffinity(GetCurrentThread(), &raw const wanted, ptr::null_mut())
    })
}

/// The processors of the calling thread, for a process that is created; `None` where there is one group, which
/// every process is in.
pub(crate) fn for_new_process() -> io::Result<Option<GROUP_AFFINITY>> {
    // SAFETY: takes nothing and returns a number.
    match unsafe { GetActiveProcessorGroupCount() } {
        0 | 1 => Ok(None),
        _ => of_thread().map(|own| Some(group_affinity(own))),
    }
}

/// Gives a process that has not begun the processors of the calling thread, whose group it was created in. The
/// system would give it those of this process.
pub(crate) fn pass_on(process: RawHandle) -> io::Result<()> {
    let mask = of_thread()?.mask as usize;
    if of_process() == Some(mask) {
        return Ok(());
    }
    // SAFETY: a handle that is open, and a number.
    succeeded(unsafe { SetProcessAffinityMask(process, mask) })
}

fn group_affinity(of: GroupMask) -> GROUP_AFFINITY {
    GROUP_AFFINITY {
        Mask: of.mask as usize,
        Group: of.group,
        ..GROUP_AFFINITY::default()
    }
}

fn of_thread() -> io::Result<GroupMask> {
    let mut affinity = GROUP_AFFINITY::default();
    // SAFETY: there is room for what the call writes.
    succeeded(unsafe { GetThreadGroupAffinity(GetCurrentThread(), &raw mut affinity) })?;
    Ok(GroupMask {
        group: affinity.Group,
        mask: affinity.Mask as u64,
    })
}

/// The processors of this process; `None` where it has threads in several groups, for which the system reports 0.
fn of_process() -> Option<usize> {
    let (mut own, mut all) = (0, 0);
    // SAFETY: there is room for what the call writes.
    let found = unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut own, &raw mut all) };
    (found != 0 && own != 0).then_some(own)
}
