//! The change of a benchmark since an earlier run.

use tourbillon_record::store::Last;
use tourbillon_record::{CaseResult, Header};
use tourbillon_report::Ratio;

/// How a benchmark changed: new divided by old, minus one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) lower: f64,
    pub(crate) estimate: f64,
    pub(crate) upper: f64,
    /// The probability that the interval does not hold the change, at most; so the p-value of `no change` is below
    /// it where the interval does not hold zero, and above it where it does.
    pub(crate) error: f64,
    pub(crate) verdict: Verdict,
}

/// What a change means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Improved,
    Regressed,
    /// There is a change, which may be smaller than the noise threshold.
    BelowThreshold,
    /// No change is in the interval.
    NotDetected,
}

impl Change {
    /// The change of a case since the `last` run; `None` where the two runs cannot be compared. A change smaller
    /// than `noise` is not reported.
    pub(crate) fn since(
        last: &Last,
        case: &str,
        header: &Header,
        results: &[CaseResult],
        noise: f64,
    ) -> Option<Change> {
        let ratio = tourbillon::program::ratio(header, results, last, case)?;
        let is_it = |result: &&CaseResult| result.case == case && result.metric == ratio.metric;
        let now = results.iter().find(is_it)?.confidence?;
        let then = last.result(case, ratio.metric)?.1.confidence?;
        Some(Change::of(&ratio, (1.0 - now) + (1.0 - then), noise))
    }

    fn of(ratio: &Ratio, error: f64, noise: f64) -> Change {
        let [lower, estimate, upper] =
            [ratio.lower, ratio.estimate, ratio.upper].map(|end| end - 1.0);
        let verdict = if lower <= 0.0 && upper >= 0.0 {
            Verdict::NotDetected
        } else if upper < -noise {
            Verdict::Improved
        } else if lower > noise {
            Verdict::Regressed
        } else {
            Verdict::BelowThreshold
        };
        Change {
            lower,
            estimate,
            upper,
            error,
            verdict,
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Metric;

    use super::*;

    #[test]
    fn a_change_is_beyond_the_threshold_with_its_whole_interval() {
        for (lower, upper, noise, verdict) in [
            (1.02, 1.04, 0.01, Verdict::Regressed),
            (1.005, 1.04, 0.01, Verdict::BelowThreshold),
            (1.005, 1.04, 0.0, Verdict::Regressed),
            (0.99, 1.04, 0.0, Verdict::NotDetected),
            (0.95, 0.98, 0.01, Verdict::Improved),
            (0.95, 0.98, 0.1, Verdict::BelowThreshold),
        ] {
            let ratio = Ratio {
                metric: Metric::Time,
                estimate: (lower + upper) / 2.0,
                lower,
                upper,
            };
            let change = Change::of(&ratio, 0.02, noise);
            assert_eq!(change.verdict, verdict, "{ratio:?} {noise}");
            assert!(change.lower < change.estimate && change.estimate < change.upper);
        }
    }
}
