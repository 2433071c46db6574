//! The calls of the system that every bench binary needs of this crate, by the names that `libc` gives
//! them.
//!
//! On Linux they are declared here: every bench binary is built with this crate, and `libc` would be
//! a twelfth of that (docs/decisions/0006). Everywhere else they come from `libc`, which also checks
//! what is declared here: the tests hold each number and each layout against it.

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub use libc::*;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub use linux::*;

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

    #[cfg(any(target_arch = "x86_64", feature = "parts", feature = "parts"))]
    use std::ffi::c_void;
    use std::ffi::{c_char, c_int, c_long};

    pub type clockid_t = c_int;
    // Only the rate of x86-64's counter is looked up in a page that is mapped.
    #[cfg(target_arch = "x86_64")]
    pub type off_t = i64;
    pub type time_t = i64;

    pub const CLOCK_MONOTONIC: clockid_t = 1;
    pub const CLOCK_MONOTONIC_COARSE: clockid_t = 6;
    pub const CLOCK_MONOTONIC_RAW: clockid_t = 4;
    pub const CLOCK_PROCESS_CPUTIME_ID: clockid_t = 2;
    pub const CLOCK_THREAD_CPUTIME_ID: clockid_t = 3;
    pub const EINVAL: c_int = 22;
    #[cfg(target_arch = "x86_64")]
    pub const MAP_FAILED: *mut c_void = !0 as *mut c_void;
    #[cfg(target_arch = "x86_64")]
    pub const MAP_SHARED: c_int = 1;
    #[cfg(target_arch = "x86_64")]
    pub const PROT_READ: c_int = 1;
    pub const PR_GET_TSC: c_int = 25;
    pub const PR_TSC_ENABLE: c_int = 1;
    pub const RUSAGE_SELF: c_int = 0;
    pub const RUSAGE_THREAD: c_int = 1;
    #[cfg(feature = "parts")]
    pub const RTLD_DEFAULT: *mut c_void = std::ptr::null_mut();
    #[cfg(target_arch = "x86_64")]
    pub const SYS_clock_gettime: c_long = 228;
    #[cfg(target_arch = "aarch64")]
    pub const SYS_clock_gettime: c_long = 113;
    #[cfg(target_arch = "x86_64")]
    pub const SYS_gettid: c_long = 186;
    #[cfg(target_arch = "x86_64")]
    pub const SYS_perf_event_open: c_long = 298;
    #[cfg(all(feature = "parts", target_arch = "x86_64"))]
    pub const SYS_rseq: c_long = 334;
    #[cfg(all(feature = "parts", target_arch = "aarch64"))]
    pub const SYS_rseq: c_long = 293;
    #[cfg(target_arch = "x86_64")]
    pub const _SC_PAGESIZE: c_int = 30;

    #[repr(C)]
    pub struct timespec {
        pub tv_sec: time_t,
        pub tv_nsec: c_long,
    }

    #[repr(C)]
    pub struct timeval {
        pub tv_sec: time_t,
        pub tv_usec: i64,
    }

    /// Fourteen longs behind two times, of which the last two are looked at; musl keeps room for more.
    #[repr(C)]
    pub struct rusage {
        pub ru_utime: timeval,
        pub ru_stime: timeval,
        others: [c_long; 12],
        pub ru_nvcsw: c_long,
        pub ru_nivcsw: c_long,
        #[cfg(target_env = "musl")]
        reserved: [c_long; 16],
    }

    #[repr(C)]
    pub struct tm {
        tm_sec: c_int,
        tm_min: c_int,
        tm_hour: c_int,
        tm_mday: c_int,
        tm_mon: c_int,
        tm_year: c_int,
        tm_wday: c_int,
        tm_yday: c_int,
        tm_isdst: c_int,
        pub tm_gmtoff: c_long,
        tm_zone: *const c_char,
    }

    unsafe extern "C" {
        pub fn __errno_location() -> *mut c_int;
        pub fn clock_getres(clock: clockid_t, step: *mut timespec) -> c_int;
        pub fn clock_gettime(clock: clockid_t, now: *mut timespec) -> c_int;
        pub fn getrusage(who: c_int, usage: *mut rusage) -> c_int;
        #[cfg(feature = "parts")]
        pub fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
        pub fn localtime_r(seconds: *const time_t, local: *mut tm) -> *mut tm;
        #[cfg(target_arch = "x86_64")]
        pub fn mmap(
            start: *mut c_void,
            length: usize,
            protection: c_int,
            flags: c_int,
            fd: c_int,
            offset: off_t,
        ) -> *mut c_void;
        #[cfg(target_arch = "x86_64")]
        pub fn munmap(start: *mut c_void, length: usize) -> c_int;
        pub fn prctl(option: c_int, ...) -> c_int;
        #[cfg(any(target_arch = "x86_64", feature = "parts"))]
        pub fn sched_getaffinity(pid: c_int, size: usize, mask: *mut c_void) -> c_int;
        #[cfg(any(target_arch = "x86_64", feature = "parts"))]
        pub fn sched_getcpu() -> c_int;
        #[cfg(any(target_arch = "x86_64", feature = "parts"))]
        pub fn sched_setaffinity(pid: c_int, size: usize, mask: *const c_void) -> c_int;
        pub fn syscall(number: c_long, ...) -> c_long;
        #[cfg(target_arch = "x86_64")]
        pub fn sysconf(name: c_int) -> c_long;
    }

    #[cfg(test)]
    mod tests {
        use std::mem::offset_of;

        use super::*;

        #[test]
        fn the_numbers_are_the_systems() {
            macro_rules! same {
                ($($name:ident)*) => { $(assert_eq!($name, libc::$name, stringify!($name));)* };
            }
            same!(CLOCK_MONOTONIC CLOCK_MONOTONIC_RAW EINVAL PR_GET_TSC PR_TSC_ENABLE
                SYS_clock_gettime);
            #[cfg(target_arch = "x86_64")]
            same!(MAP_FAILED MAP_SHARED PROT_READ SYS_gettid SYS_perf_event_open _SC_PAGESIZE);
            same!(CLOCK_MONOTONIC_COARSE CLOCK_PROCESS_CPUTIME_ID CLOCK_THREAD_CPUTIME_ID
                RUSAGE_SELF RUSAGE_THREAD);
            #[cfg(feature = "parts")]
            same!(RTLD_DEFAULT RUSAGE_THREAD SYS_rseq);
        }

        #[test]
        fn the_layouts_are_the_systems() {
            macro_rules! same {
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
            same! {
                clockid_t: ;
                time_t: ;
                timespec: tv_sec tv_nsec;
                tm: tm_sec tm_gmtoff tm_zone;
            }
            same! {
                timeval: tv_sec tv_usec;
                rusage: ru_utime ru_stime ru_nvcsw ru_nivcsw;
            }
        }

        /// The declarations have the types of the system's: a pointer to one is a pointer to the
        /// other. What takes more arguments than are named, or a type of its own, is left out.
        #[test]
        fn the_calls_are_the_systems() {
            let _: [unsafe extern "C" fn() -> *mut c_int; 2] =
                [__errno_location, libc::__errno_location];
            #[cfg(any(target_arch = "x86_64", feature = "parts"))]
            let _: [unsafe extern "C" fn() -> c_int; 2] = [sched_getcpu, libc::sched_getcpu];
            #[cfg(feature = "parts")]
            let _: [unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;
                2] = [dlsym, libc::dlsym];
        }

        #[cfg(target_arch = "x86_64")]
        #[test]
        fn the_calls_that_map_a_page_are_the_systems() {
            let _: [unsafe extern "C" fn(*mut c_void, usize) -> c_int; 2] = [munmap, libc::munmap];
            let _: [unsafe extern "C" fn(c_int) -> c_long; 2] = [sysconf, libc::sysconf];
            let _: [unsafe extern "C" fn(
                *mut c_void,
                usize,
                c_int,
                c_int,
                c_int,
                off_t,
            ) -> *mut c_void; 2] = [mmap, libc::mmap];
            assert_eq!(size_of::<off_t>(), size_of::<libc::off_t>());
        }
    }
}
