use tourbillon_record::{Throughput, ThroughputUnit};

/// Bytes that an op processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(
    /// How many.
    pub u64,
);

impl Bytes {
    /// The bytes of `count` values of type `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(tourbillon::Bytes::of::<u64>(1_000), tourbillon::Bytes(8_000));
    /// ```
    pub const fn of<T>(count: usize) -> Self {
        Self(count as u64 * size_of::<T>() as u64)
    }
}

/// Items that an op processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Items(
    /// How many.
    pub u64,
);

impl From<Bytes> for Throughput {
    fn from(bytes: Bytes) -> Self {
        Self {
            unit: ThroughputUnit::Bytes,
            per_op: bytes.0,
        }
    }
}

impl From<Items> for Throughput {
    fn from(items: Items) -> Self {
        Self {
            unit: ThroughputUnit::Items,
            per_op: items.0,
        }
    }
}
