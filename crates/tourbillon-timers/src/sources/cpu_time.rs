//! Processor times of a thread and a process, user and kernel apart.

use super::reading::{Facts, microseconds, units};
use crate::{Behind, Counts, Listed, Path, Scope};
use tourbillon_clock::cpu_time::split_granularity_ns;
use tourbillon_clock::parts::sys;
use tourbillon_clock::parts::system;
use tourbillon_clock::{Frequency, Ticks};

#[cfg(any(target_os = "linux", target_os = "android"))]
const OF_THREAD: Option<libc::c_int> = Some(libc::RUSAGE_THREAD);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const OF_THREAD: Option<libc::c_int> = None;

/// What to know of the split: how long the kernel's ticks are, and that the sum does not depend on
/// them.
fn sampled() -> String {
    let every = split_granularity_ns()
        .map_or_else(String::new, |ns| format!(", every {} ms", ns as f64 / 1e6));
    format!(
        "the split is sampled at the kernel's ticks{every}; only the sum of user and kernel is exact, \
         as process-cputime and thread-cputime have it"
    )
}

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
        granularity_ns: split_granularity_ns().map(|ns| ns as f64),
        behind: summed(),
        caveat: Some(sampled()),
        ..Facts::wall(name)
    };
    [
        facts(names[0], Counts::CpuUser).read_by(move || micros(who, |usage| usage.ru_utime)),
        facts(names[1], Counts::CpuKernel).read_by(move || micros(who, |usage| usage.ru_stime)),
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

/// One of the times; `who` is one of the constants above, so that the call cannot fail.
#[inline]
fn micros(who: libc::c_int, which: impl Fn(sys::rusage) -> sys::timeval) -> Ticks {
    system::usage(who).map_or(Ticks(0), |usage| Ticks(system::microseconds(&which(usage))))
}

#[inline]
fn read_times() -> (libc::clock_t, libc::tms) {
    // SAFETY: a tms is made of integers, for which zero is a value.
    let mut times: libc::tms = unsafe { std::mem::zeroed() };
    // SAFETY: `times` may be written for the length of the call.
    let elapsed = unsafe { libc::times(&raw mut times) };
    (elapsed, times)
}
