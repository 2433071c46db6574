//! Values of flags: each function turns what was typed into a value, or says what is expected.

use tourbillon_record::Metric;
use tourbillon_report::ReportFormat;

use super::duration::{FORM, nanoseconds};
use super::nearest::nearest;
use crate::processors::ranges;
use crate::text::{listed, text};

/// Most launches of a case: far beyond what any interval gains from.
const MOST_LAUNCHES: u32 = 10_000;

/// Most processors that a list may name: what the operating system's own sets hold at least.
const MOST_CPUS: u32 = 1024;

/// What is printed on stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Tables for people.
    Text,
    /// One JSON object a line.
    Jsonl,
    /// Results in a form for other programs, at the end.
    ReportFormat(ReportFormat),
    /// What test runners read: a line for each case, or a letter for each test.
    Terse,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    /// On a terminal, unless the environment says otherwise.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Names of formats; `pretty` is what the built-in test harness calls its default.
pub(super) const FORMATS: ([&str; 8], [Format; 8]) = (
    [
        "text",
        "jsonl",
        "csv",
        "csv-semicolon",
        "md",
        "gnuplot",
        "terse",
        "pretty",
    ],
    [
        Format::Text,
        Format::Jsonl,
        Format::ReportFormat(ReportFormat::Csv),
        Format::ReportFormat(ReportFormat::CsvSemicolon),
        Format::ReportFormat(ReportFormat::Markdown),
        Format::ReportFormat(ReportFormat::Gnuplot),
        Format::Terse,
        Format::Text,
    ],
);

/// Names for when colours are used.
pub(super) const COLORS: ([&str; 3], [Color; 3]) = (
    ["auto", "always", "never"],
    [Color::Auto, Color::Always, Color::Never],
);

/// Names of clocks, and what they measure.
pub(super) const CLOCKS: ([&str; 4], [Metric; 4]) = (
    ["wall", "cpu", "user", "kernel"],
    [
        Metric::Time,
        Metric::CpuTime,
        Metric::UserTime,
        Metric::KernelTime,
    ],
);

/// What is measured: a place in [`CLOCKS`].
pub(super) fn clock(typed: &str) -> Result<u64, String> {
    choice(typed, &CLOCKS.0)
}

/// Which of the known words was typed.
#[inline(never)]
pub(super) fn choice(typed: &str, known: &[&str]) -> Result<u64, String> {
    let mut place = 0;
    while place < known.len() {
        if known[place] == typed {
            return Ok(place as u64);
        }
        place += 1;
    }
    Err(match nearest(typed, known) {
        Some(meant) => text!("{typed:?} is not known; did you mean {meant}?"),
        None => text!("{typed:?} is not known; known are {}", listed(known, ", ")),
    })
}

/// A duration in nanoseconds, more than nothing: `2s`, `150ms`, `1m 30s`.
#[inline(never)]
pub(super) fn duration(typed: &str) -> Result<u64, String> {
    match nanoseconds(typed) {
        None => Err(text!("{typed:?} is no duration; write {FORM}")),
        Some(0) => Err(text!(
            "{typed:?} is no time at all; write more than that, such as 1ms"
        )),
        Some(ns) => Ok(ns),
    }
}

/// A relative half-width: `1%`, `0.5 %` or `0.01`.
pub(super) fn precision(typed: &str) -> Result<f64, String> {
    let (number, scale) = match typed.strip_suffix('%') {
        Some(number) => (number.trim_ascii_end(), 100.0),
        None => (typed, 1.0),
    };
    match number.parse::<f64>() {
        Ok(value) if value > 0.0 && value < scale => Ok(value / scale),
        Ok(_) => Err(text!(
            "{typed:?} is not between 0 and 100 %; write 1% or 0.01"
        )),
        Err(_) => Err(text!("{typed:?} is no number; write 1% or 0.01")),
    }
}

/// A number of launches.
pub(super) fn launches(typed: &str) -> Result<u64, String> {
    whole(typed, u64::from(MOST_LAUNCHES))
}

/// A number of anything.
pub(super) fn count(typed: &str) -> Result<u64, String> {
    whole(typed, u64::MAX)
}

#[inline(never)]
fn whole(typed: &str, most: u64) -> Result<u64, String> {
    match typed.parse::<u64>() {
        Ok(0) => Err(text!("{typed:?} is too few; at least 1")),
        Ok(value) if value > most => Err(text!("{typed:?} is too many; at most {most}")),
        Ok(value) => Ok(value),
        Err(_) => Err(text!("{typed:?} is no whole number from 1 to {most}")),
    }
}

/// A seed in hexadecimal digits, as the header shows it, or in decimal ones after `0d`, as
/// records have it.
///
/// Digits alone are hexadecimal: a seed that the header showed as 123456 must be the same seed
/// when it is typed.
pub(super) fn seed(typed: &str) -> Result<u64, String> {
    let (digits, radix) = match typed.as_bytes() {
        // 0d is also how a hexadecimal number may begin; a header never shows leading zeros.
        [b'0', b'd', ..] => (&typed[2..], 10),
        [b'0', b'x', ..] => (&typed[2..], 16),
        _ => (typed, 16),
    };
    u64::from_str_radix(digits, radix).map_err(|_| {
        text!(
            "{typed:?} is no seed; write hexadecimal digits such as 9f3c21, or 0d and decimal ones"
        )
    })
}

/// A list of processors: `0,2-3`.
pub(super) fn cpus(typed: &str) -> Result<Vec<u32>, String> {
    // In ascending order and each once.
    let mut wanted = [false; MOST_CPUS as usize];
    let mut too_high = None;
    let mut want = |first: u64, last: u64| {
        if last >= u64::from(MOST_CPUS) {
            too_high = too_high.or(Some(last));
            return;
        }
        for cpu in first..last + 1 {
            wanted[cpu as usize] = true;
        }
    };
    if ranges(typed, &mut want).is_none() {
        return Err(text!(
            "{typed:?} is no list of processors; write numbers and ranges, such as 0,2-3"
        ));
    }
    if let Some(last) = too_high {
        let most = MOST_CPUS - 1;
        return Err(text!("{last} is too high; processors are 0 to {most}"));
    }
    let mut cpus = Vec::new();
    for cpu in 0..MOST_CPUS {
        if wanted[cpu as usize] {
            cpus.push(cpu);
        }
    }
    Ok(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (typed, expected) in [
            ("2s", 2_000_000_000),
            ("150ms", 150_000_000),
            ("1min 30s", 90_000_000_000),
            ("1ns", 1),
            ("250us", 250_000),
        ] {
            assert_eq!(duration(typed), Ok(expected), "{typed}");
        }
        for (typed, part) in [
            ("", "is no duration"),
            ("2", "write a number and one of ns, us"),
            ("soon", "is no duration"),
            ("-1s", "is no duration"),
            ("0s", "no time at all"),
            ("10000000h", "is no duration"),
        ] {
            let error = duration(typed).expect_err(typed);
            assert!(error.contains(part), "{typed}: {error}");
        }
    }

    #[test]
    fn precisions() {
        for (typed, expected) in [
            ("1%", 0.01),
            ("0.5 %", 0.005),
            ("0.02", 0.02),
            ("1e-3", 0.001),
        ] {
            assert_eq!(precision(typed), Ok(expected), "{typed}");
        }
        for typed in ["0", "0%", "100%", "1", "-1%", "NaN", "inf", "", "%", "one"] {
            assert!(precision(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(launches("20"), Ok(20));
        assert_eq!(count("1000000"), Ok(1_000_000));
        assert_eq!(
            launches("0"),
            Err("\"0\" is too few; at least 1".to_owned())
        );
        assert_eq!(
            launches("10001"),
            Err("\"10001\" is too many; at most 10000".to_owned())
        );
        for typed in ["", "-1", "1.5", "many", "99999999999999999999"] {
            let error = launches(typed).expect_err(typed);
            assert!(
                error.contains("is no whole number from 1 to 10000"),
                "{error}"
            );
        }
    }

    #[test]
    fn seeds() {
        for (typed, expected) in [
            ("9f3c21", 0x9f_3c21),
            ("123456", 0x12_3456),
            ("0x10", 16),
            ("0d10", 10),
            ("ffffffffffffffff", u64::MAX),
        ] {
            assert_eq!(seed(typed), Ok(expected), "{typed}");
        }
        for typed in ["", "0x", "0d", "xyz", "-1", "10000000000000000", "0dff"] {
            assert!(seed(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn lists_of_processors() {
        for (typed, expected) in [
            ("0", vec![0]),
            ("0,2-3", vec![0, 2, 3]),
            ("3, 1, 1-2", vec![1, 2, 3]),
            ("1023", vec![1023]),
        ] {
            assert_eq!(cpus(typed), Ok(expected), "{typed}");
        }
        for (typed, part) in [
            ("", "numbers and ranges"),
            ("a", "numbers and ranges"),
            ("1,,2", "numbers and ranges"),
            ("3-1", "numbers and ranges"),
            ("-1", "numbers and ranges"),
            ("1024", "too high"),
            ("0-4294967295", "too high"),
        ] {
            let error = cpus(typed).expect_err(typed);
            assert!(error.contains(part), "{typed}: {error}");
        }
    }

    #[test]
    fn choices() {
        let format = |typed| choice(typed, &FORMATS.0).map(|place| FORMATS.1[place as usize]);
        let color = |typed| choice(typed, &COLORS.0).map(|place| COLORS.1[place as usize]);
        assert_eq!(format("jsonl"), Ok(Format::Jsonl));
        assert_eq!(format("pretty"), Ok(Format::Text));
        assert_eq!(color("never"), Ok(Color::Never));
        assert_eq!(
            format("xml"),
            Err(
                "\"xml\" is not known; known are text, jsonl, csv, csv-semicolon, md, gnuplot, \
                 terse, pretty"
                    .to_owned()
            )
        );
        assert_eq!(
            format("json"),
            Err("\"json\" is not known; did you mean jsonl?".to_owned())
        );
    }
}
