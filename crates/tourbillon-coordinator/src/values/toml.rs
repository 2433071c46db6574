//! The part of TOML that settings need: tables, dotted and quoted keys, inline tables, and as values strings of
//! one line, numbers, `true`, `false`, and lists of these.
//!
//! Dates, strings of several lines and arrays of tables have no use in a file of settings; they are errors that
//! name the line. What is read here means the same to every other reader of TOML.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tourbillon_values::is_decimal;

/// Most names of a path.
const LONGEST_PATH: usize = 8;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TomlValue {
    /// A string.
    Text(String),
    /// A number, as it was written, without underscores.
    Number(String),
    /// `true` or `false`.
    Switch(bool),
    /// A list, without lists in it.
    List(Vec<TomlValue>),
    /// A table that has nothing in it.
    Table,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlEntry {
    /// The names of its tables, and its key.
    pub path: Vec<String>,
    /// The value.
    pub value: TomlValue,
    /// Its line, from 1.
    pub line: usize,
}

/// What is wrong, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlError {
    /// The line, from 1.
    pub line: usize,
    /// What was found, and what to write.
    pub what: String,
}

/// Reads a file of settings: its values, and its tables that have none, in their order.
///
/// # Errors
///
/// The first thing that is not understood, and a key or a table that is there twice.
///
/// # Examples
///
/// ```
/// let entries = tourbillon_coordinator::values::toml("[bench]\nlaunches = 40\n").unwrap();
/// assert_eq!(entries[0].path, ["bench", "launches"]);
/// assert_eq!(entries[0].line, 2);
/// ```
pub fn toml(text: &str) -> Result<Vec<TomlEntry>, TomlError> {
    let mut reader = Reader {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 1,
        table: Vec::new(),
        entries: Vec::new(),
        tables: HashMap::new(),
        inline: Vec::new(),
        dotted: HashMap::new(),
    };
    let read = reader.document();
    let line = reader.line;
    read.and_then(|()| reader.check())
        .map_err(|(at, what)| TomlError {
            line: at.unwrap_or(line),
            what,
        })?;
    reader.add_empty_tables();
    Ok(reader.entries)
}

/// A mistake, in the present line without another.
type Mistake = (Option<usize>, String);
type Read<T> = Result<T, Mistake>;

fn mistake<T>(what: impl Into<String>) -> Read<T> {
    Err((None, what.into()))
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
    /// The table that the last header opened.
    table: Vec<String>,
    entries: Vec<TomlEntry>,
    /// The tables that headers opened, with their lines.
    tables: HashMap<Vec<String>, usize>,
    /// The paths of inline tables, their lines, and which entries are in them.
    inline: Vec<(Vec<String>, usize, Range<usize>)>,
    /// The tables that dots in keys opened, with their lines.
    dotted: HashMap<Vec<String>, usize>,
}

impl Reader<'_> {
    fn document(&mut self) -> Read<()> {
        loop {
            self.skip_lines();
            if self.rest.is_empty() {
                return Ok(());
            }
            if self.takes("[[") {
                return mistake("arrays of tables have no meaning here; write [TABLE]");
            }
            if self.takes("[") {
                self.table = self.key()?;
                if self.table.len() > LONGEST_PATH {
                    return mistake("the tables are too deep");
                }
                if !self.takes("]") {
                    return mistake("the name of the table does not end; write [TABLE]");
                }
                if let Some(first) = self.tables.insert(self.table.clone(), self.line) {
                    let name = self.table.join(".");
                    return mistake(format!("[{name}] is there twice, first in line {first}"));
                }
            } else {
                let table = self.table.clone();
                self.assignment(&table)?;
            }
            self.skip_blanks();
            if !self.rest.is_empty() && !self.rest.starts_with(['\n', '#']) && !self.at_return() {
                let rest = self.rest.lines().next().unwrap_or_default();
                return mistake(format!(
                    "{rest:?} follows the value; write it in a new line"
                ));
            }
        }
    }

    /// A key and its value, in a table.
    fn assignment(&mut self, table: &[String]) -> Read<()> {
        let path = [table, &self.key()?].concat();
        if path.len() > LONGEST_PATH {
            return mistake("the tables are too deep");
        }
        if !self.takes("=") {
            return mistake(format!(
                "{} has no value; write KEY = VALUE",
                path.join(".")
            ));
        }
        self.skip_blanks();
        let (line, first) = (self.line, self.entries.len());
        for end in table.len() + 1..path.len() {
            self.dotted.insert(path[..end].to_vec(), line);
        }
        if self.takes("{") {
            self.skip_lines();
            while !self.takes("}") {
                self.assignment(&path)?;
                self.separator('}')?;
            }
            self.inline.push((path, line, first..self.entries.len()));
            return Ok(());
        }
        let value = self.value()?;
        self.entries.push(TomlEntry { path, value, line });
        Ok(())
    }

    /// After an element: a comma, or the end of the list.
    fn separator(&mut self, end: char) -> Read<()> {
        self.skip_lines();
        let is_comma = self.takes(",");
        self.skip_lines();
        if is_comma || self.rest.starts_with(end) {
            return Ok(());
        }
        mistake(format!("{end:?} or a comma is missing"))
    }

    /// Names with dots between them.
    fn key(&mut self) -> Read<Vec<String>> {
        let mut names = Vec::new();
        loop {
            self.skip_blanks();
            names.push(match self.rest.chars().next() {
                Some('"' | '\'') => self.text()?,
                _ => {
                    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                    let name = self.take_while(is_bare);
                    if name.is_empty() {
                        return mistake("a key is missing; write KEY = VALUE, or [TABLE]");
                    }
                    name.to_owned()
                }
            });
            self.skip_blanks();
            if !self.takes(".") {
                return Ok(names);
            }
        }
    }

    fn value(&mut self) -> Read<TomlValue> {
        if self.rest.starts_with(['"', '\'']) {
            return self.text().map(TomlValue::Text);
        }
        if self.takes("[") {
            let mut values = Vec::new();
            self.skip_lines();
            while !self.takes("]") {
                if self.rest.starts_with(['[', '{']) {
                    return mistake("a list has texts and numbers only");
                }
                values.push(self.value()?);
                self.separator(']')?;
            }
            return Ok(TomlValue::List(values));
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | '#');
        let word = self.take_while(|c| !ends(c));
        match word {
            "true" => Ok(TomlValue::Switch(true)),
            "false" => Ok(TomlValue::Switch(false)),
            _ if is_decimal(word) => Ok(TomlValue::Number(word.replace('_', ""))),
            "" => mistake("the value is missing"),
            _ => mistake(format!(
                "{word:?} is no value; a text has quotes: \"{word}\""
            )),
        }
    }

    /// A string of one line.
    fn text(&mut self) -> Read<String> {
        if self.rest.starts_with("\"\"\"") || self.rest.starts_with("'''") {
            return mistake("strings of several lines have no meaning here; write it in one line");
        }
        let is_basic = self.rest.starts_with('"');
        let mut chars = self.rest.char_indices().skip(1);
        let mut text = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if is_basic => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\'' if !is_basic => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' if is_basic => {
                    let escape = chars.next().map(|(_, c)| c);
                    let digits = match escape {
                        Some('u') => 4,
                        Some('U') => 8,
                        _ => 0,
                    };
                    let hex: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
                    let Some(c) = unescaped(escape, &hex) else {
                        return mistake(
                            "a backslash is written \\\\, or the text in single quotes",
                        );
                    };
                    text.push(c);
                }
                '\t' => text.push(c),
                c if c.is_control() => break,
                c => text.push(c),
            }
        }
        mistake("the text has no end; write its last quote in the same line")
    }

    fn takes(&mut self, sign: &str) -> bool {
        let after = self.rest.strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn at_return(&self) -> bool {
        self.rest.starts_with("\r\n")
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// Skips blanks, ends of lines and comments.
    fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.rest.starts_with('#') {
                // Of the control characters a comment may have tabs only.
                let ends = |c: char| c.is_ascii_control() && c != '\t';
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
            }
            if self.at_return() {
                self.rest = &self.rest[1..];
            }
            if !self.takes("\n") {
                return;
            }
            self.line += 1;
        }
    }

    /// Refuses keys that are there twice, also as a value and as a table.
    fn check(&self) -> Read<()> {
        let mut seen: HashMap<&[String], usize> = HashMap::new();
        for entry in &self.entries {
            if let Some(first) = seen.insert(&entry.path, entry.line) {
                let name = entry.path.join(".");
                let what = format!("{name} is there twice, first in line {first}");
                return Err((Some(entry.line), what));
            }
        }
        let both = |path: &[String], line: usize, from: usize| {
            let above = (1..from).find_map(|end| Some((end, seen.get(&path[..end])?)));
            match above {
                Some((end, first)) => {
                    let name = path[..end].join(".");
                    let what = format!("{name} is a value in line {first}, and a table here");
                    Err((Some(line), what))
                }
                None => Ok(()),
            }
        };
        for entry in &self.entries {
            both(&entry.path, entry.line, entry.path.len())?;
        }
        for (path, line) in &self.tables {
            both(path, *line, path.len() + 1)?;
            if let Some(other) = self.dotted.get(path) {
                let name = path.join(".");
                let what = format!("[{name}] has values in line {other}; write them in one place");
                return Err((Some(*line), what));
            }
        }
        let mut inline: HashMap<&[String], &Range<usize>> = HashMap::new();
        for (path, _, inside) in &self.inline {
            inline.insert(path, inside);
        }
        // An inline table has nothing outside of its braces.
        let closed = |path: &[String], at: usize, line: usize| {
            let mut above = (1..=path.len()).map(|end| &path[..end]);
            let table = above.find(|above| {
                let inside = inline.get(above);
                inside.is_some_and(|inside| !inside.contains(&at))
            });
            match table {
                Some(table) => {
                    let name = table.join(".");
                    let what = format!("{name} has braces elsewhere; write this between them");
                    Err((Some(line), what))
                }
                None => Ok(()),
            }
        };
        for (path, line) in &self.tables {
            closed(path, usize::MAX, *line)?;
        }
        for (at, entry) in self.entries.iter().enumerate() {
            closed(&entry.path, at, entry.line)?;
        }
        Ok(())
    }

    fn add_empty_tables(&mut self) {
        let headers = self.tables.drain();
        let inline = self.inline.drain(..).map(|(path, line, _)| (path, line));
        let tables: Vec<(Vec<String>, usize)> = headers.chain(inline).collect();
        let mut with_content: HashSet<Vec<String>> = HashSet::new();
        let entries = self.entries.iter().map(|entry| &entry.path);
        for path in entries.chain(tables.iter().map(|(path, _)| path)) {
            with_content.extend((1..path.len()).map(|end| path[..end].to_vec()));
        }
        for (path, line) in tables {
            if !with_content.contains(&path) {
                let value = TomlValue::Table;
                self.entries.push(TomlEntry { path, value, line });
            }
        }
        self.entries.sort_by_key(|entry| entry.line);
    }
}

fn unescaped(escape: Option<char>, hex: &str) -> Option<char> {
    Some(match escape? {
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'f' => '\u{c}',
        'r' => '\r',
        '"' => '"',
        '\\' => '\\',
        'u' | 'U' if hex.chars().all(|c| c.is_ascii_hexdigit()) => {
            char::from_u32(u32::from_str_radix(hex, 16).ok()?)?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
