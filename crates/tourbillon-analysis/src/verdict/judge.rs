//! The judge of all comparisons, whatever they compare: the verdict, and whether enough was measured for it.

use tourbillon_record::{Finding, Reach, Rounds, Verdict};

use super::criteria::Criteria;
use super::design::Design;
use super::interference::interference;
use super::sequence::Decision;
use super::units::{count, typical_percentile, typical_ticks_per_op};
use crate::Frequency;

/// Compares arm `second` with arm `first`.
///
/// The verdicts on all pairs of arms of a comparison hold together, and so does the claim that the fastest is
/// faster than the next.
pub fn judge(
    design: Design,
    launches: &[Rounds],
    first: usize,
    second: usize,
    criteria: Criteria,
    frequency: &Frequency,
) -> Verdict {
    let requested = criteria;
    let control = design.control(launches, requested);
    let criteria = design.of_pair(launches, (first, second), requested, control.as_ref());
    let units = design.units(launches, first, second);
    let mut decision = design.decide(&units, launches, (first, second), criteria);
    if let Some(why) = design.void(&units, control.as_ref()) {
        decision = Decision {
            finding: Finding::Undecided,
            why: Some(why),
            times_needed: None,
            ..decision
        };
    }
    let ticks = launches.iter().map(|rounds| rounds.launch_ticks);
    let seconds = frequency.nanos(ticks.fold(0, u64::saturating_add)) as f64 / 1e9;
    let share = match launches {
        [one] if design == Design::Commands => share(one, first, second),
        _ => 1.0,
    };
    let nanos = |arm| {
        let ticks = match design.metric() {
            Some(metric) => typical_percentile(launches, arm, metric),
            None => typical_ticks_per_op(launches, arm),
        };
        Some(ticks? * frequency.nanos_per_tick())
    };
    let name = |arm: usize| {
        let names = launches.first().map(|rounds| &rounds.cases);
        names
            .and_then(|names| names.get(arm))
            .cloned()
            .unwrap_or_default()
    };
    let placements = match design {
        Design::Builds | Design::Percentile(_) => placements(launches),
        Design::Functions | Design::Commands => 1,
    };
    let disturbs = || interference(launches, first, second, requested.margin);
    Verdict {
        case: name(second),
        reference: name(first),
        metric: design.metric(),
        finding: decision.finding,
        why: decision.why,
        ratio: decision.centre.map(f64::exp),
        lower: decision.interval.map(|(lower, _)| lower.exp()),
        upper: decision.interval.map(|(_, upper)| upper.exp()),
        limit: criteria.limit,
        confidence: 1.0 - criteria.error,
        margin: criteria.margin,
        scope: match design {
            Design::Functions => Reach::Process,
            _ if placements > 1 => Reach::Placements,
            _ => Reach::Processes,
        },
        pairs: match design {
            Design::Functions => decision.units as u64,
            _ => units.pairs,
        },
        launches: match design {
            // Rounds with both: one may be cut short, or go on without a command.
            Design::Commands => (units.pairs + units.discarded) as u32,
            _ => launches.len() as u32,
        },
        placements,
        discarded: units.discarded,
        control,
        interference: design.has_control().then(disturbs),
        seed: launches.first().map_or(0, |rounds| rounds.seed),
        seconds,
        seconds_needed: decision.times_needed.map(|times| times * seconds * share),
        reference_ns: nanos(first),
        case_ns: nanos(second),
        ratio_of_medians: None,
        number: None,
        method: design.method().to_owned(),
        unknown: String::new(),
    }
}

/// What commands would have taken if all had taken as long as the slower one of two, as a share of what they took: the
/// time to measure is shared in this way.
fn share(rounds: &Rounds, first: usize, second: usize) -> f64 {
    let of = |arm: usize| {
        let own = rounds.arm.iter().zip(&rounds.ticks);
        let own = own.filter(|(of, _)| usize::from(**of) == arm);
        own.map(|(_, ticks)| *ticks as f64).sum::<f64>()
    };
    let arms = rounds.cases.len();
    let all: f64 = rounds.ticks.iter().map(|ticks| *ticks as f64).sum();
    if arms < 3 || all <= 0.0 {
        return 1.0;
    }
    arms as f64 * of(first).max(of(second)) / all
}

/// Different placements of the code among the launches.
fn placements(launches: &[Rounds]) -> u32 {
    let mut placements: Vec<_> = launches.iter().map(|rounds| rounds.placement).collect();
    placements.sort_unstable();
    placements.dedup();
    placements.len() as u32
}

/// Whether every arm is decided against the reference, and the fastest against the next, or never will be.
/// Asked after each round, or process; true at the planned looks only.
pub fn settled(design: Design, launches: &[Rounds], criteria: Criteria) -> bool {
    let arms = launches.first().map_or(0, |one| one.cases.len());
    settled_among(design, launches, criteria, &(1..arms).collect::<Vec<_>>())
}

/// As [`settled`], of these arms and the reference alone: the others are not measured any more.
pub fn settled_among(
    design: Design,
    launches: &[Rounds],
    criteria: Criteria,
    measured: &[usize],
) -> bool {
    let Some(one) = launches.first() else {
        return false;
    };
    let rounds = if design.is_one_launch() {
        count(one)
    } else {
        launches.len()
    };
    if !design.schedule().is_due(rounds) {
        return false;
    }
    let control = design.control(launches, criteria);
    let is_decided = |first, second| {
        let criteria = design.of_pair(launches, (first, second), criteria, control.as_ref());
        let units = design.units(launches, first, second);
        !design
            .decide(&units, launches, (first, second), criteria)
            .is_open()
    };
    let is_measured = |arm: usize| arm == 0 || measured.contains(&arm);
    let fastest = || {
        let pair = fastest_two(launches);
        pair.filter(|(first, next)| is_measured(*first) && is_measured(*next))
    };
    measured.iter().all(|arm| is_decided(0, *arm))
        // Of two arms, the fastest and the next are decided already.
        && (one.cases.len() <= 2
            || fastest().is_none_or(|(first, next)| is_decided(first, next)))
}

/// The two arms with the smallest medians, the fastest first; `None` for fewer than two arms, or if one has no
/// usable reading.
pub fn fastest_two(launches: &[Rounds]) -> Option<(usize, usize)> {
    let arms = 0..launches.first()?.cases.len();
    let typical = arms.map(|arm| Some((arm, typical_ticks_per_op(launches, arm)?)));
    fastest(typical.collect::<Option<_>>()?)
}

/// The two arms with the smallest figures; `None` for fewer.
pub(super) fn fastest(mut arms: Vec<(usize, f64)>) -> Option<(usize, usize)> {
    arms.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    match arms[..] {
        [(first, _), (next, _), ..] => Some((first, next)),
        _ => None,
    }
}
