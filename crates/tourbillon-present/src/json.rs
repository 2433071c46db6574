//! Documents as JSON.

use tourbillon_record::json::Writer;

use crate::document::{Block, Cell, Document, Note, Table, Value, line};

impl Document {
    /// An object on one line, which states of what kind it is, and in which version of that kind.
    pub fn json(&self, kind: &str, version: u32) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            member(out, "kind", kind);
            out.name("version");
            out.json(version);
            member(out, "title", &self.title);
            member(out, "answer", &line(&self.answer));
            member(out, "details", &self.details);
            out.name("rows");
            out.list(|out| self.tables().for_each(|table| table.json(out)));
            out.name("notes");
            out.list(|out| {
                for block in &self.blocks {
                    if let Block::Notes(notes) = block {
                        notes.iter().for_each(|note| note.json(out));
                    }
                }
            });
        });
        out.finish() + "\n"
    }
}

fn member(out: &mut Writer, name: &str, text: &str) {
    out.name(name);
    out.text(text);
}

impl Table {
    fn json(&self, out: &mut Writer) {
        let columns = self.shown_to_programs();
        for row in &self.rows {
            out.separate();
            out.object(|out| {
                for at in &columns {
                    out.name(&self.columns[*at].key);
                    value(out, row.cells.get(*at));
                }
            });
        }
    }
}

impl Note {
    fn json(&self, out: &mut Writer) {
        out.separate();
        out.object(|out| {
            out.name("about");
            out.list(|out| {
                for name in &self.names {
                    out.separate();
                    out.text(name);
                }
            });
            member(out, "text", &self.text);
        });
    }
}

fn value(out: &mut Writer, cell: Option<&Cell>) {
    match cell.map(|cell| (&cell.value, &cell.text)) {
        Some((Value::Text, text)) => out.text(text),
        Some((Value::Number(number), _)) if number.is_finite() => {
            out.json(format_args!("{number:?}"));
        }
        _ => out.json("null"),
    }
}
