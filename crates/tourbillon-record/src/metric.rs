//! Metrics: their names and units.

use crate::Error;
use crate::codec::{Field, text};
use crate::json::Writer;
use crate::members::Members;

/// What a result measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// A number that the body returned, per op; see [`OwnMetric`](crate::OwnMetric).
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
    /// Instructions of an op, which was executed one by one.
    Instructions,
    /// The most memory that a process of a command had resident at once, in bytes.
    PeakMemory,
    /// Page faults of a command's process and its children.
    PageFaults,
    /// Context switches of a command's process and its children.
    Switches,
}

impl Metric {
    const ALL: [Metric; 20] = [
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
        Metric::Instructions,
        Metric::PeakMemory,
        Metric::PageFaults,
        Metric::Switches,
    ];

    /// The metric with a name.
    pub fn of_name(name: &str) -> Option<Metric> {
        let mut all = Metric::ALL.into_iter();
        all.find(|metric| metric.name() == name)
    }

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
            Metric::Instructions => "instructions",
            Metric::PeakMemory => "peak_memory",
            Metric::PageFaults => "page_faults",
            Metric::Switches => "switches",
        }
    }

    /// Unit in records: `ns`, `cycles`, `allocs`, `instructions`, `bytes`, `faults` or `switches`; empty for own metrics,
    /// which have units of their own.
    pub const fn unit(self) -> &'static str {
        match self {
            Metric::Own => "",
            Metric::Time | Metric::CpuTime | Metric::UserTime | Metric::KernelTime => "ns",
            Metric::P50 | Metric::P90 | Metric::P99 | Metric::P999 | Metric::Max => "ns",
            Metric::Cycles => "cycles",
            Metric::Allocs => "allocs",
            Metric::Instructions => "instructions",
            Metric::Bytes | Metric::Peak | Metric::Kept | Metric::Moved | Metric::PeakMemory => {
                "bytes"
            }
            Metric::PageFaults => "faults",
            Metric::Switches => "switches",
        }
    }

    /// Whether this is counted in launches that are not timed: figures of it are compared by equality.
    pub const fn is_counted(self) -> bool {
        !self.is_main()
            && !self.is_of_calls()
            && !self.is_of_process()
            && !matches!(self, Metric::Cycles)
    }

    /// Whether the system counts this for the processes of commands alone.
    pub const fn is_of_process(self) -> bool {
        matches!(
            self,
            Metric::PeakMemory | Metric::PageFaults | Metric::Switches
        )
    }

    /// Whether this is a duration of single calls.
    pub const fn is_of_calls(self) -> bool {
        matches!(self, Metric::Max) || self.share().is_some()
    }

    /// Whether this is what a case is measured in: each benchmark has exactly one of these. A command has the time
    /// first, and then processor times.
    pub const fn is_main(self) -> bool {
        matches!(
            self,
            Metric::Time | Metric::CpuTime | Metric::UserTime | Metric::KernelTime | Metric::Own
        )
    }
}

/// The name, and the unit except for own metrics, which [`OwnMetric`](crate::OwnMetric) has.
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
