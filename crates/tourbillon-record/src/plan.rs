use crate::{Against, Metric, Turns};

/// What a worker is asked to do: one visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Identity of the case.
    pub case: String,
    /// Number of the launch, from 0.
    pub launch: u32,
    /// Seed of everything that chance decides in this visit.
    pub seed: u64,
    /// The clock to read, as [`crate::ClockFacts::source`] names it.
    pub clock: String,
    /// Ticks per second of that clock, rounded: for budgets and deadlines only.
    pub tick_hz: u64,
    /// Time for the batches of this visit in nanoseconds, pilot and warm-up not counted.
    pub budget_ns: u64,
    /// Length of a batch in nanoseconds.
    pub batch_ns: u64,
    /// Fewest iterations to measure in this visit.
    pub min_iterations: u64,
    /// Most items in a window.
    pub window_items: u64,
    /// Most bytes of prepared inputs and kept outputs in a window.
    pub window_bytes: u64,
    /// Batch length found by the scout; `None` makes this visit the scout. In a memory visit, that
    /// of the one before.
    pub length: Option<BatchShape>,
    /// What to compare the case with; `None` for a visit that only measures it.
    pub against: Option<Against>,
    /// How to take turns with a worker of another build; `None` for a visit alone.
    pub turns: Option<Box<Turns>>,
    /// Whether memory is counted, not time.
    pub memory: bool,
    /// What is measured in place of wall time: a time of processors. A body that returns a number
    /// of its own is measured in that.
    pub metric: Option<Metric>,
    /// What 1000 turns of the empty loop take at least, in cycles, under contention: a visit that begins
    /// contended ends without a batch. `None` where none ends before its time.
    pub contended_from: Option<u64>,
}

impl Plan {
    /// How much longer than multiplications additions take under contention, as a fraction, from and to: less
    /// than half of what a busy processor of the same core adds (Zen 5), and more than quartiles of readings
    /// scatter; where they take longer by a fifth, the processor is one on which the two say nothing of
    /// contention.
    pub const CONTENDED_ADDITIONS: (f64, f64) = (0.01, 0.2);

    /// Whether additions that take this much longer than multiplications, as a fraction, tell of contention.
    pub fn are_contended(excess: f64) -> bool {
        let (from, to) = Plan::CONTENDED_ADDITIONS;
        excess > from && excess < to
    }
}

/// How long a batch is: `windows` stretches of `items` iterations each.
///
/// A batch of the double length has `2 * items` in every window, so that the fixed cost of a window
/// cancels in the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchShape {
    /// Windows in a batch.
    pub windows: u64,
    /// Iterations in a window of the short batch; the long one has twice as many.
    pub items: u64,
    /// Copies of the body in the inner loop: 1 or 8.
    pub unroll: u32,
    /// Whether a long batch is run too. False for a body that is longer than a batch, whose
    /// fixed cost then stands as a bound.
    pub slope: bool,
}

impl Default for BatchShape {
    /// One iteration.
    fn default() -> BatchShape {
        BatchShape::of_items(1)
    }
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

    /// The same with so many times as many iterations in each window.
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
