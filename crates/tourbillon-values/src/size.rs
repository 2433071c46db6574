//! Numbers of bytes.

/// A number of bytes: a whole number, with `KiB`, `MiB`, `GiB` or `TiB` after it.
///
/// # Errors
///
/// When the text is none, or is too large.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_values::size("4GiB"), Ok(4 << 30));
/// assert!(tourbillon_values::size("1.5 GB").is_err());
/// ```
pub fn size(text: &str) -> Result<u64, String> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("B", 0)];
    let unit = units
        .iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let (digits, shift) = unit.unwrap_or((text, &0));
    let number = digits.trim_end().parse::<u64>().ok();
    let bytes = number.and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| format!("{text:?} is no size; write a whole number and KiB, MiB or GiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_of_1024() {
        for (text, expected) in [
            ("0", 0),
            ("17", 17),
            ("3KiB", 3072),
            ("1 MiB", 1 << 20),
            ("4GiB", 4 << 30),
        ] {
            assert_eq!(size(text), Ok(expected), "{text}");
        }
        for text in ["", "GiB", "-1", "1.5GiB", "1GB", "99999999999TiB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
