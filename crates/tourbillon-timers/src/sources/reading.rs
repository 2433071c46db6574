//! A source made of what is known about it and a function that reads it.

use std::fmt;

use crate::{Behind, Counts, Listed, Path, Scope, Source};
use tourbillon_clock::{Absence, Frequency, FrequencyFrom, Ticks};

/// What is known about a source.
pub(super) struct Facts {
    pub(super) name: &'static str,
    pub(super) counts: Counts,
    pub(super) scope: Scope,
    /// Asked for as late as possible: it may have to be looked up.
    pub(super) frequency: fn() -> Option<Frequency>,
    pub(super) granularity_ns: Option<f64>,
    pub(super) behind: Behind,
    pub(super) caveat: Option<String>,
}

impl Facts {
    /// A clock of the system that counts wall time in nanoseconds, by a call of the kernel.
    pub(super) fn wall(name: &'static str) -> Facts {
        Facts {
            name,
            counts: Counts::Wall,
            scope: Scope::Machine,
            frequency: nanoseconds,
            granularity_ns: None,
            behind: Behind {
                path: Path::SystemCall,
                hardware: None,
                change: None,
            },
            caveat: None,
        }
    }

    /// The row of this source, read by `read`.
    pub(super) fn read_by(self, read: impl Fn() -> Ticks + 'static) -> Listed {
        Listed {
            name: self.name,
            counts: self.counts,
            source: Ok(Box::new(Reading { facts: self, read })),
        }
    }

    /// The row of this source, which is not here.
    pub(super) fn absent(self, absence: Absence) -> Listed {
        Listed {
            name: self.name,
            counts: self.counts,
            source: Err(absence),
        }
    }
}

/// The source itself.
struct Reading<F> {
    facts: Facts,
    read: F,
}

impl<F> fmt::Debug for Reading<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.facts.name).finish()
    }
}

impl<F: Fn() -> Ticks> Source for Reading<F> {
    fn name(&self) -> &'static str {
        self.facts.name
    }

    fn counts(&self) -> Counts {
        self.facts.counts
    }

    fn scope(&self) -> Scope {
        self.facts.scope
    }

    fn frequency(&self) -> Option<Frequency> {
        (self.facts.frequency)()
    }

    fn granularity_ns(&self) -> Option<f64> {
        self.facts.granularity_ns
    }

    fn behind(&self) -> Behind {
        self.facts.behind.clone()
    }

    fn caveat(&self) -> Option<String> {
        self.facts.caveat.clone()
    }

    #[inline]
    fn read(&self) -> Ticks {
        (self.read)()
    }
}

/// The rate of a source that counts nanoseconds.
pub(super) fn nanoseconds() -> Option<Frequency> {
    Some(Frequency::of_nanoseconds())
}

/// The rate of a source that counts so many units a second by definition; `None` for zero.
pub(super) fn units(per_second: u64) -> Option<Frequency> {
    Frequency::new(per_second, 1, FrequencyFrom::Definition, Some(0.0)).ok()
}

/// The rate of a source that counts microseconds.
#[cfg(unix)]
pub(super) fn microseconds() -> Option<Frequency> {
    units(1_000_000)
}

/// Why functions that read the counter in user mode must not be called; `None` where they may.
///
/// The kernel's clocks are among them where they are made out of the counter.
pub(super) fn forbidden() -> Option<Absence> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if tourbillon_clock::parts::vdso_is_forbidden() {
        return Some(Absence::Forbidden(
            "it reads the processor's counter in user mode, which is forbidden to this process \
             (prctl PR_SET_TSC)"
                .to_owned(),
        ));
    }
    None
}
