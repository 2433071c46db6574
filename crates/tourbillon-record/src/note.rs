//! Notes: findings about a result.

use crate::Error;
use crate::codec::{Field, Json, read_fields, text, write_fields};
use crate::json::{Value, Writer};
use crate::members::Members;

/// Declares the notes: each with its name in records and its members.
macro_rules! notes {
    (
        $(#[$meta:meta])*
        pub enum Note {
            $(
                $(#[$note_meta:meta])*
                $note:ident = $name:literal $({ $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })?,
            )*
        }
    ) => {
        $(#[$meta])*
        pub enum Note {
            $($(#[$note_meta])* $note $({ $($(#[$field_meta])* $field: $type,)* })?,)*
            /// A note of a newer version: its name.
            Other(String),
        }

        impl Note {
            /// The names of all kinds.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Name in records, such as `slow_launches`.
            pub fn name(&self) -> &str {
                match self {
                    $(Note::$note { .. } => $name,)*
                    Note::Other(name) => name,
                }
            }
        }

        impl Json for Note {
            fn write(&self, out: &mut Writer) {
                out.object(|out| {
                    write_fields(out, &[("note", &self.name().to_owned())]);
                    match self {
                        $(Note::$note $({ $($field),* })? => {
                            write_fields(out, &[$($((stringify!($field), $field as &dyn Field)),*)?]);
                        })*
                        Note::Other(_) => {}
                    }
                });
            }

            fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
                let mut from = Members::of(name, value)?;
                let word = from.take("note").ok_or_else(|| from.missing("note"))?;
                let word = text("note", word)?;
                *self = match &*word {
                    $($name => {
                        $($(let mut $field = <$type>::default();)*)?
                        read_fields(&mut from, &mut [$($((stringify!($field), &mut $field as &mut dyn Field)),*)?])?;
                        Note::$note $({ $($field),* })?
                    })*
                    other => Note::Other(other.to_owned()),
                };
                Ok(())
            }
        }
    };
}

notes! {
    /// A finding about a result.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Note {
        /// Launches far from the median; they are in the interval.
        SlowLaunches = "slow_launches" {
            /// How many.
            count: u32,
            /// The farthest one, as a fraction: 0.61 for 61 % slower.
            excess: f64,
        },
        /// Launches that failed.
        FailedLaunches = "failed_launches" {
            /// How many.
            count: u32,
        },
        /// Time is not proportional to the iterations: the estimates of short and long batches differ.
        Curvature = "curvature" {
            /// The difference as a fraction of the estimate.
            fraction: f64,
        },
        /// A body that times itself takes the same time for twice as many iterations.
        ConstantTime = "constant_time",
        /// Warm-up had not settled within its share of the budget.
        NotWarm = "not_warm" {
            /// In how many launches.
            launches: u32,
        },
        /// Threads other than those of the body were there after the last sample.
        ThreadsLeft = "threads_left" {
            /// In how many launches.
            launches: u32,
        },
        /// Processes that the benchmark started outlived the launch and were ended.
        ProcessesLeft = "processes_left" {
            /// In how many launches.
            launches: u32,
        },
        /// Threads that run a body together take different times.
        UnevenThreads = "uneven_threads" {
            /// By how much the slowest one takes longer than the fastest, as a fraction.
            fraction: f64,
        },
        /// More threads than processors: they take turns.
        Oversubscribed = "oversubscribed" {
            /// Threads.
            threads: u32,
            /// Processors that the process may use.
            processors: u32,
        },
        /// An op touches pages for the first time, which takes a large part of its time.
        PagesTouched = "pages_touched" {
            /// Pages per op.
            per_op: f64,
        },
        /// Bytes are written while the clock runs.
        Writes = "writes" {
            /// Bytes per op.
            per_op: f64,
        },
        /// Contended launches: an SMT sibling or another VM used the core's units. They were discarded.
        Contended = "contended" {
            /// How many.
            launches: u32,
            /// Whether they are in the figure nevertheless, as methods before `near-slopes-1` had it.
            in_figure: bool,
        },
        /// Another process had the processor while samples were measured, and this case waited for it.
        Waited = "waited" {
            /// For how much of the measuring time, as a fraction.
            fraction: f64,
        },
        /// The correction for pauses is larger than the reading: not reliable.
        CorrectionTooLarge = "correction_too_large",
        /// Fewer launches than an interval across processes needs.
        FewLaunches = "few_launches" {
            /// How many there were.
            launches: u32,
        },
        /// The body did not fit into the budget: fewer launches were made.
        Shortened = "shortened" {
            /// Launches requested.
            requested: u32,
        },
        /// The interval is wider than the precision until which it was to be measured.
        Imprecise = "imprecise" {
            /// Requested half-width as a fraction of the estimate.
            precision: f64,
        },
        /// More launches than fit into the budget were requested, and made.
        LaunchesRequested = "launches_requested" {
            /// How many.
            launches: u32,
            /// What they took, processes included, in nanoseconds.
            took_ns: f64,
        },
        /// On one item alone, the body of a stream takes another time.
        FixedItem = "fixed_item" {
            /// The difference as a fraction of the estimate: -0.8 for a fifth of the time.
            fraction: f64,
        },
        /// Calls overlap: an op that begins after the one before has ended takes longer than the figure.
        Overlaps = "overlaps" {
            /// What it takes then, in the unit of the result.
            alone: f64,
        },
        /// Mean and median differ by more than the interval.
        Skewed = "skewed",
        /// The kernel accounts for user and kernel time at its ticks only: the figure is a sample.
        Sampled = "sampled" {
            /// Between two ticks, in nanoseconds.
            step_ns: f64,
            /// How many there were while ops ran.
            ticks: u64,
        },
        /// The memory launch of the case failed, so its allocations are not known.
        NotCounted = "not_counted" {
            /// How it failed.
            why: String,
        },
        /// The ops of the case could not be executed one by one.
        NotStepped = "not_stepped" {
            /// Why, and what to do.
            why: String,
        },
        /// Events were not counted.
        EventsAbsent = "events_absent" {
            /// Which, and why.
            why: String,
        },
        /// An op calls the system.
        SystemCalls = "system_calls" {
            /// Which calls, and how often per op, such as `read 1, write 2`.
            calls: String,
        },
        /// Cycles of code that waits for memory: they scatter no less than its time, and it touches more
        /// than the caches of a core hold.
        WaitsForMemory = "waits_for_memory" {
            /// What it touches, in whole pages.
            touched_bytes: u64,
        },
        /// Calls were due at a fixed rate.
        Scheduled = "scheduled" {
            /// Calls in a second.
            per_second: f64,
            /// Share of the calls that began late, because the call before had not ended.
            late: f64,
            /// The most calls that were due at once and had not begun.
            backlog: u64,
        },
        /// Calls are too short to be timed one by one.
        CallsTooShort = "calls_too_short" {
            /// The shortest call that can be, in nanoseconds.
            least_ns: f64,
        },
        /// Calls take longer than the time between two that are due: latencies grow with the length of a launch.
        RateNotHeld = "rate_not_held" {
            /// Calls in a second that were due.
            per_second: f64,
        },
        /// The measuring clock ran so much faster than the system's clock that no time of the run is
        /// known.
        ClocksDisagree = "clocks_disagree" {
            /// In parts per million; negative where it ran slower.
            ppm: f64,
        },
    }
}

impl Default for Note {
    fn default() -> Note {
        Note::Other(String::new())
    }
}
