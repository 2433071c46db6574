//! Cases that return a number, or measure processor time: each build is launched alone, and the numbers of the launches
//! are compared.

use tourbillon_analysis::{Criteria, Frequency, Rules, Tally, estimate, judge_numbers};
use tourbillon_record::{CaseResult, LaunchSamples, Run, Undecided, Verdict};
use tourbillon_stats::Confidence;

/// Launches beyond those that an interval needs: with them the ends are not those of all launches.
const SPARE: usize = 4;

/// The launches of both builds, the reference first.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberLaunches([Vec<LaunchSamples>; 2]);

impl NumberLaunches {
    /// Adds a launch of each build.
    pub(crate) fn add(&mut self, launches: [LaunchSamples; 2]) {
        for (arm, launch) in (0..).zip(launches) {
            self.0[usize::from(arm)].push(LaunchSamples {
                arm: Some(arm),
                ..launch
            });
        }
    }

    /// How many launches of each build there are.
    pub(crate) fn len(&self) -> usize {
        self.0[1].len()
    }

    /// As a record has them: a launch of the reference, then one of the other build.
    pub(crate) fn in_turns(&self) -> impl Iterator<Item = &LaunchSamples> {
        let [old, new] = &self.0;
        old.iter().zip(new).flat_map(<[_; 2]>::from)
    }

    /// Whether there are as many launches of both builds as the interval needs that the criteria ask for.
    fn are_enough(&self, criteria: &Criteria) -> bool {
        let needed = confidence(criteria).values_needed() + SPARE;
        self.0.iter().all(|launches| launches.len() >= needed)
    }

    /// Whether both builds have a figure and an interval, which more launches would only make narrower.
    pub(crate) fn are_settled(
        &self,
        case: &str,
        criteria: &Criteria,
        frequency: &Frequency,
    ) -> bool {
        let mut results = (0..2).map(|side| self.result(side, case, criteria, frequency));
        self.are_enough(criteria)
            && results.all(|result| result.estimate.is_ok() && result.upper.is_some())
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
    pub(crate) fn verdict(
        &self,
        case: &str,
        criteria: &Criteria,
        frequency: &Frequency,
    ) -> Verdict {
        let [old, new] = [0, 1].map(|side| self.result(side, case, criteria, frequency));
        let verdict = judge_numbers(&old, &new, criteria.margin);
        let launches = self.len();
        let is_early = launches > 0 && !self.are_enough(criteria);
        let measure_one = launches > 0 && (old.metric, &old.own) == (new.metric, &new.own);
        let why = match verdict.why {
            Some(Undecided::NotComparable | Undecided::Noise) if is_early => {
                Some(Undecided::TooFew)
            }
            // There are launches enough: what is missing was discarded.
            Some(Undecided::NotComparable) if measure_one => Some(Undecided::Noise),
            why => why,
        };
        Verdict {
            case: case.to_owned(),
            launches: launches as u32,
            why,
            ..verdict
        }
    }
}

/// The launches of numbers that a record of a comparison has, one of each build.
pub(crate) fn number_launches(run: &Run) -> impl Iterator<Item = [&LaunchSamples; 2]> {
    let pairs = run
        .build_launches
        .iter()
        .zip(run.build_launches.iter().skip(1));
    pairs
        .filter(|(old, new)| (old.arm, new.arm) == (Some(0), Some(1)))
        .map(<[_; 2]>::from)
}

/// Of the interval of each side, so that both hold together.
fn confidence(criteria: &Criteria) -> Confidence {
    Confidence::of_error(criteria.error / 2.0).unwrap_or(Confidence::P99)
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Entry, Header};

    use super::*;

    #[test]
    fn a_record_gives_the_launches_back() {
        let mut launches = NumberLaunches::default();
        for launch in 0..3 {
            launches.add(["then", "now"].map(|case| LaunchSamples {
                case: case.to_owned(),
                launch,
                ..LaunchSamples::default()
            }));
        }
        let header = Entry::Header(&Header::default()).encode();
        let lines = launches.in_turns().map(|one| Entry::Launch(one).encode());
        let text: String = std::iter::once(header)
            .chain(lines)
            .map(|line| line + "\n")
            .collect();
        let run = Run::parse(&text).expect("a record");
        assert!(run.launches.is_empty());
        let mut read = NumberLaunches::default();
        for pair in number_launches(&run) {
            read.add(pair.map(LaunchSamples::clone));
        }
        assert_eq!((read.len(), &read.0), (3, &launches.0));
    }

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
