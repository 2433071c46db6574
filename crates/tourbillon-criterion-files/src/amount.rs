//! What an iteration processes, in the variants of all versions of criterion.

use tourbillon_record::codec::{Json, Members, read_fields, value, write_fields};
use tourbillon_record::json::{Value, Writer};
use tourbillon_record::{Error, Throughput, ThroughputUnit};

/// A `Throughput` of criterion, which has fewer variants in some versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as by criterion")]
pub enum Amount {
    Bits(u64),
    Bytes(u64),
    BytesDecimal(u64),
    Elements(u64),
    ElementsAndBytes { elements: u64, bytes: u64 },
}

impl Default for Amount {
    fn default() -> Amount {
        Amount::Elements(0)
    }
}

impl Amount {
    /// The throughput in a record, which has bytes and items.
    pub fn recorded(self) -> Throughput {
        let (unit, per_op) = match self {
            Amount::Bits(bits) if bits % 8 == 0 => (ThroughputUnit::Bytes, bits / 8),
            Amount::Bytes(bytes) | Amount::BytesDecimal(bytes) => (ThroughputUnit::Bytes, bytes),
            Amount::Bits(items)
            | Amount::Elements(items)
            | Amount::ElementsAndBytes {
                elements: items, ..
            } => (ThroughputUnit::Items, items),
        };
        Throughput { unit, per_op }
    }

    /// The amounts of one unit each that this one has.
    pub fn single(self) -> Vec<Amount> {
        match self {
            Amount::ElementsAndBytes { elements, bytes } => {
                vec![Amount::Elements(elements), Amount::Bytes(bytes)]
            }
            _ => vec![self],
        }
    }
}

/// As criterion's files have it: `{"Bytes":1024}`.
impl Json for Amount {
    fn write(&self, out: &mut Writer) {
        out.object(|out| match self {
            Amount::Bits(count) => write_fields(out, &[("Bits", count)]),
            Amount::Bytes(count) => write_fields(out, &[("Bytes", count)]),
            Amount::BytesDecimal(count) => write_fields(out, &[("BytesDecimal", count)]),
            Amount::Elements(count) => write_fields(out, &[("Elements", count)]),
            Amount::ElementsAndBytes { elements, bytes } => {
                out.name("ElementsAndBytes");
                out.object(|out| write_fields(out, &[("elements", elements), ("bytes", bytes)]));
            }
        });
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        let mut members = Members::of(name, value)?;
        let mut count = |variant| {
            let count = members.take(variant);
            count.map(|count| self::value(variant, count)).transpose()
        };
        *self = if let Some(bits) = count("Bits")? {
            Amount::Bits(bits)
        } else if let Some(bytes) = count("Bytes")? {
            Amount::Bytes(bytes)
        } else if let Some(bytes) = count("BytesDecimal")? {
            Amount::BytesDecimal(bytes)
        } else if let Some(elements) = count("Elements")? {
            Amount::Elements(elements)
        } else {
            let (mut elements, mut bytes) = (0, 0);
            let variant = "ElementsAndBytes";
            let both = members.take(variant);
            let both = both.ok_or_else(|| value.not(name, "a throughput of criterion"))?;
            read_fields(
                &mut Members::of(variant, both)?,
                &mut [("elements", &mut elements), ("bytes", &mut bytes)],
            )?;
            Amount::ElementsAndBytes { elements, bytes }
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::codec::json;

    use super::*;

    #[test]
    fn a_record_has_bytes_and_items() {
        let both = Amount::ElementsAndBytes {
            elements: 6,
            bytes: 48,
        };
        let of_both = r#"{"ElementsAndBytes":{"elements":6,"bytes":48}}"#;
        for (amount, text, unit, per_op) in [
            (Amount::Bits(16), r#"{"Bits":16}"#, ThroughputUnit::Bytes, 2),
            (Amount::Bits(9), r#"{"Bits":9}"#, ThroughputUnit::Items, 9),
            (Amount::Bytes(3), r#"{"Bytes":3}"#, ThroughputUnit::Bytes, 3),
            (
                Amount::BytesDecimal(4),
                r#"{"BytesDecimal":4}"#,
                ThroughputUnit::Bytes,
                4,
            ),
            (
                Amount::Elements(5),
                r#"{"Elements":5}"#,
                ThroughputUnit::Items,
                5,
            ),
            (both, of_both, ThroughputUnit::Items, 6),
        ] {
            assert_eq!(amount.recorded(), Throughput { unit, per_op });
            assert_eq!(json(&amount), text);
            let read = value("throughput", Value::parse(text).unwrap());
            assert_eq!(read, Ok(amount));
        }
    }

    #[test]
    fn other_throughputs_are_refused() {
        for text in [
            "7",
            "{}",
            r#"{"Bits":-1}"#,
            r#"{"ElementsAndBytes":{"elements":1}}"#,
        ] {
            let read: Result<Amount, Error> = value("throughput", Value::parse(text).unwrap());
            assert!(read.is_err_and(|error| error.is_malformed()), "{text}");
        }
    }
}
