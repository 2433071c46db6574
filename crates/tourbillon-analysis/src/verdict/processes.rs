use tourbillon_record::{Control, Finding, Reach, Rounds, Verdict};

use super::builds::Pairwise;
use super::control::{control_of, margin, void_of};
use super::functions::{comparisons, fastest_two, is_final, name, typical_ticks_per_op};
use super::interference::interference;
use super::looks::Schedule;
use super::sequence::{Criteria, Decision, say};
use crate::Frequency;

/// Name and version of the method for cases that are alive together in several processes.
pub const PROCESSES_METHOD: &str = "processes-signed-rank-1";

/// Compares arm `second` with arm `first` over processes in which both were alive.
///
/// A process is one value, as a pair of processes is for builds: where the data of each arm lies and
/// what its hash maps were seeded with is the same for all batches of a process, and may make two
/// arms of the same code differ by some per cent in it. Which arm got which place was decided by
/// chance in each process, so that the values of the same code are symmetric about zero.
///
/// The error of `terms` is shared by all pairs of arms, as by [`super::judge`].
#[inline]
pub fn judge_processes(
    launches: &[Rounds],
    first: usize,
    second: usize,
    terms: Criteria,
    frequency: &Frequency,
) -> Verdict {
    let nothing = Rounds::default();
    let one = launches.first().unwrap_or(&nothing);
    let control = control(launches, one.cases.len(), terms);
    let found = Pairwise::of(launches, first, second);
    let terms = terms_of(one, terms, control.as_ref());
    let mut said = say(found.units(), Schedule::Launches, terms);
    if let Some(why) = void_of(found.batches, found.dropped, control.as_ref()) {
        said = Decision {
            finding: Finding::Undecided,
            why: Some(why),
            times_needed: None,
            ..said
        };
    }
    let mut ticks = 0_u64;
    for rounds in launches {
        ticks = ticks.saturating_add(rounds.visit_ticks);
    }
    let seconds = frequency.nanos(ticks) as f64 / 1e9;
    let nanos = |arm| Some(typical_ticks_per_op(launches, arm)? * frequency.nanos_per_tick());
    Verdict {
        case: name(one, second),
        reference: name(one, first),
        finding: said.finding,
        why: said.why,
        ratio: said.centre.map(f64::exp),
        lower: said.interval.map(|(lower, _)| lower.exp()),
        upper: said.interval.map(|(_, upper)| upper.exp()),
        confidence: 1.0 - terms.error,
        margin: terms.margin,
        scope: Reach::Processes,
        pairs: found.batches,
        launches: launches.len() as u32,
        layouts: 1,
        dropped: found.dropped,
        control,
        interference: Some(interference(launches, first, second, terms.margin)),
        seed: one.seed,
        seconds,
        seconds_needed: said.times_needed.map(|times| times * seconds),
        reference_ns: nanos(first),
        case_ns: nanos(second),
        method: PROCESSES_METHOD.to_owned(),
        unknown: String::new(),
    }
}

/// Whether every arm has been decided against the reference, and the fastest against the next, or
/// never will be: asked after each process, answered at the planned looks only.
#[inline]
pub fn processes_settled(launches: &[Rounds], terms: Criteria) -> bool {
    let Some(one) = launches.first() else {
        return false;
    };
    if !Schedule::Launches.is_due(launches.len()) {
        return false;
    }
    let control = control(launches, one.cases.len(), terms);
    let terms = terms_of(one, terms, control.as_ref());
    let decided = |first, second| {
        let found = Pairwise::of(launches, first, second);
        is_final(&say(found.units(), Schedule::Launches, terms))
    };
    let all = (1..one.cases.len()).all(|arm| decided(0, arm));
    // Of two arms, the fastest and the next have been decided already.
    if all && one.cases.len() > 2 {
        return fastest_two(launches).is_none_or(|(fastest, next)| decided(next, fastest));
    }
    all
}

/// The terms of each pair of arms.
#[inline]
fn terms_of(one: &Rounds, terms: Criteria, control: Option<&Control>) -> Criteria {
    Criteria {
        margin: margin(terms.margin, control),
        ..terms.shared_by(comparisons(one))
    }
}

/// The reference against itself: in the same processes, in the same place.
#[inline]
fn control(launches: &[Rounds], arms: usize, terms: Criteria) -> Option<Control> {
    let found = Pairwise::of(launches, 0, arms);
    control_of(found.units(), found.batches, Schedule::Launches, terms)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use tourbillon_record::Undecided;
    use tourbillon_stats::Rng;

    use super::*;

    fn frequency() -> Frequency {
        Frequency {
            numerator: NonZeroU64::new(1_000_000_000).unwrap(),
            denominator: NonZeroU64::MIN,
            error_ppm: None,
        }
    }

    /// Processes with twenty rounds each of arms that take so many times as long; in each, each arm
    /// is slower by up to `place`, all its batches alike.
    fn launches(count: u32, times: &[f64], place: f64, seed: u64) -> Vec<Rounds> {
        let mut rng = Rng::new(seed);
        let mut uniform = move || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let arms = times.len();
        let launch = |launch| {
            let mut rounds = Rounds {
                cases: (0..arms).map(|arm| format!("arm {arm}")).collect(),
                launch,
                ops: vec![1_000; arms],
                fixed_ticks: vec![0; arms],
                lead_in: 1,
                visit_ticks: 10_000_000,
                ..Rounds::default()
            };
            let places: Vec<f64> = (0..arms).map(|_| 1.0 + place * uniform()).collect();
            for round in 0..20 {
                let with_control = usize::from(round % 4 == 0);
                for arm in 0..arms + with_control {
                    let own = arm % arms;
                    let ticks = 100_000.0 * times[own] * places[own] * (1.0 + 0.002 * uniform());
                    rounds.round.push(round);
                    rounds.arm.push(arm as u8);
                    rounds.ticks.push(ticks as u64);
                }
            }
            rounds
        };
        (0..count).map(launch).collect()
    }

    #[test]
    fn a_process_is_one_voice() {
        let verdict = |launches: &[Rounds]| {
            judge_processes(launches, 0, 1, Criteria::FUNCTIONS, &frequency())
        };
        let slower = verdict(&launches(16, &[1.0, 1.05], 0.01, 3));
        assert_eq!(slower.finding, Finding::Slower, "{slower:?}");
        assert_eq!((slower.pairs, slower.launches), (320, 16));
        assert_eq!(slower.scope, Reach::Processes);
        assert!((slower.seconds - 0.16).abs() < 1e-9);
        let control = slower.control.unwrap();
        assert_eq!((control.pairs, control.fired), (80, false));
        // The same code, which a place makes differ by up to 3 % in each of the processes.
        let mut wrong = 0;
        for seed in 0..50 {
            let same = verdict(&launches(36, &[1.0, 1.0], 0.03, seed));
            wrong += usize::from(matches!(same.finding, Finding::Slower | Finding::Faster));
        }
        assert_eq!(wrong, 0);
        // Each of them alone would have said something of its place.
        let alone = |launch: &Rounds| {
            let verdict = super::super::judge(launch, 0, 1, Criteria::FUNCTIONS, &frequency());
            matches!(verdict.finding, Finding::Slower | Finding::Faster)
        };
        let same = launches(36, &[1.0, 1.0], 0.03, 1);
        let wrong = same.iter().filter(|launch| alone(launch)).count();
        assert!(wrong > 9, "{wrong}");
        assert_eq!(verdict(&same[..1]).why, Some(Undecided::TooFew));
        assert_eq!(verdict(&[]).ratio, None);
    }

    #[test]
    fn it_is_settled_at_a_look_when_every_arm_is() {
        let terms = Criteria::FUNCTIONS;
        assert!(processes_settled(
            &launches(16, &[1.0, 1.05], 0.01, 3),
            terms
        ));
        assert!(!processes_settled(
            &launches(15, &[1.0, 1.05], 0.01, 3),
            terms
        ));
        assert!(!processes_settled(&[], terms));
        // The second and the third differ by as much as counts as the same.
        let close = launches(16, &[1.1, 1.0, 1.005], 0.004, 3);
        assert!(!processes_settled(&close, terms));
        assert_eq!(fastest_two(&close), Some((1, 2)));
        assert!(processes_settled(
            &launches(16, &[1.2, 1.1, 1.0], 0.004, 3),
            terms
        ));
    }
}
