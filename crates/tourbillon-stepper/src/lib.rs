//! Executes an op of a worker instruction by instruction, by ptrace(2): on Linux on x86-64 alone.
//!
//! A worker marks its batches and what is timed in them; [`step()`] executes what is between the marks one instruction
//! after the other, counts ([`tourbillon_record::Stepped`]), and notes how often each instruction was executed in each
//! stack ([`Trace`]). [`EventRounds`] lets it run instead, and reads events of the kernel at the marks. `cargo tourbillon`
//! calls both for what it compares and explains, and for bench programs: these link nothing of it, and start the
//! subcommand as a worker that answers with what it found ([`follow()`], [`answer()`]).
//!
//! A part of Tourbillon; use `--counters instructions`, `cargo tourbillon profile` and `cargo tourbillon why`.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
mod event_results;
#[cfg_attr(
    not(any(test, all(target_os = "linux", target_arch = "x86_64"))),
    expect(dead_code, reason = "events are counted on one system")
)]
mod events;
mod follow;
mod launch;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux;
mod process;
mod step_results;
mod trace;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use self::elsewhere::step;
pub use self::event_results::{EventChange, PAIRS, event_changes, event_results};
pub use self::follow::{EventRounds, follow, step_case};
pub use self::launch::{Limits, NotTraced, SteppedLaunch};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use self::linux::step;
pub use self::process::{answer, offer};
pub use self::step_results::stepped;
pub use self::trace::{Mapping, Stack, Step, Trace};
