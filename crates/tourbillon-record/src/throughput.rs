//! What an op processes, for rates.

use crate::codec::{object, words};

/// What an op processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throughput {
    /// What is counted.
    pub unit: ThroughputUnit,
    /// How many of it an op processes.
    pub per_op: u64,
}

object! {
    Throughput { unit, per_op }
}

words! {
    /// What a [`Throughput`] counts.
    pub enum ThroughputUnit: "`bytes` or `items`" {
        /// Bytes.
        Bytes = "bytes",
        /// Items.
        Items = "items",
    }
}
