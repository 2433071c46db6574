//! Measures a comparison: pairs of workers, one of each build, that take turns on one processor,
//! case after case in random order, until every case is decided or the time is used up.

mod budget;
mod candidate;
mod counting;
mod places;
mod run_clock;
mod spawner;

use tourbillon_analysis::{Criteria, Frequency};
use tourbillon_record::{ClockFacts, Fault, Rounds, Verdict};
use tourbillon_runner::RunClock;
use tourbillon_stats::Rng;

use self::budget::Budget;
pub(crate) use self::budget::CASE_NS;
use self::candidate::{Candidate, Common, Went, settings};
use self::counting::Counting;
use self::places::Places;
use self::run_clock::SystemRunClock;
use self::spawner::Spawner;
use super::counts::Counts;
use super::links::Links;
use super::options::Options;
use super::pairing::Comparison;
use crate::exit::Stop;

/// The result of measuring.
#[derive(Debug)]
pub(crate) struct Measured {
    /// In the order of the cases.
    pub(crate) cases: Vec<MeasuredCase>,
    pub(crate) interrupted: bool,
    pub(crate) seed: u64,
    /// The processor that single-threaded workers were pinned to.
    pub(crate) processor: Option<u32>,
    /// The clock that workers read.
    pub(crate) clock: ClockFacts,
    pub(crate) frequency: Frequency,
    pub(crate) terms: Criteria,
    /// From the first pair of workers to the end of the last.
    pub(crate) wall_ns: u64,
    /// Time for linking placements within `wall_ns`.
    pub(crate) linking_ns: u64,
    /// Time within the workers' visits.
    pub(crate) visits_ns: u64,
    /// What was linked, before the first pair of workers and later.
    pub(crate) links: Links,
}

/// A case that was compared.
#[derive(Debug)]
pub(crate) struct MeasuredCase {
    pub(crate) verdict: Verdict,
    pub(crate) launches: Vec<Rounds>,
    pub(crate) counts: Counts,
    /// Which side failed, 0 for the reference, and why.
    pub(crate) fault: Option<(usize, Fault)>,
}

/// The progress of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Far {
    pub(crate) decided: usize,
    pub(crate) cases: usize,
    /// Nanoseconds of measuring so far.
    pub(crate) measured_ns: u64,
    /// Nanoseconds of linking so far.
    pub(crate) linking_ns: u64,
    /// Estimated remaining nanoseconds.
    pub(crate) left_ns: u64,
}

/// Receives remarks and progress.
pub(crate) trait Onlooker {
    /// A remark for the user.
    fn remark(&mut self, text: String);
    /// How many of the first placements of an executable are linked.
    fn linking(&mut self, linked: u32, placements: u32);
    /// The progress.
    fn progress(&mut self, far: &Far);
    /// In how many cases allocations are counted.
    fn counting(&mut self, counted: usize, cases: usize);
}

/// Compares two builds.
pub(crate) fn measure(
    comparison: &Comparison,
    options: &Options,
    onlooker: &mut dyn Onlooker,
) -> Result<Measured, Stop> {
    let spawner = Spawner::new()?;
    let run_clock = SystemRunClock::start()?;
    let mut places = Places::make(comparison, options, onlooker);
    let linked_ns = places.links().total_ns();
    let seed = options.seed.unwrap_or_else(new_seed);
    let terms = terms(options, comparison.cases.len());
    let common = Common {
        spawner: &spawner,
        run_clock: &run_clock,
        terms,
        settings: settings(&run_clock, seed, 1.0 - terms.error),
        timeout_ns: options.timeout_ns,
    };
    let mut candidates: Vec<Candidate> = comparison
        .cases
        .iter()
        .map(|case| Candidate::new(case.id.clone(), case.old, case.new))
        .collect();
    let start = run_clock.now_ns();
    let mut interrupted = run(
        &mut candidates,
        &common,
        &mut places,
        options,
        seed,
        onlooker,
    );
    let wall_ns = run_clock.now_ns().saturating_sub(start);
    let linking_ns = places.links().total_ns() - linked_ns;
    let links = places.links().clone();
    let mut counting = Counting::new(&common, &places);
    let count = candidates.len();
    for (at, candidate) in candidates.iter_mut().enumerate() {
        if interrupted {
            break;
        }
        onlooker.counting(at, count);
        interrupted = counting.count(candidate) == Went::Interrupted;
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
        terms,
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
    onlooker: &mut dyn Onlooker,
) -> bool {
    let start = common.run_clock.now_ns();
    let linked_ns = places.links().total_ns();
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
            let linking_ns = places.links().total_ns() - linked_ns;
            onlooker.progress(&budget.far(candidates, gone_ns, linking_ns));
            let candidate = &mut candidates[at];
            if !candidate.is_open() || candidate.spent_ns >= budget.case_ns {
                continue;
            }
            open = true;
            if candidate.launch(common, places) == Went::Interrupted || common.spawner.interrupted()
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
fn terms(options: &Options, cases: usize) -> Criteria {
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
