//! The operating system's clocks, in nanoseconds.

/// Where Linux says what its clocks are made out of.
pub(crate) const CURRENT_CLOCK_SOURCE: &str =
    "/sys/devices/system/clocksource/clocksource0/current_clocksource";

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use crate::sys;

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
        // SAFETY: `now` is a timespec that lives and may be written for the length of the call.
        unsafe { sys::clock_gettime(clock, &raw mut now) };
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }

    pub(crate) fn monotonic_ns() -> u64 {
        read(sys::CLOCK_MONOTONIC)
    }

    pub(crate) fn reference_ns() -> u64 {
        read(sys::CLOCK_MONOTONIC_RAW)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    use std::sync::OnceLock;
    use std::time::Instant;

    /// The first reading in this process: the standard library has no origin of its own.
    static ORIGIN: OnceLock<Instant> = OnceLock::new();

    pub(crate) fn monotonic_ns() -> u64 {
        let origin = ORIGIN.get_or_init(Instant::now);
        u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    pub(crate) fn reference_ns() -> u64 {
        monotonic_ns()
    }
}

/// The clock that programs are timed with: never steps, follows the rate of network time.
///
/// `CLOCK_MONOTONIC` on Linux, the standard library's `Instant` elsewhere.
pub(crate) use system::monotonic_ns;

/// The clock that counters are held against: the hardware's own rate, where the system has it.
///
/// `CLOCK_MONOTONIC_RAW` on Linux, so that a correction of network time in the middle of a run is
/// not mistaken for a wrong frequency; the standard library's `Instant` elsewhere.
pub(crate) use system::reference_ns;

/// Whether the reference clock is made out of the counter of that name, reading by reading.
///
/// The kernel's own word for it; without it, no.
pub(crate) fn reference_counts(counter: &str) -> bool {
    let clock_source = match counter {
        "tsc" => "tsc",
        "cntvct" => "arch_sys_counter",
        _ => return false,
    };
    match std::fs::read(CURRENT_CLOCK_SOURCE) {
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
