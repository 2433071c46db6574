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
//! * How fast the core itself is running: [`ReferenceChain`].
//! * A clock whose every reading is known in advance, for tests: [`Script`].
//! * Dates and deadlines: [`wall`], [`Stopwatch`].
//!
//! Every bench binary is built with this crate. What none of them calls, such as the writing of a
//! script, is `#[inline]`: the compiler then builds it where it is called, and not here.

mod anchor;
mod chain;
mod choose;
mod clock;
mod counter;
mod cross_check;
mod error;
mod frequency;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod kernel_text;
mod ladder;
mod os;
mod provenance;
mod resolution;
mod schedule;
mod script;
mod stopwatch;
#[cfg(unix)]
mod sys;
mod ticks;
pub mod wall;

pub use anchor::Anchor;
pub use chain::ReferenceChain;
pub use choose::{Choice, Refusal};
pub use clock::Clock;
pub use cross_check::CrossCheck;
pub use error::Error;
pub use frequency::Frequency;
pub use provenance::FrequencyFrom;
pub use resolution::Resolution;
pub use script::Script;
pub use stopwatch::Stopwatch;
pub use ticks::Ticks;
