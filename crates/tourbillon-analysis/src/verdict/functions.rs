use tourbillon_record::{Finding, Reach, Rounds, Undecided, Verdict};
use tourbillon_stats::{Sample, median};

use super::control::{control, margin, void};
use super::interference::interference;
use super::looks::{Schedule, is_look};
use super::pairs::{Pairs, count, median_ticks_per_op, pairs};
use super::sequence::{Criteria, Decision, Units, say};
use crate::Frequency;

/// Name and version of the method for functions in one process.
pub const FUNCTIONS_METHOD: &str = "paired-signed-rank-1";

/// Compares arm `second` of `rounds` with arm `first`: two functions in one process.
///
/// The error of `terms` is shared by all pairs of arms, so that the verdicts of one comparison hold
/// together, and so does the claim that the fastest is faster than the next.
#[inline]
pub fn judge(
    rounds: &Rounds,
    first: usize,
    second: usize,
    terms: Criteria,
    frequency: &Frequency,
) -> Verdict {
    let launch = std::slice::from_ref(rounds);
    let control = control(rounds, terms);
    let found = pairs(rounds, first, second);
    let terms = terms.shared_by(comparisons(rounds));
    let margin = margin(terms.margin, control.as_ref());
    let mut said = said(&found, rounds, Criteria { margin, ..terms });
    if let Some(why) = void(&found, control.as_ref()) {
        said = Decision {
            finding: Finding::Undecided,
            why: Some(why),
            times_needed: None,
            ..said
        };
    }
    let seconds = frequency.nanos(rounds.visit_ticks) as f64 / 1e9;
    let nanos = |arm| Some(median_ticks_per_op(rounds, arm)? * frequency.nanos_per_tick());
    Verdict {
        case: name(rounds, second),
        reference: name(rounds, first),
        finding: said.finding,
        why: said.why,
        ratio: said.centre.map(f64::exp),
        lower: said.interval.map(|(lower, _)| lower.exp()),
        upper: said.interval.map(|(_, upper)| upper.exp()),
        confidence: 1.0 - terms.error,
        margin,
        scope: Reach::Process,
        pairs: said.units as u64,
        launches: 1,
        layouts: 1,
        dropped: found.dropped,
        control,
        interference: Some(interference(launch, first, second, terms.margin)),
        seed: rounds.seed,
        seconds,
        seconds_needed: said.times_needed.map(|times| times * seconds),
        reference_ns: nanos(first),
        case_ns: nanos(second),
        method: FUNCTIONS_METHOD.to_owned(),
        unknown: String::new(),
    }
}

/// Whether every arm has been decided against the reference, and the fastest against the next, or
/// never will be: asked after each round, answered at the planned looks only.
#[inline]
pub fn settled(rounds: &Rounds, terms: Criteria) -> bool {
    if !is_look(rounds) {
        return false;
    }
    let control = control(rounds, terms);
    let margin = margin(terms.margin, control.as_ref());
    let terms = terms.shared_by(comparisons(rounds));
    let decided = |first, second| {
        let found = pairs(rounds, first, second);
        let terms = Criteria { margin, ..terms };
        is_final(&said(&found, rounds, terms))
    };
    let mut all = true;
    for arm in 1..rounds.cases.len() {
        all = all && decided(0, arm);
    }
    // Of two arms, the fastest and the next have been decided already.
    if all && rounds.cases.len() > 2 {
        all = fastest_two(std::slice::from_ref(rounds))
            .is_none_or(|(first, next)| decided(first, next));
    }
    all
}

/// Whether more pairs would change nothing.
#[inline]
pub(crate) fn is_final(said: &Decision) -> bool {
    said.finding != Finding::Undecided || said.why == Some(Undecided::Drift)
}

/// The two arms with the smallest medians, the fastest first; `None` for fewer than two arms, or
/// where one has no usable reading.
#[inline]
pub fn fastest_two(launches: &[Rounds]) -> Option<(usize, usize)> {
    let mut arms: Vec<(usize, f64)> = Vec::new();
    for arm in 0..launches.first()?.cases.len() {
        arms.push((arm, typical_ticks_per_op(launches, arm)?));
    }
    arms.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    match arms.as_slice() {
        [(first, _), (next, _), ..] => Some((*first, *next)),
        _ => None,
    }
}

/// The median of the launches' medians of an arm, in ticks per op.
#[inline]
pub(crate) fn typical_ticks_per_op(launches: &[Rounds], arm: usize) -> Option<f64> {
    let mut medians = Vec::with_capacity(launches.len());
    for rounds in launches {
        medians.extend(median_ticks_per_op(rounds, arm));
    }
    Some(median(&Sample::new(medians).ok()?))
}

/// What pairs of these rounds say.
#[inline]
fn said(pairs: &Pairs, rounds: &Rounds, terms: Criteria) -> Decision {
    say(units(pairs, rounds), Schedule::Pairs, terms)
}

#[inline]
pub(crate) fn units<'a>(pairs: &'a Pairs, rounds: &Rounds) -> Units<'a> {
    Units {
        values: &pairs.log_ratios,
        rounds_before: &pairs.rounds_before,
        rounds: count(rounds),
    }
}

/// Pairs of arms.
#[inline]
pub(crate) fn comparisons(rounds: &Rounds) -> usize {
    let arms = rounds.cases.len();
    arms * arms.saturating_sub(1) / 2
}

#[inline]
pub(crate) fn name(rounds: &Rounds, arm: usize) -> String {
    rounds.cases.get(arm).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use tourbillon_stats::Rng;

    use super::*;
    use crate::verdict::sequence::BIAS_FLOOR;

    fn frequency() -> Frequency {
        Frequency {
            numerator: NonZeroU64::new(1_000_000_000).unwrap(),
            denominator: NonZeroU64::MIN,
            error_ppm: None,
        }
    }

    /// Rounds of arms that take so many ticks, each reading up to 1 % longer by chance; the control
    /// takes `control` ticks.
    fn rounds(ticks: &[u64], control: u64, count: u64) -> Rounds {
        let mut rng = Rng::new(5);
        let mut rounds = Rounds {
            cases: (0..ticks.len()).map(|arm| format!("arm {arm}")).collect(),
            ops: vec![1_000; ticks.len()],
            fixed_ticks: vec![20; ticks.len()],
            visit_ticks: 1_000_000_000,
            ..Rounds::default()
        };
        for round in 0..count {
            let mut arms: Vec<usize> = (0..ticks.len()).collect();
            if round % 4 == 0 {
                arms.push(ticks.len());
            }
            rng.shuffle(&mut arms);
            for arm in arms {
                let own = ticks.get(arm).copied().unwrap_or(control);
                let noise = rng.below(NonZeroU64::new(own / 100).unwrap());
                rounds.round.push(round);
                rounds.arm.push(arm as u8);
                rounds.ticks.push(20 + own + noise);
            }
        }
        rounds
    }

    #[test]
    fn two_functions_are_compared_by_their_pairs() {
        let rounds = rounds(&[100_000, 103_000], 100_000, 64);
        let verdict = judge(&rounds, 0, 1, Criteria::FUNCTIONS, &frequency());
        assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
        assert!((verdict.ratio.unwrap() - 1.03).abs() < 0.001, "{verdict:?}");
        assert!(verdict.lower.unwrap() < 1.03 && 1.03 < verdict.upper.unwrap());
        assert_eq!(
            (verdict.case.as_str(), verdict.reference.as_str()),
            ("arm 1", "arm 0")
        );
        assert_eq!(
            (verdict.pairs, verdict.dropped, verdict.seconds),
            (64, 0, 1.0)
        );
        assert!(
            (verdict.reference_ns.unwrap() - 100.5).abs() < 0.3,
            "{verdict:?}"
        );
        let control = verdict.control.unwrap();
        assert_eq!((control.pairs, control.fired), (16, false));
        assert!(settled(&rounds, Criteria::FUNCTIONS));
        let reversed = judge(&rounds, 1, 0, Criteria::FUNCTIONS, &frequency());
        assert_eq!(reversed.finding, Finding::Faster);
    }

    #[test]
    fn it_is_settled_at_a_planned_look_only() {
        assert!(!settled(
            &rounds(&[100_000, 103_000], 100_000, 65),
            Criteria::FUNCTIONS
        ));
        assert!(settled(
            &rounds(&[100_000, 100_000], 100_000, 256),
            Criteria::FUNCTIONS
        ));
        // Decided against the reference, but not which of the two others is faster: on the edge of
        // the margin.
        let close = rounds(&[100_000, 120_000, 120_600], 100_000, 64);
        assert_eq!(fastest_two(std::slice::from_ref(&close)), Some((0, 1)));
        assert!(settled(&close, Criteria::FUNCTIONS));
        let close = rounds(&[200_000, 120_000, 120_600], 200_000, 64);
        assert!(!settled(&close, Criteria::FUNCTIONS));
    }

    #[test]
    fn a_control_that_differs_voids_the_verdict() {
        let rounds = rounds(&[100_000, 103_000], 101_000, 256);
        let verdict = judge(&rounds, 0, 1, Criteria::FUNCTIONS, &frequency());
        assert_eq!(verdict.finding, Finding::Undecided);
        assert_eq!(verdict.why, Some(Undecided::Control));
        assert!(verdict.control.unwrap().fired);
    }

    #[test]
    fn a_small_bias_of_the_control_widens_the_margin() {
        let rounds = rounds(&[100_000, 100_700], 100_200, 4_096);
        let verdict = judge(
            &rounds,
            0,
            1,
            Criteria {
                margin: 0.000_1,
                ..Criteria::FUNCTIONS
            },
            &frequency(),
        );
        assert!(verdict.margin >= 2.0 * BIAS_FLOOR, "{verdict:?}");
    }

    #[test]
    fn too_many_dropped_pairs_are_noise() {
        let mut rounds = rounds(&[100_000, 103_000], 100_000, 64);
        for (at, ticks) in rounds.ticks.iter_mut().enumerate() {
            if at % 5 < 2 {
                *ticks = 0;
            }
        }
        let verdict = judge(&rounds, 0, 1, Criteria::FUNCTIONS, &frequency());
        assert_eq!(verdict.why, Some(Undecided::Noise), "{verdict:?}");
        assert!(verdict.dropped > 20);
    }
}
