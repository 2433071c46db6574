//! Durations as they are written in the attribute.

/// What a duration looks like, for messages.
pub(crate) const FORM: &str = "a number and one of ns, us, µs, ms, s, m, such as \"1.5 s\"";

/// Nanoseconds of a duration such as `2s`, `1.5 ms` or `1m 30s`; `None` for anything else and for
/// what does not fit. A fraction of a nanosecond is cut off.
pub(crate) fn nanoseconds(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut total = 0_u64;
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')?;
        let (number, tail) = rest.split_at(end);
        let tail = tail.trim_start();
        let end = tail
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(end);
        total = total.checked_add(scaled(number, unit_ns(unit)?)?)?;
        rest = tail.trim_start();
        if rest.is_empty() {
            return Some(total);
        }
    }
}

fn unit_ns(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        // The micro sign, and the Greek letter that many keyboards produce for it.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        _ => return None,
    })
}

/// `number` times `unit_ns`, in integers: a decimal fraction has no exact binary one.
fn scaled(number: &str, unit_ns: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut total = digits(whole)?.checked_mul(unit_ns)?;
    let mut place = unit_ns;
    for digit in fraction.bytes() {
        place /= 10;
        total =
            total.checked_add(u64::from(digit.checked_sub(b'0').filter(|d| *d < 10)?) * place)?;
    }
    Some(total)
}

fn digits(text: &str) -> Option<u64> {
    text.bytes()
        .any(|b| b.is_ascii_digit())
        .then(|| text.replace('_', "").parse().ok())?
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
            ("2h", None),
            ("-2s", None),
            ("1.2.3s", None),
            ("1._5s", None),
            ("2s,", None),
            ("2s 3", None),
        ] {
            assert_eq!(nanoseconds(text), expected, "{text:?}");
        }
    }
}
