//! `clock_gettime` for the sums, `getrusage` for the split.

use super::UserKernel;
use crate::{Absence, sys};

pub(super) fn thread_cpu_ns() -> Result<u64, Absence> {
    clock_ns(sys::CLOCK_THREAD_CPUTIME_ID)
}

pub(super) fn process_cpu_ns() -> Result<u64, Absence> {
    clock_ns(sys::CLOCK_PROCESS_CPUTIME_ID)
}

pub(super) fn process_user_kernel_ns() -> Result<UserKernel, Absence> {
    usage(sys::RUSAGE_SELF).map(|usage| split(&usage))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn thread_user_kernel_ns() -> Result<UserKernel, Absence> {
    usage(sys::RUSAGE_THREAD).map(|usage| split(&usage))
}

#[cfg(target_vendor = "apple")]
pub(super) fn thread_user_kernel_ns() -> Result<UserKernel, Absence> {
    super::mach::thread_user_kernel_ns()
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn thread_user_kernel_ns() -> Result<UserKernel, Absence> {
    Err(Absence::OtherSystem(
        "this system does not split the time of a thread into user and kernel",
    ))
}

/// The kernel's tick, which its coarse clock gives away.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn split_granularity_ns() -> Option<u64> {
    step_ns(sys::CLOCK_MONOTONIC_COARSE)
}

pub(super) fn sum_granularity_ns() -> Option<u64> {
    step_ns(sys::CLOCK_PROCESS_CPUTIME_ID)
}

/// What the system says that a clock advances by.
fn step_ns(clock: sys::clockid_t) -> Option<u64> {
    let mut step = ZERO;
    // SAFETY: `step` is a timespec that may be written for the length of the call.
    let answer = unsafe { sys::clock_getres(clock, &raw mut step) };
    (answer == 0).then(|| nanoseconds(&step))
}

#[cfg(target_vendor = "apple")]
pub(super) fn split_granularity_ns() -> Option<u64> {
    Some(1_000)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn split_granularity_ns() -> Option<u64> {
    None
}

const ZERO: sys::timespec = sys::timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// Reads a clock of processor time: the C library has to call the kernel for it and reads no counter.
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
pub fn usage(who: std::ffi::c_int) -> Result<sys::rusage, Absence> {
    // SAFETY: a rusage is made of integers, for which zero is a value.
    let mut usage: sys::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` may be written for the length of the call.
    if unsafe { sys::getrusage(who, &raw mut usage) } != 0 {
        return Err(Absence::of_last_call("getrusage"));
    }
    Ok(usage)
}

fn split(usage: &sys::rusage) -> UserKernel {
    UserKernel {
        user_ns: microseconds(&usage.ru_utime) * 1_000,
        kernel_ns: microseconds(&usage.ru_stime) * 1_000,
    }
}

pub fn microseconds(time: &sys::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_and_an_owner_that_are_none_are_absent_with_a_reason() {
        for absence in [clock_ns(9_999).unwrap_err(), usage(9_999).err().unwrap()] {
            let Absence::Refused(text) = &absence else {
                panic!("{absence:?}");
            };
            assert!(text.contains(" failed ("), "{text}");
        }
    }
}
