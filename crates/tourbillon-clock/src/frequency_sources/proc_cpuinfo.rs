//! The frequency that `/proc/cpuinfo` gives away.

use std::fs::File;
use std::io::Read;

use crate::kernel_text::{cut, decimal, has_word};
use crate::system_error::got;
use crate::{Frequency, FrequencyFrom};

/// Enough for the first processor, whose flags alone take up some 2 KiB. The whole file has a
/// block per processor, each of which the kernel has to ask.
const ENOUGH: usize = 16 * 1024;

/// Reads the first processor's block.
pub(super) fn frequency() -> Option<Frequency> {
    // With a frequency driver, `cpu MHz` is what the core runs at, not the counter.
    if got(std::fs::metadata("/sys/devices/system/cpu/cpu0/cpufreq")).is_ok() {
        return None;
    }
    let mut file = got(File::open("/proc/cpuinfo")).ok()?;
    let mut text = vec![0; ENOUGH];
    let mut length = 0;
    // The kernel gives a page or so at a time; the end, or a full buffer, reads as nothing.
    loop {
        match got(file.read(&mut text[length..])).ok()? {
            0 => break,
            more => length += more,
        }
    }
    Frequency::from_khz(known_khz(&text[..length])?, FrequencyFrom::CpuInfo)
}

/// The counter's rate in kHz, where two lines of the first block agree on it.
///
/// The flag `tsc_known_freq` says that the kernel was told the rate and did not calibrate it. Then
/// `bogomips` is twice the rate in MHz, cut to hundredths, so that it leaves 5 kHz open; and `cpu
/// MHz` is the same rate to a kilohertz, unless the kernel has a way to ask the core
/// (`aperfmperf`).
///
/// Where the kernel ticks 300 times a second, `bogomips` is 0.04 % off and the two do not agree.
fn known_khz(text: &[u8]) -> Option<u64> {
    let flags = field(text, b"flags")?;
    if !has_word(flags, b"tsc_known_freq") || has_word(flags, b"aperfmperf") {
        return None;
    }
    let khz = decimal(field(text, b"cpu MHz")?, 3)?;
    let lowest = decimal(field(text, b"bogomips")?, 2)?.checked_mul(5)?;
    let fits = lowest <= khz && khz - lowest < 5;
    fits.then_some(khz)
}

/// The value of a line `name : value` in the first block.
fn field<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let mut rest = text;
    loop {
        let line;
        (line, rest) = cut(rest, b'\n');
        // An empty line ends the block.
        if line.is_empty() {
            return None;
        }
        let (key, value) = cut(line, b':');
        if key.trim_ascii() == name {
            return Some(value.trim_ascii());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &str = "fpu tsc msr constant_tsc nonstop_tsc tsc_known_freq hypervisor";

    fn block(flags: &str, mhz: &str, bogomips: &str) -> String {
        format!(
            "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Some CPU @ 9.99GHz\n\
             cpu MHz\t\t: {mhz}\nflags\t\t: {flags}\nbugs\t\t: spectre_v1\n\
             bogomips\t: {bogomips}\nclflush size\t: 64\n\n"
        )
    }

    #[test]
    fn two_lines_that_agree_state_the_frequency() {
        for (mhz, bogomips, khz) in [
            ("2600.000", "5200.00", 2_600_000), // an Intel guest
            ("2596.106", "5192.21", 2_596_106), // an AMD guest
            ("2095.078", "4190.15", 2_095_078),
            ("999.999", "1999.99", 999_999),
        ] {
            assert_eq!(
                known_khz(block(KNOWN, mhz, bogomips).as_bytes()),
                Some(khz),
                "{mhz} {bogomips}"
            );
        }
    }

    #[test]
    fn only_the_first_processor_is_read() {
        let text = block(KNOWN, "2600.000", "5200.00") + &block(KNOWN, "1.000", "2.00");
        assert_eq!(known_khz(text.as_bytes()), Some(2_600_000));
        let text = block("fpu", "2600.000", "5200.00") + &block(KNOWN, "2600.000", "5200.00");
        assert_eq!(known_khz(text.as_bytes()), None);
    }

    #[test]
    fn a_frequency_that_is_not_known_is_not_taken() {
        // Calibrated by the kernel, on bare metal.
        assert_eq!(
            known_khz(block("fpu tsc constant_tsc", "3693.061", "7386.12").as_bytes()),
            None
        );
        // The line shows what the core runs at.
        let asked = format!("{KNOWN} aperfmperf");
        assert_eq!(
            known_khz(block(&asked, "2600.000", "5200.00").as_bytes()),
            None
        );
        // A flag that only looks like it.
        assert_eq!(
            known_khz(block("not_tsc_known_freq", "2600.000", "5200.00").as_bytes()),
            None
        );
    }

    #[test]
    fn lines_that_do_not_agree_state_nothing() {
        for (mhz, bogomips) in [
            ("2600.005", "5200.00"), // beyond what the cutting leaves open
            ("2599.999", "5200.00"),
            ("1200.000", "5200.00"), // a core that saves power
            ("2596.106", "5194.29"), // a kernel that ticks 300 times a second
            ("0.000", "5200.00"),
        ] {
            assert_eq!(
                known_khz(block(KNOWN, mhz, bogomips).as_bytes()),
                None,
                "{mhz} {bogomips}"
            );
        }
    }

    #[test]
    fn malformed_texts_state_nothing() {
        for (mhz, bogomips) in [
            ("", ""),
            ("2600", "5200"),
            ("2600.00", "5200.00"),
            ("2600.000", "5200.0"),
            ("2600.00", "5200.0"),
            ("-600.000", "5200.00"),
            ("2600.000 MHz", "5200.00"),
            ("2.600.000", "5200.00"),
            ("99999999999999999999.000", "5200.00"),
        ] {
            assert_eq!(
                known_khz(block(KNOWN, mhz, bogomips).as_bytes()),
                None,
                "{mhz:?} {bogomips:?}"
            );
        }
        for text in [
            "",
            "\n\n",
            "flags : tsc_known_freq",
            "cpu MHz\nbogomips",
            "processor : 0\n",
        ] {
            assert_eq!(known_khz(text.as_bytes()), None, "{text:?}");
        }
    }
}
