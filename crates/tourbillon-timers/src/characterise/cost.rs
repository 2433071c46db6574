//! What a reading costs.

use super::spread::median_of_sorted;
use tourbillon_clock::{Frequency, Ticks};

/// The cost of one operation, in nanoseconds of the clock that it was timed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The median over all batches.
    pub median_ns: f64,
    /// What one batch in a hundred exceeds, per operation: interruptions are in it.
    pub p99_ns: f64,
}

impl Cost {
    /// The cost of one operation from batches of two lengths, of which the long one has `more`
    /// operations more.
    ///
    /// What the timing itself costs is in both and cancels. Nothing is clamped: a cost that is lost
    /// in the noise may come out negative.
    ///
    /// `None` where a length has no batches, and for `more` of zero.
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

    fn of(short: &[u64], long: &[u64], more: u64) -> Option<Cost> {
        let frequency = Frequency::new(2_000_000_000, 1, FrequencyFrom::Script, None).unwrap();
        let ticks = |values: &[u64]| values.iter().copied().map(Ticks).collect::<Vec<_>>();
        Cost::of(&ticks(short), &ticks(long), more, &frequency)
    }

    #[test]
    fn what_both_lengths_have_cancels() {
        // 40 ticks of fixed cost, 50 a reading, 2 ticks a nanosecond.
        let mut long = vec![40 + 16 * 50; 98];
        long.extend([40 + 16 * 50 + 800, 90_000]);
        let cost = of(&[40 + 8 * 50; 100], &long, 8).unwrap();
        assert_eq!(cost.median_ns, 25.0);
        assert_eq!(cost.p99_ns, 75.0);
        assert_eq!(cost.median_cycles(4e9), 100.0);
    }

    #[test]
    fn a_cost_below_the_noise_is_not_made_zero() {
        assert_eq!(of(&[10], &[8], 1).map(|cost| cost.median_ns), Some(-1.0));
    }

    #[test]
    fn no_batches_have_no_cost() {
        assert_eq!(of(&[], &[1], 1), None);
        assert_eq!(of(&[1], &[], 1), None);
        assert_eq!(of(&[1], &[1], 0), None);
    }
}
