//! The results of one or several runs in the forms that other programs read.

mod cells;
mod csv;
mod gnuplot;
mod markdown;

pub use cells::{CellRow, Cells};

use crate::{Style, Table};

/// A form of results for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// Comma-separated values as RFC 4180 has them: lines end in CR LF, fields with a comma, a
    /// quotation mark or a line break are quoted, the decimal sign is a point.
    Csv,
    /// The same with semicolons between fields and a decimal comma: what spreadsheets read where
    /// people write numbers that way.
    CsvSemicolon,
    /// A table for a pull request or a page, as GitHub's Markdown has them.
    Markdown,
    /// A gnuplot script with its data in it, one line a case: `case x y dy ylow yhigh`.
    Gnuplot,
}

/// The results of a run under a name that tells it from the others.
#[derive(Clone, Copy, Debug)]
pub struct TableData<'a> {
    /// The name; empty where there is only one run.
    pub name: &'a str,
    /// What is known about its cases.
    pub table: &'a Table<'a>,
}

impl ReportFormat {
    /// The results of these runs.
    ///
    /// Names are escaped as [`escape`](crate::escape) does it, so that none moves a terminal's
    /// cursor or breaks a line, and then as the form wants it.
    pub fn render(self, sheets: &[TableData<'_>]) -> String {
        self.render_by("run", sheets)
    }

    /// The same; `title` is that of the column with the names, where there is one.
    pub fn render_by(self, title: &str, sheets: &[TableData<'_>]) -> String {
        match self {
            ReportFormat::Csv => csv::csv(title, sheets, csv::POINT),
            ReportFormat::CsvSemicolon => csv::csv(title, sheets, csv::COMMA),
            ReportFormat::Markdown => markdown::markdown(sheets),
            ReportFormat::Gnuplot => gnuplot::gnuplot(sheets),
        }
    }
}

/// How texts are drawn that go into files: a line for each sentence, without colour.
const FILE: Style = Style {
    width: 1_000,
    unicode: true,
    color: false,
};
