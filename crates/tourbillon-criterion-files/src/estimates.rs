//! The statistics of a benchmark, as criterion's files and verbose lines have them.

use tourbillon_record::{CaseResult, Scope};

/// A statistic with its interval, in the unit of the result per iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The statistic.
    pub point: f64,
    /// Lower end of the interval.
    pub lower: f64,
    /// Upper end of the interval.
    pub upper: f64,
    /// Confidence of the interval, 0 to 1.
    pub confidence: f64,
    /// Standard error.
    pub standard_error: f64,
}

/// The statistics of a result: over its launches, or over the rounds of a result of few processes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimates {
    /// Mean.
    pub mean: Estimate,
    /// Median: the figure of the case.
    pub median: Estimate,
    /// Median absolute deviation.
    pub median_abs_dev: Estimate,
    /// Standard deviation.
    pub std_dev: Estimate,
}

impl Estimates {
    /// The statistics of a result; `None` where it has no figure.
    ///
    /// The interval of the median is that of the result; where there is none, it is the point, with a confidence of
    /// zero. That of the mean is as wide. Those of the deviations are normal approximations.
    pub fn of(result: &CaseResult) -> Option<Estimates> {
        let point = result.estimate.ok()?;
        let (lower, upper, confidence) = match (result.lower, result.upper, result.confidence) {
            (Some(lower), Some(upper), Some(confidence)) => (lower, upper, confidence),
            _ => (point, point, 0.0),
        };
        let count = match result.scope {
            Scope::Processes => f64::from(result.launches),
            Scope::Process => result.samples as f64,
        };
        let deviation = result.stddev.unwrap_or(0.0);
        let median = Estimate {
            point,
            lower,
            upper,
            confidence,
            standard_error: deviation / count.max(1.0).sqrt(),
        };
        let mean = result.mean.unwrap_or(point);
        let of_deviation = |point: f64| {
            let standard_error = deviation / (2.0 * (count - 1.0).max(1.0)).sqrt();
            let half_width = standard_errors(confidence) * standard_error;
            Estimate {
                point,
                lower: (point - half_width).max(0.0),
                upper: point + half_width,
                confidence,
                standard_error,
            }
        };
        Some(Estimates {
            mean: Estimate {
                point: mean,
                lower: lower - point + mean,
                upper: upper - point + mean,
                ..median
            },
            median,
            median_abs_dev: of_deviation(result.mad.unwrap_or(0.0)),
            std_dev: of_deviation(deviation),
        })
    }
}

/// How many standard errors the half-width of a two-sided interval has, for normal errors: Abramowitz and Stegun,
/// "Handbook of Mathematical Functions" (1964), 26.2.23, whose error is below 0.0005.
pub fn standard_errors(confidence: f64) -> f64 {
    let beyond = (1.0 - confidence).clamp(1e-12, 1.0) / 2.0;
    let t = (-2.0 * beyond.ln()).sqrt();
    let above = (0.010_328 * t + 0.802_853) * t + 2.515_517;
    let below = ((0.001_308 * t + 0.189_269) * t + 1.432_788) * t + 1.0;
    (t - above / below).max(0.0)
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Absence;

    use super::*;

    fn result() -> CaseResult {
        CaseResult {
            estimate: Ok(100.0),
            lower: Some(98.0),
            upper: Some(103.0),
            confidence: Some(0.99),
            scope: Scope::Processes,
            launches: 16,
            mean: Some(101.0),
            stddev: Some(4.0),
            mad: Some(0.5),
            ..CaseResult::default()
        }
    }

    #[test]
    fn intervals_are_those_of_the_result() {
        let found = Estimates::of(&result()).expect("a figure");
        let ends = |estimate: Estimate| (estimate.lower, estimate.point, estimate.upper);
        assert_eq!(ends(found.median), (98.0, 100.0, 103.0));
        assert_eq!(ends(found.mean), (99.0, 101.0, 104.0));
        assert_eq!(found.mean.standard_error, 1.0);
        let (lower, point, upper) = ends(found.std_dev);
        assert!(lower > 2.0 && point == 4.0 && upper < 6.0, "{found:?}");
        assert_eq!(found.median_abs_dev.lower, 0.0);
    }

    #[test]
    fn a_result_without_interval_is_certain_of_nothing() {
        let without = CaseResult {
            lower: None,
            confidence: None,
            ..result()
        };
        let median = Estimates::of(&without).expect("a figure").median;
        assert_eq!(
            (median.lower, median.upper, median.confidence),
            (100.0, 100.0, 0.0)
        );
        let hidden = CaseResult {
            estimate: Err(Absence::BelowResolution),
            ..result()
        };
        assert_eq!(Estimates::of(&hidden), None);
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (confidence, expected) in [(0.0, 0.0), (0.95, 1.96), (0.99, 2.576), (0.999, 3.291)] {
            let found = standard_errors(confidence);
            assert!((found - expected).abs() < 0.001, "{confidence}: {found}");
        }
    }
}
