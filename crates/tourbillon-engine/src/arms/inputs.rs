use std::mem::{MaybeUninit, needs_drop};

use tourbillon_clock::{Clock, Ticks};

use crate::arms::iterate::drop_written;
use crate::loops::{window, window_keeping};
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

impl<I, R, M, F> Arm for Prepared<M, F, I, R>
where
    M: FnMut() -> I,
    F: FnMut(&mut MaybeUninit<I>) -> R,
{
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
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
            if keeps {
                let outputs = &mut self.outputs[..items];
                ticks += window_keeping(clock, &mut self.body, inputs, outputs);
                drop_written(outputs);
            } else {
                ticks += window(clock, &mut self.body, inputs);
            }
            if !self.consumes {
                drop_written(inputs);
            }
        }
        Reading {
            ticks: Ticks(ticks),
            pauses: 0,
        }
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
