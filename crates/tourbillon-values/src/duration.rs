//! Durations: `2s`, `1.5 ms`, `1m 30s`.

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

#[cfg(test)]
mod tests {
    use super::{duration, nanoseconds};

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
}
