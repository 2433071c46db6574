//! How a campaign spends its error.
//!
//! Measurement number n may be wrong with probability E / (n (n + 1)), where E is the error of the campaign: all of
//! them together with E n / (n + 1), which never reaches E. They are wrong together at most as often as the sum says
//! (Bonferroni's inequality), whatever the verdicts before were, what was tried because of them, and when the campaign
//! ends: shares of all measurements that may come are set aside before the first (alpha spending: Foster and Stine,
//! "Alpha-investing", Journal of the Royal Statistical Society B 70 (2008), p. 429, section 2).

/// The probability that any attempt of a campaign is kept that is not faster.
pub const CAMPAIGN_ERROR: f64 = 0.001;

/// The error of a measurement, counted from 1; its cases divide it evenly.
#[must_use]
pub fn error_of(measurement: u64) -> f64 {
    let number = measurement.max(1) as f64;
    CAMPAIGN_ERROR / (number * (number + 1.0))
}

/// The error that the first measurements have spent.
#[must_use]
pub fn spent_by(measurements: u64) -> f64 {
    let number = measurements as f64;
    CAMPAIGN_ERROR * (number / (number + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_measurements_spends_more_than_the_campaign_has() {
        assert_eq!(spent_by(0), 0.0);
        assert_eq!((error_of(1), spent_by(1)), (0.0005, 0.0005));
        let mut sum = 0.0;
        for number in 1..=1_000_000_u64 {
            sum += error_of(number);
            assert!(sum < CAMPAIGN_ERROR, "{number}: {sum}");
            if number.is_power_of_two() {
                assert!(
                    (sum / spent_by(number) - 1.0).abs() < 1e-9,
                    "{number}: {sum}"
                );
            }
        }
        // It is never 0, so that a verdict needs more pairs, and does not become certain by rounding.
        assert!(error_of(u64::MAX) > 0.0 && spent_by(u64::MAX) <= CAMPAIGN_ERROR);
    }
}
