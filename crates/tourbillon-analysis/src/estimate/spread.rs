//! How the launches of a case scatter.

use tourbillon_stats::{Sample, mad, mean, median, quantile, stddev};

/// The launches of a case that its main result is made of, in the unit of that result, per op.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Median: the estimate.
    pub median: f64,
    /// The quickest launch.
    pub min: f64,
    /// The slowest launch.
    pub max: f64,
    /// Standard deviation, with n - 1 in the denominator; `None` for a single launch.
    pub stddev: Option<f64>,
    /// Median absolute deviation, not scaled.
    pub mad: f64,
    /// The 90th percentile, by linear interpolation between launches.
    pub p90: f64,
}

impl Spread {
    pub(crate) fn of(launches: &Sample) -> Spread {
        Spread {
            mean: mean(launches),
            median: median(launches),
            min: launches.min(),
            max: launches.max(),
            stddev: stddev(launches),
            mad: mad(launches),
            p90: quantile(launches, 0.9).unwrap_or(launches.max()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_that_of_its_definition() {
        let launches = Sample::new((1..=11).map(f64::from).chain([34.0]).collect()).unwrap();
        let spread = Spread::of(&launches);
        // Exact: whole numbers and halves, except the mean, the percentile and the standard deviation.
        assert!((spread.mean - 100.0 / 12.0).abs() < 1e-12);
        assert_eq!(spread.median, 6.5);
        assert_eq!((spread.min, spread.max), (1.0, 34.0));
        assert_eq!(spread.mad, 3.0);
        assert!((spread.p90 - 10.9).abs() < 1e-12, "{}", spread.p90);
        // Of the squares: 506 + 34^2 - 100^2 / 12, over 11.
        let expected = ((506.0 + 1156.0 - 10_000.0 / 12.0) / 11.0_f64).sqrt();
        assert!((spread.stddev.unwrap() - expected).abs() < 1e-12);
        let one = Spread::of(&Sample::new(vec![4.0]).unwrap());
        assert_eq!((one.p90, one.stddev, one.mad), (4.0, None, 0.0));
    }
}
