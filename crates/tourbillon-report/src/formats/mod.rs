//! The results of one or several runs in formats for other programs.

mod csv;
mod gnuplot;
mod libtest;

use tourbillon_present::kind::RESULTS;
use tourbillon_present::{Block, Document, Style, markdown};

use crate::TableData;

/// A format of results for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// Comma-separated values (RFC 4180): lines end in CR LF, fields with a comma, a quotation mark or a
    /// line break are quoted, the decimal sign is a point.
    Csv,
    /// The same with semicolons between fields and a decimal comma: what spreadsheets read in countries
    /// where numbers are written that way.
    CsvSemicolon,
    /// A table for a pull request or a page, in GitHub's Markdown.
    Markdown,
    /// A gnuplot script with its data in it, one line a case: `case x y dy ylow yhigh`.
    Gnuplot,
    /// The lines of the standard library's `#[bench]`, a line a case:
    /// `test NAME ... bench:       1,234.56 ns/iter (+/- 7.89)`.
    Libtest,
    /// The documents of the runs as one object of JSON: see [`Document::json`].
    Json,
}

impl ReportFormat {
    /// The results of these runs.
    ///
    /// Names are escaped as by [`escape`](crate::escape), so that none moves a terminal's cursor or
    /// breaks a line, and then as the format requires.
    pub fn render(self, sheets: &[TableData<'_>]) -> String {
        self.render_by("run", sheets)
    }

    /// The same; `title` is that of the column with the names, where there is one.
    pub fn render_by(self, title: &str, sheets: &[TableData<'_>]) -> String {
        match self {
            ReportFormat::Csv => csv::csv(title, sheets, &csv::POINT),
            ReportFormat::CsvSemicolon => csv::csv(title, sheets, &csv::COMMA),
            ReportFormat::Markdown => markdown_of(sheets),
            ReportFormat::Gnuplot => gnuplot::gnuplot(sheets),
            ReportFormat::Libtest => libtest::libtest(sheets),
            ReportFormat::Json => json_of(sheets),
        }
    }
}

/// One document, in which the name of a run stands before its results.
fn json_of(sheets: &[TableData<'_>]) -> String {
    let mut all = Document::default();
    for sheet in sheets {
        if !sheet.name.is_empty() {
            all.blocks.push(Block::text(sheet.name));
        }
        let mut of_run = sheet.table.document(&Style::FILE);
        all.blocks.append(&mut of_run.blocks);
    }
    all.json(&RESULTS)
}

/// A document for each run, below its name.
fn markdown_of(sheets: &[TableData<'_>]) -> String {
    let documents = sheets.iter().map(|sheet| {
        let document = sheet.table.document(&Style::FILE).markdown();
        if sheet.name.is_empty() {
            document
        } else {
            format!("{}\n\n{document}", markdown::code(sheet.name))
        }
    });
    documents.collect::<Vec<_>>().join("\n")
}
