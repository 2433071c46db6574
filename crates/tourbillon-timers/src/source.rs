//! The trait of all time sources of a machine.

use std::fmt;

use tourbillon_clock::{Absence, Clock, Frequency, Ticks};

/// A time source of this machine.
///
/// One interface for everything that counts: instructions, clocks of the operating system and processor
/// times. It is object safe; [`sources`](crate::sources()) lists those of the machine. To measure, use a
/// [`Clock`], which costs less and is fenced, or one of the [`counters`](crate::counters), which work on any
/// source.
///
/// Readings are raw: their unit is one over [`frequency`](Source::frequency).
///
/// # Examples
///
/// ```
/// use tourbillon_timers::sources;
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
    fn counts(&self) -> Counts {
        Counts::Wall
    }

    /// Whose time is counted.
    fn scope(&self) -> Scope {
        Scope::Machine
    }

    /// Readings per second, exactly; the nominal tick is one over it. `None` if the source counts something
    /// of no fixed length, such as the cycles of a core.
    ///
    /// # Cost
    ///
    /// Up to a millisecond: the rate of a counter is looked up, or measured if nothing states it.
    fn frequency(&self) -> Option<Frequency>;

    /// The step of the readings by the system's own figure, in nanoseconds; `None` if it has none. The
    /// observed step may be finer, and often is coarser.
    fn granularity_ns(&self) -> Option<f64> {
        None
    }

    /// How a reading is made of one of the [`sources`](crate::sources()).
    fn behind(&self) -> Behind;

    /// Why the source should not be used to measure with, in a sentence without a full stop; `None` if it is
    /// safe.
    fn caveat(&self) -> Option<String> {
        None
    }

    /// Reads the source.
    fn read(&self) -> Ticks;

    /// Fills a buffer with sequential readings.
    ///
    /// The loop is compiled for each source, without a call through a pointer: use it to read a `dyn Source`
    /// when the cost of a reading matters.
    fn fill(&self, readings: &mut [Ticks]) {
        for reading in readings {
            *reading = self.read();
        }
    }
}

/// What a [`Source`] counts; [`sources`](crate::sources()) lists all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counts {
    /// Wall time.
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

/// How a reading is made.
///
/// # Examples
///
/// ```
/// use tourbillon_timers::sources;
///
/// for source in sources().into_iter().filter_map(|listed| listed.source.ok()) {
///     let behind = source.behind();
///     println!("{}: {:?} of {:?}", source.name(), behind.path, behind.hardware);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// How the program gets the reading.
    pub path: Path,
    /// What counts, if it is known: `tsc`, `kvm-clock`, `timer tick`.
    pub hardware: Option<String>,
    /// What a user can do to change it, in a sentence without a full stop.
    pub change: Option<&'static str>,
}

impl Behind {
    /// By this path, made of `hardware`, which cannot be changed.
    pub(crate) fn of(path: Path, hardware: &str) -> Behind {
        Behind {
            path,
            hardware: Some(hardware.to_owned()),
            change: None,
        }
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

/// How the program gets a reading of one of the [`sources`](crate::sources()).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// By these instructions in the program.
    Instruction(&'static str),
    /// By a function that the kernel maps into the program, or from a page that the system keeps there.
    Vdso,
    /// By a system call.
    SystemCall,
    /// By a library function of unknown depth.
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

/// A row of the list of [`sources`](crate::sources()).
#[derive(Debug)]
pub struct Listed {
    /// Name of the source, also if it is absent.
    pub name: &'static str,
    /// What it counts, or would count.
    pub counts: Counts,
    /// The source, or why it is absent.
    pub source: Result<Box<dyn Source>, Absence>,
}

/// A clock is read without fences.
impl Source for Clock {
    fn name(&self) -> &'static str {
        Clock::name(self)
    }

    fn frequency(&self) -> Option<Frequency> {
        Some(Clock::frequency(self))
    }

    fn behind(&self) -> Behind {
        let path = match (self.is_counter(), cfg!(target_arch = "x86_64")) {
            (true, true) => Path::Instruction("rdtsc"),
            (true, false) => Path::Instruction("mrs cntvct_el0"),
            (false, _) => Path::Library,
        };
        Behind {
            path,
            hardware: None,
            change: None,
        }
    }

    #[inline]
    fn read(&self) -> Ticks {
        self.now()
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: Source + ?Sized> Source for $pointer {
            fn name(&self) -> &'static str {
                (**self).name()
            }

            fn counts(&self) -> Counts {
                (**self).counts()
            }

            fn scope(&self) -> Scope {
                (**self).scope()
            }

            fn frequency(&self) -> Option<Frequency> {
                (**self).frequency()
            }

            fn granularity_ns(&self) -> Option<f64> {
                (**self).granularity_ns()
            }

            fn behind(&self) -> Behind {
                (**self).behind()
            }

            fn caveat(&self) -> Option<String> {
                (**self).caveat()
            }

            #[inline]
            fn read(&self) -> Ticks {
                (**self).read()
            }

            fn fill(&self, readings: &mut [Ticks]) {
                (**self).fill(readings);
            }
        }
    )+};
}

forward!(&S, Box<S>);
