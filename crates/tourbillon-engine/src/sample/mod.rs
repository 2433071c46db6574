//! Sampling: rounds of batches in random order until the budget is used up.
//!
//! ```text
//! repeat until the budget is used up:
//!     for (arm, length) in every arm x {0, n, 2n}, in a random order:
//!         read the counter of cycles, where there is one
//!         start clock                       # lfence; rdtsc; lfence
//!         repeat length times: touch(body); keep(body())
//!         stop clock                        # rdtscp; lfence
//!         read the counter of cycles, where there is one
//!     unless that would be more than 5 % of the time:
//!         time the reference chain at two lengths, and additions after it
//!     every other round: time the empty loop at n and 2n
//! after the samples of a body below 0.5 us: time ops with a fence after each, and without
//! ```

mod fence;
mod probes;

pub(crate) use fence::read_fenced;
pub use probes::all_contended;
pub(crate) use probes::{ProbeReader, Probes, begins_contended};

use tourbillon_clock::{Clock, CountingClock, Ticks};
use tourbillon_record::{BatchShape, Batches, FixedItem};
use tourbillon_stats::Rng;

use crate::arm::Arm;

/// One round of this many reads one item alone, where there is a stream of them.
const FIXED_ITEM_IN: u64 = 3;
/// Fewest rounds, however long they are: fewer have no usable median.
const FEWEST_ROUNDS: u64 = 5;
/// Rounds after which a launch ends even when the budget is not used up, so that memory is bounded.
const MOST_ROUNDS: u64 = 1 << 20;
/// Room for the batches of a usual launch, so that nothing is allocated between its samples.
const USUAL_BATCHES: usize = 512;

/// An arm with its batch length, and its samples so far.
pub(crate) struct Sampled<'a> {
    arm: &'a mut dyn Arm,
    length: BatchShape,
    pauses: bool,
    /// Counts the cycles of its batches, where they can be counted.
    counting: Option<CountingClock>,
    batches: Batches,
}

impl<'a> Sampled<'a> {
    /// Without samples.
    pub(crate) fn new(
        arm: &'a mut dyn Arm,
        length: BatchShape,
        counting: Option<CountingClock>,
    ) -> Self {
        let pauses = arm.limits().pauses;
        let mut batches = Batches::default();
        batches.kind.reserve(USUAL_BATCHES);
        batches.ticks.reserve(USUAL_BATCHES);
        if counting.is_some() {
            batches.cycles.reserve(USUAL_BATCHES);
        }
        Self {
            arm,
            length,
            pauses,
            counting,
            batches,
        }
    }

    /// The samples; without their cycles if some batches have none.
    pub(crate) fn into_batches(mut self) -> Batches {
        if self.batches.cycles.len() < self.batches.ticks.len() {
            self.batches.cycles.clear();
        }
        self.batches
    }

    /// The relative lengths of the batches of a round.
    fn kinds(&self) -> Vec<u8> {
        let first = u8::from(self.arm.limits().loops_itself);
        let last = if self.length.slope { 2 } else { 1 };
        (first..=last).collect()
    }

    /// One batch of `kind` times the length.
    fn take(&mut self, clock: &Clock, kind: u8) {
        let clock = match &self.counting {
            Some(counting) => counting.clock(),
            None => clock,
        };
        let reading = self.arm.batch(clock, self.length.times(u64::from(kind)));
        let cycles = self.counting.as_ref().and_then(CountingClock::take);
        self.batches.cycles.extend(cycles);
        self.batches.kind.push(kind);
        self.batches.ticks.push(reading.ticks.0);
        if self.pauses {
            self.batches.pauses.push(reading.pauses);
        }
        self.arm.note();
    }

    /// Reads an arm that gets one item after the other on one of them alone, at its lengths.
    fn read_fixed_item(&mut self, clock: &Clock, fixed_item: &mut FixedItem, pick: u64) {
        let Some(short) = self.arm.fixed_item(clock, self.length, pick) else {
            return;
        };
        fixed_item.short_ticks.push(short.ticks.0);
        if self.length.slope
            && let Some(long) = self.arm.fixed_item(clock, self.length.times(2), pick)
        {
            fixed_item.long_ticks.push(long.ticks.0);
        }
    }
}

/// When sampling ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    /// Ticks for all rounds.
    ticks: u64,
    /// Fewest iterations.
    iterations: u64,
    /// Fewest rounds: 1 for bodies that are longer than a batch.
    rounds: u64,
    /// The only round in which the arm is run, where there is one.
    only: Option<u64>,
}

impl Until {
    /// After `ticks` and at least `iterations` of an arm of that length.
    pub(crate) fn new(ticks: u64, iterations: u64, length: BatchShape) -> Self {
        Self {
            ticks,
            iterations,
            rounds: if length.slope { FEWEST_ROUNDS } else { 1 },
            only: None,
        }
    }

    /// After this many rounds.
    pub(crate) fn rounds(rounds: u64) -> Self {
        Self {
            ticks: 0,
            iterations: 0,
            rounds,
            only: None,
        }
    }

    /// After this many rounds, of which only the middle one runs the arm.
    pub(crate) fn around_one(rounds: u64) -> Self {
        Self {
            only: Some(rounds / 2),
            ..Self::rounds(rounds)
        }
    }

    /// Whether a round runs the arm.
    fn runs(&self, round: u64) -> bool {
        self.only.is_none_or(|only| only == round)
    }
}

/// Runs an arm in rounds, in a launch that has been measuring since `began`, and reads the probes between them; without
/// an arm, only the probes. `alive` is called between two rounds.
///
/// Every round runs the arm at each of its lengths once, in an order drawn anew for each round, so that nothing
/// periodic in the machine falls on one of them.
pub(crate) fn sample(
    mut arm: Option<&mut Sampled<'_>>,
    clock: &Clock,
    rng: &mut Rng,
    began: Ticks,
    until: Until,
    alive: &mut dyn FnMut(),
) -> Probes {
    let mut order = arm.as_ref().map_or(Vec::new(), |arm| arm.kinds());
    let lengths: u64 = order.iter().map(|kind| u64::from(*kind)).sum();
    let iterations = arm
        .as_ref()
        .map_or(0, |arm| lengths * arm.length.iterations());
    let mut probes = ProbeReader::new(clock);
    let mut fixed_item = FixedItem::default();
    let pick = rng.next_u64();
    probes.read_chain(0);

    let start = clock.now();
    let (mut rounds, mut batches) = (0, 0);
    while rounds < MOST_ROUNDS {
        rng.shuffle(&mut order);
        if let Some(arm) = arm.as_mut().filter(|_| until.runs(rounds)) {
            for kind in &order {
                arm.take(clock, *kind);
            }
            batches += order.len() as u64;
        }
        rounds += 1;
        if arm.is_none() || until.only.is_some() || probes.is_chain_due(began) {
            probes.read_chain(batches);
        }
        if rounds % 2 == 1 {
            probes.read_empty(rng.coin());
        }
        if rounds % FIXED_ITEM_IN == 1
            && let Some(arm) = &mut arm
        {
            arm.read_fixed_item(clock, &mut fixed_item, pick);
        }
        let is_spent = clock.now().0.wrapping_sub(start.0) >= until.ticks;
        if is_spent && rounds >= until.rounds && rounds * iterations >= until.iterations {
            break;
        }
        alive();
    }
    Probes {
        fixed_item: (!fixed_item.short_ticks.is_empty()).then_some(fixed_item),
        ..probes.readings()
    }
}
