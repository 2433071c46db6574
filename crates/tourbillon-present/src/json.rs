//! Documents as JSON.

use serde_json::{Map, Value as Json, json};

use crate::document::{Block, Cell, Document, Note, Value, line};

impl Document {
    /// An object on one line, which says of what kind it is, and in which version of that kind.
    pub fn json(&self, kind: &str, version: u32) -> String {
        let rows = self.tables().flat_map(|table| {
            let columns = table.shown_to_programs();
            table.rows.iter().map(move |row| {
                let members = columns.iter().map(|at| {
                    let key = table.columns[*at].key.clone();
                    (key, value(row.cells.get(*at)))
                });
                Json::Object(members.collect::<Map<_, _>>())
            })
        });
        let notes = self.blocks.iter().flat_map(|block| match block {
            Block::Notes(notes) => notes.as_slice(),
            _ => &[],
        });
        let document = json!({
            "kind": kind,
            "version": version,
            "title": self.title,
            "answer": line(&self.answer),
            "details": self.details,
            "rows": rows.collect::<Vec<_>>(),
            "notes": notes.map(note).collect::<Vec<_>>(),
        });
        format!("{document}\n")
    }
}

fn note(note: &Note) -> Json {
    json!({"about": note.names, "text": note.text})
}

fn value(cell: Option<&Cell>) -> Json {
    match cell {
        Some(Cell {
            value: Value::Text,
            text,
            ..
        }) => json!(text),
        Some(Cell {
            value: Value::Number(number),
            ..
        }) => json!(number),
        _ => Json::Null,
    }
}
