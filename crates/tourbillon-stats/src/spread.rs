use crate::{Sample, median};

/// What to multiply [`mad`] by to estimate the standard deviation of normally distributed values
/// from many of them: 1 / z, where z = 0.674489... is the upper quartile of the standard normal
/// distribution (Hampel, Journal of the American Statistical Association 69 (1974), p. 388).
pub const MAD_TO_STDDEV: f64 = 1.482_602_218_505_602;

/// Median absolute deviation: the median of the distances to the [`median`], not scaled.
///
/// Up to half of the values may be arbitrarily wrong before it breaks down.
pub fn mad(sample: &Sample) -> f64 {
    let centre = median(sample);
    let mut distances = Vec::new();
    for value in sample.as_slice() {
        distances.push((value - centre).abs());
    }
    median(&Sample::sort(distances))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::upper_tail;

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
