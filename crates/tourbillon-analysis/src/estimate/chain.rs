use tourbillon_record::Chain;
use tourbillon_stats::{MAD_TO_STDDEV, Sample};

use super::batch::{median_of, sample_of};

/// Rounds on either side of one that are taken together with it. Of the reference chain these are some 50
/// microseconds, about as long as a batch, so that what disturbs a batch of that length as a matter of
/// course (a quarter of a microsecond, some ten thousand times a second) is in both.
pub(crate) const NEAR: usize = 4;
/// A reading that is so many times as long as the median of its neighbourhood was interrupted. A smaller
/// factor would take the steps of a coarse clock for interruptions.
const INTERRUPTED: f64 = 2.0;

/// How long a cycle of the core's clock was, from one batch to the next.
///
/// The core's clock wanders by several percent within a run. The reference chain is read between
/// the batches, so each batch is divided by what the chain said around it.
pub(crate) struct CoreClock {
    /// Batches taken before each reading, ascending.
    at: Vec<u64>,
    /// Ticks per cycle in the neighbourhood of each reading.
    near: Vec<f64>,
    typical: f64,
    /// How wrong the readings of a visit together may be, as a fraction: the standard error that
    /// their scatter from one to the next gives. How far the clock wandered does not count.
    pub(crate) error: f64,
}

impl CoreClock {
    /// Reads it from a chain; `None` when none of its readings can be used.
    #[inline(never)]
    pub(crate) fn new(chain: &Chain) -> Option<CoreClock> {
        let (mut at, mut raw) = (Vec::new(), Vec::new());
        read(chain, &mut at, &mut raw);
        let near = neighbourhoods(&raw);
        let typical = lower_median(&near)?;
        let mut kept = Vec::new();
        for (reading, near) in raw.iter().zip(&near) {
            if is_near(*reading, *near) {
                kept.push(*reading);
            }
        }
        let mut steps = Vec::new();
        for pair in kept.windows(2) {
            steps.push((pair[1] - pair[0]).abs());
        }
        // A step has twice the variance of a reading.
        let scatter = match median_of(steps) {
            Some(step) => MAD_TO_STDDEV * step / std::f64::consts::SQRT_2,
            None => 0.0,
        };
        Some(CoreClock {
            at,
            near,
            typical,
            error: scatter / typical / (kept.len() as f64).sqrt(),
        })
    }

    /// Ticks in a cycle while a batch ran, counted from 0: the mean of the readings before and
    /// after it.
    pub(crate) fn ticks_per_cycle(&self, batch: u64) -> f64 {
        let after = readings_before(&self.at, batch);
        match (after, self.near.get(after)) {
            (0, Some(first)) => *first,
            (0, None) => self.typical,
            (_, Some(next)) => f64::midpoint(self.near[after - 1], *next),
            (_, None) => self.near[after - 1],
        }
    }

    /// Ticks in a cycle over the whole visit.
    pub(crate) fn typical(&self) -> f64 {
        self.typical
    }
}

/// How many readings were taken before the end of a batch, counted from 0; `at` has the batches that
/// were taken before each reading, ascending.
///
/// By hand: every bench binary is built with this, and the search of slices is five times as much.
#[inline(never)]
pub(crate) fn readings_before(at: &[u64], batch: u64) -> usize {
    let (mut first, mut end) = (0, at.len());
    while first < end {
        let middle = usize::midpoint(first, end);
        if at[middle] <= batch {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    first
}

/// Takes the readings that make sense, in order: batches taken before each, and its ticks per cycle.
fn read(chain: &Chain, at: &mut Vec<u64>, readings: &mut Vec<f64>) {
    let (short, long) = (&chain.short_ticks, &chain.long_ticks);
    let cycles = chain.long_cycles.saturating_sub(chain.short_cycles);
    for index in 0..chain.at.len().min(short.len()).min(long.len()) {
        // A short chain that took longer than the long one was interrupted.
        let ticks = long[index].saturating_sub(short[index]);
        let before = chain.at[index];
        let in_order = at.last().is_none_or(|last| *last <= before);
        if cycles > 0 && ticks > 0 && in_order {
            at.push(before);
            readings.push(ticks as f64 / cycles as f64);
        }
    }
}

/// Puts the mean of its neighbourhood in the place of each reading, without those that were interrupted.
/// Medians would keep the steps of a coarse counter.
fn neighbourhoods(raw: &[f64]) -> Vec<f64> {
    let mut means = Vec::new();
    for index in 0..raw.len() {
        let last = raw.len().min(index + NEAR + 1);
        let near = &raw[index.saturating_sub(NEAR)..last];
        let usual = lower_median(near).unwrap_or(raw[index]);
        let (mut sum, mut count) = (0.0, 0.0);
        for reading in near {
            if is_near(*reading, usual) {
                sum += reading;
                count += 1.0;
            }
        }
        means.push(sum / count);
    }
    means
}

/// Whether nothing interrupted a reading.
fn is_near(reading: f64, usual: f64) -> bool {
    reading < INTERRUPTED * usual && usual < INTERRUPTED * reading
}

/// The middle value, of two in the middle the lower one; `None` without values.
fn lower_median(values: &[f64]) -> Option<f64> {
    let sample = sorted(values)?;
    Some(sample.as_slice()[(sample.len() - 1) / 2])
}

/// Values in order, as a sample; `None` without values, or where one is no number.
#[inline(never)]
pub(crate) fn sorted(values: &[f64]) -> Option<Sample> {
    sample_of(values.to_vec())
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
        // A reading out of its place is none.
        let mixed = CoreClock::new(&chain(&[(4, 7_000), (1, 9_000), (8, 7_000)])).unwrap();
        assert_eq!(mixed.at, [4, 8]);
        let two = CoreClock::new(&chain(&[(4, 7_000), (8, 9_000)])).unwrap();
        assert!(near(two.ticks_per_cycle(0), 0.8));
        assert!(near(two.ticks_per_cycle(8), 0.8));
    }
}
