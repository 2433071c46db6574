//! Measures a comparison: pairs of workers, one of each build, that take turns on one processor,
//! case after case in random order, until every case is decided or the time is used up.

mod alone;
mod candidate;
mod check;
mod counting;
mod empty_body;
mod instructions;
mod pace;
mod paired_run;
mod placed_builds;
mod spawner;
mod terms;
mod time;

use std::ops::ControlFlow;

use tourbillon_analysis::Criteria;
use tourbillon_coordinator::runner::RunClock;
use tourbillon_coordinator::runner::silence::timeout_of_set_up;
use tourbillon_record::Metric;
use tourbillon_stats::Rng;

pub(super) use self::check::differing;
pub use self::instructions::trace;
pub(super) use self::pace::Pace;
pub(super) use self::time::CASE_NS;

use self::candidate::{Candidate, settings};
use self::counting::Counting;
use self::empty_body::refuse_empty_body;
use self::instructions::{count_both, step_both};
use self::placed_builds::PlacedBuilds;
use self::spawner::Spawner;
use self::terms::Common;
use self::time::Budget;
use crate::gate::thresholds::Gate;
use crate::measurement::{Measured, MeasuredCase};
use crate::options::Options;
use crate::pairing::Comparison;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::run_clock::ToolRunClock;
use tourbillon_tool::screen::ProgressLine;

/// Compares two builds, until all is decided, a signal arrives, or the result `is_outdated`.
pub(super) fn measure(
    comparison: &Comparison,
    options: &Options,
    pace: Pace,
    is_outdated: &dyn Fn() -> bool,
    line: &mut ProgressLine,
) -> Result<Measured, Stop> {
    let spawner = Spawner::new()?;
    let run_clock = ToolRunClock::start()?;
    let mut placed = PlacedBuilds::make(comparison, options, line);
    let linked_ns = placed.linking().wall_ns;
    let seed = options.seed.unwrap_or_else(new_seed);
    let criteria = criteria(options, comparison);
    let common = Common {
        spawner: &spawner,
        run_clock: &run_clock,
        criteria,
        gate: options.gate.as_ref(),
        settings: settings(&run_clock, seed, 1.0 - criteria.error),
        pace,
        timeout_ns: timeout_of_set_up(comparison.set_up_ns, options.timeout_ns),
    };
    let cases = comparison.cases.iter();
    let mut candidates: Vec<Candidate> =
        cases.map(|case| Candidate::new(case, comparison)).collect();
    let start = run_clock.now_ns();
    let is_over = || spawner.interrupted() || is_outdated();
    let order = Rng::new(Rng::new(seed).derive(5));
    let mut flow = run(
        &mut candidates,
        &common,
        &mut placed,
        options,
        (order, &is_over),
        line,
    );
    let wall_ns = run_clock.now_ns().saturating_sub(start);
    let linking_ns = placed.linking().wall_ns - linked_ns;
    let links = placed.linking().links.clone();
    for candidate in &mut candidates {
        if options.refuse_empty_bodies && flow.is_continue() {
            flow = refuse_empty_body(candidate, &common, &placed);
        }
    }
    let mut counting = Counting::new(&common, &placed);
    let count = candidates.len();
    for (at, candidate) in candidates.iter_mut().enumerate() {
        if flow.is_continue() && is_outdated() {
            flow = ControlFlow::Break(());
        }
        if flow.is_continue() {
            line.show(&format!("counting allocations: {at} of {count} cases"));
            flow = counting.count(candidate);
        }
    }
    let steps = options.counters.contains(&Metric::Instructions)
        || common.gate.is_some_and(Gate::limits_instructions);
    for (at, candidate) in candidates.iter_mut().enumerate() {
        if steps && flow.is_continue() {
            line.show(&format!("counting instructions: {at} of {count} cases"));
            flow = step_both(candidate, &common, &placed);
        }
    }
    let events = events(options);
    for (at, candidate) in candidates.iter_mut().enumerate() {
        if !events.is_empty() && flow.is_continue() {
            line.show(&format!("counting events: {at} of {count} cases"));
            flow = count_both(candidate, &common, &placed, &events);
        }
    }
    let rounds = candidates.iter().flat_map(|candidate| &candidate.launches);
    let launch_ticks = rounds.map(|rounds| rounds.launch_ticks).sum();
    let cases = candidates.into_iter().map(|mut candidate| MeasuredCase {
        verdict: candidate.verdict(&comparison.old.label, &common),
        percentiles: candidate.percentiles(&comparison.old.label, &common),
        numbers: candidate.take_numbers(),
        case: candidate.case,
        launches: candidate.launches,
        frequency: run_clock.frequency,
        counts: candidate.counts,
        fault: candidate.fault,
    });
    Ok(Measured {
        cases: cases.collect(),
        interrupted: flow.is_break(),
        seed,
        processor: spawner.processor(),
        core_kinds: spawner.workers().names(),
        launches_ns: run_clock.frequency.nanos(launch_ticks),
        clock: run_clock.facts,
        criteria,
        wall_ns,
        linking_ns,
        links,
    })
}

/// Whether a case is measured at all.
#[cfg(test)]
pub(super) fn is_open_at_first(comparison: &Comparison, at: usize) -> bool {
    Candidate::new(&comparison.cases[at], comparison).is_open()
}

/// Launches all cases in turn, in a new random order for each pass; breaks when it `is_over`.
fn run(
    candidates: &mut [Candidate],
    common: &Common<'_>,
    placed: &mut PlacedBuilds<'_>,
    options: &Options,
    (mut rng, is_over): (Rng, &dyn Fn() -> bool),
    line: &mut ProgressLine,
) -> ControlFlow<()> {
    let start = common.run_clock.now_ns();
    let linked_ns = placed.linking().wall_ns;
    let budget = Budget::of(options);
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    loop {
        rng.shuffle(&mut order);
        let mut open = false;
        for &at in &order {
            let gone_ns = common.run_clock.now_ns().saturating_sub(start);
            if budget.is_over(gone_ns) {
                return ControlFlow::Continue(());
            }
            let linking_ns = placed.linking().wall_ns - linked_ns;
            let spent: Vec<(bool, u64)> = candidates
                .iter()
                .map(|one| (one.is_open(), one.spent_ns))
                .collect();
            line.show(&budget.progress(&spent, gone_ns, linking_ns));
            let candidate = &mut candidates[at];
            if !candidate.is_open() || candidate.spent_ns >= budget.case_ns {
                continue;
            }
            open = true;
            candidate.launch(common, placed)?;
            if is_over() {
                return ControlFlow::Break(());
            }
        }
        if !open {
            return ControlFlow::Continue(());
        }
    }
}

/// The criteria of the verdicts. With a gate, their confidence holds for all together; an error that is shared is that
/// of the cases that are measured.
fn criteria(options: &Options, comparison: &Comparison) -> Criteria {
    let (error, cases) = match (options.shared_error, &options.gate) {
        (Some(error), _) => (error, comparison.measured_cases()),
        (None, Some(_)) => (options.error(), comparison.cases_of_all_shards()),
        (None, None) => (options.error(), 1),
    };
    Criteria {
        margin: options.margin.unwrap_or(Criteria::BUILDS.margin),
        error: error / cases.max(1) as f64,
        limit: options.limit,
        size: Criteria::BUILDS.size.filter(|_| !options.direction),
    }
}

/// The events that are counted: those that are asked for, and those that a gate limits.
fn events(options: &Options) -> Vec<Metric> {
    let of_gate = options.gate.as_ref().map_or_else(Vec::new, Gate::events);
    let is_wanted = |metric: &Metric| options.counters.contains(metric) || of_gate.contains(metric);
    Metric::events().filter(is_wanted).collect()
}

/// A new seed of 32 bits, short enough to be typed.
pub(super) fn new_seed() -> u64 {
    let process = u64::from(std::process::id()).rotate_left(40);
    Rng::new(tourbillon_clock::wall::unix_ns() ^ process).next_u64() >> 32
}
