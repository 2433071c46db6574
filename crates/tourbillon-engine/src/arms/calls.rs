//! Bodies whose calls are timed one by one.

use std::collections::BTreeMap;
use std::mem::needs_drop;

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Calls};

use super::LoopKind;
use super::iterate::first;
use super::windows::{Outputs, drop_written};
use crate::arm::{Arm, Limits, Pace, Reading};
use crate::calibrate::WINDOW_BYTES;
use crate::loops::keep::observe;
use crate::loops::{INTERVAL_BITS, one_by_one, when_due};

/// Most calls between two evaluations, so that their readings take 8 KiB of the first-level cache.
const MOST_CALLS: usize = 1024;
/// Calls after an evaluation begin with one that is not timed, where there are at least so many.
const LEAD_IN_FROM: usize = 8;
/// Readings of what the clock takes, and calls of an empty body in each.
const READINGS: (usize, usize) = (9, 64);

/// A body whose calls are timed one by one, each from the end of the call before, or at a fixed rate from the
/// time at which it is due.
#[derive(Debug)]
pub struct Single<F, R> {
    body: F,
    check: fn(&R) -> Result<(), String>,
    pace: Pace,
    outputs: Outputs<R>,
    ends: Vec<u64>,
    timed: Option<Timed>,
}

impl<R, F: FnMut() -> R> Single<F, R> {
    /// An arm of `body`; `check` looks at the output of the first call.
    pub fn new(
        body: F,
        check: fn(&R) -> Result<(), String>,
        pace: Pace,
        drop_inside: bool,
    ) -> Self {
        Self {
            body,
            check,
            pace,
            outputs: Outputs::new(drop_inside),
            ends: Vec::new(),
            timed: None,
        }
    }

    /// Calls of which each begins when the one before has ended.
    fn back_to_back(&mut self, clock: &Clock, mut left: usize) -> u64 {
        let kept_bytes = self.outputs.bytes().unwrap_or(0).max(1);
        let most = (WINDOW_BYTES as usize / kept_bytes).clamp(1, MOST_CALLS);
        let mut ticks = 0;
        loop {
            let count = left.min(most);
            if self.timed.is_some() && count >= LEAD_IN_FROM {
                drop((self.body)());
            }
            let stamps = self.some(clock, count);
            ticks += stamps.ticks();
            if let Some(timed) = &mut self.timed {
                let mut before = stamps.start;
                for end in &self.ends[..count] {
                    timed.add(end.wrapping_sub(before), 1);
                    before = *end;
                }
            }
            left -= count;
            if left == 0 {
                return ticks;
            }
        }
    }

    /// Calls without an evaluation in between.
    fn some(&mut self, clock: &Clock, count: usize) -> crate::loops::Stamps {
        self.ends.resize(self.ends.len().max(count), 0);
        let ends = &mut self.ends[..count];
        if const { needs_drop::<R>() } && !self.outputs.drop_inside {
            let slots = self.outputs.slots(count);
            let mut free = slots.iter_mut();
            let body = &mut self.body;
            let mut keeping = || {
                if let Some(slot) = free.next() {
                    observe(slot.write(body()));
                }
            };
            let stamps = one_by_one(clock, &mut keeping, ends);
            drop_written(slots);
            stamps
        } else {
            one_by_one(clock, &mut self.body, ends)
        }
    }

    /// Calls at a rate of which two are `interval` 65536ths of a tick apart.
    fn at_rate(&mut self, clock: &Clock, interval: u64, count: usize) -> u64 {
        self.ends.resize(self.ends.len().max(count), 0);
        let durations = &mut self.ends[..count];
        let inside = when_due(clock, &mut self.body, interval, durations);
        if let Some(timed) = &mut self.timed {
            timed.add_scheduled(durations, interval);
        }
        inside
    }
}

impl<R, F: FnMut() -> R> Arm for Single<F, R> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let count = shape.iterations() as usize;
        let interval = self.timed.as_ref().and_then(|timed| timed.interval);
        let ticks = match interval {
            Some(interval) => self.at_rate(clock, interval, count),
            None => self.back_to_back(clock, count),
        };
        Reading::of(ticks)
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        first(clock, &mut self.body, self.check)
    }

    fn limits(&self) -> Limits {
        Limits::default()
    }

    fn loop_kind(&self) -> LoopKind {
        LoopKind::Timed
    }

    fn pace(&self) -> Option<Pace> {
        Some(self.pace)
    }

    fn time_calls(&mut self, clock: &Clock, tick_hz: u64) {
        self.timed = Some(Timed::new(clock, self.pace, tick_hz));
    }

    fn calls(&mut self) -> Option<Box<Calls>> {
        self.timed.take().map(Timed::into_calls)
    }
}

/// The calls that were timed.
#[derive(Debug)]
struct Timed {
    /// Between two calls that are due, in 65536ths of a tick; `None` without a rate.
    interval: Option<u64>,
    /// Calls by bucket.
    buckets: BTreeMap<u64, u64>,
    calls: Calls,
}

impl Timed {
    fn new(clock: &Clock, pace: Pace, tick_hz: u64) -> Timed {
        let mut ends = [0; READINGS.1];
        let readings = (0..READINGS.0).map(|_| {
            let mut before = one_by_one(clock, &mut || (), &mut ends).start;
            for end in &mut ends {
                let own = *end;
                *end = own.wrapping_sub(before);
                before = own;
            }
            ends.sort_unstable();
            ends[READINGS.1 / 2]
        });
        let calls = Calls {
            per_second: pace.per_second(),
            reading_ticks: readings.collect(),
            step_ticks: clock.resolution().granularity.0,
            ..Calls::default()
        };
        Timed {
            interval: pace.interval(tick_hz),
            buckets: BTreeMap::new(),
            calls,
        }
    }

    /// A negative duration means that the clock went backwards; the call is not counted.
    fn add(&mut self, ticks: u64, count: u64) {
        if ticks < 1 << 63 {
            *self.buckets.entry(Calls::bucket(ticks)).or_insert(0) += count;
            self.calls.longest_ticks = self.calls.longest_ticks.max(ticks);
        }
    }

    /// Calls that were due at a rate, by the ticks from when each was due to its end.
    fn add_scheduled(&mut self, durations: &[u64], interval: u64) {
        let (mut due, mut ended) = (0_u64, 0);
        for duration in durations {
            let due_ticks = due >> INTERVAL_BITS;
            // How long it waited, which is how many calls after it were due when it began.
            let waited = u64::saturating_sub(ended, due_ticks);
            if waited > 0 {
                self.calls.late += 1;
                let waiting =
                    (u128::from(waited) << INTERVAL_BITS) / u128::from(interval.max(1)) + 1;
                let waiting = u64::try_from(waiting).unwrap_or(u64::MAX);
                self.calls.backlog = self.calls.backlog.max(waiting);
            }
            self.add(*duration, 1);
            ended = due_ticks.saturating_add(*duration);
            due += interval;
        }
    }

    fn into_calls(mut self) -> Box<Calls> {
        (self.calls.ticks, self.calls.count) = self.buckets.into_iter().unzip();
        Box::new(self.calls)
    }
}

impl Pace {
    fn per_second(self) -> Option<f64> {
        match self {
            Pace::BackToBack => None,
            Pace::PerSecond(rate) => Some(rate),
        }
    }

    /// Between two calls, in 65536ths of a tick.
    fn interval(self, tick_hz: u64) -> Option<u64> {
        let rate = self.per_second()?;
        Some((tick_hz as f64 / rate * f64::from(1_u32 << INTERVAL_BITS)) as u64)
    }

    /// Calls that are due in this many ticks, one at least; `None` without a rate.
    pub(crate) fn due_in(self, ticks: u64, tick_hz: u64) -> Option<u64> {
        let interval = self.interval(tick_hz)?.max(1);
        let calls = (u128::from(ticks) << INTERVAL_BITS) / u128::from(interval);
        Some(u64::try_from(calls).unwrap_or(u64::MAX).max(1))
    }
}
