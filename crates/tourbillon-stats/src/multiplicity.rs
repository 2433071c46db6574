use crate::PValue;

/// Adjusts the p-values of several hypotheses for being several, so that whoever rejects those whose
/// adjusted value is at most alpha rejects any true one with probability alpha at most. For gates.
///
/// Step-down: the smallest is taken times their number, the next times one less, and so on; none is
/// smaller than the one before. Holm, "A simple sequentially rejective multiple test procedure",
/// Scandinavian Journal of Statistics 6 (1979), p. 67. It asks nothing of how the values depend on each
/// other.
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
#[inline]
pub fn holm(p: &[PValue]) -> Vec<PValue> {
    let mut adjusted = vec![PValue::ONE; p.len()];
    let mut so_far = 0.0_f64;
    for (place, index) in ascending(p).into_iter().enumerate() {
        let own = p[index].times((p.len() - place) as f64);
        so_far = so_far.max(own.get());
        adjusted[index] = PValue::new(so_far).unwrap_or(PValue::ONE);
    }
    adjusted
}

/// [`holm`] for hypotheses without p-values, which can be held against an error instead: `rejects` says
/// whether so much error is enough to reject the one with this number, from 0. Returns the numbers of
/// those that are rejected, in the order in which they were.
///
/// Each is asked with the error divided by how many are left; one that is rejected leaves more of it to
/// the others, which then are asked again. The last answer for one that is left was for the error that
/// it has in the end.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::step_down;
///
/// let p = [0.02, 0.6, 0.01];
/// assert_eq!(step_down(3, 0.05, |number, error| p[number] <= error), [2, 0]);
/// ```
#[inline]
pub fn step_down(
    count: usize,
    error: f64,
    mut rejects: impl FnMut(usize, f64) -> bool,
) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut rejected = Vec::new();
    loop {
        let share = error / left.len() as f64;
        let Some(place) = left.iter().position(|&number| rejects(number, share)) else {
            return rejected;
        };
        rejected.push(left.remove(place));
    }
}

/// Adjusts the p-values of several hypotheses so that, of those whose adjusted value is at most q,
/// a share of q at most is true on average. For lists of what to look at.
///
/// Step-up: the largest stays, the one before is taken times m / (m - 1), the smallest times m; none
/// is larger than the one after. Benjamini and Hochberg, "Controlling the false discovery rate",
/// Journal of the Royal Statistical Society B 57 (1995), p. 293. The values of true hypotheses must be
/// independent of each other, as those of cases are whose orders were drawn by coins of their own.
#[inline]
pub fn benjamini_hochberg(p: &[PValue]) -> Vec<PValue> {
    let mut adjusted = vec![PValue::ONE; p.len()];
    let mut so_far = 1.0_f64;
    for (place, index) in ascending(p).into_iter().enumerate().rev() {
        let own = p[index].times(p.len() as f64 / (place as f64 + 1.0));
        so_far = so_far.min(own.get());
        adjusted[index] = PValue::new(so_far).unwrap_or(PValue::ONE);
    }
    adjusted
}

/// The places of values in their order; where they are equal, as they came.
#[inline]
fn ascending(p: &[PValue]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

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
                let mut stepped = step_down(m, alpha, |number, error| p[number] <= error);
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
