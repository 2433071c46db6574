//! A table as texts, for a page that lays them out by itself.

use crate::table::{Parts, Remark, found, remarks};
use crate::tree::full_label;
use crate::{Style, Table};

/// What [`Table::render`] prints, not laid out: the same texts from the same functions.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Titles of the columns: the figure, its interval, cycles, throughput, the comparison with another run, and
    /// those that were requested. Empty for a column without a cell.
    pub titles: Vec<String>,
    /// A row for each case, in the order of the table.
    pub rows: Vec<CellRow>,
    /// What the marks mean, a line each.
    pub legend: Vec<String>,
    /// Findings, the most severe first.
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
    pub cells: Vec<String>,
    /// What stands below the row: what else was measured.
    pub below: String,
}

impl Table<'_> {
    /// The texts of the table, without colour.
    pub fn cells(&self) -> Cells {
        let parts = Parts::of(self, &Style::FILE);
        let title = |column| match parts.layout.shows(column) {
            true => parts.layout.title(column).to_owned(),
            false => String::new(),
        };
        let rows = parts.order.iter().enumerate().map(|(at, case)| {
            let row = &parts.rows[at];
            CellRow {
                id: case.id.clone(),
                label: full_label(case, &Style::FILE),
                instead: row.instead.clone(),
                cells: row.cells.clone(),
                below: (self.below)(&case.id, &Style::FILE).trim_ascii().to_owned(),
            }
        });
        // Findings have a list of their own.
        let is_legend = |line: &&str| !line.is_empty() && !line.starts_with("! ");
        let legend = parts.meanings.lines().filter(is_legend);
        Cells {
            titles: (0..parts.layout.columns()).map(title).collect(),
            rows: rows.collect(),
            legend: legend.map(str::to_owned).collect(),
            remarks: remarks(self, &found(self), &Style::FILE),
        }
    }
}
