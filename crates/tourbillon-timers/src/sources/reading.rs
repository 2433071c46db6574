//! A source made of facts and of a function that reads it.

use std::fmt;

use tourbillon_clock::cpu_time::UserKernel;
use tourbillon_clock::{Absence, Frequency, FrequencyFrom, Ticks, counter_permission};

use crate::{Behind, Counts, Listed, Path, Scope, Source};

/// What is known about a source.
#[derive(Clone)]
pub(super) struct Facts {
    pub(super) name: &'static str,
    pub(super) counts: Counts,
    pub(super) scope: Scope,
    /// Called as late as possible: it may have to look the frequency up.
    pub(super) frequency: fn() -> Option<Frequency>,
    pub(super) granularity_ns: Option<f64>,
    pub(super) behind: Behind,
    pub(super) caveat: Option<String>,
}

impl Facts {
    /// A system clock that counts wall time in nanoseconds, by a system call.
    pub(super) fn wall(name: &'static str) -> Facts {
        Facts {
            name,
            counts: Counts::Wall,
            scope: Scope::Machine,
            frequency: || Some(Frequency::of_nanoseconds()),
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
        self.row(None, read)
    }

    /// The row of this source, which is absent.
    pub(super) fn absent(self, absence: Absence) -> Listed {
        self.row(Some(absence), Ticks::default)
    }

    /// The row of this source, read by `read` unless it is absent.
    pub(super) fn row(
        self,
        absence: Option<Absence>,
        read: impl Fn() -> Ticks + 'static,
    ) -> Listed {
        Listed {
            name: self.name,
            counts: self.counts,
            source: match absence {
                None => Ok(Box::new(Reading { facts: self, read })),
                Some(absence) => Err(absence),
            },
        }
    }

    /// The rows of user and kernel time, which `read` has in nanoseconds, in units of `UNIT_NS`.
    pub(super) fn user_and_kernel<const UNIT_NS: u64>(
        self,
        [user, kernel]: [&'static str; 2],
        read: fn() -> Result<UserKernel, Absence>,
    ) -> [Listed; 2] {
        let absence = read().err();
        let row = |name, counts, part: fn(UserKernel) -> u64| {
            let facts = Facts {
                name,
                counts,
                frequency: per_second::<UNIT_NS>,
                ..self.clone()
            };
            // The first call succeeded, so the others do.
            let read = move || Ticks(part(read().unwrap_or_default()) / UNIT_NS);
            facts.row(absence.clone(), read)
        };
        [
            row(user, Counts::CpuUser, |time| time.user_ns),
            row(kernel, Counts::CpuKernel, |time| time.kernel_ns),
        ]
    }
}

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

/// The frequency of a source with that number of units per second by definition; `None` for zero.
pub(super) fn units(per_second: u64) -> Option<Frequency> {
    Frequency::new(per_second, 1, FrequencyFrom::Definition, Some(0.0)).ok()
}

/// The frequency of a source that counts units of `UNIT_NS` nanoseconds.
pub(super) fn per_second<const UNIT_NS: u64>() -> Option<Frequency> {
    units(1_000_000_000 / UNIT_NS)
}

/// Why functions that may read the processor's counter in user mode must not be called; `None` if they may.
///
/// The kernel's clocks are among them where they are made of the counter.
pub(super) fn forbidden() -> Option<Absence> {
    counter_permission().err().map(|_| {
        Absence::Forbidden(
            "it reads the processor's counter in user mode, which is forbidden to this process \
             (prctl PR_SET_TSC)"
                .to_owned(),
        )
    })
}
