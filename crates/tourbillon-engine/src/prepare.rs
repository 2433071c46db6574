//! What has to be known of arms before they are measured beside each other.

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Pilot, Plan, Rounds};
use tourbillon_stats::Rng;

use crate::Arm;
use crate::alternate::{Candidate, timed};
use crate::budget::Budget;
use crate::pilot::pilot;
use crate::warmup::warm_up;

/// Arms whose times differ by no more than this factor get batches of the same length.
const ALIKE: u64 = 2;
/// Batches of an arm from which it is said whether it is like another one.
const TRIALS: usize = 9;

/// First calls, batch lengths, warming up: what has to be known of each arm before the first round.
/// Which arm is first in this is decided by chance, too: it may be the one whose data comes first.
#[inline]
pub(crate) fn prepare(
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
    let mut found: Vec<(usize, u64, BatchShape)> = Vec::with_capacity(candidates.len());
    for index in order {
        let (candidate, name) = (&mut candidates[index], &names[index]);
        if let Some(why) = candidate.about.not_comparable(name) {
            return Err(why);
        }
        let first = candidate.arm.first(clock)?.ticks.0;
        let length = pilot(
            candidate.arm,
            clock,
            plan,
            budget,
            first,
            &mut Pilot::default(),
        );
        if first < budget.warmup {
            let share = budget.warmup / names.len() as u64;
            warm_up(candidate.arm, clock, length, share);
        }
        found.push((index, first, length));
    }
    found.sort_unstable_by_key(|(index, ..)| *index);
    let mut lengths: Vec<BatchShape> = Vec::with_capacity(candidates.len());
    for (_, first, length) in found {
        rounds.first_call_ticks.push(first);
        lengths.push(length);
    }
    make_equal(candidates, clock, plan, &mut lengths);
    unroll_alike(candidates, &mut lengths);
    for (candidate, length) in candidates.iter().zip(&lengths) {
        rounds
            .ops
            .push(calls(*length) * candidate.about.ops_per_iteration);
    }
    Ok(lengths)
}

/// Gives arms that take nearly the same time batches of the same length, the longer one: whatever a
/// batch costs besides its iterations then cancels.
///
/// A pilot cannot see to that: the first one finds the caches empty, an interruption may end any of
/// them early, and one of the first call makes a body look as if it were a batch by itself. With half
/// as many calls in the batches of one of two arms that are the same code, that arm is slower by half
/// of what the start of a batch costs.
#[inline]
fn make_equal(
    candidates: &mut [Candidate<'_>],
    clock: &Clock,
    plan: &Plan,
    lengths: &mut [BatchShape],
) {
    for own in 1..lengths.len() {
        for other in 0..own {
            let pair = [lengths[own], lengths[other]];
            let [shorter, longer] = if calls(pair[0]) < calls(pair[1]) {
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

/// Gives all arms the loop of several copies where one of them has it: what the loop adds to a call, and
/// how the compiler arranges the body in it, is then the same for all.
#[inline]
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
#[inline]
fn fits(arm: &dyn Arm, length: BatchShape, plan: &Plan) -> bool {
    let limits = arm.limits();
    let fits_windows = match limits.window_bytes_per_item {
        Some(bytes) => length.items.saturating_mul(bytes as u64) <= plan.window_bytes,
        None => length.windows == 1,
    };
    fits_windows && (limits.unrolls || length.unroll == 1)
}

/// Whether batches of this length take two arms nearly the same time.
#[inline]
fn are_alike(
    candidates: &mut [Candidate<'_>],
    clock: &Clock,
    pair: [usize; 2],
    length: BatchShape,
) -> bool {
    let mut least = [u64::MAX; 2];
    for _ in 0..TRIALS {
        for (least, index) in least.iter_mut().zip(pair) {
            let ticks = timed(
                &mut *candidates[index].arm,
                clock,
                length,
                Rounds::LEAST_LEAD_IN,
            );
            *least = ticks.min(*least);
        }
    }
    least[0] / ALIKE <= least[1] && least[1] / ALIKE <= least[0]
}

#[inline]
fn calls(length: BatchShape) -> u64 {
    length.windows * length.items
}
