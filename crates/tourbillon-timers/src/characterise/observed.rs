//! The resolution that can be observed, which is another one in every run.

use std::fmt;

use super::{Deltas, Regime, Spread};

/// Resolution as several series of readings showed it: what is left of the differences between
/// sequential readings without the zeros (A. Akinshin, "Stopwatch under the hood", 2016, section
/// "Reciprocal frequency and actual resolution").
///
/// # Accuracy
///
/// What it means depends on the [`regime`](Observed::regime): see there. In the latency-bound
/// regime every figure is an upper bound of the resolution and says how far apart two different
/// readings in a row are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The smallest difference of each series, in ticks.
    pub minimum: Spread,
    /// The mean difference of each series, in ticks.
    pub mean: Spread,
    /// The median difference of each series, in ticks.
    pub median: Spread,
    /// What the differences are made of, over all series.
    pub regime: Regime,
    /// How many series there were.
    pub series: usize,
}

/// Why no resolution could be observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unobserved {
    /// Fewer than [`Observed::FEWEST`] series saw the source move: a spread of so few says nothing.
    TooFewSeries {
        /// How many saw it move.
        moved: usize,
        /// How many series there were.
        of: usize,
    },
    /// The source did not move in any of them.
    Still,
}

impl Observed {
    /// Series without which there is no spread.
    pub const FEWEST: usize = 5;

    /// The resolution that `series` of sequential readings show.
    ///
    /// # Errors
    ///
    /// Where fewer than five of them saw the source move.
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
        let few = Unobserved::TooFewSeries {
            moved,
            of: series.len(),
        };
        match (
            Spread::of(&minima),
            Spread::of(&means),
            Spread::of(&medians),
        ) {
            (None, _, _) => Err(Unobserved::Still),
            (Some(minimum), Some(mean), Some(median)) if moved >= Observed::FEWEST => {
                Ok(Observed {
                    minimum,
                    mean,
                    median,
                    regime: Regime::of(&all),
                    series: moved,
                })
            }
            _ => Err(few),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
