//! Modes that run benchmarks in this process without measuring, or only list them.

mod profile;
mod test;

pub(crate) use profile::profile;
pub use profile::run_for;
pub use test::once;
pub(crate) use test::{list, test};
