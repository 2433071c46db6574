//! Documents as comma-separated values (RFC 4180, 2005).

use crate::document::{Cell, Document, Value};
use crate::escape::escape;

/// What has a meaning in a file of comma-separated values.
const SIGNS: &[char] = &[',', '"', '\n', '\r'];

impl Document {
    /// The tables, each below a line with the names of its columns, and an empty line between two.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for table in self.tables() {
            if !text.is_empty() {
                text.push('\n');
            }
            let columns = table.shown_to_programs();
            let keys = columns
                .iter()
                .map(|at| quoted(&table.columns[*at].key, SIGNS));
            text += &line(keys);
            for row in &table.rows {
                text += &line(columns.iter().map(|at| field(row.cells.get(*at))));
            }
        }
        text
    }
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\n"
}

fn field(cell: Option<&Cell>) -> String {
    match cell.map(|cell| (&cell.value, &cell.text)) {
        Some((Value::Text, text)) => text_field(text, SIGNS),
        Some((Value::Number(number), _)) => number.to_string(),
        Some((Value::Flag(flag), _)) => flag.to_string(),
        Some((Value::Absent, _)) | None => String::new(),
    }
}

/// A field of text. Spreadsheets take one that begins with one of four signs for a formula, which can start programs: it
/// gets an apostrophe before it, by which they know text. Numbers stay as they are.
pub fn text_field(text: &str, signs: &[char]) -> String {
    let escaped = escape(text, true);
    let apostrophe = if escaped.starts_with(['=', '+', '-', '@']) {
        "'"
    } else {
        ""
    };
    quoted(&format!("{apostrophe}{escaped}"), signs)
}

/// A field, in quotation marks where it has one of these signs.
fn quoted(text: &str, signs: &[char]) -> String {
    if text.contains(signs) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Column, Row, Table};

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
