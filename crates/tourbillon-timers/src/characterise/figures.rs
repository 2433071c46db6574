//! Figures of a source: the resolution that was observed, and the cost of a reading.

use std::fmt;

use tourbillon_clock::{Frequency, Ticks};

use super::{Deltas, Regime};

/// A figure over several series of readings: its range and median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The lowest of all series.
    pub lowest: f64,
    /// The median of the series; the mean of the two in the middle where their number is even.
    pub median: f64,
    /// The highest of all series.
    pub highest: f64,
}

impl Spread {
    /// The spread of one figure per series; `None` without figures, and if one is NaN.
    #[must_use]
    pub fn of(figures: &[f64]) -> Option<Spread> {
        if figures.iter().any(|figure| figure.is_nan()) {
            return None;
        }
        let mut sorted = figures.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Spread {
            lowest: *sorted.first()?,
            median: median_of_sorted(&sorted)?,
            highest: *sorted.last()?,
        })
    }

    /// The same spread in another unit: one of the present unit is `factor` of it.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Spread {
        Spread {
            lowest: self.lowest * factor,
            median: self.median * factor,
            highest: self.highest * factor,
        }
    }
}

/// The median of ascending numbers; `None` for none.
pub(super) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = sorted[sorted.len() / 2 - 1];
    Some(lower + (upper - lower) / 2.0)
}

/// Resolution observed in several series of readings: the differences between sequential readings without
/// the zeros (A. Akinshin, "Stopwatch under the hood", 2016, section "Reciprocal frequency and actual
/// resolution").
///
/// # Accuracy
///
/// Its meaning depends on the [`regime`](Observed::regime). In the latency-bound regime every figure is an
/// upper bound of the resolution: the distance between two different consecutive readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The smallest difference of each series, in ticks.
    pub minimum: Spread,
    /// The mean difference of each series, in ticks.
    pub mean: Spread,
    /// The median difference of each series, in ticks.
    pub median: Spread,
    /// What determines the differences, over all series.
    pub regime: Regime,
    /// Number of series.
    pub series: usize,
}

/// Why no resolution could be observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unobserved {
    /// The source moved in fewer than [`Observed::FEWEST`] series, too few for a spread.
    TooFewSeries {
        /// Number of series in which it moved.
        moved: usize,
        /// Number of series.
        of: usize,
    },
    /// The source did not move in any of them.
    Still,
}

impl Observed {
    /// Fewest series for a spread.
    pub const FEWEST: usize = 5;

    /// The resolution observed in `series` of sequential readings.
    ///
    /// # Errors
    ///
    /// If the source moved in fewer than five of them.
    pub fn of(series: &[Deltas]) -> Result<Observed, Unobserved> {
        let mut all = Deltas::default();
        let (mut minima, mut means, mut medians) = (Vec::new(), Vec::new(), Vec::new());
        for deltas in series {
            all.merge(deltas);
            minima.extend(deltas.smallest().map(|ticks| ticks as f64));
            means.extend(deltas.mean_change());
            medians.extend(deltas.median_change().map(|ticks| ticks as f64));
        }
        let moved = minima.len();
        if moved > 0 && moved < Observed::FEWEST {
            let of = series.len();
            return Err(Unobserved::TooFewSeries { moved, of });
        }
        let spread = |figures: &[f64]| Spread::of(figures).ok_or(Unobserved::Still);
        Ok(Observed {
            minimum: spread(&minima)?,
            mean: spread(&means)?,
            median: spread(&medians)?,
            regime: Regime::of(&all),
            series: moved,
        })
    }
}

impl fmt::Display for Unobserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unobserved::Still => f.write_str("did not move while it was watched"),
            Unobserved::TooFewSeries { moved, of } => {
                write!(f, "moved in {moved} of {of} series only")
            }
        }
    }
}

/// The cost of one operation, in nanoseconds of the clock that it was timed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The median over all batches.
    pub median_ns: f64,
    /// The 99th percentile over all batches, per operation: it includes interruptions.
    pub p99_ns: f64,
}

impl Cost {
    /// The cost of one operation from batches of two lengths, of which the long one has `more` operations
    /// more.
    ///
    /// The cost of the timing itself cancels. Nothing is clamped: a cost below the noise may be negative.
    ///
    /// `None` if a length has no batches, or if `more` is zero.
    #[must_use]
    pub fn of(short: &[Ticks], long: &[Ticks], more: u64, frequency: &Frequency) -> Option<Cost> {
        let (short, long) = (nanos(short, frequency), nanos(long, frequency));
        let base = median_of_sorted(&short)?;
        let middle = median_of_sorted(&long)?;
        // The nearest rank: the smallest value that 99 of 100 do not exceed.
        let rank = (long.len() * 99).div_ceil(100);
        let high = *long.get(rank.checked_sub(1)?)?;
        (more > 0).then(|| Cost {
            median_ns: (middle - base) / more as f64,
            p99_ns: (high - base) / more as f64,
        })
    }

    /// The same cost in cycles of a core that runs at `core_hz`.
    #[must_use]
    pub fn median_cycles(&self, core_hz: f64) -> f64 {
        self.median_ns * core_hz * 1e-9
    }
}

fn nanos(batches: &[Ticks], frequency: &Frequency) -> Vec<f64> {
    let mut nanos: Vec<f64> = batches
        .iter()
        .map(|&ticks| frequency.nanos(ticks))
        .collect();
    nanos.sort_unstable_by(f64::total_cmp);
    nanos
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_clock::FrequencyFrom;

    #[test]
    fn the_spread_has_the_ends_and_the_middle_in_any_order() {
        let spread = Spread::of(&[4.0, 1.0, 3.0, 2.0, 9.0]);
        let expected = Spread {
            lowest: 1.0,
            median: 3.0,
            highest: 9.0,
        };
        assert_eq!(spread, Some(expected));
        assert_eq!(Spread::of(&[4.0, 1.0]).map(|two| two.median), Some(2.5));
    }

    #[test]
    fn no_figures_have_no_spread() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn every_figure_has_its_spread_over_the_series() {
        let series: Vec<Deltas> = (1..=5)
            .map(|number| Deltas::of_counts(&[(0, 90), (number, 9), (100 * number, 1)]))
            .collect();
        let observed = Observed::of(&series).unwrap();
        assert_eq!(observed.series, 5);
        assert_eq!(observed.regime, Regime::ResolutionBound);
        assert_eq!(
            observed.minimum,
            Spread::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap()
        );
        assert_eq!(observed.median, observed.minimum);
        assert_eq!(observed.mean, observed.minimum.scaled(10.9));
    }

    #[test]
    fn too_few_series_are_no_spread() {
        let moved = Deltas::of_counts(&[(0, 9), (1, 1)]);
        let still = Deltas::of_counts(&[(0, 10)]);
        let mut series = vec![moved; 4];
        series.extend([still.clone(), still.clone()]);
        let few = Unobserved::TooFewSeries { moved: 4, of: 6 };
        assert_eq!(Observed::of(&series), Err(few));
        assert_eq!(few.to_string(), "moved in 4 of 6 series only");
        assert_eq!(Observed::of(&vec![still; 6]), Err(Unobserved::Still));
        assert_eq!(Observed::of(&[]), Err(Unobserved::Still));
    }

    fn cost(short: &[u64], long: &[u64], more: u64) -> Option<Cost> {
        let frequency = Frequency::new(2_000_000_000, 1, FrequencyFrom::Script, None).unwrap();
        let ticks = |values: &[u64]| values.iter().copied().map(Ticks).collect::<Vec<_>>();
        Cost::of(&ticks(short), &ticks(long), more, &frequency)
    }

    #[test]
    fn the_fixed_cost_cancels() {
        // 40 ticks of fixed cost, 50 a reading, 2 ticks a nanosecond.
        let mut long = vec![40 + 16 * 50; 98];
        long.extend([40 + 16 * 50 + 800, 90_000]);
        let cost = cost(&[40 + 8 * 50; 100], &long, 8).unwrap();
        assert_eq!(cost.median_ns, 25.0);
        assert_eq!(cost.p99_ns, 75.0);
        assert_eq!(cost.median_cycles(4e9), 100.0);
    }

    #[test]
    fn a_cost_below_the_noise_is_not_made_zero() {
        assert_eq!(cost(&[10], &[8], 1).map(|cost| cost.median_ns), Some(-1.0));
    }

    #[test]
    fn no_batches_have_no_cost() {
        assert_eq!(cost(&[], &[1], 1), None);
        assert_eq!(cost(&[1], &[], 1), None);
        assert_eq!(cost(&[1], &[1], 0), None);
    }
}
