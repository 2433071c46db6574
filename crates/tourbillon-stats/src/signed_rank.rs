//! The signed-rank interval of a centre.

use crate::hodges_lehmann::Walsh;
use crate::interval::{Depth, one_half_to_the};
use crate::normal::{density, upper_tail};
use crate::{Confidence, Interval, Sample, TooFew};

/// Interval for the centre of a symmetric distribution: from the k-th smallest to the k-th largest
/// Walsh average (x_i + x_j) / 2, i <= j, with the largest k that gives the requested confidence.
///
/// The interval is the set of centres that Wilcoxon's signed-rank test does not reject (Hollander,
/// Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed. 2014, section 3.3). The values must
/// be independent and symmetric about the centre; paired differences in randomised order are, by
/// design, when there is no difference. Where values tie, the coverage is at least the stated one.
///
/// k is the largest number with P(W < k) at most half the error, where W is the sum of the ranks
/// with a plus sign. (The smallest k with P(W <= k) above that, plus one, would give an interval that
/// is one average too short at both ends.) Up to 60 values the distribution of W is enumerated;
/// beyond, see the source of `approximate_depth`.
///
/// # Errors
///
/// [`TooFew`] if the interval from smallest to largest covers too seldom; 99 % needs 8 values,
/// 99.9 % needs 11.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Confidence, Sample, signed_rank_interval};
///
/// let differences = Sample::new((1..=8).map(f64::from).collect())?;
/// let interval = signed_rank_interval(&differences, Confidence::P99)?;
/// assert_eq!((interval.lower, interval.upper), (1.0, 8.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn signed_rank_interval(sample: &Sample, confidence: Confidence) -> Result<Interval, TooFew> {
    let depth = signed_rank_depth(sample.len() as u64, confidence).ok_or(TooFew {
        needed: confidence.values_needed(),
        got: sample.len(),
    })?;
    let averages = Walsh::of(sample);
    Ok(Interval {
        lower: averages.nth(depth.rank),
        upper: averages.nth(averages.count() + 1 - depth.rank),
        confidence: depth.confidence(),
    })
}

/// Most values for which the distribution of the rank sum is enumerated: the 2^n sign vectors fit
/// into 64 bits, and the table takes about 60 us.
pub(crate) const COUNTED: u64 = 60;

/// The largest rank k with P(W < k) at most half the error; `None` if there is none.
fn signed_rank_depth(n: u64, confidence: Confidence) -> Option<Depth> {
    if n <= COUNTED {
        counted_depth(n, confidence)
    } else {
        approximate_depth(n, confidence)
    }
}

/// [`signed_rank_depth`] from the number of sign vectors with each rank sum.
fn counted_depth(n: u64, confidence: Confidence) -> Option<Depth> {
    // Both factors of the limit are exact, and so is the comparison of whole numbers.
    let limit = (confidence.error() / 2.0 / one_half_to_the(n)) as u64;
    let mut best = None;
    let mut vectors = 0;
    for (rank, count) in (1..).zip(rank_sums(n as usize)) {
        vectors += count;
        if vectors > limit {
            break;
        }
        best = Some(Depth {
            rank,
            outside: vectors as f64 * one_half_to_the(n),
        });
    }
    best
}

/// Number of subsets of 1 to n with each sum 0, 1, 2, .. up to the middle of the distribution, which
/// is symmetric.
fn rank_sums(n: usize) -> Vec<u64> {
    let middle = n * (n + 1) / 4;
    let mut ways = vec![0; middle + 1];
    ways[0] = 1;
    for rank in 1..=n {
        for sum in (rank..=middle).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    ways
}

/// [`signed_rank_depth`] for many values, from the normal distribution; conservative.
///
/// W has excess kurtosis -3.6 / n, so its tails beyond sqrt(3) standard deviations are lighter than
/// normal ones and the normal tail is an upper bound. Nearer to the middle the first term of the
/// Edgeworth series (Fellingham and Stoker, Journal of the American Statistical Association 59
/// (1964), p. 899) is added, which is positive there. The omitted terms are of the order n^-2 and one
/// rank is worth n^-1.5 of probability, so P(W <= k) in place of P(W < k) covers them. A test compares
/// this with the enumerated distribution.
fn approximate_depth(n: u64, confidence: Confidence) -> Option<Depth> {
    let limit = confidence.error() / 2.0;
    let extreme = Depth {
        rank: 1,
        outside: one_half_to_the(n),
    };
    if extreme.outside > limit {
        return None;
    }
    let size = n as f64;
    let ranks = size * (size + 1.0);
    let (mean, sd) = (ranks / 4.0, (ranks * (2.0 * size + 1.0) / 24.0).sqrt());
    let kurtosis = 0.1 * (3.0 * ranks - 1.0) / (ranks * (2.0 * size + 1.0));
    let at_most = |sum: u64| {
        let z = (mean - sum as f64 - 0.5) / sd;
        if z <= 0.0 {
            return 0.5;
        }
        let edgeworth = kurtosis * (3.0 * z - z * z * z);
        upper_tail(z) + density(z) * edgeworth.max(0.0)
    };
    // Far out the bound may be above the known P(W < 1) = 2^-n.
    let (mut good, mut bad) = (1, n * (n + 1) / 4);
    if at_most(good) > limit {
        return Some(extreme);
    }
    while bad - good > 1 {
        let middle = u64::midpoint(good, bad);
        if at_most(middle) <= limit {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(Depth {
        rank: good,
        outside: at_most(good),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confidence(level: f64) -> Confidence {
        Confidence::new(level).unwrap()
    }

    fn rank(n: u64, error: f64) -> Option<u64> {
        signed_rank_depth(n, confidence(1.0 - error)).map(|d| d.rank)
    }

    #[test]
    fn the_right_index() {
        // Exact. qsignrank(0.025, 10) of R is 9; the others follow from counting.
        assert_eq!(rank(10, 0.05), Some(9));
        assert_eq!(rank(8, 0.01), Some(1));
        assert_eq!(rank(20, 0.01), Some(38));
        assert_eq!(rank(16, 0.001), Some(9));
    }

    #[test]
    fn fewest_values() {
        assert_eq!((rank(7, 0.01), rank(8, 0.01)), (None, Some(1)));
        assert_eq!((rank(10, 0.001), rank(11, 0.001)), (None, Some(1)));
        let seven = Sample::new(vec![1.0; 7]).unwrap();
        assert_eq!(
            signed_rank_interval(&seven, Confidence::P99),
            Err(TooFew { needed: 8, got: 7 })
        );
        // Beyond the counted sizes too: 2^-75 leaves no interval from 61 values.
        let tiny = Confidence::P99.shared_by(1 << 62).shared_by(1 << 12);
        assert_eq!(signed_rank_depth(61, tiny), None);
        let depth = signed_rank_depth(90, tiny).unwrap();
        assert!(depth.rank >= 1 && 2.0 * depth.outside <= tiny.error());
    }

    #[test]
    fn an_error_that_is_just_reached_is_enough() {
        // Exact: for n = 8 the sums 0, 1, 2, 3 have 1, 1, 1, 2 of 256 sign vectors.
        assert_eq!(rank(8, 2.0 / 256.0), Some(1));
        assert_eq!(rank(8, 1.9 / 256.0), None);
        assert_eq!(rank(8, 6.0 / 256.0), Some(3));
        assert_eq!(rank(8, 5.9 / 256.0), Some(2));
        assert_eq!(rank(8, 10.0 / 256.0), Some(4));
        let depth = signed_rank_depth(8, confidence(1.0 - 10.0 / 256.0)).unwrap();
        assert_eq!(depth.confidence(), 1.0 - 10.0 / 256.0);
    }

    #[test]
    fn rank_sums_are_those_of_all_sign_vectors() {
        // Exact: sums[v] is made from the vector without its lowest plus sign.
        for n in 1..=18_usize {
            let mut sums = vec![0_usize; 1 << n];
            let mut counts = vec![0_u64; n * (n + 1) / 2 + 1];
            counts[0] = 1;
            for vector in 1..1_usize << n {
                let sum = sums[vector & (vector - 1)] + vector.trailing_zeros() as usize + 1;
                sums[vector] = sum;
                counts[sum] += 1;
            }
            let half = rank_sums(n);
            assert_eq!(half, counts[..half.len()], "n = {n}");
        }
    }

    #[test]
    fn the_approximation_never_claims_too_much() {
        // The counted distribution in floating point, exact to about 1e-13, against the bound: for
        // every size and error of this grid, the interval covers at least as often as it states.
        for n in [61_u64, 62, 75, 100, 150, 220] {
            let middle = (n * (n + 1) / 4) as usize;
            let mut ways = vec![0.0_f64; middle + 1];
            ways[0] = 1.0;
            for rank in 1..=n as usize {
                for sum in (0..=middle).rev() {
                    let moved = if sum >= rank { ways[sum - rank] } else { 0.0 };
                    ways[sum] = (ways[sum] + moved) / 2.0;
                }
            }
            let below: Vec<f64> = ways
                .iter()
                .scan(0.0, |sum, way| {
                    *sum += way;
                    Some(*sum)
                })
                .collect();
            for step in 0..60 {
                // From 0.93 down to about 1e-15.
                let requested = confidence(1.0 - 0.93 * 0.56_f64.powi(step));
                let error = requested.error();
                let found = approximate_depth(n, requested).unwrap();
                let truth = below[found.rank as usize - 1];
                assert!(
                    truth <= found.outside,
                    "n = {n}, error = {error}: {found:?}"
                );
                assert!(2.0 * found.outside <= error);
                let best = below.iter().filter(|&&p| 2.0 * p <= error).count() as u64;
                assert!(found.rank <= best);
                // What safety costs where intervals are used: a fortieth of the rank.
                assert!(
                    error < 1e-3 || best - found.rank <= 2 + best / 40,
                    "{n}, {error}"
                );
            }
        }
    }
}
