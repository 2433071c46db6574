//! The lines of the standard library's `#[bench]`, which Bencher and github-action-benchmark read.

use tourbillon_present::escape;
use tourbillon_present::number::exponent;
use tourbillon_record::CaseResult;

use crate::TableData;
use crate::table::found;

/// The unit that these lines may have.
const UNIT: &str = "ns";
/// Fewest and most decimals.
const DECIMALS: (i32, i32) = (2, 12);

/// A line for each case: `test NAME ... bench:       1,234.56 ns/iter (+/- 7.89)`.
///
/// The number in brackets is the farther end of the interval, rounded up to two digits or more. A case without a
/// duration and an interval has a line with the reason, which readers pass over.
pub(super) fn libtest(sheets: &[TableData<'_>]) -> String {
    let rows = sheets.iter().flat_map(|sheet| found(sheet.table));
    let lines = rows.map(|row| {
        let figure = match row.main {
            Some(main) => figure(main).unwrap_or_else(|why| format!("no figure: {why}")),
            None => "no figure: no result".to_owned(),
        };
        format!("test {} ... {figure}\n", name(&row.case.id))
    });
    lines.collect()
}

/// Readers end a name at its first blank. Two ids have two names.
fn name(id: &str) -> String {
    let unlike = id.replace('\\', r"\\").replace('␣', r"\u{2423}");
    escape(&unlike, true).replace(' ', "␣")
}

/// The figure, or why there is none.
fn figure(main: &CaseResult) -> Result<String, String> {
    let value = main
        .estimate
        .map_err(|absence| absence.name().replace('_', " "))?;
    if main.unit() != UNIT || value < 0.0 {
        return Err("not a duration".to_owned());
    }
    let (lower, upper) = main.lower.zip(main.upper).ok_or("no interval".to_owned())?;
    let half_width = (value - lower).max(upper - value).max(0.0);
    // An interval without width has no last digit.
    let finest = if half_width > 0.0 {
        half_width
    } else {
        value * 1e-9
    };
    let (fewest, most) = DECIMALS;
    let decimals = (1 - exponent(finest)).clamp(fewest, most) as usize;
    let scale = 10_f64.powi(decimals as i32);
    let scaled = (half_width * scale).ceil() / scale;
    // A number that is too large for decimals has none.
    let half_width = if scaled.is_finite() {
        scaled
    } else {
        half_width
    };
    let value = with_commas(&format!("{value:.decimals$}"));
    let half_width = with_commas(&format!("{half_width:.decimals$}"));
    Ok(format!("bench: {value:>14} {UNIT}/iter (+/- {half_width})"))
}

/// A decimal number with commas between the thousands.
fn with_commas(number: &str) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text += fraction;
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_one_word_and_differ_as_ids_do() {
        let ids = [
            "a b",
            "a␣b",
            r"a\u{2423}b",
            "a\nb",
            r"a\nb",
            "a\u{1b}b",
            "größer",
        ];
        let names: BTreeSet<String> = ids.map(name).into();
        assert_eq!(names.len(), ids.len(), "{names:?}");
        assert!(names.iter().all(|name| !name.contains([' ', '\n'])));
        assert_eq!(name("größer"), "größer");
    }

    #[test]
    fn thousands_have_commas() {
        for (number, expected) in [
            ("0.25", "0.25"),
            ("999.00", "999.00"),
            ("1000.5", "1,000.5"),
            ("1234567", "1,234,567"),
        ] {
            assert_eq!(with_commas(number), expected);
        }
    }
}
