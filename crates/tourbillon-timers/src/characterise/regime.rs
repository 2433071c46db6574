//! Whether differences between readings tell about the source or about the cost of reading it.

use std::fmt;

use super::{Deltas, bump};

/// Share of equal neighbours from which on the source is taken to stand still between readings.
///
/// A source whose step is `s` reads that cost `c < s` stands still in `1 - c / s` of them. One in a
/// thousand leaves out the odd pair of equal readings that a source which went back a step shows.
const STANDS_STILL: f64 = 1e-3;

/// What the differences between sequential readings are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// The source is coarser than the cost of a reading: many neighbours are equal, or one tick apart
    /// where the source never gives out the same reading twice, and a larger difference is a step
    /// of the source.
    ResolutionBound,
    /// The source is finer than the cost of a reading: no two neighbours are equal, a difference is
    /// what a reading costs, and of the resolution only that it is no worse is known. A loop that
    /// waits for a change measures two readings here.
    LatencyBound,
    /// The source did not move while it was watched.
    Still,
}

impl Regime {
    /// The regime that sequential differences show.
    #[must_use]
    pub fn of(deltas: &Deltas) -> Regime {
        if deltas.changes() == 0 {
            Regime::Still
        } else if deltas.zeros() as f64 >= STANDS_STILL * deltas.total() as f64
            || bump::step(deltas).is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_neighbours_decide() {
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
}
