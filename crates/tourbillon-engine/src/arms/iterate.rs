use std::mem::{MaybeUninit, needs_drop};
use std::num::NonZeroU64;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_stats::Rng;

use crate::loops::{UNROLLED, iterate, window_keeping};
use crate::loops::{iterate_apart, window_keeping_apart};
use crate::{Arm, Limits, Reading, Stretch};

/// Bytes of a page: how far addresses decide into which set of a first-level cache data falls.
const PAGE: u64 = 4096;

/// A body that is called again and again; its outputs are dropped where they arise.
#[derive(Debug)]
pub struct Iterated<F, R> {
    body: F,
    check: fn(&R) -> Result<(), String>,
    unrolls: bool,
}

impl<R, F: FnMut() -> R> Iterated<F, R> {
    /// An arm of `body`; `check` looks at the output of the first call.
    pub fn new(body: F, check: fn(&R) -> Result<(), String>) -> Self {
        Self {
            body,
            check,
            unrolls: true,
        }
    }

    /// An arm whose inner loop never holds more than one copy of `body`.
    pub fn single(body: F) -> Self {
        Self {
            body,
            check: |_| Ok(()),
            unrolls: false,
        }
    }
}

impl<R, F: FnMut() -> R> Arm for Iterated<F, R> {
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        let rounds = stretch.windows * stretch.items / u64::from(stretch.unroll);
        let ticks = if stretch.unroll == UNROLLED {
            iterate::<R, F, UNROLLED>(clock, &mut self.body, rounds)
        } else {
            iterate::<R, F, 1>(clock, &mut self.body, rounds)
        };
        Reading {
            ticks: Ticks(ticks),
            pauses: 0,
        }
    }

    fn apart(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        Some(Ticks(iterate_apart(clock, &mut self.body, ops, fenced)))
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        first(clock, &mut self.body, self.check)
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: None,
            unrolls: self.unrolls,
            pauses: false,
        }
    }
}

/// A body whose outputs need dropping: they are kept while the clock runs and dropped afterwards.
#[derive(Debug)]
pub struct Kept<F, R> {
    body: F,
    check: fn(&R) -> Result<(), String>,
    places: Vec<()>,
    outputs: Vec<MaybeUninit<R>>,
    /// The first of `outputs` that is used.
    from: usize,
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
            places: Vec::new(),
            outputs: Vec::new(),
            from: 0,
        }
    }
}

impl<R, F> Kept<F, R> {
    /// Keeps outputs from another place of a page on, which `rng` decides.
    pub fn keep_elsewhere(&mut self, rng: &mut Rng) {
        let places = NonZeroU64::new(PAGE / (size_of::<R>() as u64).max(1));
        self.from = rng.below(places.unwrap_or(NonZeroU64::MIN)) as usize;
    }
}

impl<R, F: FnMut(&mut ()) -> R> Kept<F, R> {
    /// Runs a batch, of calls that overlap as they like, or in the loop that says whether they may.
    fn run(&mut self, clock: &Clock, stretch: Stretch, fenced: Option<bool>) -> Ticks {
        let items = stretch.items as usize;
        self.places.resize(items, ());
        let to = self.from + items;
        if self.outputs.len() < to {
            self.outputs.resize_with(to, MaybeUninit::uninit);
        }
        let outputs = &mut self.outputs[self.from..to];
        let mut ticks = 0;
        for _ in 0..stretch.windows {
            let (body, places) = (&mut self.body, &mut self.places[..]);
            ticks += match fenced {
                None => window_keeping(clock, body, places, outputs),
                Some(fenced) => window_keeping_apart(clock, body, places, outputs, fenced),
            };
            drop_written(outputs);
        }
        Ticks(ticks)
    }
}

impl<R, F: FnMut(&mut ()) -> R> Arm for Kept<F, R> {
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        Reading {
            ticks: self.run(clock, stretch, None),
            pauses: 0,
        }
    }

    fn apart(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        Some(self.run(clock, Stretch::one(ops), Some(fenced)))
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        first(clock, &mut || (self.body)(&mut ()), self.check)
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: Some(size_of::<R>()),
            unrolls: false,
            pauses: false,
        }
    }
}

/// Drops the values that were written for a window, in every slot of it.
pub(crate) fn drop_written<R>(slots: &mut [MaybeUninit<R>]) {
    if needs_drop::<R>() {
        for slot in slots {
            // SAFETY: every slot of this slice was written for this window and nobody has read one
            // out; a panic in the window unwinds past this call, so that slots are leaked, not
            // dropped unwritten.
            unsafe { slot.assume_init_drop() };
        }
    }
}

/// Calls `body` for the first time in the process and looks at what it returned.
fn first<R>(
    clock: &Clock,
    body: &mut impl FnMut() -> R,
    check: fn(&R) -> Result<(), String>,
) -> Result<Reading, String> {
    let start = clock.start();
    let output = body();
    let ticks = clock.stop().0.wrapping_sub(start.0);
    check(&output)?;
    Ok(Reading {
        ticks: Ticks(ticks),
        pauses: 0,
    })
}
