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

/// Whether the readings of a probe tell of contention: 1000 turns of the empty loop took `from` cycles or more
/// ([`tourbillon_record::Plan::contended_from`]) each time, by the reference chain's mean reading of a cycle;
/// or all additions took longer than multiplications did. False without readings.
#[inline(never)]
pub fn all_contended(chain: &Chain, empty: &Empty, from: u64) -> bool {
    let ticks = sum_of_differences(&chain.short_ticks, &chain.long_ticks);
    let readings = chain.short_ticks.len() as u64;
    let cycles = readings * chain.long_cycles.saturating_sub(chain.short_cycles);
    let added = chain.additions.as_ref().map_or(0, |additions| {
        sum_of_differences(&additions.short_ticks, &additions.long_ticks)
    });
    if ticks > 0 && added as f64 > (1.0 + Plan::CONTENDED_ADDITIONS) * ticks as f64 {
        return true;
    }
    let thousands = empty.ops as f64 / f64::from(UNROLLED) / 1_000.0;
    let from_ticks = from as f64 * thousands * ticks as f64 / cycles as f64;
    let readings = empty.short_ticks.iter().zip(&empty.long_ticks);
    let mut all = false;
    for (short, long) in readings {
        all = long.saturating_sub(*short) as f64 >= from_ticks;
        if !all {
            break;
        }
    }
    all
}

fn sum_of_differences(short: &[u64], long: &[u64]) -> u64 {
    let mut sum = 0;
    for (short, long) in short.iter().zip(long) {
        sum += long.saturating_sub(*short);
    }
    sum
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
        let with = |long: u64| {
            let chain = Chain {
                short_ticks: vec![100; 3],
                long_ticks: vec![10_100; 3],
                additions: Some(Box::new(Additions {
                    short_ticks: vec![100; 3],
                    long_ticks: vec![long; 3],
                })),
                ..Chain::default()
            };
            all_contended(&chain, &Empty::default(), 1_200)
        };
        assert!(with(10_205) && !with(10_195));
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
