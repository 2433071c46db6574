#![doc = include_str!("../README.md")]

mod anchor;
mod chain;
mod choose;
mod clock;
mod counter;
pub mod cpu_time;
#[cfg(target_arch = "x86_64")]
pub mod cpuid;
mod cycles;
mod error;
mod frequency;
mod frequency_sources;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod linux_frequency;
mod os;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub mod perf_event;
#[cfg(feature = "script")]
mod script;
#[cfg(unix)]
mod sys;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod tour;
pub mod wall;

pub use anchor::{Anchor, CrossCheck};
pub use chain::ReferenceChain;
pub use choose::{Choice, Refusal};
pub use clock::{Clock, Regions, Resolution};
pub use cycles::CountingClock;
pub use error::{Absence, Error};
pub use frequency::{Frequency, FrequencyFrom, Ticks};
pub use os::{Stopwatch, counter_permission};
#[cfg(feature = "script")]
pub use script::Script;
