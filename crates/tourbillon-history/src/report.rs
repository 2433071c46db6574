//! `history report`.

use std::path::PathBuf;

use crate::index::{IndexedRun, Point, Series};
use maud::{Markup, html};
use serde_json::json;
use tourbillon_pictures::{document, shorten};
use tourbillon_report::{Figure, Style, counted, escape};

use crate::branch_runs::BranchRuns;
use crate::equal_builds::Divide;
use crate::listing::{Listed, cells, in_unit, json_of, listed, words};
use crate::location::Location;
use crate::nominate::nominate;
use crate::picture::Drawn;
use crate::scope::{Examined, HistoryScope};
use crate::short_names::short;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::output::refuse_folder;
use tourbillon_tool::pages::save;

/// Name of the page by default.
const PAGE: &str = "history.html";
/// Most characters of a name in a table.
const NAME: usize = 120;
/// Without colour, and never broken into lines.
const STYLE: Style = Style {
    width: 100_000,
    unicode: true,
    color: false,
    wide_tables: false,
};

/// Options of this subcommand: which series the page has.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to write the page.
    pub output: Option<PathBuf>,
    /// What is examined.
    pub scope: HistoryScope,
}

/// Writes the page of the history, and gives its path.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<PathBuf, Stop> {
    if let Some(file) = &options.output {
        refuse_folder(file, location.archive()?.path())?;
    }
    let Examined {
        mut history,
        accepted,
        comparisons,
        runs,
        series,
    } = options.scope.read(location)?;
    let index = &mut *history.index;
    let mut all = Vec::new();
    for one in &series {
        for part in runs.parts(index, one)? {
            all.push((one, part));
        }
    }
    if all.is_empty() {
        let what = "the history has no result of these cases on this branch";
        return Err(Stop::Usage(format!("{what}; `history add` adds records")));
    }
    let nominations = nominate(index, &runs, series.clone(), options.scope.error)?;
    let found = listed(&nominations, &accepted, &comparisons);
    let views: Vec<View<'_>> = (1..)
        .zip(&all)
        .map(|(number, (series, part))| View {
            series,
            points: &part.points,
            divide: part.divide(),
            machine: runs.machine_name(&series.machine),
            changes: found
                .iter()
                .filter(|one| {
                    let nomination = one.nomination;
                    (nomination.series.number, nomination.part) == (series.number, part.number)
                })
                .collect(),
            anchor: format!("s{number}"),
        })
        .collect();
    let page = page(&views, &runs, &options.scope.series.branch.branch);
    save(&page, options.output.as_deref(), PAGE)
}

/// A series of equally compiled programs as the page shows it.
struct View<'v> {
    series: &'v Series,
    points: &'v [(&'v IndexedRun, Point)],
    /// What differs from the builds of the one before it.
    divide: Option<Divide<'v>>,
    machine: &'v str,
    /// In the order of the commits.
    changes: Vec<&'v Listed<'v>>,
    /// Identity in the page.
    anchor: String,
}

impl View<'_> {
    fn name(&self) -> String {
        shorten(&escape(&self.series.case, true), NAME).into_owned()
    }

    /// The figure of the newest run.
    fn newest(&self) -> String {
        let Some((_, point)) = self.points.last() else {
            return String::new();
        };
        let figure = Figure::new(point.value, point.lower, point.upper);
        in_unit(figure, &self.series.unit, &STYLE)
    }
}

fn page(views: &[View<'_>], runs: &BranchRuns, branch: &str) -> String {
    let title = format!("History of {} series", views.len());
    let newest = runs.runs.last().map_or("", short);
    let body = html! {
        header {
            h1 { (title) }
            p.quiet {
                "Made by tourbillon " (env!("CARGO_PKG_VERSION")) " from records alone: "
                (counted(runs.runs.len(), "run")) " of " (escape(branch, true)) ", the newest of " (newest) "."
            }
            nav aria-label="Contents" { a href="#changes" { "Changes" } a href="#cases" { "Cases" } }
        }
        main {
            div.filters {
                label {
                    "Filter cases "
                    input.filter type="search" autocomplete="off";
                    " " span #shown role="status" {}
                }
            }
            section { h2 id="changes" { "Changes" } (changes(views)) }
            section {
                h2 id="cases" { "Cases" }
                @for view in views { (details(view)) }
            }
        }
    };
    document(&title, &body, &figures(views))
}

/// A table of the changes of all series.
fn changes(views: &[View<'_>]) -> Markup {
    let titles = [
        "metric", "change", "verdict", "measured", "commits", "likely", "runs", "accepted",
    ];
    html! {
        @if views.iter().all(|view| view.changes.is_empty()) { p { "No change is nominated." } }
        @else {
            div.wide tabindex="0" role="region" aria-label="Table of changes" {
                table.stacked {
                    thead { tr { th scope="col" { "case" } @for title in titles { th scope="col" { (title) } } } }
                    tbody {
                        @for view in views { @for change in &view.changes {
                            tr data-n=(view.name()) {
                                td.name { a href={ "#" (view.anchor) } { (view.name()) } }
                                @for (title, cell) in titles.iter().zip(cells(change)) {
                                    td data-h=(title) { (shorten(&escape(&cell, true), NAME)) }
                                }
                            }
                        } }
                    }
                }
            }
        }
    }
}

/// A series, folded unless it changes.
fn details(view: &View<'_>) -> Markup {
    let series = view.series;
    let drawn = Drawn {
        series,
        points: view.points,
        changes: &view.changes,
    };
    let facts = [
        ("machine", format!("{} ({})", view.machine, series.machine)),
        ("metric", series.metric.clone()),
        ("runs", view.points.len().to_string()),
        ("method", series.method.clone()),
    ];
    html! {
        details.case id=(view.anchor) data-n=(view.name()) open[!view.changes.is_empty()] {
            summary { bdi { (view.name()) } " " span.quiet { (view.newest()) } }
            dl.facts {
                @for (name, value) in facts { dt { (name) } dd { (shorten(&escape(&value, true), NAME)) } }
            }
            @if let Some(divide) = &view.divide { p { (shorten(&escape(&divide.words(), true), NAME * 4)) } }
            ol { @for change in &view.changes { li { (escape(&words(change), true)) } } }
            div.grid {
                figure { figcaption { "time series" } (drawn.picture(&STYLE).inline()) }
            }
        }
    }
}

/// All figures as JSON.
fn figures(views: &[View<'_>]) -> String {
    let series: Vec<_> = views
        .iter()
        .map(|view| {
            let points = view.points.iter().map(|(run, point)| {
                json!({
                    "commit": run.commit,
                    "record": run.record,
                    "value": point.value,
                    "lower": point.lower,
                    "upper": point.upper,
                })
            });
            json!({
                "case": view.series.case,
                "metric": view.series.metric,
                "unit": view.series.unit,
                "machine": view.series.machine,
                "engine": view.series.engine,
                "method": view.series.method,
                "built_otherwise": view.divide.as_ref().map(|divide| &divide.facts),
                "points": points.collect::<Vec<_>>(),
                "changes": view.changes.iter().map(|change| json_of(change)).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({ "tourbillon": env!("CARGO_PKG_VERSION"), "series": series }).to_string()
}
