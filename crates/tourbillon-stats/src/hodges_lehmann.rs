//! The Hodges-Lehmann estimate and the Walsh averages that it is the median of.

use crate::{Sample, sort};

/// Hodges-Lehmann estimate of the centre of a symmetric distribution: the median of the Walsh
/// averages (x_i + x_j) / 2, i <= j.
///
/// Nearly as precise as the mean for normally distributed values, with a breakdown point of 29 %
/// (Hodges and Lehmann, "Estimates of location based on rank tests", Annals of Mathematical
/// Statistics 34 (1963), p. 598). Paired differences in random order are symmetric when there is no
/// difference. Times are not symmetric: use [`crate::median`] for them.
///
/// # Cost
///
/// Exact, without computing all n (n + 1) / 2 averages: about log2(n) passes over the values, about
/// 60 where most averages are equal.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, hodges_lehmann};
///
/// assert_eq!(hodges_lehmann(&Sample::new(vec![1.0, 2.0, 30.0])?), 8.75);
/// # Ok::<(), tourbillon_stats::Invalid>(())
/// ```
pub fn hodges_lehmann(sample: &Sample) -> f64 {
    let averages = Walsh::of(sample);
    let count = averages.count();
    let lower = averages.nth(count.div_ceil(2));
    if count % 2 == 1 {
        lower
    } else {
        f64::midpoint(lower, averages.nth(count / 2 + 1))
    }
}

/// The Walsh averages of a sample in ascending order, computed on demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walsh<'a> {
    sorted: &'a [f64],
}

impl<'a> Walsh<'a> {
    pub(crate) fn of(sample: &'a Sample) -> Walsh<'a> {
        Walsh {
            sorted: sample.as_slice(),
        }
    }

    /// How many there are.
    pub(crate) fn count(self) -> u64 {
        let n = self.sorted.len() as u64;
        n * (n + 1) / 2
    }

    /// The `rank`-th smallest average, exactly, for a rank from 1 to [`Walsh::count`].
    ///
    /// Bisects until at most as many averages remain as there are values, then computes and sorts
    /// these. It bisects the range first, which halves the averages where they are spread evenly.
    /// After that it bisects the bit patterns of `f64`, which takes at most 64 steps.
    pub(crate) fn nth(self, rank: u64) -> f64 {
        let most = self.sorted.len() as u64;
        // Averages at most `low` and above `high` are excluded.
        let mut low = self.sorted[0].next_down();
        let mut high = self.sorted[self.sorted.len() - 1];
        let (mut below, mut up_to) = (0, self.count());
        for step in 0.. {
            if up_to - below <= most {
                return self.nth_between(low, high, rank - below);
            }
            let middle = if step < EVEN_STEPS {
                f64::midpoint(low, high)
            } else {
                value(u64::midpoint(key(low), key(high)))
            };
            if key(middle) <= key(low) || key(middle) >= key(high) {
                if key(high) - key(low) <= 1 {
                    break;
                }
                continue;
            }
            let count = self.at_most(middle);
            if count >= rank {
                (high, up_to) = (middle, count);
            } else {
                (low, below) = (middle, count);
            }
        }
        // Several averages equal this number. Adding 0 turns -0 into 0.
        high + 0.0
    }

    /// The `rank`-th smallest of the averages above `low` and at most `high`.
    fn nth_between(self, low: f64, high: f64, rank: u64) -> f64 {
        let (mut from, mut to) = (self.sorted.len(), self.sorted.len());
        let mut averages = Vec::with_capacity(self.sorted.len());
        for (i, &x) in self.sorted.iter().enumerate() {
            while to > i && f64::midpoint(x, self.sorted[to - 1]) > high {
                to -= 1;
            }
            if to <= i {
                break;
            }
            while from > i && f64::midpoint(x, self.sorted[from - 1]) > low {
                from -= 1;
            }
            for &y in &self.sorted[from.max(i)..to] {
                averages.push(f64::midpoint(x, y));
            }
        }
        sort(&mut averages);
        averages[rank as usize - 1] + 0.0
    }

    /// Number of averages that are at most `bound`. Rounding keeps averages in order, so the
    /// partners of a larger value are among those of a smaller one.
    fn at_most(self, bound: f64) -> u64 {
        let mut partners = self.sorted.len();
        let mut count = 0;
        for (i, &x) in self.sorted.iter().enumerate() {
            while partners > i && f64::midpoint(x, self.sorted[partners - 1]) > bound {
                partners -= 1;
            }
            if partners <= i {
                break;
            }
            count += (partners - i) as u64;
        }
        count
    }
}

/// Bisections of the range before those of bit patterns.
const EVEN_STEPS: u32 = 24;

const SIGN: u64 = 1 << 63;

/// An integer that is ordered like the `f64`.
fn key(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The inverse of [`key`].
fn value(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn small_cases() {
        // Exact: halves of whole numbers. The averages of the last are
        // 1 1.5 2 2 2.5 | 3 5.5 6 6.5 10.
        assert_eq!(hodges_lehmann(&sample(&[7.0])), 7.0);
        assert_eq!(hodges_lehmann(&sample(&[1.0, 4.0])), 2.5);
        assert_eq!(hodges_lehmann(&sample(&[1.0, 2.0, 3.0, 10.0])), 2.75);
        assert_eq!(hodges_lehmann(&sample(&[-3.0, 0.0, 3.0])).to_bits(), 0);
    }

    #[test]
    fn every_average_is_found_in_its_place() {
        // Exact: the oracle makes and sorts the same rounded averages.
        let mut rng = Rng::new(11);
        for n in 1..40 {
            let values: Vec<f64> = (0..n)
                .map(|_| {
                    let size = (rng.next_u64() % 2001) as f64 - 1000.0;
                    // Ties and values of very different size, both signs.
                    if rng.coin() { size } else { size / 3.0e9 }
                })
                .collect();
            let sample = sample(&values);
            let mut naive = Vec::new();
            for (i, &x) in values.iter().enumerate() {
                naive.extend(values[i..].iter().map(|&y| f64::midpoint(x, y)));
            }
            naive.sort_by(f64::total_cmp);
            let walsh = Walsh::of(&sample);
            assert_eq!(walsh.count(), naive.len() as u64);
            for (i, &expected) in naive.iter().enumerate() {
                assert_eq!(walsh.nth(i as u64 + 1), expected, "n = {n}, rank {}", i + 1);
            }
        }
    }

    #[test]
    fn keys_are_ordered_as_numbers_are() {
        let ascending = [
            -1e100,
            -1.0,
            -f64::MIN_POSITIVE,
            -5e-324,
            0.0,
            5e-324,
            1.0,
            1e100,
        ];
        for pair in ascending.windows(2) {
            assert!(key(pair[0]) < key(pair[1]), "{pair:?}");
            assert_eq!(value(key(pair[0])).to_bits(), pair[0].to_bits());
        }
    }
}
