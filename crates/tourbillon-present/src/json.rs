//! Documents as JSON.

use tourbillon_record::json::Writer;

use crate::document::{Block, Cell, Document, Table, Value, line};
use crate::note::Note;
use crate::{Kind, escape_json};

impl Document {
    /// An object on one line, of which [no text is obeyed](escape_json). It states of what kind it is, and in which
    /// version of that kind.
    pub fn json(&self, kind: &Kind) -> String {
        debug_assert!(
            self.tables().all(|table| kind.allows(table)),
            "the kind {} has other members than {self:?}",
            kind.name
        );
        let leaves = self.leaves();
        let mut keys: Vec<&str> = self.tables().map(|table| table.member()).collect();
        keys.dedup();
        let mut out = Writer::default();
        out.object(|out| {
            member(out, "kind", kind.name);
            out.name("version");
            out.json(kind.version);
            member(out, "title", &self.title);
            member(out, "answer", &line(&self.answer));
            member(out, "details", &self.details);
            for key in keys {
                out.name(key);
                out.list(|out| {
                    let tables = self.tables().filter(|table| table.member() == key);
                    tables.for_each(|table| table.json(out));
                });
            }
            out.name("texts");
            out.list(|out| {
                for block in &leaves {
                    match block {
                        Block::Text { lead, text } => element(out, &format!("{lead}{text}")),
                        Block::Lines(lines) => element(out, lines.trim_end()),
                        _ => {}
                    }
                }
            });
            out.name("notes");
            out.list(|out| {
                for block in &leaves {
                    if let Block::Notes(notes) = block {
                        notes.iter().for_each(|note| note.json(out));
                    }
                }
            });
        });
        escape_json(out.finish() + "\n")
    }
}

fn member(out: &mut Writer, name: &str, text: &str) {
    out.name(name);
    out.text(text);
}

fn element(out: &mut Writer, text: &str) {
    out.separate();
    out.text(text);
}

impl Table {
    /// The name of its rows.
    pub(crate) fn member(&self) -> &'static str {
        match self.key {
            "" => "rows",
            key => key,
        }
    }

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
                self.names.iter().for_each(|name| element(out, name));
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
        Some((Value::Flag(flag), _)) => out.json(flag),
        _ => out.json("null"),
    }
}
