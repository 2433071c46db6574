/// Nanoseconds of a number, which may have commas between thousands, and its unit.
pub(super) fn nanos(number: &str, unit: &str) -> Option<f64> {
    let number: f64 = number.replace(',', "").parse().ok()?;
    let unit = match unit {
        "ps" => 1e-3,
        "ns" => 1.0,
        "µs" | "μs" | "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    Some(number * unit)
}

/// Nanoseconds of a number with its unit right after it.
pub(super) fn joined(text: &str) -> Option<f64> {
    let end = text.find(|c: char| c.is_alphabetic())?;
    nanos(&text[..end], &text[end..])
}

/// The text without the sequences that colour it on a terminal.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\u{1b}[") {
        plain += &rest[..start];
        rest = &rest[start + 2..];
        let end = rest.find(|c: char| c.is_ascii_alphabetic());
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::{joined, nanos, plain};

    #[test]
    fn units_become_nanoseconds() {
        assert_eq!(nanos("262.5", "ps"), Some(0.2625));
        assert_eq!(nanos("1,262.5", "ns"), Some(1262.5));
        assert_eq!(joined("1.5µs"), Some(1500.0));
        assert_eq!(nanos("1.5", "cycles"), None);
        assert_eq!(joined("15"), None);
    }

    #[test]
    fn colours_are_left_out() {
        assert_eq!(plain("\u{1b}[34mthr\u{1b}[94m_2\u{1b}[0m x"), "thr_2 x");
        assert_eq!(plain("a\u{1b}[2"), "a");
    }
}
