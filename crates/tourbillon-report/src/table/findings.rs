use tourbillon_record::Note;
use tourbillon_record::{Absence, Case, CaseResult, Fault, Metric, Throughput};

use super::Table;
use super::overlap::mark_overlaps;
use crate::text::same;
use crate::tree::{grouped, heading_is_name};
use crate::{Figure, Ratio};

/// What is known about one case.
pub(crate) struct Found<'a> {
    pub(crate) case: &'a Case,
    /// Whether its line has its name; else the heading says it.
    pub(crate) named: bool,
    /// What the case is measured in: its time, mostly.
    pub(crate) main: Option<&'a CaseResult>,
    pub(crate) cycles: Option<&'a CaseResult>,
    /// The first one.
    pub(crate) fault: Option<&'a Fault>,
    pub(crate) throughput: Option<Throughput>,
    pub(crate) last: Option<Ratio>,
    /// Whether its calls overlap, so that its throughput is no latency.
    pub(crate) overlaps: bool,
}

/// What is known about the cases, in the order of their rows.
pub(crate) fn found<'a>(table: &Table<'a>) -> Vec<Found<'a>> {
    let mut found = Vec::with_capacity(table.cases.len());
    add_cases(&mut found, table, &grouped(table.cases));
    add_results(&mut found, table);
    mark_overlaps(&mut found);
    found
}

#[inline(never)]
fn add_cases<'a>(found: &mut Vec<Found<'a>>, table: &Table<'a>, order: &[&'a Case]) {
    let mut heading = "";
    let mut named = true;
    for case in order {
        if !same(&case.group, heading) {
            heading = &case.group;
            named = !heading_is_name(order, heading);
        }
        found.push(Found {
            case,
            named,
            main: None,
            cycles: None,
            fault: None,
            throughput: (table.throughput)(&case.id),
            last: (table.last)(&case.id),
            overlaps: false,
        });
    }
}

#[inline(never)]
fn add_results<'a>(found: &mut [Found<'a>], table: &Table<'a>) {
    // Results come in the order of the cases, nearly: the one looked for is mostly near the last.
    let mut near = 0;
    for result in table.results {
        if let Some(found) = seek(found, &mut near, &result.case) {
            match result.metric {
                Metric::Cycles => found.cycles = Some(result),
                metric if metric.is_main() => found.main = Some(result),
                // Told below the row, if at all.
                _ => {}
            }
        }
    }
    for fault in table.faults {
        if let Some(found) = seek(found, &mut near, &fault.case) {
            found.fault = found.fault.or(Some(fault));
        }
    }
}

/// The entry of a case, looked for from where the last one was.
#[inline(never)]
fn seek<'f, 'a>(
    found: &'f mut [Found<'a>],
    near: &mut usize,
    case: &str,
) -> Option<&'f mut Found<'a>> {
    for step in 0..found.len() {
        let at = (*near + step) % found.len();
        if same(&found[at].case.id, case) {
            *near = at;
            return Some(&mut found[at]);
        }
    }
    None
}

impl Found<'_> {
    /// The confidence of the interval of the main figure; `None` where there is no interval, and inside
    /// where it is not known.
    pub(crate) fn confidence(&self) -> Option<Option<f64>> {
        let main = self.main?;
        figure(main)?.half_width.map(|_| main.confidence)
    }

    /// Whether the interval of the main figure does not reach a confidence, or does not say.
    pub(crate) fn falls_short(&self, asked: f64) -> bool {
        self.confidence()
            .is_some_and(|held| !held.is_some_and(|held| reaches(held, asked)))
    }

    /// Whether a figure is an upper bound only, for it is not told from an empty loop.
    pub(crate) fn is_bound(&self) -> bool {
        let bound = |result: Option<&CaseResult>| {
            result.is_some_and(|result| result.estimate == Err(Absence::BelowResolution))
        };
        if self.is_bound_of_samples() {
            return false;
        }
        bound(self.main) || bound(self.cycles)
    }

    /// Whether the figure is an upper bound only, for the system hardly ever saw it.
    pub(crate) fn is_bound_of_samples(&self) -> bool {
        let is_sampled = |note: &Note| matches!(note, Note::Sampled { .. });
        self.main.is_some_and(|main| {
            main.estimate == Err(Absence::BelowResolution) && main.notes.iter().any(is_sampled)
        })
    }

    /// Whether this is measured in a metric.
    pub(crate) fn measures(&self, metric: Metric) -> bool {
        self.main.is_some_and(|main| main.metric == metric)
    }
}

/// The estimate and its interval; `None` where there is no estimate.
pub(crate) fn figure(result: &CaseResult) -> Option<Figure> {
    Some(Figure::new(
        result.estimate.ok()?,
        result.lower,
        result.upper,
    ))
}

/// The confidence for the heading: the one asked for, or when no interval reaches that, the lowest.
pub(crate) fn named_confidence(found: &[Found<'_>], asked: f64) -> f64 {
    let mut lowest = asked;
    for found in found {
        let Some(Some(held)) = found.confidence() else {
            continue;
        };
        if reaches(held, asked) {
            return asked;
        }
        lowest = lowest.min(held);
    }
    lowest
}

/// What the ratios to an earlier run are of.
#[derive(Clone, Copy, Default)]
pub(crate) struct Compared {
    pub(crate) times: bool,
    pub(crate) cycles: bool,
    pub(crate) others: bool,
}

impl Compared {
    #[inline(never)]
    pub(crate) fn of(found: &[Found<'_>]) -> Compared {
        let mut compared = Compared::default();
        for found in found {
            match &found.last {
                Some(last) if last.metric == Metric::Time => compared.times = true,
                Some(last) if last.metric == Metric::Cycles => compared.cycles = true,
                Some(_) => compared.others = true,
                None => {}
            }
        }
        compared
    }

    /// Whether some are of times and others of cycles.
    pub(crate) fn mixed(self) -> bool {
        self.times && self.cycles
    }
}

/// Confidences are sums of binomial terms: what differs by rounding is the same.
fn reaches(held: f64, asked: f64) -> bool {
    held >= asked - 1e-9
}
