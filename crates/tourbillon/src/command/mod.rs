//! What a bench binary does with its command line.
//!
//! [`main`] finds out whether the process is a worker; if not, the arguments choose a mode. A mode returns its exit code
//! or the reason why it stopped; mistakes of users are messages, not panics.

#[cfg(feature = "mem")]
mod ledger;
mod main;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod marks;
mod meter;
pub(crate) mod test_mode;
mod worker;

pub use main::{main, text};
pub use worker::{COUNTS, WorkerLaunch};
