//! Several records in one table: a row for each case, a time for each record.

mod others;

use std::collections::HashMap;

use tourbillon_present::{
    Audience, Block, Cell, Column, Document, Ink, Meaning, Phrase, Place, Ratio, Row, Style, Table,
    shortened,
};
use tourbillon_record::{Absence, Case, CaseResult, Header, Metric, Run};

use crate::case_results::CaseResults;
use crate::names::{Names, printed_name};
use crate::table::{self, Found, Legend, RatioMetrics, cells, found, named_confidence};
use crate::tree::{Headings, grouped};

/// The column of changes.
const CHANGE: &str = "change";

/// In place of the meaning of a change where no row has one.
const NOT_TOGETHER: &str =
    "The records were not measured together: a difference between them is not a verdict.";

/// Most columns of a terminal that the label of a record takes.
const MOST_LABEL: usize = 16;

/// A record among several.
#[derive(Clone, Debug)]
pub struct Beside<'a> {
    /// What its column is called.
    pub label: String,
    /// Its runs, the newest first.
    pub runs: Vec<&'a Run>,
}

impl Beside<'_> {
    fn short(&self, style: &Style) -> String {
        shortened(&self.label, MOST_LABEL, style.glyphs().ellipsis)
    }
}

/// The figures of several records in one table, what its marks mean, and, of two records, how many cases take longer in
/// the second. Only cases with a result in one of the records have a row.
pub fn beside(records: &[Beside<'_>], style: &Style) -> Document {
    let all = All::of(records);
    let rows: Vec<Compared> = all.rows(records, style);
    let answer = if records.len() == 2 {
        answer(&rows)
    } else {
        Vec::new()
    };
    let mut columns = vec![Column::left("case", "")];
    let interval = style.half_width(all.confidence);
    for record in records {
        columns.push(Column::right("time", record.short(style)));
        columns.push(Column::right("interval", &interval).giving_way(7));
    }
    columns.push(Column::left(CHANGE, CHANGE));
    columns.push(Column::left("cycles", "cycles").giving_way(3));
    let columns = columns.into_iter();
    let table = Table {
        columns: columns
            .map(|column| column.for_audience(Audience::People))
            .collect(),
        legend: all.legend(records, &rows, style),
        rows: rows.into_iter().map(|compared| compared.row).collect(),
        ..Table::default()
    };
    let mut blocks = Vec::new();
    let is_said = table.legend.iter().any(|mark| mark.column == CHANGE);
    if !table.rows.is_empty() {
        blocks.push(Block::Table(table));
    }
    if !is_said {
        blocks.push(Block::text(NOT_TOGETHER));
    }
    Document {
        blocks,
        answer,
        ..Document::default()
    }
}

/// What the records have.
struct All<'a> {
    /// The cases of all records, each once.
    cases: Vec<Case>,
    /// What is known of a case in one of the records.
    found: Vec<Found<'a>>,
    /// For each record the places of its cases among these, by their ids.
    places: Vec<HashMap<&'a str, usize>>,
    /// All results of each record.
    results: Vec<CaseResults<'a>>,
    /// The confidence of the heading.
    confidence: f64,
}

/// A row, and what it says of two records.
struct Compared {
    row: Row,
    change: Change,
}

/// What became of a case from one record to another.
enum Change {
    /// One of the figures is no number, or holds for one process alone.
    Unknown,
    /// Only the second record has it.
    New,
    /// Only the first one has it.
    Missing,
    Of(Ratio),
}

impl<'a> All<'a> {
    fn of(records: &[Beside<'a>]) -> All<'a> {
        let mut all = All {
            cases: Vec::new(),
            found: Vec::new(),
            places: Vec::new(),
            results: Vec::new(),
            confidence: 0.0,
        };
        for record in records {
            let mut places = HashMap::new();
            for run in &record.runs {
                all.confidence = all.confidence.max(run.header.settings.confidence);
                for one in found(&table::Table::of(run)) {
                    // The newest of several runs counts.
                    places.entry(&*one.case.id).or_insert(all.found.len());
                    all.found.push(one);
                }
            }
            all.places.push(places);
            let runs = record.runs.iter().copied();
            let results = runs.flat_map(|run| &run.results);
            all.results.push(CaseResults::of(results));
        }
        all.confidence = named_confidence(&all.found, all.confidence);
        let mut known = HashMap::new();
        for found in &all.found {
            let is_known = known.entry(&*found.case.id).or_insert(None);
            if found.main.is_some() || found.cycles.is_some() || found.fault.is_some() {
                is_known.get_or_insert(found.case);
            }
        }
        let order = records.iter().flat_map(|record| &record.runs);
        let ids = order.flat_map(|run| run.cases.iter().map(|case| &*case.id));
        let first = ids.filter_map(|id| known.get_mut(id)?.take());
        all.cases = first.cloned().collect();
        all
    }

    fn in_record(&self, record: usize, case: &str) -> Option<&Found<'a>> {
        let place = self.places[record].get(case)?;
        Some(&self.found[*place])
    }

    /// A row for each case, in the order of the table of a run.
    fn rows(&self, records: &[Beside<'_>], style: &Style) -> Vec<Compared> {
        let names = Names::of(&self.cases);
        let is_id = |case: &Case| case.command.is_some() || names.name(&case.id) == case.id;
        let mut order = grouped(&self.cases);
        // Rows without a heading come first.
        order.sort_by_key(|case| !is_id(case));
        let headings = Headings::of(order.iter().copied().filter(|case| !is_id(case)));
        let same_cycles = is_of_one_clock(records);
        let rows = order.into_iter().map(|case| {
            let found: Vec<Option<&Found<'_>>> = (0..records.len())
                .map(|record| self.in_record(record, &case.id))
                .collect();
            let mut row = vec![Cell::text(printed_name(case))];
            for found in &found {
                row.extend(figure(*found, self.confidence, style));
            }
            let change = match *found.as_slice() {
                [then, now] => change(then, now),
                _ => Change::Unknown,
            };
            row.push(change.cell(style));
            let cycles = match *found.as_slice() {
                [Some(then), Some(now)] if same_cycles => quotient(then.cycles, now.cycles),
                _ => None,
            };
            row.push(cycles.map_or_else(Cell::default, |ratio| ratio_cell(&ratio, style)));
            let place = if is_id(case) {
                Place {
                    heading: String::new(),
                    name: names.name(&case.id).to_owned(),
                }
            } else {
                headings.place(case)
            };
            Compared {
                row: Row {
                    cells: row,
                    place: Some(place),
                    below: others::differing(&self.results, &case.id, style),
                    ..Row::default()
                },
                change,
            }
        });
        rows.collect()
    }

    /// What the marks of the figures mean, and the change.
    fn legend(&self, records: &[Beside<'_>], rows: &[Compared], style: &Style) -> Vec<Meaning> {
        let legend = Legend {
            found: &self.found,
            ratios: RatioMetrics::default(),
            confidence: self.confidence,
            baseline: None,
            extra: &[],
            extra_figures: &[],
        };
        let mut marks = legend.marks();
        marks.retain(|meaning| ["time", "interval"].contains(&&*meaning.column));
        let is_ratio = |compared: &Compared| matches!(compared.change, Change::Of(_));
        if let [then, now] = records
            && rows.iter().any(is_ratio)
        {
            let to = style.glyphs().arrow;
            let of = format!("{} {to} {}", then.short(style), now.short(style));
            let meaning = format!("of the time, {of}; not measured together, so not a verdict");
            marks.push(Meaning::new(CHANGE, CHANGE, meaning));
            marks.push(Meaning::new(
                "cycles",
                "cycles",
                "their change, which the core's frequency hardly moves",
            ));
        }
        marks
    }
}

/// Whether cycles of the records are those of one model of processor, counted by one engine.
fn is_of_one_clock(records: &[Beside<'_>]) -> bool {
    let headers = records.iter().flat_map(|record| &record.runs);
    let headers: Vec<_> = headers.map(|run| &run.header).collect();
    let is_same = |two: &[&Header]| {
        two[0].engine == two[1].engine
            && two[0].has_processor_of(two[1])
            && two[0].has_core_kinds_of(two[1])
    };
    headers.windows(2).all(is_same)
}

/// The figure of a case in a record and its interval; a word where there is none.
fn figure(found: Option<&Found<'_>>, confidence: f64, style: &Style) -> [Cell; 2] {
    let Some(found) = found else {
        return Default::default();
    };
    let mut cells = cells(found, confidence, style).into_iter();
    let (Some(main), Some(interval)) = (cells.next(), cells.next()) else {
        return [without(found), Cell::default()];
    };
    [main, interval]
}

/// Why there is no figure, in a word.
fn without(found: &Found<'_>) -> Cell {
    let absence = found
        .main
        .or(found.cycles)
        .and_then(|main| main.estimate.err());
    match absence {
        None if found.fault.is_some() => Cell::text("failed").ink(Ink::Failure),
        Some(Absence::Failed) => Cell::text("failed").ink(Ink::Failure),
        Some(absence) => Cell::text(absence.name().replace('_', " ")).ink(Ink::Dim),
        None if found.case.ignored.is_some() => Cell::text("ignored").ink(Ink::Dim),
        None => Cell::text("no result").ink(Ink::Dim),
    }
}

fn change(then: Option<&Found<'_>>, now: Option<&Found<'_>>) -> Change {
    match (then, now) {
        (None, Some(_)) => Change::New,
        (Some(_), None) => Change::Missing,
        (Some(then), Some(now)) => {
            quotient(then.main, now.main).map_or(Change::Unknown, Change::Of)
        }
        (None, None) => Change::Unknown,
    }
}

/// The later result by the earlier one, if they measure the same. Cycles by a counter are those in user mode, by the chain
/// those that passed.
fn quotient(then: Option<&CaseResult>, now: Option<&CaseResult>) -> Option<Ratio> {
    let (then, now) = then.zip(now)?;
    let is_same = (then.metric, &then.own) == (now.metric, &now.own)
        && (then.metric != Metric::Cycles || then.method == now.method);
    is_same.then(|| Ratio::of(now, then)).flatten()
}

/// A change that is none is dim, so that the others catch the eye.
fn ratio_cell(ratio: &Ratio, style: &Style) -> Cell {
    let ink = if ratio.may_be_none() {
        Ink::Dim
    } else {
        Ink::Plain
    };
    Cell::text(ratio.in_words(style)).ink(ink)
}

impl Change {
    fn cell(&self, style: &Style) -> Cell {
        match self {
            Change::Unknown => Cell::default(),
            Change::New => Cell::text("new").ink(Ink::Dim),
            Change::Missing => Cell::text("missing").ink(Ink::Dim),
            Change::Of(ratio) => ratio_cell(ratio, style),
        }
    }

    /// How the answer counts it.
    fn word(&self) -> &'static str {
        match self {
            Change::Unknown => "without a change",
            Change::New => "new",
            Change::Missing => "missing",
            Change::Of(ratio) if ratio.may_be_none() => "not told apart",
            Change::Of(_) => APART,
        }
    }
}

/// How the answer counts intervals that do not overlap. Slower and faster are verdicts, of what was measured together.
const APART: &str = "differ";

/// The words of the answer, in the order of what a reader must act on.
const WORDS: [&str; 5] = [
    APART,
    "missing",
    "not told apart",
    "new",
    "without a change",
];

fn answer(rows: &[Compared]) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    for word in WORDS {
        let of_word = rows.iter().filter(|row| row.change.word() == word);
        let count = of_word.count();
        if count > 0 {
            let ending = if (count, word) == (1, APART) { "s" } else { "" };
            phrases.push(format!("{count} {word}{ending}"));
        }
    }
    phrases.into_iter().map(Phrase::from).collect()
}
