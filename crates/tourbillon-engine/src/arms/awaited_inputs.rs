//! Bodies that are awaited and get an input of their own for each call.

use std::mem::needs_drop;

use tourbillon_clock::Clock;
use tourbillon_record::BatchShape;

use super::futures::Executor;
use crate::arm::{Arm, Limits, Reading};
use crate::loops::keep::{observe, touch};

/// A body that is awaited with an input that was prepared before the clock started. Inputs are prepared on the
/// executor, which is entered once for every window; outputs are kept while the clock runs.
struct AwaitedInputs<E, M, F, I, R> {
    executor: E,
    make: M,
    /// Calls what is measured for every input, and keeps its outputs.
    body: F,
    most_alive: Option<u64>,
    inputs: Vec<I>,
    outputs: Vec<R>,
}

/// An arm of a body that is awaited and consumes its input, with at most this many inputs alive at once.
pub fn awaited_consuming<I, O: Future>(
    executor: impl Executor,
    make: impl AsyncFnMut() -> I,
    mut body: impl FnMut(I) -> O,
    most_alive: Option<u64>,
) -> impl Arm {
    AwaitedInputs {
        executor,
        make,
        body: async move |inputs: &mut Vec<I>, outputs: &mut Vec<O::Output>| {
            for input in inputs.drain(..) {
                touch(&mut body);
                outputs.push(body(input).await);
            }
        },
        most_alive,
        inputs: Vec::new(),
        outputs: Vec::new(),
    }
}

/// An arm of a body that is awaited and borrows its input, with at most this many inputs alive at once.
pub fn awaited_borrowing<I, O: Future>(
    executor: impl Executor,
    make: impl AsyncFnMut() -> I,
    mut body: impl FnMut(&mut I) -> O,
    most_alive: Option<u64>,
) -> impl Arm {
    AwaitedInputs {
        executor,
        make,
        body: async move |inputs: &mut Vec<I>, outputs: &mut Vec<O::Output>| {
            for input in inputs {
                touch(&mut body);
                outputs.push(body(input).await);
            }
        },
        most_alive,
        inputs: Vec::new(),
        outputs: Vec::new(),
    }
}

impl<I, R, E, M, F> Arm for AwaitedInputs<E, M, F, I, R>
where
    E: Executor,
    M: AsyncFnMut() -> I,
    F: AsyncFnMut(&mut Vec<I>, &mut Vec<R>),
{
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let Self {
            executor,
            make,
            body,
            inputs,
            outputs,
            ..
        } = self;
        let items = shape.items as usize;
        let mut ticks = 0;
        for _ in 0..shape.windows {
            outputs.reserve(items);
            inputs.reserve(items);
            ticks += executor.block_on(async {
                for _ in 0..items {
                    inputs.push(make().await);
                }
                let start = clock.start();
                body(inputs, outputs).await;
                clock.stop().0.wrapping_sub(start.0)
            });
            observe(outputs);
            outputs.clear();
            inputs.clear();
        }
        Reading::of(ticks)
    }

    fn limits(&self) -> Limits {
        let kept = if needs_drop::<R>() { size_of::<R>() } else { 0 };
        Limits {
            window_items: self.most_alive,
            ..Limits::windows(size_of::<I>() + kept)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tourbillon_clock::Script;

    use super::super::BlockOn;
    use super::*;

    #[test]
    fn inputs_are_prepared_before_the_clock_starts() {
        let script = Script::new().hz(1_000_000_000).read_cost(0, 0);
        let clock = Clock::scripted(&script);
        let alive = Cell::new(0);
        let make = async || {
            script.advance(1_000);
            alive.set(alive.get() + 1);
            5
        };
        let body = async |_: u64| script.advance(7);
        let mut arm = awaited_consuming(BlockOn, make, body, Some(4));
        assert_eq!(arm.limits().window_items, Some(4));
        let shape = BatchShape {
            windows: 3,
            ..BatchShape::of_items(4)
        };
        assert_eq!(arm.batch(&clock, shape).ticks.0, 12 * 7);
        assert_eq!(alive.get(), 12);
    }

    #[test]
    fn borrowed_inputs_are_dropped_after_the_clock_stopped() {
        struct Slow<'s>(&'s Script);
        impl Drop for Slow<'_> {
            fn drop(&mut self) {
                self.0.advance(1_000);
            }
        }
        let script = Script::new().hz(1_000_000_000).read_cost(0, 0);
        let clock = Clock::scripted(&script);
        let body = |_: &mut Slow<'_>| {
            script.advance(3);
            async {}
        };
        let mut arm = awaited_borrowing(BlockOn, async || Slow(&script), body, None);
        let read = arm.batch(&clock, BatchShape::of_items(10));
        assert_eq!(read.ticks.0, 30);
    }
}
