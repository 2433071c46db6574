//! The length of a step that is no whole number of ticks.
//!
//! A source that advances by `p` and whose readings are cut or rounded to whole ticks shows
//! differences `d` with `|d - k p| < 1` for a whole `k`. So every difference whose `k` is known
//! bounds `p` from both sides, the closer the larger it is; small ones come first, and leave only
//! one possible `k` for larger ones.

use super::{Deltas, Regime};

/// Share of the changes that have to fit. Rounding that is not exact, as in a clock that is slewed,
/// leaves some out.
const FITTING: f64 = 0.99;

/// Shortest step that is looked for, in units of the readings: nearly every whole number is near
/// a multiple of a shorter one.
const SHORTEST: f64 = 4.0;

/// Largest probability that readings without any step fit one.
const CHANCE: f64 = 1e-3;

/// A step in units of the readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// Share of the changes that are multiples of it, up to rounding.
    pub(super) share: f64,
}

/// The longest step that the differences, which are all multiples of `unit`, fit; `None` where they
/// fit none better than chance would.
///
/// Where the source is coarser than its readings the commonest difference is one step; elsewhere it
/// may be any number of them.
pub(super) fn fit(deltas: &Deltas, unit: u64, regime: Regime) -> Option<Fit> {
    let unit = i128::from(unit);
    let commonest = (deltas.commonest()? / unit) as f64;
    let most_steps = match regime {
        Regime::ResolutionBound => 1.0,
        Regime::LatencyBound | Regime::Still => (commonest / SHORTEST).floor(),
    };
    let mut steps = 1.0;
    while steps <= most_steps {
        let mut bounds = Bounds {
            lower: (commonest - 1.0) / steps,
            upper: (commonest + 1.0) / steps,
        };
        let fitting = bounds.narrow(deltas, unit);
        // A wrong number of steps in the commonest difference shows over long stretches only.
        if !bounds.stretch(deltas, unit) {
            steps += 1.0;
            continue;
        }
        let share = fitting.changes as f64 / deltas.changes() as f64;
        let likely = regime == Regime::ResolutionBound || fitting.beyond_chance(&bounds);
        if share >= FITTING && likely && bounds.upper > SHORTEST {
            let Bounds { lower, upper } = bounds;
            return Some(Fit {
                lower,
                upper,
                share,
            });
        }
        steps += 1.0;
    }
    None
}

/// What of a histogram fits.
#[derive(Default)]
struct Fitting {
    /// Changes, by count.
    changes: u64,
    /// Differences, each once.
    different: i32,
    /// Numbers of steps that were seen.
    multiples: Vec<u64>,
}

impl Fitting {
    /// Whether differences at random would hardly fit as well.
    fn beyond_chance(&self, bounds: &Bounds) -> bool {
        let one_fits = (2.0 / bounds.lower).min(1.0);
        self.multiples.len() >= 3 && one_fits.powi(self.different - 1) < CHANCE
    }
}

/// What the length of a step is known to lie between, strictly.
struct Bounds {
    lower: f64,
    upper: f64,
}

impl Bounds {
    /// Takes in all differences, the small ones first.
    fn narrow(&mut self, deltas: &Deltas, unit: i128) -> Fitting {
        let mut fitting = Fitting::default();
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
                Admitted::Not => {}
            }
        }
        fitting
    }

    /// Takes in the differences over many readings, and says whether most of them fit. One that does
    /// not may hold the moment at which the system slewed its clock.
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

    /// Takes in one difference, if there is one number of steps that it must be.
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
    /// It is so many steps.
    Bounded(u64),
    /// It is so long that several numbers of steps are possible.
    Undecided,
    /// It is no number of steps.
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
        // Every difference from 558 to 657 once: 100 neighbours cannot all be near a multiple.
        let counts: Vec<_> = (558..658).map(|ticks| (ticks, 1)).collect();
        let deltas = Deltas::of_counts(&counts);
        assert_eq!(fit(&deltas, 1, Regime::LatencyBound), None);
    }
}
