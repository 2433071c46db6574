//! The place of a change in a sequence, found by few comparisons, each of which may be wrong or without an answer.

use std::ops::RangeInclusive;

/// Finds the first of several places after a change by comparisons with place 0, which is before it.
///
/// The last place is after the change. Each comparison gets an equal part of the error that is left: `left / steps`,
/// where `steps` is how many halvings the range needs. The parts of all comparisons add up to the error at most,
/// whatever they answer, so that the result is wrong with this probability at most. Where every comparison decides,
/// each has `error / ceil(log2(places))`.
///
/// A place without an answer is skipped: another one near the middle takes its turn. Comparisons without a decision
/// end the search once there were as many of them as steps were planned; the result is a range then.
///
/// # Examples
///
/// ```
/// use tourbillon_history::{Bisection, Probed};
///
/// // Sixteen commits after the reference; the eleventh makes the program slower.
/// let mut bisection = Bisection::new(16, 0.001);
/// while let Some(probe) = bisection.probe() {
///     let answer = if probe.place < 11 { Probed::Before } else { Probed::After };
///     bisection.answer(probe, answer);
/// }
/// assert_eq!(bisection.range(), 11..=11);
/// ```
#[derive(Clone, Debug)]
pub struct Bisection {
    /// The last place that is before the change, and the first that is after it.
    before: usize,
    after: usize,
    /// Whether a place was probed in vain.
    vain: Vec<bool>,
    error_left: f64,
    /// Comparisons without a decision that are allowed yet.
    undecided_left: u32,
}

/// A comparison to make; [`Bisection`] has an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The place to compare with place 0.
    pub place: usize,
    /// How often the comparison may be wrong.
    pub error: f64,
}

/// What became of a probe; [`Bisection`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probed {
    /// The place is before the change.
    Before,
    /// The place is after the change.
    After,
    /// The comparison was made and did not decide.
    Undecided,
    /// There was no comparison, which costs no error.
    Impossible,
}

impl Bisection {
    /// A search among places 1 to `last`. `error` is the probability of a wrong result.
    pub fn new(last: usize, error: f64) -> Bisection {
        Bisection {
            before: 0,
            after: last.max(1),
            vain: vec![false; last.max(1)],
            error_left: error,
            undecided_left: halvings(last.max(1)),
        }
    }

    /// The places of which one is the first after the change.
    pub fn range(&self) -> RangeInclusive<usize> {
        self.before + 1..=self.after
    }

    /// How many comparisons are left if each decides.
    pub fn steps(&self) -> u32 {
        halvings(self.after - self.before)
    }

    /// The next comparison; `None` once the range cannot be made smaller.
    pub fn probe(&self) -> Option<Probe> {
        let place = self.place()?;
        Some(Probe {
            place,
            error: self.error_left / f64::from(self.steps()),
        })
    }

    /// Takes the answer of a probe.
    pub fn answer(&mut self, probe: Probe, answer: Probed) {
        if answer != Probed::Impossible {
            self.error_left -= probe.error;
        }
        match answer {
            Probed::Before => self.before = self.before.max(probe.place),
            Probed::After => self.after = self.after.min(probe.place),
            Probed::Undecided | Probed::Impossible => self.vain[probe.place] = true,
        }
        if answer == Probed::Undecided {
            self.undecided_left = self.undecided_left.saturating_sub(1);
        }
    }

    /// The middle of the range, or the nearest place to it at a distance of a power of two: places that cannot be built
    /// are often next to each other. Else any.
    fn place(&self) -> Option<usize> {
        if self.undecided_left == 0 {
            return None;
        }
        let is_open =
            |place: &usize| *place > self.before && *place < self.after && !self.vain[*place];
        let middle = self.before + (self.after - self.before) / 2;
        let around = (0..usize::BITS)
            .map(|power| 1_usize << power)
            .take_while(|distance| *distance < self.after - self.before)
            .flat_map(|distance| [middle.checked_add(distance), middle.checked_sub(distance)]);
        let mut near = [Some(middle)].into_iter().chain(around).flatten();
        near.find(is_open)
            .or_else(|| (self.before + 1..self.after).find(is_open))
    }
}

/// How often a range of so many places has to be halved until one is left.
fn halvings(places: usize) -> u32 {
    places.next_power_of_two().trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of a search for `first` among `last` places, and the errors of its comparisons. `vain` has the
    /// answers that are no decision.
    fn found(
        last: usize,
        first: usize,
        vain: impl Fn(usize) -> Option<Probed>,
    ) -> (RangeInclusive<usize>, Vec<f64>) {
        let mut bisection = Bisection::new(last, 0.001);
        let mut errors = Vec::new();
        while let Some(probe) = bisection.probe() {
            assert!(probe.place > 0 && probe.place < last);
            let truth = if probe.place < first {
                Probed::Before
            } else {
                Probed::After
            };
            let answer = vain(probe.place).unwrap_or(truth);
            if answer != Probed::Impossible {
                errors.push(probe.error);
            }
            bisection.answer(probe, answer);
        }
        (bisection.range(), errors)
    }

    #[test]
    fn each_place_is_found_in_the_planned_steps_of_one_error() {
        for last in 1..70 {
            let steps = halvings(last) as usize;
            assert!(1 << steps >= last && (steps == 0 || 1 << (steps - 1) < last));
            for first in 1..=last {
                let (range, errors) = found(last, first, |_| None);
                assert_eq!(range, first..=first, "{last}");
                assert!(errors.len() <= steps, "{last} {first}");
                let each = 0.001 / steps.max(1) as f64;
                let total: f64 = errors.iter().sum();
                assert!(total <= 0.001 + 1e-12);
                assert!(
                    errors
                        .first()
                        .is_none_or(|error| (error - each).abs() < 1e-15)
                );
            }
        }
    }

    #[test]
    fn places_without_an_answer_stay_in_the_range() {
        // Places 6 to 10 cannot be built; the change is in 8.
        let broken = |place: usize| (6..=10).contains(&place).then_some(Probed::Impossible);
        let (range, errors) = found(16, 8, broken);
        assert_eq!(range, 6..=11);
        assert!(errors.iter().sum::<f64>() <= 0.001);
        // The change is elsewhere.
        assert_eq!(found(16, 3, broken).0, 3..=3);
        assert_eq!(found(16, 13, broken).0, 13..=13);
    }

    #[test]
    fn undecided_comparisons_end_the_search_and_cost_error() {
        let (range, errors) = found(16, 8, |_| Some(Probed::Undecided));
        assert_eq!((range, errors.len()), (1..=16, 4));
        assert!(errors.iter().sum::<f64>() < 0.001);
        // One of them does not.
        let (range, errors) = found(16, 3, |place| (place == 8).then_some(Probed::Undecided));
        assert_eq!(range, 3..=3);
        assert!(errors.iter().sum::<f64>() <= 0.001);
        // With two places there is no other.
        let (range, _) = found(2, 1, |_| Some(Probed::Undecided));
        assert_eq!(range, 1..=2);
    }

    #[test]
    fn one_place_needs_no_comparison() {
        assert_eq!(Bisection::new(1, 0.001).probe(), None);
        assert_eq!(Bisection::new(1, 0.001).range(), 1..=1);
        assert_eq!(Bisection::new(0, 0.001).range(), 1..=1);
    }
}
