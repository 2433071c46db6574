//! Processor time, measured between the two readings of the clock.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tourbillon_clock::cpu_time::{
    process_cpu_ns, process_user_kernel_ns, split_granularity_ns, sum_granularity_ns,
};
use tourbillon_clock::{Absence, Clock, Regions};
use tourbillon_engine::{Measures, Meter};
use tourbillon_record::Metric;

/// Steps of a clock that do not matter: a batch lasts a thousand of them.
const FINE_NS: u64 = 100;

static CPU: Times = Times::new(process_cpu_ns);
static USER: Times = Times::new(|| Ok(process_user_kernel_ns()?.user_ns));
static KERNEL: Times = Times::new(|| Ok(process_user_kernel_ns()?.kernel_ns));

/// Processor time of all threads of this process.
#[derive(Debug)]
pub(super) struct ProcessorTime {
    measures: Measures,
    times: &'static Times,
}

impl ProcessorTime {
    /// The one that a plan asks for.
    pub(super) fn of(metric: Metric) -> ProcessorTime {
        let (times, step_ns) = match metric {
            Metric::UserTime => (&USER, split_granularity_ns()),
            Metric::KernelTime => (&KERNEL, split_granularity_ns()),
            _ => (&CPU, sum_granularity_ns()),
        };
        ProcessorTime {
            measures: Measures {
                metric,
                own: None,
                step_ns: step_ns.filter(|ns| *ns > FINE_NS),
            },
            times,
        }
    }
}

impl Meter for ProcessorTime {
    fn measures(&self) -> Measures {
        self.measures
    }

    fn check(&self) -> Result<(), String> {
        let reading = (self.times.read)();
        let error = |absence| format!("processor time is not available: {absence}");
        reading.map(drop).map_err(error)
    }

    fn clock(&self, clock: &Clock) -> Clock {
        clock.clone().watched_by(self.times)
    }

    fn take(&self) -> f64 {
        let mut book = self.times.book();
        book.spent.replace(0).map_or(f64::NAN, |ns| ns as f64)
    }
}

/// What is spent in the timed regions. Where several threads read the clock, a region goes from the
/// first beginning to the last end.
#[derive(Debug)]
struct Times {
    read: fn() -> Result<u64, Absence>,
    book: Mutex<Book>,
}

#[derive(Debug)]
struct Book {
    /// Threads that are in a region.
    open: u32,
    /// The reading at its beginning.
    began: Option<u64>,
    /// In the regions since it was taken, in nanoseconds; `None` where a reading failed.
    spent: Option<u64>,
}

impl Times {
    const fn new(read: fn() -> Result<u64, Absence>) -> Times {
        Times {
            read,
            book: Mutex::new(Book {
                open: 0,
                began: None,
                spent: Some(0),
            }),
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Regions for Times {
    fn begin(&self) {
        let mut book = self.book();
        book.open += 1;
        if book.open == 1 {
            book.began = (self.read)().ok();
        }
    }

    fn end(&self) {
        let now = (self.read)().ok();
        let mut book = self.book();
        book.open = book.open.saturating_sub(1);
        if book.open == 0 {
            book.spent = match (book.spent, book.began, now) {
                // These times never go back.
                (Some(spent), Some(began), Some(now)) => Some(spent + now.saturating_sub(began)),
                _ => None,
            };
        }
    }
}
