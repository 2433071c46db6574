use std::num::NonZeroU64;

use tourbillon_record::{Metric, Visit};
use tourbillon_stats::{
    Sample, curvature, difference_of_medians, mean, median, near_slopes, paired_slopes,
};

use super::amounts::{averaged, is_averaged};
use super::batch::{median_of, ops_of_short, sample_of, sample_of_ticks, went_backwards};
use super::chain::{CoreClock, NEAR};
use super::contention::Judgement;
use super::rounds::{Rounds, Scale};
use crate::Frequency;

/// Rounds that a launch which uses the slope needs to count.
pub(crate) const FEWEST_ROUNDS: usize = 5;

/// What one launch says about a case, in one metric.
pub(crate) struct Launch {
    /// Per op.
    pub(crate) estimate: f64,
    /// Per op, round by round.
    pub(crate) rounds: Sample,
    /// All batches together, per op, with whatever interrupted them.
    pub(crate) mean: f64,
    /// What a batch of no iterations costs.
    pub(crate) fixed_cost: Option<f64>,
    /// How much of the estimate the fixed cost may be, per op: nothing where it cancelled.
    pub(crate) fixed_bound: f64,
    /// How far short and long batches are from one line.
    pub(crate) curvature: Option<f64>,
    /// What the empty loop reads, per op.
    pub(crate) empty: Option<f64>,
    /// The first call.
    pub(crate) first_call: Option<f64>,
    /// What pauses took from the readings, as a fraction of them.
    pub(crate) correction: f64,
    /// How wrong the correction for pauses may be, per op.
    pub(crate) correction_error: f64,
    /// Relative error: of the core's clock, or of sums that were rounded; nothing for times.
    pub(crate) relative_error: f64,
    /// What a tick is in the unit of the estimate: cycles of the core's clock, where that is the unit.
    pub(crate) scale: f64,
    /// What the system looks at as one: its step, per op. `None` where it does not look in steps.
    pub(crate) step: Option<f64>,
}

/// A figure that launches have, or some of them.
#[derive(Clone, Copy)]
pub(crate) enum Figure {
    Estimate,
    FixedCost,
    FixedBound,
    Curvature,
    Empty,
    /// What the empty loop reads, nothing where it was not run or reads less than nothing.
    Loop,
    FirstCall,
    CorrectionError,
    RelativeError,
    Scale,
    Step,
}

impl Launch {
    /// Reads it from a visit; `None` where the visit has too few samples, or no cycles: those that were
    /// counted, if `counted`.
    #[inline(never)]
    pub(crate) fn new(
        visit: &Visit,
        metric: Metric,
        counted: bool,
        frequency: &Frequency,
        judgement: &Judgement,
    ) -> Option<Launch> {
        let ops = NonZeroU64::new(ops_of_short(visit))?;
        let measured = visit.measured.as_deref();
        let (scale, amounts) = match metric {
            Metric::Time => (Scale::Ticks(frequency.nanos_per_tick()), None),
            _ if metric.is_main() => {
                let measured = measured.filter(|measured| measured.metric == metric)?;
                if is_averaged(measured) {
                    return averaged(visit, measured);
                }
                let amounts = measured.amounts.as_slice();
                (Scale::Ticks(frequency.nanos_per_tick()), Some(amounts))
            }
            // The chain tells the clock of one core, and what threads wait for is mostly none of it.
            Metric::Cycles if visit.team.as_ref().is_some_and(|team| team.threads > 1) => {
                return None;
            }
            Metric::Cycles
                if counted && visit.batches.cycles.len() != visit.batches.ticks.len() =>
            {
                return None;
            }
            Metric::Cycles => {
                let core = CoreClock::new(visit.chain.as_ref()?)?;
                let scale = if counted {
                    // What is not counted, the empty loop and the first call, is by the chain.
                    Scale::Counted(1.0 / core.typical())
                } else {
                    Scale::Core(core)
                };
                (scale, None)
            }
            // Not of timed visits.
            _ => return None,
        };
        let rounds = Rounds::new(visit, amounts, &scale, &judgement.rounds);
        let whole = scale.typical();
        let empty = Empty::of(visit, whole, &judgement.slow_readings);
        let mut launch = if !visit.length.slope {
            // Without batches of no iterations: what an empty loop costs besides its ops, in each
            // window.
            let mut fixed_cost = median_of(rounds.zero);
            if let (None, Some(empty)) = (fixed_cost, &empty) {
                fixed_cost = Some(empty.fixed_cost * visit.length.windows as f64);
            }
            Launch::of_short(rounds.short, fixed_cost, ops)?
        } else {
            Launch::of_pairs(&rounds.pairs, rounds.zero, ops)?
        };
        let first_ticks = visit.first_call_ticks;
        if !went_backwards(first_ticks) {
            launch.first_call = Some(first_ticks as f64 * whole);
        }
        if let Some(measured) = measured {
            launch.first_call = Some(measured.first_call);
        }
        if let Some(empty) = empty {
            launch.empty = Some(empty.per_op);
        }
        launch.correction = rounds.correction;
        launch.correction_error = rounds.correction_error / ops.get() as f64;
        launch.relative_error = scale.error();
        launch.scale = whole;
        Some(launch)
    }

    /// A launch that says what an op costs, round by round, and nothing else.
    pub(crate) fn plain(estimate: f64, rounds: Sample) -> Launch {
        Launch {
            estimate,
            mean: mean(&rounds),
            rounds,
            fixed_cost: None,
            fixed_bound: 0.0,
            curvature: None,
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
    /// each long batch and the short ones of the rounds next to it.
    ///
    /// What the batches of near rounds have in common cancels, be it the clock of the core or what others do
    /// to the caches; and the scatter of each batch is averaged over several pairs.
    #[inline(never)]
    fn of_pairs(pairs: &[(f64, f64)], zero: Vec<f64>, ops: NonZeroU64) -> Option<Launch> {
        if pairs.len() < FEWEST_ROUNDS {
            return None;
        }
        let rounds = paired_slopes(pairs, ops).ok()?;
        let per_op = median(&near_slopes(pairs, NEAR, ops).ok()?);
        let (short, long) = pairs.iter().copied().unzip();
        let (short, long) = (sample_of(short)?, sample_of(long)?);
        let fixed_cost = median(&short) - per_op * ops.get() as f64;
        let mut launch = Launch::plain(per_op, rounds);
        launch.fixed_cost = Some(fixed_cost);
        // Not the mean of the differences: an interruption of a short batch would count against it,
        // with the whole of its length for a batch of ops.
        let mut inside = 0.0;
        for (once, twice) in pairs {
            inside += once + twice - 2.0 * fixed_cost;
        }
        launch.mean = inside / (3.0 * pairs.len() as f64 * ops.get() as f64);
        if let Some(zero) = sample_of(zero) {
            launch.curvature = curvature(&zero, &short, &long);
        }
        Some(launch)
    }

    /// From batches of one length: the fixed cost is in the estimate, and bounds its error.
    fn of_short(mut short: Vec<f64>, fixed_cost: Option<f64>, ops: NonZeroU64) -> Option<Launch> {
        let ops = ops.get() as f64;
        for batch in &mut short {
            *batch /= ops;
        }
        let rounds = sample_of(short)?;
        let mut launch = Launch::plain(median(&rounds), rounds);
        launch.fixed_bound = fixed_cost.unwrap_or(0.0).abs() / ops;
        launch.fixed_cost = fixed_cost;
        Some(launch)
    }

    fn figure(&self, figure: Figure) -> Option<f64> {
        match figure {
            Figure::Estimate => Some(self.estimate),
            Figure::FixedCost => self.fixed_cost,
            Figure::FixedBound => Some(self.fixed_bound),
            Figure::Curvature => self.curvature,
            Figure::Empty => self.empty,
            Figure::Loop => Some(self.empty.unwrap_or(0.0).max(0.0)),
            Figure::FirstCall => self.first_call,
            Figure::CorrectionError => Some(self.correction_error),
            Figure::RelativeError => Some(self.relative_error),
            Figure::Scale => Some(self.scale),
            Figure::Step => self.step,
        }
    }
}

/// What the empty loop reads, in the unit of which a tick is `scale`.
struct Empty {
    per_op: f64,
    fixed_cost: f64,
}

impl Empty {
    /// Reads it from the readings that are not slow.
    #[inline(never)]
    fn of(visit: &Visit, scale: f64, slow: &[bool]) -> Option<Empty> {
        let ops = NonZeroU64::new(visit.empty.ops)?;
        let quiet = |ticks: &[u64]| {
            let mut quiet = Vec::new();
            for (index, ticks) in ticks.iter().enumerate() {
                if slow.get(index) != Some(&true) {
                    quiet.push(*ticks);
                }
            }
            sample_of_ticks(&quiet)
        };
        let (short, long) = (
            quiet(&visit.empty.short_ticks)?,
            quiet(&visit.empty.long_ticks)?,
        );
        let slope = difference_of_medians(&short, &long, ops);
        Some(Empty {
            per_op: slope.per_op * scale,
            fixed_cost: slope.fixed_cost * scale,
        })
    }
}

/// The values that launches have of a figure, as a sample; `None` where none of them has one.
#[inline(never)]
pub(crate) fn values(launches: &[Launch], figure: Figure) -> Option<Sample> {
    let mut values = Vec::new();
    for launch in launches {
        if let Some(value) = launch.figure(figure) {
            values.push(value);
        }
    }
    sample_of(values)
}

/// Their median.
#[inline(never)]
pub(crate) fn typical(launches: &[Launch], figure: Figure) -> Option<f64> {
    Some(median(&values(launches, figure)?))
}
