//! The loops that read a source; the analysis of the readings is in the other files.

use tourbillon_clock::{Clock, Frequency, Ticks};

use super::{Cost, Deltas, Gap, Interruptions};

/// Readings kept at a time: 32 KiB, so that the buffer stays in the first cache.
const BLOCK: usize = 4_096;
/// Most readings in a short batch for costs.
const LONGEST_BATCH: usize = 512;
/// Least time of a short batch, if the most readings take that long.
const BATCH_NS: f64 = 2_000.0;
/// Most gaps of an observation; it ends when they are reached.
const MOST_GAPS: usize = 1_000_000;

/// The amount of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Series of sequential readings.
    pub series: usize,
    /// Readings in a series.
    pub reads: u64,
    /// Changes that a series waits for after its readings, in which a coarse source may show none.
    pub changes: u64,
    /// Time after which a series ends, in nanoseconds.
    pub patience_ns: u64,
    /// Batches of each of the two lengths for a cost.
    pub batches: usize,
}

impl Default for Effort {
    /// Seven series of 100 000 readings and at least 8 changes, at most 120 ms each; 400 batches.
    fn default() -> Effort {
        Effort {
            series: 7,
            reads: 100_000,
            changes: 8,
            patience_ns: 120_000_000,
            batches: 400,
        }
    }
}

/// Reads a source, and times the readings with another clock.
///
/// The source is passed as a function that fills a buffer with sequential readings: the loop around the
/// readings is compiled for that source, so no call through a pointer is measured with it.
///
/// # Examples
///
/// ```
/// use tourbillon_timers::characterise::{Collector, Effort, Observed, Regime};
/// use tourbillon_clock::{Clock, Script};
///
/// // A source of 1 GHz that moves every 366 ns and costs 15 ns to read.
/// let clock = Clock::scripted(&Script::new().granularity(366).now_cost(15));
/// let mut fill = |buffer: &mut [_]| buffer.iter_mut().for_each(|slot| *slot = clock.now());
/// let series = Collector::new(&clock, Effort::default()).series(&mut fill);
/// let observed = Observed::of(&series).unwrap();
/// assert_eq!(observed.regime, Regime::ResolutionBound);
/// assert_eq!(observed.median.median, 366.0);
/// ```
#[derive(Debug)]
pub struct Collector<'a> {
    clock: &'a Clock,
    frequency: Frequency,
    effort: Effort,
}

/// A function that fills a buffer with sequential readings of a source.
type Fill<'f> = &'f mut dyn FnMut(&mut [Ticks]);

impl<'a> Collector<'a> {
    /// A collector that times with `clock`, which should be the finest of the machine.
    #[must_use]
    pub fn new(clock: &'a Clock, effort: Effort) -> Collector<'a> {
        let frequency = clock.frequency();
        Collector {
            clock,
            frequency,
            effort,
        }
    }

    /// The differences of sequential readings, series by series.
    #[must_use]
    pub fn series(&self, fill: Fill<'_>) -> Vec<Deltas> {
        let mut block = self.warmed(fill);
        let one = |_| {
            let began = self.clock.now();
            let mut deltas = Deltas::default();
            loop {
                fill(&mut block);
                deltas.add_readings(&block);
                let seen =
                    deltas.total() >= self.effort.reads && deltas.changes() >= self.effort.changes;
                if seen || self.has_passed(began, self.effort.patience_ns) {
                    return deltas;
                }
            }
        };
        (0..self.effort.series).map(one).collect()
    }

    /// The differences of at least `reads` sequential readings.
    #[must_use]
    pub fn deltas(&self, reads: u64, fill: Fill<'_>) -> Deltas {
        let mut block = self.warmed(fill);
        let mut deltas = Deltas::default();
        while deltas.total() < reads {
            fill(&mut block);
            deltas.add_readings(&block);
        }
        deltas
    }

    /// The lengths of at least `pairs` empty pairs: a start, nothing, a stop.
    #[must_use]
    pub fn pairs(&self, pairs: u64, fill: Fill<'_>) -> Deltas {
        let mut block = self.warmed(fill);
        let mut lengths = Deltas::default();
        let mut done = 0;
        while done < pairs {
            fill(&mut block);
            for pair in block.chunks_exact(2) {
                lengths.add(pair[1].signed_since(pair[0]), 1);
                done += 1;
            }
        }
        lengths
    }

    /// The cost of a reading that is stored; `None` if the clock went backwards.
    #[must_use]
    pub fn read_cost(&self, fill: Fill<'_>) -> Option<Cost> {
        self.cost(1, fill)
    }

    /// The cost of a start and a stop whose difference is stored; `None` if the clock went backwards.
    #[must_use]
    pub fn pair_cost(&self, fill: Fill<'_>) -> Option<Cost> {
        let mut kept = 0_i128;
        let mut pairs = |buffer: &mut [Ticks]| {
            fill(buffer);
            for pair in buffer.chunks_exact(2) {
                kept = kept.wrapping_add(pair[1].signed_since(pair[0]));
            }
            std::hint::black_box(kept);
        };
        self.cost(2, &mut pairs)
    }

    /// Reads the clock for `watch_ns` and records every gap of at least `threshold_ns`; `None` if the clock
    /// went backwards, which makes all gaps doubtful.
    #[must_use]
    pub fn interruptions(&self, watch_ns: u64, threshold_ns: u64) -> Option<Interruptions> {
        let watch = self.frequency.ticks_in(watch_ns);
        let threshold = self.frequency.ticks_in(threshold_ns);
        let mut gaps = Vec::new();
        let began = self.clock.now();
        let mut last = began;
        loop {
            let now = self.clock.now();
            let length = now.since(last)?;
            let at = last.since(began)?;
            if length >= threshold {
                gaps.push(Gap { at, length });
            }
            if at >= watch || gaps.len() == MOST_GAPS {
                return Interruptions::of(&gaps, at, threshold, &self.frequency);
            }
            last = now;
        }
    }

    /// A block of memory and a source after their first, slow uses.
    fn warmed(&self, fill: Fill<'_>) -> Vec<Ticks> {
        let mut block = vec![Ticks(0); BLOCK];
        fill(&mut block[..64]);
        let began = self.clock.now();
        fill(&mut block[64..128]);
        // A source that takes a microsecond or more gets blocks that end in time.
        if self.has_passed(began, 64_000) {
            block.truncate(128);
        } else {
            fill(&mut block);
        }
        block
    }

    /// The cost of `readings` readings, from alternating batches of a length and of twice that length.
    fn cost(&self, readings: usize, fill: Fill<'_>) -> Option<Cost> {
        let mut buffer = vec![Ticks(0); 2 * LONGEST_BATCH * readings];
        let length = self.batch_length(&mut buffer[..16 * readings], fill)? * readings;
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for _ in 0..self.effort.batches {
            short.push(self.timed(&mut buffer[..length], fill)?);
            long.push(self.timed(&mut buffer[..2 * length], fill)?);
        }
        Cost::of(&short, &long, (length / readings) as u64, &self.frequency)
    }

    /// Operations that fill a batch, from the time of 16 of them.
    fn batch_length(&self, sixteen: &mut [Ticks], fill: Fill<'_>) -> Option<usize> {
        self.timed(sixteen, fill)?;
        let ns = self.frequency.nanos(self.timed(sixteen, fill)?) / 16.0;
        Some((BATCH_NS / ns).clamp(8.0, LONGEST_BATCH as f64) as usize)
    }

    fn timed(&self, buffer: &mut [Ticks], fill: Fill<'_>) -> Option<Ticks> {
        let start = self.clock.start();
        fill(buffer);
        self.clock.stop().since(start)
    }

    /// Whether the time has passed, or the clock went backwards.
    fn has_passed(&self, began: Ticks, ns: u64) -> bool {
        let limit = self.frequency.ticks_in(ns);
        self.clock
            .now()
            .since(began)
            .is_none_or(|passed| passed >= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::characterise::{Granularity, Observed, Regime, Step};
    use tourbillon_clock::Script;

    fn effort() -> Effort {
        Effort {
            series: 5,
            reads: 5_000,
            patience_ns: 50_000_000,
            batches: 20,
            ..Effort::default()
        }
    }

    /// Readings of a scripted clock as a source; the clock times them itself.
    fn with_source<R>(script: Script, then: impl FnOnce(&Collector<'_>, Fill<'_>) -> R) -> R {
        let clock = Clock::scripted(&script);
        let mut fill = |buffer: &mut [Ticks]| {
            for slot in buffer {
                *slot = clock.now();
            }
        };
        then(&Collector::new(&clock, effort()), &mut fill)
    }

    #[test]
    fn a_coarse_source_shows_its_step() {
        let series = with_source(
            Script::new().granularity(366).now_cost(15),
            |collector, fill| collector.series(fill),
        );
        let observed = Observed::of(&series).unwrap();
        assert_eq!(observed.regime, Regime::ResolutionBound);
        assert_eq!(observed.minimum.lowest, 366.0);
        assert_eq!(observed.median.highest, 366.0);
    }

    #[test]
    fn a_fine_source_shows_what_a_reading_costs() {
        let series = with_source(Script::new().now_cost(22), |collector, fill| {
            collector.series(fill)
        });
        let observed = Observed::of(&series).unwrap();
        assert_eq!(observed.regime, Regime::LatencyBound);
        assert_eq!(observed.median.median, 22.0);
    }

    #[test]
    fn the_wait_for_a_tick_of_ten_milliseconds_ends() {
        let coarse = |patience_ns| {
            let effort = Effort {
                changes: 3,
                patience_ns,
                ..effort()
            };
            let clock = Clock::scripted(&Script::new().granularity(10_000_000).now_cost(900));
            let mut fill = |buffer: &mut [Ticks]| {
                for slot in buffer {
                    *slot = clock.now();
                }
            };
            Collector::new(&clock, effort).series(&mut fill)
        };
        let mut all = Deltas::default();
        for deltas in coarse(1_000_000_000) {
            assert!((3..6).contains(&deltas.changes()));
            all.merge(&deltas);
        }
        let step = Granularity::of(&all).map(|found| found.step);
        assert_eq!(step, Some(Step::Whole(10_000_000)));
        assert!(coarse(1).iter().all(|deltas| deltas.changes() < 3));
    }

    #[test]
    fn costs_come_out_without_those_of_the_timing() {
        let script = Script::new().read_cost(30, 17).now_cost(25);
        let (read, pair) = with_source(script, |collector, fill| {
            (collector.read_cost(fill), collector.pair_cost(fill))
        });
        assert_eq!(read.map(|cost| cost.median_ns), Some(25.0));
        assert_eq!(pair.map(|cost| cost.median_ns), Some(50.0));
    }

    #[test]
    fn the_worst_pair_is_the_interrupted_one() {
        let script = Script::new().now_cost(20).interruption(400_000, 7_000_000);
        let lengths = with_source(script, |collector, fill| collector.pairs(20_000, fill));
        assert!(lengths.total() >= 20_000);
        assert_eq!(lengths.smallest(), Some(20));
        // Between two pairs it would not be seen; here it falls into one.
        assert_eq!(lengths.largest(), Some(7_000_020));
    }

    #[test]
    fn a_warp_is_counted() {
        let script = Script::new().now_cost(20).warp(100_000, -5_000);
        let deltas = with_source(script, |collector, fill| collector.deltas(20_000, fill));
        let negatives = deltas.negatives();
        assert_eq!((negatives.count, negatives.worst), (1, -4_980));
    }

    #[test]
    fn interruptions_are_recorded() {
        let mut script = Script::new().now_cost(25);
        for beat in 1..=50_u64 {
            script = script.interruption(beat * 4_000_000, 23_000);
        }
        let clock = Clock::scripted(&script);
        let collector = Collector::new(&clock, effort());
        let found = collector.interruptions(201_000_000, 1_000).unwrap();
        assert_eq!(found.count, 50);
        assert_eq!(found.typical_ns, Some(23_025.0));
        assert!(
            (found.share - 50.0 * 23_025.0 / 201e6).abs() < 1e-5,
            "{found:?}"
        );
        let beat = found.periodicity.unwrap();
        assert!((beat.period_ns - 4e6).abs() < 4e3, "{beat:?}");
    }

    #[test]
    fn a_clock_that_goes_backwards_has_no_summary() {
        let script = Script::new().now_cost(25).warp(50_000, -1_000);
        let clock = Clock::scripted(&script);
        let collector = Collector::new(&clock, effort());
        assert_eq!(collector.interruptions(1_000_000, 1_000), None);
    }
}
