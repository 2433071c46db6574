use std::mem::{MaybeUninit, needs_drop};

use tourbillon_clock::{Clock, Ticks};

use crate::arms::iterate::drop_written;
use crate::loops::{window, window_keeping};
use crate::loops::{window_apart, window_keeping_apart};
use crate::{Arm, Limits, Reading, Stretch};

/// A body that works on a state, which is brought back in place before each call, outside the timed
/// region.
///
/// Every item of a window has a state of its own, so that the states of a window can be brought back
/// before its clock starts; they are made once and live as long as the arm.
#[derive(Debug)]
pub struct Restored<M, Z, F, S, R> {
    make: M,
    reset: Z,
    body: F,
    drop_inside: bool,
    states: Vec<S>,
    outputs: Vec<MaybeUninit<R>>,
}

impl<S, R, M, Z, F> Restored<M, Z, F, S, R>
where
    M: FnMut() -> S,
    Z: FnMut(&mut S),
    F: FnMut(&mut S) -> R,
{
    /// An arm of `body` on states that `make` makes and `reset` brings back.
    pub fn new(make: M, reset: Z, body: F, drop_inside: bool) -> Self {
        Self {
            make,
            reset,
            body,
            drop_inside,
            states: Vec::new(),
            outputs: Vec::new(),
        }
    }
}

impl<S, R, M, Z, F> Restored<M, Z, F, S, R>
where
    M: FnMut() -> S,
    Z: FnMut(&mut S),
    F: FnMut(&mut S) -> R,
{
    /// Runs a batch, of calls that overlap as they like, or in the loop that says whether they may.
    fn run(&mut self, clock: &Clock, stretch: Stretch, fenced: Option<bool>) -> Ticks {
        let items = stretch.items as usize;
        let keeps = const { needs_drop::<R>() } && !self.drop_inside;
        while self.states.len() < items {
            self.states.push((self.make)());
        }
        if keeps && self.outputs.len() < items {
            self.outputs.resize_with(items, MaybeUninit::uninit);
        }
        let states = &mut self.states[..items];
        let mut ticks = 0;
        for _ in 0..stretch.windows {
            states.iter_mut().for_each(&mut self.reset);
            if const { needs_drop::<R>() } && !self.drop_inside {
                let outputs = &mut self.outputs[..items];
                ticks += match fenced {
                    None => window_keeping(clock, &mut self.body, states, outputs),
                    Some(fenced) => {
                        window_keeping_apart(clock, &mut self.body, states, outputs, fenced)
                    }
                };
                drop_written(outputs);
            } else {
                ticks += match fenced {
                    None => window(clock, &mut self.body, states),
                    Some(fenced) => window_apart(clock, &mut self.body, states, fenced),
                };
            }
        }
        Ticks(ticks)
    }
}

impl<S, R, M, Z, F> Arm for Restored<M, Z, F, S, R>
where
    M: FnMut() -> S,
    Z: FnMut(&mut S),
    F: FnMut(&mut S) -> R,
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
        let bytes = size_of::<S>() + kept;
        Limits {
            window_bytes_per_item: Some(bytes),
            unrolls: false,
            pauses: false,
        }
    }
}
