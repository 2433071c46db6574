//! The tables of the page.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use tourbillon_pictures::{Scale, bar_glyph, glyph, pair_glyph, shorten};
use tourbillon_record::Metric;
use tourbillon_report::{Figure, counted_figure, escape, measured};

use super::case::summary;
use super::view::{CaseView, NAME, RunView, STYLE};

/// The heading of a column by which rows can be sorted.
fn sortable(title: &str, class: &str) -> Markup {
    html! { th class=(class) scope="col" aria-sort="none" { button type="button" { (title) } } }
}

/// What a cell is sorted by, where it has a figure.
fn sort_key(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.6e}"))
}

/// The table of the run: the texts of the one that was printed, with an interval drawn in each row.
pub(super) fn table(run: &RunView<'_>) -> Markup {
    let titles = &run.cells.titles;
    let shown = titles
        .iter()
        .filter(|title| !title.is_empty())
        .count()
        .max(1);
    let has_figures = titles.iter().any(|title| !title.is_empty());
    let groups = groups(&run.cases);
    let rows: HashMap<&str, _> = run
        .cells
        .rows
        .iter()
        .map(|row| (row.id.as_str(), row))
        .collect();
    let key = |case: &CaseView<'_>, column: usize| {
        let (lower, estimate, upper) = case.interval()?;
        sort_key(match column {
            0 => Some(estimate),
            1 => Some((upper - estimate).max(estimate - lower) / estimate),
            2 => case.result(Metric::Cycles)?.estimate.ok(),
            3 => case.result(Metric::Allocs)?.estimate.ok(),
            4 => case.result(Metric::Bytes)?.estimate.ok(),
            _ => None,
        })
    };
    html! {
        div.wide tabindex="0" role="region" aria-label="Table of results" {
            table.sortable.stacked {
                thead { tr {
                    (sortable("case", ""))
                    th scope="col" { "interval" }
                    @for title in titles.iter().filter(|title| !title.is_empty()) { (sortable(title, "n")) }
                    @if !has_figures { th scope="col" { "result" } }
                } }
                @for group in groups {
                    @let scale = scale(group);
                    tbody {
                        tr { th colspan="9" scope="rowgroup" { (group_axis(group, &scale)) } }
                        @for case in group {
                            tr data-n=(shorten(&case.label, NAME)) {
                                td.name { a href={ "#" (case.anchor) } { (shorten(&case.label, NAME)) } }
                                td.glyph {
                                    @if let Some(interval) = case.interval() {
                                        (glyph(&scale, interval, &summary(case)))
                                    }
                                }
                                @match rows.get(case.case.id.as_str()) {
                                    Some(row) if row.instead.is_empty() => {
                                        @for (column, title) in titles.iter().enumerate() {
                                            @if !title.is_empty() {
                                                td.n data-h=(title) data-v=[key(case, column)] {
                                                    (row.cells[column])
                                                }
                                            }
                                        }
                                    }
                                    Some(row) => td colspan=(shown) { (row.instead) },
                                    None => td colspan=(shown) {},
                                }
                            }
                        }
                    }
                }
            }
        }
        @for line in &run.cells.legend { p.quiet { (line) } }
    }
}

/// The cases of each group, which follow each other.
fn groups<'v, 'r>(cases: &'v [CaseView<'r>]) -> impl Iterator<Item = &'v [CaseView<'r>]> {
    cases.chunk_by(|one, other| one.case.group == other.case.group)
}

fn scale(group: &[CaseView<'_>]) -> Scale {
    let ends = group.iter().filter_map(CaseView::interval);
    Scale::log(ends.flat_map(|(lower, _, upper)| [lower, upper]))
}

/// A group's name, and the ends of its axis.
fn group_axis(group: &[CaseView<'_>], scale: &Scale) -> Markup {
    let name = group.first().map_or("", |case| case.case.group.as_str());
    let ticks = scale.ticks(4);
    html! {
        bdi { (shorten(&escape(name, true), NAME)) }
        @let drawn = group.iter().find(|case| case.interval().is_some());
        @if let (Some(case), [first, .., last]) = (drawn, ticks.as_slice()) {
            " " span.quiet { "ticks at " (case.tick(*first)) " and " (case.tick(*last)) }
        }
    }
}

/// What ops ask of the allocator, with a bar for the bytes.
pub(super) fn memory(run: &RunView<'_>) -> Markup {
    let columns = [
        Metric::Allocs,
        Metric::Bytes,
        Metric::Peak,
        Metric::Kept,
        Metric::Moved,
    ];
    let titles = ["allocs/op", "bytes/op", "peak", "kept/op", "moved/op"];
    let bytes = |case: &CaseView<'_>| case.result(Metric::Bytes)?.estimate.ok();
    let cases: Vec<&CaseView<'_>> = run
        .cases
        .iter()
        .filter(|case| bytes(case).is_some())
        .collect();
    let scale = Scale::from_zero(cases.iter().filter_map(|case| bytes(case)));
    html! {
        @if !cases.is_empty() {
            h3 { "Memory" }
            div.wide tabindex="0" role="region" aria-label="Memory" {
                table.sortable.stacked {
                    thead { tr {
                        (sortable("case", ""))
                        th scope="col" { "bytes, from zero" }
                        @for title in titles { (sortable(title, "n")) }
                    } }
                    tbody {
                        @for case in &cases {
                            tr data-n=(shorten(&case.label, NAME)) {
                                td.name { a href={ "#" (case.anchor) } { (shorten(&case.label, NAME)) } }
                                td.glyph {
                                    @if let (Some(value), Some(result)) =
                                        (bytes(case), case.result(Metric::Bytes))
                                    {
                                        (bar_glyph(&scale, value, &counted_figure(result)))
                                    }
                                }
                                @for (metric, title) in columns.into_iter().zip(titles) {
                                    @let result = case.result(metric);
                                    @let number = result.and_then(|result| result.estimate.ok());
                                    td.n data-h=(title) data-v=[sort_key(number)] {
                                        @if let (Some(result), Some(_)) = (result, number) { (counted_figure(result)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The first call of a process next to what an op takes later; without pictures where the page is long.
pub(super) fn first_calls(run: &RunView<'_>, is_long: bool) -> Markup {
    let both = |case: &CaseView<'_>| {
        let main = case.main?;
        Some((main.estimate.ok()?, main.first_call?))
    };
    let cases: Vec<&CaseView<'_>> = run
        .cases
        .iter()
        .filter(|case| both(case).is_some())
        .collect();
    let values = cases.iter().filter_map(|case| both(case));
    let scale = Scale::log(values.flat_map(|(op, first)| [op, first]));
    html! {
        @if !cases.is_empty() {
            h3 { "First call" }
            p.quiet {
                "The first call of a fresh process, clock reads included: the median of the launches. "
                @if !is_long { "Dot: an op; triangle: the first call; one log axis for all." }
            }
            div.wide tabindex="0" role="region" aria-label="First calls" {
                table.sortable.stacked {
                    thead { tr {
                        (sortable("case", ""))
                        @if !is_long { th scope="col" { "op and first call" } }
                        (sortable("per op", "n"))
                        (sortable("first call", "n"))
                    } }
                    tbody {
                        @for case in &cases {
                            @if let (Some((op, first)), Some(main)) = (both(case), case.main) {
                                @let shown = measured(main, Figure::new(first, None, None), &STYLE);
                                @let estimate = case.estimate().unwrap_or_default();
                                tr data-n=(shorten(&case.label, NAME)) {
                                    td.name { a href={ "#" (case.anchor) } { (shorten(&case.label, NAME)) } }
                                    @if !is_long {
                                        td.glyph {
                                            (pair_glyph(&scale, (op, first), &format!("{estimate}; {shown}")))
                                        }
                                    }
                                    td.n data-h="per op" data-v=[sort_key(Some(op))] { (estimate) }
                                    td.n data-h="first call" data-v=[sort_key(Some(first))] { (shown) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The cells of several runs for the same case. They were not measured together: no ratio, no verdict.
pub(super) fn side_by_side(runs: &[RunView<'_>]) -> Markup {
    let measured: Vec<&RunView<'_>> = runs.iter().filter(|run| run.measures()).collect();
    let found: Vec<HashMap<&str, (&CaseView<'_>, [&str; 2])>> = measured
        .iter()
        .map(|run| {
            let rows: HashMap<&str, _> = run
                .cells
                .rows
                .iter()
                .map(|row| (row.id.as_str(), row))
                .collect();
            let cells = |case: &CaseView<'_>| match rows.get(case.case.id.as_str()) {
                Some(row) if row.instead.is_empty() => {
                    [row.cells[0].as_str(), row.cells[1].as_str()]
                }
                Some(row) => [row.instead.as_str(), ""],
                None => ["", ""],
            };
            let cases = run.cases.iter();
            cases
                .map(|case| (case.case.id.as_str(), (case, cells(case))))
                .collect()
        })
        .collect();
    let mut seen = HashSet::new();
    let mut shared: Vec<&CaseView<'_>> = Vec::new();
    for case in measured.iter().flat_map(|run| &run.cases) {
        let id = case.case.id.as_str();
        if seen.insert(id) && found.iter().filter(|cases| cases.contains_key(id)).count() > 1 {
            shared.push(case);
        }
    }
    html! {
        section {
            h2 id="side-by-side" { "Side by side" }
            p.quiet {
                "The records were not measured together: a difference between them is no verdict."
            }
            @if shared.is_empty() { p { "No case is in more than one record." } }
            @else {
                div.wide tabindex="0" role="region" aria-label="Side by side" {
                    table.sortable.stacked {
                        thead { tr {
                            (sortable("case", ""))
                            @for run in &measured { (sortable(&run.title(), "n")) }
                        } }
                        tbody {
                            @for case in shared {
                                @let id = case.case.id.as_str();
                                @let all: Vec<_> = found.iter().map(|cases| cases.get(id)).collect();
                                @let scale = common(&all);
                                tr data-n=(shorten(&case.label, NAME)) {
                                    td.name { (shorten(&case.label, NAME)) }
                                    @for (run, found) in runs.iter().zip(&all) {
                                        @let interval = found.and_then(|(case, _)| case.interval());
                                        td.n data-h=(run.title()) data-v=[sort_key(interval.map(|ends| ends.1))] {
                                            @if let Some((case, [time, half])) = found {
                                                (time)
                                                @if !half.is_empty() { " ±" (half) }
                                                @if let Some(interval) = interval {
                                                    (glyph(&scale, interval, &summary(case)))
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn common(found: &[Option<&(&CaseView<'_>, [&str; 2])>]) -> Scale {
    let ends = found
        .iter()
        .flatten()
        .filter_map(|(case, _)| case.interval());
    Scale::log(ends.flat_map(|(lower, _, upper)| [lower, upper]))
}
