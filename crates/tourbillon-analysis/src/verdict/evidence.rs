//! How strongly rounds speak against a hypothesis, for gates over many cases.

use tourbillon_record::{Rounds, Undecided};
use tourbillon_stats::{PValue, Sample, Tail, signed_rank_test};

use super::builds::Pairwise;
use super::control::{control, void};
use super::functions::units;
use super::looks::{Schedule, share};
use super::pairs::pairs;
use super::sequence::{Criteria, Units, say};

/// p-value of the hypothesis that arm `second` is slower than arm `first` by the margin of `terms` at
/// most: two functions in one process. Valid at whichever look one stopped; 1 where nothing may be
/// decided.
///
/// For the gate of a suite: [`tourbillon_stats::holm`] over the values of its cases keeps the
/// probability of any false alarm. A single case has [`super::judge`].
#[inline]
pub fn evidence(rounds: &Rounds, first: usize, second: usize, terms: Criteria) -> PValue {
    let found = pairs(rounds, first, second);
    if void(&found, control(rounds, terms).as_ref()).is_some() {
        return PValue::ONE;
    }
    at_any_look(units(&found, rounds), Schedule::Pairs, terms)
}

/// The same for two builds, over pairs of processes: the second arm of each and the first.
#[inline]
pub fn evidence_builds(launches: &[Rounds], terms: Criteria) -> PValue {
    at_any_look(
        Pairwise::of(launches, 0, 1).units(),
        Schedule::Launches,
        terms,
    )
}

/// The smallest p-value of all looks, each divided by the share of the error that its look has: by
/// Bonferroni's inequality it is below alpha with probability alpha at most.
#[inline]
fn at_any_look(units: Units<'_>, schedule: Schedule, terms: Criteria) -> PValue {
    if say(units, schedule, terms).why == Some(Undecided::Drift) {
        return PValue::ONE;
    }
    let margin = terms.margin.ln_1p();
    let mut smallest = PValue::ONE;
    for look in 0.. {
        let at = schedule.at(look);
        let sample = Sample::new(units.of_first(at).to_vec());
        // The share of an error of 1, a little less so that it is one.
        let part = share(1.0 - f64::EPSILON, look);
        if let (Ok(sample), Some(part)) = (sample, part) {
            let own = signed_rank_test(&sample, margin, Tail::Above).times(1.0 / part.error());
            if own < smallest {
                smallest = own;
            }
        }
        if at >= units.rounds {
            break;
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds in which the second arm takes so many per mille more, give or take six, and a round in
    /// `dropped` has no usable reading.
    fn rounds(more: u64, count: u64, dropped: u64) -> Rounds {
        let mut rounds = Rounds {
            cases: vec!["a".into(), "b".into()],
            ops: vec![100, 100],
            fixed_ticks: vec![0, 0],
            ..Rounds::default()
        };
        for round in 0..count {
            for arm in 0..2 {
                rounds.round.push(round);
                rounds.arm.push(arm);
                let own = u64::from(arm) * (more + round * 7 % 13);
                rounds.ticks.push(match round % dropped {
                    0 => 0,
                    _ => 1_000_000 - 6_000 * u64::from(arm) + 1_000 * own,
                });
            }
        }
        rounds
    }

    fn terms(margin: f64) -> Criteria {
        Criteria {
            margin,
            ..Criteria::FUNCTIONS
        }
    }

    #[test]
    fn it_speaks_against_what_is_not_so() {
        let found = rounds(30, 64, 100);
        let against = |margin| evidence(&found, 0, 1, terms(margin)).get();
        assert!(against(0.01) < 1e-8, "{}", against(0.01));
        assert!(against(0.03) > 0.2, "{}", against(0.03));
        assert_eq!(against(0.06), 1.0);
        assert_eq!(evidence(&found, 1, 0, terms(0.0)), PValue::ONE);
    }

    #[test]
    fn later_looks_count_for_less() {
        // All of one mind: 2^-63 at the first look, whose part is 6 / pi^2, whatever comes later.
        let at = |count| evidence(&rounds(30, count, 1_000), 0, 1, terms(0.0)).get();
        let first = 0.5_f64.powi(63) * std::f64::consts::PI.powi(2) / 6.0;
        assert!(at(64) < 10.0 * first.max(1e-12));
        assert!(at(128) <= at(64));
        // A few that are not enough for their interval are evidence all the same, and no more.
        let few = evidence(&rounds(30, 5, 1_000), 0, 1, terms(0.0)).get();
        assert!(
            (few - std::f64::consts::PI.powi(2) / 6.0 / 16.0).abs() < 1e-9,
            "{few}"
        );
    }

    #[test]
    fn where_nothing_may_be_decided_there_is_no_evidence() {
        assert_eq!(evidence(&rounds(30, 64, 2), 0, 1, terms(0.0)), PValue::ONE);
        assert_eq!(evidence(&Rounds::default(), 0, 1, terms(0.0)), PValue::ONE);
        assert_eq!(evidence_builds(&[], terms(0.0)), PValue::ONE);
    }

    #[test]
    fn a_pair_of_processes_is_one_voice() {
        let launches: Vec<Rounds> = (0..16).map(|own| rounds(20 + own, 32, 100)).collect();
        let found = evidence_builds(&launches, terms(0.01)).get();
        // 16 of one mind, at the first look.
        let expected = 0.5_f64.powi(16) * std::f64::consts::PI.powi(2) / 6.0;
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    }
}
