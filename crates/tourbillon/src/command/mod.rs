//! What a bench binary does with its command line.
//!
//! [`main`] finds out whether the process is a worker; if not, the flags choose a mode, and each
//! mode has a file: help and version, `list`, `test_mode` (test mode), `bench`. A mode returns its exit
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
mod header;
#[cfg(feature = "mem")]
mod ledger;
mod list;
mod meter;
mod options;
mod peer;
mod profile;
mod recorder;
mod run_clock;
mod spawner;
mod store;
mod test_mode;
mod worker;

pub(crate) use comparison::Comparing;
pub use entry::main;
