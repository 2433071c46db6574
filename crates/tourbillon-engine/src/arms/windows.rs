//! Bodies that get an input or a state for each call, or whose outputs are kept while the clock runs.

use std::mem::{MaybeUninit, needs_drop};
use std::num::NonZeroU64;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::BatchShape;
use tourbillon_stats::Rng;

use super::LoopKind;
use super::iterate::first;
use crate::arm::{Arm, Limits, Reading};
use crate::loops::{window, window_keeping};

/// Bytes of a page: within a page, an address decides into which set of a first-level cache data falls.
const PAGE: u64 = 4096;

/// Room for the outputs of a window that need dropping: they are kept while the clock runs and dropped
/// afterwards, unless their drop is measured too.
#[derive(Debug)]
pub(super) struct Outputs<R> {
    slots: Vec<MaybeUninit<R>>,
    /// The first slot that is used.
    from: usize,
    pub(super) drop_inside: bool,
}

impl<R> Outputs<R> {
    pub(super) fn new(drop_inside: bool) -> Self {
        Self {
            slots: Vec::new(),
            from: 0,
            drop_inside,
        }
    }

    /// Bytes of an output that is kept; `None` where none is.
    pub(super) fn bytes(&self) -> Option<usize> {
        (needs_drop::<R>() && !self.drop_inside).then_some(size_of::<R>())
    }

    /// Slots for this many outputs.
    pub(super) fn slots(&mut self, count: usize) -> &mut [MaybeUninit<R>] {
        let to = self.from + count;
        if self.slots.len() < to {
            self.slots.resize_with(to, MaybeUninit::uninit);
        }
        &mut self.slots[self.from..to]
    }
}

/// Drops the values that were written for a window, in every slot of it.
pub(super) fn drop_written<R>(slots: &mut [MaybeUninit<R>]) {
    if needs_drop::<R>() {
        for slot in slots {
            // SAFETY: every slot of this slice was written for this window and none has been read
            // out; a panic in the window unwinds past this call, so that slots are leaked, not
            // dropped unwritten.
            unsafe { slot.assume_init_drop() };
        }
    }
}

/// Runs one window: calls `body` once for every slot of `inputs`. Returns the ticks.
///
/// The condition begins with a constant, so that a loop that keeps outputs is not compiled at all where they need
/// no drop. It would be one more caller of the body, and the compiler inlines larger bodies by the number of their
/// callers. So it is wherever outputs may be kept.
pub(super) fn run_window<I, R, F: FnMut(&mut I) -> R, const FENCES: bool>(
    clock: &Clock,
    body: &mut F,
    inputs: &mut [I],
    outputs: &mut Outputs<R>,
    fenced: bool,
) -> u64 {
    if const { needs_drop::<R>() } && !outputs.drop_inside {
        let slots = outputs.slots(inputs.len());
        let stamps = window_keeping::<I, R, F, FENCES>(clock, body, inputs, slots, fenced);
        drop_written(slots);
        stamps.ticks()
    } else {
        window::<I, R, F, FENCES>(clock, body, inputs, fenced).ticks()
    }
}

/// A body whose outputs need dropping: they are kept while the clock runs and dropped afterwards.
#[derive(Debug)]
pub struct Kept<F, R> {
    body: F,
    check: fn(&R) -> Result<(), String>,
    no_inputs: Vec<()>,
    outputs: Outputs<R>,
}

impl<R> Kept<(), R> {
    /// An arm of `body`; `check` looks at the output of the first call.
    pub fn outputs(
        mut body: impl FnMut() -> R,
        check: fn(&R) -> Result<(), String>,
    ) -> Kept<impl FnMut(&mut ()) -> R, R> {
        let body = move |(): &mut ()| body();
        Kept {
            body,
            check,
            no_inputs: Vec::new(),
            outputs: Outputs::new(false),
        }
    }
}

impl<R, F> Kept<F, R> {
    /// Keeps outputs from another position in a page on, drawn from `rng`.
    pub fn keep_elsewhere(&mut self, rng: &mut Rng) {
        let outputs_per_page = NonZeroU64::new(PAGE / (size_of::<R>() as u64).max(1));
        self.outputs.from = rng.below(outputs_per_page.unwrap_or(NonZeroU64::MIN)) as usize;
    }
}

impl<R, F: FnMut(&mut ()) -> R> Kept<F, R> {
    fn run<const FENCES: bool>(&mut self, clock: &Clock, shape: BatchShape, fenced: bool) -> u64 {
        self.no_inputs.resize(shape.items as usize, ());
        let mut ticks = 0;
        for _ in 0..shape.windows {
            let (body, outputs) = (&mut self.body, &mut self.outputs);
            ticks +=
                run_window::<_, _, _, FENCES>(clock, body, &mut self.no_inputs, outputs, fenced);
        }
        ticks
    }
}

impl<R, F: FnMut(&mut ()) -> R> Arm for Kept<F, R> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        Reading::of(self.run::<false>(clock, shape, false))
    }

    fn batch_with_fences(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        let shape = BatchShape::of_items(ops);
        Some(Ticks(self.run::<true>(clock, shape, fenced)))
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        first(clock, &mut || (self.body)(&mut ()), self.check)
    }

    fn loop_kind(&self) -> LoopKind {
        LoopKind::Outputs
    }

    fn limits(&self) -> Limits {
        Limits::windows(size_of::<R>())
    }
}

/// A body that gets an input of its own for each call, prepared before the clock starts.
#[derive(Debug)]
pub struct Prepared<M, F, I, R> {
    make: M,
    body: F,
    consumes: bool,
    most_alive: Option<u64>,
    inputs: Vec<MaybeUninit<I>>,
    outputs: Outputs<R>,
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
            most_alive: None,
            inputs: Vec::new(),
            outputs: Outputs::new(drop_inside),
        }
    }

    /// The same with at most this many inputs alive at once.
    #[must_use]
    pub fn at_once(mut self, most: Option<u64>) -> Self {
        self.most_alive = most;
        self
    }
}

impl<I, R, M, F> Prepared<M, F, I, R>
where
    M: FnMut() -> I,
    F: FnMut(&mut MaybeUninit<I>) -> R,
{
    fn run<const FENCES: bool>(&mut self, clock: &Clock, shape: BatchShape, fenced: bool) -> u64 {
        let items = shape.items as usize;
        if self.inputs.len() < items {
            self.inputs.resize_with(items, MaybeUninit::uninit);
        }
        let inputs = &mut self.inputs[..items];
        let mut ticks = 0;
        for _ in 0..shape.windows {
            for slot in &mut *inputs {
                slot.write((self.make)());
            }
            let (body, outputs) = (&mut self.body, &mut self.outputs);
            ticks += run_window::<_, _, _, FENCES>(clock, body, inputs, outputs, fenced);
            if !self.consumes {
                drop_written(inputs);
            }
        }
        ticks
    }
}

impl<I, R, M, F> Arm for Prepared<M, F, I, R>
where
    M: FnMut() -> I,
    F: FnMut(&mut MaybeUninit<I>) -> R,
{
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        Reading::of(self.run::<false>(clock, shape, false))
    }

    fn batch_with_fences(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        // All of its ops are one window.
        if self.most_alive.is_some() {
            return None;
        }
        let shape = BatchShape::of_items(ops);
        Some(Ticks(self.run::<true>(clock, shape, fenced)))
    }

    fn loop_kind(&self) -> LoopKind {
        LoopKind::Inputs {
            keeps: self.outputs.bytes().is_some(),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            window_items: self.most_alive,
            ..Limits::windows(size_of::<I>() + self.outputs.bytes().unwrap_or(0))
        }
    }
}

/// A body that works on a state, which is restored before each call, outside the timed region.
///
/// Every item of a window has a state of its own, so that the states of a window can be restored
/// before its clock starts; they are made once and live as long as the arm.
#[derive(Debug)]
pub struct Restored<M, Z, F, S, R> {
    make: M,
    reset: Z,
    body: F,
    states: Vec<S>,
    outputs: Outputs<R>,
}

impl<S, R, M, Z, F> Restored<M, Z, F, S, R>
where
    M: FnMut() -> S,
    Z: FnMut(&mut S),
    F: FnMut(&mut S) -> R,
{
    /// An arm of `body` on states that `make` makes and `reset` restores.
    pub fn new(make: M, reset: Z, body: F, drop_inside: bool) -> Self {
        Self {
            make,
            reset,
            body,
            states: Vec::new(),
            outputs: Outputs::new(drop_inside),
        }
    }

    fn run<const FENCES: bool>(&mut self, clock: &Clock, shape: BatchShape, fenced: bool) -> u64 {
        let items = shape.items as usize;
        while self.states.len() < items {
            self.states.push((self.make)());
        }
        let states = &mut self.states[..items];
        let mut ticks = 0;
        for _ in 0..shape.windows {
            states.iter_mut().for_each(&mut self.reset);
            let (body, outputs) = (&mut self.body, &mut self.outputs);
            ticks += run_window::<_, _, _, FENCES>(clock, body, states, outputs, fenced);
        }
        ticks
    }
}

impl<S, R, M, Z, F> Arm for Restored<M, Z, F, S, R>
where
    M: FnMut() -> S,
    Z: FnMut(&mut S),
    F: FnMut(&mut S) -> R,
{
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        Reading::of(self.run::<false>(clock, shape, false))
    }

    fn batch_with_fences(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        let shape = BatchShape::of_items(ops);
        Some(Ticks(self.run::<true>(clock, shape, fenced)))
    }

    fn loop_kind(&self) -> LoopKind {
        LoopKind::Inputs {
            keeps: self.outputs.bytes().is_some(),
        }
    }

    fn limits(&self) -> Limits {
        Limits::windows(size_of::<S>() + self.outputs.bytes().unwrap_or(0))
    }
}
