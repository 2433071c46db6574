//! The result of timing.

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use tourbillon_record::{Absence, CaseResult, LaunchSamples, Metric, Note};

/// The result of [`time`](crate::time) and its relatives in this process.
///
/// Times are per op or per iteration (one call of the body). There is no time where the op takes no longer
/// than an empty loop; then [`Timing::upper`] is a bound.
///
/// `Display` prints one line. Timings are ordered by time per op, those below the resolution first, those
/// without a time for another reason last.
///
/// # Examples
///
/// ```
/// let timing = tourbillon::Timer::new().quiet().time("word", || tourbillon::hide("word").len());
/// println!("{}: {} ops in {:?}", timing.name(), timing.ops(), timing.elapsed());
/// match (timing.nanos_per_op(), timing.lower(), timing.upper()) {
///     (Some(nanos), Some(lower), Some(upper)) => println!("{nanos} ns, [{lower}, {upper}]"),
///     _ => println!("not longer than an empty loop"),
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Timing {
    name: String,
    ops: u64,
    iterations: u64,
    elapsed_ns: f64,
    estimate: Result<f64, Absence>,
    lower: Option<f64>,
    upper: Option<f64>,
    confidence: Option<f64>,
    cycles: Option<f64>,
    unreliable: bool,
    debugger: bool,
}

impl Timing {
    pub(super) fn new(
        name: &str,
        launches: &[LaunchSamples],
        results: &[CaseResult],
        calls_per_batch: bool,
    ) -> Self {
        let mut timing = Self {
            name: name.to_owned(),
            ops: 0,
            iterations: 0,
            elapsed_ns: 0.0,
            estimate: Err(Absence::NotReached),
            lower: None,
            upper: None,
            confidence: None,
            cycles: None,
            unreliable: false,
            debugger: tourbillon_os::debugger_attached() == Some(true),
        };
        for result in results {
            if result.metric == Metric::Cycles {
                timing.cycles = result.estimate.ok();
                continue;
            }
            timing.ops = result.ops;
            timing.iterations = result.iterations;
            timing.elapsed_ns = result.elapsed_ns;
            timing.estimate = result.estimate;
            timing.lower = result.lower;
            timing.upper = result.upper;
            timing.confidence = result.confidence;
            timing.unreliable |= result
                .notes
                .iter()
                .any(|note| matches!(note, Note::CorrectionTooLarge));
        }
        if calls_per_batch {
            // One call in each batch that is not empty.
            let kinds = launches.iter().flat_map(|launch| &launch.batches.kind);
            timing.iterations = kinds.filter(|&&kind| kind > 0).count() as u64;
        }
        timing
    }

    /// The name that was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ops done while the clock ran.
    pub fn ops(&self) -> u64 {
        self.ops
    }

    /// Calls of the body while the clock ran.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Time while the clock ran.
    pub fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed_ns as u64)
    }

    /// Nanoseconds per op.
    pub fn nanos_per_op(&self) -> Option<f64> {
        self.estimate.ok()
    }

    /// Microseconds per op, from [`Timing::nanos_per_op`].
    pub fn micros_per_op(&self) -> Option<f64> {
        self.nanos_per_op().map(|nanos| nanos / 1e3)
    }

    /// Milliseconds per op, from [`Timing::nanos_per_op`].
    pub fn millis_per_op(&self) -> Option<f64> {
        self.nanos_per_op().map(|nanos| nanos / 1e6)
    }

    /// Nanoseconds per iteration.
    ///
    /// # Examples
    ///
    /// ```
    /// let timer = tourbillon::Timer::new().quiet();
    /// let timing = timer.time_fixed("sum", 10, |n| (0..n).map(tourbillon::hide).sum::<u64>());
    /// if let (Some(op), Some(iteration)) = (timing.nanos_per_op(), timing.nanos_per_iteration()) {
    ///     assert!((iteration / op - 10.0).abs() < 1e-6);
    /// }
    /// ```
    pub fn nanos_per_iteration(&self) -> Option<f64> {
        let nanos = self.nanos_per_op()?;
        Some(nanos * self.ops_per_iteration())
    }

    /// Microseconds per iteration, from [`Timing::nanos_per_iteration`].
    pub fn micros_per_iteration(&self) -> Option<f64> {
        self.nanos_per_iteration().map(|nanos| nanos / 1e3)
    }

    /// Milliseconds per iteration, from [`Timing::nanos_per_iteration`].
    pub fn millis_per_iteration(&self) -> Option<f64> {
        self.nanos_per_iteration().map(|nanos| nanos / 1e6)
    }

    /// Cycles of the core's clock per op, where they are known.
    ///
    /// # Examples
    ///
    /// ```
    /// let timing = tourbillon::Timer::new().quiet().time("string", || String::from("a"));
    /// if let (Some(cycles), false) = (timing.cycles_per_op(), timing.is_unreliable()) {
    ///     println!("{cycles} cycles; of the times: {:?} confidence", timing.confidence());
    /// }
    /// ```
    pub fn cycles_per_op(&self) -> Option<f64> {
        self.cycles
    }

    /// Lower end of the interval, in nanoseconds per op.
    pub fn lower(&self) -> Option<f64> {
        self.lower
    }

    /// Upper end of the interval, in nanoseconds per op; a bound where there is no estimate.
    pub fn upper(&self) -> Option<f64> {
        self.upper
    }

    /// Confidence of the interval, 0 to 1. It covers this process: another one may differ by more.
    pub fn confidence(&self) -> Option<f64> {
        self.confidence
    }

    /// Whether the correction for pauses was larger than the reading.
    pub fn is_unreliable(&self) -> bool {
        self.unreliable
    }

    fn ops_per_iteration(&self) -> f64 {
        self.ops as f64 / self.iterations.max(1) as f64
    }

    /// Key of the order.
    fn rank(&self) -> f64 {
        self.estimate.unwrap_or_else(|absence| match absence {
            Absence::BelowResolution => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        })
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tourbillon_report::Timing {
            name: &self.name,
            ops: self.ops,
            iterations: self.iterations,
            elapsed_ns: self.elapsed_ns,
            estimate_ns: self.estimate.ok(),
            lower_ns: self.lower,
            upper_ns: self.upper,
            confidence: self.confidence,
            unreliable: self.unreliable,
            debug_build: cfg!(debug_assertions),
            debugger: self.debugger,
        }
        .fmt(f)
    }
}

impl Ord for Timing {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().total_cmp(&other.rank())
    }
}

impl PartialOrd for Timing {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Timing {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Timing {}
