//! What a bench binary does with its command line.
//!
//! [`main`] finds out whether the process is a worker; if not, the arguments choose a mode, and each
//! mode has a file. A mode returns its exit code or the reason why it stopped; mistakes of users are
//! messages, not panics.

pub(crate) mod args;
mod main;
pub(crate) mod output;
pub(crate) mod run;
mod show_config;
pub(crate) mod test_mode;

pub use main::{main, text};
pub(crate) use output::fail_without_main;
pub use show_config::settings_text;
