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

use std::mem::needs_drop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, Builder, ScopedJoinHandle};

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Team};

use super::rendezvous::{Order, Rendezvous};
use super::windows::{Outputs, drop_written};
use crate::arm::{Arm, Limits, Reading};
use crate::loops::{Stamps, iterate, window_keeping};

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
    let rendezvous = &Rendezvous::new(threads, in_turns);
    thread::scope(|scope| {
        let mut team = Followers {
            rendezvous,
            handles: Vec::new(),
        };
        for thread in 1..threads {
            let follower = Builder::new().name(format!("thread {thread} of the benchmark"));
            let spawned =
                follower.spawn_scoped(scope, move || follow(rendezvous, thread, make, drop_inside));
            team.handles.push(spawned.map_err(|error| {
                let number = thread + 1;
                format!(
                    "thread {number} of {threads} cannot be started: {error}; take fewer in `threads`"
                )
            })?);
        }
        let body = make(0);
        rendezvous.wait(0);
        drive(&mut Threaded {
            team: &team,
            body,
            outputs: Outputs::new(drop_inside),
            took: vec![0; threads],
            noted: None,
            processors,
        });
        team.end();
        rendezvous.go_on_panicking();
        Ok(())
    })
}

/// The threads other than the first one. When this is dropped they have ended, also after a panic.
#[derive(Debug)]
struct Followers<'p, 's> {
    rendezvous: &'p Rendezvous,
    handles: Vec<ScopedJoinHandle<'s, ()>>,
}

impl Followers<'_, '_> {
    fn wake(&self) {
        for handle in &self.handles {
            handle.thread().unpark();
        }
    }

    fn end(&mut self) {
        self.rendezvous.close();
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
    rendezvous: &Rendezvous,
    thread: usize,
    make: &impl Fn(usize) -> F,
    drop_inside: bool,
) {
    // After a panic nothing of this thread is looked at again.
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut body = make(thread);
        let mut outputs = Outputs::new(drop_inside);
        rendezvous.finish(0);
        let mut round = 0;
        while let Some((called, order)) = rendezvous.follow(round) {
            round = called;
            let part = part(rendezvous, round, &order, &mut body, &mut outputs);
            match part {
                Some(stamps) => rendezvous.record(thread, round, stamps),
                None => return,
            }
        }
    }));
    if let Err(payload) = ran {
        rendezvous.fail(payload);
    }
}

/// A thread's part of a round; `None` when the others do not come.
fn part<R, F: FnMut() -> R>(
    rendezvous: &Rendezvous,
    round: u64,
    order: &Order,
    body: &mut F,
    outputs: &mut Outputs<R>,
) -> Option<Stamps> {
    let (clock, count) = (&order.clock, order.count);
    if const { needs_drop::<R>() } && !outputs.drop_inside {
        let slots = outputs.slots(count as usize);
        let no_inputs = &mut vec![(); count as usize][..];
        let mut body = |(): &mut ()| body();
        let stamps = rendezvous
            .meet(2 * round - 1)
            .then(|| window_keeping::<_, _, _, false>(clock, &mut body, no_inputs, slots, false))?;
        // No thread drops its outputs while another one runs; if one does not come, they are leaked.
        rendezvous.meet(2 * round).then(|| {
            drop_written(slots);
            stamps
        })
    } else {
        rendezvous
            .meet(round)
            .then(|| iterate::<R, F, 1, false>(clock, body, count, false))
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
        let rendezvous = self.team.rendezvous;
        let order = Order {
            clock: clock.clone(),
            count,
        };
        let round = rendezvous.call(order.clone());
        self.team.wake();
        let (body, outputs) = (&mut self.body, &mut self.outputs);
        let own = part(rendezvous, round, &order, body, outputs);
        rendezvous.wait(round);
        let stamps: Vec<Stamps> = [own.unwrap_or_default()]
            .into_iter()
            .chain(rendezvous.recorded())
            .collect();
        for (took, stamps) in self.took.iter_mut().zip(&stamps) {
            *took += stamps.ticks();
        }
        span(&stamps)
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
        let (mut ticks, mut spread) = (0, 0);
        for _ in 0..rounds {
            let (took, started) = self.round(clock, count);
            ticks += took;
            spread += started;
        }
        if let Some(noted) = &mut self.noted {
            let took = || self.took.iter().copied();
            noted.fastest_ticks.push(took().min().unwrap_or(0));
            noted.slowest_ticks.push(took().max().unwrap_or(0));
            noted.start_spread_ticks.push(spread);
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

/// From the first start of several threads to their last end, and to their last start. Readings are taken
/// relative to one of them, so that a counter may begin again at 0 in between.
fn span(stamps: &[Stamps]) -> (u64, u64) {
    let base = stamps.first().map_or(0, |stamps| stamps.start);
    let after_base = |reading: u64| reading.wrapping_sub(base).cast_signed();
    let starts = stamps.iter().map(|stamps| after_base(stamps.start));
    let ends = stamps.iter().map(|stamps| after_base(stamps.end));
    let first_start = starts.clone().min().unwrap_or(0);
    let since_start = |last: Option<i64>| last.unwrap_or(0).wrapping_sub(first_start);
    let (ticks, spread) = (since_start(ends.max()), since_start(starts.max()));
    (ticks.cast_unsigned(), spread.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_goes_from_the_first_start_to_the_last_end() {
        for base in [1_000, u64::MAX - 50, u64::MAX] {
            let stamps = |start, end| Stamps {
                start: base.wrapping_add_signed(start),
                end: base.wrapping_add_signed(end),
            };
            assert_eq!(span(&[stamps(10, 100)]), (90, 0));
            let three = [stamps(10, 100), stamps(-5, 80), stamps(30, 90)];
            assert_eq!(span(&three), (105, 35));
        }
    }
}
