//! Documents as comma-separated values (RFC 4180, 2005).

use crate::document::{Cell, Document, Table, Value};
use crate::escape::escape;

/// A form of comma-separated values.
#[derive(Clone, Copy, Debug)]
pub struct CsvForm {
    /// What separates fields.
    pub field: &'static str,
    /// What separates a number's whole part from its fraction.
    pub decimal: &'static str,
    /// What ends a line.
    pub end: &'static str,
    /// What a text is in quotation marks for.
    pub quoted: &'static [char],
}

impl CsvForm {
    /// That of documents.
    pub const DOCUMENT: CsvForm = CsvForm {
        field: ",",
        decimal: ".",
        end: "\n",
        quoted: &[',', '"', '\n', '\r'],
    };

    fn line(&self, fields: impl Iterator<Item = String>) -> String {
        fields.collect::<Vec<_>>().join(self.field) + self.end
    }

    fn cell(&self, cell: Option<&Cell>) -> String {
        match cell.map(|cell| (&cell.value, &cell.text)) {
            Some((Value::Text, text)) => self.text(text),
            Some((Value::Number(number), _)) => number.to_string().replace('.', self.decimal),
            Some((Value::Flag(flag), _)) => flag.to_string(),
            Some((Value::Absent, _)) | None => String::new(),
        }
    }

    /// A field of text. Spreadsheets take one that begins with one of four signs for a formula, which can start
    /// programs: it gets an apostrophe before it, by which they know text. Numbers stay as they are.
    pub fn text(&self, text: &str) -> String {
        let escaped = escape(text, true);
        let apostrophe = if escaped.starts_with(['=', '+', '-', '@']) {
            "'"
        } else {
            ""
        };
        let text = format!("{apostrophe}{escaped}");
        if text.contains(self.quoted) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    }
}

impl Document {
    /// The tables, each below a line with the names of its columns, and an empty line between two.
    pub fn csv(&self) -> String {
        let tables = self.tables().map(|table| table.csv(&CsvForm::DOCUMENT));
        tables.collect::<Vec<_>>().join("\n")
    }
}

impl Table {
    /// A line with the names of the columns, and one for each row.
    pub fn csv(&self, form: &CsvForm) -> String {
        let columns = self.shown_to_programs();
        let mut text = form.line(columns.iter().map(|at| form.text(&self.columns[*at].key)));
        for row in &self.rows {
            text += &form.line(columns.iter().map(|at| form.cell(row.cells.get(*at))));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Column, Row};

    #[test]
    fn texts_are_no_formulas_of_a_spreadsheet() {
        let names = [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "=\"a\",b",
            "a\x1b[31m",
        ];
        let row = |name: &&str| Row {
            cells: vec![Cell::text(*name), Cell::number("-1 %", Some(-1.0))],
            ..Row::default()
        };
        let table = Table {
            columns: vec![
                Column::left("name", "name"),
                Column::right("change", "change"),
            ],
            rows: names.iter().map(row).collect(),
            ..Table::default()
        };
        let document = Document::of(vec![Block::Table(table)]);
        let expected = r#"name,change
'=1+1,-1
'+1,-1
'-1,-1
'@SUM(A1),-1
\t=1,-1
"'=""a"",b",-1
a\u{1b}[31m,-1
"#;
        assert_eq!(document.csv(), expected);
    }
}
