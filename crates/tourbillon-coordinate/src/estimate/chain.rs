use tourbillon_record::Chain;
use tourbillon_stats::{MAD_TO_STDDEV, Sample, median};

/// Readings on either side of one that are taken together with it: some 50 microseconds of chain,
/// about as long as a batch, so that what disturbs a batch of that length as a matter of course (a
/// quarter of a microsecond, some ten thousand times a second) is in both. Short readings one by one
/// would show the core as faster than it is for a batch.
const NEIGHBOURS: usize = 4;
/// A reading this many times as long as usual was interrupted by something that few batches meet.
const LOST: f64 = 2.0;
/// How far above its median the mean of a neighbourhood may be, as a fraction, before an interruption
/// is in it.
const HIT: f64 = 0.04;

/// How long a cycle of the core's clock was, from one batch to the next.
///
/// The core's clock wanders by several percent within a run. The reference chain is read between
/// the batches, so each batch is divided by what the chain said around it.
#[derive(Debug)]
pub(crate) struct CoreClock {
    /// (batches taken before, ticks per cycle), ascending.
    readings: Vec<(u64, f64)>,
    typical: f64,
    /// How wrong the readings of a visit together may be, as a fraction: the standard error that
    /// their scatter from one to the next gives. How far the clock wandered does not count.
    pub(crate) error: f64,
}

impl CoreClock {
    /// Reads it from a chain; `None` when none of its readings can be used.
    pub(crate) fn new(chain: &Chain) -> Option<CoreClock> {
        let cycles = chain.long_cycles.checked_sub(chain.short_cycles)?;
        let ticks = chain.short_ticks.iter().zip(&chain.long_ticks);
        let mut raw: Vec<(u64, f64)> = chain
            .at
            .iter()
            .zip(ticks)
            .filter_map(|(at, (short, long))| {
                // A short chain that took longer than the long one was interrupted.
                let ticks = long.checked_sub(*short).filter(|ticks| *ticks > 0)?;
                (cycles > 0).then(|| (*at, ticks as f64 / cycles as f64))
            })
            .collect();
        raw.sort_by_key(|reading| reading.0);
        // Of two, the faster one is usual: it cannot have been interrupted.
        let usual = lower_median(raw.iter().map(|reading| reading.1).collect())?;
        raw.retain(|reading| reading.1 < LOST * usual);
        let readings = neighbourhoods(&raw);
        let typical = lower_median(readings.iter().map(|near| near.1).collect())?;
        let steps = raw.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs());
        // A step has twice the variance of a reading.
        let scatter = Sample::new(steps.collect()).map_or(0.0, |steps| {
            MAD_TO_STDDEV * median(&steps) / std::f64::consts::SQRT_2
        });
        Some(CoreClock {
            readings,
            typical,
            error: scatter / typical / (raw.len() as f64).sqrt(),
        })
    }

    /// Ticks in a cycle while a batch ran, counted from 0: the mean of the readings before and
    /// after it.
    pub(crate) fn ticks_per_cycle(&self, batch: u64) -> f64 {
        let after = self.readings.partition_point(|(at, _)| *at <= batch);
        let reading = |index: usize| self.readings.get(index).map(|reading| reading.1);
        let before = after.checked_sub(1).and_then(reading);
        match (before, reading(after)) {
            (Some(before), Some(after)) => f64::midpoint(before, after),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => self.typical,
        }
    }

    /// Ticks in a cycle over the whole visit.
    pub(crate) fn typical(&self) -> f64 {
        self.typical
    }
}

/// Puts the mean of its neighbourhood in the place of each reading, or the median where an
/// interruption is in it. Medians throughout would keep the steps of a coarse counter.
fn neighbourhoods(raw: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let together = |(index, reading): (usize, &(u64, f64))| {
        let near = index.saturating_sub(NEIGHBOURS)..(index + NEIGHBOURS + 1).min(raw.len());
        let near: Vec<f64> = raw[near].iter().map(|near| near.1).collect();
        let mean = near.iter().sum::<f64>() / near.len() as f64;
        let usual = lower_median(near).unwrap_or(mean);
        (
            reading.0,
            if mean > (1.0 + HIT) * usual {
                usual
            } else {
                mean
            },
        )
    };
    raw.iter().enumerate().map(together).collect()
}

/// The middle value, of two in the middle the lower one; `None` without values.
fn lower_median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
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
        let (before, after) = (clock.readings[9].1, clock.readings[10].1);
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
        assert!(
            (clock.typical() - 0.7008).abs() < 1e-4,
            "{}",
            clock.typical()
        );
        assert!((clock.ticks_per_cycle(4) - 0.7008).abs() < 1e-4);
    }

    #[test]
    fn a_reading_that_was_hit_touches_no_batch() {
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
    fn scatter_is_an_error_and_wandering_is_not() {
        let wander: Vec<(u64, u64)> = (0..100).map(|at| (at, 7_000 + at)).collect();
        let wander = CoreClock::new(&chain(&wander)).unwrap();
        assert!(wander.error < 2e-5, "{}", wander.error);
        let scatter: Vec<(u64, u64)> = (0..100).map(|at| (at, 7_000 + 70 * (at % 2))).collect();
        let scatter = CoreClock::new(&chain(&scatter)).unwrap();
        assert!((scatter.error - 1e-3).abs() < 1e-4, "{}", scatter.error);
    }

    #[test]
    fn what_cannot_be_read_is_no_clock() {
        assert!(CoreClock::new(&chain(&[])).is_none());
        let mut backwards = chain(&[(0, 1)]);
        backwards.long_ticks = vec![4_000];
        assert!(CoreClock::new(&backwards).is_none());
        let mut same = chain(&[(0, 7_000)]);
        same.long_cycles = same.short_cycles;
        assert!(CoreClock::new(&same).is_none());
        let two = CoreClock::new(&chain(&[(4, 7_000), (8, 9_000)])).unwrap();
        assert!(near(two.ticks_per_cycle(0), 0.7));
        assert!(near(two.ticks_per_cycle(8), 0.7));
    }
}
