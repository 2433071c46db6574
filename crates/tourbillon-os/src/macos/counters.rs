//! What the kernel counts: for this process, and for the machine.

#![expect(
    deprecated,
    reason = "libc deprecates its Mach calls in favour of another crate, which is not needed otherwise"
)]

use std::ffi::c_int;
use std::mem::MaybeUninit;

use super::coordinator::waiting_threads;
use crate::sys;

/// A debugger is attached (`PROC_FLAG_TRACED` of `sys/proc_info.h`, which the `libc` crate lacks).
const TRACED: u32 = 2;

/// Threads of this process and those of them that run, the calling one included. The thread that waits for
/// the end of the coordinator does not count.
pub(crate) fn threads() -> Option<(u32, u32)> {
    // SAFETY: this request writes such a structure.
    let task = unsafe { of_process::<sys::proc_taskinfo>(sys::PROC_PIDTASKINFO) }?;
    let all = u32::try_from(task.pti_threadnum).ok()?;
    let running = u32::try_from(task.pti_numrunning).ok()?;
    Some((all.saturating_sub(waiting_threads()).max(1), running))
}

/// Whether a debugger is attached to this process.
pub(crate) fn debugger_attached() -> Option<bool> {
    // SAFETY: this request writes such a structure.
    let process = unsafe { of_process::<sys::proc_bsdinfo>(sys::PROC_PIDTBSDINFO) }?;
    Some(process.pbi_flags & TRACED != 0)
}

/// What the kernel reports about this process.
///
/// # Safety
/// The request writes a `T`, which consists of integers.
unsafe fn of_process<T>(request: c_int) -> Option<T> {
    let mut found = MaybeUninit::<T>::zeroed();
    let bytes = c_int::try_from(size_of::<T>()).ok()?;
    // SAFETY: the size is that of the place to which the call writes.
    let written =
        unsafe { sys::proc_pidinfo(sys::getpid(), request, 0, found.as_mut_ptr().cast(), bytes) };
    // SAFETY: by the caller; what the call has not written is zero.
    (written == bytes).then(|| unsafe { found.assume_init() })
}

/// Ticks of the machine in which a processor had something to run.
pub(crate) fn wanted_ticks() -> Option<u64> {
    let mut load = sys::host_cpu_load_info { cpu_ticks: [0; 4] };
    let mut count = sys::HOST_CPU_LOAD_INFO_COUNT;
    // SAFETY: the count is that of the integers to which the call writes.
    let result = unsafe {
        sys::host_statistics(
            sys::mach_host_self(),
            sys::HOST_CPU_LOAD_INFO,
            (&raw mut load).cast(),
            &raw mut count,
        )
    };
    let states = [
        sys::CPU_STATE_USER,
        sys::CPU_STATE_SYSTEM,
        sys::CPU_STATE_NICE,
    ];
    let ticks = states.map(|state| u64::from(load.cpu_ticks[state as usize]));
    (result == sys::KERN_SUCCESS).then(|| ticks.iter().sum())
}

/// Ticks of this process with all children that it has waited for; a hundred are a second, as those of the
/// machine.
pub(crate) fn own_ticks() -> u64 {
    let mut own = MaybeUninit::<sys::tms>::zeroed();
    // SAFETY: there is room for what the call writes, and zeroes are valid where it fails.
    let own = unsafe {
        sys::times(own.as_mut_ptr());
        own.assume_init()
    };
    own.tms_utime + own.tms_stime + own.tms_cutime + own.tms_cstime
}

/// Pages read from the swap space.
pub(crate) fn swapped_pages() -> Option<u64> {
    let mut memory = MaybeUninit::<sys::vm_statistics64>::zeroed();
    let mut count = sys::HOST_VM_INFO64_COUNT;
    // SAFETY: the count is that of the integers to which the call writes.
    let result = unsafe {
        sys::host_statistics64(
            sys::mach_host_self(),
            sys::HOST_VM_INFO64,
            memory.as_mut_ptr().cast(),
            &raw mut count,
        )
    };
    // SAFETY: integers, for which all zeroes are a value.
    let memory = unsafe { memory.assume_init() };
    (result == sys::KERN_SUCCESS).then_some(memory.swapins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_described() {
        let (all, running) = threads().unwrap();
        assert!(all >= 1 && running >= 1, "{all} {running}");
        assert!(debugger_attached().is_some());
    }
}
