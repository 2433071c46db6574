//! What Linux reports about the rate of the time stamp counter.

use std::fs::{self, File};
use std::io::Read;

use crate::perf_event::Page;
use crate::{Frequency, FrequencyFrom};

/// Bytes of `/proc/cpuinfo` that hold the first processor, whose flags alone take about 2 KiB. The whole
/// file has a block per processor, each of which the kernel has to query.
const FIRST_BLOCK: u64 = 16 * 1024;

/// The frequency that `/proc/cpuinfo` implies, from the first processor's block.
pub(crate) fn of_cpuinfo() -> Option<Frequency> {
    // With a frequency driver, `cpu MHz` is the rate of the core, not of the counter.
    if fs::metadata("/sys/devices/system/cpu/cpu0/cpufreq").is_ok() {
        return None;
    }
    let mut text = Vec::new();
    let file = File::open("/proc/cpuinfo").ok()?;
    file.take(FIRST_BLOCK).read_to_end(&mut text).ok()?;
    let khz = known_khz(&String::from_utf8_lossy(&text))?;
    Frequency::from_khz(khz, FrequencyFrom::CpuInfo)
}

/// The counter's rate in kHz, if two lines of the first block agree on it.
///
/// The flag `tsc_known_freq` means that the kernel was given the rate and did not calibrate it. Then
/// `bogomips` is twice the rate in MHz, truncated to hundredths, so it determines the rate to 5 kHz; and
/// `cpu MHz` is the same rate to a kilohertz, unless the kernel can query the core (`aperfmperf`).
///
/// If the kernel ticks 300 times a second, `bogomips` is 0.04 % off and the two do not agree.
fn known_khz(text: &str) -> Option<u64> {
    let mut flags = field(text, "flags")?.split_ascii_whitespace();
    if !flags.clone().any(|flag| flag == "tsc_known_freq") || flags.any(|flag| flag == "aperfmperf")
    {
        return None;
    }
    let khz = decimal(field(text, "cpu MHz")?, 3)?;
    let lowest = decimal(field(text, "bogomips")?, 2)?.checked_mul(5)?;
    let fits = lowest <= khz && khz - lowest < 5;
    fits.then_some(khz)
}

/// The value of a line `name : value` in the first block, which an empty line ends.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut fields = text
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(key, _)| key.trim_ascii() == name)?;
    Some(value.trim_ascii())
}

/// A number with exactly this many decimals, in units of the last one; with none, a whole number.
fn decimal(text: &str, places: usize) -> Option<u64> {
    let (whole, part) = match places {
        0 => (text, ""),
        _ => text.split_once('.')?,
    };
    let digits = format!("{whole}{part}");
    let is_number = !whole.is_empty()
        && part.len() == places
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// The frequency in the file that some kernels and a module provide.
pub(crate) fn of_sysfs() -> Option<Frequency> {
    parse(&fs::read_to_string("/sys/devices/system/cpu/cpu0/tsc_freq_khz").ok()?)
}

fn parse(text: &str) -> Option<Frequency> {
    Frequency::from_khz(decimal(text.trim_ascii(), 0)?, FrequencyFrom::Sysfs)
}

/// The frequency by the kernel's conversion in the page of a perf event.
///
/// Every event has the page, also one of the software that counts nothing. The kernel fills the conversion
/// in if its own scheduler clock is the counter: on bare metal, not in most guests
/// (`arch_perf_update_userpage` in `arch/x86/events/core.c`).
pub(crate) fn of_perf_page() -> Option<Frequency> {
    let (mult, shift) = Page::of_processor().ok()?.look().conversion()?;
    Frequency::from_khz(khz(mult, shift)?, FrequencyFrom::PerfPage)
}

/// The counter's rate in kHz, as the kernel stores it, from `nanoseconds = ticks * mult >> shift`: the
/// multiplier has 31 or 32 bits, so the nearest whole number is the right one.
fn khz(mult: u32, shift: u16) -> Option<u64> {
    if shift >= 64 {
        return None;
    }
    let dividend = 1_000_000_u128 << shift;
    let mult = u128::from(mult);
    let khz = (dividend + mult / 2).checked_div(mult)?;
    u64::try_from(khz).ok()
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
                known_khz(&block(KNOWN, mhz, bogomips)),
                Some(khz),
                "{mhz} {bogomips}"
            );
        }
    }

    #[test]
    fn only_the_first_processor_is_read() {
        let text = block(KNOWN, "2600.000", "5200.00") + &block(KNOWN, "1.000", "2.00");
        assert_eq!(known_khz(&text), Some(2_600_000));
        let text = block("fpu", "2600.000", "5200.00") + &block(KNOWN, "2600.000", "5200.00");
        assert_eq!(known_khz(&text), None);
    }

    #[test]
    fn a_frequency_that_is_not_known_is_not_taken() {
        // Calibrated by the kernel, on bare metal.
        assert_eq!(
            known_khz(&block("fpu tsc constant_tsc", "3693.061", "7386.12")),
            None
        );
        // The line shows the rate of the core.
        let asked = format!("{KNOWN} aperfmperf");
        assert_eq!(known_khz(&block(&asked, "2600.000", "5200.00")), None);
        // A flag with a similar name.
        assert_eq!(
            known_khz(&block("not_tsc_known_freq", "2600.000", "5200.00")),
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
                known_khz(&block(KNOWN, mhz, bogomips)),
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
                known_khz(&block(KNOWN, mhz, bogomips)),
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
            assert_eq!(known_khz(text), None, "{text:?}");
        }
    }

    #[test]
    fn decimals_are_exactly_so_many() {
        assert_eq!(decimal("2596.106", 3), Some(2_596_106));
        assert_eq!(decimal("0.07", 2), Some(7));
        assert_eq!(decimal("18446744073709551615", 0), Some(u64::MAX));
        for text in [
            "", ".", ".5", "1", "1.", "1.25", "-1.5", "1.x", "1 .5", "1.5 ",
        ] {
            assert_eq!(decimal(text, 1), None, "{text:?}");
        }
        for text in ["", "1.5", "+1", "18446744073709551616"] {
            assert_eq!(decimal(text, 0), None, "{text:?}");
        }
    }

    #[test]
    fn sysfs_has_a_number_of_kilohertz() {
        let hz = parse("2600000\n").map(|frequency| frequency.hz());
        assert_eq!(hz, Some(2.6e9));
        for text in [
            "",
            "\n",
            "0\n",
            "-1\n",
            "2.6 GHz\n",
            "99999999999999999999\n",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_kernels_multipliers_give_back_its_kilohertz() {
        // As `clocks_calc_mult_shift` makes them: to the nearest, as long as they fit 32 bits.
        for khz in [
            1_000_003_u64,
            2_095_078,
            2_596_106,
            2_600_000,
            3_693_061,
            5_000_000,
        ] {
            for shift in [30_u16, 31] {
                let mult = ((1_000_000 << shift) + khz / 2) / khz;
                let mult = u32::try_from(mult).unwrap();
                assert_eq!(super::khz(mult, shift), Some(khz), "shift {shift}");
            }
        }
    }

    #[test]
    fn a_page_that_makes_no_sense_states_nothing() {
        assert_eq!(khz(0, 31), None);
        assert_eq!(khz(1, 64), None);
        assert_eq!(khz(1, u16::MAX), None);
    }
}
