//! The clocks that only Apple's systems have.

#![expect(
    deprecated,
    reason = "the bindings of the Mach calls point to another crate, which has nothing else for us"
)]

use super::reading::{Facts, microseconds};
use crate::{Behind, Counts, Listed, Path, Scope};
use tourbillon_clock::cpu_time::mach::{self, thread_times};
use tourbillon_clock::{Frequency, FrequencyFrom, Ticks};

unsafe extern "C" {
    /// The time of a clock in nanoseconds (`time.h`), which the bindings lack.
    fn clock_gettime_nsec_np(clock: libc::clockid_t) -> u64;
}

/// `mach_absolute_time`, its conversion by the system, and `thread_info`.
pub(super) fn list() -> Vec<Listed> {
    let absolute = Facts {
        frequency: timebase,
        behind: library("the processor's timer"),
        ..Facts::wall("mach-absolute-time")
    };
    let converted = Facts {
        behind: library("mach_absolute_time"),
        ..Facts::wall("clock-gettime-nsec-np")
    };
    let of_thread = |name, counts| Facts {
        counts,
        scope: Scope::Thread,
        frequency: microseconds,
        granularity_ns: Some(1_000.0),
        behind: Behind {
            path: Path::SystemCall,
            hardware: Some("scheduler".to_owned()),
            change: None,
        },
        ..Facts::wall(name)
    };
    let user = of_thread("thread-info-user", Counts::CpuUser);
    let kernel = of_thread("thread-info-kernel", Counts::CpuKernel);
    let mut rows = vec![
        // SAFETY: mach_absolute_time has no preconditions.
        absolute.read_by(|| Ticks(unsafe { libc::mach_absolute_time() })),
        converted.read_by(|| {
            // SAFETY: the number is that of a clock.
            Ticks(unsafe { clock_gettime_nsec_np(libc::CLOCK_UPTIME_RAW) })
        }),
    ];
    match thread_times() {
        // The first call of this thread was answered, and it cannot be taken back.
        Ok(_) => {
            rows.push(user.read_by(|| {
                thread_times().map_or(Ticks(0), |times| Ticks(mach::microseconds(times.user_time)))
            }));
            rows.push(kernel.read_by(|| {
                thread_times().map_or(Ticks(0), |times| {
                    Ticks(mach::microseconds(times.system_time))
                })
            }));
        }
        Err(absence) => {
            rows.push(user.absent(absence.clone()));
            rows.push(kernel.absent(absence));
        }
    }
    rows
}

fn library(hardware: &str) -> Behind {
    Behind {
        path: Path::Library,
        hardware: Some(hardware.to_owned()),
        change: None,
    }
}

/// Ticks of `mach_absolute_time` in a second: 24 MHz on Apple's processors, 1 GHz on Intel's.
fn timebase() -> Option<Frequency> {
    let mut base = libc::mach_timebase_info { numer: 0, denom: 0 };
    // SAFETY: `base` may be written for the length of the call.
    if unsafe { libc::mach_timebase_info(&raw mut base) } != libc::KERN_SUCCESS {
        return None;
    }
    // A tick is `numer / denom` nanoseconds: its reciprocal, not divided before the end.
    Frequency::new(
        u64::from(base.denom) * 1_000_000_000,
        u64::from(base.numer),
        FrequencyFrom::Definition,
        Some(0.0),
    )
    .ok()
}
