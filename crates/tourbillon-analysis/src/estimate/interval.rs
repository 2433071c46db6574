//! The interval of a case, the systematic part that widens it, and the resolution below it.

use tourbillon_record::{Absence, CaseResult, Metric, Note, Scope};
use tourbillon_stats::{Confidence, Interval, Sample, median, median_interval, widest_interval};

use super::launch::{Launch, typical, values};
use crate::Frequency;
use crate::frequency::UNKNOWN_ERROR_PPM;

/// Share of the empty loop's figure that the loop may add to a body: its one instruction pair takes
/// an issue slot of the six or so in a cycle from the body, where the body leaves none free. The
/// reference kernels of 1 to 33 cycles came out within half of that (0.01 of 0.02 cycle).
const LOOP_SHARE: f64 = 1.0 / 6.0;

/// Relative difference from which two figures are different: an estimate and the empty loop, whose eight
/// copies of nothing take one cycle where those of a body of a third of a cycle take 8/3; the ends of an
/// interval and its middle.
const UNLIKE: f64 = 0.5;

/// Replaces an estimate by an absence if an end of its interval is too far away; the ends stay. If more than half of the
/// width is the fixed cost in each op, which is readings of the clock, the calls are too short: more launches do not help.
pub(crate) fn require_narrow(result: &mut CaseResult, fixed_bound: f64) {
    let (Ok(estimate), Some(lower), Some(upper)) = (result.estimate, result.lower, result.upper)
    else {
        return;
    };
    let half_width = (upper - estimate).max(estimate - lower);
    if half_width <= UNLIKE * estimate.abs() {
        return;
    }
    result.estimate = Err(if fixed_bound > half_width / 2.0 {
        Absence::CallsTooShort
    } else {
        Absence::TooScattered
    });
}

/// The shortest call, in nanoseconds, whose interval is narrow enough with this fixed cost in each, for a time without
/// a figure because calls are too short.
pub(crate) fn too_short(result: &CaseResult, fixed_bound: f64) -> Option<Note> {
    let is_too_short = result.estimate == Err(Absence::CallsTooShort);
    (is_too_short && result.metric == Metric::Time).then_some(Note::CallsTooShort {
        least_ns: fixed_bound / UNLIKE,
    })
}

/// The interval of a case before it is widened, and what it covers.
///
/// With enough launches it is made of their estimates, and holds for the next process. With fewer it
/// spans the intervals that each launch has by its rounds, and holds for these processes only.
pub(crate) fn covered(
    estimates: &Sample,
    launches: &[Launch],
    confidence: Confidence,
) -> (Scope, Option<Interval>) {
    match median_interval(estimates, confidence) {
        Ok(interval) => (Scope::Processes, Some(interval)),
        Err(_) => (Scope::Process, spanned(launches, confidence)),
    }
}

/// The range that holds the interval and the estimate of every launch, with their lowest confidence.
fn spanned(launches: &[Launch], confidence: Confidence) -> Option<Interval> {
    let of_launch = |launch: &Launch| {
        let own = median_interval(&launch.rounds, confidence).ok();
        // A single reading has none.
        own.or_else(|| widest_interval(&launch.rounds))
    };
    let both = |one: Interval, other: Interval| Interval {
        lower: one.lower.min(other.lower),
        upper: one.upper.max(other.upper),
        confidence: one.confidence.min(other.confidence),
    };
    let all = launches.iter().filter_map(of_launch).reduce(both);
    // A launch of a single reading has an estimate, too: the case's is not to lie outside.
    let all = all.map(|all| {
        let hold = |all: Interval, launch: &Launch| Interval {
            lower: all.lower.min(launch.estimate),
            upper: all.upper.max(launch.estimate),
            ..all
        };
        launches.iter().fold(all, hold)
    });
    // Launches of a single reading each are still several readings of the same thing.
    all.or_else(|| widest_interval(&values(launches, |launch| Some(launch.estimate))?))
}

/// Half-width of the systematic part, per op: what is wrong in all launches alike, so that their number does
/// not show it.
///
/// The sum of: the clock's error (times), or that of the reference chain and its scatter (cycles that were not
/// counted); the residue of the loop; the fixed cost where it did not cancel; the error of the correction for
/// pauses.
pub(crate) fn systematic(
    estimate: f64,
    launches: &[Launch],
    metric: Metric,
    frequency: &Frequency,
) -> f64 {
    let typical = |figure: fn(&Launch) -> f64| {
        typical(launches, |launch| Some(figure(launch))).unwrap_or(0.0)
    };
    let relative = match metric {
        Metric::Time => frequency.relative_error(),
        Metric::CpuTime | Metric::UserTime | Metric::KernelTime => UNKNOWN_ERROR_PPM * 1e-6,
        Metric::Cycles | Metric::Own => typical(|launch| launch.relative_error),
        _ => 0.0,
    };
    relative * estimate.abs()
        + typical(|launch| launch.empty.unwrap_or(0.0).max(0.0)) * LOOP_SHARE
        + fixed_bound(launches)
        + typical(|launch| launch.correction_error)
}

/// What the fixed cost adds to each op, where it did not cancel.
pub(crate) fn fixed_bound(launches: &[Launch]) -> f64 {
    typical(launches, |launch| Some(launch.fixed_bound)).unwrap_or(0.0)
}

/// The unrolled empty loop per op: nothing shorter can be seen.
#[derive(Clone, Copy)]
pub(crate) struct Resolution {
    /// Median of the launches.
    pub(crate) typical: f64,
    /// Upper end of its interval.
    upper: f64,
}

impl Resolution {
    /// `None` where no empty loop was run.
    pub(crate) fn of(launches: &[Launch], confidence: Confidence) -> Option<Resolution> {
        let readings = values(launches, |launch| launch.empty)?;
        let interval = median_interval(&readings, confidence);
        Some(Resolution {
            typical: median(&readings),
            upper: interval.map_or(readings.max(), |interval| interval.upper),
        })
    }

    /// Whether a result cannot be distinguished from the empty loop: the lower end of its interval is not
    /// above the upper end of the empty loop's, and its estimate is hardly more than that loop's typical
    /// figure. The latter is a median of the launches, which disturbed ones do not raise, so that noise hides
    /// no body.
    ///
    /// `lower` is the end of an interval across processes; without one it is unknown how far the two differ
    /// from process to process, and only the typical figures count.
    pub(crate) fn hides(&self, estimate: f64, lower: Option<f64>) -> bool {
        match lower {
            // By a coarse clock the loop may read nothing at all.
            Some(lower) if self.typical <= 0.0 => lower <= self.upper,
            Some(lower) if lower > self.upper => false,
            _ => estimate <= (1.0 + UNLIKE) * self.typical,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(rounds: &[f64]) -> Launch {
        let rounds = Sample::new(rounds.to_vec()).expect("readings");
        Launch::plain(median(&rounds), rounds)
    }

    #[test]
    fn an_interval_holds_the_launch_of_a_single_reading() {
        let launches = [launch(&[820.0, 825.0]), launch(&[876.0])];
        let interval = spanned(&launches, Confidence::P99).expect("an interval");
        assert_eq!((interval.lower, interval.upper), (820.0, 876.0));
    }
}
