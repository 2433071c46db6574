//! A clock's frequency compared with the operating system's clock over the length of a run.

use crate::{Clock, Frequency, FrequencyFrom, Ticks, os};

/// Number of triples for a moment, of which the narrowest is kept.
const TRIPLES: usize = 16;

/// Assumed step of a reference clock that did not move during all the triples: that of the coarsest
/// monotonic clock of any system (64 updates a second).
const COARSEST_STEP_NS: u64 = 15_625_000;

/// A moment on a clock and on the operating system's reference clock.
///
/// The reference (`CLOCK_MONOTONIC_RAW` on Linux) is read between two readings of the clock: it was
/// certainly latched at a tick in between. Of sixteen such triples the one with the narrowest bracket is
/// kept, so an interruption in one of them has no effect. Two anchors make a [`CrossCheck`].
///
/// # Cost
///
/// About a microsecond, and some tens more to read the clock source of Linux.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    triple: Triple,
    /// Bound of the lag of the reference's readings.
    reference_step_ns: u64,
    /// Bound of the lag of the clock's readings, as seen from the reference.
    clock_step: Ticks,
}

/// A reading of the reference in its bracket.
#[derive(Clone, Copy, Debug)]
struct Triple {
    before: Ticks,
    reference_ns: u64,
    after: Ticks,
}

impl Anchor {
    /// Takes the moment now.
    #[must_use]
    pub fn take(clock: &Clock) -> Anchor {
        let triples: [Triple; TRIPLES] = std::array::from_fn(|_| Triple::take(clock));
        let narrowest = triples.into_iter().min_by_key(Triple::width);
        let (reference_step_ns, clock_step) = steps(clock, &triples);
        Anchor {
            triple: narrowest.unwrap_or(triples[0]),
            reference_step_ns,
            clock_step,
        }
    }
}

/// Reads the reference clock, which a script defines, too.
fn reference_ns(clock: &Clock) -> u64 {
    #[cfg(feature = "script")]
    if let Some(script) = clock.script() {
        return script.reference_ns();
    }
    #[cfg(not(feature = "script"))]
    let _ = clock;
    os::reference_ns()
}

impl Triple {
    fn take(clock: &Clock) -> Triple {
        let before = clock.start();
        Triple {
            before,
            reference_ns: reference_ns(clock),
            after: clock.stop(),
        }
    }

    /// The highest number for a bracket that ends before it begins, with which no check can be made.
    fn width(&self) -> u64 {
        self.after
            .since(self.before)
            .map_or(u64::MAX, |width| width.0)
    }
}

/// Bounds of the steps in which the reference and the clock advance.
///
/// If the kernel makes the reference from the counter that is read here, a reading of the reference is a
/// function of a reading of the counter, truncated to a nanosecond: the counter's step is in both and
/// cancels. Otherwise the smallest observed change is at least a step, up to the truncation of a
/// fraction. Without any change, the clock has the coarsest possible step, or is a counter that is slower
/// than the triples.
fn steps(clock: &Clock, triples: &[Triple]) -> (u64, Ticks) {
    if clock.is_counter() && os::reference_counts(clock.name()) {
        return (1, Ticks(0));
    }
    let reference = smallest_change(triples.iter().map(|triple| triple.reference_ns));
    let readings = triples
        .iter()
        .flat_map(|triple| [triple.before.0, triple.after.0]);
    let unseen = if clock.is_counter() {
        0
    } else {
        COARSEST_STEP_NS
    };
    (
        reference.unwrap_or(COARSEST_STEP_NS) + 1,
        Ticks(smallest_change(readings).unwrap_or(unseen) + 1),
    )
}

/// The smallest difference between consecutive readings that is not zero.
fn smallest_change(readings: impl Iterator<Item = u64>) -> Option<u64> {
    let mut last = None;
    readings
        .filter_map(|reading| {
            last.replace(reading)
                .map(|last: u64| reading.abs_diff(last))
        })
        .filter(|&change| change != 0)
        .min()
}

/// Deviation of a clock from its frequency between two anchors.
///
/// The ticks of each anchor's reference reading lie in its bracket, and the reference is exact up to its
/// step; so the true rate lies between `(before2 - after1) / (t2 - t1 + step)` and
/// `(after2 - before1) / (t2 - t1 - step)`: interval arithmetic, a hard bound without assumptions about
/// distributions. With brackets of 30 ns the bound is 0.03 ppm after a second.
///
/// # Accuracy
///
/// The reference is the system's clock. On Linux the kernel converts it from a counter, often the one that
/// is checked, with a multiplier of about 23 bits: deviations up to 0.1 ppm may be its rounding.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::{Anchor, Clock, CrossCheck};
///
/// let clock = Clock::choose().clock;
/// let first = Anchor::take(&clock);
/// let sum: u64 = (0..100_000).sum();
/// let last = Anchor::take(&clock);
/// if let Some(check) = CrossCheck::between(&first, &last, &clock.frequency()) {
///     println!("{sum}: off by {} ppm at most", check.deviation_ppm.abs() + check.bound_ppm);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossCheck {
    /// Middle of the possible rates divided by the assumed frequency, minus one, in parts per million:
    /// positive if the clock runs faster than assumed.
    pub deviation_ppm: f64,
    /// Half of the width of the range of possible rates, in parts per million of the frequency.
    pub bound_ppm: f64,
    /// Time between the two anchors, in nanoseconds of the reference clock.
    pub baseline_ns: u64,
}

impl CrossCheck {
    /// Compares `frequency` with the rate of the clock from `first` to `last`.
    ///
    /// `None` without a bound: for anchors in the wrong order or closer together than a step of the
    /// reference, and for a clock that went backwards in between.
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
    /// The frequency of a clock between two anchors, to the nearest hertz, with the hard bound of
    /// [`CrossCheck`].
    ///
    /// The bound shrinks with the time between the anchors: a run that
    /// [measured](FrequencyFrom::Measured) the frequency at its start has a far better one at its end.
    ///
    /// `None` without a bound, and if the bound includes zero: for a clock that stood still, or that was
    /// observed for less than a step.
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

/// The range of rates that two anchors allow, in ticks per second.
struct Rates {
    lowest: f64,
    highest: f64,
    baseline_ns: u64,
}

impl Rates {
    fn between(first: &Anchor, last: &Anchor) -> Option<Rates> {
        let (begin, end) = (&first.triple, &last.triple);
        begin.after.since(begin.before)?;
        end.after.since(end.before)?;
        let baseline_ns = end.reference_ns.checked_sub(begin.reference_ns)?;
        let reference_step = first.reference_step_ns.max(last.reference_step_ns);
        let clock_step = first.clock_step.max(last.clock_step);
        let shortest_ns = baseline_ns.checked_sub(reference_step)?;
        let longest_ns = baseline_ns.checked_add(reference_step)?;
        let fewest = end
            .before
            .since(begin.after)?
            .0
            .saturating_sub(clock_step.0);
        let most = end.after.since(begin.before)?.0.checked_add(clock_step.0)?;
        (shortest_ns > 0).then(|| Rates {
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

    fn anchor(before: u64, reference_ns: u64, after: u64) -> Anchor {
        Anchor {
            triple: Triple {
                before: Ticks(before),
                reference_ns,
                after: Ticks(after),
            },
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

    #[test]
    fn the_smallest_change_skips_repetitions() {
        for (readings, expected) in [
            (&[5, 5, 9, 8, 20][..], Some(1)),
            (&[100, 200, 200, 500], Some(100)),
            (&[7, 7, 7], None),
            (&[7], None),
            (&[], None),
        ] {
            let found = smallest_change(readings.iter().copied());
            assert_eq!(found, expected, "{readings:?}");
        }
    }
}
