//! The system's clocks that `clock_gettime` and `gettimeofday` read.

use super::reading::{Facts, forbidden, microseconds};
use crate::{Behind, Counts, Listed, Path, Scope};
use tourbillon_clock::{Absence, Ticks};

/// A clock of the table: name, number, what and whose time it counts, and why it is unsafe.
type Row = (
    &'static str,
    libc::clockid_t,
    Counts,
    Scope,
    Kind,
    &'static str,
);

/// What a clock is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The hardware that the kernel's time is made of, read anew at every call.
    Fine,
    /// What the kernel noted at its last tick.
    Coarse,
    /// What the kernel's scheduler has summed up.
    Summed,
}

const COARSE: &str = "too coarse: it moves once in a tick of the kernel";
const STEPS: &str = "it is stepped by whoever sets the date";

#[cfg(any(target_os = "linux", target_os = "android"))]
const CLOCKS: &[Row] = {
    use Counts::{CpuTotal, Wall};
    use Scope::{Machine, Process, Thread};
    &[
        (
            "monotonic",
            libc::CLOCK_MONOTONIC,
            Wall,
            Machine,
            Kind::Fine,
            "",
        ),
        (
            "monotonic-raw",
            libc::CLOCK_MONOTONIC_RAW,
            Wall,
            Machine,
            Kind::Fine,
            "",
        ),
        (
            "monotonic-coarse",
            libc::CLOCK_MONOTONIC_COARSE,
            Wall,
            Machine,
            Kind::Coarse,
            COARSE,
        ),
        (
            "boottime",
            libc::CLOCK_BOOTTIME,
            Wall,
            Machine,
            Kind::Fine,
            "",
        ),
        (
            "realtime",
            libc::CLOCK_REALTIME,
            Wall,
            Machine,
            Kind::Fine,
            STEPS,
        ),
        (
            "realtime-coarse",
            libc::CLOCK_REALTIME_COARSE,
            Wall,
            Machine,
            Kind::Coarse,
            COARSE,
        ),
        ("tai", libc::CLOCK_TAI, Wall, Machine, Kind::Fine, STEPS),
        (
            "process-cputime",
            libc::CLOCK_PROCESS_CPUTIME_ID,
            CpuTotal,
            Process,
            Kind::Summed,
            "",
        ),
        (
            "thread-cputime",
            libc::CLOCK_THREAD_CPUTIME_ID,
            CpuTotal,
            Thread,
            Kind::Summed,
            "",
        ),
    ]
};

#[cfg(target_vendor = "apple")]
const CLOCKS: &[Row] = {
    use Counts::{CpuTotal, Wall};
    use Scope::{Machine, Process, Thread};
    const SLEWED: &str = "it counts microseconds and follows the rate of network time";
    &[
        (
            "monotonic",
            libc::CLOCK_MONOTONIC,
            Wall,
            Machine,
            Kind::Fine,
            SLEWED,
        ),
        (
            "monotonic-raw",
            libc::CLOCK_MONOTONIC_RAW,
            Wall,
            Machine,
            Kind::Fine,
            "",
        ),
        (
            "uptime-raw",
            libc::CLOCK_UPTIME_RAW,
            Wall,
            Machine,
            Kind::Fine,
            "",
        ),
        (
            "uptime-raw-approx",
            libc::CLOCK_UPTIME_RAW_APPROX,
            Wall,
            Machine,
            Kind::Coarse,
            COARSE,
        ),
        (
            "realtime",
            libc::CLOCK_REALTIME,
            Wall,
            Machine,
            Kind::Fine,
            STEPS,
        ),
        (
            "process-cputime",
            libc::CLOCK_PROCESS_CPUTIME_ID,
            CpuTotal,
            Process,
            Kind::Summed,
            "",
        ),
        (
            "thread-cputime",
            libc::CLOCK_THREAD_CPUTIME_ID,
            CpuTotal,
            Thread,
            Kind::Summed,
            "",
        ),
    ]
};

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
const CLOCKS: &[Row] = {
    use Counts::Wall;
    use Scope::Machine;
    &[
        (
            "monotonic",
            libc::CLOCK_MONOTONIC,
            Wall,
            Machine,
            Kind::Fine,
            "",
        ),
        (
            "realtime",
            libc::CLOCK_REALTIME,
            Wall,
            Machine,
            Kind::Fine,
            STEPS,
        ),
    ]
};

/// The clocks, and `gettimeofday`.
pub(super) fn list() -> Vec<Listed> {
    let clock_source = clock_source();
    let forbidden = forbidden();
    let row = |&(name, clock, counts, scope, kind, caveat): &Row| {
        let facts = Facts {
            counts,
            scope,
            granularity_ns: granularity_ns(clock),
            behind: behind(kind, clock_source.as_deref()),
            caveat: (!caveat.is_empty()).then(|| caveat.to_owned()),
            ..Facts::wall(name)
        };
        if kind == Kind::Fine
            && let Some(absence) = &forbidden
        {
            return facts.absent(absence.clone());
        }
        match read(clock) {
            Ok(_) => facts.read_by(move || read(clock).unwrap_or_default()),
            Err(error) => facts.absent(Absence::Refused(format!(
                "the kernel does not have this clock ({error})"
            ))),
        }
    };
    let mut rows: Vec<Listed> = CLOCKS.iter().map(row).collect();
    let of_day = Facts {
        frequency: microseconds,
        granularity_ns: Some(1_000.0),
        behind: behind(Kind::Fine, clock_source.as_deref()),
        caveat: Some(STEPS.to_owned()),
        ..Facts::wall("gettimeofday")
    };
    rows.push(match forbidden {
        Some(absence) => of_day.absent(absence),
        None => of_day.read_by(time_of_day),
    });
    rows
}

/// What the kernel makes its time out of; `None` where it does not say.
fn clock_source() -> Option<String> {
    if cfg!(any(target_os = "linux", target_os = "android")) {
        let text = std::fs::read_to_string(tourbillon_clock::parts::CURRENT_CLOCK_SOURCE).ok()?;
        Some(text.trim().to_owned())
    } else {
        None
    }
}

/// What stands behind a clock when the kernel makes its time out of `clock_source`.
fn behind(kind: Kind, clock_source: Option<&str>) -> Behind {
    let path = match (kind, clock_source) {
        (Kind::Summed, _) => Path::SystemCall,
        (Kind::Coarse, _) if cfg!(target_os = "linux") => Path::Vdso,
        (_, None) => Path::Library,
        (_, Some(name)) if is_read_in_user_mode(name) => Path::Vdso,
        _ => Path::SystemCall,
    };
    let hardware = match kind {
        Kind::Fine => clock_source.map(str::to_owned),
        Kind::Coarse => Some("timer tick".to_owned()),
        Kind::Summed => Some("scheduler".to_owned()),
    };
    let linux = cfg!(any(target_os = "linux", target_os = "android"));
    Behind {
        path,
        hardware,
        change: (kind == Kind::Fine && linux).then_some(
            "write a name from available_clocksource into current_clocksource, both in \
             /sys/devices/system/clocksource/clocksource0",
        ),
    }
}

/// The clock sources whose reading Linux puts into the vDSO; for the others it makes a call
/// (`vdso_clock_mode` of the drivers).
fn is_read_in_user_mode(clock_source: &str) -> bool {
    matches!(
        clock_source,
        "tsc"
            | "kvm-clock"
            | "hyperv_clocksource_tsc_page"
            | "arch_sys_counter"
            | "riscv_clocksource"
    )
}

/// What the system says a clock advances by.
fn granularity_ns(clock: libc::clockid_t) -> Option<f64> {
    let mut step = ZERO;
    // SAFETY: `step` is a timespec that may be written for the length of the call.
    let answer = unsafe { libc::clock_getres(clock, &raw mut step) };
    (answer == 0).then_some(step.tv_sec as f64 * 1e9 + step.tv_nsec as f64)
}

const ZERO: libc::timespec = libc::timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// Reads a clock in nanoseconds. A time before the epoch reads as the epoch.
#[inline]
fn read(clock: libc::clockid_t) -> std::io::Result<Ticks> {
    let mut now = ZERO;
    // SAFETY: `now` is a timespec that may be written for the length of the call.
    if unsafe { libc::clock_gettime(clock, &raw mut now) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Ok(Ticks(
        seconds.saturating_mul(1_000_000_000) + now.tv_nsec as u64,
    ))
}

/// The time of day in microseconds.
#[inline]
fn time_of_day() -> Ticks {
    let mut now = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    // SAFETY: `now` is a timeval that may be written for the length of the call; no time zone is
    // asked for.
    unsafe { libc::gettimeofday(&raw mut now, std::ptr::null_mut()) };
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Ticks(seconds.saturating_mul(1_000_000) + now.tv_usec as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_path_follows_from_the_clock_source() {
        for (kind, clock_source, path) in [
            (Kind::Fine, Some("tsc"), Path::Vdso),
            (Kind::Fine, Some("kvm-clock"), Path::Vdso),
            (Kind::Fine, Some("hpet"), Path::SystemCall),
            (Kind::Fine, Some("acpi_pm"), Path::SystemCall),
            (Kind::Fine, None, Path::Library),
            (Kind::Coarse, Some("hpet"), Path::Vdso),
            (Kind::Summed, Some("tsc"), Path::SystemCall),
        ] {
            assert_eq!(behind(kind, clock_source).path, path, "{clock_source:?}");
        }
        let fine = behind(Kind::Fine, Some("hpet"));
        assert_eq!(fine.to_string(), "system call (hpet)");
        assert!(fine.change.is_some());
    }

    #[test]
    fn a_clock_that_is_none_is_an_error() {
        assert!(read(9_999 as libc::clockid_t).is_err());
        assert_eq!(granularity_ns(9_999 as libc::clockid_t), None);
    }
}
