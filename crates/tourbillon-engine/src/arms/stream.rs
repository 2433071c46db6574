//! Bodies that get the items of a slice, one after the other.

use std::mem::needs_drop;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::BatchShape;

use super::LoopKind;
use super::windows::{Outputs, drop_written, run_window};
use crate::arm::{Arm, Limits, Reading};
use crate::loops::{stream, stream_keeping};

/// A body that gets the items of a slice, one after the other, and from the beginning again after the
/// last. A batch goes on where the one before has stopped, so that no part of the slice is measured
/// more often than another.
#[derive(Debug)]
pub struct Streamed<'i, I, F, R> {
    items: &'i [I],
    at: usize,
    body: F,
    outputs: Outputs<R>,
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
            outputs: Outputs::new(drop_inside),
            window: Vec::new(),
        })
    }
}

impl<I, R, F: FnMut(&I) -> R> Arm for Streamed<'_, I, F, R> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let count = shape.items as usize;
        let (body, items, at) = (&mut self.body, self.items, &mut self.at);
        let mut ticks = 0;
        for _ in 0..shape.windows {
            if const { needs_drop::<R>() } && !self.outputs.drop_inside {
                let slots = self.outputs.slots(count);
                ticks += stream_keeping(clock, body, items, at, slots).ticks();
                drop_written(slots);
            } else {
                ticks += stream(clock, body, items, at, count).ticks();
            }
        }
        Reading::of(ticks)
    }

    fn loop_kind(&self) -> LoopKind {
        LoopKind::Items {
            keeps: self.outputs.bytes().is_some(),
        }
    }

    fn fixed_item(&mut self, clock: &Clock, shape: BatchShape, pick: u64) -> Option<Reading> {
        let item = &self.items[(pick % self.items.len() as u64) as usize];
        let mut body = |(): &mut ()| (self.body)(item);
        let no_inputs = &mut vec![(); shape.items as usize][..];
        let mut ticks = 0;
        for _ in 0..shape.windows {
            let outputs = &mut self.outputs;
            ticks += run_window::<_, _, _, false>(clock, &mut body, no_inputs, outputs, false);
        }
        Some(Reading::of(ticks))
    }

    fn batch_with_fences(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        // From the same item on with the fence and without; the next batch goes on there as well.
        let from_here = self.items[self.at..].iter();
        let items = from_here.chain(self.items.iter().cycle());
        self.window.clear();
        self.window.extend(items.take(ops as usize));
        let mut body = |item: &mut &I| (self.body)(item);
        let (window, outputs) = (&mut self.window[..], &mut self.outputs);
        let ticks = run_window::<_, _, _, true>(clock, &mut body, window, outputs, fenced);
        Some(Ticks(ticks))
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: self.outputs.bytes(),
            ..Limits::default()
        }
    }
}
