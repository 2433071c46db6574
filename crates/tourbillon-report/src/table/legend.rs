//! What the marks of a table mean.

use tourbillon_record::{CaseResult, Metric, Scope};

use super::input::{Compared, Found};
use super::layout::{Column, Layout};
use super::options::OptionalColumn;
use super::row::{
    COLUMNS, LESS_CONFIDENT, OF_TIMES, ONE_PROCESS, OVERLAPPING, ROUGH, VARYING, WAITING,
};
use crate::counted::is_exact;
use crate::figure::word;
use crate::number;
use crate::page::Page;
use crate::style::Ink;

/// What the words after CPU times mean.
const PROCESSORS: [(Metric, &str); 3] = [
    (
        Metric::CpuTime,
        "CPU time of all threads of the process; not wall time",
    ),
    (
        Metric::UserTime,
        "CPU time in the program's own code; not wall time",
    ),
    (
        Metric::KernelTime,
        "CPU time in the kernel for the program; not wall time",
    ),
];

/// What the marks are of.
pub(crate) struct Legend<'a> {
    pub(crate) found: &'a [Found<'a>],
    pub(crate) compared: Compared,
    pub(crate) layout: &'a Layout,
    /// The one of the heading.
    pub(crate) confidence: f64,
    pub(crate) baseline: Option<&'a str>,
    pub(crate) requested: &'a [OptionalColumn],
}

impl Legend<'_> {
    /// Adds a line or more for each mark that is in the table.
    pub(crate) fn add(&self, page: &mut Page<'_>) {
        let any = |is: &dyn Fn(&Found<'_>) -> bool| self.found.iter().any(is);
        for (metric, meaning) in PROCESSORS {
            if any(&|found| found.measures(metric)) {
                explain(page, word(metric), meaning);
            }
        }
        if any(&|found| found.is_bound_of_samples()) {
            let meaning = "an upper bound: the system sampled it too rarely";
            explain(page, "<", meaning);
        }
        if any(&|found| found.is_bound()) {
            let meaning = "an upper bound: not distinguishable from an empty loop";
            explain(page, "<", meaning);
        }
        if any(&|found| found.is_rough()) {
            let meaning = "rough: of all launches, contended ones included; another run may differ";
            explain(page, ROUGH, meaning);
        }
        if any(&|found| found.overlaps) {
            let meaning = "calls overlap: throughput, not latency; one call alone takes longer";
            explain(page, OVERLAPPING, meaning);
        }
        let waits = |found: &Found<'_>| found.cycles.is_some_and(CaseResult::waits_for_memory);
        if self.layout.shows(Column::Cycles as usize) && any(&waits) {
            let meaning = "waits for memory: touches more than a core's second-level cache holds, so \
                           its cycles depend on the core's frequency";
            explain(page, WAITING, meaning);
        }
        if self.layout.shows(Column::HalfWidth as usize) {
            self.explain_intervals(page);
        }
        let varies = |found: &Found<'_>| {
            let counts = [found.allocs, found.bytes].into_iter().flatten();
            counts
                .into_iter()
                .any(|count| count.estimate.is_ok() && !is_exact(count))
        };
        if self.layout.shows(Column::Allocs as usize) && any(&varies) {
            explain(page, VARYING, "varies from launch to launch: a mean");
        }
        if self.layout.shows(Column::Last as usize) {
            self.explain_ratios(page);
        }
        self.explain_requested(page);
        let omitted = self.layout.omitted();
        if !omitted.is_empty() {
            let line = format!("no room for: {}", omitted.join(", "));
            page.line(Ink::Plain, "", &line);
        }
    }

    fn explain_intervals(&self, page: &mut Page<'_>) {
        let requested = self.confidence;
        let with_interval = self
            .found
            .iter()
            .filter(|found| found.confidence().is_some());
        let is_of_one = |main: &CaseResult| main.scope == Scope::Process;
        let mut one_process = with_interval.clone();
        if one_process.any(|found| found.main.is_some_and(is_of_one)) {
            let meaning = "interval of one process, or of too few: another may differ by more";
            explain(page, ONE_PROCESS, meaning);
        }
        let short = with_interval.filter(|found| found.falls_short(requested));
        let held = short.filter_map(|found| found.confidence());
        let held = held.map(|held| held.unwrap_or(requested)).reduce(f64::min);
        let Some(lowest) = held else { return };
        let (requested, down_to) = (number::confidence(requested), number::confidence(lowest));
        let meaning = if lowest < self.confidence {
            format!("confidence below {requested}, down to {down_to}")
        } else {
            format!("not known to have a confidence of {requested}")
        };
        explain(page, LESS_CONFIDENT, &meaning);
    }

    fn explain_requested(&self, page: &mut Page<'_>) {
        let shown = |at: usize| self.layout.shows(COLUMNS + at);
        let columns = self.requested.iter().enumerate();
        let of_launches = columns.clone().filter(|(at, column)| {
            shown(*at) && !matches!(column, OptionalColumn::Ratio | OptionalColumn::Rank)
        });
        let names: Vec<&str> = of_launches.map(|(_, column)| column.name()).collect();
        if !names.is_empty() {
            explain(page, &names.join(", "), "over the launches, one value each");
        }
        for (at, column) in columns {
            let meaning = match column {
                OptionalColumn::Ratio if self.found.iter().all(|row| !row.case.reference) => {
                    "no group has a reference: mark one of its benchmarks with `reference`"
                }
                OptionalColumn::Ratio if shown(at) => {
                    "figure divided by that of the group's reference; the verdict has the interval"
                }
                OptionalColumn::Rank if shown(at) => {
                    "place in the group; equal where an interval overlaps that of the first of the rank"
                }
                _ => continue,
            };
            explain(page, column.name(), meaning);
        }
    }

    fn explain_ratios(&self, page: &mut Page<'_>) {
        let what = match (self.compared.cycles, self.compared.others) {
            (true, false) => "cycles",
            (true, true) => "cycles, or of what is not wall time,",
            (false, false) => "times",
            (false, true) => "figures",
        };
        let other = match self.baseline {
            Some(name) => page.style.safe(name),
            None => "the last run".to_owned(),
        };
        let meaning =
            format!("change of the {what} since {other}; not measured together, so not a verdict");
        explain(page, self.layout.title(Column::Last as usize), &meaning);
        if self.compared.mixed() {
            explain(page, OF_TIMES, "change of wall times, not of cycles");
        }
    }
}

/// Adds the meaning of a mark.
fn explain(page: &mut Page<'_>, mark: &str, meaning: &str) {
    page.line(Ink::Plain, &format!("{mark}  "), meaning);
}
