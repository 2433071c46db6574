//! `history report`.

use std::collections::HashMap;
use std::path::PathBuf;

use maud::{Markup, html};
use serde_json::{Value, json};
use tourbillon_pictures::{Scale, Sheet, document, line_glyph, prose, results, shorten};
use tourbillon_present::number::digits;
use tourbillon_present::{Cell, Document, Mark, Outcome, Phrase, Table};
use tourbillon_report::{Style, counted, escape};
use tourbillon_tool::exit::Stop;
use tourbillon_tool::output::{refuse_folder, refuse_unwritable};
use tourbillon_tool::pages::save;

use crate::branch_runs::BranchRuns;
use crate::change_points::ChangeDetector;
use crate::equal_builds::Divide;
use crate::index::{IndexedRun, Point, Series};
use crate::listing::{Listed, json_of, listed, table, words};
use crate::location::Location;
use crate::log::figure;
use crate::nominate::nominate;
use crate::picture::{Drawn, SYMBOLS};
use crate::scope::{Examined, HistoryScope};
use crate::short_names::short;

/// Name of the page by default.
const PAGE: &str = "history.html";
/// Most characters of a name in a table.
const NAME: usize = 120;

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
        refuse_unwritable(file)?;
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
    let mut of_parts: HashMap<(i64, usize), Vec<&Listed<'_>>> = HashMap::new();
    for one in &found {
        let part = (one.nomination.series.number, one.nomination.part);
        of_parts.entry(part).or_default().push(one);
    }
    let views: Vec<View<'_>> = (1..)
        .zip(&all)
        .map(|(number, (series, part))| View {
            name: shorten(&escape(&series.case, true), NAME).into_owned(),
            series,
            points: &part.points,
            divide: part.divide(),
            machine: runs.machine_name(&series.machine),
            changes: of_parts
                .remove(&(series.number, part.number))
                .unwrap_or_default(),
            anchor: format!("s{number}"),
        })
        .collect();
    let page = page(&views, &runs, &options.scope);
    save(&page, options.output.as_deref(), PAGE)
}

/// A series of equally compiled programs as the page shows it.
struct View<'v> {
    name: String,
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
    /// The figure of the newest run, and half the width of its interval.
    fn newest(&self) -> (String, String) {
        let newest = self.points.last();
        newest.map_or_else(Default::default, |(_, point)| {
            figure(self.series, point, &Style::FILE)
        })
    }
}

fn page(views: &[View<'_>], runs: &BranchRuns, scope: &HistoryScope) -> String {
    let answer = answer(views, runs, &scope.series.branch.branch);
    let body = html! {
        header {
            h1 { (answer.title) }
            (results(&answer))
            nav aria-label="Contents" {
                a href="#changes" { "Changes" } a href="#series" { "Series" } a href="#cases" { "Cases" }
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
            section { h2 id="changes" { "Changes" } (changes(views, scope.error)) }
            section { h2 id="series" { "Series" } (newest(views)) }
            section {
                h2 id="cases" { "Cases" }
                @for view in views { (details(view)) }
            }
        }
    };
    document(&answer.title, &body, &figures(views))
}

/// How many changes there are, and in what.
fn answer(views: &[View<'_>], runs: &BranchRuns, branch: &str) -> Document {
    let changes = || views.iter().flat_map(|view| &view.changes);
    let worse = changes().filter(|change| change.confirmed_worse().is_some());
    let mut answer: Vec<Phrase> = Vec::new();
    match worse.count() {
        0 => {}
        worse => {
            let (symbol, ink) = Outcome::Slower.mark(&Style::FILE);
            answer.push(Phrase {
                text: format!("{worse} confirmed worse"),
                mark: Some(Mark { symbol, ink }),
            });
        }
    }
    answer.push(match changes().count() {
        0 => "no change nominated".to_owned().into(),
        some => counted(some, "change").into(),
    });
    answer.push(format!("{} series", views.len()).into());
    answer.push(counted(runs.runs.len(), "run").into());
    Document {
        title: "Results over time".to_owned(),
        answer,
        details: format!(
            "Runs of {branch}, the newest of {}; made by tourbillon {} from records alone.",
            runs.runs.last().map_or("", short),
            env!("CARGO_PKG_VERSION")
        ),
        ..Document::default()
    }
}

/// The newest and the oldest figure of each series, and its course.
fn newest(views: &[View<'_>]) -> Markup {
    let mut table = Table::new("case")
        .left(["metric"])
        .right(["newest", &Style::FILE.half_width(0.99), "oldest", "runs"])
        .left(["machine"]);
    let is_one_machine = views.iter().all(|view| view.machine == views[0].machine);
    for view in views {
        let (newest, half) = view.newest();
        let value = |point: Option<&(&IndexedRun, Point)>| point.map(|(_, point)| point.value);
        let oldest = view.points.first();
        let of_oldest = oldest.filter(|_| view.points.len() > 1);
        let (shown, _) = of_oldest.map_or_else(Default::default, |(_, point)| {
            figure(view.series, point, &Style::FILE)
        });
        table.push([
            Cell::text(&*view.name),
            Cell::text(&*view.series.metric),
            Cell::number(newest, value(view.points.last())),
            Cell::text(half),
            Cell::number(shown, value(oldest)),
            Cell::number(
                view.points.len().to_string(),
                Some(view.points.len() as f64),
            ),
            Cell::text(if is_one_machine { "" } else { view.machine }),
        ]);
    }
    let course = |at: usize| {
        let points = views[at].points.iter().map(|(_, point)| point);
        let values: Vec<f64> = points.clone().map(|point| point.value).collect();
        // What lies within the intervals does not look like a change.
        let ends = points.flat_map(|point| [point.lower, point.upper]);
        let scale = Scale::linear(values.iter().copied().chain(ends.flatten()));
        line_glyph(&scale, &values, &format!("{} runs", values.len()))
    };
    let links = views.iter().map(|view| (&*view.name, &*view.anchor));
    let sheet = Sheet {
        picture: Some(("course", &course)),
        ..Sheet::new("Table of series", &table, links.collect())
    };
    sheet.html()
}

/// A table of the changes of all series, which are nominated with this error.
fn changes(views: &[View<'_>], error: f64) -> Markup {
    let all = || {
        views
            .iter()
            .flat_map(|view| view.changes.iter().map(move |one| (view, *one)))
    };
    let table = table(all().map(|(_, change)| change));
    let links = all().map(|(view, _)| (&*view.name, &*view.anchor));
    html! {
        @if table.rows.is_empty() {
            @let fewest = ChangeDetector::fewest(error);
            p {
                "No change is nominated"
                @if views.iter().all(|view| view.points.len() < fewest) { "; of a time it takes at least " (fewest) " runs" }
                "."
            }
        }
        @else { (Sheet::new("Table of changes", &table, links.collect()).html()) }
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
        details.case id=(view.anchor) data-n=(view.name) open[!view.changes.is_empty()] {
            summary { bdi { (view.name) } " " span.quiet { (view.newest().0) } }
            dl.facts {
                @for (name, value) in facts { dt { (name) } dd { (shorten(&escape(&value, true), NAME)) } }
            }
            @if let Some(divide) = &view.divide { p { (prose(&shorten(&escape(&divide.words(), true), NAME * 4))) } }
            ol { @for change in &view.changes { li { (prose(&escape(&words(change), true))) } } }
            div.grid.one {
                figure { figcaption { "time series" @if !view.changes.is_empty() { (SYMBOLS) } } (drawn.picture(&Style::FILE).inline()) }
            }
        }
    }
}

/// Digits of figures in the page: records have all of them.
const DIGITS: usize = 6;

/// All figures as JSON. Most series have the same runs: each list of these is there once.
fn figures(views: &[View<'_>]) -> String {
    let mut lists: Vec<Value> = Vec::new();
    let mut places: HashMap<Vec<i64>, usize> = HashMap::new();
    let mut series = Vec::new();
    for view in views {
        let numbers: Vec<i64> = view.points.iter().map(|(run, _)| run.number).collect();
        let list = *places.entry(numbers).or_insert_with(|| {
            let runs = view.points.iter().map(|(run, _)| run);
            lists.push(runs.map(|run| json!([run.commit, run.record])).collect());
            lists.len() - 1
        });
        let column = |of: fn(&Point) -> Option<f64>| -> Value {
            view.points
                .iter()
                .map(|(_, point)| short_figure(of(point)))
                .collect()
        };
        series.push(json!({
            "case": view.series.case,
            "metric": view.series.metric,
            "unit": view.series.unit,
            "machine": view.series.machine,
            "engine": view.series.engine,
            "method": view.series.method,
            "built_otherwise": view.divide.as_ref().map(|divide| &divide.facts),
            "runs": list,
            "value": column(|point| Some(point.value)),
            "lower": column(|point| point.lower),
            "upper": column(|point| point.upper),
            "changes": view.changes.iter().map(|change| json_of(change)).collect::<Vec<_>>(),
        }));
    }
    let version = env!("CARGO_PKG_VERSION");
    json!({ "tourbillon": version, "runs": lists, "series": series }).to_string()
}

/// A figure with [`DIGITS`].
fn short_figure(figure: Option<f64>) -> Value {
    let short = figure.and_then(|figure| digits(figure, DIGITS).parse::<f64>().ok());
    short.map_or(Value::Null, Value::from)
}
