//! Measures a comparison: pairs of workers, one of each build, that take turns on one processor,
//! case after case in random order, until every case is decided or the time is used up.

mod candidate;
mod counting;
mod places;
mod spawner;
mod time;

use tourbillon_analysis::Criteria;
use tourbillon_runner::RunClock;
use tourbillon_stats::Rng;

pub(super) use self::time::CASE_NS;

use self::candidate::{Candidate, Common, RunEnd, settings};
use self::counting::Counting;
use self::places::Places;
use self::spawner::Spawner;
use self::time::{Budget, SystemRunClock};
use super::measured::{Measured, MeasuredCase};
use super::options::Options;
use super::pairing::Comparison;
use crate::exit::Stop;
use crate::screen::ProgressLine;

/// Compares two builds.
pub(super) fn measure(
    comparison: &Comparison,
    options: &Options,
    line: &mut ProgressLine,
) -> Result<Measured, Stop> {
    let spawner = Spawner::new()?;
    let run_clock = SystemRunClock::start()?;
    let mut places = Places::make(comparison, options, line);
    let linked_ns = places.linking().wall_ns;
    let seed = options.seed.unwrap_or_else(new_seed);
    let criteria = criteria(options, comparison.cases.len());
    let common = Common {
        spawner: &spawner,
        run_clock: &run_clock,
        criteria,
        settings: settings(&run_clock, seed, 1.0 - criteria.error),
        timeout_ns: options.timeout,
    };
    let mut candidates: Vec<Candidate> = comparison
        .cases
        .iter()
        .map(|case| Candidate::new(case.id.clone(), case.old, case.new))
        .collect();
    let start = run_clock.now_ns();
    let mut interrupted = run(&mut candidates, &common, &mut places, options, seed, line);
    let wall_ns = run_clock.now_ns().saturating_sub(start);
    let linking_ns = places.linking().wall_ns - linked_ns;
    let links = places.linking().links.clone();
    let mut counting = Counting::new(&common, &places);
    let count = candidates.len();
    for (at, candidate) in candidates.iter_mut().enumerate() {
        if interrupted {
            break;
        }
        line.show(&format!("counting allocations: {at} of {count} cases"));
        interrupted = counting.count(candidate) == RunEnd::Interrupted;
    }
    let reference = &comparison.old.label;
    let mut visit_ticks = 0;
    let mut cases = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        visit_ticks += candidate
            .launches
            .iter()
            .map(|rounds| rounds.visit_ticks)
            .sum::<u64>();
        cases.push(MeasuredCase {
            verdict: candidate.verdict(reference, &common),
            launches: candidate.launches,
            counts: candidate.counts,
            fault: candidate.fault,
        });
    }
    Ok(Measured {
        cases,
        interrupted,
        seed,
        processor: spawner.processor(),
        visits_ns: run_clock.frequency.nanos(visit_ticks),
        frequency: run_clock.frequency,
        clock: run_clock.facts,
        criteria,
        wall_ns,
        linking_ns,
        links,
    })
}

/// Launches all cases in turn, in a new random order for each pass; returns whether it was
/// interrupted.
fn run(
    candidates: &mut [Candidate],
    common: &Common<'_>,
    places: &mut Places<'_>,
    options: &Options,
    seed: u64,
    line: &mut ProgressLine,
) -> bool {
    let start = common.run_clock.now_ns();
    let linked_ns = places.linking().wall_ns;
    let budget = Budget::of(options);
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let mut rng = Rng::new(Rng::new(seed).derive(5));
    loop {
        rng.shuffle(&mut order);
        let mut open = false;
        for &at in &order {
            let gone_ns = common.run_clock.now_ns().saturating_sub(start);
            if budget.is_over(gone_ns) {
                return false;
            }
            let linking_ns = places.linking().wall_ns - linked_ns;
            let spent = candidates.iter().map(|one| (one.is_open(), one.spent_ns));
            let spent: Vec<(bool, u64)> = spent.collect();
            line.show(&budget.progress(&spent, gone_ns, linking_ns));
            let candidate = &mut candidates[at];
            if !candidate.is_open() || candidate.spent_ns >= budget.case_ns {
                continue;
            }
            open = true;
            if candidate.launch(common, places) == RunEnd::Interrupted
                || common.spawner.interrupted()
            {
                return true;
            }
        }
        if !open {
            return false;
        }
    }
}

/// The criteria of the verdicts. With a gate, their confidence holds for all together.
fn criteria(options: &Options, cases: usize) -> Criteria {
    let together = match &options.gate {
        Some(_) => cases.max(1) as f64,
        None => 1.0,
    };
    Criteria {
        margin: options.margin.unwrap_or(Criteria::BUILDS.margin),
        error: options.error() / together,
    }
}

/// A new seed of 32 bits, short enough to be typed.
fn new_seed() -> u64 {
    let process = u64::from(std::process::id()).rotate_left(40);
    Rng::new(tourbillon_clock::wall::unix_ns() ^ process).next_u64() >> 32
}
