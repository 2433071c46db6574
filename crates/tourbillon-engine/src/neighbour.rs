use tourbillon_clock::Clock;
use tourbillon_record::{Chain, Empty};

use crate::loops::UNROLLED;
use crate::sampling::look;

/// Readings of the empty loop by which a visit begins beside a neighbour: one alone may have been interrupted.
const LOOKS: u32 = 3;

/// Whether somebody is at work on the other thread of the core now, where there is a sign to tell it by.
pub(crate) fn begins_beside_a_neighbour(clock: &Clock, from: Option<u64>) -> bool {
    from.is_some() && look(clock, LOOKS).tells_of_a_neighbour(from)
}

/// Whether all readings of the empty loop tell of somebody at work on the other thread of the core: 1000 turns
/// took `from` cycles or more ([`tourbillon_record::Plan::neighbour_from`]), by the reference chain's mean
/// reading of a cycle. False without readings.
#[inline(never)]
pub fn always_beside_a_neighbour(chain: &Chain, empty: &Empty, from: u64) -> bool {
    let (mut ticks, mut cycles) = (0, 0);
    for (short, long) in chain.short_ticks.iter().zip(&chain.long_ticks) {
        ticks += long.saturating_sub(*short);
        cycles += chain.long_cycles.saturating_sub(chain.short_cycles);
    }
    let thousands = empty.ops as f64 / f64::from(UNROLLED) / 1_000.0;
    // So long is what a neighbour makes of the difference of the two lengths.
    let from_ticks = from as f64 * thousands * ticks as f64 / cycles as f64;
    let mut all = false;
    for (short, long) in empty.short_ticks.iter().zip(&empty.long_ticks) {
        all = long.saturating_sub(*short) as f64 >= from_ticks;
        if !all {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
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
        always_beside_a_neighbour(&chain, &empty, 1_350)
    }

    #[test]
    fn a_neighbour_is_one_that_was_there_at_every_reading() {
        assert!(all(&[1_350, 1_900, 2_400]));
        assert!(!all(&[1_900, 1_900, 1_349]));
        assert!(!all(&[1_000, 1_900, 1_900]));
        assert!(!all(&[]));
    }

    #[test]
    fn without_a_chain_nothing_is_known() {
        let empty = Empty {
            ops: 8_192,
            short_ticks: vec![100],
            long_ticks: vec![10_000],
        };
        assert!(!always_beside_a_neighbour(&Chain::default(), &empty, 1_350));
    }
}
