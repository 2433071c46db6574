//! The clocks of Apple's systems only.

#![expect(
    deprecated,
    reason = "libc deprecates its Mach calls in favour of another crate, which is not needed otherwise"
)]

use tourbillon_clock::cpu_time::thread_user_kernel_ns;
use tourbillon_clock::{Frequency, FrequencyFrom, Ticks};

use super::reading::Facts;
use crate::{Behind, Listed, Path, Scope};

unsafe extern "C" {
    /// The time of a clock in nanoseconds (`time.h`); the `libc` crate lacks it.
    fn clock_gettime_nsec_np(clock: libc::clockid_t) -> u64;
}

/// `mach_absolute_time`, its conversion by the system, and `thread_info`.
pub(super) fn list() -> Vec<Listed> {
    let absolute = Facts {
        frequency: timebase,
        behind: Behind::of(Path::Library, "the processor's timer"),
        ..Facts::wall("mach-absolute-time")
    };
    let converted = Facts {
        behind: Behind::of(Path::Library, "mach_absolute_time"),
        ..Facts::wall("clock-gettime-nsec-np")
    };
    let of_thread = Facts {
        scope: Scope::Thread,
        granularity_ns: Some(1_000.0),
        behind: Behind::of(Path::SystemCall, "scheduler"),
        ..Facts::wall("")
    };
    let mut rows = vec![
        // SAFETY: mach_absolute_time has no preconditions.
        absolute.read_by(|| Ticks(unsafe { libc::mach_absolute_time() })),
        converted.read_by(|| {
            // SAFETY: the number is that of a clock.
            Ticks(unsafe { clock_gettime_nsec_np(libc::CLOCK_UPTIME_RAW) })
        }),
    ];
    let names = ["thread-info-user", "thread-info-kernel"];
    rows.extend(of_thread.user_and_kernel::<1_000>(names, thread_user_kernel_ns));
    rows
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
