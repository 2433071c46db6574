//! Interleaving: several arms measured alternately, batch by batch, to be compared.
//!
//! ```text
//! repeat until it is enough, or the budget is used up:
//!     for arm in every arm, and in one round of four the first arm once more, in a random order:
//!         move it to another address, if it can be moved
//!         run an eighth of a batch, not timed     # the arm before has left its traces
//!         time one batch
//! ```
//!
//! If two arms are the same code, the coin that decides their order decides which of their batches is longer,
//! whatever the machine does: that makes the error rate of a verdict exact (docs/explanation/verdicts.md). The
//! coin would not decide what an arm has to itself: the length of its batches, so that similar arms get the
//! same one, and its address, so that it is drawn anew for each batch. Where one arm leaves more behind
//! for the other than for itself, the comparison begins again with longer turns: a batch, and then eight, before
//! each that is timed.

mod prepare;
mod turns;

pub use prepare::Candidate;
pub use turns::{Peer, take_turns};

use std::num::NonZeroU64;

use prepare::{MOST_ROUNDS, make_room, prepare, read_fixed_costs, record, timed};
use tourbillon_clock::{Clock, wall};
use tourbillon_record::{Plan, Rounds};
use tourbillon_stats::Rng;

use crate::calibrate::Budget;

/// The control is in one round of so many, on average.
const CONTROL_IN: NonZeroU64 = NonZeroU64::new(4).expect("not zero");
/// Label of the random sequence of the addresses of arms and the stack.
const ADDRESSES: u64 = 3;
/// Turns grow by this factor, if as many times the time spent so far is left.
const LONGER: u64 = 8;

/// What to do after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another round.
    More,
    /// The arms disturb each other: begin again with turns in which more is run that is not timed, if
    /// the budget is enough for that.
    LongerTurns {
        /// Whether the rounds are enough when it cannot begin again.
        if_not: bool,
    },
    /// No other round.
    Enough,
}

/// Measures `candidates` alternately, the first one being the reference, until `next` ends it after a round or the
/// budget of `plan` is used up.
///
/// `names` are the identities of their cases. `alive` is called between rounds. Nothing is judged
/// here.
///
/// # Errors
///
/// What a body returned at its first call, if that is an error; or that an arm cannot be run batch by batch.
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
    let mut addresses = Rng::new(Rng::new(plan.seed).derive(ADDRESSES));
    let mut rounds = Rounds {
        launch: plan.launch,
        seed: plan.seed,
        pids: vec![crate::process_id(); candidates.len()],
        started_unix_ns: wall::unix_ns(),
        lead_in: Rounds::LEAST_LEAD_IN,
        ..Rounds::default()
    };
    let lengths = prepare(
        candidates,
        &names,
        plan,
        clock,
        &budget,
        &mut addresses,
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
            own.settle(&mut addresses);
            let ticks = timed(own, clock, lengths[index], rounds.lead_in);
            record(&mut rounds, round, arm as u8, ticks);
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
    rounds.launch_ticks = since_start();
    Ok(rounds)
}

/// Drops the rounds there are, and has each arm run more before its batches.
fn begin_again(rounds: &mut Rounds) {
    let longer = rounds.lead_in.saturating_mul(LONGER);
    rounds.lead_in = longer.min(Rounds::LONGEST_LEAD_IN);
    rounds.round.clear();
    rounds.arm.clear();
    rounds.ticks.clear();
}
