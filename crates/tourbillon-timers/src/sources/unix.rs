//! The clocks and processor times of Unix systems: `clock_gettime`, `gettimeofday`, `getrusage`, `times`.

use tourbillon_clock::cpu_time::{
    process_user_kernel_ns, split_granularity_ns, thread_user_kernel_ns,
};
use tourbillon_clock::{Absence, Frequency, Ticks};

use super::reading::{Facts, forbidden, per_second, units};
use crate::{Behind, Counts, Listed, Path, Scope};

/// What a clock is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The hardware of the kernel's time, read at every call; and the caveat.
    Fine(Option<&'static str>),
    /// The time at the last tick of the kernel.
    Coarse,
    /// Processor time by the kernel's scheduler.
    Summed(Scope),
}

use Kind::Coarse;
const FINE: Kind = Kind::Fine(None);
const STEPPED: Kind = Kind::Fine(Some("it is stepped when the date is set"));
const PROCESS: Kind = Kind::Summed(Scope::Process);
const THREAD: Kind = Kind::Summed(Scope::Thread);

/// Names, numbers and kinds of the clocks.
#[cfg(target_os = "linux")]
const CLOCKS: &[(&str, libc::clockid_t, Kind)] = &[
    ("monotonic", libc::CLOCK_MONOTONIC, FINE),
    ("monotonic-raw", libc::CLOCK_MONOTONIC_RAW, FINE),
    ("monotonic-coarse", libc::CLOCK_MONOTONIC_COARSE, Coarse),
    ("boottime", libc::CLOCK_BOOTTIME, FINE),
    ("realtime", libc::CLOCK_REALTIME, STEPPED),
    ("realtime-coarse", libc::CLOCK_REALTIME_COARSE, Coarse),
    ("tai", libc::CLOCK_TAI, STEPPED),
    ("process-cputime", libc::CLOCK_PROCESS_CPUTIME_ID, PROCESS),
    ("thread-cputime", libc::CLOCK_THREAD_CPUTIME_ID, THREAD),
];
#[cfg(target_vendor = "apple")]
const SLEWED: &str = "it counts microseconds and follows the rate of network time";
#[cfg(target_vendor = "apple")]
const CLOCKS: &[(&str, libc::clockid_t, Kind)] = &[
    ("monotonic", libc::CLOCK_MONOTONIC, Kind::Fine(Some(SLEWED))),
    ("monotonic-raw", libc::CLOCK_MONOTONIC_RAW, FINE),
    ("uptime-raw", libc::CLOCK_UPTIME_RAW, FINE),
    ("uptime-raw-approx", libc::CLOCK_UPTIME_RAW_APPROX, Coarse),
    ("realtime", libc::CLOCK_REALTIME, STEPPED),
    ("process-cputime", libc::CLOCK_PROCESS_CPUTIME_ID, PROCESS),
    ("thread-cputime", libc::CLOCK_THREAD_CPUTIME_ID, THREAD),
];
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
const CLOCKS: &[(&str, libc::clockid_t, Kind)] = &[
    ("monotonic", libc::CLOCK_MONOTONIC, FINE),
    ("realtime", libc::CLOCK_REALTIME, STEPPED),
];

/// All of them.
pub(super) fn list() -> Vec<Listed> {
    let clock_source = clock_source();
    let forbidden = forbidden();
    let mut rows: Vec<Listed> = CLOCKS
        .iter()
        .map(|&(name, clock, kind)| {
            let absence = match (kind, &forbidden) {
                (Kind::Fine(_), Some(absence)) => Some(absence.clone()),
                _ => read(clock).err().map(|error| {
                    Absence::Refused(format!("the kernel does not have this clock ({error})"))
                }),
            };
            let facts = Facts {
                granularity_ns: granularity_ns(clock),
                ..facts(name, kind, clock_source.as_deref())
            };
            facts.row(absence, move || read(clock).unwrap_or_default())
        })
        .collect();
    let of_day = Facts {
        frequency: per_second::<1_000>,
        granularity_ns: Some(1_000.0),
        ..facts("gettimeofday", STEPPED, clock_source.as_deref())
    };
    rows.push(of_day.row(forbidden, time_of_day));

    let usage = |scope| Facts {
        scope,
        granularity_ns: split_granularity_ns().map(|ns| ns as f64),
        behind: summed(),
        caveat: Some(sampled()),
        ..Facts::wall("")
    };
    let names = ["rusage-process-user", "rusage-process-kernel"];
    rows.extend(usage(Scope::Process).user_and_kernel::<1_000>(names, process_user_kernel_ns));
    if cfg!(target_os = "linux") {
        let names = ["rusage-thread-user", "rusage-thread-kernel"];
        rows.extend(usage(Scope::Thread).user_and_kernel::<1_000>(names, thread_user_kernel_ns));
    }
    rows.extend(times());
    rows
}

/// A clock of nanoseconds.
fn facts(name: &'static str, kind: Kind, clock_source: Option<&str>) -> Facts {
    let (counts, scope, caveat) = match kind {
        Kind::Fine(caveat) => (Counts::Wall, Scope::Machine, caveat),
        Coarse => {
            let caveat = "too coarse: it advances once in a tick of the kernel";
            (Counts::Wall, Scope::Machine, Some(caveat))
        }
        Kind::Summed(scope) => (Counts::CpuTotal, scope, None),
    };
    Facts {
        counts,
        scope,
        behind: behind(kind, clock_source),
        caveat: caveat.map(str::to_owned),
        ..Facts::wall(name)
    }
}

/// What the kernel makes its time of; `None` if it does not report it.
fn clock_source() -> Option<String> {
    let folder = std::path::Path::new(crate::tsc::CLOCK_SOURCES);
    let text = std::fs::read_to_string(folder.join("current_clocksource")).ok()?;
    Some(text.trim().to_owned())
}

/// How a clock is read if the kernel makes its time of `clock_source`.
fn behind(kind: Kind, clock_source: Option<&str>) -> Behind {
    const LINUX: bool = cfg!(target_os = "linux");
    let read_path = match clock_source {
        None => Path::Library,
        Some(name) if is_read_in_user_mode(name) => Path::Vdso,
        Some(_) => Path::SystemCall,
    };
    match kind {
        Kind::Summed(_) => Behind::of(Path::SystemCall, "scheduler"),
        Coarse if LINUX => Behind::of(Path::Vdso, "timer tick"),
        Coarse => Behind::of(read_path, "timer tick"),
        Kind::Fine(_) => Behind {
            path: read_path,
            hardware: clock_source.map(str::to_owned),
            change: LINUX.then_some(
                "write a name from available_clocksource into current_clocksource, both in \
                 /sys/devices/system/clocksource/clocksource0",
            ),
        },
    }
}

/// The clock sources that Linux reads in the vDSO; for the others it makes a call (`vdso_clock_mode` of the
/// drivers).
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

/// The step of a clock by the system's own figure.
fn granularity_ns(clock: libc::clockid_t) -> Option<f64> {
    let mut step = ZERO;
    // SAFETY: `step` may be written for the length of the call.
    let result = unsafe { libc::clock_getres(clock, &raw mut step) };
    (result == 0).then_some(step.tv_sec as f64 * 1e9 + step.tv_nsec as f64)
}

const ZERO: libc::timespec = libc::timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// Reads a clock in nanoseconds. A time before the epoch reads as the epoch.
#[inline]
fn read(clock: libc::clockid_t) -> std::io::Result<Ticks> {
    let mut now = ZERO;
    // SAFETY: `now` may be written for the length of the call.
    if unsafe { libc::clock_gettime(clock, &raw mut now) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Ok(Ticks(
        seconds
            .saturating_mul(1_000_000_000)
            .saturating_add(now.tv_nsec as u64),
    ))
}

/// The time of day in microseconds.
fn time_of_day() -> Ticks {
    let mut now = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    // SAFETY: `now` may be written for the length of the call; the time zone may be null.
    unsafe { libc::gettimeofday(&raw mut now, std::ptr::null_mut()) };
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Ticks(
        seconds
            .saturating_mul(1_000_000)
            .saturating_add(now.tv_usec as u64),
    )
}

/// The caveat of the split: the length of the kernel's ticks, and what does not depend on them.
fn sampled() -> String {
    let every = split_granularity_ns()
        .map_or_else(String::new, |ns| format!(", every {} ms", ns as f64 / 1e6));
    format!(
        "the split is sampled at the kernel's ticks{every}; only the sum of user and kernel is exact, \
         as process-cputime and thread-cputime have it"
    )
}

fn summed() -> Behind {
    Behind {
        change: cfg!(target_os = "linux").then_some(
            "a kernel built with CONFIG_VIRT_CPU_ACCOUNTING_GEN and started with nohz_full splits \
             exactly",
        ),
        ..Behind::of(Path::SystemCall, "scheduler and timer tick")
    }
}

/// `times(2)`: the process, and the clock that is its result.
fn times() -> [Listed; 3] {
    let row = |name, counts, scope, read: fn((libc::clock_t, libc::tms)) -> libc::clock_t| {
        let facts = Facts {
            counts,
            scope,
            frequency: clock_ticks,
            granularity_ns: clock_ticks().map(|rate| 1e9 / rate.hz()),
            behind: summed(),
            caveat: Some("too coarse: it counts hundredths of a second on most systems".to_owned()),
            ..Facts::wall(name)
        };
        facts.read_by(move || {
            let count: libc::clock_t = read(read_times());
            Ticks(count as u64)
        })
    };
    [
        row("times-user", Counts::CpuUser, Scope::Process, |all| {
            all.1.tms_utime
        }),
        row("times-kernel", Counts::CpuKernel, Scope::Process, |all| {
            all.1.tms_stime
        }),
        row("times-elapsed", Counts::Wall, Scope::Machine, |all| all.0),
    ]
}

/// `_SC_CLK_TCK`: 100 on Linux, whatever the kernel's tick is.
fn clock_ticks() -> Option<Frequency> {
    // SAFETY: sysconf has no preconditions.
    let rate = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    units(u64::try_from(rate).ok()?)
}

fn read_times() -> (libc::clock_t, libc::tms) {
    // SAFETY: a tms is made of integers, for which zero is a value.
    let mut times: libc::tms = unsafe { std::mem::zeroed() };
    // SAFETY: `times` may be written for the length of the call.
    let elapsed = unsafe { libc::times(&raw mut times) };
    (elapsed, times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_path_follows_from_the_clock_source() {
        for (kind, clock_source, path) in [
            (FINE, Some("tsc"), Path::Vdso),
            (FINE, Some("kvm-clock"), Path::Vdso),
            (FINE, Some("hpet"), Path::SystemCall),
            (FINE, Some("acpi_pm"), Path::SystemCall),
            (FINE, None, Path::Library),
            (Coarse, Some("hpet"), Path::Vdso),
            (THREAD, Some("tsc"), Path::SystemCall),
        ] {
            assert_eq!(behind(kind, clock_source).path, path, "{clock_source:?}");
        }
        let fine = behind(FINE, Some("hpet"));
        assert_eq!(fine.to_string(), "system call (hpet)");
        assert!(fine.change.is_some());
    }

    #[test]
    fn an_unknown_clock_is_an_error() {
        assert!(read(9_999 as libc::clockid_t).is_err());
        assert_eq!(granularity_ns(9_999 as libc::clockid_t), None);
    }
}
