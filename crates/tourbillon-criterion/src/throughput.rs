//! What an iteration processes.

use tourbillon_record::{Throughput as Recorded, ThroughputUnit};

/// What one iteration processes, for a rate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Throughput {
    /// Bits.
    #[cfg(not(feature = "throughput-0-5"))]
    Bits(u64),
    /// Bytes, shown with binary prefixes.
    Bytes(u64),
    /// Bytes, shown with decimal prefixes.
    BytesDecimal(u64),
    /// Elements.
    Elements(u64),
    /// Elements, and the bytes that they have together.
    #[cfg(not(feature = "throughput-0-5"))]
    ElementsAndBytes {
        /// Elements.
        elements: u64,
        /// Bytes.
        bytes: u64,
    },
}

impl Throughput {
    /// The throughput in a record, which has bytes and items.
    pub(crate) fn recorded(&self) -> Recorded {
        let (unit, per_op) = match *self {
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::Bits(bits) if bits % 8 == 0 => (ThroughputUnit::Bytes, bits / 8),
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::Bits(bits) => (ThroughputUnit::Items, bits),
            Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes) => {
                (ThroughputUnit::Bytes, bytes)
            }
            Throughput::Elements(elements) => (ThroughputUnit::Items, elements),
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::ElementsAndBytes { elements, .. } => (ThroughputUnit::Items, elements),
        };
        Recorded { unit, per_op }
    }

    /// The throughputs of one amount each that this one has.
    pub(crate) fn single(&self) -> Vec<Throughput> {
        match *self {
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::ElementsAndBytes { elements, bytes } => {
                vec![Throughput::Elements(elements), Throughput::Bytes(bytes)]
            }
            _ => vec![self.clone()],
        }
    }

    /// The name of the variant and its numbers, with spaces between them.
    pub(crate) fn encode(&self) -> String {
        match self {
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::Bits(bits) => format!("Bits {bits}"),
            Throughput::Bytes(bytes) => format!("Bytes {bytes}"),
            Throughput::BytesDecimal(bytes) => format!("BytesDecimal {bytes}"),
            Throughput::Elements(elements) => format!("Elements {elements}"),
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::ElementsAndBytes { elements, bytes } => {
                format!("ElementsAndBytes {elements} {bytes}")
            }
        }
    }

    /// Reads what [`Throughput::encode`] wrote; `None` for another text.
    pub(crate) fn decode(text: &str) -> Option<Throughput> {
        let mut words = text.split(' ');
        let (variant, number) = (words.next()?, words.next()?.parse().ok()?);
        match variant {
            #[cfg(not(feature = "throughput-0-5"))]
            "Bits" => Some(Throughput::Bits(number)),
            "Bytes" => Some(Throughput::Bytes(number)),
            "BytesDecimal" => Some(Throughput::BytesDecimal(number)),
            "Elements" => Some(Throughput::Elements(number)),
            #[cfg(not(feature = "throughput-0-5"))]
            "ElementsAndBytes" => Some(Throughput::ElementsAndBytes {
                elements: number,
                bytes: words.next()?.parse().ok()?,
            }),
            _ => None,
        }
    }
}

#[cfg(all(test, not(feature = "throughput-0-5")))]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_bytes_and_items() {
        for (throughput, unit, per_op) in [
            (Throughput::Bits(16), ThroughputUnit::Bytes, 2),
            (Throughput::Bits(9), ThroughputUnit::Items, 9),
            (Throughput::Bytes(3), ThroughputUnit::Bytes, 3),
            (Throughput::BytesDecimal(4), ThroughputUnit::Bytes, 4),
            (Throughput::Elements(5), ThroughputUnit::Items, 5),
            (
                Throughput::ElementsAndBytes {
                    elements: 6,
                    bytes: 48,
                },
                ThroughputUnit::Items,
                6,
            ),
        ] {
            assert_eq!(throughput.recorded(), Recorded { unit, per_op });
            assert_eq!(Throughput::decode(&throughput.encode()), Some(throughput));
        }
    }
}
