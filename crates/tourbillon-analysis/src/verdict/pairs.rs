use tourbillon_record::Rounds;
use tourbillon_stats::{Sample, median};

use crate::estimate::went_backwards;

/// The pairs of two arms, in the order of the rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pairs {
    /// ln(time of the second / time of the first), per op.
    pub(crate) log_ratios: Vec<f64>,
    /// How many rounds there had been before the one of each of them.
    pub(crate) rounds_before: Vec<usize>,
    /// Pairs left out: one of the two has no usable reading. The rule does not know which arm is
    /// which.
    pub(crate) dropped: u64,
}

/// Ticks per op of each batch of an arm, fixed cost taken off; `None` where a batch cannot be used.
pub(crate) struct Batch {
    /// Its place in the columns of the record.
    pub(crate) index: usize,
    round: u64,
    rounds_before: usize,
    pub(crate) ticks_per_op: Option<f64>,
}

/// Arm `second` over arm `first`; the control counts as the arm after the last.
#[inline]
pub(crate) fn pairs(rounds: &Rounds, first: usize, second: usize) -> Pairs {
    let mut pairs = Pairs::default();
    let (firsts, seconds) = (batches(rounds, first), batches(rounds, second));
    let mut seconds = seconds.into_iter().peekable();
    for one in firsts {
        while seconds.next_if(|other| other.round < one.round).is_some() {}
        let Some(other) = seconds.next_if(|other| other.round == one.round) else {
            continue;
        };
        match (one.ticks_per_op, other.ticks_per_op) {
            (Some(first), Some(second)) => {
                pairs.log_ratios.push((second / first).ln());
                pairs.rounds_before.push(one.rounds_before);
            }
            _ => pairs.dropped += 1,
        }
    }
    pairs
}

/// The median of an arm's batches in ticks per op; `None` where none can be used.
#[inline]
pub(crate) fn median_ticks_per_op(rounds: &Rounds, arm: usize) -> Option<f64> {
    let mut values = Vec::new();
    for batch in batches(rounds, arm) {
        values.extend(batch.ticks_per_op);
    }
    Some(median(&Sample::new(values).ok()?))
}

/// Rounds that are there.
#[inline]
pub(crate) fn count(rounds: &Rounds) -> usize {
    let mut count = 0;
    let mut before = None;
    for round in &rounds.round {
        count += usize::from(before != Some(*round));
        before = Some(*round);
    }
    count
}

/// The batches of an arm, the control being the arm after the last.
#[inline]
pub(crate) fn batches(rounds: &Rounds, arm: usize) -> Vec<Batch> {
    // The control is the first arm again.
    let of = if arm == rounds.cases.len() { 0 } else { arm };
    let fixed = rounds.fixed_ticks.get(of).copied().unwrap_or(0) as f64;
    let ops = rounds.ops.get(of).copied().unwrap_or(0) as f64;
    let mut batches = Vec::with_capacity(rounds.round.len() / rounds.cases.len().max(1) + 1);
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
        let usable = !went_backwards(ticks) && inside > 0.0 && ops > 0.0;
        batches.push(Batch {
            index,
            round: *round,
            rounds_before: begun - 1,
            ticks_per_op: usable.then(|| inside / ops),
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
        let found = pairs(&rounds(), 0, 1);
        // 1000 / 10 against 400 / 20 and 2000 / 20; the third is shorter than no iteration at all,
        // in the fourth the clock went backwards.
        assert_eq!(found.log_ratios, [0.2_f64.ln(), 0.0]);
        assert_eq!(found.rounds_before, [0, 1]);
        assert_eq!(found.dropped, 2);
        assert_eq!(median_ticks_per_op(&rounds(), 0), Some(100.0));
        assert_eq!(count(&rounds()), 4);
    }

    #[test]
    fn the_control_is_the_first_arm_once_more() {
        let found = pairs(&rounds(), 0, 2);
        assert_eq!(found.log_ratios, [1.01_f64.ln()]);
        assert_eq!(found.dropped, 0);
    }

    #[test]
    fn columns_that_do_not_fit_are_no_panic() {
        let broken = Rounds {
            cases: vec!["a".into(), "b".into()],
            round: vec![0, 0, 1],
            arm: vec![0],
            ..Rounds::default()
        };
        assert_eq!(pairs(&broken, 0, 1), Pairs::default());
        assert_eq!(median_ticks_per_op(&broken, 5), None);
    }
}
