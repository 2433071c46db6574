//! Bench mode: the coordinator, which `cargo bench` starts, and its workers.

mod bench;
mod comparison;
mod history;
#[cfg(feature = "mem")]
mod ledger;
mod meter;
mod run_clock;
mod settings;
mod spawner;
mod store;
mod worker;

pub use bench::{Selected, bench};
pub(crate) use run_clock::SystemRunClock;
pub use settings::Home;
pub(crate) use settings::{header, header_of_settings};
pub use store::ratio;
pub use worker::WorkerLaunch;
pub(crate) use worker::work;
