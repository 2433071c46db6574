//! Whether arms disturb each other.

use tourbillon_record::{Interference, Rounds};
use tourbillon_stats::{Confidence, Sample, hodges_lehmann, signed_rank_interval};

use super::criteria::Criteria;
use super::sequence::is_look;
use super::units::batches;

/// How often arms that do not disturb each other may be found to.
const ERROR: f64 = 0.005;
/// Fewest pairs of each arm at this error: of nine, all would have to agree.
const FEWEST: usize = 12;

/// What arms `first` and `second` of the same processes do to each other, by the order of the rounds, which
/// chance decided.
///
/// Coins decide whether a batch follows one of its own arm or of another one. Each batch of an arm gets as its
/// partner the last one of the other kind, at the same position in its round, that has none yet. If the arm
/// before does not matter, the log of their ratio is as likely to be +x as -x. It makes a verdict wrong only
/// if it differs between the arms: if the signed-rank interval of the differences, a value of the second
/// arm less one of the first, excludes zero.
pub(crate) fn interference(
    launches: &[Rounds],
    first: usize,
    second: usize,
    margin: f64,
) -> Interference {
    let of_arm = |arm| -> Vec<f64> {
        let effects = launches.iter().map(|rounds| effects(rounds, arm));
        effects.flatten().collect()
    };
    let (ours, theirs) = (of_arm(first), of_arm(second));
    let centre = |values: &[f64]| Some(hodges_lehmann(&Sample::new(values.to_vec()).ok()?));
    let (reference, case) = (centre(&ours), centre(&theirs));
    let difference = case.unwrap_or_default() - reference.unwrap_or_default();
    let differences = ours.iter().zip(&theirs).map(|(ours, theirs)| theirs - ours);
    let is_certain = || {
        let confidence = Confidence::new(1.0 - ERROR).ok()?;
        let differences = Sample::new(differences.collect()).ok()?;
        let interval = signed_rank_interval(&differences, confidence).ok()?;
        Some(interval.lower > 0.0 || interval.upper < 0.0)
    };
    Interference {
        reference: reference.map(f64::exp),
        case: case.map(f64::exp),
        pairs: (ours.len() + theirs.len()) as u64,
        lead_in: launches
            .iter()
            .map(|rounds| rounds.lead_in)
            .max()
            .unwrap_or(0),
        matters: difference.abs() > (margin / 2.0).ln_1p() && is_certain() == Some(true),
    }
}

/// Whether arms disturb each other so that turns should be longer. Asked after each round; true at the planned
/// looks only, and never once turns are as long as they may be. `None` where there are too few batches.
pub fn disturbed(rounds: &Rounds, criteria: Criteria) -> Option<bool> {
    if rounds.lead_in >= Rounds::LONGEST_LEAD_IN || !is_look(rounds) {
        return Some(false);
    }
    let launch = std::slice::from_ref(rounds);
    let mut arms = 1..rounds.cases.len();
    if arms
        .clone()
        .any(|arm| interference(launch, 0, arm, criteria.margin).matters)
    {
        return Some(true);
    }
    let of_reference = effects(rounds, 0).len();
    let is_enough = |arm| of_reference.min(effects(rounds, arm).len()) >= FEWEST;
    arms.all(is_enough).then_some(false)
}

/// Logs of how much longer a batch of the arm takes after another arm than after itself, each from
/// two batches at the same position in their rounds.
fn effects(rounds: &Rounds, arm: usize) -> Vec<f64> {
    let arms = rounds.cases.len();
    let mut own = batches(rounds, arm);
    if arm == 0 {
        // The control is the first arm.
        own.append(&mut batches(rounds, arms));
        own.sort_by_key(|batch| batch.index);
    }
    let arm_at = |index: usize| {
        let arm = rounds.arm.get(index).map(|arm| usize::from(*arm))?;
        Some(arm % arms.max(1))
    };
    // At each position, batches of one kind that have no partner of the other kind yet.
    let mut waiting: Vec<Vec<(bool, f64)>> = vec![Vec::new(); arms + 1];
    let mut effects = Vec::new();
    for batch in own {
        let (Some(ticks), Some(before)) = (batch.ticks_per_op, batch.index.checked_sub(1)) else {
            continue;
        };
        let after_itself = arm_at(before) == Some(arm);
        let Some(alone) = waiting.get_mut(batches_before(rounds, batch.index)) else {
            continue;
        };
        match alone.last() {
            Some((other_after_itself, other)) if *other_after_itself != after_itself => {
                let log = (ticks / other).ln();
                effects.push(if after_itself { -log } else { log });
                alone.pop();
            }
            _ => alone.push((after_itself, ticks)),
        }
    }
    effects
}

/// How many batches of its round come before a batch.
fn batches_before(rounds: &Rounds, index: usize) -> usize {
    let earlier = rounds.round[..index].iter().rev();
    earlier
        .take_while(|round| **round == rounds.round[index])
        .count()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use tourbillon_stats::Rng;

    use super::*;

    /// Rounds of arms in random order; a batch after another arm takes this many ticks more of each
    /// arm, and all have up to 1 % of noise.
    fn rounds(more: &[u64], count: u64) -> Rounds {
        let mut rng = Rng::new(8);
        let arms = more.len();
        let mut rounds = Rounds {
            cases: (0..arms).map(|arm| format!("arm {arm}")).collect(),
            ops: vec![1_000; arms],
            fixed_ticks: vec![0; arms],
            lead_in: 1,
            ..Rounds::default()
        };
        let mut before = 0;
        for round in 0..count {
            let mut order: Vec<usize> = (0..arms).collect();
            if round % 4 == 0 {
                order.push(arms);
            }
            rng.shuffle(&mut order);
            for arm in order {
                let disturbed = if arm % arms == before {
                    0
                } else {
                    more[arm % arms]
                };
                before = arm % arms;
                let noise = rng.below(NonZeroU64::new(1_000).unwrap());
                rounds.round.push(round);
                rounds.arm.push(arm as u8);
                rounds.ticks.push(100_000 + disturbed + noise);
            }
        }
        rounds
    }

    fn found(more: &[u64], count: u64) -> Interference {
        interference(&[rounds(more, count)], 0, 1, Criteria::FUNCTIONS.margin)
    }

    #[test]
    fn a_one_sided_disturbance_matters() {
        let one_sided = found(&[0, 3_000], 64);
        assert!(one_sided.matters, "{one_sided:?}");
        assert!(
            (one_sided.case.unwrap() - 1.03).abs() < 0.005,
            "{one_sided:?}"
        );
        assert!(
            (one_sided.reference.unwrap() - 1.0).abs() < 0.005,
            "{one_sided:?}"
        );
        assert!(one_sided.pairs >= 15, "{one_sided:?}");
        assert!(found(&[3_000, 0], 64).matters);
        assert!(found(&[3_000, 0, 0], 256).matters);
        assert_eq!(
            disturbed(&rounds(&[0, 0, 3_000], 128), Criteria::FUNCTIONS),
            Some(true)
        );
    }

    #[test]
    fn a_mutual_or_a_small_disturbance_does_not_matter() {
        let mutual = found(&[3_000, 3_000], 64);
        assert!(!mutual.matters, "{mutual:?}");
        assert!((mutual.case.unwrap() - 1.03).abs() < 0.005, "{mutual:?}");
        assert!(!found(&[0, 0], 64).matters);
        // Certain, but small.
        assert!(!found(&[0, 150], 4_096).matters);
        assert!(found(&[0, 400], 4_096).matters);
    }

    #[test]
    fn turns_grow_at_a_look_and_to_a_limit() {
        let criteria = Criteria::FUNCTIONS;
        assert_eq!(disturbed(&rounds(&[0, 3_000], 64), criteria), Some(true));
        assert_eq!(disturbed(&rounds(&[0, 3_000], 65), criteria), Some(false));
        assert_eq!(disturbed(&rounds(&[0, 0], 64), criteria), Some(false));
        let mut few = rounds(&[0, 3_000], 64);
        few.ticks.fill(0);
        assert_eq!(disturbed(&few, criteria), None);
        let longest = Rounds {
            lead_in: Rounds::LONGEST_LEAD_IN,
            ..rounds(&[0, 3_000], 64)
        };
        assert_eq!(disturbed(&longest, criteria), Some(false));
    }

    #[test]
    fn without_rounds_there_is_no_effect() {
        let nothing = interference(&[Rounds::default()], 0, 1, 0.005);
        assert_eq!(
            (nothing.case, nothing.pairs, nothing.matters),
            (None, 0, false)
        );
        let one = Rounds {
            cases: vec!["a".into()],
            round: vec![0],
            arm: vec![0],
            ..Rounds::default()
        };
        assert_eq!(interference(&[one], 0, 1, 0.005).pairs, 0);
    }
}
