//! What an iteration processes, in the variants of all versions of criterion.

pub(crate) use tourbillon_criterion_files::Amount;

use crate::Throughput;

/// The amount of a throughput, which has fewer variants by some features.
pub(crate) fn amount(throughput: &Throughput) -> Amount {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_keep_their_names() {
        for throughput in [
            Throughput::Bytes(1),
            Throughput::BytesDecimal(2),
            Throughput::Elements(3),
        ] {
            let amount = amount(&throughput);
            assert_eq!(format!("{amount:?}"), format!("{throughput:?}"));
        }
    }
}
