//! Bodies that are awaited.

use std::mem::{MaybeUninit, needs_drop};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tourbillon_clock::Clock;
use tourbillon_record::BatchShape;

use super::windows::{Outputs, drop_written};
use crate::arm::{Arm, Limits, Reading};
use crate::loops::keep::{keep, observe, touch};

/// Runs futures to their end: all that `iter_async` needs of an executor.
///
/// # Examples
///
/// An executor of another crate has a method of that name:
///
/// ```
/// use tourbillon_engine::{BlockOn, Executor};
///
/// struct Theirs(BlockOn);
///
/// impl Executor for Theirs {
///     fn block_on<F: Future>(&self, future: F) -> F::Output {
///         self.0.block_on(future)
///     }
/// }
///
/// assert_eq!(Theirs(BlockOn).block_on(async { 1 + 1 }), 2);
/// ```
pub trait Executor {
    /// Runs `future` on this thread until it is ready.
    fn block_on<F: Future>(&self, future: F) -> F::Output;
}

impl<E: Executor> Executor for &E {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        (**self).block_on(future)
    }
}

/// The executor without a runtime: polls a future, and parks the thread until it is woken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockOn;

/// Wakes a parked thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl Executor for BlockOn {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            match future.as_mut().poll(&mut context) {
                Poll::Ready(output) => return output,
                Poll::Pending => thread::park(),
            }
        }
    }
}

/// A body that is awaited, one iteration after the other. The executor is entered once for every window,
/// outside of the timed region; outputs that need dropping are kept while the clock runs.
#[derive(Debug)]
pub struct Awaited<E, F, R> {
    executor: E,
    body: F,
    outputs: Outputs<R>,
}

impl<R, E: Executor, F: AsyncFnMut() -> R> Awaited<E, F, R> {
    /// An arm of `body` on `executor`.
    pub fn new(executor: E, body: F, drop_inside: bool) -> Self {
        Self {
            executor,
            body,
            outputs: Outputs::new(drop_inside),
        }
    }
}

impl<R, E: Executor, F: AsyncFnMut() -> R> Arm for Awaited<E, F, R> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let mut ticks = 0;
        if const { needs_drop::<R>() } && !self.outputs.drop_inside {
            let slots = self.outputs.slots(shape.items as usize);
            for _ in 0..shape.windows {
                ticks += window_keeping(clock, &self.executor, &mut self.body, slots);
                drop_written(slots);
            }
        } else {
            ticks = iterate(clock, &self.executor, &mut self.body, shape.iterations());
        }
        Reading::of(ticks)
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: self.outputs.bytes(),
            ..Limits::default()
        }
    }
}

/// Awaits `body` `count` times; returns the ticks.
#[inline(never)]
fn iterate<R>(
    clock: &Clock,
    executor: &impl Executor,
    body: &mut impl AsyncFnMut() -> R,
    count: u64,
) -> u64 {
    executor.block_on(async {
        let start = clock.start();
        for _ in 0..count {
            touch(body);
            keep(body().await);
        }
        clock.stop().0.wrapping_sub(start.0)
    })
}

/// Awaits `body` once for every slot of `outputs` and keeps each output in its slot, for the caller to
/// drop; returns the ticks.
#[inline(never)]
fn window_keeping<R>(
    clock: &Clock,
    executor: &impl Executor,
    body: &mut impl AsyncFnMut() -> R,
    outputs: &mut [MaybeUninit<R>],
) -> u64 {
    executor.block_on(async {
        let start = clock.start();
        for output in outputs {
            touch(body);
            observe(output.write(body().await));
        }
        clock.stop().0.wrapping_sub(start.0)
    })
}
