//! The cost of one op from batches of two lengths.

use std::num::NonZeroU64;

use crate::{Invalid, Sample, median};

/// The cost of an op, and the fixed cost of a batch, from [`difference_of_medians`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Cost of one op, in the unit of the samples.
    pub per_op: f64,
    /// Cost of a batch without ops, in the unit of the samples: the intercept of the line through
    /// short and long batches. A check only: it has cancelled in `per_op`.
    pub fixed_cost: f64,
}

/// The cost of one op from batches of two lengths:
/// `(median(long) - median(short)) / ops`. The long batches have twice the `ops` of the short ones,
/// so the fixed cost of a batch, such as reading the clock, cancels.
///
/// The result may be zero or negative where the op costs less than the scatter of the batches:
/// nothing is clamped.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroU64;
/// use tourbillon_stats::{Sample, difference_of_medians};
///
/// // 20 ticks for the clock, 3 ticks for each of 100 and 200 ops; one batch was interrupted.
/// let short = Sample::from_ticks(&[320, 320, 321])?;
/// let long = Sample::from_ticks(&[619, 90_000, 620])?;
/// let slope = difference_of_medians(&short, &long, NonZeroU64::new(100).ok_or("no ops")?);
/// assert_eq!((slope.per_op, slope.fixed_cost), (3.0, 20.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn difference_of_medians(short: &Sample, long: &Sample, ops: NonZeroU64) -> Slope {
    let (once, twice) = (median(short), median(long));
    Slope {
        per_op: (twice - once) / ops.get() as f64,
        fixed_cost: once - (twice - once),
    }
}

/// Deviation of the cost of a batch from proportionality to its ops:
/// `(second - first) / second`, where `second = long - short` is the cost of the second half of a long
/// batch and `first = short - empty` that of its first half. Positive where later ops cost more.
///
/// `empty` are batches without ops. `None` where the second half costs nothing or less.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, curvature};
///
/// let [empty, short, long] = [20, 320, 720].map(|ticks| Sample::from_ticks(&[ticks]));
/// assert_eq!(curvature(&empty?, &short?, &long?), Some(0.25));
/// # Ok::<(), tourbillon_stats::Invalid>(())
/// ```
pub fn curvature(empty: &Sample, short: &Sample, long: &Sample) -> Option<f64> {
    let first = median(short) - median(empty);
    let second = median(long) - median(short);
    let fraction = (second - first) / second;
    (second > 0.0 && fraction.is_finite()).then_some(fraction)
}

/// The cost of one op in each round: `(long - short) / ops` for pairs (short, long) of consecutive
/// batches, with the `ops` of a short batch.
///
/// [`crate::median_interval`] of them is the interval of a single process: it covers the scatter
/// within this process, not the differences between processes. Pairs remove slow drifts, which would
/// make the batches of one length depend on each other. [`difference_of_medians`] lies near the median
/// of the rounds when batches scatter alike at both lengths.
///
/// # Errors
///
/// [`Invalid`] without rounds, or for the first round whose slope a [`Sample`] rejects.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroU64;
/// use tourbillon_stats::{Confidence, median_interval, paired_slopes};
///
/// let rounds: Vec<(f64, f64)> = (0..8).map(|r| (320.0 + f64::from(r), 620.0)).collect();
/// let slopes = paired_slopes(&rounds, NonZeroU64::new(100).ok_or("no ops")?)?;
/// let interval = median_interval(&slopes, Confidence::P99)?;
/// assert_eq!((interval.lower, interval.upper), (2.93, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn paired_slopes(rounds: &[(f64, f64)], ops: NonZeroU64) -> Result<Sample, Invalid> {
    let ops = ops.get() as f64;
    let slopes = rounds.iter().map(|(short, long)| (long - short) / ops);
    Sample::new(slopes.collect())
}

/// The cost of one op from each long batch and each short batch at most `reach` rounds before or after
/// it: `(long - short) / ops` for rounds (short, long), with the `ops` of a short batch.
///
/// Their median, a Theil-Sen slope within a window, scatters less than that of the [`paired_slopes`]
/// where batches scatter independently, and still follows slow drifts. The values are not independent:
/// no interval may be made from them.
///
/// # Errors
///
/// [`Invalid`] without rounds, or for the first slope that a [`Sample`] rejects.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroU64;
/// use tourbillon_stats::{median, near_slopes};
///
/// // 3 ticks an op, on a core that slows down; a long batch was interrupted.
/// let rounds = [(320.0, 620.0), (321.0, 621.0), (322.0, 9_000.0), (323.0, 623.0)];
/// let slopes = near_slopes(&rounds, 1, NonZeroU64::new(100).ok_or("no ops")?)?;
/// assert_eq!((slopes.len(), median(&slopes)), (10, 3.005));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn near_slopes(
    rounds: &[(f64, f64)],
    reach: usize,
    ops: NonZeroU64,
) -> Result<Sample, Invalid> {
    let ops = ops.get() as f64;
    let slopes = rounds.iter().enumerate().flat_map(|(index, (_, long))| {
        let end = rounds.len().min(index + reach + 1);
        let near = &rounds[index.saturating_sub(reach)..end];
        near.iter().map(move |(short, _)| (long - short) / ops)
    });
    Sample::new(slopes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(ticks: &[u64]) -> Sample {
        Sample::from_ticks(ticks).unwrap()
    }

    const HUNDRED: NonZeroU64 = NonZeroU64::new(100).unwrap();

    #[test]
    fn the_fixed_cost_cancels() {
        // Exact: whole numbers. Cost of a batch: fixed + 7 per op.
        for fixed in [0, 1, 40, 1_000_000] {
            let slope =
                difference_of_medians(&sample(&[fixed + 700]), &sample(&[fixed + 1_400]), HUNDRED);
            assert_eq!((slope.per_op, slope.fixed_cost), (7.0, fixed as f64));
        }
    }

    #[test]
    fn a_cost_below_the_scatter_is_not_clamped() {
        let slope = difference_of_medians(&sample(&[30]), &sample(&[20]), HUNDRED);
        assert_eq!((slope.per_op, slope.fixed_cost), (-0.1, 40.0));
    }

    #[test]
    fn curvature_has_the_sign_of_the_growth() {
        // Exact: dyadic fractions.
        let of =
            |empty, short, long| curvature(&sample(&[empty]), &sample(&[short]), &sample(&[long]));
        assert_eq!(of(20, 120, 220), Some(0.0));
        assert_eq!(of(20, 120, 320), Some(0.5));
        assert_eq!(of(20, 220, 320), Some(-1.0));
        assert_eq!(of(20, 120, 120), None);
        assert_eq!(of(20, 120, 110), None);
        let [tiny, large] = [5e-324, 1e100].map(|v| Sample::new(vec![v]).unwrap());
        assert_eq!(curvature(&large, &sample(&[0]), &tiny), None);
    }

    #[test]
    fn rounds_keep_their_partners() {
        // A drift of a thousand percent over the rounds, the same for both lengths, leaves no trace.
        let rounds: Vec<_> = (0..10)
            .map(|r| f64::from(100 * r))
            .map(|d| (d, d + 700.0))
            .collect();
        let slopes = paired_slopes(&rounds, HUNDRED).unwrap();
        assert_eq!(slopes.as_slice(), [7.0; 10]);
        assert_eq!(paired_slopes(&[], HUNDRED), Err(Invalid::Empty));
        let broken = [(1.0, 2.0), (f64::INFINITY, f64::INFINITY)];
        assert_eq!(
            paired_slopes(&broken, HUNDRED),
            Err(Invalid::NotFinite { index: 1 })
        );
    }
}
