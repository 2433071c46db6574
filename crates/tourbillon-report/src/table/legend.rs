//! What the marks of a table mean.

use tourbillon_present::figure::word;
use tourbillon_present::{Figure, Meaning, is_exact, number};
use tourbillon_record::{CaseResult, Metric, Scope};

use super::input::{Before, Found, RatioMetrics};
use super::options::{ColumnKind, OptionalColumn};
use super::row::{LESS_CONFIDENT, ONE_PROCESS, OVERLAPPING, ROUGH, VARYING, WAITING, WAS};

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
    pub(crate) ratios: RatioMetrics,
    /// The one of the heading.
    pub(crate) confidence: f64,
    pub(crate) baseline: Option<&'a str>,
    pub(crate) extra: &'a [OptionalColumn],
    /// Their figures, row by row.
    pub(crate) extra_figures: &'a [Vec<Option<Figure>>],
}

impl Legend<'_> {
    /// What each mark of the table means.
    pub(crate) fn marks(&self) -> Vec<Meaning> {
        let any = |is: &dyn Fn(&Found<'_>) -> bool| self.found.iter().any(is);
        let mut marks = Vec::new();
        for (metric, meaning) in PROCESSORS {
            if any(&|found| found.measures(metric)) {
                marks.push(Meaning::new("time", word(metric), meaning));
            }
        }
        let is_waiting = |found: &Found<'_>| found.cycles.is_some_and(CaseResult::waits_for_memory);
        let varies = |count: Option<&CaseResult>| {
            count.is_some_and(|count| count.estimate.is_ok() && !is_exact(count))
        };
        let is_varying = |found: &Found<'_>| varies(found.allocs) || varies(found.bytes);
        for (is_there, column, mark, meaning) in [
            (
                any(&|found| found.is_bound_of_samples()),
                "time",
                "<",
                "an upper bound: the system sampled it too rarely",
            ),
            (
                any(&|found| found.is_bound()),
                "time",
                "<",
                "an upper bound: not distinguishable from an empty loop",
            ),
            (
                any(&|found| found.is_rough()),
                "time",
                ROUGH,
                "rough: another run may differ; of all launches, contended ones included",
            ),
            (
                any(&|found| found.overlaps),
                "time",
                OVERLAPPING,
                "calls overlap: throughput, not latency; one call alone takes longer",
            ),
            (
                any(&is_waiting),
                "cycles",
                WAITING,
                "waits for memory: touches more than a core's second-level cache holds, so its cycles depend on the \
                 core's frequency",
            ),
        ] {
            if is_there {
                marks.push(Meaning::new(column, mark, meaning));
            }
        }
        self.add_intervals(&mut marks);
        if any(&|found| found.instructions.is_some()) {
            let meaning = "stepped: of an op, without the loop; equal in each run of a build on one processor model";
            marks.push(Meaning::new("instructions", "instructions", meaning));
        }
        if any(&|found| varies(found.instructions)) {
            let meaning = "varies from op to op, or from process to process: the median of some";
            marks.push(Meaning::new("instructions", VARYING, meaning));
        }
        if let Some(event) = self.found.iter().find_map(|found| found.events.first()) {
            let (name, meaning) = (
                event.metric.name(),
                "by perf events, in launches that are not timed",
            );
            marks.push(Meaning::new(name, name, meaning));
        }
        if any(&is_varying) {
            let meaning = "varies from launch to launch: a mean";
            marks.push(Meaning::new("allocs", VARYING, meaning));
        }
        self.add_changes(&mut marks);
        self.add_extra(&mut marks);
        marks
    }

    fn add_intervals(&self, marks: &mut Vec<Meaning>) {
        let with_interval = || {
            self.found
                .iter()
                .filter(|found| found.confidence().is_some())
        };
        let is_of_one = |main: &CaseResult| main.scope == Scope::Process;
        if with_interval().any(|found| found.main.is_some_and(is_of_one)) {
            let meaning = "interval of one process, or of too few: another may differ by more";
            marks.push(Meaning::new("interval", ONE_PROCESS, meaning));
        }
        let confidence = self.confidence;
        let short = with_interval().filter(|found| found.falls_short(confidence));
        let held = short.filter_map(|found| found.confidence());
        let lowest = held.map(|held| held.unwrap_or(confidence)).reduce(f64::min);
        let Some(lowest) = lowest else { return };
        let (requested, down_to) = (number::confidence(confidence), number::confidence(lowest));
        let meaning = if lowest < confidence {
            format!("confidence below {requested}, down to {down_to}")
        } else {
            format!("not known to have a confidence of {requested}")
        };
        marks.push(Meaning::new("interval", LESS_CONFIDENT, meaning));
    }

    /// What the requested columns show, and why those without a value are missing; columns of one meaning together.
    fn add_extra(&self, marks: &mut Vec<Meaning>) {
        let mut shared: Vec<(Extra, Vec<&str>)> = Vec::new();
        for (at, column) in self.extra.iter().enumerate() {
            let has_value = self.extra_figures.iter().any(|row| row[at].is_some());
            let extra = if has_value {
                Extra::Shown(meaning(column.kind))
            } else {
                Extra::Missing(self.reason(column.kind))
            };
            match shared.iter_mut().find(|(known, _)| *known == extra) {
                Some((_, names)) => names.push(column.name()),
                None => shared.push((extra, vec![column.name()])),
            }
        }
        for (extra, names) in shared {
            marks.push(match extra {
                // On a narrow terminal the first of them stays longest.
                Extra::Shown(meaning) => Meaning::new(names[0], names.join(", "), meaning),
                Extra::Missing(reason) => Meaning::new("", names.join(", "), reason),
            });
        }
    }

    /// Why no row has a value in a requested column.
    fn reason(&self, kind: ColumnKind) -> &'static str {
        let has_reference = self.found.iter().any(|row| row.case.reference);
        let has_figure = self
            .found
            .iter()
            .any(|row| row.main.is_some_and(|main| main.estimate.is_ok()));
        match kind {
            ColumnKind::Ratio if !has_reference => {
                "no group has a reference: mark one of its benchmarks with `reference`"
            }
            _ if !has_figure => "of cases with a figure only; none has one",
            ColumnKind::Launches(_) | ColumnKind::Deviation(_) => {
                "over the launches of a figure; the record has none of them, or too few"
            }
            ColumnKind::Ratio => "no reference has a figure",
            ColumnKind::Rank => "of cases with a figure only",
        }
    }

    fn add_changes(&self, marks: &mut Vec<Meaning>) {
        let what = match self.ratios {
            RatioMetrics {
                cycles: true,
                times: true,
                ..
            } => "cycles, or of times where these are steadier,",
            RatioMetrics {
                cycles: true,
                others: true,
                ..
            } => "cycles, or of what is not wall time,",
            RatioMetrics { cycles: true, .. } => "cycles",
            RatioMetrics { others: true, .. } => "figures",
            RatioMetrics { .. } => "times",
        };
        let (title, other) = match self.baseline {
            Some(name) => (name, name),
            None => ("last run", "the last run"),
        };
        let any = |is: fn(&Before) -> bool| {
            self.found
                .iter()
                .any(|found| found.last.as_ref().is_some_and(is))
        };
        if any(|before| matches!(before, Before::Change(_))) {
            let meaning = format!(
                "change of {what} since then, also by where another build has placed the code; \
                     verdicts: cargo tourbillon compare"
            );
            marks.push(Meaning::new("last", title, meaning));
        }
        if any(|before| matches!(before, Before::Was(_))) {
            let meaning = format!("the result of {other}, where a change is not certain");
            marks.push(Meaning::new("last", WAS, meaning));
        }
    }
}

/// What there is to say about a requested column.
#[derive(PartialEq, Eq)]
enum Extra {
    Shown(&'static str),
    Missing(&'static str),
}

/// What a requested column shows.
fn meaning(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Launches(_) | ColumnKind::Deviation(_) => "over the launches, one value each",
        ColumnKind::Ratio => {
            "figure divided by that of the group's reference; the verdict has the interval"
        }
        ColumnKind::Rank => {
            "place in the group; equal where an interval overlaps that of the first of the rank"
        }
    }
}
