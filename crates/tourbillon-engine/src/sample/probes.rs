//! What is read between the samples: the reference chain, additions, and the empty loop. Under contention, when
//! something else uses the units of the core, they take longer.

use tourbillon_clock::{Clock, ReferenceChain, Ticks};
use tourbillon_record::{Chain, Empty, FixedItem, Plan};

use crate::arms::empty_body;
use crate::loops::UNROLLED;

/// Cycles of the short and the long reference chain, about: half a microsecond and five. Long enough
/// that the steps of a coarse counter (10 ns on some) are small, short enough to be read after every
/// round of usual batches, twice: of multiplications and of additions.
const CHAIN_CYCLES: (u64, u64) = (1_800, 18_000);
/// Share of the time that these readings may take: one part of so many.
const CHAIN_SHARE: u64 = 20;
/// Ops of the short batch of the empty body.
const EMPTY_OPS: u64 = 8_192;
/// Readings of the empty loop by which a launch begins contended: one alone may have been interrupted.
const READINGS: u32 = 3;

/// What is read between the samples.
pub(crate) struct Probes {
    /// Readings of the arm on one item alone.
    pub(crate) fixed_item: Option<FixedItem>,
    /// Readings of the reference chain.
    pub(crate) chain: Option<Chain>,
    /// Readings of the empty loop.
    pub(crate) empty: Empty,
}

/// Reads the probes.
pub(crate) struct ProbeReader<'c> {
    clock: &'c Clock,
    chain: Option<ChainReader>,
    empty: Empty,
}

impl<'c> ProbeReader<'c> {
    pub(crate) fn new(clock: &'c Clock) -> ProbeReader<'c> {
        ProbeReader {
            clock,
            chain: clock.reference_chain().ok().map(ChainReader::new),
            empty: Empty {
                ops: EMPTY_OPS,
                ..Empty::default()
            },
        }
    }

    /// Whether one more reading of the chain is within its share of a launch that has measured since `began`.
    pub(crate) fn is_chain_due(&self, began: Ticks) -> bool {
        let chain = self.chain.as_ref();
        chain.is_some_and(|chain| chain.is_due(self.clock.now().0.wrapping_sub(began.0)))
    }

    /// Reads the chain and the additions, after `at` batches.
    pub(crate) fn read_chain(&mut self, at: u64) {
        if let Some(chain) = &mut self.chain {
            chain.read(self.clock, at);
        }
    }

    /// Reads the empty loop at both lengths.
    pub(crate) fn read_empty(&mut self, long_first: bool) {
        let ops = self.empty.ops;
        for is_long in [long_first, !long_first] {
            if is_long {
                self.empty.long_ticks.push(empty_body(self.clock, 2 * ops));
            } else {
                self.empty.short_ticks.push(empty_body(self.clock, ops));
            }
        }
    }

    pub(crate) fn readings(self) -> Probes {
        Probes {
            fixed_item: None,
            chain: self.chain.map(|chain| chain.readings),
            empty: self.empty,
        }
    }
}

/// The reference chain and its readings so far.
struct ChainReader {
    chain: ReferenceChain,
    readings: Chain,
    /// Ticks of the shortest reading: an interrupted one does not show what readings cost.
    least: Option<u64>,
}

impl ChainReader {
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

    /// Whether one more reading is within its share of `measured` ticks.
    ///
    /// After every round of usual batches it is, but not where the body is about as long as a batch and
    /// rounds are half as long, nor on slow cores.
    fn is_due(&self, measured: u64) -> bool {
        let readings = self.readings.at.len() as u64 + 1;
        self.least
            .is_none_or(|least| readings * least <= measured / CHAIN_SHARE)
    }

    fn read(&mut self, clock: &Clock, at: u64) {
        let chain = self.time(clock, self.chain);
        let added = self.time(clock, self.chain.additions());
        if let (Some(chain), Some(added)) = (chain, added) {
            let took = chain.0 + chain.1 + added.0 + added.1;
            self.least = Some(self.least.map_or(took, |least| least.min(took)));
            let readings = &mut self.readings;
            readings.at.push(at);
            readings.short_ticks.push(chain.0);
            readings.long_ticks.push(chain.1);
            if let Some(additions) = &mut readings.additions {
                additions.short_ticks.push(added.0);
                additions.long_ticks.push(added.1);
            }
        }
    }
}

/// The readings of the probes now, if all of them are slow; `None` if not, or where the limit is unknown.
pub(crate) fn begins_contended(clock: &Clock, contended_from: Option<u64>) -> Option<Probes> {
    let from = contended_from?;
    let mut probes = ProbeReader::new(clock);
    for _ in 0..READINGS {
        probes.read_chain(0);
        probes.read_empty(false);
    }
    let probes = probes.readings();
    all_contended(probes.chain.as_ref()?, &probes.empty, from).then_some(probes)
}

/// Whether all readings of a probe are slow: 1000 turns of the empty loop took `from` cycles or more
/// ([`tourbillon_record::Plan::contended_from`]), by the reference chain's mean reading of a cycle; or
/// additions took longer than the multiplications next to them. False without readings.
pub fn all_contended(chain: &Chain, empty: &Empty, from: u64) -> bool {
    let multiplied = differences(&chain.short_ticks, &chain.long_ticks);
    let additions = chain.additions.as_ref();
    let added = additions.map_or(Vec::new(), |one| {
        differences(&one.short_ticks, &one.long_ticks)
    });
    let are_slow = |(added, multiplied): (&u64, &u64)| {
        Plan::are_contended(*added as f64 / *multiplied as f64 - 1.0)
    };
    if !added.is_empty() && added.iter().zip(&multiplied).all(are_slow) {
        return true;
    }
    let ticks: u64 = multiplied.iter().sum();
    let cycles = multiplied.len() as u64 * chain.long_cycles.saturating_sub(chain.short_cycles);
    let thousands = empty.ops as f64 / f64::from(UNROLLED) / 1_000.0;
    let from_ticks = from as f64 * thousands * ticks as f64 / cycles as f64;
    let turns = differences(&empty.short_ticks, &empty.long_ticks);
    !turns.is_empty() && turns.iter().all(|turns| *turns as f64 >= from_ticks)
}

fn differences(short: &[u64], long: &[u64]) -> Vec<u64> {
    let readings = short.iter().zip(long);
    readings
        .map(|(short, long)| long.saturating_sub(*short))
        .collect()
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Additions;

    use super::*;

    /// A tick is a quarter of a cycle; a turn of the empty loop takes this many thousandths of one.
    fn all(turns: &[u64]) -> bool {
        let chain = Chain {
            short_cycles: 1_800,
            long_cycles: 18_000,
            short_ticks: vec![7_230, 7_200],
            long_ticks: vec![72_030, 72_000],
            ..Chain::default()
        };
        let empty = Empty {
            ops: 8_000,
            short_ticks: vec![100; turns.len()],
            long_ticks: turns.iter().map(|turn| 100 + 4 * turn).collect(),
        };
        all_contended(&chain, &empty, 1_200)
    }

    #[test]
    fn every_reading_has_to_be_slow() {
        assert!(all(&[1_200, 1_900, 2_400]));
        assert!(!all(&[1_900, 1_900, 1_199]));
        assert!(!all(&[1_000, 1_900, 1_900]));
        assert!(!all(&[]));
    }

    #[test]
    fn slow_additions_are_enough() {
        let with = |long: [u64; 3]| {
            let chain = Chain {
                short_ticks: vec![100; 3],
                long_ticks: vec![10_100; 3],
                additions: Some(Box::new(Additions {
                    short_ticks: vec![100; 3],
                    long_ticks: long.to_vec(),
                })),
                ..Chain::default()
            };
            all_contended(&chain, &Empty::default(), 1_200)
        };
        assert!(with([10_205; 3]) && !with([10_195; 3]));
        // An interrupted one is not enough, nor are additions that take a third longer.
        assert!(!with([10_100, 11_900, 10_100]) && !with([13_000; 3]));
    }

    #[test]
    fn without_a_chain_nothing_is_contended() {
        let empty = Empty {
            ops: 8_192,
            short_ticks: vec![100],
            long_ticks: vec![10_000],
        };
        assert!(!all_contended(&Chain::default(), &empty, 1_200));
    }
}
