use tourbillon_clock::Clock;
use tourbillon_record::{Chain, Empty, Plan};

use crate::loops::UNROLLED;
use crate::sampling::{Beside, look};

/// Readings of the empty loop by which a launch begins contended: one alone may have been interrupted.
const READINGS: u32 = 3;

/// What the reference chain and the empty loop read now, if all of it tells that something else uses the
/// units of the core; `None` if not, or where nothing is known to tell it by.
pub(crate) fn contention(clock: &Clock, contended_from: Option<u64>) -> Option<Beside> {
    let from = contended_from?;
    let beside = look(clock, READINGS);
    let chain = beside.chain.as_ref()?;
    all_contended(chain, &beside.empty, from).then_some(beside)
}

/// Whether all readings of a probe tell of contention: 1000 turns of the empty loop took `from` cycles or more
/// ([`tourbillon_record::Plan::contended_from`]), by the reference chain's mean reading of a cycle; or
/// additions took longer than the multiplications beside them. False without readings.
#[inline(never)]
pub fn all_contended(chain: &Chain, empty: &Empty, from: u64) -> bool {
    let multiplied = differences(&chain.short_ticks, &chain.long_ticks);
    let added = match &chain.additions {
        Some(additions) => differences(&additions.short_ticks, &additions.long_ticks),
        None => Vec::new(),
    };
    let mut all_longer = !added.is_empty();
    for (added, multiplied) in added.iter().zip(&multiplied) {
        all_longer &= Plan::are_contended(*added as f64 / *multiplied as f64 - 1.0);
    }
    let mut ticks = 0;
    for one in &multiplied {
        ticks += one;
    }
    let cycles = multiplied.len() as u64 * chain.long_cycles.saturating_sub(chain.short_cycles);
    let thousands = empty.ops as f64 / f64::from(UNROLLED) / 1_000.0;
    let from_ticks = from as f64 * thousands * ticks as f64 / cycles as f64;
    let turns = differences(&empty.short_ticks, &empty.long_ticks);
    let mut all_slow = !turns.is_empty();
    for turns in turns {
        all_slow &= turns as f64 >= from_ticks;
    }
    all_longer || all_slow
}

fn differences(short: &[u64], long: &[u64]) -> Vec<u64> {
    let mut differences = Vec::new();
    for (short, long) in short.iter().zip(long) {
        differences.push(long.saturating_sub(*short));
    }
    differences
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Additions;

    use super::*;

    /// A tick is a quarter of a cycle; a turn of the empty loop takes so many thousandths of one.
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
    fn every_reading_has_to_tell_of_contention() {
        assert!(all(&[1_200, 1_900, 2_400]));
        assert!(!all(&[1_900, 1_900, 1_199]));
        assert!(!all(&[1_000, 1_900, 1_900]));
        assert!(!all(&[]));
    }

    #[test]
    fn additions_that_take_longer_tell_by_themselves() {
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
        // One that was interrupted tells nothing, nor do additions that take as long as others are wide.
        assert!(!with([10_100, 11_900, 10_100]) && !with([13_000; 3]));
    }

    #[test]
    fn without_a_chain_nothing_is_known() {
        let empty = Empty {
            ops: 8_192,
            short_ticks: vec![100],
            long_ticks: vec![10_000],
        };
        assert!(!all_contended(&Chain::default(), &empty, 1_200));
    }
}
