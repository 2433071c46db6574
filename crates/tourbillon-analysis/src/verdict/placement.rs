//! What placement does to a case.

use std::collections::BTreeMap;

use tourbillon_record::Rounds;
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

use super::units::quiet_ticks_per_op;

/// The spread of fewer placements is not known.
const LEAST: usize = 8;

/// How far the times of one build in several placements are from each other, as a share: one standard deviation, by the
/// median of absolute deviations, of the side where it is smaller. `None` for fewer than eight placements.
///
/// # Accuracy
///
/// Where each placement has one process, the difference of two processes in one placement is part of it: a few per mille,
/// and more on a busy machine.
pub fn placement_spread(launches: &[Rounds]) -> Option<f64> {
    let spreads = (0..2).filter_map(|arm| spread_of(launches, arm));
    spreads.min_by(f64::total_cmp)
}

fn spread_of(launches: &[Rounds], arm: usize) -> Option<f64> {
    let mut of_placements: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (rounds, ticks) in launches.iter().zip(quiet_ticks_per_op(launches, arm)) {
        if let (Some(placement), Some(ticks)) = (rounds.placement, ticks) {
            of_placements.entry(placement).or_default().push(ticks.ln());
        }
    }
    let samples = of_placements.into_values().map(Sample::new);
    let centres: Vec<f64> = samples.flatten().map(|one| median(&one)).collect();
    if centres.len() < LEAST {
        return None;
    }
    let deviation = mad(&Sample::new(centres).ok()?);
    Some((MAD_TO_STDDEV * deviation).exp_m1())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of processes with these placements and ticks of either side.
    fn launches(of: impl IntoIterator<Item = (Option<u64>, [u64; 2])>) -> Vec<Rounds> {
        let launch = |(placement, ticks): (Option<u64>, [u64; 2])| Rounds {
            cases: vec!["a".into(), "a".into()],
            placement,
            ops: vec![1, 1],
            fixed_ticks: vec![0, 0],
            round: vec![0, 0],
            arm: vec![0, 1],
            ticks: ticks.into(),
            ..Rounds::default()
        };
        of.into_iter().map(launch).collect()
    }

    #[test]
    fn placements_differ_by_their_spread_on_the_calmer_side() {
        let of = |count: u64, step: u64| {
            let one = |number: u64| {
                let ticks = 10_000 + step * (number % 3);
                (Some(number), [ticks, ticks + 9 * step * (number % 2)])
            };
            placement_spread(&launches((0..count).map(one)))
        };
        assert_eq!(of(16, 0), Some(0.0));
        let spread = of(16, 100).expect("a spread");
        assert!((0.010..0.016).contains(&spread), "{spread}");
        assert_eq!(of(7, 100), None);
    }

    #[test]
    fn processes_of_one_placement_are_one_value() {
        // Half of the processes of each placement are slower.
        let one = |number: u64| (Some(number / 4), [10_000 + 500 * (number % 2); 2]);
        assert_eq!(placement_spread(&launches((0..32).map(one))), Some(0.0));
        let unplaced = (0..32).map(|number| (None, [10_000 + number; 2]));
        assert_eq!(placement_spread(&launches(unplaced)), None);
    }
}
