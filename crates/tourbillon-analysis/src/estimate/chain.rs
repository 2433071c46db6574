//! The clock of the core, by the readings of the reference chain.

use std::f64::consts::SQRT_2;

use tourbillon_record::Chain;
use tourbillon_stats::{MAD_TO_STDDEV, Sample, median};

/// Readings on either side of one that count as near it. Nine of them span some 50 microseconds, about the
/// length of a batch, so that a frequent short disturbance (a quarter of a microsecond, ten thousand times
/// a second) is in both.
pub(crate) const NEAR: usize = 4;
/// A reading this many times as long as the median of those near it was interrupted. A smaller factor would
/// take the steps of a coarse clock for interruptions.
const INTERRUPTED: f64 = 2.0;

/// The length of a cycle of the core's clock over a launch.
///
/// The clock drifts by several percent within a run. The reference chain is read between the batches, so that
/// each batch can be divided by the readings around it.
pub(crate) struct CoreClock {
    /// Batches taken before each reading, ascending.
    at: Vec<u64>,
    /// Ticks per cycle around each reading.
    near: Vec<f64>,
    /// Ticks per cycle over the whole launch.
    pub(crate) typical: f64,
    /// Standard error of all readings together, as a fraction, by their scatter from one to the next. Drift does
    /// not count.
    pub(crate) error: f64,
    /// Readings that nothing interrupted.
    pub(crate) usable: usize,
}

impl CoreClock {
    /// `None` when no reading of the chain is usable.
    pub(crate) fn new(chain: &Chain) -> Option<CoreClock> {
        let cycles = chain.long_cycles.saturating_sub(chain.short_cycles);
        let (mut at, mut raw) = (Vec::new(), Vec::new());
        let lengths = chain.short_ticks.iter().zip(&chain.long_ticks);
        for (before, (short, long)) in chain.at.iter().zip(lengths) {
            // An interrupted short chain takes longer than the long one.
            let ticks = long.saturating_sub(*short);
            let in_order = at.last().is_none_or(|last| last <= before);
            if cycles > 0 && ticks > 0 && in_order {
                at.push(*before);
                raw.push(ticks as f64 / cycles as f64);
            }
        }
        let near: Vec<f64> = (0..raw.len()).map(|index| mean_near(&raw, index)).collect();
        let typical = lower_median(&near)?;
        let pairs = raw.iter().zip(&near);
        let kept: Vec<f64> = pairs
            .filter(|(reading, near)| is_near(**reading, **near))
            .map(|(reading, _)| *reading)
            .collect();
        let steps = kept.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let steps = Sample::new(steps.collect()).ok();
        // A step has twice the variance of a reading.
        let scatter = steps.map_or(0.0, |steps| MAD_TO_STDDEV * median(&steps) / SQRT_2);
        Some(CoreClock {
            at,
            near,
            typical,
            error: scatter / typical / (kept.len() as f64).sqrt(),
            usable: kept.len(),
        })
    }

    /// Ticks per cycle during a batch, counted from 0: the mean of the readings before and after it.
    pub(crate) fn ticks_per_cycle(&self, batch: u64) -> f64 {
        let after = self.at.partition_point(|at| *at <= batch);
        match (after, self.near.get(after)) {
            (0, Some(first)) => *first,
            (0, None) => self.typical,
            (_, Some(next)) => f64::midpoint(self.near[after - 1], *next),
            (_, None) => self.near[after - 1],
        }
    }
}

/// The mean of the readings near one, without those that were interrupted. A median would keep the steps of
/// a coarse clock.
fn mean_near(raw: &[f64], index: usize) -> f64 {
    let near = &raw[index.saturating_sub(NEAR)..raw.len().min(index + NEAR + 1)];
    let usual = lower_median(near).unwrap_or(raw[index]);
    let (mut sum, mut count) = (0.0, 0.0);
    for reading in near.iter().filter(|reading| is_near(**reading, usual)) {
        sum += reading;
        count += 1.0;
    }
    sum / count
}

/// Whether nothing interrupted a reading.
fn is_near(reading: f64, usual: f64) -> bool {
    reading < INTERRUPTED * usual && usual < INTERRUPTED * reading
}

/// The middle value, or the lower one of two in the middle; `None` without values.
fn lower_median(values: &[f64]) -> Option<f64> {
    let sample = Sample::new(values.to_vec()).ok()?;
    Some(sample.as_slice()[(sample.len() - 1) / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(readings: &[(u64, u64)]) -> Chain {
        Chain {
            of: "additions of 1 cycle".to_owned(),
            short_cycles: 5_000,
            long_cycles: 15_000,
            at: readings.iter().map(|reading| reading.0).collect(),
            short_ticks: readings.iter().map(|_| 4_020).collect(),
            long_ticks: readings.iter().map(|reading| 4_020 + reading.1).collect(),
            additions: None,
        }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn a_batch_takes_the_readings_around_it() {
        let steady = |from: u64, ticks: u64| (from..from + 10).map(move |at| (at * 3, ticks));
        let stepped: Vec<(u64, u64)> = steady(0, 7_000).chain(steady(10, 7_700)).collect();
        let clock = CoreClock::new(&chain(&stepped)).unwrap();
        // Away from the step nothing of the other side is in the mean.
        assert!(near(clock.ticks_per_cycle(0), 0.7));
        assert!(near(clock.ticks_per_cycle(12), 0.7));
        assert!(near(clock.ticks_per_cycle(45), 0.77));
        assert!(near(clock.ticks_per_cycle(900), 0.77));
        // At the step, between the reading before the batch and the one after it.
        let (before, after) = (clock.near[9], clock.near[10]);
        assert!(before < after - 0.001);
        assert!(near(
            clock.ticks_per_cycle(28),
            f64::midpoint(before, after)
        ));
    }

    #[test]
    fn the_steps_of_a_coarse_counter_average_out() {
        // 7 013 ticks, read by a counter that advances by 26.
        let coarse: Vec<(u64, u64)> = (0..9)
            .map(|at| (at, if at % 2 == 0 { 7_020 } else { 6_994 }))
            .collect();
        let clock = CoreClock::new(&chain(&coarse)).unwrap();
        assert!((clock.typical - 0.7008).abs() < 1e-4, "{}", clock.typical);
        assert!((clock.ticks_per_cycle(4) - 0.7008).abs() < 1e-4);
    }

    #[test]
    fn an_interrupted_reading_affects_no_batch() {
        let clock = CoreClock::new(&chain(&[
            (0, 7_000),
            (3, 7_000),
            (6, 70_000),
            (9, 7_000),
            (12, 7_000),
        ]))
        .unwrap();
        for batch in 0..20 {
            assert!(near(clock.ticks_per_cycle(batch), 0.7), "batch {batch}");
        }
        assert!(near(clock.error, 0.0));
    }

    #[test]
    fn scatter_is_an_error_and_drift_is_not() {
        let drift: Vec<(u64, u64)> = (0..100).map(|at| (at, 7_000 + at)).collect();
        let drift = CoreClock::new(&chain(&drift)).unwrap();
        assert!(drift.error < 2e-5, "{}", drift.error);
        let scatter: Vec<(u64, u64)> = (0..100).map(|at| (at, 7_000 + 70 * (at % 2))).collect();
        let scatter = CoreClock::new(&chain(&scatter)).unwrap();
        assert!((scatter.error - 1e-3).abs() < 1e-4, "{}", scatter.error);
    }

    #[test]
    fn unusable_readings_are_not_a_clock() {
        assert!(CoreClock::new(&chain(&[])).is_none());
        let mut backwards = chain(&[(0, 1)]);
        backwards.long_ticks = vec![4_000];
        assert!(CoreClock::new(&backwards).is_none());
        let mut same = chain(&[(0, 7_000)]);
        same.long_cycles = same.short_cycles;
        assert!(CoreClock::new(&same).is_none());
        // A reading out of order is discarded.
        let mixed = CoreClock::new(&chain(&[(4, 7_000), (1, 9_000), (8, 7_000)])).unwrap();
        assert_eq!(mixed.at, [4, 8]);
        let two = CoreClock::new(&chain(&[(4, 7_000), (8, 9_000)])).unwrap();
        assert!(near(two.ticks_per_cycle(0), 0.8));
        assert!(near(two.ticks_per_cycle(8), 0.8));
    }
}
