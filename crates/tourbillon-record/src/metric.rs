//! Metrics: their names and units.

use crate::Error;
use crate::codec::{Field, text};
use crate::json::Writer;
use crate::members::Members;

/// Declares the metrics, each with its name and its unit in records.
macro_rules! metrics {
    (
        $(#[$meta:meta])*
        pub enum Metric {
            $($(#[$metric_meta:meta])* $metric:ident = $name:literal in $unit:literal,)*
        }
    ) => {
        $(#[$meta])*
        pub enum Metric {
            $($(#[$metric_meta])* $metric,)*
        }

        impl Metric {
            const ALL: &[Metric] = &[$(Metric::$metric),*];

            /// Name in records, such as `time` or `allocs`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Metric::$metric => $name,)*
                }
            }

            /// Unit in records, such as `ns`; empty for own metrics, which have units of their own.
            pub const fn unit(self) -> &'static str {
                match self {
                    $(Metric::$metric => $unit,)*
                }
            }
        }
    };
}

metrics! {
    /// What a result measures.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Metric {
        /// Wall time per op, in nanoseconds.
        #[default]
        Time = "time" in "ns",
        /// CPU time per op, of all threads of the process, in nanoseconds.
        CpuTime = "cpu_time" in "ns",
        /// The part of the CPU time in the program's own code.
        UserTime = "user_time" in "ns",
        /// The part of the CPU time in the kernel.
        KernelTime = "kernel_time" in "ns",
        /// A number that the body returned, per op.
        Own = "own" in "",
        /// Cycles of the core's clock per op.
        Cycles = "cycles" in "cycles",
        /// The duration that half of all single calls stay below, in nanoseconds.
        P50 = "p50" in "ns",
        /// The duration that nine tenths stay below.
        P90 = "p90" in "ns",
        /// The duration that 99 % stay below.
        P99 = "p99" in "ns",
        /// The duration that 99.9 % stay below.
        P999 = "p99.9" in "ns",
        /// The longest call of all launches, in nanoseconds.
        Max = "max" in "ns",
        /// Requests to the allocator per op: allocations and reallocations.
        Allocs = "allocs" in "allocs",
        /// Bytes that an op allocates, growth of blocks included.
        Bytes = "bytes" in "bytes",
        /// The most bytes live at once in an op, above those live at its beginning.
        Peak = "peak" in "bytes",
        /// Bytes that an op allocates and does not free; negative where it frees more.
        Kept = "kept" in "bytes",
        /// Bytes that an op's reallocations copy to another place.
        Moved = "moved" in "bytes",
        /// Instructions of an op, which was executed one by one (docs/how-to/instructions.md).
        Instructions = "instructions" in "instructions",
        /// The most memory that a process of a command had resident at once, in bytes.
        PeakMemory = "peak_memory" in "bytes",
        /// Page faults of a command's process and its children.
        PageFaults = "page_faults" in "faults",
        /// Context switches of a command's process and its children.
        Switches = "switches" in "switches",
        // From here on, events.
        /// Cycles of an op in user mode, by the processor's counter (docs/how-to/counters.md).
        CpuCycles = "cpu_cycles" in "cycles",
        /// Instructions of an op in user mode, by the processor's counter.
        CpuInstructions = "cpu_instructions" in "instructions",
        /// Instructions in a cycle.
        Ipc = "ipc" in "instructions/cycle",
        /// Branches.
        Branches = "branches" in "branches",
        /// Branches that were predicted wrongly.
        BranchMisses = "branch_misses" in "misses",
        /// Accesses to the last level of caches.
        CacheReferences = "cache_references" in "accesses",
        /// Those that missed.
        CacheMisses = "cache_misses" in "misses",
        /// Page faults of an op in user mode without a read from a disk.
        MinorFaults = "minor_faults" in "faults",
        /// How often the op lost or gave up its processor.
        ContextSwitches = "context_switches" in "switches",
    }
}

impl Metric {
    /// The metric with a name.
    pub fn of_name(name: &str) -> Option<Metric> {
        let mut all = Metric::ALL.iter().copied();
        all.find(|metric| metric.name() == name)
    }

    /// Events of the kernel that are counted per op, and what follows from them.
    pub fn events() -> impl Iterator<Item = Metric> {
        let all = Metric::ALL.iter().copied();
        all.filter(|metric| metric.is_event())
    }

    /// Whether it is one of [`Metric::events`].
    pub const fn is_event(self) -> bool {
        self as u8 >= Metric::CpuCycles as u8
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

    /// Whether this is counted in launches that are not timed: figures of it are compared by equality.
    pub const fn is_counted(self) -> bool {
        !self.is_main()
            && !self.is_of_calls()
            && !self.is_of_process()
            && !self.is_event()
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
            let metric = Metric::of_name(&word).ok_or_else(|| Error::unknown_type(&word))?;
            *self = Some(metric);
        }
        Ok(())
    }
}
