//! What a table is made of: runs, cases, results, faults.

use std::fmt;

use tourbillon_present::{Figure, Place, Ratio};
use tourbillon_record::{Absence, Case, CaseResult, End, Fault, Metric, Note, Run, Verdict};

use super::options::TableOptions;

/// The results of a run, a line for each case under its heading, then what the marks and notes mean.
///
/// There is a column for everything that has a value (`columns` in `document.rs`); on a narrow terminal they give way.
///
/// The heading of the half-width names the requested confidence; an interval that does not reach it is
/// marked. A half-width is that of the farther end, rounded up.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The cases in the order in which they are shown within their groups.
    pub cases: &'a [Case],
    /// Their results, in any order; those of other cases are ignored.
    pub results: &'a [CaseResult],
    /// Launches that failed: the first of a case is named where the case has no result.
    pub faults: &'a [Fault],
    /// How the run ended; `None` while it is not known.
    pub end: Option<&'a End>,
    /// Requested launches.
    pub launches: u32,
    /// Requested confidence, 0 to 1.
    pub confidence: f64,
    /// The name under which the run was saved that this one is compared with; `None` for the last run.
    pub baseline: Option<&'a str>,
    /// The verdicts of the run: those on times stand in the rows of what was compared.
    pub verdicts: &'a [Verdict],
    /// What that run says of a case, by its id.
    pub last: &'a dyn Fn(&str) -> Option<Before>,
    /// Whether percentiles of single calls and system calls stand below the rows.
    pub has_calls: bool,
    /// Columns on request, and the order of rows.
    pub options: TableOptions<'a>,
}

impl Default for Table<'_> {
    fn default() -> Self {
        Table {
            cases: &[],
            results: &[],
            faults: &[],
            end: None,
            launches: 0,
            confidence: 0.0,
            baseline: None,
            verdicts: &[],
            last: &|_| None,
            has_calls: false,
            options: TableOptions::default(),
        }
    }
}

impl<'a> Table<'a> {
    /// What the record of a run has, without verdicts.
    pub fn of(run: &'a Run) -> Table<'a> {
        Table {
            cases: &run.cases,
            results: &run.results,
            faults: &run.faults,
            end: run.end.as_ref(),
            launches: run.header.settings.launches,
            confidence: run.header.settings.confidence,
            ..Table::default()
        }
    }
}

impl fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("cases", &self.cases.len())
            .field("results", &self.results.len())
            .finish_non_exhaustive()
    }
}

/// What an earlier run says of a case.
#[derive(Clone, Debug)]
pub enum Before {
    /// This run's figure divided by that one's.
    Change(Ratio),
    /// Its result, where one of both does not hold for other processes.
    Was(Box<CaseResult>),
}

/// The results of a run under a name that distinguishes it from others.
#[derive(Clone, Copy, Debug)]
pub struct TableData<'a> {
    /// The name; empty where there is only one run.
    pub name: &'a str,
    /// Its results.
    pub table: &'a Table<'a>,
}

/// Cycles, or nanoseconds, that the bound of an empty body stays below.
const FEW: f64 = 30.0;

/// What is known about one case.
pub(crate) struct Found<'a> {
    pub(crate) case: &'a Case,
    /// Where its row stands, not escaped.
    pub(crate) place: Place,
    /// The metric that the case is measured in: time, mostly.
    pub(crate) main: Option<&'a CaseResult>,
    pub(crate) cycles: Option<&'a CaseResult>,
    /// Of an op that was executed one instruction after the other.
    pub(crate) instructions: Option<&'a CaseResult>,
    /// Events of the kernel, per op.
    pub(crate) events: Vec<&'a CaseResult>,
    /// What an op requests from the allocator: how often, and how many bytes.
    pub(crate) allocs: Option<&'a CaseResult>,
    pub(crate) bytes: Option<&'a CaseResult>,
    /// The first one.
    pub(crate) fault: Option<&'a Fault>,
    pub(crate) last: Option<Before>,
    /// What became of it beside the reference.
    pub(crate) verdict: Option<&'a Verdict>,
    /// Whether others were compared with it.
    pub(crate) is_reference: bool,
    /// Whether its calls overlap, so that its throughput is no latency.
    pub(crate) overlaps: bool,
}

impl Found<'_> {
    /// The confidence of the interval of the main figure; `None` where there is no interval, and inside
    /// where it is not known.
    pub(crate) fn confidence(&self) -> Option<Option<f64>> {
        let main = self.main?;
        figure(main)?.half_width.map(|_| main.confidence)
    }

    /// Whether the interval of the main figure does not reach a confidence, or has none.
    pub(crate) fn falls_short(&self, requested: f64) -> bool {
        self.confidence()
            .is_some_and(|held| !held.is_some_and(|held| reaches(held, requested)))
    }

    /// Whether a figure is only an upper bound, because it is not distinguishable from an empty loop.
    pub(crate) fn is_bound(&self) -> bool {
        let results = [self.main, self.cycles];
        !self.is_bound_of_samples() && results.into_iter().flatten().any(is_bound)
    }

    /// Whether there is a rough estimate in place of a figure.
    pub(crate) fn is_rough(&self) -> bool {
        self.main.is_some_and(|main| main.rough.is_some())
    }

    /// Whether the compiler may have removed the body: its figure is a bound of a few cycles, which nothing else explains.
    /// Where a machine is so busy that it hides more than that, it hides any body.
    pub(crate) fn may_be_empty(&self) -> bool {
        let is_constant = |main: &CaseResult| main.notes.contains(&Note::ConstantTime);
        let results = [self.main, self.cycles].into_iter().flatten();
        let mut bounds = results.filter(|result| is_bound(result));
        let is_low = |result: &CaseResult| result.upper.is_some_and(|upper| upper <= FEW);
        self.is_bound() && bounds.any(is_low) && !self.main.is_some_and(is_constant)
    }

    /// Whether the figure is only an upper bound, because the system hardly ever sampled it.
    pub(crate) fn is_bound_of_samples(&self) -> bool {
        let is_sampled = |note: &Note| matches!(note, Note::Sampled { .. });
        self.main
            .is_some_and(|main| is_bound(main) && main.notes.iter().any(is_sampled))
    }

    /// Whether this is measured in a metric.
    pub(crate) fn measures(&self, metric: Metric) -> bool {
        self.main.is_some_and(|main| main.metric == metric)
    }
}

fn is_bound(result: &CaseResult) -> bool {
    result.estimate == Err(Absence::BelowResolution)
}

/// The estimate and its interval; `None` where there is no estimate.
pub(crate) fn figure(result: &CaseResult) -> Option<Figure> {
    let estimate = result.estimate.ok()?;
    Some(Figure::new(estimate, result.lower, result.upper))
}

/// The confidence for the heading: the requested one, or when no interval reaches that, the lowest.
pub(crate) fn named_confidence(found: &[Found<'_>], requested: f64) -> f64 {
    let held: Vec<_> = found
        .iter()
        .filter_map(|found| found.confidence()?)
        .collect();
    if held.iter().any(|held| reaches(*held, requested)) {
        return requested;
    }
    held.into_iter().fold(requested, f64::min)
}

/// What the ratios to an earlier run are of.
#[derive(Clone, Copy, Default)]
pub(crate) struct RatioMetrics {
    pub(crate) times: bool,
    pub(crate) cycles: bool,
    pub(crate) others: bool,
}

impl RatioMetrics {
    pub(crate) fn new(found: &[Found<'_>]) -> RatioMetrics {
        let mut metrics = RatioMetrics::default();
        for found in found {
            let Some(Before::Change(ratio)) = &found.last else {
                continue;
            };
            match ratio.metric {
                Metric::Time => metrics.times = true,
                Metric::Cycles => metrics.cycles = true,
                _ => metrics.others = true,
            }
        }
        metrics
    }
}

/// Confidences are sums of binomial terms: they are equal within rounding.
fn reaches(held: f64, requested: f64) -> bool {
    held >= requested - 1e-9
}
