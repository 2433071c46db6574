use std::mem::{MaybeUninit, needs_drop};

use tourbillon_clock::{Clock, Ticks};

use crate::arms::iterate::drop_written;
use crate::loops::{iterate, stream, stream_keeping, window_keeping};
use crate::loops::{window_apart, window_keeping_apart};
use crate::{Arm, Limits, Reading, Stretch};

/// A body that gets the items of a slice, one after the other, and from the beginning again behind the
/// last. A batch goes on where the one before has stopped, so that no part of the slice is measured
/// more often than another.
#[derive(Debug)]
pub struct Streamed<'i, I, F, R> {
    items: &'i [I],
    at: usize,
    body: F,
    drop_inside: bool,
    outputs: Vec<MaybeUninit<R>>,
    /// The items of a batch of calls that wait for each other.
    window: Vec<&'i I>,
}

impl<'i, I, R, F: FnMut(&I) -> R> Streamed<'i, I, F, R> {
    /// An arm of `body`; `None` when there is no item.
    pub fn new(items: &'i [I], body: F, drop_inside: bool) -> Option<Self> {
        (!items.is_empty()).then_some(Self {
            items,
            at: 0,
            body,
            drop_inside,
            outputs: Vec::new(),
            window: Vec::new(),
        })
    }

    fn keeps(&self) -> bool {
        !self.drop_inside && const { needs_drop::<R>() }
    }

    /// Room for the outputs of a window.
    fn make_room(&mut self, count: usize) {
        if self.keeps() && self.outputs.len() < count {
            self.outputs.resize_with(count, MaybeUninit::uninit);
        }
    }
}

impl<I, R, F: FnMut(&I) -> R> Arm for Streamed<'_, I, F, R> {
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        let count = stretch.items as usize;
        self.make_room(count);
        let mut ticks = 0;
        for _ in 0..stretch.windows {
            if const { needs_drop::<R>() } && !self.drop_inside {
                let outputs = &mut self.outputs[..count];
                ticks += stream_keeping(clock, &mut self.body, self.items, &mut self.at, outputs);
                drop_written(outputs);
            } else {
                ticks += stream(clock, &mut self.body, self.items, &mut self.at, count);
            }
        }
        Reading {
            ticks: Ticks(ticks),
            pauses: 0,
        }
    }

    fn fixed_item(&mut self, clock: &Clock, stretch: Stretch, pick: u64) -> Option<Reading> {
        let item = &self.items[(pick % self.items.len() as u64) as usize];
        let count = stretch.items as usize;
        self.make_room(count);
        let drop_inside = self.drop_inside;
        let body = &mut self.body;
        let mut ticks = 0;
        for _ in 0..stretch.windows {
            if const { needs_drop::<R>() } && !drop_inside {
                let outputs = &mut self.outputs[..count];
                let mut body = |(): &mut ()| body(item);
                ticks += window_keeping(clock, &mut body, &mut vec![(); count], outputs);
                drop_written(outputs);
            } else {
                ticks += iterate::<R, _, 1>(clock, &mut || body(item), stretch.items);
            }
        }
        Some(Reading {
            ticks: Ticks(ticks),
            pauses: 0,
        })
    }

    fn apart(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        // From the same item on with the fence and without; the next batch goes on there as well.
        self.window.clear();
        for index in 0..ops as usize {
            self.window
                .push(&self.items[(self.at + index) % self.items.len()]);
        }
        self.make_room(ops as usize);
        let (body, window) = (&mut self.body, &mut self.window[..]);
        let mut body = |item: &mut &I| body(item);
        if const { needs_drop::<R>() } && !self.drop_inside {
            let outputs = &mut self.outputs[..ops as usize];
            let ticks = window_keeping_apart(clock, &mut body, window, outputs, fenced);
            drop_written(outputs);
            return Some(Ticks(ticks));
        }
        Some(Ticks(window_apart(clock, &mut body, window, fenced)))
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: self.keeps().then_some(size_of::<R>()),
            unrolls: false,
            pauses: false,
        }
    }
}
