//! What the coordinator asks a worker to measure, and the shape of a batch.

use crate::Metric;
use crate::codec::object;

/// What a worker is asked to do in one launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Identity of the case.
    pub case: String,
    /// Number of the launch, from 0.
    pub launch: u32,
    /// Seed of all random choices in this launch.
    pub seed: u64,
    /// The clock to read, as [`crate::ClockFacts::source`] names it.
    pub clock: String,
    /// Ticks per second of that clock, rounded: for budgets and deadlines only.
    pub tick_hz: u64,
    /// Time for the batches of this launch in nanoseconds, without pilot and warm-up.
    pub budget_ns: u64,
    /// Length of a batch in nanoseconds.
    pub batch_ns: u64,
    /// Fewest iterations to measure in this launch.
    pub min_iterations: u64,
    /// Most items in a window.
    pub window_items: u64,
    /// Most bytes of prepared inputs and kept outputs in a window.
    pub window_bytes: u64,
    /// Batch length found by the pilot launch; `None` makes this launch the pilot. In a memory
    /// launch, that of the one before.
    pub batch_shape: Option<BatchShape>,
    /// How to take turns with a worker of another build; `None` for a launch alone.
    pub turns: Option<Box<Turns>>,
    /// Whether memory is counted, not time.
    pub memory: bool,
    /// Whether the ops are executed instruction by instruction, from outside; older coordinators do not say so.
    pub stepped: Option<bool>,
    /// What to measure, wall time or a processor time; `None` for what the case asks for. A body that returns a number
    /// of its own is measured in that.
    pub metric: Option<Metric>,
    /// The fewest cycles that 1000 turns of the empty loop take under contention. A launch that
    /// begins contended ends without a batch; `None` where none ends early.
    pub contended_from: Option<u64>,
}

object! {
    Plan {
        case, launch, seed, clock, tick_hz, budget_ns, batch_ns, min_iterations, window_items,
        window_bytes, batch_shape, turns, memory, stepped, metric, contended_from,
    }
}

impl Plan {
    /// Additions that take this much longer than multiplications, as a fraction, from and to, show
    /// contention. The lower end is less than half of what a busy sibling adds (Zen 5), and more than
    /// the quartiles of readings scatter. Beyond the upper end the processor is one on which the two
    /// say nothing about contention.
    pub const CONTENDED_ADDITIONS: (f64, f64) = (0.01, 0.2);

    /// Whether additions that take this much longer than multiplications, as a fraction, show
    /// contention.
    pub fn are_contended(excess: f64) -> bool {
        let (from, to) = Plan::CONTENDED_ADDITIONS;
        excess > from && excess < to
    }
}

/// Length of a batch: `windows` groups of `items` iterations each.
///
/// A batch of the double length has `2 * items` in every window, so that the fixed cost of a window
/// cancels in the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchShape {
    /// Windows in a batch.
    pub windows: u64,
    /// Iterations in a window of the short batch; the long one has twice as many.
    pub items: u64,
    /// Copies of the body in the inner loop: 1 or 8.
    pub unroll: u32,
    /// Whether a long batch is run too. False for a body that is longer than a batch; its fixed cost
    /// is then a bound.
    pub slope: bool,
}

object! {
    BatchShape { windows, items, unroll, slope }
}

impl BatchShape {
    /// One window of single copies.
    pub const fn of_items(items: u64) -> BatchShape {
        BatchShape {
            windows: 1,
            items,
            unroll: 1,
            slope: false,
        }
    }

    /// The same with this many times as many iterations in each window.
    #[must_use]
    pub const fn times(self, factor: u64) -> BatchShape {
        BatchShape {
            items: self.items * factor,
            ..self
        }
    }

    /// Iterations in all windows.
    pub const fn iterations(self) -> u64 {
        self.windows * self.items
    }
}

/// How a worker takes turns with a worker of another build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Its arm: 0 for the reference, 1 for the other build.
    pub side: u8,
    /// Path of the pipe from the other worker, on which it is given its turn.
    pub input: String,
    /// Path of the pipe to the other worker, on which it passes the turn on.
    pub output: String,
}

object! {
    Turns { side, input, output }
}
