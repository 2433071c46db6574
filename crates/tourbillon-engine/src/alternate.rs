//! Alternation: several arms measured batch by batch beside each other, to be compared.
//!
//! ```text
//! repeat until it is enough, or the budget is used up:
//!     for arm in every arm, and in one round of four the first arm once more, in a random order:
//!         run an eighth of a batch, not timed     # the arm before has left its traces
//!         time one batch
//! ```
//!
//! If two arms are the same code, which of their batches comes out longer is decided by the coin
//! that decides their order, whatever the machine does: that is what makes a verdict's error rate
//! exact (docs/METHODOLOGY.md).

use std::num::NonZeroU64;

use tourbillon_clock::{Clock, wall};
use tourbillon_record::{Length, Pilot, Plan, Rounds};
use tourbillon_stats::{Rng, sort};

use crate::budget::Budget;
use crate::pilot::pilot;
use crate::warmup::warm_up;
use crate::{About, Arm, Stretch};

/// The control is in one round of so many, on average.
const CONTROL_IN: NonZeroU64 = NonZeroU64::new(4).expect("not zero");
/// Part of a batch that is run before it without being timed.
const LEAD_IN: u64 = 8;
/// Batches of no iterations from which the fixed cost of an arm is taken.
const FIXED_BATCHES: usize = 15;
/// Lengths of two arms that differ by less than this factor are made equal.
const ALIKE: u64 = 2;
/// Rounds after which it ends even when the budget is not used up, so that memory is bounded.
pub(crate) const MOST_ROUNDS: u64 = 1 << 18;

/// An arm in a comparison.
pub struct Rival<'a> {
    /// The arm.
    pub arm: &'a mut dyn Arm,
    /// What its benchmark said of itself.
    pub about: About,
}

impl std::fmt::Debug for Rival<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rival")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

/// Measures `rivals` beside each other, the first one being the reference, until `enough` says so
/// after a round or the budget of `plan` is used up.
///
/// `names` are the identities of their cases. `alive` is called between rounds. Nothing is judged
/// here.
///
/// # Errors
///
/// What a body returned at its first call, when that says that it failed; or that an arm cannot be
/// run batch by batch.
// Inline, with what only it needs: compiled into the programs that compare, not into every bench
// binary.
#[inline]
pub fn alternate(
    rivals: &mut [Rival<'_>],
    names: Vec<String>,
    plan: &Plan,
    clock: &Clock,
    enough: &mut dyn FnMut(&Rounds) -> bool,
    alive: &mut dyn FnMut(),
) -> Result<Rounds, String> {
    let start = clock.now();
    let since_start = || clock.now().0.wrapping_sub(start.0);
    let budget = Budget::of(plan);
    let mut rng = Rng::new(Rng::new(plan.seed).derive(1));
    let mut rounds = Rounds {
        launch: plan.launch,
        seed: plan.seed,
        pids: vec![std::process::id(); rivals.len()],
        started_unix_ns: wall::unix_ns(),
        ..Rounds::default()
    };
    let lengths = prepare(rivals, &names, plan, clock, &budget, &mut rounds)?;
    rounds.cases = names;
    alive();
    read_fixed_costs(rivals, clock, &lengths, &mut rng, &mut rounds);
    make_room(&mut rounds, 1024 * (rivals.len() + 1));

    let deadline = since_start().saturating_add(budget.samples);
    let mut order = Vec::with_capacity(rivals.len() + 1);
    for round in 0..MOST_ROUNDS {
        order.clear();
        order.extend(0..rivals.len());
        if rng.below(CONTROL_IN) == 0 {
            order.push(rivals.len());
        }
        rng.shuffle(&mut order);
        for &arm in &order {
            // The control is the first arm again: through the same call, on the same state.
            let index = arm % rivals.len();
            let ticks = timed(&mut *rivals[index].arm, clock, lengths[index]);
            note(&mut rounds, round, arm as u8, ticks);
        }
        if enough(&rounds) || since_start() >= deadline {
            break;
        }
        alive();
    }
    rounds.visit_ticks = since_start();
    Ok(rounds)
}

/// First calls, batch lengths, warming up: what has to be known of each arm before the first round.
#[inline]
fn prepare(
    rivals: &mut [Rival<'_>],
    names: &[String],
    plan: &Plan,
    clock: &Clock,
    budget: &Budget,
    rounds: &mut Rounds,
) -> Result<Vec<Length>, String> {
    let mut lengths: Vec<Length> = Vec::with_capacity(rivals.len());
    for (rival, name) in rivals.iter_mut().zip(names) {
        if rival.about.isolated {
            return Err(format!(
                "`{name}` is isolated, each call in a process of its own, and cannot be compared \
                 batch by batch; compare builds of it, or take `isolated()` away"
            ));
        }
        if let Some(why) = rival.about.not_comparable(name) {
            return Err(why);
        }
        let first = rival.arm.first(clock)?.ticks.0;
        let own = pilot(rival.arm, clock, plan, budget, first, &mut Pilot::default());
        let mut length = own;
        for &earlier in lengths.iter().rev() {
            if are_alike(earlier, own) {
                length = earlier;
            }
        }
        if first < budget.warmup {
            let share = budget.warmup / names.len() as u64;
            warm_up(rival.arm, clock, length, share);
        }
        rounds.first_call_ticks.push(first);
        rounds
            .ops
            .push(length.windows * length.items * rival.about.ops_per_iteration);
        lengths.push(length);
    }
    Ok(lengths)
}

/// Whether two lengths are of one form and nearly the same, so that with the same count in both
/// whatever a batch costs besides its iterations cancels.
#[inline]
fn are_alike(a: Length, b: Length) -> bool {
    let (a_calls, b_calls) = (a.windows * a.items, b.windows * b.items);
    a.unroll == b.unroll
        && a.slope == b.slope
        && (a.windows == 1) == (b.windows == 1)
        && a_calls < ALIKE * b_calls
        && b_calls < ALIKE * a_calls
}

/// Notes one batch.
#[inline(never)]
pub(crate) fn note(rounds: &mut Rounds, round: u64, arm: u8, ticks: u64) {
    rounds.round.push(round);
    rounds.arm.push(arm);
    rounds.ticks.push(ticks);
}

/// Room for a usual comparison, so that nothing is allocated between its samples.
#[inline(never)]
pub(crate) fn make_room(rounds: &mut Rounds, batches: usize) {
    rounds.round.reserve(batches);
    rounds.arm.reserve(batches);
    rounds.ticks.reserve(batches);
}

/// One batch, after a part of one that is not timed.
#[inline(never)]
pub(crate) fn timed(arm: &mut dyn Arm, clock: &Clock, length: Length) -> u64 {
    let Length {
        windows,
        items,
        unroll,
        slope,
    } = length;
    if slope {
        let step = u64::from(unroll);
        let lead_in = if windows > 1 {
            Stretch {
                windows: windows.div_ceil(LEAD_IN),
                items,
                unroll,
            }
        } else {
            Stretch {
                windows,
                items: (items / step).div_ceil(LEAD_IN) * step,
                unroll,
            }
        };
        arm.batch(clock, lead_in);
    }
    let stretch = Stretch {
        windows,
        items,
        unroll,
    };
    arm.batch(clock, stretch).ticks.0
}

/// What a batch of no iterations reads, for each arm.
#[inline(never)]
pub(crate) fn read_fixed_costs(
    rivals: &mut [Rival<'_>],
    clock: &Clock,
    lengths: &[Length],
    rng: &mut Rng,
    rounds: &mut Rounds,
) {
    let mut readings = vec![Vec::with_capacity(FIXED_BATCHES); rivals.len()];
    let mut order: Vec<usize> = (0..rivals.len()).collect();
    for _ in 0..FIXED_BATCHES {
        rng.shuffle(&mut order);
        for &index in &order {
            let stretch = Stretch {
                windows: lengths[index].windows,
                items: 0,
                unroll: lengths[index].unroll,
            };
            let ticks = rivals[index].arm.batch(clock, stretch).ticks.0;
            readings[index].push(ticks as f64);
        }
    }
    for mut ticks in readings {
        sort(&mut ticks);
        rounds.fixed_ticks.push(ticks[FIXED_BATCHES / 2] as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::{Length, are_alike};

    #[test]
    fn lengths_are_made_equal_where_they_nearly_are() {
        let length = |windows, items, unroll| Length {
            windows,
            items,
            unroll,
            slope: true,
        };
        let reference = length(1, 1_000, 8);
        assert!(are_alike(reference, length(1, 1_900, 8)));
        assert!(are_alike(reference, length(1, 504, 8)));
        assert!(!are_alike(reference, length(1, 2_000, 8)));
        assert!(!are_alike(reference, length(1, 1_000, 1)));
        assert!(!are_alike(reference, length(10, 100, 8)));
        let once = Length {
            slope: false,
            ..length(1, 1, 1)
        };
        assert!(are_alike(once, once) && !are_alike(once, length(1, 1, 1)));
    }
}
