//! The table of a run as a document.

use tourbillon_present::{
    Block, Cell, Column, Document, Ink, Judged, Note, Place, Row, Style, number, shortened,
};
use tourbillon_record::{CaseResult, Metric};

use super::extra_columns::{self, extra_figures};
use super::gather::found;
use super::input::{Found, RatioMetrics, Table, figure, named_confidence};
use super::legend::Legend;
use super::notes::notes;
use super::row::{COLUMNS, cells};
use crate::case_results::CaseResults;
use crate::names::{Names, printed_name};
use crate::verdicts::verdict_notes;

/// Most columns of a terminal that the name of a baseline takes.
const MOST_NAME: usize = 16;

/// Columns that programs get beside those of people: of the first figure, in its unit.
const OF_PROGRAMS: [&str; 6] = ["id", "metric", "unit", "lower", "upper", "absent"];

/// The place of the column of verdicts: after the name and what was measured.
const VERDICT: usize = COLUMNS + 1;

/// Columns of a verdict: the change, its interval, what is missing.
const VERDICT_COLUMNS: usize = 3;

impl Table<'_> {
    /// The rows and what their marks mean, then what was found.
    pub fn document(&self, style: &Style) -> Document {
        Document {
            blocks: vec![
                Block::Table(self.rows(style)),
                Block::Notes(self.notes(style)),
            ],
            ..Document::default()
        }
    }

    /// What was found about the cases, and about the verdicts in their rows.
    pub fn notes(&self, style: &Style) -> Vec<Note> {
        let found = found(self);
        let verdicts = found.iter().filter_map(|found| found.verdict);
        let names = Names::of(self.cases);
        let named = verdicts.map(|verdict| (names.name(&verdict.case).to_owned(), verdict));
        let mut notes = notes(self, &found, style);
        notes.extend(verdict_notes(named, &names, style));
        notes
    }

    /// A row for each case, in the order of the table, and what the marks mean.
    pub fn rows(&self, style: &Style) -> tourbillon_present::Table {
        let found = found(self);
        let results = CaseResults::of(self.results.iter().filter(|_| self.has_calls));
        let confidence = named_confidence(&found, self.confidence);
        let ratios = RatioMetrics::new(&found);
        let extra = self.options.columns;
        let events = events(&found);
        let extra_figures = extra_figures(&found, self);
        let with_extra = found.iter().zip(&extra_figures);
        let rows = with_extra.map(|(found, figures)| {
            let mut row = vec![Cell::text(printed_name(found.case))];
            row.extend(cells(found, confidence, style));
            let is_whole = row.len() == VERDICT;
            row.resize(VERDICT, Cell::default());
            // A reason takes the rest of its row.
            if is_whole {
                row.extend(verdict_cells(found, style));
            } else {
                row.resize(VERDICT + VERDICT_COLUMNS, Cell::default());
            }
            row.extend(extra.iter().zip(figures).map(|(column, figure)| {
                let shown = figure.zip(found.main);
                shown.map_or_else(Cell::default, |(figure, main)| {
                    let text = extra_columns::text(*column, figure, main, style);
                    Cell::number(text, Some(figure.value))
                })
            }));
            row.extend(events.iter().map(|metric| event_cell(found, *metric)));
            row.extend(cells_of_programs(found));
            Row {
                cells: row,
                place: Some(Place {
                    heading: found.place.heading.clone(),
                    name: style.safe(&found.place.name),
                }),
                below: results.latencies(&found.case.id, style),
                ..Row::default()
            }
        });
        let legend = Legend {
            found: &found,
            ratios,
            confidence,
            baseline: self.baseline,
            extra,
            extra_figures: &extra_figures,
        };
        tourbillon_present::Table {
            columns: self.columns(&found, confidence, style),
            rows: rows.collect(),
            legend: legend.marks(),
            ..tourbillon_present::Table::default()
        }
    }

    /// The columns. Of those on request the last gives way first, and a time without an interval tells little.
    fn columns(&self, found: &[Found<'_>], confidence: f64, style: &Style) -> Vec<Column> {
        let glyphs = style.glyphs();
        let interval = style.half_width(confidence);
        let baseline = style.safe(self.baseline.unwrap_or("last run"));
        let last = shortened(&baseline, MOST_NAME, glyphs.ellipsis);
        let mut columns = vec![
            Column::left("case", ""),
            Column::right("time", main_title(found)),
            Column::right("interval", interval).giving_way(7),
            Column::right("cycles", "cycles").giving_way(3),
            Column::right("instructions", "instructions").giving_way(6),
            Column::right("allocs", "allocs").giving_way(5),
            Column::right("bytes", "bytes").giving_way(2),
            Column::right("throughput", "throughput").giving_way(4),
            // That of a baseline was asked for.
            Column::right("last", last).giving_way(self.baseline.map_or(5, |_| 8)),
            Column::left("reference", "to reference"),
            Column::left("reference_interval", interval_of(found)).giving_way(4),
            Column::left("reference_why", "why").giving_way(0),
        ];
        let extra = self.options.columns.iter();
        columns.extend(extra.map(|one| Column::right(one.name(), one.name()).giving_way(6)));
        let events = events(found).into_iter().map(Metric::name);
        columns.extend(events.map(|name| Column::right(name, name).giving_way(6)));
        columns.extend(OF_PROGRAMS.map(Column::of_programs));
        columns
    }
}

/// The events that a row has.
fn events(found: &[Found<'_>]) -> Vec<Metric> {
    let is_there = |metric: &Metric| {
        let mut all = found.iter().flat_map(|found| &found.events);
        all.any(|event| event.metric == *metric)
    };
    Metric::events().filter(is_there).collect()
}

/// How often an event comes in an op.
fn event_cell(found: &Found<'_>, metric: Metric) -> Cell {
    let mut events = found.events.iter();
    let event = events.find(|event| event.metric == metric);
    let figure = event.and_then(|event| figure(event));
    figure.map_or_else(Cell::default, |figure| {
        Cell::number(figure.cycles(), Some(figure.value))
    })
}

/// The cells of [`OF_PROGRAMS`].
fn cells_of_programs(found: &Found<'_>) -> [Cell; 6] {
    let number = |number| Cell::number("", number);
    let of_main = |text: fn(&CaseResult) -> &str| Cell::text(found.main.map_or("", text));
    let absence = found.main.and_then(|main| main.estimate.err());
    [
        Cell::text(&found.case.id),
        of_main(CaseResult::metric_name),
        of_main(CaseResult::unit),
        number(found.main.and_then(|main| main.lower)),
        number(found.main.and_then(|main| main.upper)),
        Cell::text(absence.map_or("", |absence| absence.name())),
    ]
}

/// What a case takes beside the reference, the interval of that, and what is missing for a verdict.
fn verdict_cells(found: &Found<'_>, style: &Style) -> [Cell; VERDICT_COLUMNS] {
    match found.verdict {
        Some(verdict) => Judged::new("", verdict).change_cells(style),
        None if found.is_reference => [
            Cell::text("reference").ink(Ink::Dim),
            Cell::default(),
            Cell::default(),
        ],
        None => Default::default(),
    }
}

/// The title of the intervals of the verdicts, which have one confidence.
fn interval_of(found: &[Found<'_>]) -> String {
    let mut verdicts = found.iter().filter_map(|found| found.verdict);
    let first = verdicts.find(|verdict| verdict.confidence > 0.0);
    first.map_or_else(String::new, |verdict| {
        format!("{} interval", number::confidence(verdict.confidence))
    })
}

/// One row that is not a time, and the title is no longer one of time.
fn main_title(found: &[Found<'_>]) -> &'static str {
    let mut measured = found.iter().filter(|found| found.main.is_some());
    if measured.all(|found| found.measures(Metric::Time)) {
        "time"
    } else {
        "per op"
    }
}
