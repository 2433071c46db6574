//! Counters that never read the same twice.
//!
//! The time stamp counter of some processors advances in steps of tens of ticks, and a reading within
//! the step of the last one is given out as one tick more than that: 26, 26, 1, 25, 26. The common
//! divisor of such differences is 1, and none of them is 0, yet the counter is as coarse as its step.

use super::Deltas;

/// Share of the differences that have to be a number of steps, give or take the one tick.
const FITTING: f64 = 0.999;
/// Share of the differences that have to be one tick, or there is nothing to explain.
const BUMPED: f64 = 1e-3;
/// Shortest step that is told from one without this habit: of shorter ones too many neighbours fit.
const SHORTEST: u64 = 8;

/// The step of a counter that gives out one tick more within a step, and the share of the changes
/// that fit it; `None` for every other counter.
pub(super) fn step(deltas: &Deltas) -> Option<(u64, f64)> {
    let changes = deltas.changes() as f64;
    let ones = deltas.positive().next().filter(|&(ticks, _)| ticks == 1)?.1;
    let (commonest, _) = deltas
        .positive()
        .filter(|&(ticks, _)| ticks > 1)
        .max_by_key(|&(_, count)| count)?;
    let step = u64::try_from(commonest)
        .ok()
        .filter(|&step| step >= SHORTEST)?;
    let within_one = |ticks: i128| {
        let rest = ticks.rem_euclid(i128::from(step));
        rest <= 1 || rest == i128::from(step) - 1
    };
    let fitting: u64 = deltas
        .positive()
        .filter(|&(ticks, _)| within_one(ticks))
        .map(|(_, count)| count)
        .sum();
    let share = fitting as f64 / changes;
    let bumped = deltas.zeros() == 0 && ones as f64 >= BUMPED * changes;
    (bumped && share >= FITTING).then_some((step, share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::characterise::{Granularity, Regime, Step};

    #[test]
    fn a_counter_that_never_reads_the_same_twice_is_as_coarse_as_its_step() {
        let deltas = Deltas::of_counts(&[
            (1, 124_123),
            (25, 124_095),
            (26, 755_052),
            (7_904, 1),
            (89_309, 1),
        ]);
        assert_eq!(step(&deltas), Some((26, 1.0)));
        assert_eq!(Regime::of(&deltas), Regime::ResolutionBound);
        let found = Granularity::of(&deltas).unwrap();
        assert_eq!(found.step, Step::Bumped(26));
        assert_eq!(found.ticks(), 26.0);
    }

    #[test]
    fn other_counters_are_left_alone() {
        for counts in [
            // Fine ones, whose latencies are neighbours.
            [(1, 500), (2, 400), (3, 50)].as_slice(),
            &[(1, 10), (25, 300), (26, 400), (27, 300), (31, 90)],
            // One that stands still.
            &[(0, 900), (1, 99), (26, 1)],
            // A single tick among steps.
            &[(1, 1), (26, 99_999)],
            &[(26, 100)],
            &[(1, 100)],
            &[],
        ] {
            assert_eq!(step(&Deltas::of_counts(counts)), None, "{counts:?}");
        }
    }
}
