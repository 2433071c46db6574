//! When a growing number of units is looked at, and each look's share of the error.

use std::f64::consts::PI;

use tourbillon_record::Rounds;
use tourbillon_stats::Confidence;

use super::units::count;

/// When a growing number of units is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Schedule {
    /// After 64, 128, 256, .. pairs of batches.
    Pairs,
    /// After 16, 24, 36, 54, .. processes, or pairs of them: half as many again each time.
    Launches,
}

impl Schedule {
    /// After how many units look number `look` is made, from 0.
    pub(crate) fn at(self, look: u32) -> usize {
        match self {
            Schedule::Pairs => 64_usize.saturating_mul(1 << look.min(40)),
            Schedule::Launches => {
                (0..look.min(60)).fold(16_usize, |at, _| at.saturating_add(at / 2))
            }
        }
    }

    /// Whether a look is planned after so many units.
    pub(crate) fn is_due(self, units: usize) -> bool {
        let mut looks = (0..).map(|look| self.at(look));
        looks.find(|at| *at >= units) == Some(units)
    }
}

/// Whether functions are looked at after so many rounds.
pub fn is_look(rounds: &Rounds) -> bool {
    Schedule::Pairs.is_due(count(rounds))
}

/// The confidence of a look, counted from 0: its share of the error is 6 / (pi^2 (look + 1)^2) of the whole.
/// The shares of any number of looks add up to the whole at most, so that the number need not be known
/// beforehand (Bonferroni's inequality; the sum of 1/k^2 is pi^2/6).
pub(crate) fn share(error: f64, look: u32) -> Option<Confidence> {
    let number = f64::from(look) + 1.0;
    let share = error * 6.0 / (PI * PI * number * number);
    Confidence::new(1.0 - share).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_made_at_growing_distances() {
        let at = |schedule: Schedule| [0, 1, 2, 3].map(|look| schedule.at(look));
        assert_eq!(at(Schedule::Pairs), [64, 128, 256, 512]);
        assert_eq!(at(Schedule::Launches), [16, 24, 36, 54]);
        assert!(Schedule::Pairs.is_due(128) && Schedule::Launches.is_due(36));
        assert!(!Schedule::Pairs.is_due(0) && !Schedule::Pairs.is_due(100));
        assert!(Schedule::Launches.at(u32::MAX) > 1 << 30);
    }

    #[test]
    fn the_shares_of_all_looks_are_the_error() {
        let sum: f64 = (0..100_000)
            .map(|look| share(1e-3, look).unwrap().error())
            .sum();
        // Approximate: what is left of the series after so many looks.
        assert!((sum - 1e-3).abs() < 1e-8 && sum <= 1e-3, "{sum}");
    }
}
