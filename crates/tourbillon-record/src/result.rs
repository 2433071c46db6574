use crate::codec::{Field, object, text, words};
use crate::json::Writer;
use crate::members::Members;
use crate::{Error, Note, Throughput};

/// The result of one case for one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// Identity of the case.
    pub case: String,
    /// What was measured; its unit follows from it.
    pub metric: Metric,
    /// Name and unit, for [`Metric::Own`] and nothing else.
    pub own: Option<OwnMetric>,
    /// Centre, per op: the median of the launches' estimates, or why there is none.
    pub estimate: Result<f64, Absence>,
    /// Lower end of the interval, systematic part included.
    pub lower: Option<f64>,
    /// Upper end of the interval, systematic part included. Present for a result below the
    /// resolution: an upper bound.
    pub upper: Option<f64>,
    /// Confidence of the interval, 0 to 1, as its order statistics give it.
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
    /// Findings about the result.
    pub notes: Vec<Note>,
    /// What an op processes; of the main metric only.
    pub throughput: Option<Throughput>,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    CaseResult {
        case, metric, own, estimate, lower, upper, confidence, scope, systematic, launches, samples, mean,
        stddev, mad, fixed_cost, first_call, resolution, ops, iterations, elapsed_ns, method,
        notes, throughput,
    } check own_metric
}

impl CaseResult {
    fn own_metric(&mut self, from: &Members<'_>) -> Result<(), Error> {
        check_own(self.metric, self.own.is_some(), from)
    }

    /// What was measured, as in records, such as `time`; the name of an own metric.
    pub fn metric_name(&self) -> &str {
        self.own
            .as_ref()
            .map_or(self.metric.name(), |own| &own.name)
    }

    /// Unit, as in records, such as `ns`; that of an own metric.
    pub fn unit(&self) -> &str {
        self.own
            .as_ref()
            .map_or(self.metric.unit(), |own| &own.unit)
    }

    /// Whether calls overlap, so that the figure is less than what one call takes.
    pub fn overlaps(&self) -> bool {
        let overlaps = |note: &Note| matches!(note, Note::Overlaps { .. });
        self.notes.iter().any(overlaps)
    }

    /// Whether these are cycles of code that waits for memory.
    pub fn waits_for_memory(&self) -> bool {
        let waits = |note: &Note| matches!(note, Note::WaitsForMemory { .. });
        self.notes.iter().any(waits)
    }
}

impl Default for CaseResult {
    fn default() -> CaseResult {
        CaseResult {
            case: String::new(),
            metric: Metric::Time,
            own: None,
            estimate: Err(Absence::NotReached),
            lower: None,
            upper: None,
            confidence: None,
            scope: Scope::Process,
            systematic: 0.0,
            launches: 0,
            samples: 0,
            mean: None,
            stddev: None,
            mad: None,
            fixed_cost: None,
            first_call: None,
            resolution: None,
            ops: 0,
            iterations: 0,
            elapsed_ns: 0.0,
            method: String::new(),
            notes: Vec::new(),
            throughput: None,
            unknown: String::new(),
        }
    }
}

/// Either the number, or the reason in `absent`.
impl Field for Result<f64, Absence> {
    fn write_field(&self, name: &str, out: &mut Writer) {
        self.ok().write_field(name, out);
        self.err().write_field("absent", out);
    }

    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let mut estimate = None;
        estimate.read_field(name, from)?;
        *self = match estimate {
            Some(estimate) => {
                if let Some(why) = from.take("absent") {
                    return Err(why.not("absent", "nothing beside an estimate"));
                }
                Ok(estimate)
            }
            None => {
                let mut absence = Absence::NotReached;
                absence.read_field("absent", from)?;
                Err(absence)
            }
        };
        Ok(())
    }
}

/// A number that bodies return: its name, and what it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnMetric {
    /// Name, such as `retries`.
    pub name: String,
    /// Unit, such as `bytes` or `ns`.
    pub unit: String,
}

/// The members `name` and `unit`, in addition to that of the metric; none for a metric of ours.
impl Field for Option<OwnMetric> {
    fn write_field(&self, _: &str, out: &mut Writer) {
        if let Some(own) = self {
            own.name.write_field("name", out);
            own.unit.write_field("unit", out);
        }
    }

    fn read_field(&mut self, _: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let mut name = None;
        name.read_field("name", from)?;
        *self = None;
        if let Some(name) = name {
            let mut unit = String::new();
            unit.read_field("unit", from)?;
            *self = Some(OwnMetric { name, unit });
        }
        Ok(())
    }
}

/// Checks that own metrics, and only they, have a name of their own.
pub(crate) fn check_own(metric: Metric, named: bool, from: &Members<'_>) -> Result<(), Error> {
    match (metric, named) {
        (Metric::Own, false) => Err(from.missing("name")),
        (Metric::Own, true) | (_, false) => Ok(()),
        (_, true) => Err(from.malformed("field `name` is there, where the metric has none")),
    }
}

/// What a result measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Wall time per op, in nanoseconds.
    #[default]
    Time,
    /// CPU time per op, of all threads of the process, in nanoseconds.
    CpuTime,
    /// The part of it in the program's own code.
    UserTime,
    /// The part of it in the kernel.
    KernelTime,
    /// A number that the body returned, per op; see [`OwnMetric`].
    Own,
    /// Cycles of the core's clock per op.
    Cycles,
    /// The duration that half of all single calls stay below, in nanoseconds.
    P50,
    /// The one that nine tenths stay below.
    P90,
    /// The one that 99 % stay below.
    P99,
    /// The one that 99.9 % stay below.
    P999,
    /// The longest call of all launches, in nanoseconds.
    Max,
    /// Requests to the allocator per op: allocations and reallocations.
    Allocs,
    /// Bytes that an op allocates, growth of blocks included.
    Bytes,
    /// The most bytes live at once in an op, above those live at its beginning.
    Peak,
    /// Bytes that an op allocates and does not free; negative where it frees more.
    Kept,
    /// Bytes that an op's reallocations copy to another place.
    Moved,
}

impl Metric {
    const ALL: [Metric; 16] = [
        Metric::Time,
        Metric::CpuTime,
        Metric::UserTime,
        Metric::KernelTime,
        Metric::Own,
        Metric::Cycles,
        Metric::P50,
        Metric::P90,
        Metric::P99,
        Metric::P999,
        Metric::Max,
        Metric::Allocs,
        Metric::Bytes,
        Metric::Peak,
        Metric::Kept,
        Metric::Moved,
    ];

    /// The percentiles of single calls, ascending.
    pub const PERCENTILES: [Metric; 4] = [Metric::P50, Metric::P90, Metric::P99, Metric::P999];

    /// The share of single calls that stay below a percentile, between 0 and 1; `None` for other metrics.
    pub const fn share(self) -> Option<f64> {
        match self {
            Metric::P50 => Some(0.5),
            Metric::P90 => Some(0.9),
            Metric::P99 => Some(0.99),
            Metric::P999 => Some(0.999),
            _ => None,
        }
    }

    /// Name in records, such as `time` or `allocs`.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Time => "time",
            Metric::CpuTime => "cpu_time",
            Metric::UserTime => "user_time",
            Metric::KernelTime => "kernel_time",
            Metric::Own => "own",
            Metric::Cycles => "cycles",
            Metric::P50 => "p50",
            Metric::P90 => "p90",
            Metric::P99 => "p99",
            Metric::P999 => "p99.9",
            Metric::Max => "max",
            Metric::Allocs => "allocs",
            Metric::Bytes => "bytes",
            Metric::Peak => "peak",
            Metric::Kept => "kept",
            Metric::Moved => "moved",
        }
    }

    /// Unit in records: `ns`, `cycles`, `allocs` or `bytes`; empty for own metrics, which have units
    /// of their own.
    pub const fn unit(self) -> &'static str {
        match self {
            Metric::Own => "",
            Metric::Time | Metric::CpuTime | Metric::UserTime | Metric::KernelTime => "ns",
            Metric::P50 | Metric::P90 | Metric::P99 | Metric::P999 | Metric::Max => "ns",
            Metric::Cycles => "cycles",
            Metric::Allocs => "allocs",
            Metric::Bytes | Metric::Peak | Metric::Kept | Metric::Moved => "bytes",
        }
    }

    /// Whether this is counted in memory launches: figures of it are compared by equality.
    pub const fn is_counted(self) -> bool {
        !self.is_main() && !self.is_of_calls() && !matches!(self, Metric::Cycles)
    }

    /// Whether this is a duration of single calls.
    pub const fn is_of_calls(self) -> bool {
        matches!(self, Metric::Max) || self.share().is_some()
    }

    /// Whether this is what a case is measured in: each case has exactly one of these.
    pub const fn is_main(self) -> bool {
        matches!(
            self,
            Metric::Time | Metric::CpuTime | Metric::UserTime | Metric::KernelTime | Metric::Own
        )
    }
}

/// The name, and the unit except for own metrics, which [`OwnMetric`] has.
impl Field for Metric {
    fn write_field(&self, name: &str, out: &mut Writer) {
        Some(*self).write_field(name, out);
        if *self != Metric::Own {
            self.unit().to_owned().write_field("unit", out);
        }
    }

    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let mut metric = None;
        metric.read_field(name, from)?;
        *self = metric.ok_or_else(|| from.missing(name))?;
        if *self != Metric::Own {
            let unit = from.take("unit").ok_or_else(|| from.missing("unit"))?;
            if text("unit", unit)? != self.unit() {
                let wanted = format!("`{}`, the unit of the metric,", self.unit());
                return Err(unit.not("unit", &wanted));
            }
        }
        Ok(())
    }
}

/// The name alone.
impl Field for Option<Metric> {
    fn write_field(&self, name: &str, out: &mut Writer) {
        let word = self.map(|metric| metric.name().to_owned());
        word.write_field(name, out);
    }

    /// A line of a metric of a newer version is skipped, like one of an unknown type.
    fn read_field(&mut self, name: &str, from: &mut Members<'_>) -> Result<(), Error> {
        let mut word: Option<String> = None;
        word.read_field(name, from)?;
        *self = None;
        if let Some(word) = word {
            let metric = Metric::ALL.into_iter().find(|metric| metric.name() == word);
            *self = Some(metric.ok_or_else(|| Error::unknown_type(&word))?);
        }
        Ok(())
    }
}

words! {
    /// What an interval covers.
    pub enum Scope: "`process` or `processes`" {
        /// The samples of one process, or of too few processes: another process may differ by more.
        Process = "process",
        /// Fresh processes of this build.
        Processes = "processes",
    }
}

words! {
    /// Why there is no estimate.
    pub enum Absence: "a reason for an absent estimate" {
        /// Not distinguishable from the empty loop; the upper end is a bound.
        BelowResolution = "below_resolution",
        /// Nearly all launches were contended.
        MachineBusy = "machine_busy",
        /// Launches differ so much that an end of the interval is more than half of the estimate away
        /// from it; the ends are given.
        TooScattered = "too_scattered",
        /// Every launch failed.
        Failed = "failed",
        /// The run was interrupted before the first launch of the case.
        NotReached = "not_reached",
        /// The measuring clock and the system's clock disagree by more than can be explained, so no
        /// time is known; see [`Note::ClocksDisagree`].
        ClocksDisagree = "clocks_disagree",
        /// Calls are shorter than a hundred readings of the clock, or a hundred of its steps.
        CallsTooShort = "calls_too_short",
        /// Fewer than ten calls of a launch are beyond the percentile.
        TooFewCalls = "too_few_calls",
    }
}
