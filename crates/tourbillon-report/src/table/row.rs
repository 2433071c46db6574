//! One line of a table.

use tourbillon_present::figure::{both_ends, bound, rate, rough, upper_bound};
use tourbillon_present::{Cell, Figure, Ink, Style, counted_figure, is_exact, measured};
use tourbillon_record::{Absence, CaseResult, Scope};

use super::input::{Before, Found, figure};
use crate::faults;

/// Columns of a table between the names and the verdicts: the figure, its half-width, cycles, instructions,
/// allocations, their bytes, throughput, and the change since another run.
pub(crate) const COLUMNS: usize = 8;

/// The mark of an interval that covers one process only.
pub(crate) const ONE_PROCESS: &str = "p";
/// The mark of an interval that does not reach the confidence of the heading.
pub(crate) const LESS_CONFIDENT: &str = "c";
/// The word before a result of another run to which no change is known.
pub(crate) const WAS: &str = "was";
/// The mark of cycles that depend on memory more than on the core.
pub(crate) const WAITING: &str = "mem";
/// The mark of a count that is not the same in all launches.
pub(crate) const VARYING: &str = "v";
/// The mark of a rough estimate.
pub(crate) const ROUGH: &str = "~";
/// The mark of a throughput that is no latency. It is in the column of the time, which every terminal
/// has room for.
pub(crate) const OVERLAPPING: &str = "t";

/// The cells of a case, or the reason why there are none. `confidence` is the one of the heading.
pub(crate) fn cells(found: &Found<'_>, confidence: f64, style: &Style) -> Vec<Cell> {
    let result = found.main.or(found.cycles);
    let reason = |text: String, ink| vec![Cell::number(text, None).ink(ink).spanning()];
    match (result.map(|result| result.estimate), &found.case.ignored) {
        (Some(Ok(_) | Err(Absence::BelowResolution | Absence::ClocksDisagree)), _) => {
            figures(found, confidence, style).into()
        }
        (Some(Err(Absence::MachineBusy | Absence::TooScattered)), _) if found.is_rough() => {
            rough_figures(found, style).into()
        }
        (Some(Err(Absence::Failed)), _) => reason(failed(found, style), Ink::Failure),
        (None, _) if found.fault.is_some() => reason(failed(found, style), Ink::Failure),
        (Some(Err(absence)), _) => {
            let text = match absence {
                Absence::MachineBusy => {
                    "machine too busy: repeat later, or raise --max-time".to_owned()
                }
                Absence::TooScattered => too_scattered(result, style),
                Absence::NotReached => "not reached".to_owned(),
                _ => "calls too short to be timed one by one".to_owned(),
            };
            reason(text, Ink::Dim)
        }
        (None, Some(why)) if why.is_empty() => reason("ignored".to_owned(), Ink::Dim),
        (None, Some(why)) => reason(format!("ignored: {}", style.safe(why)), Ink::Dim),
        (None, None) => reason("no result".to_owned(), Ink::Dim),
    }
}

/// The cells of a rough estimate: `~ 61 ns`, `39 … 84 ns`, and cycles, which may have a figure.
fn rough_figures(found: &Found<'_>, style: &Style) -> [Cell; COLUMNS] {
    let (main, range) = found
        .main
        .and_then(|main| rough(main, style))
        .unwrap_or_default();
    let cycles = found.cycles.and_then(|cycles| match figure(cycles) {
        Some(figure) => Some(figure.cycles()),
        None => Some(rough(cycles, style)?.0),
    });
    let [instructions, allocs, bytes] = counts(found);
    [
        Cell::number(main, None),
        Cell::number(range, None).ink(Ink::Dim),
        Cell::number(cycles.unwrap_or_default(), None),
        instructions,
        allocs,
        bytes,
        Cell::default(),
        last(found, style),
    ]
}

/// Instructions of an op, how often it allocates, and how many bytes, as in the columns.
fn counts(found: &Found<'_>) -> [Cell; 3] {
    let allocates = found
        .allocs
        .is_some_and(|allocs| allocs.estimate != Ok(0.0));
    let bytes = found.bytes.filter(|_| allocates);
    [found.instructions, found.allocs, bytes].map(|count| {
        let Some(count) = count else {
            return Cell::default();
        };
        let mut text = counted_figure(count);
        if count.estimate.is_ok() && !is_exact(count) {
            text += &format!(" {VARYING}");
        }
        Cell::number(text, count.estimate.ok())
    })
}

/// `too scattered for a figure: 1.0 ns to 11 ns`
fn too_scattered(result: Option<&CaseResult>, style: &Style) -> String {
    let why = "too scattered for a figure";
    match result.and_then(|result| both_ends(result, style)) {
        Some(ends) => format!("{why}: {ends}"),
        None => why.to_owned(),
    }
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
fn figures(found: &Found<'_>, confidence: f64, style: &Style) -> [Cell; COLUMNS] {
    let estimate = found.main.and_then(figure);
    let [instructions, allocs, bytes] = counts(found);
    let rate = found
        .main
        .zip(estimate)
        .and_then(|(main, figure)| rate(main, figure, style));
    [
        main_figure(found, estimate, style),
        half_width(found, estimate, confidence, style),
        cycles(found),
        instructions,
        allocs,
        bytes,
        Cell::text(rate.unwrap_or_default()),
        last(found, style),
    ]
}

/// The change since the last run, or what that one measured.
fn last(found: &Found<'_>, style: &Style) -> Cell {
    match &found.last {
        None => Cell::default(),
        Some(Before::Change(ratio)) => Cell::text(ratio.text(style)),
        Some(Before::Was(then)) => {
            // Both ends of a wide range say little, and no column is to give way for them.
            let is_wide = then.rough.is_some_and(|rough| !rough.is_narrow());
            let rough = rough(then, style);
            let rough = rough.map(|(estimate, range)| if is_wide { range } else { estimate });
            let text = rough.or_else(|| figure_or_bound(then, figure(then), style));
            let text = text.map_or_else(String::new, |text| format!("{WAS} {text}"));
            Cell::text(text).ink(Ink::Dim)
        }
    }
}

/// A figure, or the bound in its place.
fn figure_or_bound(result: &CaseResult, estimate: Option<Figure>, style: &Style) -> Option<String> {
    match (estimate, result.upper) {
        (Some(figure), _) => Some(measured(result, figure, style)),
        (None, Some(upper)) => Some(format!("< {}", upper_bound(result, upper, style))),
        (None, None) => None,
    }
}

fn main_figure(found: &Found<'_>, estimate: Option<Figure>, style: &Style) -> Cell {
    let Some(main) = found.main else {
        return Cell::default();
    };
    let shown = figure_or_bound(main, estimate, style);
    let mut text = shown.unwrap_or_else(|| "none".to_owned());
    if found.overlaps {
        text += &format!(" {OVERLAPPING}");
    }
    Cell::number(text, estimate.map(|figure| figure.value))
}

fn half_width(found: &Found<'_>, estimate: Option<Figure>, confidence: f64, style: &Style) -> Cell {
    let shown = |figure| {
        found
            .main
            .map_or_else(String::new, |main| measured(main, figure, style))
    };
    let spread = estimate.and_then(|figure| figure.spread(shown, style));
    let (Some(figure), Some(spread)) = (estimate, spread) else {
        return Cell::default();
    };
    let mut marks = String::new();
    if found.main.is_some_and(|main| main.scope == Scope::Process) {
        marks += ONE_PROCESS;
    }
    if found.falls_short(confidence) {
        marks += LESS_CONFIDENT;
    }
    let text = format!("{spread} {marks}");
    Cell::number(text.trim_end(), figure.relative()).ink(Ink::Dim)
}

fn cycles(found: &Found<'_>) -> Cell {
    let Some(result) = found.cycles else {
        return Cell::default();
    };
    let estimate = figure(result);
    let mut text = match (estimate, result.upper) {
        (Some(figure), _) => figure.cycles(),
        (None, Some(upper)) => format!("< {}", bound(upper).cycles()),
        (None, None) => String::new(),
    };
    if result.waits_for_memory() {
        text += &format!(" {WAITING}");
    }
    Cell::number(text, estimate.map(|figure| figure.value))
}
