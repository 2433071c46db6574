//! The clocks of Windows: what stands behind each class of the WinSTL library, and the newer ones.

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::Media::timeGetTime;
use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};
use windows_sys::Win32::System::SystemInformation::{
    GetSystemTimeAsFileTime, GetSystemTimePreciseAsFileTime, GetTickCount64,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetCurrentThread};
use windows_sys::Win32::System::WindowsProgramming::{
    QueryProcessCycleTime, QueryThreadCycleTime, QueryUnbiasedInterruptTime,
};

use super::reading::{Facts, units};
use crate::{Behind, Counts, Listed, Path, Scope};
use tourbillon_clock::cpu_time::split_granularity_ns;
use tourbillon_clock::parts::system::{process_times, thread_times};
use tourbillon_clock::{Absence, Frequency, Ticks};

const COARSE: &str = "too coarse: it moves once in a tick of the system, 0.5 to 15.6 ms";
const STEPS: &str = "it is stepped by whoever sets the date";
const SAMPLED: &str = "it is sampled at the system's ticks, 0.5 to 15.6 ms";
const FREE: &str = "cycles of the time stamp counter, which the system does not promise to be time";

/// Units of 100 ns, as in `FILETIME`.
fn hundreds_of_nanoseconds() -> Option<Frequency> {
    units(10_000_000)
}

fn milliseconds() -> Option<Frequency> {
    units(1_000)
}

/// The clocks, processor times and cycles.
pub(super) fn list() -> Vec<Listed> {
    let mut rows = vec![performance_counter()];
    rows.extend(wall());
    rows.extend(times(
        ["thread-times-user", "thread-times-kernel"],
        Scope::Thread,
        thread_times,
    ));
    rows.extend(times(
        ["process-times-user", "process-times-kernel"],
        Scope::Process,
        process_times,
    ));
    rows.push(cycles("thread-cycles", Scope::Thread, thread_cycles));
    rows.push(cycles("process-cycles", Scope::Process, process_cycles));
    rows
}

fn performance_counter() -> Listed {
    let facts = Facts {
        frequency: performance_frequency,
        behind: Behind {
            path: Path::Library,
            hardware: None,
            change: Some("bcdedit /set useplatformclock chooses the machine's timer"),
        },
        ..Facts::wall("query-performance-counter")
    };
    match performance_frequency() {
        Some(_) => facts.read_by(|| {
            let mut count = 0;
            // SAFETY: `count` may be written for the length of the call.
            unsafe { QueryPerformanceCounter(&raw mut count) };
            Ticks(count as u64)
        }),
        None => facts.absent(Absence::of_last_call("QueryPerformanceFrequency")),
    }
}

/// Fixed at boot, so that asking again gives the same.
fn performance_frequency() -> Option<Frequency> {
    let mut hz = 0;
    // SAFETY: `hz` may be written for the length of the call.
    let answer = unsafe { QueryPerformanceFrequency(&raw mut hz) };
    if answer == 0 {
        return None;
    }
    units(u64::try_from(hz).ok()?)
}

/// The clocks that the system itself moves on.
fn wall() -> [Listed; 5] {
    let facts = |name, frequency, caveat: &str| Facts {
        frequency,
        granularity_ns: tick_ns(),
        behind: Behind {
            path: Path::Vdso,
            hardware: Some("timer tick".to_owned()),
            change: Some("timeBeginPeriod makes the system tick more often"),
        },
        caveat: Some(caveat.to_owned()),
        ..Facts::wall(name)
    };
    let mut precise = facts(
        "system-time-precise",
        hundreds_of_nanoseconds as fn() -> _,
        STEPS,
    );
    precise.granularity_ns = Some(100.0);
    precise.behind = Behind {
        path: Path::Library,
        hardware: Some("QueryPerformanceCounter".to_owned()),
        change: None,
    };
    [
        facts("get-tick-count-64", milliseconds, COARSE).read_by(|| {
            // SAFETY: GetTickCount64 has no preconditions.
            Ticks(unsafe { GetTickCount64() })
        }),
        facts(
            "time-get-time",
            milliseconds,
            "it counts milliseconds and begins again at 0 after 49.7 days",
        )
        .read_by(|| {
            // SAFETY: timeGetTime has no preconditions.
            Ticks(u64::from(unsafe { timeGetTime() }))
        }),
        facts("system-time", hundreds_of_nanoseconds, COARSE).read_by(|| {
            let mut now = NEVER;
            // SAFETY: `now` may be written for the length of the call.
            unsafe { GetSystemTimeAsFileTime(&raw mut now) };
            file_time(now)
        }),
        precise.read_by(|| {
            let mut now = NEVER;
            // SAFETY: `now` may be written for the length of the call.
            unsafe { GetSystemTimePreciseAsFileTime(&raw mut now) };
            file_time(now)
        }),
        facts("unbiased-interrupt-time", hundreds_of_nanoseconds, COARSE).read_by(|| {
            let mut now = 0;
            // SAFETY: `now` may be written for the length of the call.
            unsafe { QueryUnbiasedInterruptTime(&raw mut now) };
            Ticks(now)
        }),
    ]
}

/// What the date is moved on by at a tick.
fn tick_ns() -> Option<f64> {
    split_granularity_ns().map(|ns| ns as f64)
}

/// User and kernel time at one moment.
type Times = fn() -> Result<[u64; 2], Absence>;

/// User and kernel time; a row each.
fn times(names: [&'static str; 2], scope: Scope, read: Times) -> [Listed; 2] {
    let facts = |name, counts| Facts {
        counts,
        scope,
        frequency: hundreds_of_nanoseconds,
        granularity_ns: tick_ns(),
        behind: Behind {
            path: Path::SystemCall,
            hardware: Some("timer tick".to_owned()),
            change: None,
        },
        caveat: Some(SAMPLED.to_owned()),
        ..Facts::wall(name)
    };
    let user = facts(names[0], Counts::CpuUser);
    let kernel = facts(names[1], Counts::CpuKernel);
    match read() {
        Ok(_) => [
            user.read_by(move || read().map_or(Ticks(0), |times| Ticks(times[0]))),
            kernel.read_by(move || read().map_or(Ticks(0), |times| Ticks(times[1]))),
        ],
        Err(absence) => [user.absent(absence.clone()), kernel.absent(absence)],
    }
}

/// Cycles of a thread or process; absent where the system has not made the function work.
fn cycles(name: &'static str, scope: Scope, read: fn() -> Option<Ticks>) -> Listed {
    let facts = Facts {
        counts: Counts::Cycles,
        scope,
        frequency: || None,
        behind: Behind {
            path: Path::SystemCall,
            hardware: Some("tsc at changes of threads".to_owned()),
            change: None,
        },
        caveat: Some(FREE.to_owned()),
        ..Facts::wall(name)
    };
    match read() {
        Some(_) => facts.read_by(move || read().unwrap_or_default()),
        None => facts.absent(Absence::of_last_call(match scope {
            Scope::Thread => "QueryThreadCycleTime",
            _ => "QueryProcessCycleTime",
        })),
    }
}

fn thread_cycles() -> Option<Ticks> {
    let mut cycles = 0;
    // SAFETY: the pseudo handle is that of the running thread; `cycles` may be written.
    let answer = unsafe { QueryThreadCycleTime(GetCurrentThread(), &raw mut cycles) };
    (answer != 0).then_some(Ticks(cycles))
}

fn process_cycles() -> Option<Ticks> {
    let mut cycles = 0;
    // SAFETY: the pseudo handle is that of the running process; `cycles` may be written.
    let answer = unsafe { QueryProcessCycleTime(GetCurrentProcess(), &raw mut cycles) };
    (answer != 0).then_some(Ticks(cycles))
}

const NEVER: FILETIME = FILETIME {
    dwLowDateTime: 0,
    dwHighDateTime: 0,
};

fn file_time(time: FILETIME) -> Ticks {
    Ticks(u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
}
