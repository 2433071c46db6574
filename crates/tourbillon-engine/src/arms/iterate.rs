//! Bodies that are called again and again.

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::BatchShape;

use super::LoopKind;
use crate::arm::{Arm, Limits, Reading};
use crate::loops::{UNROLLED, chain, iterate};

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
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let rounds = shape.iterations() / u64::from(shape.unroll);
        let stamps = if shape.unroll == UNROLLED {
            iterate::<R, F, UNROLLED, false>(clock, &mut self.body, rounds, false)
        } else {
            iterate::<R, F, 1, false>(clock, &mut self.body, rounds, false)
        };
        Reading::of(stamps.ticks())
    }

    fn batch_with_fences(&mut self, clock: &Clock, ops: u64, fenced: bool) -> Option<Ticks> {
        let stamps = iterate::<R, F, 1, true>(clock, &mut self.body, ops, fenced);
        Some(Ticks(stamps.ticks()))
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        first(clock, &mut self.body, self.check)
    }

    fn limits(&self) -> Limits {
        Limits {
            unrolls: self.unrolls,
            ..Limits::default()
        }
    }
}

/// Calls `body` for the first time in the process and checks what it returned.
pub(super) fn first<R>(
    clock: &Clock,
    body: &mut impl FnMut() -> R,
    check: fn(&R) -> Result<(), String>,
) -> Result<Reading, String> {
    let start = clock.start();
    let output = body();
    let ticks = clock.stop().0.wrapping_sub(start.0);
    check(&output)?;
    Ok(Reading::of(ticks))
}

/// A body whose every call takes the output of the call before: its latency. Each batch starts from
/// the same first value.
#[derive(Debug)]
pub struct Chained<F, T> {
    body: F,
    first: T,
}

impl<T: Clone, F: FnMut(T) -> T> Chained<F, T> {
    /// An arm of `body`, starting from `first`.
    pub fn new(body: F, first: T) -> Self {
        Self { body, first }
    }
}

impl<T: Clone, F: FnMut(T) -> T> Arm for Chained<F, T> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let rounds = shape.iterations() / u64::from(shape.unroll);
        let first = self.first.clone();
        let stamps = if shape.unroll == UNROLLED {
            chain::<T, F, UNROLLED>(clock, &mut self.body, first, rounds)
        } else {
            chain::<T, F, 1>(clock, &mut self.body, first, rounds)
        };
        Reading::of(stamps.ticks())
    }

    fn loop_kind(&self) -> LoopKind {
        LoopKind::Chained
    }

    fn limits(&self) -> Limits {
        Limits {
            unrolls: true,
            ..Limits::default()
        }
    }
}

/// Ticks of `ops` calls of an empty body in the unrolled loop; `ops` is a multiple of eight.
pub(crate) fn empty_body(clock: &Clock, ops: u64) -> u64 {
    let rounds = ops / u64::from(UNROLLED);
    iterate::<(), _, UNROLLED, false>(clock, &mut || (), rounds, false).ticks()
}

/// Ticks of `ops` calls of an empty body with a fence after each.
pub(crate) fn fenced_empty_body(clock: &Clock, ops: u64) -> u64 {
    iterate::<(), _, 1, true>(clock, &mut || (), ops, true).ticks()
}
