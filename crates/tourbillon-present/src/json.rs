//! Documents as JSON.

use serde_json::{Map, Value as Json, json};

use crate::document::{Block, Cell, Document, Note, Table, Value, line};

impl Document {
    /// An object on one line, which says of what kind it is, and in which version of that kind.
    pub fn json(&self, kind: &str, version: u32) -> String {
        let leaves = self.leaves();
        let notes = leaves.iter().flat_map(|block| match block {
            Block::Notes(notes) => notes.as_slice(),
            _ => &[],
        });
        let texts = leaves.iter().filter_map(|block| match block {
            Block::Text { lead, text } => Some(format!("{lead}{text}")),
            Block::Lines(lines) => Some(lines.trim_end().to_owned()),
            _ => None,
        });
        let mut document = Map::new();
        document.insert("kind".to_owned(), json!(kind));
        document.insert("version".to_owned(), json!(version));
        document.insert("title".to_owned(), json!(self.title));
        document.insert("answer".to_owned(), json!(line(&self.answer)));
        document.insert("details".to_owned(), json!(self.details));
        for table in self.tables() {
            let key = match table.key {
                "" => "rows",
                key => key,
            };
            let member = document.entry(key).or_insert_with(|| json!([]));
            if let Json::Array(rows) = member {
                rows.extend(rows_of(table));
            }
        }
        document.insert("texts".to_owned(), texts.map(Json::from).collect());
        document.insert("notes".to_owned(), notes.map(note).collect());
        format!("{}\n", Json::Object(document))
    }
}

/// The rows of a table.
fn rows_of(table: &Table) -> impl Iterator<Item = Json> {
    let columns = table.shown_to_programs();
    table.rows.iter().map(move |row| {
        let members = columns.iter().map(|at| {
            let key = table.columns[*at].key.clone();
            (key, value(row.cells.get(*at)))
        });
        Json::Object(members.collect::<Map<_, _>>())
    })
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
        Some(Cell {
            value: Value::Flag(flag),
            ..
        }) => json!(flag),
        _ => Json::Null,
    }
}
