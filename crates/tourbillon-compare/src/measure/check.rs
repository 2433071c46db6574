//! A short check of cases that are unchanged: the proof that two programs are one sees what they are made of and given, not
//! all that they do.

use std::ops::ControlFlow;

use tourbillon_analysis::Criteria;
use tourbillon_coordinator::runner::RunClock;
use tourbillon_present::number::digits;
use tourbillon_record::{FaultKind, Rounds};
use tourbillon_stats::Rng;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::run_clock::ToolRunClock;
use tourbillon_tool::screen::ProgressLine;

use super::candidate::{Candidate, settings};
use super::new_seed;
use super::pace::Pace;
use super::placed_builds::PlacedBuilds;
use super::spawner::Spawner;
use super::terms::Common;
use crate::options::Options;
use crate::pairing::Comparison;

/// Time after which no other case is checked.
const ALL_NS: u64 = 2_000_000_000;
/// A case differs if one build takes this many times as long as the other ..
const FACTOR: f64 = 1.3;
/// .. in each of so many pairs of workers.
const PAIRS: usize = 3;

/// Unchanged cases that take another time all the same, each with what was seen. Cases are drawn until the time is over.
pub(crate) fn differing(
    comparison: &Comparison,
    options: &Options,
) -> Result<Vec<(usize, String)>, Stop> {
    let cases = comparison.cases.iter().enumerate();
    let unchanged = cases.filter(|(_, case)| comparison.is_unchanged(case));
    let mut unchanged = Vec::from_iter(unchanged.map(|(at, _)| at));
    let mut differing = Vec::new();
    if unchanged.is_empty() {
        return Ok(differing);
    }
    let spawner = Spawner::new()?;
    let run_clock = ToolRunClock::start()?;
    let seed = options.seed.unwrap_or_else(new_seed);
    let common = Common {
        spawner: &spawner,
        run_clock: &run_clock,
        criteria: Criteria::BUILDS,
        gate: None,
        settings: settings(&run_clock, seed, 1.0 - Criteria::BUILDS.error),
        pace: Pace::QUICK,
        // What takes longer is not checked.
        timeout_ns: Some(options.timeout_ns.map_or(ALL_NS, |ns| ns.min(ALL_NS))),
    };
    let mut placed = PlacedBuilds::as_built(comparison, options);
    let mut line = ProgressLine::new();
    line.show("checking unchanged cases");
    Rng::new(Rng::new(seed).derive(7)).shuffle(&mut unchanged);
    let end = run_clock.now_ns().saturating_add(ALL_NS);
    for at in unchanged {
        if run_clock.now_ns() >= end {
            break;
        }
        let mut candidate = Candidate::checked(&comparison.cases[at]);
        match seen(&mut candidate, &common, &mut placed) {
            ControlFlow::Continue(seen) => differing.extend(seen.map(|seen| (at, seen))),
            ControlFlow::Break(()) => break,
        }
    }
    line.clear();
    Ok(differing)
}

/// How a case differs between its builds, if it does; breaks when interrupted.
fn seen(
    candidate: &mut Candidate,
    common: &Common<'_>,
    placed: &mut PlacedBuilds<'_>,
) -> ControlFlow<(), Option<String>> {
    let mut least = f64::INFINITY;
    for made in 0..PAIRS {
        candidate.launch(common, placed)?;
        if let Some((_, fault)) = &candidate.fault {
            let has_failed = !matches!(fault.kind, FaultKind::Hang(_));
            return ControlFlow::Continue(has_failed.then(|| "in a check, it failed".to_owned()));
        }
        match candidate.launches.get(made).and_then(times_as_long) {
            Some(factor) if factor >= FACTOR => least = least.min(factor),
            // Of a number, or of what cannot take turns, nothing is known.
            _ => return ControlFlow::Continue(None),
        }
    }
    ControlFlow::Continue(Some(format!(
        "in a check, one build took {} times as long as the other",
        digits(least, 2)
    )))
}

/// How many times as long the shortest batch of one build is as that of the other.
fn times_as_long(rounds: &Rounds) -> Option<f64> {
    let shortest = |arm: u8| {
        let of_arm = rounds.arm.iter().zip(&rounds.ticks);
        let ticks = of_arm
            .filter(|(of, _)| **of == arm)
            .map(|(_, &ticks)| ticks);
        let ops = *rounds.ops.get(usize::from(arm))?;
        Some(ticks.min()?.max(1) as f64 / ops.max(1) as f64)
    };
    let (old, new) = (shortest(0)?, shortest(1)?);
    Some((old / new).max(new / old))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_batches_are_compared_in_either_direction() {
        let mut rounds = Rounds {
            ops: vec![10, 20],
            arm: vec![0, 1, 1, 0, 2],
            ticks: vec![1_000, 9_000, 4_000, 3_000, 1],
            ..Rounds::default()
        };
        assert_eq!(times_as_long(&rounds), Some(2.0));
        rounds.ticks[0] = 150;
        assert_eq!(times_as_long(&rounds), Some(13.333_333_333_333_334));
        rounds.arm = vec![0; 5];
        assert_eq!(times_as_long(&rounds), None);
    }
}
