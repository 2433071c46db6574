use std::num::NonZeroU64;

use tourbillon_record::{Metric, Visit};
use tourbillon_stats::{Sample, curvature, difference_of_medians, median, paired_slopes};

use super::chain::CoreClock;
use super::rounds::Rounds;
use crate::Frequency;

/// What one launch says about a case, in one metric.
#[derive(Debug)]
pub(crate) struct Launch {
    /// Per op.
    pub(crate) estimate: f64,
    /// Per op, round by round.
    pub(crate) rounds: Sample,
    /// What a batch of no iterations costs.
    pub(crate) fixed_cost: Option<f64>,
    /// How much of the estimate the fixed cost may be, per op: nothing where it cancelled.
    pub(crate) fixed_bound: f64,
    /// How far short and long batches are from one line.
    pub(crate) curvature: Option<f64>,
    /// What the empty loop reads, per op.
    pub(crate) empty: Option<f64>,
    /// The first call.
    pub(crate) first_call: f64,
    /// What pauses took from the readings, as a fraction of them.
    pub(crate) correction: f64,
    /// How wrong the correction for pauses may be, per op.
    pub(crate) correction_error: f64,
    /// Relative error of the core's clock; nothing for times.
    pub(crate) core_error: f64,
}

impl Launch {
    /// Reads it from a visit; `None` where the visit has no samples, or no cycles.
    pub(crate) fn new(visit: &Visit, metric: Metric, frequency: &Frequency) -> Option<Launch> {
        let core = visit.chain.as_ref().and_then(CoreClock::new);
        let (whole, core_error, rounds) = match (metric, &core) {
            (Metric::Time, _) => {
                let scale = frequency.nanos_per_tick();
                (scale, 0.0, Rounds::new(visit, &|_| scale))
            }
            (Metric::Cycles, Some(core)) => {
                let scale = |batch| 1.0 / core.ticks_per_cycle(batch);
                (1.0 / core.typical(), core.error, Rounds::new(visit, &scale))
            }
            (Metric::Cycles, None) => return None,
        };
        let ops = NonZeroU64::new(ops_of_short(visit))?;
        let zero = Sample::new(rounds.zero.clone()).ok();
        let empty = Empty::of(visit);
        let cost = if rounds.pairs.is_empty() {
            Cost::of_short(rounds.short, zero, &empty, visit, ops, whole)?
        } else {
            Cost::of_pairs(&rounds.pairs, zero, ops)?
        };
        Some(Launch {
            estimate: cost.estimate,
            rounds: cost.rounds,
            fixed_cost: cost.fixed_cost,
            fixed_bound: cost.fixed_bound,
            curvature: cost.curvature,
            empty: empty.map(|empty| empty.per_op * whole),
            first_call: visit.first_call_ticks as f64 * whole,
            correction: rounds.correction,
            correction_error: rounds.correction_error / ops.get() as f64,
            core_error,
        })
    }
}

/// What an op costs, and what a batch costs besides.
struct Cost {
    estimate: f64,
    rounds: Sample,
    fixed_cost: Option<f64>,
    fixed_bound: f64,
    curvature: Option<f64>,
}

impl Cost {
    /// From batches of two lengths: the fixed cost cancels.
    fn of_pairs(pairs: &[(f64, f64)], zero: Option<Sample>, ops: NonZeroU64) -> Option<Cost> {
        let short = Sample::new(pairs.iter().map(|pair| pair.0).collect()).ok()?;
        let long = Sample::new(pairs.iter().map(|pair| pair.1).collect()).ok()?;
        let slope = difference_of_medians(&short, &long, ops);
        Some(Cost {
            estimate: slope.per_op,
            rounds: paired_slopes(pairs, ops).ok()?,
            fixed_cost: Some(slope.fixed_cost),
            fixed_bound: 0.0,
            curvature: zero.and_then(|zero| curvature(&zero, &short, &long)),
        })
    }

    /// From batches of one length: the fixed cost is in the estimate, and bounds its error.
    fn of_short(
        short: Vec<f64>,
        zero: Option<Sample>,
        empty: &Option<Empty>,
        visit: &Visit,
        ops: NonZeroU64,
        scale: f64,
    ) -> Option<Cost> {
        let per_op = short.iter().map(|batch| batch / ops.get() as f64);
        let rounds = Sample::new(per_op.collect()).ok()?;
        // Without batches of no iterations: what an empty loop costs besides its ops, in each
        // window.
        let of_empty = |empty: &Empty| empty.fixed_cost * scale * visit.length.windows as f64;
        let fixed_cost = match zero {
            Some(zero) => Some(median(&zero)),
            None => empty.as_ref().map(of_empty),
        };
        Some(Cost {
            estimate: median(&rounds),
            fixed_bound: fixed_cost.unwrap_or(0.0).abs() / ops.get() as f64,
            rounds,
            fixed_cost,
            curvature: None,
        })
    }
}

/// Ops in a short batch.
pub(crate) fn ops_of_short(visit: &Visit) -> u64 {
    iterations_of_short(visit).saturating_mul(visit.ops_per_iteration)
}

/// Iterations in a short batch.
pub(crate) fn iterations_of_short(visit: &Visit) -> u64 {
    visit.length.windows.saturating_mul(visit.length.items)
}

/// What the empty loop reads, in ticks.
struct Empty {
    per_op: f64,
    fixed_cost: f64,
}

impl Empty {
    fn of(visit: &Visit) -> Option<Empty> {
        let short = Sample::from_ticks(&visit.empty.short_ticks).ok()?;
        let long = Sample::from_ticks(&visit.empty.long_ticks).ok()?;
        let slope = difference_of_medians(&short, &long, NonZeroU64::new(visit.empty.ops)?);
        Some(Empty {
            per_op: slope.per_op,
            fixed_cost: slope.fixed_cost,
        })
    }
}
