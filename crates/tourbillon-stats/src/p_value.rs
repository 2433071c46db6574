//! P-values, and adjusting several for being several.

use std::error::Error;
use std::fmt;

/// Upper bound of the probability of a result at least as extreme as the observed one under the
/// hypothesis. From 0 to 1.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::PValue;
///
/// let p = PValue::new(0.004)?;
/// assert_eq!(p.times(3.0).get(), 0.012);
/// assert_eq!(p.times(1_000.0), PValue::ONE);
/// # Ok::<(), tourbillon_stats::NotAProbability>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PValue(f64);

impl PValue {
    /// No evidence against the hypothesis.
    pub const ONE: PValue = PValue(1.0);

    /// From a probability.
    ///
    /// # Errors
    ///
    /// [`NotAProbability`] if it is not between 0 and 1, both included.
    pub fn new(probability: f64) -> Result<PValue, NotAProbability> {
        if (0.0..=1.0).contains(&probability) {
            Ok(PValue(probability))
        } else {
            Err(NotAProbability { probability })
        }
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The product with a factor, at most 1 (Bonferroni's inequality). A factor that is NaN or
    /// negative gives 1.
    #[must_use]
    pub fn times(self, factor: f64) -> PValue {
        PValue::new(self.0 * factor).unwrap_or(PValue::ONE)
    }

    /// A total order: a p-value is never NaN.
    pub fn total_cmp(&self, other: &PValue) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A number that is not a probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotAProbability {
    /// The rejected number.
    pub probability: f64,
}

impl fmt::Display for NotAProbability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a probability of {} is not between 0 and 1; give a fraction such as 0.01",
            self.probability
        )
    }
}

impl Error for NotAProbability {}

/// Adjusts the p-values of several hypotheses (family-wise error rate). Rejecting every hypothesis
/// whose adjusted value is at most alpha rejects a true one with probability at most alpha. For gates.
///
/// Step-down: the smallest value is multiplied by the number of values, the next by one less, and so
/// on; the results are made monotonic. Holm, "A simple sequentially rejective multiple test
/// procedure", Scandinavian Journal of Statistics 6 (1979), p. 67. The values may depend on each other.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{PValue, holm};
///
/// let p = [0.02, 0.01].map(|p| PValue::new(p).unwrap_or(PValue::ONE));
/// let adjusted = holm(&p);
/// assert_eq!(adjusted.iter().map(|p| p.get()).collect::<Vec<f64>>(), [0.02, 0.02]);
/// ```
pub fn holm(p: &[PValue]) -> Vec<PValue> {
    let mut adjusted = vec![PValue::ONE; p.len()];
    let mut highest = 0.0_f64;
    for (rank, index) in ascending(p).into_iter().enumerate() {
        let own = p[index].times((p.len() - rank) as f64);
        highest = highest.max(own.get());
        adjusted[index] = PValue(highest);
    }
    adjusted
}

/// Adjusts the p-values of several hypotheses (false discovery rate): of those whose adjusted value is
/// at most q, on average a share of at most q is true. For lists of results to inspect.
///
/// Step-up: the largest value stays, the one before is multiplied by m / (m - 1), the smallest by m;
/// the results are made monotonic. Benjamini and Hochberg, "Controlling the false discovery rate",
/// Journal of the Royal Statistical Society B 57 (1995), p. 293. The values of true hypotheses must be
/// independent of each other, as those of cases with independent random orders are.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{PValue, benjamini_hochberg};
///
/// let p = [0.02, 0.01].map(|p| PValue::new(p).unwrap_or(PValue::ONE));
/// let adjusted = benjamini_hochberg(&p);
/// assert_eq!(adjusted.iter().map(|p| p.get()).collect::<Vec<f64>>(), [0.02, 0.02]);
/// ```
pub fn benjamini_hochberg(p: &[PValue]) -> Vec<PValue> {
    let mut adjusted = vec![PValue::ONE; p.len()];
    let mut lowest = 1.0_f64;
    for (rank, index) in ascending(p).into_iter().enumerate().rev() {
        let own = p[index].times(p.len() as f64 / (rank as f64 + 1.0));
        lowest = lowest.min(own.get());
        adjusted[index] = PValue(lowest);
    }
    adjusted
}

/// The indices of the values in ascending order; a stable sort.
fn ascending(p: &[PValue]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::step_down;

    #[test]
    fn only_from_never_to_always() {
        for fine in [0.0, 0.5, 1.0] {
            assert_eq!(PValue::new(fine).unwrap().get(), fine);
        }
        for bad in [-1e-9, 1.000_000_1, f64::NAN, f64::INFINITY] {
            assert!(PValue::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn factors_never_lead_out_of_the_range() {
        let p = PValue::new(0.25).unwrap();
        assert_eq!(p.times(2.0).get(), 0.5);
        for factor in [5.0, f64::INFINITY, f64::NAN, -1.0] {
            assert_eq!(p.times(factor), PValue::ONE, "{factor}");
        }
    }

    fn values(p: &[f64]) -> Vec<PValue> {
        p.iter().map(|&p| PValue::new(p).unwrap()).collect()
    }

    fn assert_close(found: &[PValue], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found.get() - expected).abs() < 1e-12,
                "{found:?}: {expected}"
            );
        }
    }

    /// The fifteen p-values of Benjamini and Hochberg's own example, p. 295, out of order.
    const THROMBOLYSIS: [f64; 15] = [
        0.3240, 0.0001, 0.0459, 0.0004, 0.4262, 0.0019, 0.5719, 0.0095, 1.0, 0.0201, 0.6528,
        0.0278, 0.7590, 0.0298, 0.0344,
    ];

    #[test]
    fn the_published_example_of_thrombolysis() {
        // There: at 0.05 Bonferroni and Holm reject the first three, the step-up the first four.
        let p = values(&THROMBOLYSIS);
        let rejected = |adjusted: Vec<PValue>| adjusted.iter().filter(|p| p.get() <= 0.05).count();
        assert_eq!(rejected(holm(&p)), 3);
        assert_eq!(rejected(benjamini_hochberg(&p)), 4);
        // Approximate to rounding: by hand, as p.adjust of R gives them.
        let expected = [
            1.0, 0.0015, 0.3213, 0.0056, 1.0, 0.0247, 1.0, 0.1140, 1.0, 0.2211, 1.0, 0.2780, 1.0,
            0.2780, 0.2780,
        ];
        // 0.0298 * 9 = 0.2682 and 0.0344 * 8 = 0.2752 are lifted to 0.0278 * 10.
        assert_close(&holm(&p), &expected);
        let expected = [
            0.486,
            0.0015,
            0.0765,
            0.003,
            0.5811818181818182,
            0.0095,
            0.714875,
            0.035625,
            1.0,
            0.0603,
            0.7532307692307692,
            0.06385714285714286,
            0.8132142857142857,
            0.06385714285714286,
            0.0645,
        ];
        assert_close(&benjamini_hochberg(&p), &expected);
    }

    #[test]
    fn values_in_a_row() {
        // p.adjust(1:5 / 100, ..) of R.
        let p = values(&[0.01, 0.02, 0.03, 0.04, 0.05]);
        assert_close(&holm(&p), &[0.05, 0.08, 0.09, 0.09, 0.09]);
        assert_close(&benjamini_hochberg(&p), &[0.05; 5]);
        assert_close(&holm(&values(&[0.3, 0.3])), &[0.6, 0.6]);
        assert_close(&benjamini_hochberg(&values(&[0.3, 0.3])), &[0.3, 0.3]);
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty());
        assert_close(&holm(&values(&[0.04])), &[0.04]);
        assert_close(&benjamini_hochberg(&values(&[0.04])), &[0.04]);
    }

    #[test]
    fn rejects_what_the_definitions_reject() {
        // Oracle: both procedures as they are defined, for a given alpha.
        let mut rng = Rng::new(8);
        for _ in 0..500 {
            let m = 1 + (rng.next_u64() % 12) as usize;
            let p: Vec<f64> = (0..m)
                .map(|_| (rng.next_u64() % 200) as f64 / 1_000.0)
                .collect();
            let mut sorted = p.clone();
            sorted.sort_by(f64::total_cmp);
            for alpha in [0.011, 0.052, 0.101] {
                let below = |steps: usize| if steps == 0 { -1.0 } else { sorted[steps - 1] };
                let down = (0..m)
                    .take_while(|&i| sorted[i] <= alpha / (m - i) as f64)
                    .count();
                let up = (1..=m)
                    .rev()
                    .find(|&i| sorted[i - 1] <= alpha * i as f64 / m as f64);
                let found = values(&p);
                let mut stepped = step_down((m, 0), alpha, |number, error| p[number] <= error);
                stepped.sort_unstable();
                let down_to: Vec<usize> = (0..m).filter(|&i| p[i] <= below(down)).collect();
                assert_eq!(stepped, down_to, "{sorted:?}");
                for (adjusted, limit) in [
                    (holm(&found), below(down)),
                    (benjamini_hochberg(&found), below(up.unwrap_or(0))),
                ] {
                    for (p, adjusted) in p.iter().zip(adjusted) {
                        assert_eq!(adjusted.get() <= alpha, *p <= limit, "{p} of {sorted:?}");
                    }
                }
            }
        }
    }
}
