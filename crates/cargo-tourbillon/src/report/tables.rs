//! The tables of the page.

use std::collections::HashMap;

use maud::{Markup, html};
use tourbillon_pictures::{Scale, Sheet, axis_glyph, glyph, legend, pair_glyph};
use tourbillon_present::{Cell, Row, Table};
use tourbillon_record::Metric;
use tourbillon_report::{Figure, measured};

use super::case::summary;
use super::view::{CaseView, RunView, STYLE};

/// The names of cases, each with its place in the page.
fn links<'v, 'r: 'v>(cases: impl IntoIterator<Item = &'v CaseView<'r>>) -> Vec<(&'v str, &'v str)> {
    let links = cases.into_iter().map(|case| (&*case.label, &*case.anchor));
    links.collect()
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
        let scale = Scale::log(ends.flat_map(|(lower, upper)| [lower, upper]));
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
            let (centre, shape) = (case.centre(), case.shape());
            glyph(&scales[at], interval, centre, shape, &summary(case))
        })
    };
    let sheet = Sheet {
        picture: Some(("interval", &picture)),
        headings,
        ..Sheet::new("Table of results", &run.table, links(&run.cases))
    };
    html! {
        (sheet.html())
        (legend(&run.table))
    }
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
    let axis = |case: &&CaseView<'_>| axis_glyph(&scale, |tick| case.tick(tick));
    let is_time = |case: &&CaseView<'_>| case.main.is_some_and(|main| main.metric == Metric::Time);
    let is_labelled = !is_long && cases.iter().all(is_time);
    let axis = cases.first().map(axis).filter(|_| is_labelled);
    let picture = |at: usize| {
        let [op, first] = [1, 2].map(|column| table.rows[at].text(column));
        pair_glyph(&scale, values[at], &format!("{op}; {first}"))
    };
    let sheet = Sheet {
        picture: (!is_long).then_some(("op and first call", &picture)),
        headings: axis
            .map(|axis| (0, String::new(), axis))
            .into_iter()
            .collect(),
        ..Sheet::new("First calls", &table, links(cases))
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
    let mut in_runs: HashMap<&str, usize> = HashMap::new();
    for case in found.iter().flat_map(HashMap::keys) {
        *in_runs.entry(case).or_default() += 1;
    }
    for case in runs.iter().flat_map(|run| &run.cases) {
        // Taken, so that each case has one row.
        if in_runs.remove(case.case.id.as_str()) < Some(2) {
            continue;
        }
        let mut cells = vec![Cell::text(&case.label)];
        for (number, run) in runs.iter().enumerate() {
            cells.push(
                in_run(number, case).map_or_else(Cell::default, |(case, row)| {
                    let [time, half] = ["time", "interval"].map(|key| run.table.text_of(row, key));
                    let sign = if half.is_empty() { "" } else { " ±" };
                    Cell::number(format!("{time}{sign}{half}"), case.centre())
                }),
            );
        }
        table.push(cells);
        cases.push(case);
    }
    let scale = |case: &&CaseView<'_>| {
        let intervals = (0..runs.len()).filter_map(|run| in_run(run, case)?.0.interval());
        Scale::log(intervals.flat_map(|(lower, upper)| [lower, upper]))
    };
    let scales: Vec<Scale> = cases.iter().map(scale).collect();
    let below = |at: usize, column: usize| {
        let own = in_run(column - 1, cases[at]);
        let drawn = own.and_then(|(case, _)| {
            let (interval, centre) = (case.interval()?, case.centre());
            let (shape, figures) = (case.shape(), summary(case));
            Some(glyph(&scales[at], interval, centre, shape, &figures))
        });
        drawn.unwrap_or_default()
    };
    let sheet = Sheet {
        below: Some(&below),
        ..Sheet::new("Side by side", &table, links(cases.iter().copied()))
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
