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

/// The value below which the fraction `p` of the sample lies: at `(n - 1) p`, counted from the
/// smallest value as 0, with linear interpolation between neighbours; `None` for a `p` outside of
/// 0 to 1.
///
/// This is definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The
/// American Statistician 50 (1996), p. 363: what R, NumPy and Julia do unless told otherwise.
#[inline]
pub fn quantile(sample: &Sample, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let values = sample.as_slice();
    let last = values.len() - 1;
    let place = last as f64 * p;
    let below = (place as usize).min(last);
    let above = (below + 1).min(last);
    // The factor is less than 1, which keeps the rounded sum from passing the upper neighbour.
    Some(values[below] + (place - below as f64) * (values[above] - values[below]))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Approximate: 0.9 is not a binary fraction, the place is 8.1 but for rounding.
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
}
