//! `GetThreadTimes` and `GetProcessTimes`, which count units of 100 ns.

use windows_sys::Win32::Foundation::{FILETIME, HANDLE};
use windows_sys::Win32::System::SystemInformation::GetSystemTimeAdjustment;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes,
};

use super::UserKernel;
use crate::Absence;

pub(super) fn thread_cpu_ns() -> Result<u64, Absence> {
    thread_user_kernel_ns().map(UserKernel::total_ns)
}

pub(super) fn process_cpu_ns() -> Result<u64, Absence> {
    process_user_kernel_ns().map(UserKernel::total_ns)
}

pub(super) fn thread_user_kernel_ns() -> Result<UserKernel, Absence> {
    thread_times().map(in_nanoseconds)
}

pub(super) fn process_user_kernel_ns() -> Result<UserKernel, Absence> {
    process_times().map(in_nanoseconds)
}

fn in_nanoseconds([user, kernel]: [u64; 2]) -> UserKernel {
    UserKernel {
        user_ns: user.saturating_mul(100),
        kernel_ns: kernel.saturating_mul(100),
    }
}

pub(super) fn sum_granularity_ns() -> Option<u64> {
    split_granularity_ns()
}

/// What the date is moved on by at a tick.
pub fn split_granularity_ns() -> Option<u64> {
    let (mut adjustment, mut increment, mut disabled) = (0, 0, 0);
    // SAFETY: all three may be written for the length of the call.
    let answer = unsafe {
        GetSystemTimeAdjustment(&raw mut adjustment, &raw mut increment, &raw mut disabled)
    };
    (answer != 0 && increment != 0).then_some(u64::from(increment) * 100)
}

/// User and kernel time of the calling thread in units of 100 ns.
pub fn thread_times() -> Result<[u64; 2], Absence> {
    // SAFETY: the pseudo handle of a thread needs no release.
    let this = unsafe { GetCurrentThread() };
    all_times(this, GetThreadTimes, "GetThreadTimes")
}

/// User and kernel time of this process in units of 100 ns.
pub fn process_times() -> Result<[u64; 2], Absence> {
    // SAFETY: the pseudo handle of a process needs no release.
    let this = unsafe { GetCurrentProcess() };
    all_times(this, GetProcessTimes, "GetProcessTimes")
}

/// `GetThreadTimes` and `GetProcessTimes` are of one shape: start, end, kernel, user.
type AllTimes = unsafe extern "system" fn(
    HANDLE,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
) -> i32;

fn all_times(of: HANDLE, ask: AllTimes, name: &str) -> Result<[u64; 2], Absence> {
    const NEVER: FILETIME = FILETIME {
        dwLowDateTime: 0,
        dwHighDateTime: 0,
    };
    let [mut start, mut end, mut kernel, mut user] = [NEVER; 4];
    // SAFETY: the handle is that of the running thread or process; the four times may be written
    // for the length of the call.
    let answer = unsafe {
        ask(
            of,
            &raw mut start,
            &raw mut end,
            &raw mut kernel,
            &raw mut user,
        )
    };
    if answer == 0 {
        return Err(Absence::of_last_call(name));
    }
    let units =
        |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    Ok([units(user), units(kernel)])
}
