use std::mem::{MaybeUninit, needs_drop};

use tourbillon_clock::{Clock, Ticks};

use crate::arms::iterate::drop_written;
use crate::loops::{window, window_keeping};
use crate::loops::{window_apart, window_keeping_apart};
use crate::{Arm, Limits, Reading, Stretch};

/// A body that gets an input of its own for each call, prepared before the clock starts.
#[derive(Debug)]
pub struct Prepared<M, F, I, R> {
    make: M,
    body: F,
    consumes: bool,
    drop_inside: bool,
    inputs: Vec<MaybeUninit<I>>,
    outputs: Vec<MaybeUninit<R>>,
}

impl<I, R, M: FnMut() -> I> Prepared<M, (), I, R> {
    /// An arm whose body borrows its input.
    pub fn borrowing<F: FnMut(&mut I) -> R>(
        make: M,
        mut body: F,
        drop_inside: bool,
    ) -> Prepared<M, impl FnMut(&mut MaybeUninit<I>) -> R, I, R> {
        let body = move |slot: &mut MaybeUninit<I>| {
            // SAFETY: the window was filled before the clock started.
            body(unsafe { slot.assume_init_mut() })
        };
        Prepared::new(make, body, false, drop_inside)
    }

    /// An arm whose body consumes its input.
    pub fn consuming<F: FnMut(I) -> R>(
        make: M,
        mut body: F,
        drop_inside: bool,
    ) -> Prepared<M, impl FnMut(&mut MaybeUninit<I>) -> R, I, R> {
        let body = move |slot: &mut MaybeUninit<I>| {
            // SAFETY: the window was filled before the clock started, and each slot of it is read
            // once; the arm does not drop inputs that are consumed.
            body(unsafe { slot.assume_init_read() })
        };
        Prepared::new(make, body, true, drop_inside)
    }
}

impl<M, F, I, R> Prepared<M, F, I, R> {
    fn new(make: M, body: F, consumes: bool, drop_inside: bool) -> Self {
        Self {
            make,
            body,
            consumes,
            drop_inside,
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }
}

impl<I, R, M, F> Prepared<M, F, I, R>
where
    M: FnMut() -> I,
    F: FnMut(&mut MaybeUninit<I>) -> R,
{
    /// Runs a batch, of calls that overlap as they like, or in the loop that says whether they may.
    fn run(&mut self, clock: &Clock, stretch: Stretch, fenced: Option<bool>) -> Ticks {
        let items = stretch.items as usize;
        let keeps = const { needs_drop::<R>() } && !self.drop_inside;
        if self.inputs.len() < items {
            self.inputs.resize_with(items, MaybeUninit::uninit);
        }
        if keeps && self.outputs.len() < items {
            self.outputs.resize_with(items, MaybeUninit::uninit);
        }
        let inputs = &mut self.inputs[..items];
        let mut ticks = 0;
        for _ in 0..stretch.windows {
            for slot in &mut *inputs {
                slot.write((self.make)());
            }
            if const { needs_drop::<R>() } && !self.drop_inside {
                let outputs = &mut self.outputs[..items];
                ticks += match fenced {
                    None => window_keeping(clock, &mut self.body, inputs, outputs),
                    Some(fenced) => {
                        window_keeping_apart(clock, &mut self.body, inputs, outputs, fenced)
                    }
                };
                drop_written(outputs);
            } else {
                ticks += match fenced {
                    None => window(clock, &mut self.body, inputs),
                    Some(fenced) => window_apart(clock, &mut self.body, inputs, fenced),
                };
            }
            if !self.consumes {
                drop_written(inputs);
            }
        }
        Ticks(ticks)
    }
}

impl<I, R, M, F> Arm for Prepared<M, F, I, R>
where
    M: FnMut() -> I,
    F: FnMut(&mut MaybeUninit<I>) -> R,
{
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        Reading {
            ticks: self.run(clock, stretch, None),
            pauses: 0,
        }
    }

    fn apart(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        Some(self.run(clock, Stretch::one(ops), Some(fenced)))
    }

    fn limits(&self) -> Limits {
        let kept = if needs_drop::<R>() && !self.drop_inside {
            size_of::<R>()
        } else {
            0
        };
        let bytes = size_of::<I>() + kept;
        Limits {
            window_bytes_per_item: Some(bytes),
            unrolls: false,
            pauses: false,
        }
    }
}
