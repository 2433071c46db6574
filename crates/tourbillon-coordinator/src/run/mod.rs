//! The run of a bench program: lists, launches, comparisons, the store, and what is printed of them.

mod beginning;
mod bench;
mod comparison;
mod history;
mod results;
mod run_clock;
mod settings;
mod since_last;
mod spawner;
mod stepper;
mod store;

pub use beginning::Beginning;
pub use bench::{Selected, bench};
pub use run_clock::SystemRunClock;
pub(crate) use settings::header_of_settings;
pub use settings::{Home, header};
pub use since_last::{NotCompared, before, not_compared, ratio};
pub use stepper::STEPPER_VARIABLE;
