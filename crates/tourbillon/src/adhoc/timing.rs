use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use crate::text::owned;
use tourbillon_record::{CaseResult, Metric, Note, Visit};

/// What [`time`](crate::time) and its relatives found out in this process.
///
/// Times are per op or per iteration (one call of the body). There is no time where the op could not
/// be told from an empty loop; then [`Timing::upper`] is a bound.
///
/// `Display` prints one line. Timings are ordered by time per op, the ones below the resolution
/// first.
#[derive(Clone, Debug)]
pub struct Timing {
    name: String,
    ops: u64,
    iterations: u64,
    elapsed_ns: f64,
    estimate: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    confidence: Option<f64>,
    cycles: Option<f64>,
    unreliable: bool,
    debugger: bool,
}

impl Timing {
    #[inline]
    pub(super) fn new(
        name: &str,
        visits: &[Visit],
        results: &[CaseResult],
        calls_per_batch: bool,
    ) -> Self {
        let mut timing = Self {
            name: owned(name),
            ops: 0,
            iterations: 0,
            elapsed_ns: 0.0,
            estimate: None,
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
            timing.estimate = result.estimate.ok();
            timing.lower = result.lower;
            timing.upper = result.upper;
            timing.confidence = result.confidence;
            for note in &result.notes {
                timing.unreliable |= matches!(note, Note::CorrectionTooLarge);
            }
        }
        if calls_per_batch {
            timing.iterations = calls(visits);
        }
        timing
    }

    /// What was timed.
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ops done while the clock ran.
    #[inline]
    pub fn ops(&self) -> u64 {
        self.ops
    }

    /// Calls of the body while the clock ran.
    #[inline]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Time while the clock ran.
    #[inline]
    pub fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed_ns as u64)
    }

    /// Nanoseconds per op.
    #[inline]
    pub fn nanos_per_op(&self) -> Option<f64> {
        self.estimate
    }

    /// Microseconds per op.
    #[inline]
    pub fn micros_per_op(&self) -> Option<f64> {
        self.estimate.map(|nanos| nanos / 1e3)
    }

    /// Milliseconds per op.
    #[inline]
    pub fn millis_per_op(&self) -> Option<f64> {
        self.estimate.map(|nanos| nanos / 1e6)
    }

    /// Nanoseconds per iteration.
    #[inline]
    pub fn nanos_per_iteration(&self) -> Option<f64> {
        self.estimate.map(|nanos| nanos * self.ops_per_iteration())
    }

    /// Microseconds per iteration.
    #[inline]
    pub fn micros_per_iteration(&self) -> Option<f64> {
        self.nanos_per_iteration().map(|nanos| nanos / 1e3)
    }

    /// Milliseconds per iteration.
    #[inline]
    pub fn millis_per_iteration(&self) -> Option<f64> {
        self.nanos_per_iteration().map(|nanos| nanos / 1e6)
    }

    /// Cycles of the core's clock per op, where they can be had.
    #[inline]
    pub fn cycles_per_op(&self) -> Option<f64> {
        self.cycles
    }

    /// Lower end of the interval, in nanoseconds per op.
    #[inline]
    pub fn lower(&self) -> Option<f64> {
        self.lower
    }

    /// Upper end of the interval, in nanoseconds per op; a bound where there is no estimate.
    #[inline]
    pub fn upper(&self) -> Option<f64> {
        self.upper
    }

    /// Confidence of the interval, 0 to 1. It covers this process: another one may differ by more.
    #[inline]
    pub fn confidence(&self) -> Option<f64> {
        self.confidence
    }

    /// Whether the correction for pauses was larger than what was read.
    #[inline]
    pub fn is_unreliable(&self) -> bool {
        self.unreliable
    }

    fn ops_per_iteration(&self) -> f64 {
        self.ops as f64 / self.iterations.max(1) as f64
    }

    /// What decides the order: time per op, below the resolution first.
    fn rank(&self) -> f64 {
        self.estimate.unwrap_or(f64::NEG_INFINITY)
    }
}

/// Batches with a call of the body in them.
#[inline]
fn calls(visits: &[Visit]) -> u64 {
    let mut calls = 0;
    for visit in visits {
        for kind in &visit.batches.kind {
            calls += u64::from(*kind > 0);
        }
    }
    calls
}

impl fmt::Display for Timing {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tourbillon_report::Timing {
            name: &self.name,
            ops: self.ops,
            iterations: self.iterations,
            elapsed_ns: self.elapsed_ns,
            estimate_ns: self.estimate,
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
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().total_cmp(&other.rank())
    }
}

impl PartialOrd for Timing {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Timing {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Timing {}
