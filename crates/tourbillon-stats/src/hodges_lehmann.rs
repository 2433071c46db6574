use crate::{Sample, sort};

/// Hodges-Lehmann estimate of the centre of a symmetric distribution: the median of the Walsh
/// averages (x_i + x_j) / 2, i <= j.
///
/// Nearly as precise as the mean where values are normally distributed, and 29 % of them may be
/// arbitrarily wrong (Hodges and Lehmann, "Estimates of location based on rank tests", Annals of
/// Mathematical Statistics 34 (1963), p. 598). Paired differences whose order a fair coin decides
/// are symmetric when there is no difference; times are not, and have a [`crate::median`].
///
/// # Cost
///
/// Exact, without making the n (n + 1) / 2 averages: about log2(n) passes over the values, some 60
/// where most averages are equal.
#[inline]
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

/// The Walsh averages of a sample, in order, never written down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walsh<'a> {
    sorted: &'a [f64],
}

impl<'a> Walsh<'a> {
    #[inline]
    pub(crate) fn of(sample: &'a Sample) -> Walsh<'a> {
        Walsh {
            sorted: sample.as_slice(),
        }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn count(self) -> u64 {
        let n = self.sorted.len() as u64;
        n * (n + 1) / 2
    }

    /// The `rank`-th smallest, for a rank from 1 to [`Walsh::count`]: the very average, not a number
    /// near it.
    ///
    /// Bisection until no more averages are left than there are values, which then are made and
    /// sorted. First by halves of the range, which leaves half of the averages each time where they
    /// are spread evenly; then over the numbers that an `f64` can be, of which there are fewer than
    /// 2^64, so that it ends whatever they are.
    #[inline]
    pub(crate) fn nth(self, rank: u64) -> f64 {
        let most = self.sorted.len() as u64;
        // Above all that is left out below, not below any that is left out above.
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
        // More than one average is this number. 0 and -0 are equal and both counted as such.
        high + 0.0
    }

    /// The `rank`-th smallest of those above `low` that do not exceed `high`.
    #[inline]
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

    /// How many averages do not exceed `bound`. Rounding keeps averages in order, so that the
    /// partners of a larger value are among those of a smaller one.
    #[inline]
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

/// Steps by halves of the range before those that are sure to end.
const EVEN_STEPS: u32 = 24;

const SIGN: u64 = 1 << 63;

/// A whole number that is ordered as the `f64` is.
#[inline]
fn key(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The inverse of [`key`].
#[inline]
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
