use crate::Confidence;

/// Numbers of launches after which a run that is asked for a precision looks at its intervals.
pub const LAUNCHES: [u32; 3] = [20, 40, 80];

/// One of several looks at the same growing set of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// After how many values.
    pub at: u32,
    /// The confidence to ask for in this look.
    pub confidence: Confidence,
}

/// Shares the error of `overall` evenly between the looks that are planned, so that all of their
/// intervals hold together with at least that confidence, and stopping at whichever look is liked
/// best is honest.
///
/// By Bonferroni's inequality: it asks nothing of the values, least of all that looks are
/// independent, which they cannot be. A look that was not planned is not paid for: of twenty looks
/// at 99 % each, some interval misses in about 10 % of runs, not in 1 %.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Confidence, LAUNCHES, looks};
///
/// let [first, .., last] = looks(LAUNCHES, Confidence::P99);
/// assert_eq!((first.at, last.at), (20, 80));
/// assert!((first.confidence.level() - 0.99667).abs() < 0.00001);
/// ```
pub fn looks<const K: usize>(at: [u32; K], overall: Confidence) -> [Look; K] {
    let confidence = overall.shared_by(K);
    let mut looks = [Look { at: 0, confidence }; K];
    for look in 0..K {
        looks[look].at = at[look];
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sample, median_interval};

    #[test]
    fn the_shares_add_up_to_the_error() {
        let total: f64 = looks(LAUNCHES, Confidence::P99)
            .iter()
            .map(|l| l.confidence.error())
            .sum();
        // Approximate: a third is not a binary fraction.
        assert!((total - 0.01).abs() < 1e-16);
        let [only] = looks([20], Confidence::P99);
        assert_eq!(only.confidence, Confidence::P99);
        assert_eq!(looks([], Confidence::P99), []);
    }

    #[test]
    fn every_look_has_launches_enough_for_its_interval() {
        for look in looks(LAUNCHES, Confidence::P99) {
            let launches: Vec<u64> = (1..=u64::from(look.at)).collect();
            let interval =
                median_interval(&Sample::from_ticks(&launches).unwrap(), look.confidence);
            assert!(interval.unwrap().confidence >= look.confidence.level());
        }
    }
}
