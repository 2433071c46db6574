//! What is drawn.

use crate::Ink;
use crate::note::{Note, limit_notes};

/// The results of a command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What it is about, in one line.
    pub title: String,
    /// What follows, in order.
    pub blocks: Vec<Block>,
    /// The answer in words: next to the prompt on a terminal, below the title elsewhere.
    pub answer: Vec<Phrase>,
    /// What the answer rests on: in Markdown and JSON.
    pub details: String,
}

/// A part of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// The words.
    pub text: String,
    /// The symbol before them, on a page.
    pub mark: Option<Mark>,
}

impl From<String> for Phrase {
    fn from(text: String) -> Phrase {
        Phrase { text, mark: None }
    }
}

/// Phrases in one line.
pub fn line(phrases: &[Phrase]) -> String {
    let texts: Vec<&str> = phrases.iter().map(|phrase| phrase.text.as_str()).collect();
    texts.join(" · ")
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A table.
    Table(Table),
    /// Sentences that ask for something.
    Notes(Vec<Note>),
    /// A paragraph.
    Text {
        /// What stands before it; its other lines are indented by this width.
        lead: String,
        /// Its words.
        text: String,
    },
    /// Lines as they are, without control characters but those of colours: pictures of characters, commands to copy.
    Lines(String),
    /// Blocks without an empty line between them.
    Group(Vec<Block>),
}

impl Block {
    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Block {
        Block::led("", text)
    }

    /// A paragraph with something before it.
    pub fn led(lead: impl Into<String>, text: impl Into<String>) -> Block {
        Block::Text {
            lead: lead.into(),
            text: text.into(),
        }
    }
}

/// Rows of cells below titles. The first column names the row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The name of its rows for programs; `rows` without one.
    pub key: &'static str,
    /// Whether its rows are paragraphs: the name, a colon, the second column; those after it are indented.
    pub is_list: bool,
    /// From left to right.
    pub columns: Vec<Column>,
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// What people read instead of the rows that are folded; behind a semicolon the flag that lists them.
    pub folded: Option<String>,
    /// The marks in its cells, and what they mean.
    pub legend: Vec<Meaning>,
}

/// What a mark means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The key of the column that has it; where that gives way, there is nothing to explain. Empty for all.
    pub column: String,
    /// The mark.
    pub mark: String,
    /// In words.
    pub text: String,
}

impl Meaning {
    /// That of a mark in a column.
    pub fn new(column: &str, mark: impl Into<String>, text: impl Into<String>) -> Meaning {
        Meaning {
            column: column.to_owned(),
            mark: mark.into(),
            text: text.into(),
        }
    }
}

/// Who gets a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// People and programs.
    #[default]
    All,
    /// Text and Markdown alone.
    People,
    /// CSV and JSON alone.
    Programs,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name for programs.
    pub key: String,
    /// Its title for people.
    pub title: String,
    /// Whether its cells end at one place, as figures do.
    pub right: bool,
    /// Who gets it.
    pub audience: Audience,
    /// Where a terminal is too narrow, the column with the least number gives way first, of several the last one; `None`
    /// for one that stays.
    pub gives_way: Option<u8>,
}

impl Column {
    /// A column of text that stays.
    pub fn left(key: impl Into<String>, title: impl Into<String>) -> Column {
        Column {
            key: key.into(),
            title: title.into(),
            right: false,
            audience: Audience::All,
            gives_way: None,
        }
    }

    /// A column of figures that stays.
    pub fn right(key: impl Into<String>, title: impl Into<String>) -> Column {
        Column {
            right: true,
            ..Column::left(key, title)
        }
    }

    /// A column that people do not get.
    pub fn of_programs(key: impl Into<String>) -> Column {
        Column {
            audience: Audience::Programs,
            ..Column::left(key, "")
        }
    }

    /// What people call it, also where it has no title.
    pub(crate) fn name(&self) -> &str {
        match self.title.as_str() {
            "" => &self.key,
            title => title,
        }
    }

    /// The same column for some readers alone.
    pub fn for_audience(self, audience: Audience) -> Column {
        Column { audience, ..self }
    }

    /// The same column, which gives way.
    pub fn giving_way(self, order: u8) -> Column {
        Column {
            gives_way: Some(order),
            ..self
        }
    }
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The symbol before its name.
    pub mark: Option<Mark>,
    /// A cell for each column; missing ones are empty.
    pub cells: Vec<Cell>,
    /// Whether people read about it in [`Table::folded`] alone.
    pub is_folded: bool,
    /// Where it stands on a terminal; `None` for a row of its own.
    pub place: Option<Place>,
    /// What else is known, below the row.
    pub below: Vec<String>,
}

/// Where a row stands among those with the same heading, which follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The heading; empty for none.
    pub heading: String,
    /// What the row is called below it.
    pub name: String,
}

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// A character of one column.
    pub symbol: &'static str,
    /// Its colour.
    pub ink: Ink,
}

/// What programs read in a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Absent,
    /// The text of the cell.
    Text,
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What people read.
    pub text: String,
    /// Its colour.
    pub ink: Ink,
    /// What programs read.
    pub value: Value,
    /// Whether it begins in its column and takes the rest of the row, whose other cells are empty.
    pub spans: bool,
}

impl Cell {
    /// A text for people and programs; absent if it is empty.
    pub fn text(text: impl Into<String>) -> Cell {
        let mut cell = Cell {
            text: text.into(),
            ..Cell::default()
        };
        if !cell.text.is_empty() {
            cell.value = Value::Text;
        }
        cell
    }

    /// A number, and what people read.
    pub fn number(text: impl Into<String>, number: Option<f64>) -> Cell {
        Cell {
            text: text.into(),
            value: number.map_or(Value::Absent, Value::Number),
            ..Cell::default()
        }
    }

    /// What programs read as yes or no; nothing for people.
    pub fn flag(flag: bool) -> Cell {
        Cell {
            value: Value::Flag(flag),
            ..Cell::default()
        }
    }

    /// The same text, which people read and programs do not.
    pub fn for_people(self) -> Cell {
        Cell {
            value: Value::Absent,
            ..self
        }
    }

    /// The same cell in a colour.
    pub fn ink(self, ink: Ink) -> Cell {
        Cell { ink, ..self }
    }

    /// The same cell, which takes the rest of its row.
    pub fn spanning(self) -> Cell {
        Cell {
            spans: true,
            ..self
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::text(text)
    }
}

impl Table {
    /// Rows of text below each other, indented and without titles.
    pub fn without_titles(rows: Vec<Vec<String>>) -> Table {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let indentation = Mark {
            symbol: " ",
            ink: Ink::Plain,
        };
        let row = |cells: Vec<String>| Row {
            mark: Some(indentation),
            cells: cells.into_iter().map(Cell::text).collect(),
            ..Row::default()
        };
        Table {
            columns: vec![Column::left("", ""); count],
            rows: rows.into_iter().map(row).collect(),
            ..Table::default()
        }
    }

    /// What the cell of a row shows in the column with this key; nothing if there is no such column.
    pub fn text_of<'r>(&self, row: &'r Row, key: &str) -> &'r str {
        let place = self.columns.iter().position(|column| column.key == key);
        place.map_or("", |place| row.text(place))
    }

    /// A table with these columns.
    pub fn of(columns: impl Into<Vec<Column>>) -> Table {
        Table {
            columns: columns.into(),
            ..Table::default()
        }
    }

    /// The same table, whose rows have this name for programs.
    pub fn named(self, key: &'static str) -> Table {
        Table { key, ..self }
    }

    /// Leaves it to programs, without what only people got.
    pub fn only_of_programs(&mut self) {
        let are_kept = self
            .columns
            .iter()
            .map(|one| one.audience != Audience::People);
        let are_kept: Vec<bool> = are_kept.collect();
        for row in &mut self.rows {
            let mut kept = are_kept.iter();
            row.cells
                .retain(|_| kept.next().is_none_or(|is_kept| *is_kept));
        }
        self.columns.retain(|one| one.audience != Audience::People);
        for column in &mut self.columns {
            column.audience = Audience::Programs;
        }
    }

    /// Whether people get something of it.
    pub fn is_for_people(&self) -> bool {
        let is_theirs = |column: &Column| column.audience != Audience::Programs;
        !self.rows.is_empty() && self.columns.iter().any(is_theirs)
    }

    /// Adds columns that people do not get; their names have blanks between them.
    pub fn of_programs(mut self, keys: &str) -> Table {
        self.columns
            .extend(keys.split(' ').map(Column::of_programs));
        self
    }

    /// A table whose first column has this title.
    pub fn new(title: &str) -> Table {
        Table::of([Column::left(title, title)])
    }

    /// Adds columns of text.
    pub fn left<T: Into<String>>(self, titles: impl IntoIterator<Item = T>) -> Table {
        self.with(titles, Column::left)
    }

    /// Adds columns of figures.
    pub fn right<T: Into<String>>(self, titles: impl IntoIterator<Item = T>) -> Table {
        self.with(titles, Column::right)
    }

    fn with<T: Into<String>>(
        mut self,
        titles: impl IntoIterator<Item = T>,
        column: fn(String, String) -> Column,
    ) -> Table {
        let titles = titles.into_iter().map(Into::into);
        let columns = titles.map(|title: String| column(title.clone(), title).giving_way(1));
        self.columns.extend(columns);
        self
    }

    /// Has these columns, by their titles, give way first.
    pub fn least(mut self, titles: &[&str]) -> Table {
        for column in &mut self.columns {
            if titles.contains(&column.title.as_str()) {
                column.gives_way = Some(0);
            }
        }
        self
    }

    /// Adds a row without a mark.
    pub fn push<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(Row {
            cells: cells.into_iter().map(Into::into).collect(),
            ..Row::default()
        });
    }

    /// The places of the columns that people get: those with a cell that is not empty.
    pub fn shown_to_people(&self) -> Vec<usize> {
        let has_text = |at: usize| self.rows.iter().any(|row| !row.text(at).is_empty());
        let columns = self.columns.iter().enumerate();
        let shown = columns.filter(|(at, column)| {
            column.audience != Audience::Programs && (*at == 0 || has_text(*at))
        });
        shown.map(|(at, _)| at).collect()
    }

    /// The places of the columns that programs get.
    pub(crate) fn shown_to_programs(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        let shown = columns.filter(|(_, column)| column.audience != Audience::People);
        shown.map(|(at, _)| at).collect()
    }
}

impl Row {
    /// The heading that it stands below on a terminal; empty for none.
    pub(crate) fn heading(&self) -> &str {
        self.place.as_ref().map_or("", |place| &place.heading)
    }

    /// The cell that takes the rest of the row.
    pub fn spanning(&self) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.spans)
    }

    /// The number that programs read in a column.
    pub fn number(&self, column: usize) -> Option<f64> {
        match self.cells.get(column)?.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// What people read in a column.
    pub fn text(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", |cell| &cell.text)
    }
}

impl Document {
    /// These blocks alone.
    pub fn of(blocks: Vec<Block>) -> Document {
        Document {
            blocks,
            ..Document::default()
        }
    }

    /// The blocks that are not groups, in order.
    pub fn leaves(&self) -> Vec<&Block> {
        fn add<'b>(blocks: &'b [Block], leaves: &mut Vec<&'b Block>) {
            for block in blocks {
                match block {
                    Block::Group(blocks) => add(blocks, leaves),
                    block => leaves.push(block),
                }
            }
        }
        let mut leaves = Vec::new();
        add(&self.blocks, &mut leaves);
        leaves
    }

    /// Adds blocks before the notes at its end, which are read together with the answer; notes among the blocks go to
    /// these.
    pub fn insert_before_notes(&mut self, blocks: Vec<Block>) {
        let mut own = match self.blocks.pop() {
            Some(Block::Notes(notes)) => notes,
            other => {
                self.blocks.extend(other);
                Vec::new()
            }
        };
        for block in blocks {
            match block {
                Block::Notes(notes) => own.extend(notes),
                block => self.blocks.push(block),
            }
        }
        if !own.is_empty() {
            self.blocks.push(Block::Notes(own));
        }
    }

    /// Adds notes to those at its end.
    pub fn add_notes(&mut self, notes: Vec<Note>) {
        match self.blocks.last_mut() {
            Some(Block::Notes(last)) => last.extend(notes),
            _ => self.blocks.push(Block::Notes(notes)),
        }
    }

    /// Its notes, without what they stand below.
    pub fn into_notes(self) -> Vec<Note> {
        let blocks = self.blocks.into_iter();
        let notes = blocks.filter_map(|block| match block {
            Block::Notes(notes) => Some(notes),
            _ => None,
        });
        notes.flatten().collect()
    }

    /// Leaves the first notes of those at its end, and says that the command has the others.
    pub fn limit_notes(&mut self, command: &str) {
        if let Some(Block::Notes(notes)) = self.blocks.last_mut() {
            limit_notes(notes, command);
        }
    }

    /// The tables, in order.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.leaves().into_iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_inserted_blocks_go_to_the_end() {
        let notes = |texts: &[&str]| {
            let notes = texts.iter().map(|text| Note::new("! ", *text));
            Block::Notes(notes.collect())
        };
        let of = |blocks: Vec<Block>, inserted: Vec<Block>| {
            let mut document = Document::of(blocks);
            document.insert_before_notes(inserted);
            document.blocks
        };
        let (first, more) = (Block::text("first"), Block::text("more"));
        assert_eq!(
            of(
                vec![first.clone(), notes(&["a"])],
                vec![more.clone(), notes(&["b"])]
            ),
            [first.clone(), more.clone(), notes(&["a", "b"])]
        );
        assert_eq!(of(vec![first.clone()], vec![more.clone()]), [first, more]);
        assert_eq!(of(Vec::new(), vec![notes(&["b"])]), [notes(&["b"])]);
        assert!(of(Vec::new(), Vec::new()).is_empty());
    }
}
