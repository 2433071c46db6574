//! Documents as comma-separated values (RFC 4180, 2005).

use crate::document::{Cell, Document, Value};

impl Document {
    /// The tables, each below a line with the names of its columns, and an empty line between two.
    ///
    /// # Errors
    ///
    /// None that a memory that suffices does not prevent.
    pub fn csv(&self) -> std::io::Result<String> {
        let mut texts = Vec::new();
        for table in self.tables() {
            let columns = table.shown_to_programs();
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(columns.iter().map(|at| &table.columns[*at].key))?;
            for row in &table.rows {
                writer.write_record(columns.iter().map(|at| field(row.cells.get(*at))))?;
            }
            let bytes = writer
                .into_inner()
                .map_err(csv::IntoInnerError::into_error)?;
            texts.push(String::from_utf8(bytes).map_err(std::io::Error::other)?);
        }
        Ok(texts.join("\n"))
    }
}

fn field(cell: Option<&Cell>) -> String {
    match cell {
        Some(Cell {
            value: Value::Text,
            text,
            ..
        }) => text.clone(),
        Some(Cell {
            value: Value::Number(number),
            ..
        }) => number.to_string(),
        Some(Cell {
            value: Value::Flag(flag),
            ..
        }) => flag.to_string(),
        _ => String::new(),
    }
}
