//! `thread_info`, the only one who splits a thread's time on Apple's systems.

use super::UserKernel;
use crate::Absence;

/// User and kernel time of the calling thread.
pub(super) fn thread_user_kernel_ns() -> Result<UserKernel, Absence> {
    let info = thread_times()?;
    Ok(UserKernel {
        user_ns: microseconds(info.user_time) * 1_000,
        kernel_ns: microseconds(info.system_time) * 1_000,
    })
}

/// What the kernel knows of the calling thread.
pub fn thread_times() -> Result<libc::thread_basic_info, Absence> {
    // SAFETY: the structure is made of integers, for which zero is a value.
    let mut info: libc::thread_basic_info = unsafe { std::mem::zeroed() };
    let mut count = libc::THREAD_BASIC_INFO_COUNT;
    // SAFETY: pthread_self has no preconditions, and the port of a living thread needs no release
    // when asked for in this way; `info` has room for `count` integers.
    let answer = unsafe {
        libc::thread_info(
            libc::pthread_mach_thread_np(libc::pthread_self()),
            libc::THREAD_BASIC_INFO as libc::thread_flavor_t,
            (&raw mut info).cast(),
            &raw mut count,
        )
    };
    if answer == libc::KERN_SUCCESS {
        Ok(info)
    } else {
        Err(Absence::Refused(format!(
            "thread_info answered with the Mach error {answer}"
        )))
    }
}

pub fn microseconds(time: libc::time_value_t) -> u64 {
    time.seconds as u64 * 1_000_000 + time.microseconds as u64
}
