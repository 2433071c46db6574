//! Durations as they are written in the attribute and on the command line.
//!
//! The attribute's crate can export nothing but the attribute, and no package reaches into another
//! one's folder: this file stands in both, and a test holds the two equal.

/// What a duration looks like, for messages.
pub(crate) const FORM: &str = "a number and one of ns, us, µs, ms, s, m, min, h, such as \"1.5 s\"";

/// Nanoseconds of a duration such as `2s`, `1.5 ms` or `1m 30s`; `None` for anything else and for
/// what does not fit. A fraction of a nanosecond is cut off.
pub(crate) fn nanoseconds(text: &str) -> Option<u64> {
    let mut rest = text.trim_ascii();
    let mut total = 0_u64;
    loop {
        let (number, tail) = split(rest, is_of_number);
        let (unit, tail) = split(tail.trim_ascii_start(), is_of_unit);
        total = total.checked_add(scaled(number, unit_ns(unit)?)?)?;
        rest = tail.trim_ascii_start();
        if rest.is_empty() {
            return Some(total);
        }
    }
}

/// The longest beginning whose bytes all belong to it, and the rest.
#[inline(never)]
fn split(text: &str, belongs: fn(u8) -> bool) -> (&str, &str) {
    let mut end = 0;
    for byte in text.bytes() {
        if !belongs(byte) {
            break;
        }
        end += 1;
    }
    text.split_at(end)
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'.' | b'_')
}

/// Letters, those beyond ASCII with all their bytes.
fn is_of_unit(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

fn unit_ns(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        // The micro sign, and the Greek letter that many keyboards produce for it.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// `number` times `unit_ns`, in integers: a decimal fraction has no exact binary one.
fn scaled(number: &str, unit_ns: u64) -> Option<u64> {
    let mut total = 0_u64;
    // What a digit behind the point is worth, once there has been one.
    let mut place = None;
    let mut digits = 0;
    for byte in number.bytes() {
        match (byte, place) {
            (b'0'..=b'9', None) => {
                let digit = u64::from(byte - b'0').checked_mul(unit_ns)?;
                total = total.checked_mul(10)?.checked_add(digit)?;
                digits += 1;
            }
            (b'0'..=b'9', Some(worth)) => {
                total = total.checked_add(u64::from(byte - b'0') * (worth / 10))?;
                place = Some(worth / 10);
            }
            (b'_', None) => {}
            (b'.', None) if digits > 0 => place = Some(unit_ns),
            _ => return None,
        }
    }
    (digits > 0).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::nanoseconds;

    #[test]
    fn durations() {
        for (text, expected) in [
            ("0s", Some(0)),
            ("7ns", Some(7)),
            ("2us", Some(2_000)),
            ("2\u{b5}s", Some(2_000)),
            ("2\u{3bc}s", Some(2_000)),
            ("20 ms", Some(20_000_000)),
            (" 2s ", Some(2_000_000_000)),
            ("1.5s", Some(1_500_000_000)),
            ("0.1s", Some(100_000_000)),
            ("1.25 us", Some(1_250)),
            ("1.9ns", Some(1)),
            ("1m 30s", Some(90_000_000_000)),
            ("1m30s", Some(90_000_000_000)),
            ("1_000ms", Some(1_000_000_000)),
            ("18446744073s", Some(18_446_744_073_000_000_000)),
            ("18446744074s", None),
            ("99999999999999999999s", None),
            ("", None),
            ("s", None),
            (".5s", None),
            ("_s", None),
            ("2", None),
            ("2 sec", None),
            ("2h", Some(7_200_000_000_000)),
            ("1min 30s", Some(90_000_000_000)),
            ("1 hour", None),
            ("-2s", None),
            ("1.2.3s", None),
            ("1._5s", None),
            ("2s,", None),
            ("2s 3", None),
            ("2\u{a0}s", None),
            ("1 \u{20ac}", None),
        ] {
            assert_eq!(nanoseconds(text), expected, "{text:?}");
        }
    }
}
