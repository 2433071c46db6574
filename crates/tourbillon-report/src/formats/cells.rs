//! A table as texts, for a page that lays them out by itself.

use crate::Table;
use crate::style::Style;
use crate::table::{COLUMNS, Parts, Remark};
use crate::tree::full_label;

/// The texts of [`Table::render`] without a layout.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Titles of the columns: the figure, its interval, cycles, throughput, the comparison with another run.
    /// Empty for a column without a cell.
    pub titles: [String; COLUMNS],
    /// A row for each case, in the order of the table.
    pub rows: Vec<CellRow>,
    /// What the marks mean, a line each.
    pub legend: Vec<String>,
    /// Findings, the most serious first.
    pub remarks: Vec<Remark>,
}

/// The row of a case.
#[derive(Clone, Debug)]
pub struct CellRow {
    /// Identity of the case.
    pub id: String,
    /// Its name with its group: `sort/heap/10000`.
    pub label: String,
    /// Why there are no figures; empty where there are.
    pub instead: String,
    /// Its cells, in the order of the titles.
    pub cells: [String; COLUMNS],
    /// Text below the row: what else was measured.
    pub below: String,
}

impl Table<'_> {
    /// The texts of the table, without colour.
    pub fn cells(&self) -> Cells {
        let parts = Parts::of(self, &Style::FILE);
        let layout = &parts.layout;
        let rows = parts
            .order
            .iter()
            .zip(parts.rows)
            .map(|(case, row)| CellRow {
                id: case.id.clone(),
                label: full_label(case, &Style::FILE),
                instead: row.instead,
                cells: row.cells,
                below: (self.below)(&case.id, &Style::FILE).trim_ascii().to_owned(),
            });
        Cells {
            titles: std::array::from_fn(|column| {
                let title = Some(layout.title(column)).filter(|_| layout.shows(column));
                title.unwrap_or_default().to_owned()
            }),
            rows: rows.collect(),
            legend: parts.legend.lines().map(str::to_owned).collect(),
            remarks: parts.remarks,
        }
    }
}
