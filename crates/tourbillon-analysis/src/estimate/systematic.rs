use tourbillon_record::Metric;
use tourbillon_stats::{Confidence, median, median_interval};

use super::launch::{Figure, Launch, typical, values};
use crate::Frequency;
use crate::frequency::UNKNOWN_ERROR_PPM;

/// Share of the empty loop's figure that the loop may add to a body: its one instruction pair takes
/// an issue slot of the six or so in a cycle from the body, where the body leaves none free. The
/// landmark kernels of 1 to 33 cycles came out within half of that (0.01 of 0.02 cycle).
const LOOP_SHARE: f64 = 1.0 / 6.0;

/// Half-width of the systematic part, per op: what is wrong in every launch alike, so that no
/// number of launches shows it.
///
/// The sum of: the clock's error (times) or that of the reference chain and its scatter (cycles
/// that were not counted);
/// the loop's residue; the fixed cost where it did not cancel; the error of the correction for
/// pauses.
pub(crate) fn systematic(
    estimate: f64,
    launches: &[Launch],
    metric: Metric,
    frequency: &Frequency,
) -> f64 {
    let typical = |figure| typical(launches, figure).unwrap_or(0.0);
    let relative = match metric {
        Metric::Time => frequency.relative_error(),
        Metric::CpuTime | Metric::UserTime | Metric::KernelTime => UNKNOWN_ERROR_PPM * 1e-6,
        Metric::Cycles | Metric::Own => typical(Figure::RelativeError),
        _ => 0.0,
    };
    let loop_residue = typical(Figure::Loop) * LOOP_SHARE;
    relative * estimate.abs()
        + loop_residue
        + typical(Figure::FixedBound)
        + typical(Figure::CorrectionError)
}

/// What the unrolled empty loop reads per op: below it nothing can be told from nothing.
#[derive(Clone, Copy)]
pub(crate) struct Resolution {
    /// Median of the launches.
    pub(crate) typical: f64,
    /// Upper end of its interval.
    upper: f64,
}

/// What two figures have to differ by, as a fraction, to tell one from the other: an estimate from the empty
/// loop, whose eight copies of nothing take one cycle where those of a body of a third of a cycle take 8/3; the
/// ends of an interval from its middle.
pub(crate) const UNLIKE: f64 = 0.5;

impl Resolution {
    /// Reads it from the launches; `None` where no empty loop was run.
    #[inline(never)]
    pub(crate) fn of(launches: &[Launch], confidence: Confidence) -> Option<Resolution> {
        let readings = values(launches, Figure::Empty)?;
        let upper = match median_interval(&readings, confidence) {
            Ok(interval) => interval.upper,
            Err(_) => readings.max(),
        };
        Some(Resolution {
            typical: median(&readings),
            upper,
        })
    }

    /// Whether a result cannot be told from the empty loop: the lower end of its interval is not
    /// above the upper end of the empty loop's, and its estimate is hardly more than that loop's
    /// typical figure. The latter is a median of the launches, which those that were disturbed do
    /// not raise, so that noise hides no body.
    ///
    /// `lower` is the end of an interval across processes; without one nothing is known of how far
    /// the two differ from process to process, and only the typical figures count.
    pub(crate) fn hides(&self, estimate: f64, lower: Option<f64>) -> bool {
        // A loop that reads nothing at all, by a coarse clock, leaves it to the ends.
        if self.typical <= 0.0 {
            return lower.unwrap_or(estimate) <= self.upper;
        }
        lower.is_none_or(|lower| lower <= self.upper) && estimate < (1.0 + UNLIKE) * self.typical
    }
}
