//! What a bench binary does with its command line.
//!
//! [`main`] finds out whether the process is a worker; if not, the flags choose a mode, and each
//! mode has a file: help and version, `list`, `trial` (test mode), `bench`. A mode returns its exit
//! code or the reason why it stopped; nothing here panics at a user.

mod arguments;
mod bench;
mod chosen;
mod comparison;
mod console;
mod ended;
mod entry;
mod exit;
mod flags;
mod keeping;
#[cfg(feature = "mem")]
mod ledger;
mod list;
#[cfg(feature = "cpu-time")]
mod meter;
mod opening;
mod peer;
mod profile;
mod recorder;
mod run_clock;
mod spawner;
mod trial;
mod wishes;
mod worker;

pub(crate) use comparison::Comparing;
pub use entry::main;
