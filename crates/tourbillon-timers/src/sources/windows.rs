//! The clocks of Windows: those of the WinSTL library's classes, and newer ones.

use tourbillon_clock::cpu_time::{
    process_user_kernel_ns, split_granularity_ns, thread_user_kernel_ns,
};
use tourbillon_clock::{Absence, Frequency, Ticks};
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

use super::reading::{Facts, per_second, units};
use crate::{Behind, Counts, Listed, Path, Scope};

const COARSE: &str = "too coarse: it advances once in a tick of the system, 0.5 to 15.6 ms";
const STEPS: &str = "it is stepped when the date is set";
const CYCLES: &str =
    "cycles of the time stamp counter, which the system does not promise to be time";

/// The clocks, processor times and cycles.
pub(super) fn list() -> Vec<Listed> {
    let mut rows = vec![performance_counter()];
    rows.extend(wall());
    let times = |scope| Facts {
        scope,
        granularity_ns: tick_ns(),
        behind: Behind::of(Path::SystemCall, "timer tick"),
        caveat: Some("it is sampled at the system's ticks, 0.5 to 15.6 ms".to_owned()),
        ..Facts::wall("")
    };
    let names = ["thread-times-user", "thread-times-kernel"];
    rows.extend(times(Scope::Thread).user_and_kernel::<100>(names, thread_user_kernel_ns));
    let names = ["process-times-user", "process-times-kernel"];
    rows.extend(times(Scope::Process).user_and_kernel::<100>(names, process_user_kernel_ns));
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
    let absence = match performance_frequency() {
        Some(_) => None,
        None => Some(Absence::of_last_call("QueryPerformanceFrequency")),
    };
    facts.row(absence, || {
        let mut count = 0;
        // SAFETY: `count` may be written for the length of the call.
        unsafe { QueryPerformanceCounter(&raw mut count) };
        Ticks(count as u64)
    })
}

/// Fixed at boot.
fn performance_frequency() -> Option<Frequency> {
    let mut hz = 0;
    // SAFETY: `hz` may be written for the length of the call; it stays 0 if the call fails.
    unsafe { QueryPerformanceFrequency(&raw mut hz) };
    units(u64::try_from(hz).ok()?)
}

/// The clocks that the system itself advances.
fn wall() -> [Listed; 5] {
    let facts = |name, frequency, caveat: &str| Facts {
        frequency,
        granularity_ns: tick_ns(),
        behind: Behind {
            change: Some("timeBeginPeriod makes the system tick more often"),
            ..Behind::of(Path::Vdso, "timer tick")
        },
        caveat: Some(caveat.to_owned()),
        ..Facts::wall(name)
    };
    let mut precise = facts("system-time-precise", per_second::<100> as fn() -> _, STEPS);
    precise.granularity_ns = Some(100.0);
    precise.behind = Behind::of(Path::Library, "QueryPerformanceCounter");
    [
        facts("get-tick-count-64", per_second::<1_000_000>, COARSE).read_by(|| {
            // SAFETY: GetTickCount64 has no preconditions.
            Ticks(unsafe { GetTickCount64() })
        }),
        facts(
            "time-get-time",
            per_second::<1_000_000>,
            "it counts milliseconds and starts again at 0 after 49.7 days",
        )
        .read_by(|| {
            // SAFETY: timeGetTime has no preconditions.
            Ticks(u64::from(unsafe { timeGetTime() }))
        }),
        facts("system-time", per_second::<100>, COARSE).read_by(|| {
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
        facts("unbiased-interrupt-time", per_second::<100>, COARSE).read_by(|| {
            let mut now = 0;
            // SAFETY: `now` may be written for the length of the call.
            unsafe { QueryUnbiasedInterruptTime(&raw mut now) };
            Ticks(now)
        }),
    ]
}

/// The increment of the date at a tick.
fn tick_ns() -> Option<f64> {
    split_granularity_ns().map(|ns| ns as f64)
}

/// Cycles of a thread or process; absent if the call fails.
fn cycles(name: &'static str, scope: Scope, read: fn() -> Option<Ticks>) -> Listed {
    let facts = Facts {
        counts: Counts::Cycles,
        scope,
        frequency: || None,
        behind: Behind::of(Path::SystemCall, "tsc at changes of threads"),
        caveat: Some(CYCLES.to_owned()),
        ..Facts::wall(name)
    };
    let call = match scope {
        Scope::Thread => "QueryThreadCycleTime",
        _ => "QueryProcessCycleTime",
    };
    let absence = read().is_none().then(|| Absence::of_last_call(call));
    facts.row(absence, move || read().unwrap_or_default())
}

fn thread_cycles() -> Option<Ticks> {
    let mut cycles = 0;
    // SAFETY: the pseudo handle is that of the running thread; `cycles` may be written.
    let result = unsafe { QueryThreadCycleTime(GetCurrentThread(), &raw mut cycles) };
    (result != 0).then_some(Ticks(cycles))
}

fn process_cycles() -> Option<Ticks> {
    let mut cycles = 0;
    // SAFETY: the pseudo handle is that of the running process; `cycles` may be written.
    let result = unsafe { QueryProcessCycleTime(GetCurrentProcess(), &raw mut cycles) };
    (result != 0).then_some(Ticks(cycles))
}

const NEVER: FILETIME = FILETIME {
    dwLowDateTime: 0,
    dwHighDateTime: 0,
};

fn file_time(time: FILETIME) -> Ticks {
    Ticks(u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
}
