use crate::Sample;

/// Arithmetic mean.
///
/// In two passes: the mean of the distances to a first mean is added to it, which takes away the
/// rounding of the first sum. The mean of equal values is exactly that value.
pub fn mean(sample: &Sample) -> f64 {
    let values = sample.as_slice();
    let n = values.len() as f64;
    let first = sum_of_distances(values, 0.0) / n;
    first + sum_of_distances(values, first) / n
}

fn sum_of_distances(values: &[f64], from: f64) -> f64 {
    // From -0, which is what changes no number that is added to it.
    let mut sum = -0.0;
    for value in values {
        sum += value - from;
    }
    sum
}

/// Standard deviation, with n - 1 in the denominator; `None` for a single value.
///
/// In two passes with the correction for the rounding of the mean: Chan, Golub and LeVeque,
/// "Algorithms for computing the sample variance", The American Statistician 37 (1983), p. 243,
/// eq. 1.7.
pub fn stddev(sample: &Sample) -> Option<f64> {
    let n = sample.len() as f64;
    if sample.len() < 2 {
        return None;
    }
    let centre = mean(sample);
    let (mut squares, mut rest) = (0.0, 0.0);
    for value in sample.as_slice() {
        let distance = value - centre;
        squares += distance * distance;
        rest += distance;
    }
    // Not below zero, which only rounding over many millions of values could bring about.
    let variance = (squares - rest * rest / n).max(0.0) / (n - 1.0);
    Some(variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn small_cases() {
        // Exact: sums of small whole numbers; the variance of the second is 32 / 8.
        assert_eq!(mean(&sample(&[1.0, 2.0, 6.0])), 3.0);
        let nine = sample(&[1.0, 1.0, 1.0, 3.0, 3.0, 5.0, 5.0, 5.0, 3.0]);
        assert_eq!(stddev(&nine), Some((24.0_f64 / 8.0).sqrt()));
        assert_eq!(stddev(&sample(&[3.0])), None);
        assert_eq!(stddev(&sample(&[3.0, 5.0])), Some(2.0_f64.sqrt()));
    }

    #[test]
    fn equal_values_have_their_own_mean_and_no_spread() {
        // Exact by the second pass; the plain sum of ten times 0.1 is not 1.
        for n in 2..200 {
            let same = sample(&vec![0.1; n]);
            assert_eq!((mean(&same), stddev(&same)), (0.1, Some(0.0)), "n = {n}");
        }
    }

    #[test]
    fn a_large_offset_does_not_drown_the_spread() {
        // The generated data sets NumAcc3 and NumAcc4 of NIST's Statistical Reference Datasets:
        // offset + 0.2, then 500 times each of offset + 0.1 and offset + 0.3; certified standard
        // deviation 0.1. Approximate: the decimal inputs themselves are rounded, by 6e-11 and
        // 9e-10. The one-pass formula is wrong in the second digit for the larger offset.
        for (offset, tolerance) in [(1_000_000.0, 1e-10), (10_000_000.0, 2e-9)] {
            let mut values = vec![offset + 0.2];
            for _ in 0..500 {
                values.extend([offset + 0.1, offset + 0.3]);
            }
            let data = sample(&values);
            assert!((mean(&data) - (offset + 0.2)).abs() < tolerance);
            let sd = stddev(&data).unwrap();
            assert!((sd - 0.1).abs() < tolerance, "{offset}: {sd}");
        }
    }

    #[test]
    fn a_mean_between_two_numbers_does_not_spoil_the_deviation() {
        // Exact: the mean, 2^53 + 1, is no f64. Without the correction the deviation is 2.
        let two = Sample::from_ticks(&[1 << 53, (1 << 53) + 2]).unwrap();
        assert_eq!(stddev(&two), Some(2.0_f64.sqrt()));
    }

    #[test]
    fn the_largest_values_do_not_overflow() {
        let extreme = sample(&[-1e100, 1e100, 1e100, 1e100]);
        assert!(mean(&extreme).is_finite());
        assert!(stddev(&extreme).is_some_and(f64::is_finite));
    }
}
