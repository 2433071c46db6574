//! The operating system's clocks, in nanoseconds.

use crate::system_error::got;

/// Where Linux says what its clocks are made out of.
pub const CURRENT_CLOCK_SOURCE: &str =
    "/sys/devices/system/clocksource/clocksource0/current_clocksource";

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use std::sync::atomic::{AtomicU8, Ordering};

    use crate::sys;

    /// How the kernel's clocks are read: not known yet, by the C library, by a call of the kernel.
    ///
    /// The C library reads the counter in user mode, which ends a process that may not
    /// (`PR_SET_TSC`). Such bans are inherited: the first reading finds out for all.
    static WAY: AtomicU8 = AtomicU8::new(0);
    const BY_LIBRARY: u8 = 1;
    const BY_CALL: u8 = 2;

    /// Reads one of the kernel's clocks.
    ///
    /// Cannot fail: the pointer is good, and every kernel that Rust runs on knows the two clocks
    /// below. Should it be refused all the same, the reading is a zero that never changes, which
    /// no test of a clock takes for time.
    fn read(clock: sys::clockid_t) -> u64 {
        let mut now = sys::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        if WAY.load(Ordering::Relaxed) == BY_LIBRARY || !find_way() {
            // SAFETY: `now` is a timespec that lives and may be written for the length of the call.
            unsafe { sys::clock_gettime(clock, &raw mut now) };
        } else {
            // SAFETY: as above; the call itself, with the type that the library has for it.
            unsafe { sys::syscall(sys::SYS_clock_gettime, clock, &raw mut now) };
        }
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }

    /// Whether the kernel has to be called; asks at the first time.
    #[cold]
    fn find_way() -> bool {
        WAY.load(Ordering::Relaxed) == BY_CALL || vdso_is_forbidden()
    }

    /// Asks whether the calling thread must not read clocks in user mode, and remembers it.
    pub fn vdso_is_forbidden() -> bool {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        let forbidden = crate::choose::permission::check().is_err();
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let forbidden = false;
        let way = if forbidden { BY_CALL } else { BY_LIBRARY };
        // A call is right everywhere: once needed, it stays.
        WAY.fetch_max(way, Ordering::Relaxed);
        forbidden
    }

    pub fn monotonic_ns() -> u64 {
        read(sys::CLOCK_MONOTONIC)
    }

    pub fn reference_ns() -> u64 {
        read(sys::CLOCK_MONOTONIC_RAW)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    use std::sync::OnceLock;
    use std::time::Instant;

    /// The first reading in this process: the standard library has no origin of its own.
    static ORIGIN: OnceLock<Instant> = OnceLock::new();

    pub fn monotonic_ns() -> u64 {
        let origin = ORIGIN.get_or_init(Instant::now);
        u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    pub fn reference_ns() -> u64 {
        monotonic_ns()
    }
}

/// Whether the calling thread must not read clocks in user mode.
#[cfg(all(
    any(target_os = "linux", target_os = "android"),
    any(target_arch = "x86_64", feature = "parts")
))]
pub use system::vdso_is_forbidden;

/// The clock that programs are timed with: never steps, follows the rate of network time.
///
/// `CLOCK_MONOTONIC` on Linux, the standard library's `Instant` elsewhere.
pub use system::monotonic_ns;

/// The clock that counters are held against: the hardware's own rate, where the system has it.
///
/// `CLOCK_MONOTONIC_RAW` on Linux, so that a correction of network time in the middle of a run is
/// not mistaken for a wrong frequency; the standard library's `Instant` elsewhere.
pub use system::reference_ns;

/// Whether the reference clock is made out of the counter of that name, reading by reading.
///
/// The kernel's own word for it; without it, no.
pub fn reference_counts(counter: &str) -> bool {
    let clock_source = match counter {
        "tsc" => "tsc",
        "cntvct" => "arch_sys_counter",
        _ => return false,
    };
    match got(std::fs::read(CURRENT_CLOCK_SOURCE)) {
        Ok(name) => name.trim_ascii() == clock_source.as_bytes(),
        Err(_) => false,
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
}
