//! User and kernel time, counted together.

use tourbillon_clock::Ticks;

use super::counter::{Backwards, LazyFrequency, Period, ticks_between};
use crate::{Counts, Scope, Source, sources};

/// Counts the user and the kernel time of a thread or process.
///
/// # Accuracy
///
/// The split is as fine as its sources, often a tick of the kernel: see [`Source::granularity_ns`] of
/// [`user`](CpuCounter::user). A source of the sum, such as `thread-cputime`, is far finer on Linux.
#[derive(Debug)]
pub struct CpuCounter {
    user: Box<dyn Source>,
    kernel: Box<dyn Source>,
    frequency: LazyFrequency,
}

impl CpuCounter {
    /// A counter of the calling thread or of this process; `None` if the system does not split its time, and
    /// for [`Scope::Machine`].
    #[must_use]
    pub fn of(scope: Scope) -> Option<CpuCounter> {
        // The first of each kind is the finest; both are of one call and one unit.
        let first = |counts| {
            sources()
                .into_iter()
                .filter_map(|listed| listed.source.ok())
                .find(|source| (source.scope(), source.counts()) == (scope, counts))
        };
        Some(CpuCounter {
            user: first(Counts::CpuUser)?,
            kernel: first(Counts::CpuKernel)?,
            frequency: LazyFrequency::new(),
        })
    }

    /// The source of the user time.
    #[must_use]
    pub fn user(&self) -> &dyn Source {
        &*self.user
    }

    /// The source of the kernel time.
    #[must_use]
    pub fn kernel(&self) -> &dyn Source {
        &*self.kernel
    }

    /// Reads both.
    #[must_use]
    pub fn start(&self) -> CpuRunning<'_> {
        CpuRunning {
            counter: self,
            user: self.user.read(),
            kernel: self.kernel.read(),
        }
    }
}

/// A counter of both times that was started.
#[derive(Clone, Copy, Debug)]
pub struct CpuRunning<'a> {
    counter: &'a CpuCounter,
    user: Ticks,
    kernel: Ticks,
}

impl<'a> CpuRunning<'a> {
    /// Reads both again; may be repeated.
    ///
    /// # Errors
    ///
    /// If one of the two went backwards.
    pub fn stop(&self) -> Result<CpuPeriod<'a>, Backwards> {
        let counter = self.counter;
        let period = |source: &'a dyn Source, start| {
            let ticks = ticks_between(start, source.read())?;
            Ok(Period::of(ticks, source, &counter.frequency))
        };
        Ok(CpuPeriod {
            user: period(&*counter.user, self.user)?,
            kernel: period(&*counter.kernel, self.kernel)?,
        })
    }
}

/// User and kernel time between two readings.
#[derive(Clone, Copy, Debug)]
pub struct CpuPeriod<'a> {
    /// Spent in the program's own code.
    pub user: Period<'a>,
    /// Spent by the kernel for the program.
    pub kernel: Period<'a>,
}

impl<'a> CpuPeriod<'a> {
    /// The sum of both.
    #[must_use]
    pub fn total(&self) -> Period<'a> {
        let sum = self.user.ticks().0.saturating_add(self.kernel.ticks().0);
        self.user.with_ticks(Ticks(sum))
    }
}
