//! A body on several threads at once.
//!
//! ```text
//! on every thread:                 body = make(thread)          # set-up, not timed
//! for every batch, on every thread:
//!     sleep until the batch is called
//!     arrive; spin until all have arrived
//!     start clock; repeat n times: touch(body); keep(body()); stop clock
//!     where outputs are kept: spin until all have stopped, then drop them
//! the batch took from the first start to the last stop
//! ```

use std::mem::{MaybeUninit, needs_drop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::{BatchShape, Team};

use super::rendezvous::{Order, Rendezvous, Stamps};
use super::windows::{Outputs, drop_written};
use crate::arm::{Arm, Limits, Reading};
use crate::loops::keep::{keep, observe, touch};

/// Makes a body on each of `threads` threads with `make`, which gets the number of the thread, and
/// hands all of them to `drive` as one arm: an iteration of it is one call on each thread.
///
/// The thread that calls this is thread 0; the others are started here and have ended when this
/// returns. One thread alone starts none.
///
/// # Errors
///
/// When a thread cannot be started; `drive` has not been called then.
///
/// # Panics
///
/// With the panic of `make` or a body, on any of the threads.
pub fn on_threads<R, F: FnMut() -> R>(
    threads: usize,
    drop_inside: bool,
    make: &(impl Fn(usize) -> F + Sync),
    drive: &mut dyn FnMut(&mut dyn Arm),
) -> Result<(), String> {
    let processors = thread::available_parallelism().ok().map(usize::from);
    let in_turns = processors.is_some_and(|processors| threads > processors);
    let place = &Rendezvous::new(threads, in_turns);
    thread::scope(|scope| {
        let mut team = Followers {
            place,
            handles: Vec::new(),
        };
        for thread in 1..threads {
            let follower = move || follow(place, thread, make, drop_inside);
            team.start(scope, thread, threads, follower)?;
        }
        let body = make(0);
        place.wait(0);
        drive(&mut Threaded {
            team: &team,
            body,
            outputs: Outputs::new(drop_inside),
            took: vec![0; threads],
            noted: None,
            processors,
        });
        team.end();
        place.go_on_panicking();
        Ok(())
    })
}

/// The threads other than the first one. When this is dropped they have ended, also after a panic.
#[derive(Debug)]
struct Followers<'p, 's> {
    place: &'p Rendezvous,
    handles: Vec<ScopedJoinHandle<'s, ()>>,
}

impl<'s> Followers<'_, 's> {
    fn start<'e>(
        &mut self,
        scope: &'s Scope<'s, 'e>,
        thread: usize,
        threads: usize,
        follower: impl FnOnce() + Send + 's,
    ) -> Result<(), String> {
        let spawned = Builder::new()
            .name(format!("thread {thread} of the benchmark"))
            .spawn_scoped(scope, follower);
        self.handles.push(spawned.map_err(|error| {
            let number = thread + 1;
            format!(
                "thread {number} of {threads} cannot be started: {error}; take fewer in `threads`"
            )
        })?);
        Ok(())
    }

    fn wake(&self) {
        for handle in &self.handles {
            handle.thread().unpark();
        }
    }

    fn end(&mut self) {
        self.place.close();
        self.wake();
        for handle in self.handles.drain(..) {
            // They catch their panics.
            let _ = handle.join();
        }
    }
}

impl Drop for Followers<'_, '_> {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a thread other than the first one does.
fn follow<R, F: FnMut() -> R>(
    place: &Rendezvous,
    thread: usize,
    make: &impl Fn(usize) -> F,
    drop_inside: bool,
) {
    // After a panic nothing of this thread is looked at again.
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut body = make(thread);
        let mut outputs = Outputs::new(drop_inside);
        place.finish(0);
        let mut round = 0;
        while let Some((called, order)) = place.follow(round) {
            round = called;
            let part = part(place, round, &order, &mut body, &mut outputs);
            match part {
                Some(stamps) => place.record(thread, round, stamps),
                None => return,
            }
        }
    }));
    if let Err(payload) = ran {
        place.fail(payload);
    }
}

/// A thread's part of a round; `None` when the others do not come.
fn part<R, F: FnMut() -> R>(
    place: &Rendezvous,
    round: u64,
    order: &Order,
    body: &mut F,
    outputs: &mut Outputs<R>,
) -> Option<Stamps> {
    if const { needs_drop::<R>() } && !outputs.drop_inside {
        let slots = outputs.slots(order.count as usize);
        let stamps = place
            .meet(2 * round - 1)
            .then(|| window_keeping(&order.clock, body, slots))?;
        // No thread drops its outputs while another one runs; if one does not come, they are leaked.
        place.meet(2 * round).then(|| {
            drop_written(slots);
            stamps
        })
    } else {
        place
            .meet(round)
            .then(|| iterate(&order.clock, body, order.count))
    }
}

/// Calls `body` `count` times.
#[inline(never)]
fn iterate<R, F: FnMut() -> R>(clock: &Clock, body: &mut F, count: u64) -> Stamps {
    let start = clock.start();
    for _ in 0..count {
        touch(body);
        keep(body());
    }
    stamped(start, clock.stop())
}

/// Calls `body` once for every slot of `outputs` and keeps each output in its slot, for the caller to
/// drop.
#[inline(never)]
fn window_keeping<R, F: FnMut() -> R>(
    clock: &Clock,
    body: &mut F,
    outputs: &mut [MaybeUninit<R>],
) -> Stamps {
    let start = clock.start();
    for output in outputs {
        touch(body);
        observe(output.write(body()));
    }
    stamped(start, clock.stop())
}

#[inline(always)]
fn stamped(start: Ticks, end: Ticks) -> Stamps {
    Stamps {
        start: start.0,
        end: end.0,
    }
}

/// The same body on several threads at once; an iteration is one call on each of them.
#[derive(Debug)]
struct Threaded<'t, 'p, 's, F, R> {
    team: &'t Followers<'p, 's>,
    body: F,
    outputs: Outputs<R>,
    /// Ticks of each thread in the present batch.
    took: Vec<u64>,
    /// What was noted of the batches since [`Arm::team`] was first called.
    noted: Option<Team>,
    processors: Option<usize>,
}

impl<R, F: FnMut() -> R> Threaded<'_, '_, '_, F, R> {
    /// One round: what it took, and by how much the last thread started after the first.
    fn round(&mut self, clock: &Clock, count: u64) -> (u64, u64) {
        let place = self.team.place;
        let order = Order {
            clock: clock.clone(),
            count,
        };
        let round = place.call(order.clone());
        self.team.wake();
        let (body, outputs) = (&mut self.body, &mut self.outputs);
        let own = part(place, round, &order, body, outputs);
        place.wait(round);
        let own = own.unwrap_or_default();
        self.took[0] += own.end.wrapping_sub(own.start);
        let mut span = Span::of(own);
        for (took, stamps) in self.took[1..].iter_mut().zip(place.recorded()) {
            *took += stamps.end.wrapping_sub(stamps.start);
            span.and(stamps);
        }
        (span.ticks(), span.apart())
    }
}

impl<R, F: FnMut() -> R> Arm for Threaded<'_, '_, '_, F, R> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let (rounds, count) = if self.outputs.bytes().is_some() {
            (shape.windows, shape.items)
        } else {
            (1, shape.iterations())
        };
        self.took.fill(0);
        let (mut ticks, mut apart) = (0, 0);
        for _ in 0..rounds {
            let (took, started) = self.round(clock, count);
            ticks += took;
            apart += started;
        }
        if let Some(noted) = &mut self.noted {
            let took = || self.took.iter().copied();
            noted.fastest_ticks.push(took().min().unwrap_or(0));
            noted.slowest_ticks.push(took().max().unwrap_or(0));
            noted.apart_ticks.push(apart);
        }
        Reading::of(ticks)
    }

    /// The time in which threads wake and start is not a reason for shorter batches: on a busy machine it may be
    /// longer than they are.
    fn work(&self) -> Option<u64> {
        self.took.iter().copied().max()
    }

    fn team(&mut self) -> Option<Team> {
        let empty = Team {
            threads: self.took.len() as u64,
            processors: self.processors.map(|processors| processors as u64),
            ..Team::default()
        };
        let before = self.noted.replace(empty.clone());
        Some(before.unwrap_or(empty))
    }

    fn limits(&self) -> Limits {
        let bytes = self.outputs.bytes();
        Limits {
            window_bytes_per_item: bytes.map(|bytes| bytes * self.took.len()),
            ..Limits::default()
        }
    }
}

/// From the first start of several threads to their last end. Readings are taken relative to one of
/// them, so that a counter may begin again at 0 in between.
#[derive(Clone, Copy, Debug)]
struct Span {
    base: u64,
    first_start: i64,
    last_start: i64,
    last_end: i64,
}

impl Span {
    fn of(stamps: Stamps) -> Span {
        Span {
            base: stamps.start,
            first_start: 0,
            last_start: 0,
            last_end: stamps.end.wrapping_sub(stamps.start).cast_signed(),
        }
    }

    fn and(&mut self, stamps: Stamps) {
        let start = stamps.start.wrapping_sub(self.base).cast_signed();
        let end = stamps.end.wrapping_sub(self.base).cast_signed();
        self.first_start = self.first_start.min(start);
        self.last_start = self.last_start.max(start);
        self.last_end = self.last_end.max(end);
    }

    /// From the first start to the last end.
    fn ticks(self) -> u64 {
        self.last_end.wrapping_sub(self.first_start).cast_unsigned()
    }

    /// From the first start to the last one.
    fn apart(self) -> u64 {
        self.last_start
            .wrapping_sub(self.first_start)
            .cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamps(start: u64, end: u64) -> Stamps {
        Stamps { start, end }
    }

    #[test]
    fn a_span_goes_from_the_first_start_to_the_last_end() {
        for base in [1_000, u64::MAX - 50, u64::MAX] {
            let at = |offset: i64| base.wrapping_add_signed(offset);
            let mut span = Span::of(stamps(at(10), at(100)));
            assert_eq!((span.ticks(), span.apart()), (90, 0));
            span.and(stamps(at(-5), at(80)));
            span.and(stamps(at(30), at(90)));
            assert_eq!((span.ticks(), span.apart()), (105, 35));
        }
    }
}
