//! `history report`.

use std::path::PathBuf;

use clap::Args;
use maud::{Markup, html};
use serde_json::json;
use tourbillon_index::{IndexedRun, Point, Series};
use tourbillon_pictures::{document, shorten};
use tourbillon_report::{Figure, Style, counted, escape};

use super::branch_runs::{BranchRuns, short};
use super::examined::{Examined, ExaminedFlags};
use super::history_flags::HistoryFlags;
use super::listing::{Listed, cells, in_unit, json_of, listed, words};
use super::picture::Drawn;
use crate::exit::Stop;
use crate::output::refuse_folder;
use crate::report::{open, save};

/// Name of the page by default.
const PAGE: &str = "history.html";
/// Most characters of a name in a table.
const NAME: usize = 120;
/// Without colour, and never broken into lines.
const STYLE: Style = Style {
    width: 100_000,
    unicode: true,
    color: false,
};

/// Write a page with a picture of each series and its changes
///
/// Ranges of commits in which a series changes are drawn, with what `confirm` and `accept` made of them. The page is
/// one file of HTML that requests nothing. Its figures are inside as JSON, in the element `figures`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Where to write the page [tourbillon/history.html in the target folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    examined: ExaminedFlags,
}

pub(super) fn run(arguments: &Arguments, flags: &HistoryFlags) -> Result<(), Stop> {
    if let Some(file) = &arguments.output {
        refuse_folder(file, flags.archive()?.path())?;
    }
    let Examined {
        mut history,
        accepted,
        comparisons,
        runs,
        series,
    } = arguments.examined.read(flags)?;
    let ExaminedFlags {
        series: flags,
        level,
        ..
    } = &arguments.examined;
    let index = &mut *history.index;
    let mut all = Vec::new();
    for one in &series {
        let points = runs.points(index, one)?;
        if !points.is_empty() {
            all.push((one, points));
        }
    }
    if all.is_empty() {
        let what = "the history has no result of these cases on this branch";
        return Err(Stop::Usage(format!("{what}; `history add` adds records")));
    }
    let nominations = level.nominate(index, &runs, series.clone())?;
    let found = listed(&nominations, &accepted, &comparisons);
    let views: Vec<View<'_>> = (1..)
        .zip(&all)
        .map(|(number, (series, points))| View {
            series,
            points,
            machine: runs.machine_name(&series.machine),
            changes: found
                .iter()
                .filter(|one| one.nomination.series.number == series.number)
                .collect(),
            anchor: format!("s{number}"),
        })
        .collect();
    let page = page(&views, &runs, &flags.branch.branch);
    let path = save(&page, arguments.output.as_deref(), PAGE)?;
    match arguments.open {
        true => open(&path),
        false => Ok(()),
    }
}

/// A series as the page shows it.
struct View<'v> {
    series: &'v Series,
    points: &'v [(&'v IndexedRun, Point)],
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
            ol { @for change in &view.changes { li { (escape(&words(change), true)) } } }
            div.grid {
                figure { figcaption { "time series" } (drawn.picture(&STYLE).inline()) }
            }
        }
    }
}

/// All figures as JSON.
fn figures(views: &[View<'_>]) -> String {
    let series = views.iter().map(|view| {
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
            "points": points.collect::<Vec<_>>(),
            "changes": view.changes.iter().map(|change| json_of(change)).collect::<Vec<_>>(),
        })
    });
    let series: Vec<_> = series.collect();
    json!({ "tourbillon": env!("CARGO_PKG_VERSION"), "series": series }).to_string()
}
