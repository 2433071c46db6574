//! What a user may ask of a case, what the coordinator asks a worker to measure, and the shape of a batch.

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
    /// In place of that, the events to count in batches, by the names of their metrics with commas between them.
    pub events: Option<String>,
    /// What to measure, wall time or a processor time; `None` for what the case asks for. A body that returns a number
    /// of its own is measured in that.
    pub metric: Option<Metric>,
    /// The fewest cycles that 1000 turns of the empty loop take under contention. A launch that
    /// begins contended ends without a batch; `None` where none ends early.
    pub contended_from: Option<u64>,
    /// The kind of core that the worker may run on; `None` where all cores are alike.
    pub core_kind: Option<String>,
}

object! {
    Plan {
        case, launch, seed, clock, tick_hz, budget_ns, batch_ns, min_iterations, window_items,
        window_bytes, batch_shape, turns, memory, stepped, events, metric, contended_from,
        core_kind,
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

/// A struct of optional fields, written as ever, and what has to go through all of its fields: so that a new field is
/// written once. A derived `Default` is no constant, which the `static` of a registered benchmark needs, and no derive
/// lays one value above another.
macro_rules! optional_fields {
    (
        $(#[$of_struct:meta])*
        pub struct $name:ident {
            $($(#[$of_field:meta])* pub $field:ident: Option<$type:ty>,)*
        }
    ) => {
        $(#[$of_struct])*
        pub struct $name {
            $($(#[$of_field])* pub $field: Option<$type>,)*
        }

        impl $name {
            /// No field is set.
            pub const NONE: $name = $name { $($field: None,)* };

            /// The fields of these that are set, and of `lower` the others.
            #[must_use]
            pub fn or(self, lower: $name) -> $name {
                $name { $($field: self.$field.or(lower.$field),)* }
            }
        }
    };
}

optional_fields! {
    /// The settings of a case, in place of those of the run.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CaseOptions {
        /// Launches at most.
        pub launches: Option<u32>,
        /// Least time for measuring the case, all launches together, in nanoseconds, unless the launches end
        /// before.
        pub min_time_ns: Option<u64>,
        /// Most time for measuring the case, all launches together, in nanoseconds.
        pub max_time_ns: Option<u64>,
        /// Most time for the fewest launches of an interval across processes, in nanoseconds, where these take
        /// longer than the time of the case.
        pub interval_time_ns: Option<u64>,
        /// The group of cases whose launches one worker makes after each other, and how many launches each of them
        /// gets at most.
        pub shared_worker: Option<(u32, u32)>,
        /// Fewest iterations in each launch.
        pub min_iterations: Option<u64>,
        /// Relative half-width of the interval at which measuring stops: 0.01 for 1 %.
        pub precision: Option<f64>,
        /// Time without a sign of life after which a launch hangs, in nanoseconds.
        pub timeout_ns: Option<u64>,
        /// What is measured: wall time, or a processor time.
        pub metric: Option<Metric>,
    }
}

impl CaseOptions {
    /// What a worker is asked in every launch of the case.
    pub fn plan(self) -> Plan {
        Plan {
            metric: self.metric,
            ..Plan::default()
        }
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
