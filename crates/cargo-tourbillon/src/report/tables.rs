//! The tables of the page.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use tourbillon_pictures::{Scale, axis_glyph, bar_glyph, glyph, pair_glyph, shorten};
use tourbillon_present::{Cell, Row, Table};
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

/// A table that the page's script can sort, of the rows of some cases.
struct Sheet<'t> {
    /// Named for readers who do not see it.
    name: &'t str,
    table: &'t Table,
    /// The cases of its rows.
    cases: Vec<&'t CaseView<'t>>,
    /// The title of a column of pictures, and the picture of a row.
    picture: Option<(&'t str, &'t dyn Fn(usize) -> Markup)>,
    /// What stands below a cell of a row and a column.
    below: &'t dyn Fn(usize, usize) -> Markup,
    /// The first row of each group, its name, and the axis of its pictures.
    headings: Vec<(usize, String, Markup)>,
}

impl Sheet<'_> {
    fn html(&self) -> Markup {
        let columns = self.table.shown_to_people().split_off(1);
        html! {
            div.wide tabindex="0" role="region" aria-label=(self.name) {
                table.sortable.stacked {
                    thead { tr {
                        (sortable("case", ""))
                        @if let Some((title, _)) = self.picture { th scope="col" { (title) } }
                        @for column in &columns { (sortable(&self.table.columns[*column].title, "n")) }
                    } }
                    @if self.headings.is_empty() {
                        tbody { @for at in 0..self.cases.len() { (self.row(at, &columns)) } }
                    }
                    @for (place, (first, name, axis)) in self.headings.iter().enumerate() {
                        @let next = self.headings.get(place + 1).map_or(self.cases.len(), |next| next.0);
                        tbody {
                            tr {
                                th scope="rowgroup" { bdi { (shorten(&escape(name, true), NAME)) } }
                                td.glyph { (axis) }
                            }
                            @for at in *first..next { (self.row(at, &columns)) }
                        }
                    }
                }
            }
        }
    }

    /// The cells of a row, or the reason why there are none.
    fn row(&self, at: usize, columns: &[usize]) -> Markup {
        let (case, row) = (self.cases[at], &self.table.rows[at]);
        html! {
            tr data-n=(shorten(&case.label, NAME)) {
                td.name { a href={ "#" (case.anchor) } { (shorten(&case.label, NAME)) } }
                @if let Some((_, picture)) = self.picture { td.glyph { (picture(at)) } }
                @if let Some(reason) = row.spanning() { td colspan=(columns.len()) { (reason.text) } }
                @else {
                    @for column in columns {
                        td.n data-h=(self.table.columns[*column].title) data-v=[sort_key(row.number(*column))] {
                            (row.text(*column)) ((self.below)(at, *column))
                        }
                    }
                }
            }
        }
    }
}

/// Nothing below a cell.
fn nothing(_: usize, _: usize) -> Markup {
    Markup::default()
}

/// The table of the run: the texts of the one that was printed, with an interval drawn in each row.
pub(super) fn table(run: &RunView<'_>) -> Markup {
    let heading = |row: &Row| row.place.as_ref().map(|place| place.heading.clone());
    let (mut headings, mut scales) = (Vec::new(), Vec::new());
    for rows in run
        .table
        .rows
        .chunk_by(|one, other| heading(one) == heading(other))
    {
        let group = &run.cases[scales.len()..][..rows.len()];
        let ends = group.iter().filter_map(CaseView::interval);
        let scale = Scale::log(ends.flat_map(|(lower, _, upper)| [lower, upper]));
        let name = heading(&rows[0]).unwrap_or_default();
        let drawn = group.iter().find(|case| case.interval().is_some());
        let axis = drawn.map(|case| axis_glyph(&scale, |tick| case.tick(tick)));
        headings.push((scales.len(), name, axis.unwrap_or_default()));
        scales.extend(std::iter::repeat_n(scale, rows.len()));
    }
    let picture = |at: usize| {
        let case = &run.cases[at];
        let interval = case.interval();
        interval.map_or_else(Markup::default, |interval| {
            glyph(&scales[at], interval, &summary(case))
        })
    };
    let sheet = Sheet {
        name: "Table of results",
        table: &run.table,
        cases: run.cases.iter().collect(),
        picture: Some(("interval", &picture)),
        below: &nothing,
        headings,
    };
    html! {
        (sheet.html())
        @for meaning in &run.table.legend { p.quiet { (meaning.mark) "  " (meaning.text) } }
    }
}

/// What ops ask of the allocator, with a bar for the bytes.
pub(super) fn memory(run: &RunView<'_>) -> Markup {
    let columns = [
        (Metric::Allocs, "allocs/op"),
        (Metric::Bytes, "bytes/op"),
        (Metric::Peak, "peak"),
        (Metric::Kept, "kept/op"),
        (Metric::Moved, "moved/op"),
    ];
    let bytes = |case: &CaseView<'_>| case.result(Metric::Bytes)?.estimate.ok();
    let cases: Vec<&CaseView<'_>> = run
        .cases
        .iter()
        .filter(|case| bytes(case).is_some())
        .collect();
    let mut table = Table::new("case").right(columns.map(|(_, title)| title));
    for case in &cases {
        let mut cells = vec![Cell::text(&case.label)];
        cells.extend(columns.map(|(metric, _)| {
            let text = case.result(metric).map_or_else(String::new, counted_figure);
            let number = case.result(metric).and_then(|result| result.estimate.ok());
            Cell::number(text, number)
        }));
        table.push(cells);
    }
    let scale = Scale::from_zero(cases.iter().filter_map(|case| bytes(case)));
    let picture = |at: usize| {
        let value = bytes(cases[at]);
        value.map_or_else(Markup::default, |value| {
            bar_glyph(&scale, value, table.rows[at].text(2))
        })
    };
    let sheet = Sheet {
        name: "Memory",
        table: &table,
        cases: cases.clone(),
        picture: Some(("bytes, from zero", &picture)),
        below: &nothing,
        headings: Vec::new(),
    };
    html! { @if !cases.is_empty() { h3 { "Memory" } (sheet.html()) } }
}

/// The first call of a process next to what an op takes later; without pictures where the page is long.
pub(super) fn first_calls(run: &RunView<'_>, is_long: bool) -> Markup {
    let mut table = Table::new("case").right(["per op", "first call"]);
    let (mut cases, mut values) = (Vec::new(), Vec::new());
    for case in &run.cases {
        let Some(main) = case.main else { continue };
        let Some((op, first)) = main.estimate.ok().zip(main.first_call) else {
            continue;
        };
        let text = measured(main, Figure::new(first, None, None), &STYLE);
        table.push([
            Cell::text(&case.label),
            Cell::number(case.estimate().unwrap_or_default(), Some(op)),
            Cell::number(text, Some(first)),
        ]);
        cases.push(case);
        values.push((op, first));
    }
    let scale = Scale::log(values.iter().flat_map(|(op, first)| [*op, *first]));
    let picture = |at: usize| {
        let [op, first] = [1, 2].map(|column| table.rows[at].text(column));
        pair_glyph(&scale, values[at], &format!("{op}; {first}"))
    };
    let sheet = Sheet {
        name: "First calls",
        table: &table,
        cases,
        picture: if is_long {
            None
        } else {
            Some(("op and first call", &picture))
        },
        below: &nothing,
        headings: Vec::new(),
    };
    html! {
        @if !values.is_empty() {
            h3 { "First call" }
            p.quiet {
                "The first call of a fresh process, clock reads included: the median of the launches. "
                @if !is_long { "Dot: an op; triangle: the first call; one log axis for all." }
            }
            (sheet.html())
        }
    }
}

/// The cells of several runs for the same case. They were not measured together: no ratio, no verdict.
pub(super) fn side_by_side(runs: &[RunView<'_>]) -> Markup {
    let runs: Vec<&RunView<'_>> = runs.iter().filter(|run| run.measures()).collect();
    let mut found: Vec<HashMap<&str, (&CaseView<'_>, &Row)>> = Vec::new();
    for run in &runs {
        let rows = run.cases.iter().zip(&run.table.rows);
        found.push(
            rows.map(|(case, row)| (&*case.case.id, (case, row)))
                .collect(),
        );
    }
    let in_run = |run: usize, case: &CaseView<'_>| found[run].get(case.case.id.as_str());
    let mut table = Table::new("case").right(runs.iter().map(|run| run.title()));
    let mut cases: Vec<&CaseView<'_>> = Vec::new();
    let mut seen = HashSet::new();
    for case in runs.iter().flat_map(|run| &run.cases) {
        let places = 0..runs.len();
        let shared = places.filter(|run| in_run(*run, case).is_some()).count() > 1;
        if !shared || !seen.insert(&case.case.id) {
            continue;
        }
        let mut cells = vec![Cell::text(&case.label)];
        for run in 0..runs.len() {
            cells.push(in_run(run, case).map_or_else(Cell::default, |(case, row)| {
                let half = row.text(2);
                let sign = if half.is_empty() { "" } else { " ±" };
                let number = case.interval().map(|(_, estimate, _)| estimate);
                Cell::number(format!("{}{sign}{half}", row.text(1)), number)
            }));
        }
        table.push(cells);
        cases.push(case);
    }
    let below = |at: usize, column: usize| {
        let intervals = (0..runs.len()).filter_map(|run| in_run(run, cases[at])?.0.interval());
        let scale = Scale::log(intervals.flat_map(|(lower, _, upper)| [lower, upper]));
        let own = in_run(column - 1, cases[at]);
        let drawn = own.and_then(|(case, _)| Some(glyph(&scale, case.interval()?, &summary(case))));
        drawn.unwrap_or_default()
    };
    let sheet = Sheet {
        name: "Side by side",
        table: &table,
        cases: cases.clone(),
        picture: None,
        below: &below,
        headings: Vec::new(),
    };
    html! {
        section {
            h2 id="side-by-side" { "Side by side" }
            p.quiet {
                "The records were not measured together: a difference between them is no verdict."
            }
            @if cases.is_empty() { p { "No case is in more than one record." } }
            @else { (sheet.html()) }
        }
    }
}
