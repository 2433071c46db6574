//! Counted figures as text: whole where they are whole, and never rounded to nothing.

use tourbillon_record::{CaseResult, Metric};

use crate::number::exponent;

/// Whether every launch counted the same; else the figure is a mean, or the highest of peaks,
/// with the least and the most of any batch at its ends.
pub fn is_exact(result: &CaseResult) -> bool {
    let estimate = result.estimate.ok();
    estimate.is_some() && estimate == result.lower && estimate == result.upper
}

/// Whether two counts of a metric are the same, as far as that is known: exact ones by equality, others
/// if their ranges overlap.
///
/// Growth that comes once in many calls occurs once more or less in rows of different lengths. So exact
/// counts of different numbers of ops may differ by the resolution of either. Which blocks a reallocation moves is up to
/// what lies next to them in the heap of a process: copied bytes are never known to differ.
pub fn same_count(one: &CaseResult, other: &CaseResult) -> bool {
    if one.metric == Metric::Moved {
        return true;
    }
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

/// A count or a number of bytes per op: `3`, `1 in 8`, `1.04`; `1.2 KiB`. Empty where there is no figure.
pub fn counted_figure(result: &CaseResult) -> String {
    let Ok(estimate) = result.estimate else {
        return String::new();
    };
    if result.metric == Metric::Instructions {
        return number(estimate);
    }
    if result.metric != Metric::Allocs {
        return bytes(estimate);
    }
    let ops = result.ops as f64;
    let total = (estimate * ops).round();
    let each = (ops / total).round();
    if is_exact(result) && estimate < 1.0 && total > 0.0 && each * total == ops {
        format!("1 in {each}")
    } else {
        number(estimate)
    }
}

/// Counts of one metric beside each other, sizes in one unit: in bytes where one of them is below 1 KiB, or where two
/// that differ would read the same.
pub fn counted_figures(results: &[CaseResult]) -> Vec<String> {
    let figures: Vec<String> = results.iter().map(counted_figure).collect();
    let is_size =
        |result: &CaseResult| !matches!(result.metric, Metric::Allocs | Metric::Instructions);
    let sizes: Vec<f64> = results
        .iter()
        .filter_map(|result| result.estimate.ok())
        .collect();
    if sizes.len() < results.len() || !results.iter().all(is_size) {
        return figures;
    }
    let has = |is: fn(f64) -> bool| sizes.iter().any(|size| is(size.abs()));
    let has_both_units = has(|size| size >= 1024.0) && has(|size| size > 0.0 && size < 1024.0);
    let mut pairs = sizes.iter().zip(&figures);
    let reads_the_same = pairs.any(|(one, text)| {
        sizes
            .iter()
            .zip(&figures)
            .any(|other| other.0 != one && other.1 == text)
    });
    if has_both_units || reads_the_same {
        return sizes.into_iter().map(|size| number(size) + " B").collect();
    }
    figures
}

/// Bytes in a unit that fits: `512 B`, `1.2 KiB`, `4.0 KiB`.
pub fn bytes(bytes: f64) -> String {
    if bytes.abs() < 1024.0 {
        return number(bytes) + " B";
    }
    let mut value = bytes / 1024.0;
    let mut units = ["KiB", "MiB", "GiB"].iter();
    // What would be rounded up to 1024.0 belongs to the next unit.
    while value.abs() >= 1023.95
        && let Some(_) = units.next()
    {
        value /= 1024.0;
    }
    format!("{value:.1} {}", units.next().unwrap_or(&"TiB"))
}

/// A whole number as it is, another one with three digits and at least one decimal, so that it does not
/// look whole.
fn number(value: f64) -> String {
    let decimals = if value.fract() == 0.0 {
        0
    } else {
        (2 - exponent(value)).max(1)
    };
    let scale = 10_f64.powi(decimals);
    format!("{:.*}", decimals as usize, (value * scale).round() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(metric: Metric, estimate: f64, ends: (f64, f64), ops: u64) -> CaseResult {
        CaseResult {
            metric,
            estimate: Ok(estimate),
            lower: Some(ends.0),
            upper: Some(ends.1),
            ops,
            ..CaseResult::default()
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
            assert_eq!(
                counted_figure(&exact(Metric::Allocs, estimate, ops)),
                expected
            );
        }
        // Not exact: its rate is not known.
        let varying = result(Metric::Allocs, 0.125, (0.1, 0.2), 6144);
        assert_eq!(counted_figure(&varying), "0.125");
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

    #[test]
    fn sizes_beside_each_other_have_one_unit() {
        let of = |metric, values: &[f64]| {
            let results: Vec<_> = values
                .iter()
                .map(|value| exact(metric, *value, 100))
                .collect();
            counted_figures(&results).join(", ")
        };
        assert_eq!(of(Metric::Bytes, &[1000.0, 1024.0]), "1000 B, 1024 B");
        assert_eq!(of(Metric::Bytes, &[0.0, 1024.0]), "0 B, 1.0 KiB");
        assert_eq!(of(Metric::Bytes, &[2048.0, 4096.0]), "2.0 KiB, 4.0 KiB");
        assert_eq!(of(Metric::Kept, &[-2148.0, -2150.0]), "-2148 B, -2150 B");
        assert_eq!(of(Metric::Bytes, &[2048.0, 2048.0]), "2.0 KiB, 2.0 KiB");
        assert_eq!(of(Metric::Allocs, &[1000.0, 1024.0]), "1000, 1024");
    }

    #[test]
    fn where_blocks_are_moved_to_is_up_to_each_process() {
        let moved = |bytes| exact(Metric::Moved, bytes, 100);
        assert!(same_count(&moved(32.0), &moved(0.0)));
    }
}
