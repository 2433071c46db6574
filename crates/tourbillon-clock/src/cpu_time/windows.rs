//! `GetThreadTimes` and `GetProcessTimes`: user and kernel time, in this order, in units of 100 ns.

use windows_sys::Win32::Foundation::{FILETIME, HANDLE};
use windows_sys::Win32::System::SystemInformation::GetSystemTimeAdjustment;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes,
};

use crate::Absence;

pub(super) fn thread_cpu_ns() -> Result<u64, Absence> {
    thread_user_kernel_ns().map(|(user, kernel)| user.saturating_add(kernel))
}

pub(super) fn process_cpu_ns() -> Result<u64, Absence> {
    process_user_kernel_ns().map(|(user, kernel)| user.saturating_add(kernel))
}

pub(super) fn thread_user_kernel_ns() -> Result<(u64, u64), Absence> {
    // SAFETY: the pseudo handle of a thread needs no release.
    let this = unsafe { GetCurrentThread() };
    times(this, GetThreadTimes, "GetThreadTimes")
}

pub(super) fn process_user_kernel_ns() -> Result<(u64, u64), Absence> {
    // SAFETY: the pseudo handle of a process needs no release.
    let this = unsafe { GetCurrentProcess() };
    times(this, GetProcessTimes, "GetProcessTimes")
}

pub(super) fn sum_granularity_ns() -> Option<u64> {
    split_granularity_ns()
}

/// The increment of the date at a tick.
pub(super) fn split_granularity_ns() -> Option<u64> {
    let (mut adjustment, mut increment, mut disabled) = (0, 0, 0);
    // SAFETY: all three may be written for the length of the call.
    let result = unsafe {
        GetSystemTimeAdjustment(&raw mut adjustment, &raw mut increment, &raw mut disabled)
    };
    (result != 0 && increment != 0).then_some(u64::from(increment) * 100)
}

/// The shape of `GetThreadTimes` and `GetProcessTimes`: start, end, kernel, user.
type Times = unsafe extern "system" fn(
    HANDLE,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
) -> i32;

fn times(of: HANDLE, call: Times, name: &str) -> Result<(u64, u64), Absence> {
    const NEVER: FILETIME = FILETIME {
        dwLowDateTime: 0,
        dwHighDateTime: 0,
    };
    let [mut start, mut end, mut kernel, mut user] = [NEVER; 4];
    let [start, end] = [&raw mut start, &raw mut end];
    // SAFETY: the handle is that of the running thread or process; the four times may be written for the
    // length of the call.
    if unsafe { call(of, start, end, &raw mut kernel, &raw mut user) } == 0 {
        return Err(Absence::of_last_call(name));
    }
    let nanoseconds = |time: FILETIME| {
        let units = u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
        units.saturating_mul(100)
    };
    Ok((nanoseconds(user), nanoseconds(kernel)))
}
