//! The measuring of a comparison: pairs of workers, one of each build, that take turns on one
//! processor, case after case in random order, until every case is decided or the time is over.

mod contender;
mod counting;
mod hiring;
mod places;
mod timepiece;

use tourbillon_coordinate::{Frequency, Terms, Watch};
use tourbillon_record::{ClockFacts, Fault, Rounds, Verdict};
use tourbillon_stats::Rng;

use self::contender::{Common, Contender, Went, settings};
use self::counting::Counting;
use self::hiring::Hiring;
use self::places::Places;
use self::timepiece::Timepiece;
use super::counts::Counts;
use super::pairing::Comparison;
use super::wishes::Wishes;
use crate::exit::Stop;

/// Time for one case at most, where nobody says how much.
pub(crate) const CASE_NS: u64 = 10_000_000_000;
/// Time for all cases together at most, where nobody says how much there is for one.
const SUITE_NS: u64 = 210_000_000_000;

/// What came of the measuring.
#[derive(Debug)]
pub(crate) struct Measured {
    /// In the order of the cases.
    pub(crate) cases: Vec<MeasuredCase>,
    pub(crate) interrupted: bool,
    pub(crate) seed: u64,
    /// The processor that workers of one thread were pinned to.
    pub(crate) processor: Option<u32>,
    /// The clock that was read.
    pub(crate) clock: ClockFacts,
    pub(crate) frequency: Frequency,
    pub(crate) terms: Terms,
    /// From the first pair of workers to the end of the last.
    pub(crate) wall_ns: u64,
    /// Inside the workers' batches, what stands between them included.
    pub(crate) visits_ns: u64,
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

/// What the caller is told meanwhile.
pub(crate) trait Onlooker {
    /// Something that people should know.
    fn remark(&mut self, text: String);
    /// How many cases are decided, and how long it may still take.
    fn progress(&mut self, decided: usize, cases: usize, left_ns: u64);
    /// Of how many cases allocations are counted, where they are.
    fn counting(&mut self, counted: usize, cases: usize);
}

/// Compares two builds.
pub(crate) fn measure(
    comparison: &Comparison,
    wishes: &Wishes,
    onlooker: &mut dyn Onlooker,
) -> Result<Measured, Stop> {
    let hiring = Hiring::new()?;
    let timepiece = Timepiece::start()?;
    let mut places = Places::make(comparison, wishes, &mut |text| onlooker.remark(text));
    let seed = wishes.seed.unwrap_or_else(new_seed);
    let terms = terms(wishes, comparison.cases.len());
    let common = Common {
        hiring: &hiring,
        timepiece: &timepiece,
        terms,
        settings: settings(&timepiece, seed, 1.0 - terms.error),
        timeout_ns: wishes.timeout_ns,
    };
    let mut contenders: Vec<Contender> = comparison
        .cases
        .iter()
        .map(|case| Contender::new(case.id.clone(), case.old, case.new))
        .collect();
    let start = timepiece.now_ns();
    let mut interrupted = run(
        &mut contenders,
        &common,
        &mut places,
        wishes,
        seed,
        onlooker,
    );
    let wall_ns = timepiece.now_ns().saturating_sub(start);
    let mut counting = Counting::new(&common, &places);
    let count = contenders.len();
    for (at, contender) in contenders.iter_mut().enumerate() {
        if interrupted {
            break;
        }
        onlooker.counting(at, count);
        interrupted = counting.count(contender) == Went::Interrupted;
    }
    let reference = &comparison.old.label;
    let mut visit_ticks = 0;
    let mut cases = Vec::with_capacity(contenders.len());
    for contender in contenders {
        visit_ticks += contender
            .launches
            .iter()
            .map(|rounds| rounds.visit_ticks)
            .sum::<u64>();
        cases.push(MeasuredCase {
            verdict: contender.verdict(reference, &common),
            launches: contender.launches,
            counts: contender.counts,
            fault: contender.fault,
        });
    }
    Ok(Measured {
        cases,
        interrupted,
        seed,
        processor: hiring.processor(),
        visits_ns: timepiece.frequency.nanos(visit_ticks),
        frequency: timepiece.frequency,
        clock: timepiece.facts,
        terms,
        wall_ns,
    })
}

/// Launches of all cases in turn, in an order drawn for each pass; whether it was interrupted.
fn run(
    contenders: &mut [Contender],
    common: &Common<'_>,
    places: &mut Places<'_>,
    wishes: &Wishes,
    seed: u64,
    onlooker: &mut dyn Onlooker,
) -> bool {
    let start = common.timepiece.now_ns();
    let count = contenders.len() as u64;
    let of_case = wishes.time_ns.unwrap_or(CASE_NS);
    let of_all = match wishes.time_ns {
        Some(time_ns) => time_ns.saturating_mul(count),
        None => SUITE_NS.min(CASE_NS.saturating_mul(count)),
    };
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let mut rng = Rng::new(Rng::new(seed).derive(5));
    loop {
        rng.shuffle(&mut order);
        let mut open = false;
        for &at in &order {
            let decided = contenders.iter().filter(|one| !one.is_open()).count();
            let spent = common.timepiece.now_ns().saturating_sub(start);
            // What was said of one case is no limit to all: each has one launch at least.
            if spent >= of_all && wishes.time_ns.is_none() {
                return false;
            }
            onlooker.progress(decided, contenders.len(), of_all.saturating_sub(spent));
            let contender = &mut contenders[at];
            if !contender.is_open() || contender.spent_ns >= of_case {
                continue;
            }
            open = true;
            if contender.launch(common, places) == Went::Interrupted || common.hiring.interrupted()
            {
                return true;
            }
        }
        if !open {
            return false;
        }
    }
}

/// What is asked of the verdicts. For a gate, they hold together.
fn terms(wishes: &Wishes, cases: usize) -> Terms {
    let together = match &wishes.gate {
        Some(_) => cases.max(1) as f64,
        None => 1.0,
    };
    Terms {
        margin: wishes.margin.unwrap_or(Terms::BUILDS.margin),
        error: wishes.error() / together,
    }
}

/// A new seed: 32 bits, so that it is short enough to be typed.
fn new_seed() -> u64 {
    let process = u64::from(std::process::id()).rotate_left(40);
    Rng::new(tourbillon_clock::wall::unix_ns() ^ process).next_u64() >> 32
}
