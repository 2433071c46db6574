//! The page: what stands where.

use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use tourbillon_pictures::{Scale, bar_glyph, document, glyph, pair_glyph, shorten};
use tourbillon_record::{Metric, Verdict};
use tourbillon_report::{Figure, counted, differs_from_times, escape, header, measured, verdict};

use super::case::{launches, over_time, quantiles, summary};
use super::comparison::{Samples, forest, look, name};
use super::data;
use super::gallery::Gallery;
use super::sweep::{Sweep, sweeps};
use super::view::{CaseView, RunView, STYLE};

/// Cases from which on pictures hold less detail: a page of a thousand cases has to open at once.
const MANY: usize = 200;

/// Most characters of a name that is shown in a table.
const NAME: usize = 120;

/// The whole page.
pub(super) fn render(runs: &[RunView<'_>], gallery: &mut Gallery) -> String {
    let title = match runs {
        [only] => only.title(),
        several => format!("{} runs", several.len()),
    };
    let is_long = runs.iter().map(|run| run.cases.len()).sum::<usize>() > MANY;
    let body = html! {
        header {
            h1 { (title) }
            p.quiet { "Made by tourbillon " (env!("CARGO_PKG_VERSION")) " from records alone." }
            nav aria-label="Contents" {
                @for run in runs { a href={ "#" (run.anchor) } { (run.title()) } }
                @if runs.len() > 1 { a href="#side-by-side" { "Side by side" } }
                a href="#cases" { "Cases" }
            }
        }
        main {
            div.filters {
                label {
                    "Filter cases "
                    input.filter type="search" autocomplete="off";
                    " " span #shown role="status" {}
                }
            }
            @for run in runs { (section(run, gallery)) }
            @if runs.len() > 1 { (side_by_side(runs)) }
            section {
                h2 id="cases" { "Cases" }
                @for run in runs.iter().filter(|run| run.measures()) {
                    @if runs.len() > 1 { h3 { (run.title()) } }
                    @for case in &run.cases { (details(case, is_long, gallery)) }
                }
            }
        }
    };
    document(&title, &body, &data::json(runs))
}

/// Cases that a finding names before the others are folded.
const NAMED: usize = 6;

/// Findings, the most severe first, linked to their cases.
fn findings(run: &RunView<'_>) -> Markup {
    html! {
        h3 { "Findings" }
        @if run.cells.remarks.is_empty() { p { "Nothing was noticed about the cases." } }
        ul {
            @for remark in &run.cells.remarks {
                @let cases: Vec<_> = run.concerned(&remark.cases).collect();
                @let (named, others) = cases.split_at(cases.len().min(NAMED));
                li {
                    (remark.text.replace('\n', " ")) ": "
                    (links(named))
                    @if !others.is_empty() {
                        details { summary { "and " (others.len()) " more" } (links(others)) }
                    }
                }
            }
        }
    }
}

fn links(cases: &[&CaseView<'_>]) -> Markup {
    html! {
        @for (at, case) in cases.iter().enumerate() {
            @if at > 0 { ", " }
            a href={ "#" (case.anchor) } { (shorten(&case.label, NAME)) }
        }
    }
}

impl<'r> RunView<'r> {
    fn concerned(&self, ids: &[String]) -> impl Iterator<Item = &CaseView<'r>> {
        let ids: HashSet<&str> = ids.iter().map(String::as_str).collect();
        self.cases
            .iter()
            .filter(move |case| ids.contains(case.case.id.as_str()))
    }
}

/// What there is of one run.
fn section(run: &RunView<'_>, gallery: &mut Gallery) -> Markup {
    let sweeps = sweeps(&run.cases);
    let (threads, sizes): (Vec<_>, Vec<_>) = sweeps.iter().partition(|sweep| sweep.is_of_threads);
    html! {
        section aria-labelledby=(run.anchor) {
            h2 id=(run.anchor) { (run.title()) }
            (facts(run))
            @if run.measures() { (findings(run)) (table(run)) }
            @if run.compares() { (comparison(run, gallery)) }
            @if !sizes.is_empty() {
                h3 { "Sweeps" }
                div.grid {
                    @for sweep in sizes {
                        (gallery.show("sweep", sweep.picture()))
                        (gallery.show("per-size", sweep.per_size()))
                        (growth(sweep))
                    }
                }
            }
            @if !threads.is_empty() {
                h3 { "Threads" }
                div.grid {
                    @for sweep in threads {
                        (gallery.show("threads", sweep.picture()))
                        (gallery.show("rate", sweep.speed_up()))
                    }
                }
            }
            (memory(run))
            (first_calls(run))
        }
    }
}

fn growth(sweep: &Sweep<'_, '_>) -> Markup {
    let lines = sweep.growth();
    html! { @if !lines.is_empty() { ul { @for line in lines { li { (line) } } } } }
}

/// The header of the run, as it was printed above its table.
fn facts(run: &RunView<'_>) -> Markup {
    let text = header(&run.run.header, &STYLE);
    let (alarms, facts): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("! "));
    html! {
        dl.facts {
            @for fact in facts {
                @let (topic, value) = fact
                    .strip_prefix("not known: ")
                    .map_or_else(|| fact.split_once(' ').unwrap_or((fact, "")), |rest| ("not known", rest));
                dt { (topic) } dd { (value) }
            }
        }
        @for alarm in alarms { p.alarm { (alarm.trim_start_matches("! ")) } }
        @if run.run.torn { p.alarm { "The last line of the record was cut off." } }
        @if !run.run.damaged.is_empty() {
            p.alarm { "Lines of the record that could not be read: " (run.run.damaged.len()) }
        }
        @match &run.run.end {
            None => p.alarm { "The run was killed, or had not ended when its record was copied." },
            Some(end) if end.interrupted => p.alarm { "The run was interrupted." },
            Some(_) => {}
        }
    }
}

/// The heading of a column by which rows can be sorted.
fn sortable(title: &str, class: &str) -> Markup {
    html! { th class=(class) scope="col" aria-sort="none" { button type="button" { (title) } } }
}

/// What a cell is sorted by, where it has a figure.
fn sort_key(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.6e}"))
}

/// The table of the run: the texts of the one that was printed, with an interval drawn in each row.
fn table(run: &RunView<'_>) -> Markup {
    let titles = &run.cells.titles;
    let shown = titles
        .iter()
        .filter(|title| !title.is_empty())
        .count()
        .max(1);
    let has_figures = titles.iter().any(|title| !title.is_empty());
    let has_memory = run.cases.iter().any(|case| !case.allocations().is_empty());
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
                    @if has_memory { (sortable("memory", "")) }
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
                                @if has_memory { td data-h="memory" { (case.allocations()) } }
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

/// The verdicts of a run with their pictures.
fn comparison(run: &RunView<'_>, gallery: &mut Gallery) -> Markup {
    let verdicts = &run.run.verdicts;
    let ratios = verdicts.iter().filter(|verdict| verdict.ratio.is_some());
    html! {
        h3 { "Verdicts" }
        ul { @for verdict in verdicts { (sentence(verdict)) } }
        @if ratios.count() > 0 { div.grid { (gallery.show("ratios", forest(run.run))) } }
        @for verdict in verdicts {
            @if let Some(samples) = Samples::of(run.run, verdict) {
                details.case data-n=(shorten(&name(verdict), NAME)) {
                    summary { bdi { (shorten(&name(verdict), NAME)) } " " span.quiet { (verdict.finding.name()) } }
                    div.grid {
                        (gallery.show("pairs", samples.pairs(verdict)))
                        (gallery.show("shift", samples.shift(verdict)))
                    }
                }
            }
        }
    }
}

/// A verdict as it was printed, and why its ratio is not that of the times.
fn sentence(judged: &Verdict) -> Markup {
    let sign = match look(judged.finding).0 {
        tourbillon_pictures::Shape::Up => "▲",
        tourbillon_pictures::Shape::Down => "▼",
        tourbillon_pictures::Shape::Square => "■",
        _ => "○",
    };
    html! {
        li {
            span aria-hidden="true" { (sign) " " }
            (verdict(judged, &STYLE))
            @if let Some(why) = differs_from_times(judged) { "; " (why) }
        }
    }
}

/// What ops ask of the allocator, with a bar for the bytes.
fn memory(run: &RunView<'_>) -> Markup {
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
                                        (bar_glyph(&scale, value, &counted(result)))
                                    }
                                }
                                @for (metric, title) in columns.into_iter().zip(titles) {
                                    @let result = case.result(metric);
                                    @let number = result.and_then(|result| result.estimate.ok());
                                    td.n data-h=(title) data-v=[sort_key(number)] {
                                        @if let (Some(result), Some(_)) = (result, number) { (counted(result)) }
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

/// The first call of a process beside what an op takes later.
fn first_calls(run: &RunView<'_>) -> Markup {
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
                "Dot: an op; triangle: the first call; one log axis for all."
            }
            div.wide tabindex="0" role="region" aria-label="First calls" {
                table.sortable.stacked {
                    thead { tr {
                        (sortable("case", ""))
                        th scope="col" { "op and first call" }
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
                                    td.glyph {
                                        (pair_glyph(&scale, (op, first), &format!("{estimate}; {shown}")))
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
fn side_by_side(runs: &[RunView<'_>]) -> Markup {
    let runs: Vec<&RunView<'_>> = runs.iter().filter(|run| run.measures()).collect();
    let found: Vec<HashMap<&str, (&CaseView<'_>, [&str; 2])>> = runs
        .iter()
        .map(|run| {
            let rows = run.cells.rows.iter().map(|row| (row.id.as_str(), row));
            let rows: HashMap<&str, _> = rows.collect();
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
    for case in runs.iter().flat_map(|run| &run.cases) {
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
                            @for run in &runs { (sortable(&run.title(), "n")) }
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

/// What is known of one case, folded.
fn details(case: &CaseView<'_>, is_long: bool, gallery: &mut Gallery) -> Markup {
    let main = case.main;
    let facts: Vec<(&str, String)> = [
        (
            "id",
            shorten(&escape(&case.case.id, true), 4 * NAME).into_owned(),
        ),
        (
            "source",
            escape(&format!("{}:{}", case.case.file, case.case.line), true),
        ),
        ("figure", summary(case)),
        (
            "cycles",
            case.result(Metric::Cycles).map_or_else(String::new, cycles),
        ),
        (
            "launches",
            main.map_or_else(String::new, |main| main.launches.to_string()),
        ),
        (
            "batches",
            main.map_or_else(String::new, |main| main.samples.to_string()),
        ),
        (
            "method",
            main.map_or_else(String::new, |main| escape(&main.method, true)),
        ),
        ("memory", case.allocations()),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty() && value != ":0")
    .collect();
    html! {
        details.case id=(case.anchor) data-n=(shorten(&case.label, NAME)) {
            summary {
                bdi { (shorten(&case.label, NAME)) }
                @if let Some(estimate) = case.estimate() { " " span.quiet { (estimate) } }
            }
            dl.facts { @for (name, value) in facts { dt { (name) } dd { (value) } } }
            @for fault in &case.faults {
                p.alarm { "launch " (fault.launch) ": " (shorten(&escape(&fault.message, true), 4 * NAME)) }
            }
            @if !case.launches.is_empty() {
                div.grid {
                    (gallery.show("launches", launches(case)))
                    (gallery.show("quantiles", quantiles(case)))
                    @for picture in over_time(case, is_long) { (gallery.show("batches", Some(picture))) }
                }
            }
        }
    }
}

fn cycles(result: &tourbillon_record::CaseResult) -> String {
    let figure = |value| Figure::new(value, result.lower, result.upper);
    result.estimate.map_or_else(
        |_| String::new(),
        |value| measured(result, figure(value), &STYLE),
    )
}
