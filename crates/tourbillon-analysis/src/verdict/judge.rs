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
            Design::Commands => units.rounds as u32,
            _ => launches.len() as u32,
        },
        placements,
        discarded: units.discarded,
        control,
        interference: design.has_control().then(disturbs),
        seed: launches.first().map_or(0, |rounds| rounds.seed),
        seconds,
        seconds_needed: decision.times_needed.map(|times| times * seconds),
        reference_ns: nanos(first),
        case_ns: nanos(second),
        ratio_of_medians: None,
        number: None,
        method: design.method().to_owned(),
        unknown: String::new(),
    }
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
    let arms = one.cases.len();
    (1..arms).all(|arm| is_decided(0, arm))
        // Of two arms, the fastest and the next are decided already.
        && (arms <= 2
            || fastest_two(launches).is_none_or(|(first, next)| is_decided(first, next)))
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
