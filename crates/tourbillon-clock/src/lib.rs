//! Time sources, their calibration and conversion.
//!
//! This crate is the only one of the workspace that reads time. A [`Clock`] yields raw [`Ticks`]:
//! they are stored as they come and become nanoseconds as late as possible, by exact arithmetic in
//! [`Frequency`]. Nothing here waits: the counter's rate is looked up where the machine states it,
//! and held against the operating system's clock over the whole run by two [`Anchor`]s.
//!
//! * What is read, and how it is fenced: [`Clock`], and one file per processor in `counter/`.
//! * Which source a run uses, and why: [`Clock::choose`].
//! * How many ticks make a second: [`Frequency`], [`FrequencyFrom`], [`CrossCheck`].
//! * How fast the core itself is running: [`ReferenceChain`]; what of its cycles is counted:
//!   [`CountingClock`].
//! * A clock whose every reading is known in advance, for tests: [`Script`].
//! * Who is told where timed regions begin and end: [`Regions`].
//! * Dates and deadlines: [`wall`], [`Stopwatch`].
//!
//! With the feature `contamination`: whether a window was disturbed, `Canary`, `Switches`. With the
//! feature `cpu-time`: processor times of the thread and the process, `cpu_time`.
//!
//! With the feature `full`, which is on by default and which benchmarks leave out:
//!
//! * Every time source of the machine: `Source`, `sources()`, and what it is like: `characterise`.
//! * Timing with any of them: `counters`.
//! * Code whose cost in cycles is known: `landmarks`.
//! * What is known about the counter: `TscReport`; whether the processors' agree: `cores`.
//! * What stands for the classes of WinSTL on each system: `winstl`.
//!
//! Every bench binary is built with this crate. What none of them calls, such as the writing of a
//! script, is `#[inline]`: the compiler then builds it where it is called, and not here.

mod absence;
mod anchor;
mod chain;
mod choose;
mod clock;
mod counter;
pub mod cpu_time;
mod cross_check;
mod cycles;
mod error;
mod frequency;
mod frequency_sources;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod kernel_text;
mod os;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod perf_event;
mod provenance;
mod regions;
mod resolution;
#[cfg(feature = "script")]
mod schedule;
#[cfg(feature = "script")]
mod script;
mod stopwatch;
#[cfg(unix)]
mod sys;
mod system_error;
mod ticks;
pub mod wall;

pub use absence::Absence;
pub use anchor::Anchor;
pub use chain::ReferenceChain;
pub use choose::{Choice, Refusal};
pub use clock::Clock;
pub use cross_check::CrossCheck;
pub use cycles::CountingClock;
pub use error::Error;
pub use frequency::Frequency;
pub use provenance::FrequencyFrom;
pub use regions::Regions;
pub use resolution::Resolution;
#[cfg(feature = "script")]
pub use script::Script;
pub use stopwatch::Stopwatch;
pub use ticks::Ticks;

/// What `tourbillon-timers` is made from; no part of the interface.
#[cfg(feature = "parts")]
#[doc(hidden)]
pub mod parts {
    pub use crate::choose::affinity::{Affinity, pin};
    pub use crate::system_error::SystemError;
    pub mod permission {
        pub use crate::choose::permission::*;
    }
    pub use crate::counter::{Counter, forms};
    pub mod system {
        pub use crate::cpu_time::system::*;
    }
    #[cfg(unix)]
    pub mod sys {
        pub use crate::sys::*;
    }
    pub use crate::frequency::greatest_common_divisor;
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    pub mod cpuid {
        pub use crate::frequency_sources::cpuid::*;
    }
    pub use crate::frequency_sources::Rung;
    #[cfg(target_arch = "x86_64")]
    pub use crate::frequency_sources::all as rungs;
    pub use crate::os::{CURRENT_CLOCK_SOURCE, vdso_is_forbidden};
    #[cfg(all(
        target_arch = "x86_64",
        any(target_os = "linux", target_os = "android")
    ))]
    pub mod perf_event {
        pub use crate::perf_event::*;
    }
}
