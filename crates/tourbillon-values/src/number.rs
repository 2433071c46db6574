//! Numbers: counts, shares, seeds, lists of processors.

use std::collections::BTreeSet;

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
