//! The signed-rank test of a centre.

use crate::interval::one_half_to_the;
use crate::normal::{density, upper_tail};
use crate::signed_rank::COUNTED;
use crate::{PValue, Sample};

/// The alternative to a hypothesis about a centre, for [`signed_rank_test`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The centre is above.
    Above,
    /// The centre is below.
    Below,
    /// The centre is above or below.
    Either,
}

/// Wilcoxon's signed-rank test: p-value of the hypothesis that values are symmetric about `centre`
/// (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed. 2014, section 3.1). With
/// [`Tail::Above`] the hypothesis is that the centre is at most `centre`, with [`Tail::Below`] that it
/// is at least `centre`.
///
/// Values equal to the centre are discarded; equal distances share the mean of their ranks. Up to 60
/// values the distribution is enumerated, with ties. Beyond, the normal distribution with the
/// correction for ties is used, conservatively as in [`crate::signed_rank_interval`]: one rank and the
/// first term of the Edgeworth series are added.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, Tail, signed_rank_test};
///
/// // Of the 256 vectors of signs one has all above.
/// let differences = Sample::new((1..=8).map(f64::from).collect())?;
/// assert_eq!(signed_rank_test(&differences, 0.0, Tail::Above).get(), 1.0 / 256.0);
/// # Ok::<(), tourbillon_stats::Invalid>(())
/// ```
pub fn signed_rank_test(sample: &Sample, centre: f64, tail: Tail) -> PValue {
    let ranked = Ranked::of(sample, centre);
    let above = ranked.at_least(ranked.plus);
    let below = ranked.at_least(ranked.sum() - ranked.plus);
    let probability = match tail {
        Tail::Above => above,
        Tail::Below => below,
        Tail::Either => 2.0 * above.min(below),
    };
    PValue::new(probability.min(1.0)).unwrap_or(PValue::ONE)
}

/// Ranks of distances from a centre, all doubled so that the mean of two ranks is an integer.
struct Ranked {
    ranks: Vec<u64>,
    /// Sum of the ranks of values above the centre.
    plus: u64,
    /// Sum of t^3 - t over groups of t equal distances.
    ties: f64,
}

impl Ranked {
    fn of(sample: &Sample, centre: f64) -> Ranked {
        let distances = sample.as_slice().iter().map(|value| value - centre);
        let mut distances: Vec<f64> = distances.filter(|distance| distance.abs() > 0.0).collect();
        distances.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let mut ranked = Ranked {
            ranks: Vec::with_capacity(distances.len()),
            plus: 0,
            ties: 0.0,
        };
        for group in distances.chunk_by(|a, b| a.abs() >= b.abs()) {
            let before = ranked.ranks.len() as u64;
            let size = group.len() as u64;
            // Twice the mean of before + 1 .. before + size.
            let rank = 2 * before + size + 1;
            for distance in group {
                ranked.ranks.push(rank);
                ranked.plus += if *distance > 0.0 { rank } else { 0 };
            }
            let size = size as f64;
            ranked.ties += size * (size * size - 1.0);
        }
        ranked
    }

    /// Sum of all ranks.
    fn sum(&self) -> u64 {
        let n = self.ranks.len() as u64;
        n * (n + 1)
    }

    /// Probability that the sum of the ranks above the centre is at least `plus`. The distribution is
    /// symmetric.
    fn at_least(&self, plus: u64) -> f64 {
        if self.ranks.len() as u64 <= COUNTED {
            self.counted(plus)
        } else {
            self.approximate(plus)
        }
    }

    fn counted(&self, plus: u64) -> f64 {
        let mut ways = vec![0_u64; self.sum() as usize + 1];
        ways[0] = 1;
        let mut reach = 0;
        for &rank in &self.ranks {
            let rank = rank as usize;
            reach += rank;
            for sum in (rank..=reach).rev() {
                ways[sum] += ways[sum - rank];
            }
        }
        let vectors: u64 = ways[plus as usize..].iter().sum();
        vectors as f64 * one_half_to_the(self.ranks.len() as u64)
    }

    fn approximate(&self, plus: u64) -> f64 {
        let size = self.ranks.len() as f64;
        let ranks = size * (size + 1.0);
        let squares = ranks * (2.0 * size + 1.0);
        let variance = squares / 24.0 - self.ties / 48.0;
        let kurtosis = 0.1 * (3.0 * ranks - 1.0) / squares;
        // Continuity correction of half a step of the sum, and one rank for safety.
        let z = (plus as f64 / 2.0 - ranks / 4.0 - 1.5) / variance.sqrt();
        let edgeworth = kurtosis * (3.0 * z - z * z * z) * density(z.abs());
        if z > 0.0 {
            upper_tail(z) + edgeworth.max(0.0)
        } else {
            1.0 - upper_tail(-z) + edgeworth.max(0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Confidence, Rng, signed_rank_interval};

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    fn p(values: &[f64], tail: Tail) -> f64 {
        signed_rank_test(&sample(values), 0.0, tail).get()
    }

    #[test]
    fn published_examples() {
        // Hollander and Wolfe's depression scale factors, as in the manual of R's wilcox.test: V =
        // 40, p = 0.01953 for a decrease. Exact: 5 of 256.
        let decrease = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];
        assert_eq!(p(&decrease, Tail::Above), 5.0 / 256.0);
        assert_eq!(p(&decrease, Tail::Below), 505.0 / 512.0);
        // Darwin's maize, heights of crossed and self-fertilised pairs: V = 96, p = 0.04126, with
        // two equal distances of 49. Exact with the ranks shared: 169 of 8192 on one side.
        let maize = [
            49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0,
            -48.0,
        ];
        assert_eq!(p(&maize, Tail::Either), 338.0 / 8192.0);
        assert_eq!(p(&maize, Tail::Below), 32_189.0 / 32_768.0);
        // Ties and a value at the centre: 17 of 128.
        assert_eq!(
            p(&[1.0, 1.0, 2.0, -1.0, 3.0, 0.0, -2.0, 4.0], Tail::Above),
            17.0 / 128.0
        );
    }

    #[test]
    fn every_sign_vector_is_counted() {
        // Exact: ties among the sizes; the p-value of each vector is the share of vectors with a
        // sum of ranks at least as large.
        let sizes = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 5.0, 8.0, 13.0];
        let doubled = [2_u32, 5, 5, 8, 12, 12, 12, 16, 18];
        let n = sizes.len();
        let sum = |vector: usize| -> u32 {
            (0..n)
                .map(|i| if vector >> i & 1 == 1 { doubled[i] } else { 0 })
                .sum()
        };
        for vector in 0..1_usize << n {
            let at_least = (0..1 << n)
                .filter(|&other| sum(other) >= sum(vector))
                .count();
            let signed: Vec<f64> = (0..n)
                .map(|i| {
                    if vector >> i & 1 == 1 {
                        sizes[i]
                    } else {
                        -sizes[i]
                    }
                })
                .collect();
            assert_eq!(p(&signed, Tail::Above), at_least as f64 / 512.0);
        }
    }

    #[test]
    fn beyond_the_counted_sizes_it_is_never_too_small() {
        // The counted distribution in floating point, as for the interval.
        for n in [61_usize, 80, 150] {
            let mut ways = vec![0.0_f64; n * (n + 1) / 2 + 1];
            ways[0] = 1.0;
            for rank in 1..=n {
                for sum in (0..ways.len()).rev() {
                    let moved = if sum >= rank { ways[sum - rank] } else { 0.0 };
                    ways[sum] = (ways[sum] + moved) / 2.0;
                }
            }
            let mut exact = 0.0;
            let ranked = Ranked::of(&sample(&(1..=n).map(|i| i as f64).collect::<Vec<_>>()), 0.0);
            for sum in (0..ways.len()).rev() {
                exact += ways[sum];
                let found = ranked.approximate(2 * sum as u64);
                assert!(
                    found >= exact * (1.0 - 1e-9),
                    "n = {n}, {sum}: {found} < {exact}"
                );
                assert!(
                    exact < 1e-4 || found < exact * 1.1 + 1e-3,
                    "n = {n}, {sum}: {found}"
                );
            }
        }
    }

    #[test]
    fn ties_are_corrected_for_beyond_the_counted_sizes() {
        // 100 distances of one size: the sum is 50.5 times a binomial count. 65 of 100 above have
        // probability 0.00176.
        let mut values = vec![1.0; 65];
        values.extend([-1.0; 35]);
        let found = p(&values, Tail::Above);
        assert!((0.0013..0.0018).contains(&found), "{found}");
    }

    #[test]
    fn the_interval_is_what_the_test_does_not_reject() {
        let mut rng = Rng::new(6);
        for n in [12_usize, 40, 75, 200] {
            for _ in 0..20 {
                let shift = (rng.next_u64() % 100) as f64 / 100.0;
                let values: Vec<f64> = (0..n)
                    .map(|_| (rng.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - shift)
                    .collect();
                let sample = sample(&values);
                let confidence = Confidence::new(0.99).unwrap();
                let interval = signed_rank_interval(&sample, confidence).unwrap();
                for centre in [-0.1, 0.0, 0.1, 0.2, 0.5] {
                    let p = signed_rank_test(&sample, centre, Tail::Either);
                    let rejects = p.get() <= confidence.error();
                    assert_eq!(
                        rejects,
                        !interval.contains(centre),
                        "{n}: {p:?}, {interval:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_centre_that_equals_all_values_is_not_rejected() {
        for tail in [Tail::Above, Tail::Below, Tail::Either] {
            assert_eq!(
                signed_rank_test(&sample(&[2.0; 70]), 2.0, tail),
                PValue::ONE
            );
        }
    }
}
