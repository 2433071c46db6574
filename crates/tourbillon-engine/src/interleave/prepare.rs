//! What several arms need before they are measured alternately, and their batches.

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Pilot, Plan, Rounds};
use tourbillon_stats::{Rng, sort};

use crate::arm::{About, Arm};
use crate::calibrate::{Budget, pilot, warm_up};

/// Arms whose times differ by no more than this factor get batches of the same length.
const ALIKE: u64 = 2;
/// Batches of an arm that show whether it is like another one.
const TRIALS: usize = 9;
/// What is run before a batch without being timed is counted in such parts of a batch.
const PARTS: u64 = 8;
/// Batches of no iterations from which the fixed cost of an arm is taken.
const FIXED_BATCHES: usize = 15;
/// Rounds after which a comparison ends even when the budget is not used up, so that memory is bounded.
pub(super) const MOST_ROUNDS: u64 = 1 << 18;

/// An arm in a comparison.
pub struct Candidate<'a> {
    /// The arm.
    pub arm: &'a mut dyn Arm,
    /// What its benchmark has set.
    pub about: About,
}

impl std::fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Candidate")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

/// Makes the first calls, finds the batch lengths and warms up, in a random order: the arm that is first may
/// be the one whose data comes first.
pub(super) fn prepare(
    candidates: &mut [Candidate<'_>],
    names: &[String],
    plan: &Plan,
    clock: &Clock,
    budget: &Budget,
    rng: &mut Rng,
    rounds: &mut Rounds,
) -> Result<Vec<BatchShape>, String> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    rng.shuffle(&mut order);
    rounds.first_call_ticks = vec![0; candidates.len()];
    let mut lengths = vec![BatchShape::of_items(1); candidates.len()];
    for index in order {
        let Candidate { arm, about } = &mut candidates[index];
        if let Some(why) = about.not_comparable(&names[index]) {
            return Err(why);
        }
        let first = arm.first(clock)?.ticks.0;
        let length = pilot(*arm, clock, plan, budget, first, &mut Pilot::default());
        if first < budget.warmup {
            let share = budget.warmup / names.len() as u64;
            warm_up(*arm, clock, length, share);
        }
        rounds.first_call_ticks[index] = first;
        lengths[index] = length;
    }
    make_equal(candidates, clock, plan, &mut lengths);
    unroll_alike(candidates, &mut lengths);
    let ops = candidates.iter().zip(&lengths);
    let ops =
        ops.map(|(candidate, length)| length.iterations() * candidate.about.ops_per_iteration);
    rounds.ops = ops.collect();
    Ok(lengths)
}

/// Gives arms that take nearly the same time batches of the same length, the longer one: the fixed cost of a batch
/// then cancels.
///
/// The pilot cannot do that: the first one finds the caches empty, an interruption may end any of them early,
/// and one of the first call makes a body look as if it were a batch by itself. With half as many calls in
/// the batches of one of two arms that are the same code, that arm is slower by half of what the start of a
/// batch costs.
fn make_equal(
    candidates: &mut [Candidate<'_>],
    clock: &Clock,
    plan: &Plan,
    lengths: &mut [BatchShape],
) {
    for own in 1..lengths.len() {
        for other in 0..own {
            let pair = [lengths[own], lengths[other]];
            let [shorter, longer] = if pair[0].iterations() < pair[1].iterations() {
                pair
            } else {
                [pair[1], pair[0]]
            };
            if shorter == longer {
                break;
            }
            let fits = |candidate: &Candidate<'_>| {
                fits(candidate.arm, longer, plan) && fits(candidate.arm, shorter, plan)
            };
            if fits(&candidates[own])
                && fits(&candidates[other])
                && are_alike(candidates, clock, [own, other], shorter)
            {
                for length in &mut lengths[..=own] {
                    if pair.contains(length) {
                        *length = longer;
                    }
                }
                break;
            }
        }
    }
}

/// Gives all arms the loop of several copies if one of them has it: the cost that the loop adds to a call, and
/// how the compiler arranges the body in it, is then the same for all.
fn unroll_alike(candidates: &[Candidate<'_>], lengths: &mut [BatchShape]) {
    let unroll = lengths.iter().map(|length| length.unroll).max();
    let unroll = unroll.unwrap_or(1);
    for (candidate, length) in candidates.iter().zip(lengths) {
        if candidate.arm.limits().unrolls && length.slope {
            length.unroll = unroll;
            length.items = length.items.next_multiple_of(u64::from(unroll));
        }
    }
}

/// Whether batches of an arm may have this length.
fn fits(arm: &dyn Arm, length: BatchShape, plan: &Plan) -> bool {
    let limits = arm.limits();
    let fits_windows = match limits.window_bytes_per_item {
        Some(bytes) => length.items.saturating_mul(bytes as u64) <= plan.window_bytes,
        None => length.windows == 1,
    };
    let longest = if length.slope { 2 } else { 1 } * length.items;
    let fits_limit = limits.window_items.is_none_or(|most| longest <= most);
    fits_windows && fits_limit && (limits.unrolls || length.unroll == 1)
}

/// Whether batches of this length take two arms nearly the same time.
fn are_alike(
    candidates: &mut [Candidate<'_>],
    clock: &Clock,
    pair: [usize; 2],
    length: BatchShape,
) -> bool {
    let mut least = [u64::MAX; 2];
    for _ in 0..TRIALS {
        for (least, index) in least.iter_mut().zip(pair) {
            let arm = &mut *candidates[index].arm;
            let ticks = timed(arm, clock, length, Rounds::LEAST_LEAD_IN);
            *least = ticks.min(*least);
        }
    }
    least[0] / ALIKE <= least[1] && least[1] / ALIKE <= least[0]
}

/// One batch, after this many eighths of one that are not timed.
pub(super) fn timed(arm: &mut dyn Arm, clock: &Clock, length: BatchShape, lead_in: u64) -> u64 {
    lead_into(arm, clock, length, lead_in);
    arm.batch(clock, length).ticks.0
}

/// So many eighths of a batch. A body that is a batch by itself has no eighths, and is run only for whole
/// batches.
pub(super) fn lead_into(arm: &mut dyn Arm, clock: &Clock, length: BatchShape, lead_in: u64) {
    let step = u64::from(length.unroll);
    if lead_in >= PARTS {
        for _ in 0..lead_in / PARTS {
            arm.batch(clock, length);
        }
    } else if length.slope {
        let mut part = length;
        if length.windows > 1 {
            part.windows = (length.windows * lead_in).div_ceil(PARTS);
        } else {
            part.items = (length.items / step * lead_in).div_ceil(PARTS) * step;
        }
        arm.batch(clock, part);
    }
}

/// Reads the fixed cost of each arm: the median of batches of no iterations.
pub(super) fn read_fixed_costs(
    candidates: &mut [Candidate<'_>],
    clock: &Clock,
    lengths: &[BatchShape],
    rng: &mut Rng,
    rounds: &mut Rounds,
) {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let mut readings = vec![Vec::new(); candidates.len()];
    for _ in 0..FIXED_BATCHES {
        rng.shuffle(&mut order);
        for &index in &order {
            let arm = &mut *candidates[index].arm;
            let ticks = arm.batch(clock, lengths[index].times(0)).ticks.0;
            readings[index].push(ticks as f64);
        }
    }
    for mut ticks in readings {
        sort(&mut ticks);
        rounds.fixed_ticks.push(ticks[FIXED_BATCHES / 2] as u64);
    }
}

/// Records one batch.
pub(super) fn record(rounds: &mut Rounds, round: u64, arm: u8, ticks: u64) {
    rounds.round.push(round);
    rounds.arm.push(arm);
    rounds.ticks.push(ticks);
}

/// Room for a usual comparison, so that nothing is allocated between its samples.
pub(super) fn make_room(rounds: &mut Rounds, batches: usize) {
    rounds.round.reserve(batches);
    rounds.arm.reserve(batches);
    rounds.ticks.reserve(batches);
}
