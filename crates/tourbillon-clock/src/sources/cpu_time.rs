//! Processor times of a thread and a process, user and kernel apart.

use super::reading::{Facts, microseconds, units};
use crate::{Behind, Counts, Frequency, Listed, Path, Scope, Ticks};

#[cfg(any(target_os = "linux", target_os = "android"))]
const OF_THREAD: Option<libc::c_int> = Some(libc::RUSAGE_THREAD);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const OF_THREAD: Option<libc::c_int> = None;

const SAMPLED: &str =
    "the split is sampled at the kernel's ticks; only the sum of user and kernel is exact";

/// `getrusage` of process and thread, and `times`.
pub(super) fn list() -> Vec<Listed> {
    let mut rows: Vec<Listed> = usage(
        ["rusage-process-user", "rusage-process-kernel"],
        Scope::Process,
        libc::RUSAGE_SELF,
    )
    .into();
    if let Some(who) = OF_THREAD {
        rows.extend(usage(
            ["rusage-thread-user", "rusage-thread-kernel"],
            Scope::Thread,
            who,
        ));
    }
    rows.extend(times());
    rows
}

/// User and kernel time of one of them; a row each.
fn usage(names: [&'static str; 2], scope: Scope, who: libc::c_int) -> [Listed; 2] {
    let facts = |name, counts| Facts {
        counts,
        scope,
        frequency: microseconds,
        granularity_ns: split_granularity_ns(),
        behind: summed(),
        caveat: Some(SAMPLED.to_owned()),
        ..Facts::wall(name)
    };
    [
        facts(names[0], Counts::CpuUser).read_by(move || micros(read_usage(who).ru_utime)),
        facts(names[1], Counts::CpuKernel).read_by(move || micros(read_usage(who).ru_stime)),
    ]
}

/// `times(2)`: the process, and the clock that is its result.
fn times() -> [Listed; 3] {
    let facts = |name, counts, scope| Facts {
        counts,
        scope,
        frequency: clock_ticks,
        granularity_ns: clock_ticks().map(|rate| 1e9 / rate.hz()),
        behind: summed(),
        caveat: Some("too coarse: it counts hundredths of a second on most systems".to_owned()),
        ..Facts::wall(name)
    };
    [
        facts("times-user", Counts::CpuUser, Scope::Process)
            .read_by(|| ticks(read_times().1.tms_utime)),
        facts("times-kernel", Counts::CpuKernel, Scope::Process)
            .read_by(|| ticks(read_times().1.tms_stime)),
        facts("times-elapsed", Counts::Wall, Scope::Machine).read_by(|| ticks(read_times().0)),
    ]
}

fn summed() -> Behind {
    Behind {
        path: Path::SystemCall,
        hardware: Some("scheduler and timer tick".to_owned()),
        change: cfg!(target_os = "linux").then_some(
            "a kernel built with CONFIG_VIRT_CPU_ACCOUNTING_GEN and started with nohz_full splits \
             exactly",
        ),
    }
}

/// The kernel's tick, which its coarse clock gives away; `None` where there is no such clock.
fn split_granularity_ns() -> Option<f64> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let mut step = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `step` is a timespec that may be written for the length of the call.
        let answer = unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &raw mut step) };
        (answer == 0).then_some(step.tv_sec as f64 * 1e9 + step.tv_nsec as f64)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    None
}

/// `_SC_CLK_TCK`: 100 on Linux, whatever its own tick is.
fn clock_ticks() -> Option<Frequency> {
    // SAFETY: sysconf has no preconditions.
    let rate = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    units(u64::try_from(rate).ok()?)
}

/// A number of clock ticks, which is never negative.
fn ticks(count: libc::clock_t) -> Ticks {
    Ticks(count as u64)
}

fn micros(time: libc::timeval) -> Ticks {
    Ticks((time.tv_sec as u64).saturating_mul(1_000_000) + time.tv_usec as u64)
}

#[inline]
fn read_usage(who: libc::c_int) -> libc::rusage {
    // SAFETY: a rusage is made of integers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` may be written for the length of the call; `who` is one of the constants
    // above, so that the call cannot fail.
    unsafe { libc::getrusage(who, &raw mut usage) };
    usage
}

#[inline]
fn read_times() -> (libc::clock_t, libc::tms) {
    // SAFETY: a tms is made of integers, for which zero is a value.
    let mut times: libc::tms = unsafe { std::mem::zeroed() };
    // SAFETY: `times` may be written for the length of the call.
    let elapsed = unsafe { libc::times(&raw mut times) };
    (elapsed, times)
}
