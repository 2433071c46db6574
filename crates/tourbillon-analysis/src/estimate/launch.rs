//! What one launch measured.

use std::num::NonZeroU64;

use tourbillon_record::{LaunchSamples, Measured, Metric};
use tourbillon_stats::{
    Sample, curvature, difference_of_medians, mean, median, near_slopes, paired_slopes,
};

use super::chain::{CoreClock, NEAR};
use super::contention::{ContendedParts, FEWEST_ROUNDS};
use super::readings::{median_of, went_backwards};
use super::scale::Scale;
use super::scaled_batches::ScaledBatches;
use super::totals::{is_averaged, ops_of_short};
use crate::Frequency;

/// Rounding error of a sum of fractions, relative: a million additions of 53 bits. Sums of whole numbers are
/// exact.
const ROUNDED: f64 = 1e6 * f64::EPSILON;

/// How much of the fixed cost that was subtracted may be left in a batch, or missing from it: twice what was found
/// (docs/decisions/0035-windows.md).
const FIXED_ERROR: f64 = 0.5;

/// The figures of one launch in one metric.
pub(crate) struct Launch {
    /// Per op.
    pub(crate) estimate: f64,
    /// Per op, round by round.
    pub(crate) rounds: Sample,
    /// All batches together, per op, interruptions included.
    pub(crate) mean: f64,
    /// A batch of no iterations.
    pub(crate) fixed_cost: Option<f64>,
    /// How far the estimate may be off because of the fixed cost, per op: nothing where it cancelled.
    pub(crate) fixed_bound: f64,
    /// How far short and long batches are from one line.
    pub(crate) curvature: Option<f64>,
    /// The share of a short batch that its iterations do not explain, of a body that times itself.
    pub(crate) unexplained: Option<f64>,
    /// The empty loop, per op.
    pub(crate) empty: Option<f64>,
    /// The first call.
    pub(crate) first_call: Option<f64>,
    /// What pauses took from the readings, as a fraction of them.
    pub(crate) correction: f64,
    /// Error of the correction for pauses, per op.
    pub(crate) correction_error: f64,
    /// Relative error: of the core's clock, or of rounded sums; none for times.
    pub(crate) relative_error: f64,
    /// A tick in the unit of the estimate.
    pub(crate) scale: f64,
    /// The step in which the system attributes time, per op; `None` where it does not use steps.
    pub(crate) step: Option<f64>,
}

impl Launch {
    /// `None` where the launch has too few samples, or no cycles: counted ones, if `counted`.
    pub(crate) fn new(
        samples: &LaunchSamples,
        metric: Metric,
        counted: bool,
        frequency: &Frequency,
        parts: &ContendedParts,
    ) -> Option<Launch> {
        let ops = NonZeroU64::new(ops_of_short(samples))?;
        let measured = samples.measured.as_deref();
        let ticks = || Scale::Ticks(frequency.nanos_per_tick());
        let (scale, amounts) = match metric {
            Metric::Time => (ticks(), None),
            Metric::Cycles => (cycles(samples, counted)?, None),
            _ => {
                let measured = measured.filter(|own| metric.is_main() && own.metric == metric)?;
                if is_averaged(samples) {
                    return averaged(samples, measured);
                }
                (ticks(), Some(measured.amounts.as_slice()))
            }
        };
        let batches = ScaledBatches::new(samples, amounts, &scale, &parts.rounds);
        let tick = scale.typical();
        let empty = Empty::of(samples, tick, &parts.slow_readings);
        let mut launch = if samples.batch_shape.slope {
            Launch::of_pairs(&batches.pairs, batches.zero, ops)?
        } else {
            // Without batches of no iterations: that of an empty loop, in each window.
            let of_window = |empty: &Empty| empty.fixed_cost * samples.batch_shape.windows as f64;
            let fixed_cost = median_of(batches.zero).or(empty.as_ref().map(of_window));
            Launch::of_short(batches.short, fixed_cost, ops)?
        };
        let first_ticks = samples.first_call_ticks;
        launch.first_call = match measured {
            Some(measured) => Some(measured.first_call),
            None => (!went_backwards(first_ticks)).then_some(first_ticks as f64 * tick),
        };
        launch.empty = empty.map(|empty| empty.per_op);
        launch.correction = batches.correction;
        launch.correction_error = batches.correction_error / ops.get() as f64;
        launch.relative_error = scale.error();
        launch.scale = tick;
        Some(launch)
    }

    /// A launch of which only the estimate and the rounds are known.
    pub(super) fn plain(estimate: f64, rounds: Sample) -> Launch {
        Launch {
            estimate,
            mean: mean(&rounds),
            rounds,
            fixed_cost: None,
            fixed_bound: 0.0,
            curvature: None,
            unexplained: None,
            empty: None,
            first_call: None,
            correction: 0.0,
            correction_error: 0.0,
            relative_error: 0.0,
            scale: 0.0,
            step: None,
        }
    }

    /// From batches of two lengths: the fixed cost cancels. The estimate is the median of the slopes between
    /// each long batch and the short ones of the rounds near it.
    ///
    /// What the batches of near rounds have in common cancels: the core's clock, or the state of the caches. The
    /// scatter of each batch is averaged over several pairs.
    fn of_pairs(pairs: &[(f64, f64)], zero: Vec<f64>, ops: NonZeroU64) -> Option<Launch> {
        if pairs.len() < FEWEST_ROUNDS {
            return None;
        }
        let per_op = median(&near_slopes(pairs, NEAR, ops).ok()?);
        let (short, long) = pairs.iter().copied().unzip();
        let (short, long) = (Sample::new(short).ok()?, Sample::new(long).ok()?);
        let fixed_cost = median(&short) - per_op * ops.get() as f64;
        let mut launch = Launch::plain(per_op, paired_slopes(pairs, ops).ok()?);
        launch.fixed_cost = Some(fixed_cost);
        // Not the mean of the slopes: an interrupted short batch would lower it by the whole interruption.
        let mut inside = 0.0;
        for (once, twice) in pairs {
            inside += once + twice - 2.0 * fixed_cost;
        }
        launch.mean = inside / (3.0 * pairs.len() as f64 * ops.get() as f64);
        let zero = Sample::new(zero).ok();
        launch.unexplained = match zero {
            None => Some(fixed_cost / median(&short)),
            Some(_) => None,
        };
        launch.curvature = zero.and_then(|zero| curvature(&zero, &short, &long));
        Some(launch)
    }

    /// From batches of one length: the fixed cost is subtracted, and bounds the error. Around work the clock is read in
    /// another time than around none.
    fn of_short(mut short: Vec<f64>, fixed_cost: Option<f64>, ops: NonZeroU64) -> Option<Launch> {
        let ops = ops.get() as f64;
        let fixed = fixed_cost.unwrap_or(0.0).max(0.0);
        for batch in &mut short {
            *batch = (*batch - fixed) / ops;
        }
        let rounds = Sample::new(short).ok()?;
        let mut launch = Launch::plain(median(&rounds), rounds);
        launch.fixed_bound = FIXED_ERROR * fixed / ops;
        launch.fixed_cost = fixed_cost;
        Some(launch)
    }
}

/// Cycles per tick: by the reference chain, or by a counter if `counted`.
fn cycles(samples: &LaunchSamples, counted: bool) -> Option<Scale> {
    // The chain gives the clock of one core, and what threads wait for is mostly not part of it.
    if samples.team.as_ref().is_some_and(|team| team.threads > 1) {
        return None;
    }
    let core = CoreClock::new(samples.chain.as_ref()?)?;
    if !counted {
        return Some(Scale::Core(core));
    }
    // The empty loop and the first call are not counted: these are by the chain.
    let all_counted = samples.batches.cycles.len() == samples.batches.ticks.len();
    all_counted.then(|| Scale::Counted(1.0 / core.typical))
}

/// All amounts of a launch together, per op.
fn averaged(samples: &LaunchSamples, measured: &Measured) -> Option<Launch> {
    let (mut sum, mut ops) = (0.0, 0.0);
    let mut each = Vec::new();
    let mut relative_error = 0.0;
    for (kind, amount) in samples.batches.kind.iter().zip(&measured.amounts) {
        let of_batch = f64::from(*kind) * ops_of_short(samples) as f64;
        if of_batch > 0.0 {
            sum += amount;
            ops += of_batch;
            each.push(amount / of_batch);
            if amount.fract() != 0.0 {
                relative_error = ROUNDED;
            }
        }
    }
    let mut launch = Launch::plain(sum / ops, Sample::new(each).ok()?);
    launch.first_call = Some(measured.first_call);
    launch.relative_error = relative_error;
    launch.step = measured.step_ns.map(|step| step as f64 / ops);
    Some(launch)
}

/// The empty loop, in a unit of which a tick is `scale`.
struct Empty {
    per_op: f64,
    fixed_cost: f64,
}

impl Empty {
    /// By the readings that are not slow.
    fn of(samples: &LaunchSamples, scale: f64, slow: &[bool]) -> Option<Empty> {
        let ops = NonZeroU64::new(samples.empty.ops)?;
        let quiet = |ticks: &[u64]| {
            let readings = ticks.iter().enumerate();
            let quiet = readings.filter(|(index, _)| slow.get(*index) != Some(&true));
            let quiet: Vec<u64> = quiet.map(|(_, ticks)| *ticks).collect();
            Sample::from_ticks(&quiet).ok()
        };
        let (short, long) = (
            quiet(&samples.empty.short_ticks)?,
            quiet(&samples.empty.long_ticks)?,
        );
        let slope = difference_of_medians(&short, &long, ops);
        Some(Empty {
            per_op: slope.per_op * scale,
            fixed_cost: slope.fixed_cost * scale,
        })
    }
}

/// A figure of those launches that have it, as a sample; `None` where none has.
pub(crate) fn values(
    launches: &[Launch],
    figure: impl Fn(&Launch) -> Option<f64>,
) -> Option<Sample> {
    Sample::new(launches.iter().filter_map(figure).collect()).ok()
}

/// Their median.
pub(crate) fn typical(launches: &[Launch], figure: impl Fn(&Launch) -> Option<f64>) -> Option<f64> {
    Some(median(&values(launches, figure)?))
}
