use std::num::NonZeroU64;

use tourbillon_record::{Metric, Visit};
use tourbillon_stats::{Sample, curvature, difference_of_medians, median, paired_slopes};

#[cfg(feature = "amounts")]
use super::amounts::{averaged, is_averaged};
use super::batch::{ops_of_short, went_backwards};
use super::chain::CoreClock;
use super::hit::unhit;
use super::rounds::Rounds;
use crate::Frequency;

/// What one launch says about a case, in one metric.
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
    pub(crate) first_call: Option<f64>,
    /// What pauses took from the readings, as a fraction of them.
    pub(crate) correction: f64,
    /// How wrong the correction for pauses may be, per op.
    pub(crate) correction_error: f64,
    /// Relative error: of the core's clock, or of sums that were rounded; nothing for times.
    pub(crate) relative_error: f64,
    /// Whether a neighbour kept the core busy.
    pub(crate) crowded: bool,
    /// What the system looks at as one: its step, per op. `None` where it does not look in steps.
    pub(crate) step: Option<f64>,
}

impl Launch {
    /// Reads it from a visit; `None` where the visit has no samples, or no cycles.
    #[inline(never)]
    pub(crate) fn new(visit: &Visit, metric: Metric, frequency: &Frequency) -> Option<Launch> {
        #[cfg(feature = "amounts")]
        let measured = visit.measured.as_deref();
        let (whole, core_error, rounds) = match metric {
            Metric::Time => {
                let scale = frequency.nanos_per_tick();
                (scale, 0.0, Rounds::new(visit, None, &|_| scale))
            }
            #[cfg(feature = "amounts")]
            _ if metric.is_main() => {
                let measured = measured.filter(|measured| measured.metric == metric)?;
                if is_averaged(measured) {
                    return averaged(visit, measured);
                }
                let scale = frequency.nanos_per_tick();
                let amounts = Some(measured.amounts.as_slice());
                (scale, 0.0, Rounds::new(visit, amounts, &|_| scale))
            }
            // The chain tells the clock of one core, and what threads wait for is mostly none of it.
            Metric::Cycles if visit.team.as_ref().is_some_and(|team| team.threads > 1) => {
                return None;
            }
            Metric::Cycles => {
                let core = CoreClock::new(visit.chain.as_ref()?)?;
                let rounds = Rounds::new(visit, None, &|batch| 1.0 / core.ticks_per_cycle(batch));
                (1.0 / core.typical(), core.error, rounds)
            }
            // Not of timed visits.
            _ => return None,
        };
        let ops = NonZeroU64::new(ops_of_short(visit))?;
        let empty = Empty::of(visit, whole);
        let Rounds {
            zero, short, pairs, ..
        } = rounds;
        let zero = Sample::new(zero).ok();
        let cost = if pairs.is_empty() {
            // Without batches of no iterations: what an empty loop costs besides its ops, in each
            // window.
            let of_empty = empty
                .as_ref()
                .map(|empty| empty.fixed_cost * visit.length.windows as f64);
            let fixed_cost = zero.as_ref().map(median).or(of_empty);
            Cost::of_short(short, fixed_cost, ops)?
        } else {
            Cost::of_pairs(&pairs, zero.as_ref(), ops)?
        };
        let first_ticks = visit.first_call_ticks;
        let first_call = (!went_backwards(first_ticks)).then_some(first_ticks as f64 * whole);
        #[cfg(feature = "amounts")]
        let first_call = measured.map_or(first_call, |measured| Some(measured.first_call));
        Some(Launch {
            estimate: cost.estimate,
            rounds: cost.rounds,
            fixed_cost: cost.fixed_cost,
            fixed_bound: cost.fixed_bound,
            curvature: cost.curvature,
            empty: empty.map(|empty| empty.per_op),
            first_call,
            correction: rounds.correction,
            correction_error: rounds.correction_error / ops.get() as f64,
            relative_error: core_error,
            crowded: rounds.crowded,
            step: None,
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
    fn of_pairs(pairs: &[(f64, f64)], zero: Option<&Sample>, ops: NonZeroU64) -> Option<Cost> {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for pair in pairs {
            short.push(pair.0);
            long.push(pair.1);
        }
        let (short, long) = (
            unhit(Sample::new(short).ok()?),
            unhit(Sample::new(long).ok()?),
        );
        let slope = difference_of_medians(&short, &long, ops);
        Some(Cost {
            estimate: slope.per_op,
            rounds: paired_slopes(pairs, ops).ok()?,
            fixed_cost: Some(slope.fixed_cost),
            fixed_bound: 0.0,
            curvature: zero.and_then(|zero| curvature(zero, &short, &long)),
        })
    }

    /// From batches of one length: the fixed cost is in the estimate, and bounds its error.
    fn of_short(mut short: Vec<f64>, fixed_cost: Option<f64>, ops: NonZeroU64) -> Option<Cost> {
        let ops = ops.get() as f64;
        for batch in &mut short {
            *batch /= ops;
        }
        let rounds = Sample::new(short).ok()?;
        Some(Cost {
            estimate: median(&rounds),
            fixed_bound: fixed_cost.unwrap_or(0.0).abs() / ops,
            rounds,
            fixed_cost,
            curvature: None,
        })
    }
}

/// What the empty loop reads, in the unit of which a tick is `scale`.
struct Empty {
    per_op: f64,
    fixed_cost: f64,
}

impl Empty {
    #[inline(never)]
    fn of(visit: &Visit, scale: f64) -> Option<Empty> {
        let short = Sample::from_ticks(&visit.empty.short_ticks).ok()?;
        let long = Sample::from_ticks(&visit.empty.long_ticks).ok()?;
        let slope = difference_of_medians(&short, &long, NonZeroU64::new(visit.empty.ops)?);
        Some(Empty {
            per_op: slope.per_op * scale,
            fixed_cost: slope.fixed_cost * scale,
        })
    }
}

/// The values that launches have of something, as a sample; `None` where none of them has one.
#[inline(never)]
pub(crate) fn values(launches: &[Launch], of: &dyn Fn(&Launch) -> Option<f64>) -> Option<Sample> {
    let mut values = Vec::with_capacity(launches.len());
    for launch in launches {
        if let Some(value) = of(launch) {
            values.push(value);
        }
    }
    Sample::new(values).ok()
}

/// Their median.
pub(crate) fn typical(launches: &[Launch], of: &dyn Fn(&Launch) -> Option<f64>) -> Option<f64> {
    values(launches, of).as_ref().map(median)
}
