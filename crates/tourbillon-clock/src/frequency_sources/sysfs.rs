//! `tsc_freq_khz`, which some kernels and a module show.

use crate::kernel_text::decimal;
use crate::system_error::got;
use crate::{Frequency, FrequencyFrom};

const PATH: &str = "/sys/devices/system/cpu/cpu0/tsc_freq_khz";

/// Reads the file.
pub(super) fn frequency() -> Option<Frequency> {
    parse(&got(std::fs::read(PATH)).ok()?)
}

fn parse(text: &[u8]) -> Option<Frequency> {
    Frequency::from_khz(decimal(text.trim_ascii(), 0)?, FrequencyFrom::Sysfs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_kilohertz_is_taken() {
        let frequency = parse(b"2600000\n").unwrap();
        assert_eq!(
            (frequency.numerator, frequency.denominator),
            (2_600_000_000, 1)
        );
    }

    #[test]
    fn anything_else_is_not() {
        for text in [
            "",
            "\n",
            "0\n",
            "-1\n",
            "2.6 GHz\n",
            "99999999999999999999\n",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text:?}");
        }
    }
}
