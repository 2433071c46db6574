//! What every time source of a machine has in common.

use std::fmt;

use tourbillon_clock::{Absence, Frequency, Ticks};

/// A time source of this machine.
///
/// One interface over everything that counts: instructions, clocks of the operating system and
/// processor times. Object safe; [`sources`](crate::sources()) lists those of the machine. To
/// measure, use a [`Clock`](tourbillon_clock::Clock), which costs less and is fenced, or one of the
/// [`counters`](crate::counters), which work on any source.
///
/// Readings are raw: their unit is one over [`frequency`](Source::frequency).
///
/// # Examples
///
/// ```
/// use tourbillon_timers::{Counts, sources};
///
/// for listed in sources() {
///     match listed.source {
///         Ok(source) => println!("{}: {:?}", listed.name, source.read()),
///         Err(absence) => println!("{}: absent, {absence}", listed.name),
///     }
/// }
/// ```
pub trait Source: fmt::Debug {
    /// Name of the source, in lower case and without spaces, the same on every machine.
    fn name(&self) -> &'static str;

    /// What the readings count.
    fn counts(&self) -> Counts;

    /// Whose time is counted.
    fn scope(&self) -> Scope;

    /// Readings per second, exactly; the nominal tick is one over it. `None` where the source
    /// counts what has no fixed length, such as a core's cycles.
    ///
    /// # Cost
    ///
    /// Up to a millisecond: the rate of a counter is looked up, or measured where nobody states
    /// it. Whoever wants only counts does not ask.
    fn frequency(&self) -> Option<Frequency>;

    /// By how much the readings advance, as the system claims it, in nanoseconds; `None` where it
    /// claims nothing. What is observed may be finer, and often is coarser.
    fn granularity_ns(&self) -> Option<f64>;

    /// What stands behind a reading.
    fn behind(&self) -> Behind;

    /// Why the source should not be used to measure with, in a sentence without a full stop;
    /// `None` where it is safe.
    fn caveat(&self) -> Option<String>;

    /// Reads the source.
    fn read(&self) -> Ticks;

    /// Fills a buffer with readings one after the other.
    ///
    /// The loop is compiled for each source by itself, so that it holds no call through a pointer:
    /// the way to take readings from a `dyn Source` whose own cost counts.
    fn fill(&self, readings: &mut [Ticks]) {
        for reading in readings {
            *reading = self.read();
        }
    }
}

/// What a source counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counts {
    /// Time that passes for everybody.
    Wall,
    /// Processor time spent in the program's own code.
    CpuUser,
    /// Processor time spent by the kernel for the program.
    CpuKernel,
    /// The sum of both.
    CpuTotal,
    /// Cycles of the core, whose length changes.
    Cycles,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Counts::Wall => "wall",
            Counts::CpuUser => "CPU user",
            Counts::CpuKernel => "CPU kernel",
            Counts::CpuTotal => "CPU total",
            Counts::Cycles => "cycles",
        })
    }
}

/// Whose time a source counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The same for all programs.
    Machine,
    /// All threads of this process.
    Process,
    /// The calling thread.
    Thread,
}

/// What stands behind a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// The way a reading takes.
    pub path: Path,
    /// What counts, as far as it is known: `tsc`, `kvm-clock`, `timer tick`.
    pub hardware: Option<String>,
    /// What a user can do to have something else behind it, in a sentence without a full stop.
    pub change: Option<&'static str>,
}

/// The way that a reading takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// Instructions in the program: these.
    Instruction(&'static str),
    /// A function that the kernel maps into the program, or a page that the system keeps there.
    Vdso,
    /// A call of the kernel.
    SystemCall,
    /// A function of a library; how far it goes is not known.
    Library,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Path::Instruction(instructions) => instructions,
            Path::Vdso => "vDSO",
            Path::SystemCall => "system call",
            Path::Library => "library",
        })
    }
}

impl fmt::Display for Behind {
    /// The path, and the hardware in parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hardware {
            Some(hardware) => write!(f, "{} ({hardware})", self.path),
            None => self.path.fmt(f),
        }
    }
}

/// A row of the list of [`sources`](crate::sources()).
#[derive(Debug)]
pub struct Listed {
    /// Name of the source, known for absent ones too.
    pub name: &'static str,
    /// What it counts, or would count.
    pub counts: Counts,
    /// The source, or why it is not here.
    pub source: Result<Box<dyn Source>, Absence>,
}
