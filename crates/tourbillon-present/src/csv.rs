//! Documents as comma-separated values (RFC 4180, 2005).

use crate::document::{Cell, Document, Value};

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
        Some((Value::Text, text)) => quoted(text, SIGNS),
        Some((Value::Number(number), _)) => number.to_string(),
        Some((Value::Flag(flag), _)) => flag.to_string(),
        Some((Value::Absent, _)) | None => String::new(),
    }
}

/// A field, in quotation marks where it has one of these signs.
pub fn quoted(text: &str, signs: &[char]) -> String {
    if text.contains(signs) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
