//! The table of a run as a document.

use tourbillon_present::{Block, Cell, Column, Document, Place, Row, Style, number, shortened};
use tourbillon_record::Metric;

use super::extra_columns::{self, extra_figures};
use super::gather::found;
use super::input::{Compared, Found, Table, named_confidence};
use super::legend::Legend;
use super::notes::notes;
use super::row::cells;
use crate::names::printed_name;
use crate::tree::label;

/// Most columns of a terminal that the name of a baseline takes.
const MOST_NAME: usize = 16;

impl Table<'_> {
    /// The rows and what their marks mean, then what was found.
    pub fn document(&self, style: &Style) -> Document {
        Document {
            blocks: vec![
                Block::Table(self.rows(style)),
                Block::Notes(notes(self, &found(self), style)),
            ],
            ..Document::default()
        }
    }

    /// A row for each case, in the order of the table, and what the marks mean.
    pub fn rows(&self, style: &Style) -> tourbillon_present::Table {
        let found = found(self);
        let confidence = named_confidence(&found, self.confidence);
        let compared = Compared::of(&found);
        let extra = self.options.columns;
        let with_extra = found.iter().zip(extra_figures(&found, self));
        let rows = with_extra.map(|(found, figures)| {
            let mut row = vec![Cell::text(printed_name(found.case))];
            row.extend(cells(found, confidence, compared.mixed(), style));
            row.extend(extra.iter().zip(figures).map(|(column, figure)| {
                let shown = figure.zip(found.main);
                shown.map_or_else(Cell::default, |(figure, main)| {
                    let text = extra_columns::text(*column, figure, main, style);
                    Cell::number(text, Some(figure.value))
                })
            }));
            Row {
                cells: row,
                place: Some(Place {
                    heading: found.case.group.clone(),
                    name: label(found.case, found.named, style),
                }),
                below: (self.below)(&found.case.id, style),
                ..Row::default()
            }
        });
        let legend = Legend {
            found: &found,
            compared,
            confidence,
            baseline: self.baseline,
            extra,
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
        let interval = format!(
            "{} CI {}",
            number::confidence(confidence),
            glyphs.plus_minus
        );
        let baseline = style.safe(self.baseline.unwrap_or("last run"));
        let last = shortened(&baseline, MOST_NAME, glyphs.ellipsis);
        let mut columns = vec![
            Column::left("case", ""),
            Column::right("time", main_title(found)),
            Column::right("interval", interval).giving_way(6),
            Column::right("cycles", "cycles").giving_way(1),
            Column::right("allocs", "allocs").giving_way(4),
            Column::right("bytes", "bytes").giving_way(2),
            Column::right("throughput", "throughput").giving_way(3),
            Column::right("last", last).giving_way(0),
        ];
        let extra = self.options.columns.iter();
        columns.extend(extra.map(|one| Column::right(one.name(), one.name()).giving_way(5)));
        columns
    }
}

/// One row that is not a time, and the title is no longer one of time.
fn main_title(found: &[Found<'_>]) -> &'static str {
    let mut measured = found.iter().filter(|found| found.main.is_some());
    if measured.all(|found| found.measures(Metric::Time)) {
        "time/op"
    } else {
        "per op"
    }
}
