//! The system calls of this crate, by the names that `libc` gives them.
//!
//! On Linux they are declared here: every bench binary is built with this crate, and `libc` would be
//! a twelfth of that build (docs/decisions/0006). Elsewhere they come from `libc`. The tests compare each
//! number and each layout that is declared here with `libc`'s.

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub(crate) use libc::*;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) use linux::*;

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod linux {
    #![expect(
        non_camel_case_types,
        non_upper_case_globals,
        reason = "the names of the system's own headers"
    )]
    #![cfg_attr(
        miri,
        expect(dead_code, reason = "Miri knows the standard library's clock alone")
    )]

    use std::ffi::{c_char, c_int, c_long};

    #[cfg(target_arch = "x86_64")]
    pub(crate) use of_x86_64::*;

    pub(crate) type clockid_t = c_int;
    pub(crate) type time_t = i64;

    pub(crate) const CLOCK_MONOTONIC: clockid_t = 1;
    pub(crate) const CLOCK_MONOTONIC_COARSE: clockid_t = 6;
    pub(crate) const CLOCK_MONOTONIC_RAW: clockid_t = 4;
    pub(crate) const CLOCK_PROCESS_CPUTIME_ID: clockid_t = 2;
    pub(crate) const CLOCK_THREAD_CPUTIME_ID: clockid_t = 3;
    pub(crate) const EINVAL: c_int = 22;
    pub(crate) const PR_GET_TSC: c_int = 25;
    pub(crate) const PR_TSC_ENABLE: c_int = 1;
    pub(crate) const RUSAGE_SELF: c_int = 0;
    pub(crate) const RUSAGE_THREAD: c_int = 1;
    #[cfg(target_arch = "x86_64")]
    pub(crate) const SYS_clock_gettime: c_long = 228;
    #[cfg(target_arch = "aarch64")]
    pub(crate) const SYS_clock_gettime: c_long = 113;

    #[repr(C)]
    pub(crate) struct timespec {
        pub(crate) tv_sec: time_t,
        pub(crate) tv_nsec: c_long,
    }

    #[repr(C)]
    pub(crate) struct timeval {
        pub(crate) tv_sec: time_t,
        pub(crate) tv_usec: i64,
    }

    /// Two times, and fourteen numbers that are not read; musl reserves room for more.
    #[repr(C)]
    pub(crate) struct rusage {
        pub(crate) ru_utime: timeval,
        pub(crate) ru_stime: timeval,
        rest: [c_long; if cfg!(target_env = "musl") { 30 } else { 14 }],
    }

    /// Nine numbers that are not read, the offset, and the name of the time zone.
    #[repr(C)]
    pub(crate) struct tm {
        date: [c_int; 9],
        pub(crate) tm_gmtoff: c_long,
        tm_zone: *const c_char,
    }

    unsafe extern "C" {
        pub(crate) fn clock_getres(clock: clockid_t, step: *mut timespec) -> c_int;
        pub(crate) fn clock_gettime(clock: clockid_t, now: *mut timespec) -> c_int;
        pub(crate) fn getrusage(who: c_int, usage: *mut rusage) -> c_int;
        pub(crate) fn localtime_r(seconds: *const time_t, local: *mut tm) -> *mut tm;
        pub(crate) fn prctl(option: c_int, ...) -> c_int;
        pub(crate) fn syscall(number: c_long, ...) -> c_long;
    }

    /// For the page of a perf event, and for the tour of the processors.
    #[cfg(target_arch = "x86_64")]
    mod of_x86_64 {
        use std::ffi::{c_int, c_long, c_void};

        pub(crate) type off_t = i64;

        pub(crate) const MAP_FAILED: *mut c_void = !0 as *mut c_void;
        pub(crate) const MAP_SHARED: c_int = 1;
        pub(crate) const PROT_READ: c_int = 1;
        pub(crate) const SYS_gettid: c_long = 186;
        pub(crate) const SYS_perf_event_open: c_long = 298;
        pub(crate) const _SC_PAGESIZE: c_int = 30;

        unsafe extern "C" {
            pub(crate) fn mmap(
                start: *mut c_void,
                length: usize,
                protection: c_int,
                flags: c_int,
                fd: c_int,
                offset: off_t,
            ) -> *mut c_void;
            pub(crate) fn munmap(start: *mut c_void, length: usize) -> c_int;
            pub(crate) fn sched_getaffinity(pid: c_int, size: usize, mask: *mut c_void) -> c_int;
            pub(crate) fn sched_getcpu() -> c_int;
            pub(crate) fn sched_setaffinity(pid: c_int, size: usize, mask: *const c_void) -> c_int;
            pub(crate) fn sysconf(name: c_int) -> c_long;
        }
    }

    #[cfg(test)]
    mod tests {
        use std::mem::offset_of;

        use super::*;

        macro_rules! same {
            ($($name:ident)*) => { $(assert_eq!($name, libc::$name, stringify!($name));)* };
        }

        macro_rules! same_layout {
            ($($name:ident: $($field:ident)*;)*) => { $(
                assert_eq!(size_of::<$name>(), size_of::<libc::$name>(), stringify!($name));
                assert_eq!(align_of::<$name>(), align_of::<libc::$name>(), stringify!($name));
                $(assert_eq!(
                    offset_of!($name, $field),
                    offset_of!(libc::$name, $field),
                    stringify!($field)
                );)*
            )* };
        }

        #[test]
        fn the_numbers_and_layouts_are_the_systems() {
            same!(CLOCK_MONOTONIC CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC_RAW CLOCK_PROCESS_CPUTIME_ID
                CLOCK_THREAD_CPUTIME_ID EINVAL PR_GET_TSC PR_TSC_ENABLE RUSAGE_SELF RUSAGE_THREAD
                SYS_clock_gettime);
            same_layout! {
                clockid_t: ;
                time_t: ;
                timespec: tv_sec tv_nsec;
                timeval: tv_sec tv_usec;
                rusage: ru_utime ru_stime;
                tm: tm_gmtoff tm_zone;
            }
        }

        /// The declarations have the types of the system's: a pointer to one is a pointer to the other.
        /// Variadic calls and calls with structures are not compared.
        #[cfg(target_arch = "x86_64")]
        #[test]
        fn the_calls_and_numbers_of_x86_64_are_the_systems() {
            use std::ffi::c_void;

            same!(MAP_FAILED MAP_SHARED PROT_READ SYS_gettid SYS_perf_event_open _SC_PAGESIZE);
            same_layout! { off_t: ; }
            let _: [unsafe extern "C" fn() -> c_int; 2] = [sched_getcpu, libc::sched_getcpu];
            let _: [unsafe extern "C" fn(*mut c_void, usize) -> c_int; 2] = [munmap, libc::munmap];
            let _: [unsafe extern "C" fn(c_int) -> c_long; 2] = [sysconf, libc::sysconf];
            type Map =
                unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, c_int, off_t) -> *mut c_void;
            let _: [Map; 2] = [mmap, libc::mmap];
        }
    }
}
