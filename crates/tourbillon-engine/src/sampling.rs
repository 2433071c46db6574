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
//!         time the reference chain at two lengths, and additions beside it
//!     every other round: time the empty loop at n and 2n
//! behind the samples of a body below 0.5 us: time ops with a fence behind each, and without
//! ```

use tourbillon_clock::{Clock, CountingClock, ReferenceChain, Ticks};
use tourbillon_record::{BatchShape, Batches, Chain, Empty, FixedItem};
use tourbillon_stats::Rng;

use crate::arms::empty_body;
use crate::{Arm, Stretch};

/// Cycles of the short and the long reference chain, about: half a microsecond and five. Long enough
/// that the steps of a coarse counter (10 ns on some) are small, short enough to be read after every
/// round of usual batches, twice: of multiplications and of additions.
const CHAIN_CYCLES: (u64, u64) = (1_800, 18_000);
/// Share of the time that these readings may take: one part of so many.
const CHAIN_SHARE: u64 = 20;
/// Ops of the short batch of the empty body.
const EMPTY_OPS: u64 = 8_192;
/// One round of so many reads one item alone, where there is a stream of them.
const FIXED_ITEM_IN: u64 = 3;
/// Fewest rounds, however long they are: below this there is no median to speak of.
const FEWEST_ROUNDS: u64 = 5;
/// Rounds after which a visit ends even when the budget is not used up, so that memory is bounded.
const MOST_ROUNDS: u64 = 1 << 20;

/// An arm with its batch length, and what it has read so far.
pub(crate) struct Sampled<'a> {
    arm: &'a mut dyn Arm,
    length: BatchShape,
    pauses: bool,
    /// Counts the cycles of its batches, where they can be counted.
    counting: Option<CountingClock>,
    batches: Batches,
}

impl<'a> Sampled<'a> {
    /// Nothing read yet.
    pub(crate) fn new(
        arm: &'a mut dyn Arm,
        length: BatchShape,
        counting: Option<CountingClock>,
    ) -> Self {
        let pauses = arm.limits().pauses;
        Self {
            arm,
            length,
            pauses,
            counting,
            batches: Batches::default(),
        }
    }

    /// The samples; without their cycles where some batches have none.
    pub(crate) fn into_batches(mut self) -> Batches {
        if self.batches.cycles.len() < self.batches.ticks.len() {
            self.batches.cycles.clear();
        }
        self.batches
    }

    fn stretch(&self, kind: u8) -> Stretch {
        Stretch {
            windows: self.length.windows,
            items: self.length.items * u64::from(kind),
            unroll: self.length.unroll,
        }
    }

    /// One batch of `kind` times the length.
    fn take(&mut self, clock: &Clock, kind: u8) {
        let clock = match &self.counting {
            Some(counting) => counting.clock(),
            None => clock,
        };
        let reading = self.arm.batch(clock, self.stretch(kind));
        if let Some(counting) = &self.counting
            && let Some(cycles) = counting.take()
        {
            self.batches.cycles.push(cycles);
        }
        self.batches.kind.push(kind);
        self.batches.ticks.push(reading.ticks.0);
        if self.pauses {
            self.batches.pauses.push(reading.pauses);
        }
        self.arm.note();
    }
}

/// What stands beside the samples of the arms.
pub(crate) struct Beside {
    /// Readings of the first arm on one item alone.
    pub(crate) fixed_item: Option<FixedItem>,
    /// Readings of the reference chain.
    pub(crate) chain: Option<Chain>,
    /// Readings of the empty loop.
    pub(crate) empty: Empty,
}

/// When sampling ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    /// Ticks for all rounds.
    pub(crate) ticks: u64,
    /// Fewest iterations of the first arm.
    pub(crate) iterations: u64,
    /// Fewest rounds: 1 for bodies that are longer than a batch.
    pub(crate) rounds: u64,
}

impl Until {
    /// Ends after `ticks` and at least `iterations` of an arm of that length.
    pub(crate) fn new(ticks: u64, iterations: u64, length: BatchShape) -> Self {
        Self {
            ticks,
            iterations,
            rounds: if length.slope { FEWEST_ROUNDS } else { 1 },
        }
    }

    /// Ends after so many rounds.
    pub(crate) fn rounds(rounds: u64) -> Self {
        Self {
            ticks: 0,
            iterations: 0,
            rounds,
        }
    }
}

/// Drives `arms` in rounds, in a visit that has been measuring since `began`; `alive` is called between
/// two rounds.
///
/// Every round runs each arm at each of its lengths once. Arms and lengths come in an order drawn
/// anew for each round, so that nothing periodic in the machine falls on one of them.
pub(crate) fn sample(
    arms: &mut [Sampled<'_>],
    clock: &Clock,
    rng: &mut Rng,
    began: Ticks,
    until: Until,
    alive: &mut dyn FnMut(),
) -> Beside {
    let mut order: Vec<(usize, u8)> = Vec::new();
    for (index, arm) in arms.iter_mut().enumerate() {
        let kinds: &[u8] = if arm.length.slope {
            &[0, 1, 2]
        } else {
            &[0, 1]
        };
        for &kind in kinds {
            order.push((index, kind));
        }
        // Room for a usual visit, so that nothing is allocated between its samples.
        arm.batches.kind.reserve(512);
        arm.batches.ticks.reserve(512);
        if arm.counting.is_some() {
            arm.batches.cycles.reserve(512);
        }
    }
    let mut chain = clock.reference_chain().map(Referred::new);
    let mut empty = not_read();
    let mut fixed_item = FixedItem::default();
    let pick = rng.next_u64();
    if let Some(chain) = &mut chain {
        chain.read(clock, 0);
    }

    let per_round = arms.first().map_or(0, |arm| per_round(arm.length));
    let start = clock.now();
    let mut rounds = 0;
    while rounds < MOST_ROUNDS {
        rng.shuffle(&mut order);
        for &(index, kind) in &order {
            arms[index].take(clock, kind);
        }
        rounds += 1;
        if let Some(chain) = &mut chain
            && (arms.is_empty() || chain.is_due(clock.now().0.wrapping_sub(began.0)))
        {
            chain.read(clock, rounds * order.len() as u64);
        }
        if rounds % 2 == 1 {
            read_empty(clock, &mut empty, rng.coin());
        }
        if rounds % FIXED_ITEM_IN == 1
            && let Some(arm) = arms.first_mut()
        {
            read_fixed_item(arm, clock, &mut fixed_item, pick);
        }
        let spent = clock.now().0.wrapping_sub(start.0) >= until.ticks;
        if spent && rounds >= until.rounds && rounds * per_round >= until.iterations {
            break;
        }
        alive();
    }
    Beside {
        fixed_item: (!fixed_item.short_ticks.is_empty()).then_some(fixed_item),
        chain: chain.map(|chain| chain.readings),
        empty,
    }
}

/// Iterations of an arm of that length in a round.
fn per_round(length: BatchShape) -> u64 {
    let lengths = if length.slope { 3 } else { 1 };
    length.windows * length.items * lengths
}

/// Readings of the reference chain and of the empty loop on their own, so many of each.
#[inline(never)]
pub(crate) fn look(clock: &Clock, readings: u32) -> Beside {
    let mut chain = clock.reference_chain().map(Referred::new);
    let mut empty = not_read();
    for _ in 0..readings {
        if let Some(chain) = &mut chain {
            chain.read(clock, 0);
        }
        read_empty(clock, &mut empty, false);
    }
    Beside {
        fixed_item: None,
        chain: chain.map(|chain| chain.readings),
        empty,
    }
}

/// The empty loop before its first reading.
fn not_read() -> Empty {
    Empty {
        ops: EMPTY_OPS,
        ..Empty::default()
    }
}

/// The reference chain and what it has read so far.
struct Referred {
    chain: ReferenceChain,
    readings: Chain,
    /// Ticks of the shortest reading: an interruption in one is not what readings cost.
    least: Option<u64>,
}

impl Referred {
    fn new(chain: ReferenceChain) -> Self {
        // Whole turns of the chain; those of additions are shorter.
        let whole = |cycles: u64| {
            let turn = chain.cycles_per_turn();
            (cycles / turn).max(1) * turn
        };
        let readings = Chain {
            of: chain.to_string(),
            short_cycles: whole(CHAIN_CYCLES.0),
            long_cycles: whole(CHAIN_CYCLES.1),
            additions: Some(Box::default()),
            ..Chain::default()
        };
        Self {
            chain,
            readings,
            least: None,
        }
    }

    /// Ticks of a chain at both lengths.
    fn time(&self, clock: &Clock, chain: ReferenceChain) -> Option<(u64, u64)> {
        let turns = |cycles: u64| cycles / chain.cycles_per_turn();
        let short = chain.time(clock, turns(self.readings.short_cycles))?;
        let long = chain.time(clock, turns(self.readings.long_cycles))?;
        Some((short.0, long.0))
    }

    /// Whether one more reading is within the share of a visit that has measured for so many ticks.
    ///
    /// After every round of usual batches it is, but not where the body is about as long as a batch and
    /// rounds are half as long, nor on slow cores.
    fn is_due(&self, measured: u64) -> bool {
        let readings = self.readings.at.len() as u64 + 1;
        self.least
            .is_none_or(|least| readings * least <= measured / CHAIN_SHARE)
    }

    /// Reads the chain and the additions beside it, after `at` batches.
    fn read(&mut self, clock: &Clock, at: u64) {
        let chain = self.time(clock, self.chain);
        let beside = self.time(clock, self.chain.additions());
        if let (Some(chain), Some(beside)) = (chain, beside) {
            let took = chain.0 + chain.1 + beside.0 + beside.1;
            self.least = Some(self.least.map_or(took, |least| least.min(took)));
            let readings = &mut self.readings;
            readings.at.push(at);
            readings.short_ticks.push(chain.0);
            readings.long_ticks.push(chain.1);
            if let Some(additions) = &mut readings.additions {
                additions.short_ticks.push(beside.0);
                additions.long_ticks.push(beside.1);
            }
        }
    }
}

/// Reads an arm that gets one item after the other on one of them alone, at its lengths.
fn read_fixed_item(arm: &mut Sampled<'_>, clock: &Clock, fixed_item: &mut FixedItem, pick: u64) {
    let (once, twice) = (arm.stretch(1), arm.stretch(2));
    let Some(short) = arm.arm.fixed_item(clock, once, pick) else {
        return;
    };
    fixed_item.short_ticks.push(short.ticks.0);
    if arm.length.slope
        && let Some(long) = arm.arm.fixed_item(clock, twice, pick)
    {
        fixed_item.long_ticks.push(long.ticks.0);
    }
}

/// Reads the empty loop at both lengths.
fn read_empty(clock: &Clock, empty: &mut Empty, long_first: bool) {
    let (short, long);
    if long_first {
        long = empty_body(clock, 2 * empty.ops);
        short = empty_body(clock, empty.ops);
    } else {
        short = empty_body(clock, empty.ops);
        long = empty_body(clock, 2 * empty.ops);
    }
    empty.short_ticks.push(short.0);
    empty.long_ticks.push(long.0);
}
