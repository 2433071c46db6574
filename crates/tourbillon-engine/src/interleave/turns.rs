//! Turns: an arm of this process measured alternately, batch by batch, with the same arm of another build, which
//! is alive in another process.
//!
//! ```text
//! side 0 gets ready, then side 1
//! repeat until the budget is used up:
//!     for side in both, in a random order that both know from the seed:
//!         wait for the turn, unless the batch before was of this side
//!         run an eighth of a batch, not timed
//!         time one batch
//!         read the reference chain where that takes no more than a twentieth, and in every other round the empty loop
//! ```
//!
//! Only one of the two runs at any time. The turn goes from one to the other directly.

use std::num::NonZeroU64;

use tourbillon_clock::{Clock, wall};
use tourbillon_record::{Frame, Plan, Probes, Rounds};
use tourbillon_stats::Rng;

use super::prepare::{Candidate, MOST_ROUNDS, lead_into, make_room, read_fixed_costs, record};
use crate::arm::{Arm, Suite};
use crate::calibrate::{Budget, warm_up};
use crate::find::find;
use crate::heartbeat::Heartbeat;
use crate::launch::System;
use crate::sample::ProbeReader;

/// Label of the random sequence of the order, which both sides draw.
const ORDER: u64 = 2;
const SIDES: NonZeroU64 = NonZeroU64::new(2).expect("not zero");

/// The other side.
pub trait Peer: Send {
    /// Waits for the turn; false when it is over.
    ///
    /// # Errors
    /// When the other side is gone.
    fn wait(&mut self) -> Result<bool, String>;

    /// Passes the turn on, or ends it.
    ///
    /// # Errors
    /// When the other side is gone.
    fn pass(&mut self, over: bool) -> Result<(), String>;
}

/// Measures the case of `plan` in turns with `peer`, a worker of another build, and sends signs of life, then the
/// rounds or a fault. `system` is asked for its threads after the last batch.
///
/// A panic of a benchmark goes through to the caller.
pub fn take_turns(
    suite: &dyn Suite,
    plan: &Plan,
    side: u8,
    clock: &Clock,
    system: &dyn System,
    peer: &mut dyn Peer,
    send: &mut (dyn FnMut(Frame) + Send),
) {
    let mut measure = |arm: &mut dyn Arm, about, _, send: &mut dyn FnMut(Frame)| {
        let mut turn = Turn {
            peer: &mut *peer,
            system,
            is_ours: side == 0,
            side,
        };
        let mut heartbeat = Heartbeat::new(plan, clock, send);
        let rounds = turn.measure(Candidate { arm, about }, plan, clock, &mut heartbeat)?;
        Ok(Frame::Rounds(Box::new(rounds)))
    };
    find(suite, plan, clock, &mut measure, send);
}

/// Which side has the turn.
struct Turn<'p> {
    peer: &'p mut dyn Peer,
    system: &'p dyn System,
    is_ours: bool,
    /// Which side this is.
    side: u8,
}

impl Turn<'_> {
    /// Waits until the turn is ours; false when it is over.
    fn take(&mut self) -> Result<bool, String> {
        if !self.is_ours {
            self.is_ours = self.peer.wait()?;
        }
        Ok(self.is_ours)
    }

    /// The same at a time when it cannot be over.
    fn begin(&mut self) -> Result<(), String> {
        if self.take()? {
            Ok(())
        } else {
            Err("the other side ended before it began".to_owned())
        }
    }

    /// Passes the turn to the other side.
    fn pass(&mut self) -> Result<(), String> {
        if self.is_ours {
            self.peer.pass(false)?;
            self.is_ours = false;
        }
        Ok(())
    }

    /// Measures the arm of this side in turns with its peer, in batches of the length of the plan, until the
    /// budget of the plan is used up.
    ///
    /// The batches of the other side are in the rounds with 0 ticks: the two records together are the
    /// comparison.
    ///
    /// # Errors
    /// What a body returned at its first call; that the other side is gone; that the arm cannot be run
    /// batch by batch.
    fn measure(
        &mut self,
        mut candidate: Candidate<'_>,
        plan: &Plan,
        clock: &Clock,
        heartbeat: &mut Heartbeat<'_>,
    ) -> Result<Rounds, String> {
        let start = clock.now();
        let since_start = || clock.now().0.wrapping_sub(start.0);
        let Some(length) = plan.batch_shape else {
            return Err("the plan of a worker that takes turns has no batch length".to_owned());
        };
        if let Some(why) = candidate.about.not_comparable(&plan.case) {
            return Err(why);
        }
        let budget = Budget::of(plan, None);
        let mut rounds = Rounds {
            cases: vec![plan.case.clone()],
            launch: plan.launch,
            seed: plan.seed,
            pids: vec![crate::process_id()],
            started_unix_ns: wall::unix_ns(),
            ops: vec![length.iterations() * candidate.about.ops_per_iteration],
            lead_in: Rounds::LEAST_LEAD_IN,
            ..Rounds::default()
        };
        self.begin()?;
        let first = candidate.arm.first(clock)?.ticks.0;
        rounds.first_call_ticks.push(first);
        heartbeat.first_call(0);
        if first < budget.warmup {
            warm_up(candidate.arm, clock, length, budget.warmup);
            heartbeat.beat();
        }
        let mut own = Rng::new(Rng::new(plan.seed).derive(1));
        let alone = std::slice::from_mut(&mut candidate);
        read_fixed_costs(alone, clock, &[length], &mut own, &mut rounds);
        make_room(&mut rounds, 4096);
        candidate.arm.time_calls(clock, plan.tick_hz);
        self.pass()?;
        if self.side == 0 {
            self.begin()?;
        }

        let mut probes = ProbeReader::new(clock);
        let began = clock.now();
        let mut order = Rng::new(Rng::new(plan.seed).derive(ORDER));
        let deadline = since_start().saturating_add(budget.samples);
        'rounds: for round in 0..MOST_ROUNDS {
            let first = order.below(SIDES) as u8;
            for side in [first, 1 - first] {
                let mut ticks = 0;
                if side != self.side {
                    self.pass()?;
                } else if self.take()? {
                    lead_into(candidate.arm, clock, length, rounds.lead_in);
                    // A batch may be one long call.
                    heartbeat.beat();
                    ticks = candidate.arm.batch(clock, length).ticks.0;
                    heartbeat.beat();
                    if probes.is_chain_due(began) {
                        probes.read_chain(round);
                    }
                    if round % 2 == 0 {
                        probes.read_empty(own.coin());
                    }
                } else {
                    // This round does not come to its end.
                    let whole = 2 * round as usize;
                    rounds.round.truncate(whole);
                    rounds.arm.truncate(whole);
                    rounds.ticks.truncate(whole);
                    break 'rounds;
                }
                record(&mut rounds, round, side, ticks);
            }
            if self.is_ours && since_start() >= deadline {
                self.peer.pass(true)?;
                break;
            }
        }
        // Threads of the benchmark look like something else on the core.
        let is_alone = self.system.threads().is_none_or(|threads| threads.all == 1);
        let readings = probes.readings();
        rounds.probes = readings.chain.filter(|_| is_alone).map(|chain| {
            vec![Probes {
                chain,
                empty: readings.empty,
            }]
        });
        rounds.calls = candidate.arm.calls().map(|calls| vec![*calls]);
        rounds.launch_ticks = since_start();
        Ok(rounds)
    }
}
