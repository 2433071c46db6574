//! Sentences that ask for something.

use crate::Ink;
use crate::escape::escape;

/// A sentence that asks for something, once for all rows that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// What stands before it: `! `.
    pub lead: &'static str,
    /// Its colour.
    pub ink: Ink,
    /// The names of the rows, the first of them printed; empty for all.
    pub names: Vec<String>,
    /// The sentence.
    pub text: String,
}

impl Note {
    /// A note on everything.
    pub fn new(lead: &'static str, text: impl Into<String>) -> Note {
        Note {
            lead,
            ink: Ink::Note,
            names: Vec::new(),
            text: text.into(),
        }
    }

    /// The first names, and how many more there are.
    pub fn heading(&self, name: impl Fn(&str) -> String) -> String {
        if self.names.is_empty() {
            return String::new();
        }
        let names: Vec<String> = self.names.iter().map(|one| name(one)).collect();
        format!("{}: ", first_names(&names))
    }
}

/// Leaves the first notes, and says which command has the others.
pub fn limit_notes(notes: &mut Vec<Note>, command: &str) {
    if notes.len() > MOST_NOTES {
        let more = notes.split_off(MOST_NOTES).len();
        let text = format!("{more} more: `{command}`");
        notes.push(Note::new("! ", text));
    }
}

/// Notes of a screen; a reader takes in no more.
const MOST_NOTES: usize = 3;

/// Names that are listed before the rest is counted.
const SHOWN: usize = 3;

/// Names with commas between them; of more than three, how many more there are: `a, b, c and 4 more`.
pub fn first_names<T: AsRef<str>>(names: &[T]) -> String {
    let shown = names.iter().take(SHOWN);
    let shown = shown.map(|name| escape(name.as_ref(), true));
    let list = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}
