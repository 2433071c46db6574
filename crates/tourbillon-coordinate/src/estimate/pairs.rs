use std::f64::consts::FRAC_1_SQRT_2;
use std::num::NonZeroU64;

use tourbillon_stats::{Sample, Slope, difference_of_medians, mad, median, paired_slopes};

use super::batch::sample_of;
use super::hit::unhit;

/// How little the differences within the rounds scatter, as a part of what they would if batches scattered each by
/// itself, for batches to be taken to go up and down together: half of the variance.
const TOGETHER: f64 = FRAC_1_SQRT_2;
/// Rounds that tell.
const FEWEST: usize = 5;

/// The batches of a launch, without those that an interruption hit, and what an op costs by them.
pub(crate) struct Pairs {
    pub(crate) short: Sample,
    pub(crate) long: Sample,
    pub(crate) slope: Slope,
}

impl Pairs {
    /// Of pairs of a short batch and a long one.
    ///
    /// The cost of an op is the difference of the medians of long and short batches. But where batches of a round
    /// are long or short together, because the clock of the core moves in a way that the reference chain does not
    /// follow, or others use the caches, it is the median of the differences: what the two have in common cancels
    /// in each.
    #[inline(never)]
    pub(crate) fn of(pairs: &[(f64, f64)], ops: NonZeroU64) -> Option<Pairs> {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for pair in pairs {
            short.push(pair.0);
            long.push(pair.1);
        }
        let short = unhit(sample_of(short)?);
        let long = unhit(sample_of(long)?);
        let mut slope = difference_of_medians(&short, &long, ops);
        if let Some(per_op) = of_rounds(pairs, &short, &long, ops) {
            slope.per_op = per_op;
            slope.fixed_cost = median(&short) - per_op * ops.get() as f64;
        }
        Some(Pairs { short, long, slope })
    }
}

/// The median over the rounds in which no batch was hit, where batches scatter together.
fn of_rounds(pairs: &[(f64, f64)], short: &Sample, long: &Sample, ops: NonZeroU64) -> Option<f64> {
    let (longest_short, longest_long) = (short.as_slice().last()?, long.as_slice().last()?);
    let mut kept = Vec::new();
    for pair in pairs {
        if pair.0 <= *longest_short && pair.1 <= *longest_long {
            kept.push(*pair);
        }
    }
    let slopes = paired_slopes(&kept, ops).ok()?;
    let scatter = mad(&slopes) * ops.get() as f64;
    let is_together = scatter < TOGETHER * mad(short).hypot(mad(long));
    (slopes.len() >= FEWEST && is_together).then(|| median(&slopes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: NonZeroU64 = NonZeroU64::new(100).unwrap();

    /// 3 for an op and 20 besides, all of it longer by these parts per thousand.
    fn per_op(longer: &[(u64, u64)]) -> (f64, f64) {
        let mut pairs = Vec::new();
        for (short, long) in longer {
            let of = |cost: f64, by: u64| cost * (1.0 + 1e-3 * by as f64);
            pairs.push((of(320.0, *short), of(620.0, *long)));
        }
        let slope = Pairs::of(&pairs, OPS).unwrap().slope;
        (slope.per_op, slope.fixed_cost)
    }

    #[test]
    fn batches_that_scatter_each_by_itself_have_their_own_medians() {
        let (per_op, fixed_cost) =
            per_op(&[(0, 9), (3, 0), (9, 3), (0, 3), (3, 9), (9, 0), (3, 3)]);
        assert!((per_op - 3.0 * 1.003).abs() < 1e-9, "{per_op}");
        assert!((fixed_cost - 20.0 * 1.003).abs() < 1e-9, "{fixed_cost}");
    }

    #[test]
    fn what_the_batches_of_a_round_have_in_common_cancels() {
        // All of a round is longer by so much, but for one: by the medians, an op would cost 3.014.
        let rounds = [0, 5, 10, 15, 20, 25].map(|longer| (longer, longer));
        let rounds = [rounds.as_slice(), &[(30, 0)]].concat();
        let (per_op, fixed_cost) = self::per_op(&rounds);
        assert!((per_op - 3.0 * 1.01).abs() < 1e-9, "{per_op}");
        assert!((fixed_cost - (324.8 - 303.0)).abs() < 1e-9, "{fixed_cost}");
        // Too few rounds to tell.
        let (per_op, _) = self::per_op(&rounds[3..]);
        assert!((per_op - (1.0175 * 620.0 - 1.0225 * 320.0) / 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_batch_that_was_hit_takes_its_round_along() {
        let (per_op, _) = per_op(&[
            (0, 0),
            (10, 10),
            (500, 20),
            (20, 20),
            (30, 300),
            (30, 30),
            (40, 40),
        ]);
        assert!((per_op - 3.0 * 1.02).abs() < 1e-9, "{per_op}");
    }
}
