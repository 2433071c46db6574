//! What an iteration processes.

/// What one iteration processes, for a rate. The features `throughput-0-5` and `throughput-0-7` leave out the variants
/// that later versions of criterion added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Throughput {
    /// Bits.
    #[cfg(any(
        not(feature = "throughput-0-5"),
        feature = "throughput-0-7",
        feature = "throughput-0-8"
    ))]
    Bits(u64),
    /// Bytes, shown with binary prefixes.
    Bytes(u64),
    /// Bytes, shown with decimal prefixes.
    BytesDecimal(u64),
    /// Elements.
    Elements(u64),
    /// Elements, and the bytes that they have together.
    #[cfg(any(
        not(any(feature = "throughput-0-5", feature = "throughput-0-7")),
        feature = "throughput-0-8"
    ))]
    ElementsAndBytes {
        /// Elements.
        elements: u64,
        /// Bytes.
        bytes: u64,
    },
}
