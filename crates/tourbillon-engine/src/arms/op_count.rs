//! Bodies that loop themselves and get the number of ops as their argument.

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::BatchShape;

use crate::arm::{Arm, Limits, Reading};
use crate::loops::keep::{keep, touch};

/// A body that loops itself as often as its argument requires: one call per batch.
#[derive(Debug)]
pub struct Counted<F> {
    body: F,
}

impl<R, F: FnMut(u64) -> R> Counted<F> {
    /// An arm of `body`.
    pub fn new(body: F) -> Self {
        Self { body }
    }
}

impl<R, F: FnMut(u64) -> R> Arm for Counted<F> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        Reading::of(counted(clock, &mut self.body, shape.items))
    }

    fn limits(&self) -> Limits {
        Limits {
            loops_itself: true,
            ..Limits::default()
        }
    }
}

/// Calls `body` with `count`, or not at all when that is zero; returns the ticks.
#[inline(never)]
fn counted<R>(clock: &Clock, body: &mut impl FnMut(u64) -> R, count: u64) -> u64 {
    let start = clock.start();
    if count > 0 {
        touch(body);
        keep(body(count));
    }
    clock.stop().0.wrapping_sub(start.0)
}

/// Pauses and resumes the clock from inside a body.
///
/// # Accuracy
///
/// A pair of calls leaves a residue of a few nanoseconds in the timed region; it is measured in
/// every launch, and both the raw and the compensated time are kept. A body that can have its inputs
/// prepared before the clock starts needs no pause: see `with_inputs` and `with_state`.
#[derive(Debug)]
pub struct Control<'c> {
    clock: &'c Clock,
    since: Option<Ticks>,
    paused: u64,
    pauses: u64,
}

impl Control<'_> {
    /// Stops the clock; a second call before [`Control::resume`] changes nothing. A pause that is
    /// not resumed lasts to the end of the call of the body.
    #[inline(always)]
    pub fn pause(&mut self) {
        if self.since.is_none() {
            self.since = Some(self.clock.stop());
        }
    }

    /// Lets the clock run on; without a pause before it changes nothing.
    #[inline(always)]
    pub fn resume(&mut self) {
        if let Some(since) = self.since.take() {
            let pause = self.clock.start().0.wrapping_sub(since.0);
            self.paused = self.paused.wrapping_add(pause);
            self.pauses += 1;
        }
    }
}

/// A body that gets the number of ops as its argument and controls the clock.
#[derive(Debug)]
pub struct Controlled<F> {
    body: F,
    /// Ops of each call, where that is part of the problem; else one call does the whole batch.
    fixed: Option<u64>,
}

impl<R, F: FnMut(u64, &mut Control<'_>) -> R> Controlled<F> {
    /// An arm of `body`, whose count is chosen for it.
    pub fn new(body: F) -> Self {
        Self { body, fixed: None }
    }

    /// An arm of `body`, whose every call does `count` ops.
    pub fn fixed(body: F, count: u64) -> Self {
        Self {
            body,
            fixed: Some(count),
        }
    }
}

impl<R, F: FnMut(u64, &mut Control<'_>) -> R> Arm for Controlled<F> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let (calls, count) = match self.fixed {
            Some(count) => (shape.items, count),
            None => (u64::from(shape.items > 0), shape.items),
        };
        controlled(clock, &mut self.body, calls, count)
    }

    fn limits(&self) -> Limits {
        Limits {
            pauses: true,
            loops_itself: self.fixed.is_none(),
            ..Limits::default()
        }
    }
}

/// Calls `body` `calls` times with `count`; returns what was read without the pauses.
#[inline(never)]
fn controlled<R>(
    clock: &Clock,
    body: &mut impl FnMut(u64, &mut Control<'_>) -> R,
    calls: u64,
    count: u64,
) -> Reading {
    let mut control = Control {
        clock,
        since: None,
        paused: 0,
        pauses: 0,
    };
    let start = clock.start();
    for _ in 0..calls {
        touch(body);
        keep(body(count, &mut control));
        control.resume();
    }
    let ticks = clock.stop().0.wrapping_sub(start.0);
    Reading {
        ticks: Ticks(ticks.wrapping_sub(control.paused)),
        pauses: control.pauses,
    }
}

/// Ticks that `pairs` empty pauses leave in a region: the difference between twice as many and as many, so
/// that the cost of the region itself cancels. `None` if an interruption made the shorter region
/// the longer one.
pub(crate) fn residual(clock: &Clock, pairs: u64) -> Option<u64> {
    let mut body = |count: u64, control: &mut Control<'_>| {
        for _ in 0..count {
            control.pause();
            control.resume();
        }
    };
    let mut read = |pairs| controlled(clock, &mut body, 1, pairs).ticks.0;
    let (short, long) = (read(pairs), read(2 * pairs));
    long.checked_sub(short)
}
