//! User and kernel time, counted together.

use super::period::{Backwards, Late, Period};
use crate::{Counts, Scope, Source, sources};
use tourbillon_clock::Ticks;

/// Counts the user and the kernel time of a thread or process.
///
/// # Accuracy
///
/// The split is as fine as its sources say, often a tick of the kernel: see
/// [`Source::granularity_ns`] of [`user`](CpuCounter::user). A source that counts the sum alone,
/// such as `thread-cputime`, is far finer on Linux.
#[derive(Debug)]
pub struct CpuCounter {
    user: Box<dyn Source>,
    kernel: Box<dyn Source>,
    frequency: Late,
}

impl CpuCounter {
    /// A counter of the calling thread or of this process; `None` where the system does not split
    /// that one's time, and for [`Scope::Machine`].
    #[must_use]
    pub fn of(scope: Scope) -> Option<CpuCounter> {
        let mut present: Vec<Box<dyn Source>> = sources()
            .into_iter()
            .filter_map(|listed| listed.source.ok())
            .filter(|source| source.scope() == scope)
            .collect();
        // The first of each kind is the finest; both are of one function and one unit.
        let mut take = |counts| {
            let at = present
                .iter()
                .position(|source| source.counts() == counts)?;
            Some(present.remove(at))
        };
        Some(CpuCounter {
            user: take(Counts::CpuUser)?,
            kernel: take(Counts::CpuKernel)?,
            frequency: Late::new(),
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
    /// Where one of the two went backwards.
    pub fn stop(&self) -> Result<CpuPeriod<'a>, Backwards> {
        let counter = self.counter;
        let period = |source: &'a dyn Source, start| {
            Period::between(source, &counter.frequency, start, source.read())
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

#[cfg(all(test, any(unix, windows)))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_works_spends_processor_time() {
        let counter = CpuCounter::of(Scope::Process).unwrap();
        assert_eq!(counter.user().counts(), Counts::CpuUser);
        assert_eq!(counter.kernel().counts(), Counts::CpuKernel);
        let running = counter.start();
        // Comes to an end on every machine, as working is what is counted.
        while running.stop().unwrap().total().ticks() == Ticks(0) {}
        let period = running.stop().unwrap();
        let parts = period.user.ticks().0 + period.kernel.ticks().0;
        assert_eq!(period.total().ticks().0, parts);
        assert!(period.total().seconds() > Some(0.0));
        assert!(CpuCounter::of(Scope::Machine).is_none());
    }
}
