use tourbillon_record::{Finding, Reach, Rounds, Undecided, Verdict};
use tourbillon_stats::{Sample, hodges_lehmann, median};

use super::looks::Schedule;
use super::pairs::{median_ticks_per_op, pairs};
use super::sequence::{Criteria, Units, say};
use crate::Frequency;

/// Name and version of the method for two builds.
pub const BUILDS_METHOD: &str = "paired-processes-signed-rank-1";

/// What processes or pairs of them say of two arms, one value each.
pub(crate) struct Pairwise {
    centres: Vec<f64>,
    /// How many processes there had been before each of them.
    before: Vec<usize>,
    /// All of them, those included that left nothing to use.
    launches: usize,
    /// Pairs of batches, and those that were left out.
    pub(crate) batches: u64,
    pub(crate) dropped: u64,
}

impl Pairwise {
    #[inline]
    pub(crate) fn of(launches: &[Rounds], first: usize, second: usize) -> Pairwise {
        let mut processes = Pairwise {
            centres: Vec::with_capacity(launches.len()),
            before: Vec::with_capacity(launches.len()),
            launches: launches.len(),
            batches: 0,
            dropped: 0,
        };
        for (before, rounds) in launches.iter().enumerate() {
            let found = pairs(rounds, first, second);
            processes.batches += found.log_ratios.len() as u64;
            processes.dropped += found.dropped;
            if let Ok(sample) = Sample::new(found.log_ratios) {
                processes.centres.push(hodges_lehmann(&sample));
                processes.before.push(before);
            }
        }
        processes
    }

    #[inline]
    pub(crate) fn units(&self) -> Units<'_> {
        Units {
            values: &self.centres,
            rounds_before: &self.before,
            rounds: self.launches,
        }
    }
}

/// Compares two builds of a case: the second arm with the first, over pairs of processes.
///
/// A pair of processes is one value: what is the same for all batches of a process, such as the
/// placement of its code, is drawn anew for the next pair only. `reference` is what the first build
/// is called.
#[inline]
pub fn judge_builds(
    case: &str,
    reference: &str,
    launches: &[Rounds],
    terms: Criteria,
    frequency: &Frequency,
) -> Verdict {
    let found = Pairwise::of(launches, 0, 1);
    let mut ticks = 0_u64;
    let mut layouts: Vec<Option<u64>> = Vec::new();
    let mut of_arm = [Vec::new(), Vec::new()];
    for rounds in launches {
        ticks = ticks.saturating_add(rounds.visit_ticks);
        if !layouts.contains(&rounds.layout) {
            layouts.push(rounds.layout);
        }
        for (arm, values) in of_arm.iter_mut().enumerate() {
            values.extend(median_ticks_per_op(rounds, arm));
        }
    }
    let said = say(found.units(), Schedule::Launches, terms);
    let seconds = frequency.nanos(ticks) as f64 / 1e9;
    let [reference_ns, case_ns] = of_arm.map(|values| {
        let sample = Sample::new(values).ok()?;
        Some(median(&sample) * frequency.nanos_per_tick())
    });
    Verdict {
        case: case.to_owned(),
        reference: reference.to_owned(),
        finding: said.finding,
        why: said.why,
        ratio: said.centre.map(f64::exp),
        lower: said.interval.map(|(lower, _)| lower.exp()),
        upper: said.interval.map(|(_, upper)| upper.exp()),
        confidence: 1.0 - terms.error,
        margin: terms.margin,
        scope: if layouts.len() > 1 {
            Reach::Layouts
        } else {
            Reach::Processes
        },
        pairs: found.batches,
        launches: launches.len() as u32,
        layouts: layouts.len() as u32,
        dropped: found.dropped,
        control: None,
        interference: None,
        seed: launches.first().map_or(0, |rounds| rounds.seed),
        seconds,
        seconds_needed: said.times_needed.map(|times| times * seconds),
        reference_ns,
        case_ns,
        method: BUILDS_METHOD.to_owned(),
        unknown: String::new(),
    }
}

/// Whether nothing more is needed: it is decided, or never will be. Asked after each pair of
/// processes, answered at the planned looks only.
#[inline]
pub fn builds_settled(launches: &[Rounds], terms: Criteria, frequency: &Frequency) -> bool {
    if !Schedule::Launches.is_due(launches.len()) {
        return false;
    }
    let verdict = judge_builds("", "", launches, terms, frequency);
    verdict.finding != Finding::Undecided || verdict.why == Some(Undecided::Drift)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use tourbillon_stats::Rng;

    use super::*;

    fn frequency() -> Frequency {
        Frequency {
            numerator: NonZeroU64::new(1_000_000_000).unwrap(),
            denominator: NonZeroU64::MIN,
            error_ppm: None,
        }
    }

    /// Pairs of processes with forty rounds each: the second side takes `ratio` times as long, and
    /// each process is off by up to `placement`, all its batches alike.
    fn launches(count: u32, ratio: f64, placement: f64) -> Vec<Rounds> {
        let mut rng = Rng::new(11);
        let mut uniform = move || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        (0..count)
            .map(|launch| {
                let mut rounds = Rounds {
                    cases: vec!["c".into(), "c".into()],
                    launch,
                    layout: Some(launch.into()),
                    ops: vec![1_000, 1_000],
                    fixed_ticks: vec![20, 20],
                    visit_ticks: 10_000_000,
                    ..Rounds::default()
                };
                let off = [(); 2].map(|()| 1.0 + placement * (2.0 * uniform() - 1.0));
                for round in 0..40 {
                    for (arm, factor) in [1.0, ratio].into_iter().enumerate() {
                        let ticks = 100_000.0 * factor * off[arm] * (1.0 + 0.005 * uniform());
                        rounds.round.push(round);
                        rounds.arm.push(arm as u8);
                        rounds.ticks.push(20 + ticks as u64);
                    }
                }
                rounds
            })
            .collect()
    }

    #[test]
    fn the_unit_is_a_pair_of_processes() {
        let launches = launches(16, 1.05, 0.01);
        let verdict = judge_builds("c", "main", &launches, Criteria::BUILDS, &frequency());
        assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
        assert_eq!(
            (verdict.launches, verdict.layouts, verdict.pairs),
            (16, 16, 640)
        );
        assert_eq!(verdict.scope, Reach::Layouts);
        assert!((verdict.seconds - 0.16).abs() < 1e-9);
        assert!(builds_settled(&launches, Criteria::BUILDS, &frequency()));
        assert!(!builds_settled(
            &launches[..15],
            Criteria::BUILDS,
            &frequency()
        ));
    }

    #[test]
    fn one_placement_does_not_speak_for_all() {
        // The 640 pairs of batches are all of one mind; the processes are not.
        let launches = launches(16, 1.0, 0.03);
        let verdict = judge_builds("c", "main", &launches, Criteria::BUILDS, &frequency());
        assert_eq!(verdict.finding, Finding::Undecided, "{verdict:?}");
        assert!(verdict.lower.unwrap() < 1.0 && 1.0 < verdict.upper.unwrap());
        let one = judge_builds("c", "main", &launches[..1], Criteria::BUILDS, &frequency());
        assert_eq!(
            (one.why, one.scope),
            (Some(Undecided::TooFew), Reach::Processes)
        );
    }

    #[test]
    fn no_launches_are_no_figures() {
        let verdict = judge_builds("c", "main", &[], Criteria::BUILDS, &frequency());
        assert_eq!(
            (verdict.ratio, verdict.reference_ns, verdict.launches),
            (None, None, 0)
        );
    }
}
