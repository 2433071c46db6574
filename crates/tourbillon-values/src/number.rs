//! Numbers: durations such as `1m 30s`, counts, shares, seeds, lists of processors.

use std::collections::BTreeSet;

/// What a duration looks like, for messages.
pub const DURATION_FORM: &str =
    "a number and one of ns, us, µs, ms, s, m, min, h, such as \"1.5 s\"";

/// Units in nanoseconds: the micro sign, and the Greek letter that many keyboards produce for it.
const UNITS: [(&str, f64); 9] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("\u{b5}s", 1e3),
    ("\u{3bc}s", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("m", 60e9),
    ("min", 60e9),
    ("h", 3600e9),
];

/// Nanoseconds of a duration such as `2s`, `1.5 ms` or `1m 30s`; `None` for any other text.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_values::nanoseconds("2.5ns"), Some(2.5));
/// assert_eq!(tourbillon_values::nanoseconds("2"), None);
/// ```
pub fn nanoseconds(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    let mut total = 0.0;
    loop {
        let (number, tail) = split(rest, |c| c.is_ascii_digit() || matches!(c, '.' | '_'));
        let (unit, tail) = split(tail.trim_start(), char::is_alphabetic);
        let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
        total += number.replace('_', "").parse::<f64>().ok()? * factor;
        rest = tail.trim_start();
        if rest.is_empty() {
            return Some(total);
        }
    }
}

/// A duration above zero in whole nanoseconds.
///
/// # Errors
///
/// What is wrong with the text, and what to write.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_values::duration("150ms"), Ok(150_000_000));
/// assert!(tourbillon_values::duration("soon").is_err());
/// ```
pub fn duration(text: &str) -> Result<u64, String> {
    match nanoseconds(text).map(f64::round) {
        Some(0.0) => Err(format!("{text:?} must be above zero, such as 1ms")),
        Some(ns) if ns < u64::MAX as f64 => Ok(ns as u64),
        _ => Err(format!("{text:?} is not a duration; write {DURATION_FORM}")),
    }
}

/// The longest beginning whose characters all belong to it, and the rest.
fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

/// A whole number from 1 to `most`.
///
/// # Errors
///
/// What is wrong with the text, and what to write.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_values::count("20", 10_000), Ok(20));
/// assert!(tourbillon_values::count("0", 10_000).is_err());
/// ```
pub fn count(text: &str, most: u64) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err(format!("{text:?} is too few; at least 1")),
        Ok(value) if value > most => Err(format!("{text:?} is too many; at most {most}")),
        Ok(value) => Ok(value),
        Err(_) => Err(format!("{text:?} is not a whole number from 1 to {most}")),
    }
}

/// A share: `1%`, `0.5 %`, or a number below 1, such as 0.01 for 1 %. A number from 1 on is one of per
/// cent. What range makes sense is the caller's to decide.
///
/// # Errors
///
/// What is wrong with the text, and what to write.
///
/// # Examples
///
/// ```
/// for text in ["1%", "1 %", "0.01", "1"] {
///     assert_eq!(tourbillon_values::share(text), Ok(0.01));
/// }
/// ```
pub fn share(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, is_percent) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (text, false),
    };
    match number.parse::<f64>() {
        // A percentage without its sign, or half of the whole?
        Ok(value) if !is_percent && value > 0.1 && value < 1.0 => Err(format!(
            "{text:?} is ambiguous; write {value}% or {}%",
            (value * 1e4).round() / 100.0
        )),
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(if is_percent || value >= 1.0 {
            value / 100.0
        } else {
            value
        }),
        _ => Err(format!("{text:?} is not a percentage; write 1% or 0.01")),
    }
}

/// A seed in hexadecimal digits, as headers show it, or in decimal ones after `0d`, as records have it.
///
/// Digits alone are hexadecimal: a seed that a header shows as 123456 is the same seed when it is typed.
///
/// # Errors
///
/// What is wrong with the text, and what to write.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_values::seed("10"), Ok(0x10));
/// assert_eq!(tourbillon_values::seed("0d10"), Ok(10));
/// ```
pub fn seed(text: &str) -> Result<u64, String> {
    // A hexadecimal number may begin with 0d as well; a header never shows leading zeros.
    let (digits, radix) = match text.strip_prefix("0d") {
        Some(digits) => (digits, 10),
        None => (text.strip_prefix("0x").unwrap_or(text), 16),
    };
    u64::from_str_radix(digits, radix).map_err(|_| {
        format!(
            "{text:?} is not a seed; write up to 16 hexadecimal digits such as 9f3c21, or 0d and \
             decimal ones"
        )
    })
}

/// A list of processors such as `0,2-3`, as the Linux kernel writes them too: in ascending order, each
/// once.
///
/// # Errors
///
/// What is wrong with the text, and what to write.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_values::processors("0,2-3"), Ok(vec![0, 2, 3]));
/// ```
pub fn processors(text: &str) -> Result<Vec<u32>, String> {
    let mut processors = BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        // No system has more than 65 536 of them.
        match (first.trim().parse::<u16>(), last.trim().parse::<u16>()) {
            (Ok(first), Ok(last)) if first <= last => {
                processors.extend((first..=last).map(u32::from));
            }
            _ => {
                return Err(format!(
                    "{text:?} is not a list of processors; write numbers and ranges, such as 0,2-3"
                ));
            }
        }
    }
    Ok(processors.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        for (text, expected) in [
            ("7ns", 7),
            ("2us", 2_000),
            ("2\u{b5}s", 2_000),
            ("2\u{3bc}s", 2_000),
            ("20 ms", 20_000_000),
            (" 2s ", 2_000_000_000),
            ("1.5s", 1_500_000_000),
            ("0.1s", 100_000_000),
            ("0.29s", 290_000_000),
            ("1.25 us", 1_250),
            ("1.9ns", 2),
            ("1m 30s", 90_000_000_000),
            ("1m30s", 90_000_000_000),
            ("1min 30s", 90_000_000_000),
            ("1_000ms", 1_000_000_000),
            ("2h", 7_200_000_000_000),
        ] {
            assert_eq!(duration(text), Ok(expected), "{text:?}");
        }
        assert_eq!(nanoseconds("0s"), Some(0.0));
    }

    #[test]
    fn other_texts_are_refused_with_what_to_write() {
        for text in [
            "",
            "s",
            "_s",
            "2",
            "soon",
            "2 sec",
            "1 hour",
            "-2s",
            "1.2.3s",
            "2s,",
            "2s 3",
            "1e3s",
            "1 \u{20ac}",
            "99999999999999999999s",
        ] {
            let error = duration(text).expect_err(text);
            assert!(
                error.contains("is not a duration; write a number"),
                "{error}"
            );
        }
        let error = duration("0s").expect_err("nothing");
        assert_eq!(error, "\"0s\" must be above zero, such as 1ms");
    }

    #[test]
    fn counts() {
        assert_eq!(count("20", 100), Ok(20));
        assert_eq!(count("0", 100).unwrap_err(), "\"0\" is too few; at least 1");
        assert_eq!(
            count("101", 100).unwrap_err(),
            "\"101\" is too many; at most 100"
        );
        for text in ["", "-1", "1.5", "many", "99999999999999999999"] {
            assert_eq!(
                count(text, 100).unwrap_err(),
                format!("{text:?} is not a whole number from 1 to 100")
            );
        }
    }

    #[test]
    fn shares() {
        for (text, expected) in [
            ("1%", 0.01),
            (" 0.5 % ", 0.005),
            ("0.02", 0.02),
            ("1e-3", 0.001),
            ("2", 0.02),
            ("150%", 1.5),
            ("0", 0.0),
        ] {
            assert_eq!(share(text), Ok(expected), "{text}");
        }
        for text in ["", "%", "one", "-1%", "NaN", "inf", "inf%"] {
            assert!(share(text).is_err(), "{text}");
        }
        let ambiguous = "\"0.5\" is ambiguous; write 0.5% or 50%";
        assert_eq!(share("0.5"), Err(ambiguous.to_owned()));
    }

    #[test]
    fn seeds() {
        for (text, expected) in [
            ("9f3c21", 0x9f_3c21),
            ("123456", 0x12_3456),
            ("0x10", 16),
            ("0d10", 10),
            ("ffffffffffffffff", u64::MAX),
        ] {
            assert_eq!(seed(text), Ok(expected), "{text}");
        }
        for text in ["", "0x", "0d", "xyz", "-1", "10000000000000000", "0dff"] {
            assert!(seed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_of_processors() {
        for (text, expected) in [
            ("0", vec![0]),
            ("0,2-3", vec![0, 2, 3]),
            ("3, 1, 1-2", vec![1, 2, 3]),
            ("1023", vec![1023]),
        ] {
            assert_eq!(processors(text), Ok(expected), "{text}");
        }
        for text in ["", "a", "1,,2", "3-1", "-1", "1-", "1-2-3", "0-4294967295"] {
            let error = processors(text).expect_err(text);
            assert!(error.contains("write numbers and ranges"), "{error}");
        }
    }
}
