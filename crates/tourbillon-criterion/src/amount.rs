//! What an iteration processes, in the variants of all versions of criterion.

use tourbillon_record::{Throughput as Recorded, ThroughputUnit};

use crate::Throughput;

/// A [`Throughput`], which has fewer variants by some features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Bits(u64),
    Bytes(u64),
    BytesDecimal(u64),
    Elements(u64),
    ElementsAndBytes { elements: u64, bytes: u64 },
}

impl Amount {
    /// The amount of a throughput.
    pub(crate) fn of(throughput: &Throughput) -> Amount {
        match *throughput {
            #[cfg(any(
                not(feature = "throughput-0-5"),
                feature = "throughput-0-7",
                feature = "throughput-0-8"
            ))]
            Throughput::Bits(bits) => Amount::Bits(bits),
            Throughput::Bytes(bytes) => Amount::Bytes(bytes),
            Throughput::BytesDecimal(bytes) => Amount::BytesDecimal(bytes),
            Throughput::Elements(elements) => Amount::Elements(elements),
            #[cfg(any(
                not(any(feature = "throughput-0-5", feature = "throughput-0-7")),
                feature = "throughput-0-8"
            ))]
            Throughput::ElementsAndBytes { elements, bytes } => {
                Amount::ElementsAndBytes { elements, bytes }
            }
        }
    }

    /// The throughput in a record, which has bytes and items.
    pub(crate) fn recorded(&self) -> Recorded {
        let (unit, per_op) = match *self {
            Amount::Bits(bits) if bits % 8 == 0 => (ThroughputUnit::Bytes, bits / 8),
            Amount::Bytes(bytes) | Amount::BytesDecimal(bytes) => (ThroughputUnit::Bytes, bytes),
            Amount::Bits(items)
            | Amount::Elements(items)
            | Amount::ElementsAndBytes {
                elements: items, ..
            } => (ThroughputUnit::Items, items),
        };
        Recorded { unit, per_op }
    }

    /// The amounts of one unit each that this one has.
    pub(crate) fn single(&self) -> Vec<Amount> {
        match *self {
            Amount::ElementsAndBytes { elements, bytes } => {
                vec![Amount::Elements(elements), Amount::Bytes(bytes)]
            }
            _ => vec![self.clone()],
        }
    }

    /// The name of the variant and its numbers, with spaces between them.
    pub(crate) fn encode(&self) -> String {
        match self {
            Amount::Bits(bits) => format!("Bits {bits}"),
            Amount::Bytes(bytes) => format!("Bytes {bytes}"),
            Amount::BytesDecimal(bytes) => format!("BytesDecimal {bytes}"),
            Amount::Elements(elements) => format!("Elements {elements}"),
            Amount::ElementsAndBytes { elements, bytes } => {
                format!("ElementsAndBytes {elements} {bytes}")
            }
        }
    }

    /// Reads what [`Amount::encode`] wrote; `None` for another text.
    pub(crate) fn decode(text: &str) -> Option<Amount> {
        let mut words = text.split(' ');
        let (variant, number) = (words.next()?, words.next()?.parse().ok()?);
        match variant {
            "Bits" => Some(Amount::Bits(number)),
            "Bytes" => Some(Amount::Bytes(number)),
            "BytesDecimal" => Some(Amount::BytesDecimal(number)),
            "Elements" => Some(Amount::Elements(number)),
            "ElementsAndBytes" => Some(Amount::ElementsAndBytes {
                elements: number,
                bytes: words.next()?.parse().ok()?,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_bytes_and_items() {
        for (amount, unit, per_op) in [
            (Amount::Bits(16), ThroughputUnit::Bytes, 2),
            (Amount::Bits(9), ThroughputUnit::Items, 9),
            (Amount::Bytes(3), ThroughputUnit::Bytes, 3),
            (Amount::BytesDecimal(4), ThroughputUnit::Bytes, 4),
            (Amount::Elements(5), ThroughputUnit::Items, 5),
            (
                Amount::ElementsAndBytes {
                    elements: 6,
                    bytes: 48,
                },
                ThroughputUnit::Items,
                6,
            ),
        ] {
            assert_eq!(amount.recorded(), Recorded { unit, per_op });
            assert_eq!(Amount::decode(&amount.encode()), Some(amount));
        }
    }

    #[test]
    fn variants_keep_their_names() {
        for throughput in [
            Throughput::Bytes(1),
            Throughput::BytesDecimal(2),
            Throughput::Elements(3),
        ] {
            let name = format!("{throughput:?}").replace(['(', ')'], " ");
            assert_eq!(Amount::of(&throughput).encode(), name.trim());
        }
    }
}
