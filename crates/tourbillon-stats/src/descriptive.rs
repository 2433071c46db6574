//! Median, quantiles, mean and measures of spread.

use crate::Sample;

/// The median: the middle value, or the mean of the two middle ones.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, median};
///
/// assert_eq!(median(&Sample::new(vec![5.0, 1.0, 2.0, 100.0])?), 3.5);
/// # Ok::<(), tourbillon_stats::Invalid>(())
/// ```
pub fn median(sample: &Sample) -> f64 {
    let values = sample.as_slice();
    let n = values.len();
    f64::midpoint(values[(n - 1) / 2], values[n / 2])
}

/// The value below which the fraction `p` of the sample lies: at position `(n - 1) p`, where the
/// smallest value has position 0, with linear interpolation between adjacent values; `None` for a
/// `p` outside of 0 to 1.
///
/// Definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
/// Statistician 50 (1996), p. 363, the default of R, NumPy and Julia.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, quantile};
///
/// let sample = Sample::new(vec![4.0, 1.0, 3.0, 2.0])?;
/// assert_eq!((quantile(&sample, 0.25), quantile(&sample, 1.5)), (Some(1.75), None));
/// # Ok::<(), tourbillon_stats::Invalid>(())
/// ```
pub fn quantile(sample: &Sample, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let values = sample.as_slice();
    let last = values.len() - 1;
    let place = last as f64 * p;
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    // The factor is below 1, so the rounded sum does not exceed the upper value.
    Some(values[below] + (place - below as f64) * (values[above] - values[below]))
}

/// Arithmetic mean.
///
/// Computed in two passes: the mean of the distances to a first mean corrects the rounding of the
/// first sum. The mean of equal values is exactly that value.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, mad, mean, stddev};
///
/// let sample = Sample::new(vec![1.0, 2.0, 3.0, 6.0])?;
/// assert_eq!((mean(&sample), mad(&sample)), (3.0, 1.0));
/// assert!(stddev(&sample).is_some_and(|spread| (spread - 2.16).abs() < 0.001));
/// # Ok::<(), tourbillon_stats::Invalid>(())
/// ```
pub fn mean(sample: &Sample) -> f64 {
    let values = sample.as_slice();
    let n = values.len() as f64;
    let mean_distance = |from: f64| values.iter().map(|value| value - from).sum::<f64>() / n;
    let first = mean_distance(0.0);
    first + mean_distance(first)
}

/// Standard deviation, with n - 1 in the denominator; `None` for a single value. [`mean`] has an example.
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
    // Rounding over many millions of values could make the difference negative.
    let variance = (squares - rest * rest / n).max(0.0) / (n - 1.0);
    Some(variance.sqrt())
}

/// [`mad`] times this factor estimates the standard deviation of many normally distributed values:
/// 1 / z, where z = 0.674489... is the upper quartile of the standard normal distribution (Hampel,
/// Journal of the American Statistical Association 69 (1974), p. 388).
pub const MAD_TO_STDDEV: f64 = 1.482_602_218_505_602;

/// Median absolute deviation: the median of the distances to the [`median`], not scaled.
///
/// Its breakdown point is one half. [`mean`] has an example.
pub fn mad(sample: &Sample) -> f64 {
    let centre = median(sample);
    let distances = sample.as_slice().iter().map(|value| (value - centre).abs());
    median(&Sample::sort(distances.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::upper_tail;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn median_of_odd_even_and_one() {
        // Exact: small whole numbers and halves.
        assert_eq!(median(&sample(&[4.0])), 4.0);
        assert_eq!(median(&sample(&[9.0, 1.0, 4.0])), 4.0);
        assert_eq!(median(&sample(&[9.0, 1.0, 4.0, 5.0])), 4.5);
    }

    #[test]
    fn definition_seven() {
        // Exact: every product and difference is a dyadic fraction.
        let four = sample(&[1.0, 2.0, 3.0, 4.0]);
        let expected = [
            (0.0, 1.0),
            (0.25, 1.75),
            (0.5, 2.5),
            (0.75, 3.25),
            (1.0, 4.0),
        ];
        for (p, q) in expected {
            assert_eq!(quantile(&four, p), Some(q), "p = {p}");
        }
        // Definition 6 would give 1.25 for the first quartile, definition 8 1.4166...
        assert_eq!(quantile(&sample(&[7.0]), 0.3), Some(7.0));
    }

    #[test]
    fn definition_seven_where_the_place_is_not_representable() {
        // Approximate: 0.9 is not a binary fraction, so the position is 8.1 up to rounding.
        let ten = Sample::from_ticks(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).unwrap();
        let q = quantile(&ten, 0.9).unwrap();
        assert!((q - 9.1).abs() < 1e-14, "{q}");
    }

    #[test]
    fn only_fractions() {
        let some = sample(&[1.0, 2.0]);
        for p in [-0.1, 1.0 + f64::EPSILON, f64::NAN, f64::INFINITY] {
            assert_eq!(quantile(&some, p), None, "p = {p}");
        }
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

    fn mad_of(values: &[f64]) -> f64 {
        mad(&Sample::new(values.to_vec()).unwrap())
    }

    #[test]
    fn is_the_median_distance() {
        // Exact: whole numbers. Median 2; distances 1 1 0 0 2 4 7.
        assert_eq!(mad_of(&[1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]), 1.0);
        assert_eq!(mad_of(&[5.0]), 0.0);
        assert_eq!(mad_of(&[5.0, 5.0, 5.0, 900.0]), 0.0);
        // Even: median 2.5; distances 0.5 0.5 1.5 7.5.
        assert_eq!(mad_of(&[1.0, 2.0, 3.0, 10.0]), 1.0);
    }

    #[test]
    fn the_factor_belongs_to_the_upper_quartile_of_the_normal_distribution() {
        // Approximate: the tail is computed, to about 1e-15.
        assert!((upper_tail(1.0 / MAD_TO_STDDEV) - 0.25).abs() < 1e-14);
    }
}
