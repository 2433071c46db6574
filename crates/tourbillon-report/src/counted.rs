//! Counted figures as text: whole where they are whole, and never rounded to nothing.

use tourbillon_record::{CaseResult, Metric};

use crate::number::{exponent, power_of_ten};
use crate::text::append;

/// Whether every memory visit counted the same; else the figure is a mean, or the highest of peaks,
/// with the least and the most of any batch at its ends.
#[inline(never)]
pub fn is_exact(result: &CaseResult) -> bool {
    let estimate = result.estimate.ok();
    estimate.is_some() && estimate == result.lower && estimate == result.upper
}

/// Whether two counts of a metric are the same, as far as they can be told apart: exact ones by
/// equality, others unless their ranges have nothing in common.
///
/// Growth that comes once in many calls falls into rows of different lengths one time more or less:
/// so far as the rows of either are from each other, its resolution, may exact ones of different
/// numbers of ops differ.
#[inline(never)]
pub fn same_count(one: &CaseResult, other: &CaseResult) -> bool {
    let (Ok(a), Ok(b)) = (one.estimate, other.estimate) else {
        return one.estimate == other.estimate;
    };
    if !is_exact(one) || !is_exact(other) {
        let ends =
            |result: &CaseResult, at: f64| (result.lower.unwrap_or(at), result.upper.unwrap_or(at));
        let ((a, b), (c, d)) = (ends(one, a), ends(other, b));
        return a <= d && c <= b;
    }
    if one.ops == other.ops {
        return a == b;
    }
    let resolution = |result: &CaseResult| result.resolution.unwrap_or(0.0);
    (a - b).abs() <= resolution(one).max(resolution(other))
}

/// A count or a number of bytes per op: `3`, `1 in 8`, `1.04`; `1.2 KiB`.
#[inline]
pub fn counted(result: &CaseResult) -> String {
    let mut text = String::new();
    push_counted(&mut text, result);
    text
}

/// Appends what [`counted`] says; nothing where there is no figure.
#[inline(never)]
pub(crate) fn push_counted(text: &mut String, result: &CaseResult) {
    let Ok(estimate) = result.estimate else {
        return;
    };
    if result.metric != Metric::Allocs {
        return push_bytes(text, estimate);
    }
    let ops = result.ops as f64;
    let total = (estimate * ops).round();
    let each = (ops / total).round();
    if is_exact(result) && estimate < 1.0 && total > 0.0 && each * total == ops {
        append(text, format_args!("1 in {each}"));
    } else {
        push_number(text, estimate);
    }
}

/// Bytes in a unit that fits: `512 B`, `1.2 KiB`, `4.0 KiB`.
#[inline]
pub fn bytes(bytes: f64) -> String {
    let mut text = String::new();
    push_bytes(&mut text, bytes);
    text
}

#[inline(never)]
pub(crate) fn push_bytes(text: &mut String, bytes: f64) {
    let mut value = bytes;
    let mut unit = " B";
    for larger in [" KiB", " MiB", " GiB", " TiB"] {
        // What would be rounded up to 1024.0 belongs to the next unit; bytes are not rounded.
        let below = if unit == " B" { 1024.0 } else { 1023.95 };
        if value.abs() < below {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    if unit == " B" {
        push_number(text, value);
    } else {
        append(text, format_args!("{value:.1}"));
    }
    text.push_str(unit);
}

/// A whole number as it is, another one with three digits, and none as zero.
#[inline(never)]
fn push_number(text: &mut String, value: f64) {
    let decimals = if value.fract() == 0.0 {
        0
    } else {
        // At least one: a number that is not whole does not look like one.
        (2 - exponent(value)).max(1)
    };
    let shown = (value * power_of_ten(decimals)).round() / power_of_ten(decimals);
    append(text, format_args!("{shown:.*}", decimals as usize));
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Scope;

    use super::*;

    fn result(metric: Metric, estimate: f64, ends: (f64, f64), ops: u64) -> CaseResult {
        CaseResult {
            case: "c".to_owned(),
            metric,
            estimate: Ok(estimate),
            lower: Some(ends.0),
            upper: Some(ends.1),
            confidence: None,
            own: None,
            scope: Scope::Processes,
            systematic: 0.0,
            launches: 2,
            samples: 4,
            mean: None,
            stddev: None,
            mad: None,
            fixed_cost: None,
            first_call: None,
            resolution: None,
            ops,
            iterations: ops,
            elapsed_ns: 0.0,
            method: String::new(),
            notes: Vec::new(),
            unknown: String::new(),
        }
    }

    fn exact(metric: Metric, estimate: f64, ops: u64) -> CaseResult {
        result(metric, estimate, (estimate, estimate), ops)
    }

    #[test]
    fn counts_are_whole_or_say_how_rare_they_are() {
        for (estimate, ops, expected) in [
            (0.0, 6144, "0"),
            (3.0, 6144, "3"),
            (12_345.0, 6144, "12345"),
            (0.125, 6144, "1 in 8"),
            (1.0 / 6144.0, 6144, "1 in 6144"),
            (3.0 / 6144.0, 6144, "1 in 2048"),
            (613.0 / 6144.0, 6144, "0.0998"),
            (1.5, 6144, "1.50"),
            (100.04, 6144, "100.0"),
        ] {
            assert_eq!(counted(&exact(Metric::Allocs, estimate, ops)), expected);
        }
        // Not exact: how rare it is cannot be said.
        let varying = result(Metric::Allocs, 0.125, (0.1, 0.2), 6144);
        assert_eq!(counted(&varying), "0.125");
    }

    #[test]
    fn bytes_have_the_unit_that_fits() {
        for (value, expected) in [
            (0.0, "0 B"),
            (8.0, "8 B"),
            (0.5, "0.500 B"),
            (1023.0, "1023 B"),
            (1024.0, "1.0 KiB"),
            (1229.0, "1.2 KiB"),
            (1024.0 * 1023.96, "1.0 MiB"),
            (5.0 * 1024.0 * 1024.0 * 1024.0, "5.0 GiB"),
        ] {
            assert_eq!(bytes(value), expected);
        }
    }

    #[test]
    fn exact_counts_are_compared_by_equality_and_others_by_their_ranges() {
        let allocs = |estimate, ops| exact(Metric::Allocs, estimate, ops);
        assert!(same_count(&allocs(3.0, 100), &allocs(3.0, 100)));
        assert!(!same_count(&allocs(3.0, 100), &allocs(4.0, 100)));
        // 1 in 10: 76 or 77 in 768, of which 25 or 26 in 256.
        let tenth = CaseResult {
            resolution: Some(1.0 / 256.0),
            ..allocs(77.0 / 768.0, 768)
        };
        assert!(same_count(&tenth, &allocs(307.0 / 3072.0, 3072)));
        assert!(!same_count(&tenth, &allocs(1.0 / 8.0, 3072)));
        assert!(!same_count(&tenth, &allocs(76.0 / 768.0, 768)));
        assert!(!same_count(&allocs(1.0, 768), &allocs(2.0, 3072)));
        let range = |lower, upper| result(Metric::Allocs, lower, (lower, upper), 100);
        assert!(same_count(&range(1.0, 2.0), &range(1.5, 3.0)));
        assert!(!same_count(&range(1.0, 2.0), &range(2.5, 3.0)));
        assert!(same_count(&range(1.0, 2.0), &allocs(1.5, 100)));
    }
}
