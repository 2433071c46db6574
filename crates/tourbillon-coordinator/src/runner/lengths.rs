//! The lengths of the batches of a case: what the pilot launch found, and what is drawn near it for each launch.
//!
//! Where the pilot launch is near the limit between two lengths, chance decides which one it finds, and an allocator
//! takes another time where other numbers of outputs are alive. Drawn for each launch, both are in the interval.

use std::num::NonZeroU64;

use tourbillon_record::{BatchShape, LaunchSamples};
use tourbillon_stats::Rng;

/// What the draw of windows is derived by.
const WINDOWS: u64 = 0x77;
/// What the draw between one call and several is derived by.
const SINGLE: u64 = 0x31;
/// Iterations of the short batch of a body that is nearly as long as it.
const SEVERAL: u64 = 2;
/// In how many parts that draw is made.
const PARTS: NonZeroU64 = NonZeroU64::new(1 << 20).expect("not zero");
/// Batches of one length that the pilot launch makes at most: the second one confirms the first.
const CONFIRMED: usize = 2;

/// What the lengths of a case are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lengths {
    /// That of the pilot launch.
    found: BatchShape,
    /// The launches whose batches are single calls, of so many parts of all.
    single: u64,
}

impl Lengths {
    /// Those near what a pilot launch found, where a short batch is to take as many ticks.
    pub(crate) fn of(pilot: &LaunchSamples, batch_ticks: f64) -> Lengths {
        let found = pilot.batch_shape;
        let share = single_share(pilot, batch_ticks);
        let as_found = if found == BatchShape::of_items(1) {
            1.0
        } else {
            0.0
        };
        Lengths {
            found,
            single: (share.unwrap_or(as_found) * PARTS.get() as f64) as u64,
        }
    }

    /// That of a launch.
    pub(crate) fn drawn(self, seed: u64) -> BatchShape {
        let drawn = |by| Rng::new(Rng::new(seed).derive(by));
        if drawn(SINGLE).below(PARTS) < self.single {
            return BatchShape::of_items(1);
        }
        if self.found == BatchShape::of_items(1) {
            return BatchShape {
                slope: true,
                ..BatchShape::of_items(SEVERAL)
            };
        }
        with_drawn_windows(self.found, &mut drawn(WINDOWS))
    }
}

/// The share of launches that get single calls, of a body that takes from half of a batch to twice as long; `None` for
/// others. A call of exactly a batch gets either in half of them.
fn single_share(pilot: &LaunchSamples, batch_ticks: f64) -> Option<f64> {
    let found = pilot.batch_shape;
    let is_near = found.windows == 1 && found.items <= SEVERAL && found.unroll == 1;
    let is_called = pilot.measured.is_none() && pilot.calls.is_none();
    if !is_near || !is_called {
        return None;
    }
    let steps = pilot.pilot.items.iter().zip(&pilot.pilot.ticks);
    let single = steps.filter(|(items, _)| **items == 1);
    let ticks: Vec<u64> = single.map(|(_, ticks)| *ticks).collect();
    if ticks.len() > CONFIRMED {
        // A body that loops itself.
        return None;
    }
    let least = *ticks.iter().min()? as f64;
    let share = (1.0 + (least / batch_ticks).log2()) / 2.0;
    (0.0..=1.0).contains(&share).then_some(share)
}

/// A length with another number of windows, from half of it on. An allocator comes to other states with another number
/// of outputs that are dropped between two batches: the cost of a call differs by a third. How many windows the pilot
/// launch finds depends on the machine, so that another run would have another cost.
fn with_drawn_windows(length: BatchShape, rng: &mut Rng) -> BatchShape {
    let least = length.windows.div_ceil(2);
    let Some(numbers) = NonZeroU64::new(length.windows - least + 1) else {
        return length;
    };
    let windows = least + rng.below(numbers);
    BatchShape { windows, ..length }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tourbillon_record::Pilot;

    use super::*;

    const SLOPE: BatchShape = BatchShape {
        slope: true,
        ..BatchShape::of_items(SEVERAL)
    };

    /// What a pilot launch finds whose single calls took so many ticks.
    fn found(shape: BatchShape, ticks: &[u64]) -> Lengths {
        let pilot = Pilot {
            windows: vec![1; ticks.len()],
            items: vec![1; ticks.len()],
            unroll: vec![1; ticks.len()],
            ticks: ticks.to_vec(),
        };
        let launch = LaunchSamples {
            batch_shape: shape,
            pilot,
            ..LaunchSamples::default()
        };
        Lengths::of(&launch, 1_000.0)
    }

    /// How many of a thousand launches have single calls, and the others' length.
    fn singles(lengths: Lengths) -> (usize, BTreeSet<u64>) {
        let all: Vec<BatchShape> = (0..1_000).map(|seed| lengths.drawn(seed)).collect();
        let (single, several): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| !one.slope);
        assert!(single.iter().all(|one| *one == BatchShape::of_items(1)));
        (single.len(), several.iter().map(|one| one.items).collect())
    }

    #[test]
    fn launches_have_half_of_the_windows_or_more() {
        let drawn = |windows, seed| {
            let shape = BatchShape {
                windows,
                slope: true,
                ..BatchShape::of_items(32)
            };
            let lengths = found(shape, &[10, 10]);
            let drawn = lengths.drawn(seed);
            assert_eq!(drawn, lengths.drawn(seed));
            assert_eq!(drawn.items, 32);
            drawn.windows
        };
        let of_many: BTreeSet<u64> = (0..200).map(|seed| drawn(11, seed)).collect();
        assert!(of_many.into_iter().eq(6..=11));
        assert!((0..20).all(|seed| drawn(1, seed) == 1));
    }

    #[test]
    fn a_call_of_about_a_batch_is_alone_in_a_share_that_grows_with_it() {
        for (ticks, least, most) in [
            (500, 0, 0),
            (800, 300, 370),
            (1_000, 460, 540),
            (1_300, 650, 720),
        ] {
            // Whatever the pilot launch found, as it is decided by chance.
            for shape in [SLOPE, BatchShape::of_items(1)] {
                let (single, items) = singles(found(shape, &[ticks + 9, ticks]));
                assert!((least..=most).contains(&single), "{ticks}: {single}");
                assert_eq!(items, BTreeSet::from([SEVERAL]));
            }
        }
    }

    #[test]
    fn what_is_far_from_the_limit_stays_as_it_was_found() {
        let single = BatchShape::of_items(1);
        assert_eq!(singles(found(single, &[2_100, 2_050])).0, 1_000);
        assert_eq!(singles(found(single, &[])).0, 1_000);
        assert_eq!(singles(found(SLOPE, &[450])).0, 0);
        // A body that loops itself repeats its lengths.
        assert_eq!(singles(found(SLOPE, &[1_000, 1_000, 1_000])).0, 0);
    }
}
