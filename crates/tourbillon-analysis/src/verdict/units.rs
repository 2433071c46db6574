//! The independent values that a verdict is made from.

use tourbillon_record::{Metric, Processes, Rounds};
use tourbillon_stats::{Sample, hodges_lehmann};

use crate::estimate::{Contention, median_of, percentile, turn, went_backwards};

/// The values of a comparison of two arms, in the order in which they were measured: ln(time of the second /
/// time of the first), per op.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Units {
    pub(crate) values: Vec<f64>,
    /// Rounds, or processes, before each value, ascending. Some leave no value.
    pub(crate) rounds_before: Vec<usize>,
    /// All rounds, or processes.
    pub(crate) rounds: usize,
    /// Pairs of batches behind the values.
    pub(crate) pairs: u64,
    /// Pairs discarded because one of the two has no usable reading. The rule does not depend on which arm is
    /// which.
    pub(crate) discarded: u64,
}

impl Units {
    /// The pairs of two arms in one process, arm `second` over arm `first`; the control counts as the arm after
    /// the last.
    pub(crate) fn of_pairs(rounds: &Rounds, first: usize, second: usize) -> Units {
        Units::of_quiet_pairs(rounds, first, second, &[])
    }

    /// The pairs of two commands, without contended ones unless these are most.
    pub(crate) fn of_commands(rounds: &Rounds, first: usize, second: usize) -> Units {
        let processes = rounds.processes.as_deref();
        let discarded = processes.map_or(&[][..], Processes::discarded);
        let mut contended = vec![false; count(rounds)];
        for (round, one) in rounds.round.iter().zip(discarded) {
            if let Some(of_round) = contended.get_mut(*round as usize) {
                *of_round |= *one != 0;
            }
        }
        Units::of_quiet_pairs(rounds, first, second, &contended)
    }

    /// The same without the rounds that were contended.
    fn of_quiet_pairs(rounds: &Rounds, first: usize, second: usize, contended: &[bool]) -> Units {
        let mut units = Units {
            rounds: count(rounds),
            ..Units::default()
        };
        let mut seconds = batches(rounds, second).into_iter().peekable();
        for one in batches(rounds, first) {
            while seconds.next_if(|other| other.round < one.round).is_some() {}
            let Some(other) = seconds.next_if(|other| other.round == one.round) else {
                continue;
            };
            let is_quiet = contended.get(one.round as usize) != Some(&true);
            match (one.ticks_per_op, other.ticks_per_op) {
                (Some(first), Some(second)) if is_quiet => {
                    units.values.push((second / first).ln());
                    units.rounds_before.push(one.rounds_before);
                }
                _ => units.discarded += 1,
            }
        }
        units.pairs = units.values.len() as u64;
        units
    }

    /// One value for each pair of processes: the Hodges-Lehmann centre of its pairs. A pair in which either process is
    /// contended is discarded, as a launch is.
    pub(crate) fn of_launches(launches: &[Rounds], first: usize, second: usize) -> Units {
        Units::of_launches_without(contended_rounds(launches), launches, first, second)
    }

    /// The same with all pairs of processes.
    pub(crate) fn of_all_launches(launches: &[Rounds], first: usize, second: usize) -> Units {
        let none = vec![ContendedPair::default(); launches.len()];
        Units::of_launches_without(none, launches, first, second)
    }

    fn of_launches_without(
        contended: Vec<ContendedPair>,
        launches: &[Rounds],
        first: usize,
        second: usize,
    ) -> Units {
        let mut units = Units {
            rounds: launches.len(),
            ..Units::default()
        };
        for (before, (rounds, contended)) in launches.iter().zip(contended).enumerate() {
            let pairs = Units::of_quiet_pairs(rounds, first, second, &contended.rounds);
            if contended.is_whole {
                units.discarded += pairs.pairs + pairs.discarded;
                continue;
            }
            units.pairs += pairs.pairs;
            units.discarded += pairs.discarded;
            if let Ok(sample) = Sample::new(pairs.values) {
                units.values.push(hodges_lehmann(&sample));
                units.rounds_before.push(before);
            }
        }
        units
    }

    /// One value for each pair of processes whose calls were timed one by one: the ratio of their percentiles.
    /// A pair in which one has too few calls for it is discarded.
    pub(crate) fn of_percentiles(
        launches: &[Rounds],
        first: usize,
        second: usize,
        metric: Metric,
    ) -> Units {
        let mut units = Units {
            rounds: launches.len(),
            ..Units::default()
        };
        for (before, rounds) in launches.iter().enumerate() {
            let of = |arm| ticks_of_calls(rounds, arm, metric).filter(|ticks| *ticks > 0.0);
            match (of(first), of(second)) {
                (Some(first), Some(second)) => {
                    units.values.push((second / first).ln());
                    units.rounds_before.push(before);
                }
                _ => units.discarded += 1,
            }
        }
        units.pairs = units.values.len() as u64;
        units
    }

    /// The values of the first rounds.
    pub(crate) fn of_first(&self, rounds: usize) -> &[f64] {
        let before = &self.rounds_before;
        let count = before.partition_point(|before| *before < rounds);
        &self.values[..count.min(self.values.len())]
    }
}

/// What was contended of a pair of processes.
#[derive(Clone, Debug, Default)]
struct ContendedPair {
    /// Whether all of it is discarded, because one of the two is.
    is_whole: bool,
    /// Round by round, of either process.
    rounds: Vec<bool>,
}

/// What was contended of each pair of processes; nothing without probes.
fn contended_rounds(launches: &[Rounds]) -> Vec<ContendedPair> {
    let mut pairs = vec![ContendedPair::default(); launches.len()];
    let arms = launches.iter().flat_map(|rounds| &rounds.probes);
    for arm in 0..arms.map(Vec::len).max().unwrap_or(0) {
        let of_launch = |rounds: &Rounds| {
            let probes = rounds.probes.as_ref()?.get(arm)?;
            Contention::of_probes(&probes.chain, &probes.empty, count(rounds))
        };
        let contention: Vec<Option<Contention>> = launches.iter().map(of_launch).collect();
        let turn = turn(&contention);
        for (pair, one) in pairs.iter_mut().zip(&contention) {
            let Some(one) = one else {
                continue;
            };
            let parts = one.parts(turn);
            pair.is_whole |= parts.is_contended();
            let rounds = pair.rounds.len().max(parts.rounds.len());
            pair.rounds.resize(rounds, false);
            for (own, contended) in pair.rounds.iter_mut().zip(parts.rounds) {
                *own |= contended;
            }
        }
    }
    pairs
}

/// The ratios of the pairs of two arms in one process, arm `second` over arm `first`.
pub fn ratios(rounds: &Rounds, first: usize, second: usize) -> Vec<f64> {
    let pairs = Units::of_pairs(rounds, first, second);
    pairs.values.into_iter().map(f64::exp).collect()
}

/// A batch of an arm.
pub(crate) struct Batch {
    /// Its place in the columns of the record.
    pub(crate) index: usize,
    round: u64,
    rounds_before: usize,
    /// Ticks per op without the fixed cost; `None` where the reading is unusable.
    pub(crate) ticks_per_op: Option<f64>,
}

/// The batches of an arm that have a usable reading, in ticks per op without the fixed cost.
pub fn ticks_per_op(rounds: &Rounds, arm: usize) -> Vec<f64> {
    let batches = batches(rounds, arm).into_iter();
    batches.filter_map(|batch| batch.ticks_per_op).collect()
}

/// The median over the launches of the medians of an arm, in ticks per op; `None` where no batch is usable.
pub fn typical_ticks_per_op(launches: &[Rounds], arm: usize) -> Option<f64> {
    let of_launch = |rounds: &Rounds| median_of(ticks_per_op(rounds, arm));
    median_of(launches.iter().filter_map(of_launch))
}

/// The median of an arm in each pair of processes, in ticks per op; `None` where either process is contended.
pub(super) fn quiet_ticks_per_op(launches: &[Rounds], arm: usize) -> Vec<Option<f64>> {
    let pairs = launches.iter().zip(contended_rounds(launches));
    let of_pair = |(rounds, contended): (&Rounds, ContendedPair)| {
        let own = || typical_ticks_per_op(std::slice::from_ref(rounds), arm);
        (!contended.is_whole).then(own).flatten()
    };
    pairs.map(of_pair).collect()
}

/// The median over the launches of a percentile of an arm, in ticks; `None` where no launch has enough calls.
pub(crate) fn typical_percentile(launches: &[Rounds], arm: usize, metric: Metric) -> Option<f64> {
    let of_launch = |rounds: &Rounds| ticks_of_calls(rounds, arm, metric);
    median_of(launches.iter().filter_map(of_launch))
}

/// A percentile of the single calls of an arm in one launch, in ticks.
fn ticks_of_calls(rounds: &Rounds, arm: usize, metric: Metric) -> Option<f64> {
    percentile(rounds.calls.as_ref()?.get(arm)?, metric.share()?)
}

/// The number of rounds.
pub(crate) fn count(rounds: &Rounds) -> usize {
    rounds.round.chunk_by(|one, other| one == other).count()
}

/// The batches of an arm, the control being the arm after the last.
pub(crate) fn batches(rounds: &Rounds, arm: usize) -> Vec<Batch> {
    // The control is the first arm again.
    let of = if arm == rounds.cases.len() { 0 } else { arm };
    let fixed = rounds.fixed_ticks.get(of).copied().unwrap_or(0) as f64;
    let ops = rounds.ops.get(of).copied().unwrap_or(0) as f64;
    let mut batches = Vec::new();
    let mut begun = 0;
    let mut before = None;
    for (index, round) in rounds.round.iter().enumerate() {
        begun += usize::from(before != Some(*round));
        before = Some(*round);
        if rounds.arm.get(index).map(|own| usize::from(*own)) != Some(arm) {
            continue;
        }
        let ticks = rounds.ticks.get(index).copied().unwrap_or(0);
        let inside = ticks as f64 - fixed;
        let is_usable = !went_backwards(ticks) && inside > 0.0 && ops > 0.0;
        batches.push(Batch {
            index,
            round: *round,
            rounds_before: begun - 1,
            ticks_per_op: is_usable.then(|| inside / ops),
        });
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKWARDS: u64 = u64::MAX - 3;

    fn rounds() -> Rounds {
        Rounds {
            cases: vec!["a".into(), "b".into()],
            ops: vec![10, 20],
            fixed_ticks: vec![100, 50],
            round: vec![0, 0, 0, 1, 1, 2, 2, 3, 3],
            arm: vec![1, 2, 0, 0, 1, 1, 0, 0, 1],
            ticks: vec![450, 1_110, 1_100, 1_100, 2_050, 40, 1_100, BACKWARDS, 450],
            ..Rounds::default()
        }
    }

    #[test]
    fn a_pair_is_two_batches_of_one_round() {
        let found = Units::of_pairs(&rounds(), 0, 1);
        // 1000 / 10 against 400 / 20 and 2000 / 20; the third is shorter than no iteration at all,
        // in the fourth the clock went backwards.
        assert_eq!(found.values, [0.2_f64.ln(), 0.0]);
        assert_eq!(found.rounds_before, [0, 1]);
        assert_eq!(found.discarded, 2);
        assert_eq!(typical_ticks_per_op(&[rounds()], 0), Some(100.0));
        assert_eq!(count(&rounds()), 4);
    }

    #[test]
    fn the_control_is_the_first_arm_once_more() {
        let found = Units::of_pairs(&rounds(), 0, 2);
        assert_eq!(found.values, [1.01_f64.ln()]);
        assert_eq!(found.discarded, 0);
    }

    #[test]
    fn columns_of_different_lengths_do_not_panic() {
        let broken = Rounds {
            cases: vec!["a".into(), "b".into()],
            round: vec![0, 0, 1],
            arm: vec![0],
            ..Rounds::default()
        };
        let units = Units::of_pairs(&broken, 0, 1);
        assert_eq!(
            (units.values.len(), units.discarded, units.rounds),
            (0, 0, 2)
        );
        assert_eq!(typical_ticks_per_op(&[broken], 5), None);
    }
}
