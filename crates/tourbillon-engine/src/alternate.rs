//! Alternation: several arms measured batch by batch beside each other, to be compared.
//!
//! ```text
//! repeat until it is enough, or the budget is used up:
//!     for arm in every arm, and in one round of four the first arm once more, in a random order:
//!         put it into another place of memory, if it can be moved
//!         run an eighth of a batch, not timed     # the arm before has left its traces
//!         time one batch
//! ```
//!
//! If two arms are the same code, which of their batches comes out longer is decided by the coin
//! that decides their order, whatever the machine does: that is what makes a verdict's error rate
//! exact (docs/explanation/verdicts.md). What an arm has to itself would not be decided by that coin: the
//! length of its batches, which is why arms that are alike get one, and its place in memory, which
//! is why it is drawn anew for each batch. Where one arm leaves more behind for the other than for
//! itself, it begins again with longer turns: a batch, and then eight, before each that is timed.

use std::num::NonZeroU64;

use tourbillon_clock::{Clock, wall};
use tourbillon_record::{BatchShape, Plan, Rounds};
use tourbillon_stats::{Rng, sort};

use crate::budget::Budget;
use crate::prepare::prepare;
use crate::{About, Arm, Stretch};

/// The control is in one round of so many, on average.
const CONTROL_IN: NonZeroU64 = NonZeroU64::new(4).expect("not zero");
/// The label of the random sequence that decides where arms and the stack lie.
const PLACES: u64 = 3;
/// What is run before a batch without being timed is counted in such parts of a batch.
const PARTS: u64 = 8;
/// Turns grow by this factor, if as many times the time spent so far is left.
const LONGER: u64 = 8;
/// Batches of no iterations from which the fixed cost of an arm is taken.
const FIXED_BATCHES: usize = 15;
/// Rounds after which it ends even when the budget is not used up, so that memory is bounded.
pub(crate) const MOST_ROUNDS: u64 = 1 << 18;

/// An arm in a comparison.
pub struct Candidate<'a> {
    /// The arm.
    pub arm: &'a mut dyn Arm,
    /// What its benchmark said of itself.
    pub about: About,
}

impl std::fmt::Debug for Candidate<'_> {
    #[inline]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rival")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

/// What to do after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another round.
    More,
    /// The arms disturb each other: begin again with turns in which more is run that is not timed, if
    /// the budget is enough for that.
    LongerTurns {
        /// Whether it is enough when it cannot begin again.
        if_not: bool,
    },
    /// No other round.
    Enough,
}

/// Measures `candidates` beside each other, the first one being the reference, until `next` says so
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
    candidates: &mut [Candidate<'_>],
    names: Vec<String>,
    plan: &Plan,
    clock: &Clock,
    next: &mut dyn FnMut(&Rounds) -> Next,
    alive: &mut dyn FnMut(),
) -> Result<Rounds, String> {
    let start = clock.now();
    let since_start = || clock.now().0.wrapping_sub(start.0);
    let budget = Budget::of(plan, None);
    let mut rng = Rng::new(Rng::new(plan.seed).derive(1));
    let mut places = Rng::new(Rng::new(plan.seed).derive(PLACES));
    let mut rounds = Rounds {
        launch: plan.launch,
        seed: plan.seed,
        pids: vec![std::process::id(); candidates.len()],
        started_unix_ns: wall::unix_ns(),
        lead_in: plan
            .against
            .as_ref()
            .map_or(Rounds::LEAST_LEAD_IN, |against| against.lead_in),
        ..Rounds::default()
    };
    let lengths = prepare(
        candidates,
        &names,
        plan,
        clock,
        &budget,
        &mut places,
        &mut rounds,
    )?;
    rounds.cases = names;
    alive();
    read_fixed_costs(candidates, clock, &lengths, &mut rng, &mut rounds);
    make_room(&mut rounds, 1024 * (candidates.len() + 1));

    let mut begun = since_start();
    let deadline = begun.saturating_add(budget.samples);
    let mut order = Vec::with_capacity(candidates.len() + 1);
    let mut round = 0;
    while round < MOST_ROUNDS {
        order.clear();
        order.extend(0..candidates.len());
        if rng.below(CONTROL_IN) == 0 {
            order.push(candidates.len());
        }
        rng.shuffle(&mut order);
        for &arm in &order {
            // The control is the first arm again: through the same call, on the same state.
            let index = arm % candidates.len();
            let own = &mut *candidates[index].arm;
            own.settle(&mut places);
            let ticks = timed(own, clock, lengths[index], rounds.lead_in);
            note(&mut rounds, round, arm as u8, ticks);
        }
        round += 1;
        let now = since_start();
        let left = deadline.saturating_sub(now);
        let is_enough = match next(&rounds) {
            Next::More => false,
            Next::Enough => true,
            Next::LongerTurns { .. }
                if rounds.lead_in < Rounds::LONGEST_LEAD_IN && LONGER * (now - begun) <= left =>
            {
                begin_again(&mut rounds);
                (round, begun) = (0, now);
                false
            }
            Next::LongerTurns { if_not } => if_not,
        };
        if is_enough || left == 0 {
            break;
        }
        alive();
    }
    rounds.visit_ticks = since_start();
    Ok(rounds)
}

/// Forgets the rounds there are, and has each arm run more before its batches.
#[inline]
fn begin_again(rounds: &mut Rounds) {
    rounds.lead_in = rounds
        .lead_in
        .saturating_mul(LONGER)
        .min(Rounds::LONGEST_LEAD_IN);
    rounds.round.clear();
    rounds.arm.clear();
    rounds.ticks.clear();
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

/// One batch, after so many eighths of one that are not timed.
#[inline(never)]
pub(crate) fn timed(arm: &mut dyn Arm, clock: &Clock, length: BatchShape, lead_in: u64) -> u64 {
    lead_into(arm, clock, length, lead_in);
    arm.batch(clock, whole(length)).ticks.0
}

/// A batch of this length.
pub(crate) fn whole(length: BatchShape) -> Stretch {
    Stretch {
        windows: length.windows,
        items: length.items,
        unroll: length.unroll,
    }
}

/// So many eighths of a batch: a body that is a batch by itself has no eighths, and is run from a whole
/// batch on.
#[inline(never)]
pub(crate) fn lead_into(arm: &mut dyn Arm, clock: &Clock, length: BatchShape, lead_in: u64) {
    let BatchShape {
        windows,
        items,
        unroll,
        slope,
    } = length;
    let stretch = whole(length);
    if lead_in >= PARTS {
        for _ in 0..lead_in / PARTS {
            arm.batch(clock, stretch);
        }
    } else if slope {
        let step = u64::from(unroll);
        let part = if windows > 1 {
            Stretch {
                windows: (windows * lead_in).div_ceil(PARTS),
                ..stretch
            }
        } else {
            Stretch {
                items: (items / step * lead_in).div_ceil(PARTS) * step,
                ..stretch
            }
        };
        arm.batch(clock, part);
    }
}

/// What a batch of no iterations reads, for each arm.
#[inline(never)]
pub(crate) fn read_fixed_costs(
    candidates: &mut [Candidate<'_>],
    clock: &Clock,
    lengths: &[BatchShape],
    rng: &mut Rng,
    rounds: &mut Rounds,
) {
    // Those of each arm behind each other.
    let mut readings = Vec::new();
    let mut order = Vec::new();
    for index in 0..candidates.len() {
        order.push(index);
        readings.extend_from_slice(&[0.0; FIXED_BATCHES]);
    }
    for batch in 0..FIXED_BATCHES {
        rng.shuffle(&mut order);
        for &index in &order {
            let stretch = Stretch {
                windows: lengths[index].windows,
                items: 0,
                unroll: lengths[index].unroll,
            };
            let ticks = candidates[index].arm.batch(clock, stretch).ticks.0;
            readings[index * FIXED_BATCHES + batch] = ticks as f64;
        }
    }
    for ticks in readings.chunks_exact_mut(FIXED_BATCHES) {
        sort(ticks);
        rounds.fixed_ticks.push(ticks[FIXED_BATCHES / 2] as u64);
    }
}
