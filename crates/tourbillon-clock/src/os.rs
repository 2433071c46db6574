//! The operating system's clocks, in nanoseconds, and whether the processor's counter may be read.

/// File in which Linux names the counter that its clocks use.
pub(crate) const CURRENT_CLOCK_SOURCE: &str =
    "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// Whether this process may read the processor's counter in user mode. A forbidden reading would end the
/// process with SIGSEGV.
///
/// # Errors
///
/// If the kernel forbids it (`prctl PR_SET_TSC`), or does not report whether it does. Kernels without the
/// query (Arm before 6.12), and systems other than Linux, forbid nothing.
///
/// # Examples
///
/// ```
/// if let Err(why) = tourbillon_clock::counter_permission() {
///     println!("the counter is not read: {why}");
/// }
/// ```
pub fn counter_permission() -> Result<(), String> {
    #[cfg(all(target_os = "linux", not(miri)))]
    return system::counter_permission();
    #[cfg(any(miri, not(target_os = "linux")))]
    Ok(())
}

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use std::ffi::c_int;
    use std::io;
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    use crate::sys;

    /// How the kernel's clocks are read: not known yet, by the C library, by a system call.
    ///
    /// The C library reads the counter in user mode, which ends a process that may not (`PR_SET_TSC`).
    /// Such bans are inherited: the first reading finds out for all.
    static WAY: AtomicU8 = AtomicU8::new(0);
    const BY_LIBRARY: u8 = 1;
    const BY_CALL: u8 = 2;

    /// Reads one of the kernel's clocks.
    ///
    /// Cannot fail: the pointer is valid, and every kernel that Rust supports has the two clocks below. If
    /// it failed, the reading would be a constant zero, which no test of a clock accepts.
    fn read(clock: sys::clockid_t) -> u64 {
        let mut now = sys::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        if WAY.load(Relaxed) == BY_LIBRARY || !needs_call() {
            // SAFETY: `now` is a timespec that may be written for the length of the call.
            unsafe { sys::clock_gettime(clock, &raw mut now) };
        } else {
            // SAFETY: as above; the system call itself, with the type that the library has for it.
            unsafe { sys::syscall(sys::SYS_clock_gettime, clock, &raw mut now) };
        }
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }

    #[cold]
    fn needs_call() -> bool {
        WAY.load(Relaxed) == BY_CALL || counter_permission().is_err()
    }

    pub(super) fn counter_permission() -> Result<(), String> {
        let permission = query_permission();
        let way = match permission {
            Ok(()) => BY_LIBRARY,
            Err(_) => BY_CALL,
        };
        // A system call works everywhere: once needed, it stays.
        WAY.fetch_max(way, Relaxed);
        permission
    }

    fn query_permission() -> Result<(), String> {
        let mut mode: c_int = 0;
        // SAFETY: PR_GET_TSC writes one int through the pointer, which lives for the call.
        if unsafe { sys::prctl(sys::PR_GET_TSC, &raw mut mode, 0, 0, 0) } != 0 {
            let error = io::Error::last_os_error();
            if error.raw_os_error() == Some(sys::EINVAL) {
                return Ok(());
            }
            return Err(format!("whether it may be read is not known ({error})"));
        }
        if mode != sys::PR_TSC_ENABLE {
            let text = "reading it is forbidden to this process (prctl PR_SET_TSC)";
            return Err(text.to_owned());
        }
        Ok(())
    }

    pub(crate) fn monotonic_ns() -> u64 {
        read(sys::CLOCK_MONOTONIC)
    }

    pub(crate) fn reference_ns() -> u64 {
        read(sys::CLOCK_MONOTONIC_RAW)
    }
}

#[cfg(any(miri, not(target_os = "linux")))]
mod system {
    use std::sync::OnceLock;
    use std::time::Instant;

    /// The first reading in this process: the standard library has no origin of its own.
    static ORIGIN: OnceLock<Instant> = OnceLock::new();

    pub(crate) fn monotonic_ns() -> u64 {
        let origin = ORIGIN.get_or_init(Instant::now);
        u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    pub(crate) use self::monotonic_ns as reference_ns;
}

/// The clock that programs are timed with: never steps, follows the rate of network time.
///
/// `CLOCK_MONOTONIC` on Linux, the standard library's `Instant` elsewhere.
pub(crate) use system::monotonic_ns;

/// The clock that counters are compared with: the hardware's own rate, if the system has it.
///
/// `CLOCK_MONOTONIC_RAW` on Linux, so that a correction of network time during a run does not look like a
/// wrong frequency; the standard library's `Instant` elsewhere.
pub(crate) use system::reference_ns;

/// Whether the kernel makes the reference clock from the counter of that name, reading by reading.
pub(crate) fn reference_counts(counter: &str) -> bool {
    let clock_source = match counter {
        "tsc" => "tsc",
        "cntvct" => "arch_sys_counter",
        _ => return false,
    };
    std::fs::read(CURRENT_CLOCK_SOURCE)
        .is_ok_and(|name| name.trim_ascii() == clock_source.as_bytes())
}

/// Nanoseconds since it was started, on the operating system's monotonic clock.
///
/// For deadlines, budgets of a run and progress lines; samples are read from a
/// [`Clock`](crate::Clock).
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started_ns: u64,
}

impl Stopwatch {
    /// Starts counting.
    #[must_use]
    pub fn start() -> Stopwatch {
        Stopwatch {
            started_ns: monotonic_ns(),
        }
    }

    /// Nanoseconds since the start.
    ///
    /// The clock never goes backwards, and it stands still while the machine is suspended.
    #[must_use]
    pub fn elapsed_ns(&self) -> u64 {
        monotonic_ns().saturating_sub(self.started_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_move_forwards_only() {
        for read in [monotonic_ns, reference_ns] {
            let mut last = read();
            let first = last;
            while last == first {
                let next = read();
                assert!(next >= last);
                last = next;
            }
        }
    }

    #[test]
    fn elapsed_time_only_grows() {
        let stopwatch = Stopwatch::start();
        let first = stopwatch.elapsed_ns();
        let second = stopwatch.elapsed_ns();
        assert!(second >= first);
    }
}
