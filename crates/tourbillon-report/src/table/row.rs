//! One line of a table.

use tourbillon_record::{Absence, CaseResult, Metric, Scope};

use super::input::{Found, figure};
use super::options::OptionalColumn;
use super::requested::text;
use crate::counted::{counted_figure, is_exact};
use crate::figure::{both_ends, bound, measured, rate, rough, upper_bound};
use crate::number::percent_at_most;
use crate::style::Ink;
use crate::tree::label;
use crate::{Figure, Style, faults};

/// Columns of a table before those that were requested: the figure, its half-width, cycles, allocations, their bytes,
/// throughput, and the change since another run.
pub(crate) const COLUMNS: usize = 7;

/// The mark of an interval that covers one process only.
pub(crate) const ONE_PROCESS: &str = "p";
/// The mark of an interval that does not reach the confidence of the heading.
pub(crate) const LESS_CONFIDENT: &str = "c";
/// The mark of a ratio of times where others are of cycles.
pub(crate) const OF_TIMES: &str = "w";
/// The mark of cycles that depend on memory more than on the core.
pub(crate) const WAITING: &str = "mem";
/// The mark of a count that is not the same in all launches.
pub(crate) const VARYING: &str = "v";
/// The mark of a rough estimate.
pub(crate) const ROUGH: &str = "~";
/// The mark of a throughput that is no latency. It is in the column of the time, which every terminal
/// has room for.
pub(crate) const OVERLAPPING: &str = "t";

/// One line of the table, without its branch.
pub(crate) struct Row {
    /// What the case is called below its heading.
    pub(crate) label: String,
    /// Why there are no figures; empty where there are.
    pub(crate) instead: String,
    /// The text in each column; empty where there is none.
    pub(crate) cells: Vec<String>,
    pub(crate) ink: Ink,
}

impl Row {
    /// `confidence` is the one of the heading; `mixed` marks ratios of times.
    pub(crate) fn new(found: &Found<'_>, confidence: f64, mixed: bool, style: &Style) -> Row {
        let result = found.main.or(found.cycles);
        let mut cells = vec![String::new(); COLUMNS];
        let mut ink = Ink::Dim;
        let instead = match (result.map(|result| result.estimate), &found.case.ignored) {
            (Some(Ok(_) | Err(Absence::BelowResolution | Absence::ClocksDisagree)), _) => {
                cells = figures(found, confidence, mixed, style).to_vec();
                String::new()
            }
            (Some(Err(Absence::MachineBusy | Absence::TooScattered)), _) if found.is_rough() => {
                ink = Ink::Plain;
                cells = rough_figures(found, style).to_vec();
                String::new()
            }
            (Some(Err(Absence::MachineBusy)), _) => {
                "machine too busy: repeat later, or raise --max-time".to_owned()
            }
            (Some(Err(Absence::TooScattered)), _) => too_scattered(result, style),
            (Some(Err(Absence::CallsTooShort | Absence::TooFewCalls)), _) => {
                "calls too short to be timed one by one".to_owned()
            }
            (Some(Err(Absence::Failed)), _) => {
                ink = Ink::Failure;
                failed(found, style)
            }
            (None, _) if found.fault.is_some() => {
                ink = Ink::Failure;
                failed(found, style)
            }
            (None, Some(why)) if why.is_empty() => "ignored".to_owned(),
            (None, Some(why)) => format!("ignored: {}", style.safe(why)),
            (Some(Err(Absence::NotReached)), _) => "not reached".to_owned(),
            (None, None) => "no result".to_owned(),
        };
        Row {
            label: label(found.case, found.named, style),
            instead,
            cells,
            ink,
        }
    }

    /// Adds the cells of the requested columns.
    pub(crate) fn request(
        &mut self,
        found: &Found<'_>,
        columns: &[OptionalColumn],
        figures: &[Option<Figure>],
        style: &Style,
    ) {
        let cells = columns.iter().zip(figures).map(|(column, figure)| {
            let shown = figure.zip(found.main);
            shown.map_or_else(String::new, |(figure, main)| {
                text(*column, figure, main, style)
            })
        });
        self.cells.extend(cells);
    }
}

/// The cells of a rough estimate: `~ 61 ns`, `39 … 84 ns`, and cycles, which may have a figure.
fn rough_figures(found: &Found<'_>, style: &Style) -> [String; COLUMNS] {
    let (main, range) = found
        .main
        .and_then(|main| rough(main, style))
        .unwrap_or_default();
    let cycles = found.cycles.map(|cycles| match figure(cycles) {
        Some(figure) => figure.cycles(),
        None => rough(cycles, style).map_or_else(String::new, |(cycles, _)| cycles),
    });
    let [allocs, bytes] = counts(found);
    [
        main,
        range,
        cycles.unwrap_or_default(),
        allocs,
        bytes,
        String::new(),
        String::new(),
    ]
}

/// How often an op allocates, and how many bytes, as in the columns.
fn counts(found: &Found<'_>) -> [String; 2] {
    let allocates = found
        .allocs
        .is_some_and(|allocs| allocs.estimate != Ok(0.0));
    let bytes = found.bytes.filter(|_| allocates);
    [found.allocs, bytes].map(|count| {
        let varies = count.is_some_and(|count| count.estimate.is_ok() && !is_exact(count));
        let mark = if varies {
            format!(" {VARYING}")
        } else {
            String::new()
        };
        count.map_or_else(String::new, counted_figure) + &mark
    })
}

/// `too scattered for a figure: 1.0 ns to 11 ns`
fn too_scattered(result: Option<&CaseResult>, style: &Style) -> String {
    let ends = result.and_then(|result| both_ends(result, style));
    let ends = ends.map_or_else(String::new, |ends| format!(": {ends}"));
    format!("too scattered for a figure{ends}")
}

/// `failed: panicked: index out of bounds`; [`faults::faults`] shows all of it.
fn failed(found: &Found<'_>, style: &Style) -> String {
    let Some(fault) = found.fault else {
        return "failed".to_owned();
    };
    let kind = faults::kind(fault);
    match fault.message.trim_ascii().lines().next() {
        Some(line) => format!("failed: {kind}: {}", style.safe(line.trim_ascii_end())),
        None => format!("failed: {kind}"),
    }
}

/// The cells in the order of the columns.
fn figures(found: &Found<'_>, confidence: f64, mixed: bool, style: &Style) -> [String; COLUMNS] {
    let estimate = found.main.and_then(figure);
    let mut main = match (found.main, estimate) {
        (None, _) => String::new(),
        (Some(main), Some(figure)) => measured(main, figure, style),
        (Some(main), None) => match main.upper {
            Some(upper) => format!("< {}", upper_bound(main, upper, style)),
            None => "none".to_owned(),
        },
    };
    if found.overlaps {
        main = format!("{main} {OVERLAPPING}");
    }
    let mut width = String::new();
    if let Some(relative) = estimate.and_then(|figure| figure.relative()) {
        let one_process = found.main.is_some_and(|main| main.scope == Scope::Process);
        let process = if one_process { ONE_PROCESS } else { "" };
        let short = found.falls_short(confidence);
        let short = if short { LESS_CONFIDENT } else { "" };
        width = format!("{} {process}{short}", percent_at_most(relative));
    }
    let mut cycles = String::new();
    if let Some(result) = found.cycles {
        cycles = match (figure(result), result.upper) {
            (Some(figure), _) => figure.cycles(),
            (None, Some(upper)) => format!("< {}", bound(upper).cycles()),
            (None, None) => String::new(),
        };
        if result.waits_for_memory() {
            cycles = format!("{cycles} {WAITING}");
        }
    }
    let throughput = found.main.zip(estimate);
    let throughput = throughput.and_then(|(main, figure)| rate(main, figure, style));
    let last = found.last.map_or_else(String::new, |last| {
        let of_times = mixed && last.metric == Metric::Time;
        format!(
            "{} {}",
            last.text(style),
            if of_times { OF_TIMES } else { "" }
        )
    });
    let throughput = throughput.unwrap_or_default();
    let [allocs, bytes] = counts(found);
    [main, width, cycles, allocs, bytes, throughput, last].map(|cell| cell.trim_end().to_owned())
}
