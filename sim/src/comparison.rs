use std::slice::from_ref;

use tourbillon_analysis::{Criteria, Design, disturbed, judge, settled};
use tourbillon_record::{Rounds, Verdict};

use crate::launches::frequency;
use crate::machine::{CYCLE_NS, Running, TICK_NS};
use crate::{Chance, Machine};

/// Cycles of a batch of the reference: 100 us.
const CYCLES: f64 = 100_000.0 / CYCLE_NS;
/// Ops of a batch.
const OPS: u64 = 1_000;
/// What a batch of no ops reads.
const FIXED_NS: f64 = 20.0 * TICK_NS;
/// What runs before each batch and is not timed.
const LEAD_IN_NS: f64 = 12_500.0;
/// Parts of a batch in which that is counted.
const EIGHTHS: u64 = 8;
/// The control is in one round of so many.
const CONTROL_IN: f64 = 4.0;
/// Rounds until the first look.
const FIRST_LOOK: u64 = 64;

/// How the candidate differs from the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// It is so many times as slow.
    Times(f64),
    /// Some batches are slower, the others are not.
    Tail {
        /// Share of them.
        share: f64,
        /// By which fraction they are slower.
        slower: f64,
    },
}

/// Who comes first in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A fair coin decides; the control takes part in some rounds.
    Coin,
    /// Always the reference.
    Fixed,
    /// The reference, then the candidate, in the next round the other way round.
    Abba,
}

/// Two bodies that are compared batch by batch.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// On what.
    pub machine: &'a Machine,
    /// What the difference is.
    pub change: Change,
    /// In which order.
    pub order: Order,
    /// How long their turns are.
    pub turns: Turns,
}

/// How long the turns of bodies are that disturb each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// An eighth of a batch, and the batch that counts, whatever comes of it.
    Short,
    /// A whole batch before the one that counts, and then eight, where they disturb each other.
    Longer,
}

impl Comparison<'_> {
    /// What a comparison in one process comes to that ends after so many rounds at the latest.
    pub fn functions(&self, terms: Criteria, most: u64, seed: u64) -> (Rounds, Verdict) {
        let mut chance = Chance::new(seed);
        // One process: both arms are off by the same.
        let offset = self.machine.offset(&mut chance);
        let mut running = self
            .machine
            .start(chance.uniform(), Chance::new(chance.seed()));
        let mut rounds = blank(0, seed);
        let mut until = FIRST_LOOK;
        loop {
            self.measure(&mut running, [offset; 2], until.min(most), &mut rounds);
            let known = match self.turns {
                Turns::Short => Some(false),
                Turns::Longer => disturbed(&rounds, terms),
            };
            if known == Some(true) {
                begin_again(&mut rounds);
                until = FIRST_LOOK;
                continue;
            }
            if until >= most
                || (known.is_some() && settled(Design::Functions, from_ref(&rounds), terms))
            {
                break;
            }
            until *= 2;
        }
        let verdict = judge(
            Design::Functions,
            from_ref(&rounds),
            0,
            1,
            terms,
            &frequency(),
        );
        (rounds, verdict)
    }

    /// What a pair of processes measures in so many rounds, each off by a factor of its own.
    pub fn pair(&self, launch: u32, offsets: [f64; 2], count: u64, seed: u64) -> Rounds {
        let mut chance = Chance::new(seed);
        let mut running = self.machine.start(chance.uniform(), chance);
        let mut rounds = blank(launch, seed);
        rounds.placement = Some(launch.into());
        self.measure(&mut running, offsets, count, &mut rounds);
        rounds
    }

    /// Goes on until there are so many rounds.
    fn measure(
        &self,
        running: &mut Running<'_>,
        offsets: [f64; 2],
        until: u64,
        rounds: &mut Rounds,
    ) {
        let started_ns = running.now_ns();
        let lead_in = rounds.lead_in as f64;
        let mut before = 0;
        let first = rounds.round.last().map_or(0, |last| last + 1);
        for round in first..until {
            let mut arms = [0, 1, 2];
            let with_control =
                self.order == Order::Coin && running.chance.happens(1.0 / CONTROL_IN);
            let arms = &mut arms[..if with_control { 3 } else { 2 }];
            match self.order {
                Order::Coin => running.chance.shuffle(arms),
                Order::Abba if round % 2 == 1 => arms.reverse(),
                Order::Fixed | Order::Abba => {}
            }
            for (index, &arm) in arms.iter().enumerate() {
                running.pause(LEAD_IN_NS * lead_in);
                let mut cycles = CYCLES * offsets[usize::from(arm == 1)];
                if arm == 1 {
                    cycles *= self.factor(&mut running.chance);
                }
                if index > 0 {
                    cycles *= 1.0 + self.machine.second_of_round;
                }
                if arm == 1 && before != 1 && rounds.lead_in < EIGHTHS {
                    cycles *= 1.0 + self.machine.disturbed;
                }
                before = arm;
                rounds.round.push(round);
                rounds.arm.push(arm);
                rounds.ticks.push(running.batch(cycles, FIXED_NS));
            }
        }
        rounds.launch_ticks += ((running.now_ns() - started_ns) / TICK_NS) as u64;
    }

    fn factor(&self, chance: &mut Chance) -> f64 {
        match self.change {
            Change::Times(factor) => factor,
            Change::Tail { share, slower } if chance.happens(share) => 1.0 + slower,
            Change::Tail { .. } => 1.0,
        }
    }
}

/// Longer turns, and the rounds so far forgotten: as the engine does.
fn begin_again(rounds: &mut Rounds) {
    rounds.lead_in *= EIGHTHS;
    rounds.round.clear();
    rounds.arm.clear();
    rounds.ticks.clear();
}

fn blank(launch: u32, seed: u64) -> Rounds {
    Rounds {
        cases: vec!["reference".to_owned(), "candidate".to_owned()],
        launch,
        seed,
        ops: vec![OPS; 2],
        fixed_ticks: vec![(FIXED_NS / TICK_NS) as u64; 2],
        lead_in: Rounds::LEAST_LEAD_IN,
        ..Rounds::default()
    }
}
