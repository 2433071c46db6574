/// What the samples of one case amount to, for one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// Identity of the case.
    pub case: String,
    /// What was measured; its unit follows from it.
    pub metric: Metric,
    /// Name and unit, for [`Metric::Own`] and nothing else.
    pub own: Option<Box<OwnMetric>>,
    /// Centre, per op: the median of the launches' estimates, or why there is none.
    pub estimate: Result<f64, Absence>,
    /// Lower end of the interval, systematic part included.
    pub lower: Option<f64>,
    /// Upper end of the interval, systematic part included. Present for a result below the
    /// resolution: an upper bound.
    pub upper: Option<f64>,
    /// Confidence of the interval, 0 to 1; what the order statistics really give.
    pub confidence: Option<f64>,
    /// What the interval covers.
    pub scope: Scope,
    /// Half-width of the systematic part (calibration, reference chain, loop residue), per op.
    pub systematic: f64,
    /// Launches that gave an estimate.
    pub launches: u32,
    /// Batches in them.
    pub samples: u64,
    /// Mean, per op: of the launches' estimates (scope processes), else of the batches.
    pub mean: Option<f64>,
    /// Standard deviation of the same.
    pub stddev: Option<f64>,
    /// Median absolute deviation of the same, not scaled.
    pub mad: Option<f64>,
    /// What a batch of zero iterations costs.
    pub fixed_cost: Option<f64>,
    /// The first call of the body in a fresh process: median over launches, clock reads included.
    pub first_call: Option<f64>,
    /// What the empty unrolled loop reads, per op: the resolution.
    pub resolution: Option<f64>,
    /// Ops measured.
    pub ops: u64,
    /// Iterations measured.
    pub iterations: u64,
    /// Time inside the batches, nanoseconds.
    pub elapsed_ns: f64,
    /// Name and version of the method that made the estimate.
    pub method: String,
    /// Findings that a reader must know.
    pub notes: Vec<Note>,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

impl CaseResult {
    /// What was measured, as records have it, such as `time`; the name of an own metric.
    #[inline(never)]
    pub fn metric_name(&self) -> &str {
        if let Some(own) = &self.own {
            return &own.name;
        }
        self.metric.name()
    }

    /// Whether calls overlap, so that the figure is less than what one call takes.
    #[inline(never)]
    pub fn overlaps(&self) -> bool {
        for note in &self.notes {
            if let Note::Overlaps { .. } = note {
                return true;
            }
        }
        false
    }

    /// Whether these are cycles of code that waits for memory.
    #[inline(never)]
    pub fn waits_for_memory(&self) -> bool {
        for note in &self.notes {
            if let Note::WaitsForMemory { .. } = note {
                return true;
            }
        }
        false
    }

    /// Unit, as records have it, such as `ns`; that of an own metric.
    #[inline(never)]
    pub fn unit(&self) -> &str {
        if let Some(own) = &self.own {
            return &own.unit;
        }
        self.metric.unit()
    }
}

/// A number that bodies return: what it is called, and what it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnMetric {
    /// Name, such as `retries`.
    pub name: String,
    /// Unit, such as `bytes` or `ns`.
    pub unit: String,
}

/// What a result measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Wall time per op, in nanoseconds.
    Time,
    /// Time of processors per op, of all threads of the process, in nanoseconds.
    CpuTime,
    /// The part of it in the program's own code.
    UserTime,
    /// The part of it in the kernel.
    KernelTime,
    /// A number that the body returned, per op; see `OwnMetric`.
    Own,
    /// Cycles of the core's clock per op.
    Cycles,
    /// Times that an op asks the allocator for memory: allocations and reallocations.
    Allocs,
    /// Bytes that an op allocates, growth of blocks included.
    Bytes,
    /// The most bytes live at once in an op, above those live at its beginning.
    Peak,
    /// Bytes that an op allocates and does not give back; negative where it gives back more.
    Kept,
    /// Bytes that an op's reallocations take to another place.
    Moved,
}

impl Metric {
    /// Name in records, such as `time` or `allocs`.
    #[inline(never)]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Time => "time",
            Metric::CpuTime => "cpu_time",
            Metric::UserTime => "user_time",
            Metric::KernelTime => "kernel_time",
            Metric::Own => "own",
            Metric::Cycles => "cycles",
            Metric::Allocs => "allocs",
            Metric::Bytes => "bytes",
            Metric::Peak => "peak",
            Metric::Kept => "kept",
            Metric::Moved => "moved",
        }
    }

    /// Unit in records: `ns`, `cycles`, `allocs` or `bytes`; empty for own metrics, which have one
    /// each.
    #[inline(never)]
    pub const fn unit(self) -> &'static str {
        match self {
            Metric::Own => "",
            Metric::Time | Metric::CpuTime | Metric::UserTime | Metric::KernelTime => "ns",
            Metric::Cycles => "cycles",
            Metric::Allocs => "allocs",
            Metric::Bytes | Metric::Peak | Metric::Kept | Metric::Moved => "bytes",
        }
    }

    /// Whether this is counted in memory visits: figures of it are compared by equality.
    pub const fn is_counted(self) -> bool {
        !self.is_main() && !matches!(self, Metric::Cycles)
    }

    /// Whether this is what a case is measured in: each case has one of these, and no other.
    pub const fn is_main(self) -> bool {
        matches!(
            self,
            Metric::Time | Metric::CpuTime | Metric::UserTime | Metric::KernelTime | Metric::Own
        )
    }
}

/// What an interval covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The samples of one process, or of too few processes: another process may differ by more.
    Process,
    /// Fresh processes of this build.
    Processes,
}

impl Scope {
    /// Name in records: `process` or `processes`.
    #[inline(never)]
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Process => "process",
            Scope::Processes => "processes",
        }
    }
}

/// Why there is no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Not distinguishable from the empty loop; the upper end is a bound.
    BelowResolution,
    /// Nearly all launches were contended: something else used the units of the core.
    MachineBusy,
    /// Launches differ by so much that an end of the interval is more than half of the estimate away from it; the
    /// ends are there.
    TooScattered,
    /// Every visit failed.
    Failed,
    /// The run was interrupted before the case was visited.
    NotReached,
    /// The measuring clock and the system's disagree by more than can be explained, so that no time is
    /// known; see [`Note::ClocksDisagree`].
    ClocksDisagree,
}

impl Absence {
    /// Name in records, such as `below_resolution`.
    #[inline(never)]
    pub const fn name(self) -> &'static str {
        match self {
            Absence::BelowResolution => "below_resolution",
            Absence::MachineBusy => "machine_busy",
            Absence::TooScattered => "too_scattered",
            Absence::Failed => "failed",
            Absence::NotReached => "not_reached",
            Absence::ClocksDisagree => "clocks_disagree",
        }
    }
}

/// A finding about a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Launches this far from the median, as a fraction of it; they are in the interval.
    SlowLaunches {
        /// How many.
        count: u32,
        /// The farthest one: 0.61 for 61 % slower.
        excess: f64,
    },
    /// Launches that failed.
    FailedLaunches {
        /// How many.
        count: u32,
    },
    /// Time does not grow in proportion to the iterations: the estimates of short and long batches
    /// differ by this fraction.
    Curvature {
        /// The difference as a fraction of the estimate.
        fraction: f64,
    },
    /// Warming up had not settled within its share of the budget, in this many launches.
    NotWarm {
        /// How many.
        launches: u32,
    },
    /// Threads were still running when the visit ended, in this many launches.
    ThreadsLeft {
        /// How many.
        launches: u32,
    },
    /// Processes that the benchmark started outlived the visit and were ended, in this many launches.
    ProcessesLeft {
        /// How many.
        launches: u32,
    },
    /// Threads that run a body together do not take the same time.
    UnevenThreads {
        /// By how much the slowest one takes longer than the fastest, as a fraction.
        fraction: f64,
    },
    /// More threads than processors: they take turns.
    ThreadsInTurns {
        /// Threads.
        threads: u32,
        /// Processors that the process may use.
        processors: u32,
    },
    /// An op touches pages for the first time, which takes a good part of its time.
    PagesTouched {
        /// Pages per op.
        per_op: f64,
    },
    /// Bytes are written while the clock runs.
    Writes {
        /// Bytes per op.
        per_op: f64,
    },
    /// Contended launches: something else, on the other processor of the core, used its units. They were
    /// discarded.
    Crowded {
        /// How many.
        launches: u32,
        /// Whether they are in the figure all the same, as methods before `near-slopes-1` had it.
        kept: bool,
    },
    /// Something else had the processor while samples were taken, and this case waited for it.
    Waited {
        /// For how much of the time in which samples were taken, as a fraction.
        fraction: f64,
    },
    /// The correction for pauses is larger than what was read: not reliable.
    CorrectionTooLarge,
    /// Fewer launches than an interval across processes needs.
    FewLaunches {
        /// How many there were.
        launches: u32,
    },
    /// The body did not fit into the budget: so many launches were left out.
    Shortened {
        /// Launches asked for.
        asked: u32,
    },
    /// More launches than fit into the budget were asked for, and made.
    LaunchesAsked {
        /// How many.
        launches: u32,
        /// What they took, processes included, in nanoseconds.
        took_ns: f64,
    },
    /// On one item alone the body of a stream takes another time: by this fraction less (or more)
    /// than on the stream.
    FixedItem {
        /// The difference as a fraction of the estimate: -0.8 for a fifth of the time.
        fraction: f64,
    },
    /// Calls overlap: an op that begins when the one before is over takes longer than the figure says.
    Overlaps {
        /// What it takes then, in the unit of the result.
        alone: f64,
    },
    /// Mean and median differ by more than the interval.
    Skewed,
    /// The kernel tells user and kernel time apart at its ticks only, so that the figure is of
    /// samples.
    Sampled {
        /// Between two of them, in nanoseconds.
        step_ns: f64,
        /// How many there were while ops ran.
        ticks: u64,
    },
    /// The memory visit of the case failed, so that its allocations are not known.
    NotCounted {
        /// How it failed.
        why: String,
    },
    /// Cycles of code that waits for memory: they are not steadier than its time, and it touches
    /// more than the caches hold that a core has to itself.
    WaitsForMemory {
        /// What it touches, in whole pages.
        touched_bytes: u64,
    },
    /// The measuring clock ran so much faster than the system's, in parts per million, that no time of
    /// the run is known.
    ClocksDisagree {
        /// Negative where it ran slower.
        ppm: f64,
    },
    /// A note of a newer writer: its name.
    Other(String),
}

impl Note {
    /// Name in records, such as `slow_launches`.
    #[inline(never)]
    pub fn name(&self) -> &str {
        match self {
            Note::SlowLaunches { .. } => "slow_launches",
            Note::FailedLaunches { .. } => "failed_launches",
            Note::Curvature { .. } => "curvature",
            Note::NotWarm { .. } => "not_warm",
            Note::ThreadsLeft { .. } => "threads_left",
            Note::ProcessesLeft { .. } => "processes_left",
            Note::UnevenThreads { .. } => "uneven_threads",
            Note::ThreadsInTurns { .. } => "threads_in_turns",
            Note::PagesTouched { .. } => "pages_touched",
            Note::Writes { .. } => "writes",
            Note::Crowded { .. } => "crowded",
            Note::Waited { .. } => "waited",
            Note::CorrectionTooLarge => "correction_too_large",
            Note::FewLaunches { .. } => "few_launches",
            Note::Shortened { .. } => "shortened",
            Note::LaunchesAsked { .. } => "launches_asked",
            Note::FixedItem { .. } => "fixed_item",
            Note::Overlaps { .. } => "overlaps",
            Note::Skewed => "skewed",
            Note::Sampled { .. } => "sampled",
            Note::NotCounted { .. } => "not_counted",
            Note::WaitsForMemory { .. } => "waits_for_memory",
            Note::ClocksDisagree { .. } => "clocks_disagree",
            Note::Other(name) => name,
        }
    }
}
