//! Modes that run benchmarks in this process without measuring, or only list them.

mod profile;
mod test;

pub(crate) use profile::profile;
pub(crate) use test::{list, test};
