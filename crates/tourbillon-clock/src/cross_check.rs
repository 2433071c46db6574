//! A clock's frequency held against the operating system's clock over the length of a run.

use crate::{Anchor, Frequency, FrequencyFrom};

/// How far a clock was off its frequency between two anchors.
///
/// The ticks of each anchor's reference reading are known to lie in its bracket, and the reference
/// to be exact up to its step; so the true rate lies between
/// `(before2 - after1) / (t2 - t1 + step)` and `(after2 - before1) / (t2 - t1 - step)`: interval
/// arithmetic, a hard bound, no assumption about the distribution of anything. With brackets of
/// 30 ns the bound is 0.03 ppm after a second.
///
/// # Accuracy
///
/// The reference is what the system's clock says. On Linux that is the kernel's conversion from a
/// counter, often from the very one that is checked, by a multiplier of some 23 bits: deviations up
/// to 0.1 ppm may be its rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossCheck {
    /// Middle of the possible rates over the frequency that was assumed, minus one, in parts per
    /// million: positive where the clock runs faster than assumed.
    pub deviation_ppm: f64,
    /// Half of the width of the possible rates, in parts per million of the frequency.
    pub bound_ppm: f64,
    /// Time between the two anchors, in nanoseconds of the reference clock.
    pub baseline_ns: u64,
}

impl CrossCheck {
    /// Compares `frequency` with what the clock did from `first` to `last`.
    ///
    /// `None` where the two do not make a bound: anchors in the wrong order or closer together
    /// than a step of the reference, or a clock that went backwards in between.
    #[must_use]
    pub fn between(first: &Anchor, last: &Anchor, frequency: &Frequency) -> Option<CrossCheck> {
        let rates = Rates::between(first, last)?;
        let assumed = frequency.hz();
        Some(CrossCheck {
            deviation_ppm: (rates.middle() / assumed - 1.0) * 1e6,
            bound_ppm: rates.half_width() / assumed * 1e6,
            baseline_ns: rates.baseline_ns,
        })
    }
}

impl Frequency {
    /// The frequency that a clock had between two anchors, to the nearest hertz, with the hard
    /// bound of [`CrossCheck`].
    ///
    /// The longer the time between the anchors, the better: a run whose frequency was
    /// [measured](FrequencyFrom::Measured) at its start has a far better one at its end.
    ///
    /// `None` where the two do not make a bound, and where that bound includes zero: a clock that
    /// stood still, or one of coarse steps that was watched for less than a step.
    #[must_use]
    pub fn between(first: &Anchor, last: &Anchor) -> Option<Frequency> {
        let rates = Rates::between(first, last)?;
        if rates.lowest <= 0.0 {
            return None;
        }
        let hz = rates.middle().round();
        let error_ppm = (rates.half_width() + 0.5) / hz * 1e6;
        Frequency::new(hz as u64, 1, FrequencyFrom::Measured, Some(error_ppm)).ok()
    }
}

/// The rates that two anchors leave possible, in ticks per second.
struct Rates {
    lowest: f64,
    highest: f64,
    baseline_ns: u64,
}

impl Rates {
    fn between(first: &Anchor, last: &Anchor) -> Option<Rates> {
        first.after.since(first.before)?;
        last.after.since(last.before)?;
        let baseline_ns = last.reference_ns.checked_sub(first.reference_ns)?;
        let reference_step = first.reference_step_ns.max(last.reference_step_ns);
        let clock_step = first.clock_step.max(last.clock_step);
        let shortest_ns = match baseline_ns.checked_sub(reference_step)? {
            0 => return None,
            ns => ns,
        };
        let longest_ns = baseline_ns.checked_add(reference_step)?;
        let fewest = last
            .before
            .since(first.after)?
            .0
            .saturating_sub(clock_step.0);
        let most = last
            .after
            .since(first.before)?
            .0
            .checked_add(clock_step.0)?;
        Some(Rates {
            lowest: fewest as f64 * 1e9 / longest_ns as f64,
            highest: most as f64 * 1e9 / shortest_ns as f64,
            baseline_ns,
        })
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.lowest, self.highest)
    }

    fn half_width(&self) -> f64 {
        (self.highest - self.lowest) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ticks;

    fn anchor(before: u64, reference_ns: u64, after: u64) -> Anchor {
        Anchor {
            before: Ticks(before),
            reference_ns,
            after: Ticks(after),
            reference_step_ns: 1,
            clock_step: Ticks(0),
        }
    }

    fn gigahertz() -> Frequency {
        Frequency::of_nanoseconds()
    }

    #[test]
    fn the_bound_is_the_brackets_over_the_baseline() {
        // A second, brackets of 20 ticks each, a step of 1 ns: 21 ns on either side.
        let first = anchor(1_000, 5_000, 1_020);
        let last = anchor(1_000_001_000, 1_000_005_000, 1_000_001_020);
        let check = CrossCheck::between(&first, &last, &gigahertz()).unwrap();
        assert_eq!(check.baseline_ns, 1_000_000_000);
        assert!(check.deviation_ppm.abs() < 1e-6, "{check:?}");
        assert!((check.bound_ppm - 0.021).abs() < 1e-6, "{check:?}");
    }

    #[test]
    fn a_clock_that_runs_fast_deviates_upwards() {
        let first = anchor(0, 0, 0);
        let last = anchor(1_000_100_000, 1_000_000_000, 1_000_100_000);
        let check = CrossCheck::between(&first, &last, &gigahertz()).unwrap();
        assert!((check.deviation_ppm - 100.0).abs() < 1e-3, "{check:?}");
        let measured = Frequency::between(&first, &last).unwrap();
        assert_eq!(
            (measured.numerator, measured.denominator),
            (1_000_100_000, 1)
        );
        assert_eq!(measured.from, FrequencyFrom::Measured);
        assert!(measured.error_ppm.unwrap() < 0.002);
    }

    #[test]
    fn coarse_steps_widen_the_bound() {
        let mut first = anchor(0, 0, 0);
        let last = anchor(1_000_000_000, 1_000_000_000, 1_000_000_000);
        first.reference_step_ns = 1_000;
        first.clock_step = Ticks(500);
        let check = CrossCheck::between(&first, &last, &gigahertz()).unwrap();
        assert!((check.bound_ppm - 1.5).abs() < 1e-5, "{check:?}");
    }

    #[test]
    fn what_makes_no_bound_makes_no_check() {
        let first = anchor(1_000, 5_000, 1_020);
        for last in [
            first,                       // no time between the two
            anchor(1_500, 5_001, 1_520), // less than a step more than none
            anchor(2_000, 4_000, 2_020), // the reference went back
            anchor(500, 9_000, 520),     // the clock went back
            anchor(2_020, 9_000, 2_000), // no bracket
        ] {
            assert_eq!(
                CrossCheck::between(&first, &last, &gigahertz()),
                None,
                "{last:?}"
            );
        }
        // A clock that stands still has a check, but no frequency.
        let still = anchor(1_000, 9_000, 1_000);
        let first = anchor(1_000, 5_000, 1_000);
        assert!(CrossCheck::between(&first, &still, &gigahertz()).is_some());
        assert_eq!(Frequency::between(&first, &still), None);
    }
}
