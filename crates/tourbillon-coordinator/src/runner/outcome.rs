//! The outcome of a run.

use tourbillon_analysis::Spread;
use tourbillon_record::{Absence, CaseResult, End, Fault, Verdict};

/// Exit code of a run in which a launch failed, or that has no number of any case.
pub const EXIT_FAILED: u8 = 3;
/// Exit code of a run that a signal stopped.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results, in the order of the cases; those of cycles after those of time.
    pub results: Vec<CaseResult>,
    /// How the launches of each case scatter, in the order of the cases; `None` for one without figures.
    pub spreads: Vec<Option<Spread>>,
    /// The launches that failed, in the order in which they did.
    pub faults: Vec<Fault>,
    /// The verdicts of comparisons.
    pub verdicts: Vec<Verdict>,
    /// The verdicts of assertions.
    pub assertions: Vec<Verdict>,
    /// Cases that were to be compared and are no duration, or another one than the reference.
    pub not_compared: Vec<String>,
    /// How the run ended.
    pub end: End,
    /// Whether a signal stopped it.
    pub interrupted: bool,
}

/// Why a run that measured cases has no number of any of them, neither an estimate, nor a rough one, nor a bound;
/// `None` where it has one. Results of own metrics count.
pub fn why_no_number(results: &[CaseResult]) -> Option<String> {
    if results.is_empty() || results.iter().any(CaseResult::has_number) {
        return None;
    }
    let main = results.iter().filter(|result| result.metric.is_main());
    let absences: Vec<Absence> = main.filter_map(|result| result.estimate.err()).collect();
    let mut reasons = Vec::new();
    for (absence, what) in [
        (Absence::MachineBusy, "machine too busy"),
        (Absence::TooScattered, "launches too scattered"),
        (Absence::ClocksDisagree, "clocks disagree"),
        (Absence::CallsTooShort, "calls too short"),
        (Absence::TooFewCalls, "too few calls"),
        (Absence::Failed, "failed"),
        (Absence::NotReached, "not reached"),
        (Absence::BelowResolution, "below the resolution"),
    ] {
        let count = absences.iter().filter(|one| **one == absence).count();
        if count > 0 {
            reasons.push(format!("{what} ({count})"));
        }
    }
    Some(format!("no benchmark has a number: {}", reasons.join(", ")))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Metric, OwnMetric, Rough};

    use super::*;

    fn without(estimate: Absence) -> CaseResult {
        CaseResult {
            estimate: Err(estimate),
            ..CaseResult::default()
        }
    }

    #[test]
    fn one_number_is_enough() {
        let busy = without(Absence::MachineBusy);
        let own = CaseResult {
            metric: Metric::Own,
            own: Some(OwnMetric::default()),
            estimate: Ok(0.0),
            ..CaseResult::default()
        };
        let rough = CaseResult {
            rough: Some(Rough::between(1.0, 100.0)),
            ..busy.clone()
        };
        let bound = CaseResult {
            upper: Some(0.4),
            ..without(Absence::BelowResolution)
        };
        for number in [own, rough, bound] {
            assert_eq!(why_no_number(&[busy.clone(), number]), None);
        }
        // A filter may select nothing.
        assert_eq!(why_no_number(&[]), None);
    }

    #[test]
    fn the_reasons_are_counted() {
        let cycles = CaseResult {
            metric: Metric::Cycles,
            ..without(Absence::MachineBusy)
        };
        let [busy, short] = [Absence::MachineBusy, Absence::CallsTooShort].map(without);
        let why = why_no_number(&[busy.clone(), cycles, busy, short]);
        let expected = "no benchmark has a number: machine too busy (2), calls too short (1)";
        assert_eq!(why.as_deref(), Some(expected));
    }
}
