//! Whether differences between readings are those of the source or the cost of reading it.

use std::fmt;

use super::Deltas;

/// Share of equal consecutive readings from which on the source counts as standing still between readings.
///
/// A source with steps of length `s` stands still in `1 - c / s` of the readings that cost `c < s`. One in a
/// thousand excludes the occasional equal readings of a source that went back a step.
const STANDS_STILL: f64 = 1e-3;

/// What determines the differences between sequential readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// The source is coarser than the cost of a reading: many consecutive readings are equal (or one tick
    /// apart, if the source never returns the same reading twice), and a larger difference is a step of the
    /// source.
    ResolutionBound,
    /// The source is finer than the cost of a reading: consecutive readings differ, a difference is the cost
    /// of a reading, and only an upper bound of the resolution is known. A loop that waits for a change
    /// measures two readings here.
    LatencyBound,
    /// The source did not move while it was observed.
    Still,
}

impl Regime {
    /// The regime, from sequential differences.
    #[must_use]
    pub fn of(deltas: &Deltas) -> Regime {
        if deltas.changes() == 0 {
            Regime::Still
        } else if deltas.zeros() as f64 >= STANDS_STILL * deltas.total() as f64
            || bumped_step(deltas).is_some()
        {
            Regime::ResolutionBound
        } else {
            Regime::LatencyBound
        }
    }
}

impl fmt::Display for Regime {
    /// One word: `resolution`, `latency` or `still`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Regime::ResolutionBound => "resolution",
            Regime::LatencyBound => "latency",
            Regime::Still => "still",
        })
    }
}

/// Share of the differences that have to be a multiple of the step, plus or minus one tick.
const FITTING: f64 = 0.999;
/// Smallest share of differences of one tick.
const BUMPED: f64 = 1e-3;
/// Shortest step that can be recognised: too many differences fit a shorter one.
const SHORTEST: u64 = 8;

/// The step of a counter that never returns the same reading twice, and the share of the changes that fit
/// it; `None` for every other counter.
///
/// The time stamp counter of some processors advances in steps of tens of ticks, and a reading within the
/// step of the last one is returned as one tick more: 26, 26, 1, 25, 26. The common divisor of such
/// differences is 1, and none of them is 0, yet the counter is as coarse as its step.
pub(super) fn bumped_step(deltas: &Deltas) -> Option<(u64, f64)> {
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
    use crate::characterise::{Granularity, Step};

    #[test]
    fn equal_readings_decide() {
        let of = |counts: &[(i128, u64)]| Regime::of(&Deltas::of_counts(counts));
        assert_eq!(of(&[(0, 900), (1, 100)]), Regime::ResolutionBound);
        assert_eq!(of(&[(0, 1), (1, 999)]), Regime::ResolutionBound);
        assert_eq!(of(&[(0, 1), (1, 1_000)]), Regime::LatencyBound);
        assert_eq!(of(&[(35, 1_000)]), Regime::LatencyBound);
        assert_eq!(of(&[(0, 1_000)]), Regime::Still);
        assert_eq!(of(&[]), Regime::Still);
    }

    #[test]
    fn a_source_that_only_goes_back_has_moved_in_no_step() {
        let only_back = Deltas::of_counts(&[(0, 10), (-3, 1)]);
        assert_eq!(Regime::of(&only_back), Regime::Still);
        assert_eq!(only_back.negatives().count, 1);
    }

    #[test]
    fn a_counter_that_never_reads_the_same_twice_is_as_coarse_as_its_step() {
        let deltas = Deltas::of_counts(&[
            (1, 124_123),
            (25, 124_095),
            (26, 755_052),
            (7_904, 1),
            (89_309, 1),
        ]);
        assert_eq!(bumped_step(&deltas), Some((26, 1.0)));
        assert_eq!(Regime::of(&deltas), Regime::ResolutionBound);
        let found = Granularity::of(&deltas).unwrap();
        assert_eq!(found.step, Step::Bumped(26));
        assert_eq!(found.ticks(), 26.0);
    }

    #[test]
    fn other_counters_have_no_such_step() {
        for counts in [
            // Fine ones, with adjacent latencies.
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
            assert_eq!(bumped_step(&Deltas::of_counts(counts)), None, "{counts:?}");
        }
    }
}
