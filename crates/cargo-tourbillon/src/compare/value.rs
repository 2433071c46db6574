//! Values on the command line and in tourbillon.toml.

/// Units of time in nanoseconds.
const UNITS: [(&str, f64); 7] = [
    ("ns", 1.0),
    ("µs", 1e3),
    ("us", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("min", 60e9),
    ("m", 60e9),
];

/// A percentage as a share: `2%` is 0.02.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').map(str::trim);
    let number = number.and_then(|number| number.parse::<f64>().ok());
    match number {
        Some(percent) if (0.0..1000.0).contains(&percent) => Ok(percent / 100.0),
        Some(_) => Err(format!("{text:?} is out of range; write 0% to 1000%")),
        None => Err(format!("{text:?} is no percentage; write it as 2%")),
    }
}

/// A confidence, of half and more: `99.9%` is 0.999.
pub(super) fn confidence(text: &str) -> Result<f64, String> {
    match share(text)? {
        level if (0.5..1.0).contains(&level) => Ok(level),
        _ => Err(format!(
            "{text:?} is no confidence; write 50% or more, below 100%"
        )),
    }
}

/// A time above zero in nanoseconds: `10s` is 10 000 000 000.
pub(super) fn time_ns(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = (text[..end].parse::<f64>(), text[end..].trim());
    let factor = UNITS.iter().find(|(name, _)| *name == unit);
    match (number, factor) {
        (Ok(number), Some((_, factor))) if number > 0.0 && number * factor < 1e18 => {
            Ok(number * factor)
        }
        _ => Err(format!(
            "{text:?} is no time; write a number above 0 and one of ns, us, ms, s, min"
        )),
    }
}

/// A time in whole nanoseconds.
pub(super) fn duration_ns(text: &str) -> Result<u64, String> {
    let ns = time_ns(text)?.round();
    Ok(ns as u64)
}

/// A seed in hexadecimal digits, as headers show it.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16)
        .map_err(|_| format!("{text:?} is no seed; write up to 16 hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        assert_eq!(share("2%"), Ok(0.02));
        assert_eq!(share(" 0.5 %"), Ok(0.005));
        assert_eq!(confidence("99%"), Ok(0.99));
        assert_eq!(time_ns("2.5ns"), Ok(2.5));
        assert_eq!(duration_ns("10 s"), Ok(10_000_000_000));
        assert_eq!(duration_ns("1.5µs"), Ok(1500));
        assert_eq!(seed("9f3c21"), Ok(0x9f_3c21));
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        for (error, expected) in [
            (share("2"), "write it as 2%"),
            (share("-2%"), "out of range"),
            (share("NaN%"), "out of range"),
            (confidence("100%"), "below 100%"),
            (confidence("9%"), "50% or more"),
            (time_ns("10"), "one of ns, us"),
            (time_ns("0s"), "above 0"),
            (time_ns("1e3s"), "no time"),
            (time_ns("999999999999999999min"), "no time"),
        ] {
            let error = error.expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
        assert!(seed("xyz").is_err());
    }
}
