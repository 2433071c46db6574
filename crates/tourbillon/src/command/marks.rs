//! Marks in a stepped launch, by which what steps it finds the ops.

use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_clock::Regions;
use tourbillon_engine::Step;
use tourbillon_os::{Mark, mark};

/// The marks of this process.
pub(super) static MARKS: Marks = Marks {
    are_wanted: AtomicBool::new(false),
};

/// Marks regions from the first batch on that is stepped.
#[derive(Debug)]
pub(super) struct Marks {
    are_wanted: AtomicBool,
}

impl Marks {
    /// A batch comes next.
    pub(super) fn batch(&self, step: Step, iterations: u64) {
        self.are_wanted.store(true, Ordering::Relaxed);
        let what = match step {
            Step::Empty => Mark::Empty,
            Step::Ops => Mark::Ops,
            Step::OpsPerIteration => Mark::OpsPerIteration,
            Step::Over => Mark::Over,
        };
        mark(what, iterations);
    }
}

impl Regions for Marks {
    fn begin(&self) {
        if self.are_wanted.load(Ordering::Relaxed) {
            mark(Mark::Begin, 0);
        }
    }

    fn end(&self) {
        if self.are_wanted.load(Ordering::Relaxed) {
            mark(Mark::End, 0);
        }
    }
}
