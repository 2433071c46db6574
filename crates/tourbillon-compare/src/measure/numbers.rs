//! Cases that return a number, or measure processor time: each build is launched alone, and the numbers of the launches
//! are compared.

use tourbillon_analysis::{Criteria, Frequency, Rules, Tally, estimate, judge_numbers};
use tourbillon_record::{CaseResult, LaunchSamples, Undecided, Verdict};
use tourbillon_stats::Confidence;

/// Launches beyond those that an interval needs: with them the ends are not those of all launches.
const SPARE: usize = 4;

/// The launches of both builds, the reference first.
#[derive(Debug, Default)]
pub(super) struct NumberLaunches([Vec<LaunchSamples>; 2]);

impl NumberLaunches {
    pub(super) fn add(&mut self, launches: [LaunchSamples; 2]) {
        for (side, launch) in self.0.iter_mut().zip(launches) {
            side.push(launch);
        }
    }

    /// Whether there are as many launches of both builds as the interval needs that the criteria ask for.
    fn are_enough(&self, criteria: &Criteria) -> bool {
        let needed = confidence(criteria).values_needed() + SPARE;
        self.0.iter().all(|launches| launches.len() >= needed)
    }

    /// Whether both builds have a figure, which more launches would only make narrower.
    pub(super) fn are_settled(
        &self,
        case: &str,
        criteria: &Criteria,
        frequency: &Frequency,
    ) -> bool {
        self.are_enough(criteria)
            && (0..2).all(|side| {
                self.result(side, case, criteria, frequency)
                    .estimate
                    .is_ok()
            })
    }

    /// What the launches of one build come to.
    fn result(
        &self,
        side: usize,
        case: &str,
        criteria: &Criteria,
        frequency: &Frequency,
    ) -> CaseResult {
        let rules = Rules {
            frequency: *frequency,
            confidence: confidence(criteria),
            core_cache_bytes: None,
        };
        let results = estimate(case, &self.0[side], &Tally::default(), &rules);
        let main = results.into_iter().find(|result| result.metric.is_main());
        main.unwrap_or_default()
    }

    /// The verdict on a case.
    pub(super) fn verdict(
        &self,
        case: &str,
        criteria: &Criteria,
        frequency: &Frequency,
    ) -> Verdict {
        let [old, new] = [0, 1].map(|side| self.result(side, case, criteria, frequency));
        let verdict = judge_numbers(&old, &new, criteria.margin);
        let launches = self.0[1].len();
        let is_early = launches > 0 && !self.are_enough(criteria);
        let why = match verdict.why {
            Some(Undecided::NotComparable | Undecided::Noise) if is_early => {
                Some(Undecided::TooFew)
            }
            why => why,
        };
        Verdict {
            launches: launches as u32,
            why,
            ..verdict
        }
    }
}

/// Of the interval of each side, so that both hold together.
fn confidence(criteria: &Criteria) -> Confidence {
    Confidence::new(1.0 - criteria.error / 2.0).unwrap_or(Confidence::P99)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_launches_nothing_is_comparable() {
        let frequency = Frequency {
            numerator: std::num::NonZeroU64::MIN,
            denominator: std::num::NonZeroU64::MIN,
            error_ppm: None,
        };
        let launches = NumberLaunches::default();
        assert!(!launches.are_enough(&Criteria::BUILDS));
        let verdict = launches.verdict("c", &Criteria::BUILDS, &frequency);
        assert_eq!(verdict.number, None);
    }
}
