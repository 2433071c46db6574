//! `clock_gettime` for the sums, `getrusage` for the split into user and kernel time, in this order.

use crate::{Absence, sys};

pub(super) fn thread_cpu_ns() -> Result<u64, Absence> {
    clock_ns(sys::CLOCK_THREAD_CPUTIME_ID)
}

pub(super) fn process_cpu_ns() -> Result<u64, Absence> {
    clock_ns(sys::CLOCK_PROCESS_CPUTIME_ID)
}

pub(super) fn process_user_kernel_ns() -> Result<(u64, u64), Absence> {
    usage(sys::RUSAGE_SELF)
}

pub(super) fn thread_user_kernel_ns() -> Result<(u64, u64), Absence> {
    #[cfg(target_os = "linux")]
    return usage(sys::RUSAGE_THREAD);
    #[cfg(target_vendor = "apple")]
    return mach_thread_times();
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    Err(Absence::OtherSystem(
        "this system does not split the time of a thread into user and kernel",
    ))
}

pub(super) fn split_granularity_ns() -> Option<u64> {
    // The coarse clock advances at the kernel's tick.
    #[cfg(target_os = "linux")]
    return step_ns(sys::CLOCK_MONOTONIC_COARSE);
    #[cfg(target_vendor = "apple")]
    return Some(1_000);
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    None
}

pub(super) fn sum_granularity_ns() -> Option<u64> {
    step_ns(sys::CLOCK_PROCESS_CPUTIME_ID)
}

/// The step of a clock, by the system's own figure.
fn step_ns(clock: sys::clockid_t) -> Option<u64> {
    let mut step = ZERO;
    // SAFETY: `step` is a timespec that may be written for the length of the call.
    let result = unsafe { sys::clock_getres(clock, &raw mut step) };
    (result == 0).then(|| nanoseconds(&step))
}

const ZERO: sys::timespec = sys::timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// Reads a clock of processor time: the C library makes a system call for it and reads no counter.
fn clock_ns(clock: sys::clockid_t) -> Result<u64, Absence> {
    let mut now = ZERO;
    // SAFETY: `now` is a timespec that may be written for the length of the call.
    if unsafe { sys::clock_gettime(clock, &raw mut now) } != 0 {
        return Err(Absence::of_last_call("clock_gettime"));
    }
    Ok(nanoseconds(&now))
}

/// A time since a start, which is never negative.
fn nanoseconds(time: &sys::timespec) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// `getrusage` of the process or of the calling thread.
fn usage(who: std::ffi::c_int) -> Result<(u64, u64), Absence> {
    let mut usage = std::mem::MaybeUninit::<sys::rusage>::uninit();
    // SAFETY: `usage` may be written for the length of the call.
    if unsafe { sys::getrusage(who, usage.as_mut_ptr()) } != 0 {
        return Err(Absence::of_last_call("getrusage"));
    }
    // SAFETY: the call succeeded, so it wrote all of it.
    let usage = unsafe { usage.assume_init() };
    let nanoseconds =
        |time: sys::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000;
    Ok((nanoseconds(usage.ru_utime), nanoseconds(usage.ru_stime)))
}

/// `thread_info`, the only call that splits a thread's time on Apple's systems.
#[cfg(target_vendor = "apple")]
fn mach_thread_times() -> Result<(u64, u64), Absence> {
    // SAFETY: the structure is made of integers, for which zero is a value.
    let mut info: libc::thread_basic_info = unsafe { std::mem::zeroed() };
    let mut count = libc::THREAD_BASIC_INFO_COUNT;
    // SAFETY: pthread_self has no preconditions, and the port of a living thread, obtained in this way,
    // needs no release; `info` has room for `count` integers.
    let result = unsafe {
        libc::thread_info(
            libc::pthread_mach_thread_np(libc::pthread_self()),
            libc::THREAD_BASIC_INFO as libc::thread_flavor_t,
            (&raw mut info).cast(),
            &raw mut count,
        )
    };
    if result != libc::KERN_SUCCESS {
        return Err(Absence::Refused(format!(
            "thread_info failed with the Mach error {result}"
        )));
    }
    let nanoseconds = |time: libc::time_value_t| {
        time.seconds as u64 * 1_000_000_000 + time.microseconds as u64 * 1_000
    };
    Ok((nanoseconds(info.user_time), nanoseconds(info.system_time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_clocks_and_owners_are_absent_with_a_reason() {
        for absence in [clock_ns(9_999).unwrap_err(), usage(9_999).unwrap_err()] {
            let Absence::Refused(text) = &absence else {
                panic!("{absence:?}");
            };
            assert!(text.contains(" failed ("), "{text}");
        }
    }
}
