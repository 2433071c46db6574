use std::fmt;
use std::time::Duration;

use tourbillon_record::{Finding, Undecided, Verdict};
use tourbillon_report::Style;

/// What [`compare`](crate::compare) found out in this process. `Display` prints one line.
///
/// Ratios are times of the second function divided by times of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub(super) verdict: Verdict,
}

impl Comparison {
    /// What the two functions were called: the reference, then the one compared with it.
    pub fn names(&self) -> (&str, &str) {
        (&self.verdict.reference, &self.verdict.case)
    }

    /// Whether the second function is faster or slower than the first, or the same, if that could be
    /// decided.
    pub fn finding(&self) -> Finding {
        self.verdict.finding
    }

    /// Why nothing was decided.
    pub fn why_undecided(&self) -> Option<Undecided> {
        self.verdict.why
    }

    /// Time of the second function divided by that of the first.
    pub fn ratio(&self) -> Option<f64> {
        self.verdict.ratio
    }

    /// Lower end of the interval of the ratio, the one that decided.
    pub fn lower(&self) -> Option<f64> {
        self.verdict.lower
    }

    /// Upper end of the interval of the ratio.
    pub fn upper(&self) -> Option<f64> {
        self.verdict.upper
    }

    /// Confidence of the interval, 0 to 1.
    pub fn confidence(&self) -> f64 {
        self.verdict.confidence
    }

    /// The relative difference up to which two times count as the same here.
    pub fn margin(&self) -> f64 {
        self.verdict.margin
    }

    /// Pairs of batches that were compared.
    pub fn pairs(&self) -> u64 {
        self.verdict.pairs
    }

    /// Time that was spent.
    #[inline]
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.verdict.seconds).unwrap_or_default()
    }

    /// Nanoseconds per call of the first function and of the second, run beside each other.
    pub fn nanos_per_op(&self) -> (Option<f64>, Option<f64>) {
        (self.verdict.reference_ns, self.verdict.case_ns)
    }
}

impl fmt::Display for Comparison {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style {
            width: usize::MAX,
            unicode: true,
            color: false,
        };
        f.write_str(&tourbillon_report::verdict(&self.verdict, &style))?;
        if cfg!(debug_assertions) {
            f.write_str(" (debug build)")?;
        }
        if tourbillon_os::debugger_attached() == Some(true) {
            f.write_str(" (debugger attached)")?;
        }
        Ok(())
    }
}
