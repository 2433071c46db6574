//! The step by which the readings of a source advance.
//!
//! The step may be a fraction of a tick. A source that advances by `p`, and whose readings are rounded to
//! whole ticks, shows differences `d` with `|d - k p| < 1` for a whole `k`. So every difference whose `k`
//! is known bounds `p` from both sides, more tightly the larger it is; small ones come first, and leave
//! only one possible `k` for larger ones.

use super::regime::bumped_step;
use super::{Deltas, Regime};

/// Share of the changes that have to be multiples of a step. The rest may come from the counter of another
/// processor, which steps in another phase.
const FITTING: f64 = 0.999;

/// Number of different differences whose common divisor is the step with certainty. `n` random multiples of
/// a step share another factor with a probability below `2^(1 - n)`.
const ENOUGH_DIFFERENT: usize = 8;

/// Smallest difference, in common divisors, for which the divisor may be an artefact of rounding: a source
/// that advances by 41.67 units reads as steps of 41 and 42, whose divisor is 1.
const SUSPICIOUS: u64 = 4;

/// The step of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// The differences are multiples of this many ticks.
    Whole(u64),
    /// The source advances by this many ticks, and a reading within a step is one tick more than the last
    /// one: no two are equal, but the source resolves nothing finer than the step.
    Bumped(u64),
    /// The source advances by a fraction that its readings round to whole ticks: 41 and 42 alternate for a
    /// step of 41.67. The true step lies strictly between the two ends.
    Fraction {
        /// Lower end, in ticks.
        lower: f64,
        /// Upper end, in ticks.
        upper: f64,
    },
    /// The source stands still and then jumps, by amounts without a common divisor.
    Varying {
        /// The smallest, in ticks.
        lowest: u64,
        /// The median, in ticks.
        median: u64,
    },
}

/// The step of a source and the evidence for it.
///
/// # Accuracy
///
/// With too few different differences the common divisor may be a multiple of the true step:
/// [`certain`](Granularity::certain) is false then. Steps below one tick cannot be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Granularity {
    /// The step.
    pub step: Step,
    /// Share of the changes that fit it, 0 to 1.
    pub share: f64,
    /// Whether the true step cannot be a divisor of this one.
    pub certain: bool,
}

impl Granularity {
    /// The step, from sequential differences; `None` if the source did not move.
    #[must_use]
    pub fn of(deltas: &Deltas) -> Option<Granularity> {
        let certain = |step, share| {
            Some(Granularity {
                step,
                share,
                certain: true,
            })
        };
        let regime = Regime::of(deltas);
        if let Some((step, share)) = bumped_step(deltas) {
            return certain(Step::Bumped(step), share);
        }
        let (divisor, share) = common_divisor(deltas)?;
        let smallest = u64::try_from(deltas.smallest()?).ok()? / divisor;
        if smallest >= SUSPICIOUS {
            if let Some((step, share)) = fraction(deltas, divisor, regime) {
                return certain(step, share);
            }
            if regime == Regime::ResolutionBound {
                let lowest = smallest * divisor;
                let median = u64::try_from(deltas.median_change()?).ok()?;
                return certain(Step::Varying { lowest, median }, 1.0);
            }
        }
        Some(Granularity {
            step: Step::Whole(divisor),
            share,
            certain: regime == Regime::ResolutionBound
                || deltas.positive().take(ENOUGH_DIFFERENT).count() == ENOUGH_DIFFERENT,
        })
    }

    /// The step in ticks: the median of a varying one; of a fraction as many digits as are certain.
    #[must_use]
    pub fn ticks(&self) -> f64 {
        match self.step {
            Step::Whole(ticks) | Step::Bumped(ticks) => ticks as f64,
            Step::Fraction { lower, upper } => {
                let half_width = (upper - lower) / 2.0;
                let digit = 10_f64.powf(half_width.log10().ceil());
                ((lower + half_width) / digit).round() * digit
            }
            Step::Varying { median, .. } => median as f64,
        }
    }
}

/// The greatest common divisor of the most frequent differences that together make up the fitting
/// share of all changes, and the share of changes that are multiples of it.
fn common_divisor(deltas: &Deltas) -> Option<(u64, f64)> {
    let mut by_count: Vec<(u64, u64)> = deltas
        .positive()
        .filter_map(|(ticks, count)| Some((u64::try_from(ticks).ok()?, count)))
        .collect();
    by_count.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let changes = deltas.changes() as f64;
    let mut divisor = 0;
    let mut seen = 0;
    for &(ticks, count) in &by_count {
        if seen as f64 >= FITTING * changes {
            break;
        }
        divisor = greatest_common_divisor(divisor, ticks);
        seen += count;
    }
    if divisor == 0 {
        return None;
    }
    let multiples = by_count.iter().filter(|(ticks, _)| ticks % divisor == 0);
    let fitting: u64 = multiples.map(|&(_, count)| count).sum();
    Some((divisor, fitting as f64 / changes))
}

/// Euclid's algorithm; the other number if one of them is zero.
fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Share of the changes that have to fit a fraction. Inexact rounding, as of a slewed clock, makes some of
/// them not fit.
const FITTING_FRACTION: f64 = 0.99;

/// Shortest step that is tried, in units of the readings: nearly every whole number is near a multiple of a
/// shorter one.
const SHORTEST: f64 = 4.0;

/// Largest probability that readings without a step fit one.
const CHANCE: f64 = 1e-3;

/// The longest step of a fraction of ticks that the differences fit, and the share of the changes that are
/// multiples of it, up to rounding; `None` if they fit none better than chance. All differences are
/// multiples of `unit`.
///
/// If the source is coarser than its readings, the commonest difference is one step; otherwise it may be any
/// number of steps.
fn fraction(deltas: &Deltas, unit: u64, regime: Regime) -> Option<(Step, f64)> {
    let commonest = (deltas.commonest()? / i128::from(unit)) as f64;
    let most_steps = match regime {
        Regime::ResolutionBound => 1,
        Regime::LatencyBound | Regime::Still => (commonest / SHORTEST) as u64,
    };
    let changes = deltas.changes() as f64;
    let most_unfitting = (1.0 - FITTING_FRACTION) * changes;
    (1..=most_steps).find_map(|steps| {
        let mut bounds = Bounds {
            lower: (commonest - 1.0) / steps as f64,
            upper: (commonest + 1.0) / steps as f64,
        };
        let fitting = bounds.narrow(deltas, unit.into(), most_unfitting)?;
        // Only long stretches show a wrong number of steps in the commonest difference.
        if !bounds.stretch(deltas, unit.into()) {
            return None;
        }
        let share = fitting.changes as f64 / changes;
        let likely = regime == Regime::ResolutionBound || fitting.beyond_chance(&bounds);
        let step = Step::Fraction {
            lower: bounds.lower * unit as f64,
            upper: bounds.upper * unit as f64,
        };
        (likely && bounds.upper > SHORTEST).then_some((step, share))
    })
}

/// The part of a histogram that fits a step.
#[derive(Default)]
struct Fitting {
    /// Changes, by count.
    changes: u64,
    /// Differences, each once.
    different: i32,
    /// Numbers of steps that occurred.
    multiples: Vec<u64>,
}

impl Fitting {
    /// Whether random differences would hardly fit as well.
    fn beyond_chance(&self, bounds: &Bounds) -> bool {
        let one_fits = (2.0 / bounds.lower).min(1.0);
        self.multiples.len() >= 3 && one_fits.powi(self.different - 1) < CHANCE
    }
}

/// The length of a step lies strictly between these.
struct Bounds {
    lower: f64,
    upper: f64,
}

impl Bounds {
    /// Uses all differences, the small ones first; `None` as soon as more than `most_unfitting` of them do not fit.
    fn narrow(&mut self, deltas: &Deltas, unit: i128, most_unfitting: f64) -> Option<Fitting> {
        let mut fitting = Fitting::default();
        let mut unfitting = 0;
        for (ticks, count) in deltas.positive() {
            match self.admit((ticks / unit) as f64) {
                Admitted::Bounded(steps) => {
                    fitting.changes += count;
                    fitting.different += 1;
                    if fitting.multiples.last() != Some(&steps) {
                        fitting.multiples.push(steps);
                    }
                }
                Admitted::Undecided => fitting.changes += count,
                Admitted::Not => {
                    unfitting += count;
                    if unfitting as f64 > most_unfitting {
                        return None;
                    }
                }
            }
        }
        Some(fitting)
    }

    /// Uses the differences over many readings; returns whether most of them fit. One that does not may
    /// contain the moment at which the system slewed its clock.
    fn stretch(&mut self, deltas: &Deltas, unit: i128) -> bool {
        let (mut fit, mut do_not) = (0, 0);
        for &span in deltas.spans().iter().filter(|&&span| span > 0) {
            match self.admit((span / unit) as f64) {
                Admitted::Bounded(_) => fit += 1,
                Admitted::Not => do_not += 1,
                Admitted::Undecided => {}
            }
        }
        fit >= do_not
    }

    /// Uses one difference, if only one number of steps is possible for it.
    fn admit(&mut self, difference: f64) -> Admitted {
        let middle = self.lower + (self.upper - self.lower) / 2.0;
        if difference / self.lower - difference / self.upper >= 1.0 {
            return Admitted::Undecided;
        }
        let steps = (difference / middle).round();
        if steps < 1.0 {
            return Admitted::Not;
        }
        let lower = self.lower.max((difference - 1.0) / steps);
        let upper = self.upper.min((difference + 1.0) / steps);
        if lower >= upper {
            return Admitted::Not;
        }
        *self = Bounds { lower, upper };
        Admitted::Bounded(steps as u64)
    }
}

enum Admitted {
    /// It is this many steps.
    Bounded(u64),
    /// Several numbers of steps are possible.
    Undecided,
    /// No number of steps is possible.
    Not,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_on_the_step() {
        let mut bounds = Bounds {
            lower: 41.0,
            upper: 43.0,
        };
        for (difference, steps) in [(41.0, 1), (83.0, 2), (125.0, 3), (1_000.0, 24)] {
            let Admitted::Bounded(found) = bounds.admit(difference) else {
                panic!("{difference} fits");
            };
            assert_eq!(found, steps);
        }
        assert!(bounds.lower < 125.0 / 3.0 && 125.0 / 3.0 < bounds.upper);
        assert!(bounds.upper - bounds.lower < 0.09);
        assert!(matches!(bounds.admit(62.0), Admitted::Not));
        assert!(matches!(bounds.admit(1e9), Admitted::Undecided));
    }

    #[test]
    fn random_latencies_fit_nothing() {
        // Every difference from 558 to 657 once: 100 adjacent ones cannot all be near a multiple.
        let counts: Vec<_> = (558..658).map(|ticks| (ticks, 1)).collect();
        let deltas = Deltas::of_counts(&counts);
        assert_eq!(fraction(&deltas, 1, Regime::LatencyBound), None);
    }
}
