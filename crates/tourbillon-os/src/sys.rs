//! The system calls of this crate, by the names that `libc` gives them.
//!
//! On Linux they are declared here: every bench binary is built with this crate, and `libc` would be
//! a twelfth of that build (docs/decisions/0006). Elsewhere they come from `libc`. The tests compare
//! each number and each layout that is declared here with `libc`'s.

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

    use std::ffi::{c_int, c_long, c_short, c_uint, c_ulong, c_ushort, c_void};

    pub(crate) type nfds_t = c_ulong;
    pub(crate) type pid_t = c_int;
    pub(crate) type sighandler_t = usize;

    pub(crate) const ADDR_NO_RANDOMIZE: c_int = 0x0004_0000;
    #[cfg(target_arch = "x86_64")]
    pub(crate) const O_NOFOLLOW: c_int = 0x0002_0000;
    #[cfg(target_arch = "aarch64")]
    pub(crate) const O_NOFOLLOW: c_int = 0x8000;
    pub(crate) const O_NONBLOCK: c_int = 0x800;
    #[cfg(target_arch = "x86_64")]
    pub(crate) const O_TMPFILE: c_int = 0x0041_0000;
    #[cfg(target_arch = "aarch64")]
    pub(crate) const O_TMPFILE: c_int = 0x0040_4000;
    pub(crate) const EBADF: c_int = 9;
    pub(crate) const EINVAL: c_int = 22;
    pub(crate) const ESRCH: c_int = 3;
    pub(crate) const POLLHUP: c_short = 0x10;
    pub(crate) const POLLIN: c_short = 1;
    pub(crate) const POLLOUT: c_short = 4;
    pub(crate) const PR_SET_CHILD_SUBREAPER: c_int = 36;
    pub(crate) const PR_SET_PDEATHSIG: c_int = 1;
    pub(crate) const P_PID: c_uint = 1;
    pub(crate) const RUSAGE_SELF: c_int = 0;
    pub(crate) const SIGCHLD: c_int = 17;
    pub(crate) const SIGHUP: c_int = 1;
    pub(crate) const SIGINT: c_int = 2;
    pub(crate) const SIGKILL: c_int = 9;
    pub(crate) const SIGPIPE: c_int = 13;
    pub(crate) const SIGTERM: c_int = 15;
    pub(crate) const SIGXFSZ: c_int = 25;
    pub(crate) const SIG_DFL: sighandler_t = 0;
    pub(crate) const SIG_ERR: sighandler_t = !0;
    pub(crate) const SIG_IGN: sighandler_t = 1;
    pub(crate) const SYS_pidfd_open: c_long = 434;
    pub(crate) const TIOCGWINSZ: c_ulong = 0x5413;
    pub(crate) const WEXITED: c_int = 4;
    pub(crate) const WNOHANG: c_int = 1;
    pub(crate) const WNOWAIT: c_int = 0x0100_0000;

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub(crate) struct pollfd {
        pub(crate) fd: c_int,
        pub(crate) events: c_short,
        pub(crate) revents: c_short,
    }

    #[repr(C)]
    pub(crate) struct winsize {
        pub(crate) ws_row: c_ushort,
        pub(crate) ws_col: c_ushort,
        pub(crate) ws_xpixel: c_ushort,
        pub(crate) ws_ypixel: c_ushort,
    }

    /// Only its first field is read.
    #[repr(C, align(8))]
    pub(crate) struct siginfo_t {
        pub(crate) si_signo: c_int,
        rest: [c_int; 31],
    }

    /// Only the public field is read.
    #[repr(C)]
    pub(crate) struct rusage {
        times_and_sizes: [c_long; 8],
        pub(crate) ru_minflt: c_long,
        rest: [c_long; 9],
    }

    #[repr(C)]
    pub(crate) struct tms {
        pub(crate) tms_utime: c_long,
        pub(crate) tms_stime: c_long,
        pub(crate) tms_cutime: c_long,
        pub(crate) tms_cstime: c_long,
    }

    unsafe extern "C" {
        pub(crate) fn _exit(status: c_int) -> !;
        pub(crate) fn atexit(last: extern "C" fn()) -> c_int;
        pub(crate) fn dup(from: c_int) -> c_int;
        pub(crate) fn dup2(from: c_int, to: c_int) -> c_int;
        pub(crate) fn getpgid(pid: pid_t) -> pid_t;
        pub(crate) fn getppid() -> pid_t;
        pub(crate) fn getrusage(who: c_int, usage: *mut rusage) -> c_int;
        pub(crate) fn ioctl(fd: c_int, request: c_ulong, ...) -> c_int;
        pub(crate) fn kill(pid: pid_t, signal: c_int) -> c_int;
        pub(crate) fn personality(persona: c_ulong) -> c_int;
        pub(crate) fn poll(fds: *mut pollfd, count: nfds_t, timeout: c_int) -> c_int;
        pub(crate) fn prctl(option: c_int, ...) -> c_int;
        pub(crate) fn sched_getaffinity(pid: pid_t, size: usize, mask: *mut c_void) -> c_int;
        pub(crate) fn sched_setaffinity(pid: pid_t, size: usize, mask: *const c_void) -> c_int;
        pub(crate) fn signal(signal: c_int, handler: sighandler_t) -> sighandler_t;
        pub(crate) fn syscall(number: c_long, ...) -> c_long;
        pub(crate) fn times(times: *mut tms) -> c_long;
        pub(crate) fn waitid(
            kind: c_uint,
            id: c_uint,
            seen: *mut siginfo_t,
            options: c_int,
        ) -> c_int;
        pub(crate) fn write(fd: c_int, bytes: *const c_void, count: usize) -> isize;
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
            same!(ADDR_NO_RANDOMIZE O_NOFOLLOW O_NONBLOCK O_TMPFILE EBADF EINVAL ESRCH POLLHUP POLLIN POLLOUT PR_SET_CHILD_SUBREAPER PR_SET_PDEATHSIG P_PID RUSAGE_SELF SIGCHLD
                SIGHUP SIGINT SIGKILL SIGPIPE SIGTERM SIGXFSZ SIG_DFL SIG_ERR SIG_IGN SYS_pidfd_open TIOCGWINSZ WEXITED WNOHANG WNOWAIT);
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
                nfds_t: ;
                pid_t: ;
                pollfd: fd events revents;
                rusage: ru_minflt;
                sighandler_t: ;
                tms: tms_utime tms_stime tms_cutime tms_cstime;
                siginfo_t: si_signo;
                winsize: ws_row ws_col ws_xpixel ws_ypixel;
            }
        }

        /// The declarations have the types of the system's: a pointer to one is a pointer to the
        /// other. Variadic calls and calls that take a mask are not compared.
        #[test]
        fn the_calls_are_the_systems() {
            let _: [unsafe extern "C" fn(c_int) -> !; 2] = [_exit, libc::_exit];
            let _: [unsafe extern "C" fn(extern "C" fn()) -> c_int; 2] = [atexit, libc::atexit];
            let _: [unsafe extern "C" fn(c_int) -> c_int; 2] = [dup, libc::dup];
            let _: [unsafe extern "C" fn(c_int, c_int) -> c_int; 2] = [dup2, libc::dup2];
            let _: [unsafe extern "C" fn(pid_t) -> pid_t; 2] = [getpgid, libc::getpgid];
            let _: [unsafe extern "C" fn() -> pid_t; 2] = [getppid, libc::getppid];
            let _: [unsafe extern "C" fn(pid_t, c_int) -> c_int; 2] = [kill, libc::kill];
            let _: [unsafe extern "C" fn(c_ulong) -> c_int; 2] = [personality, libc::personality];
            let _: [unsafe extern "C" fn(c_int, usize) -> usize; 2] = [signal, libc::signal];
            let _: [unsafe extern "C" fn(c_int, *const c_void, usize) -> isize; 2] =
                [write, libc::write];
        }
    }
}
