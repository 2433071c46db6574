//! Documents as text for a terminal of any width.

use crate::document::{Block, Cell, Column, Document, Mark, Row, Table};
use crate::escape::indented;
use crate::labels::labels;
use crate::lines::TextLines;
use crate::note::Note;
use crate::{Ink, Style, beginning, display_width, escape, padded, shortened};

/// Between two columns.
const GAP: usize = 2;
/// Columns of a mark and the space after it.
const MARK: usize = 2;
/// A cell fills this many lines of the terminal at most, and is elided in its middle beyond.
const LINES: usize = 4;
/// Columns that a name has on every terminal: its branch, and an ellipsis.
const LEAST_NAME: usize = 4;
/// Columns that a number, and a unit, may have on every terminal; more only on a wide one.
const MOST_CELL: usize = 16;
/// Before a line below a row.
const INDENTATION: &str = "    ";

impl Document {
    /// As lines no wider than the terminal, as far as names can be cut and columns can give way.
    pub fn text(&self, style: &Style) -> String {
        let mut parts = Vec::new();
        if !self.title.is_empty() {
            parts.push(paragraph("", &escape(&self.title, style.unicode), style));
        }
        parts.extend(self.blocks.iter().map(|block| block.drawn(style)));
        parts.retain(|part| !part.is_empty());
        let mut text = parts.join("\n");
        if !self.answer.is_empty() {
            let is_after_notes =
                matches!(self.blocks.last(), Some(Block::Notes(notes)) if !notes.is_empty());
            // Notes and the answer are read together.
            if !text.is_empty() && !is_after_notes {
                text.push('\n');
            }
            let mut page = TextLines::new(style);
            let phrases = self.answer.iter();
            page.items(
                Ink::Plain,
                "",
                phrases.map(|phrase| escape(&phrase.text, style.unicode)),
            );
            text += &page.text;
        }
        text
    }
}

impl Block {
    fn drawn(&self, style: &Style) -> String {
        match self {
            Block::Table(table) if !table.is_for_people() => String::new(),
            Block::Table(table) => table.text(style),
            Block::Text { lead, text } => paragraph(lead, &escape(text, style.unicode), style),
            Block::Lines(lines) => lines.clone(),
            Block::Group(blocks) => blocks.iter().map(|block| block.drawn(style)).collect(),
            Block::Notes(notes) => notes.iter().map(|note| note.text(style)).collect(),
        }
    }
}

impl Note {
    /// As lines, see [`Document::text`].
    pub fn text(&self, style: &Style) -> String {
        let heading = self.heading(str::to_owned);
        let text = escape(&format!("{heading}{}", self.text), style.unicode);
        let mut page = TextLines::new(style);
        page.line(self.ink, self.lead, &text);
        page.text
    }
}

/// A paragraph, wrapped to the width of the terminal: the first line begins with `lead`, the others are indented by its
/// width. Longer words, mostly paths and commands, stay whole so that they can be copied.
pub fn paragraph(lead: &str, text: &str, style: &Style) -> String {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let mut page = TextLines::new(style);
    page.line(Ink::Plain, lead, &words.join(" "));
    page.text
}

/// A text of a cell as it is drawn.
fn shown(text: &str, style: &Style) -> String {
    let most = LINES.saturating_mul(style.columns());
    shortened(&escape(text, style.unicode), most, style.glyphs().ellipsis)
}

/// The number of a cell, and what follows it: its unit or mark, with the space before it. `None` for a word, and for a
/// range, which has several.
fn number_and_unit(cell: &str) -> Option<(&str, &str)> {
    // Not at the space of "< 0.05 ns".
    let digits = cell.find(|c: char| c.is_ascii_digit())?;
    let end = cell[digits..].find(' ').map(|space| digits + space);
    let (number, unit) = cell.split_at(end.unwrap_or(cell.len()));
    (!unit.contains(|c: char| c.is_ascii_digit())).then_some((number, unit))
}

/// A column on a terminal. Numbers end at one place, their units begin at one.
struct Shape<'t> {
    at: usize,
    column: &'t Column,
    title: String,
    /// Width of the widest text.
    text: usize,
    /// Of the widest number.
    number: usize,
    /// Of the widest unit, with the space before it.
    unit: usize,
}

impl Shape<'_> {
    /// Whether all its cells are.
    fn is_empty(&self) -> bool {
        self.text + self.number == 0
    }

    fn width(&self) -> usize {
        let title = display_width(&self.title);
        title.max(self.text).max(self.number + self.unit)
    }

    fn widen(&mut self, cell: &str, most: usize) {
        let parts = number_and_unit(cell).filter(|_| self.column.right);
        if let Some((number, unit)) = parts {
            self.number = self.number.max(display_width(number).min(most));
            self.unit = self.unit.max(display_width(unit).min(most));
        } else if self.column.right {
            self.text = self.text.max(display_width(cell).min(2 * most));
        } else {
            self.text = self.text.max(display_width(cell));
        }
    }

    /// A cell, as wide as the column.
    fn cell(&self, cell: &str, ellipsis: &str) -> String {
        if !self.column.right {
            return padded(cell, self.width());
        }
        let Some((number, unit)) = number_and_unit(cell) else {
            return indented(&shortened(cell, self.width(), ellipsis), self.width());
        };
        let number = shortened(number, self.number, ellipsis);
        let unit = shortened(unit, self.unit, ellipsis);
        indented(&number, self.width() - self.unit) + &padded(&unit, self.unit)
    }
}

/// The columns of a table on a terminal.
struct Layout<'t> {
    table: &'t Table,
    style: &'t Style,
    /// Columns of marks before the names.
    mark: usize,
    /// Columns of the names with their branches.
    name: usize,
    /// What each row is called.
    labels: Vec<String>,
    /// The other columns that are shown.
    shapes: Vec<Shape<'t>>,
    /// Those that there was no room for, from left to right.
    omitted: Vec<&'t str>,
}

impl Table {
    /// As lines, see [`Document::text`].
    pub fn text(&self, style: &Style) -> String {
        if self.is_list {
            return self.list(style);
        }
        let rows: Vec<&Row> = self.rows.iter().filter(|row| !row.is_folded).collect();
        let layout = Layout::new(self, &rows, style);
        let mut page = TextLines::new(style);
        if !rows.is_empty() {
            layout.heading(&mut page, &rows);
        }
        for (at, row) in rows.iter().enumerate() {
            if at > 0 && row.heading() != rows[at - 1].heading() {
                let heading = shown(row.heading(), style);
                let cut = shortened(&heading, style.columns(), style.glyphs().ellipsis);
                page.add(&style.paint(Ink::Heading, &cut));
            }
            page.add(&layout.line(&rows, at));
            if !row.below.is_empty() {
                page.items(Ink::Dim, INDENTATION, &row.below);
            }
        }
        let lead = " ".repeat(layout.mark);
        if let Some(folded) = &self.folded {
            page.line(Ink::Plain, &lead, &escape(folded, style.unicode));
        }
        if !layout.omitted.is_empty() {
            let omitted = format!("no room for: {}", layout.omitted.join(", "));
            page.line(Ink::Plain, "", &escape(&omitted, style.unicode));
        }
        for meaning in &self.legend {
            let mut keys = layout.shapes.iter().map(|shape| &shape.column.key);
            if meaning.column.is_empty() || keys.any(|key| *key == meaning.column) {
                let lead = format!("{}  ", escape(&meaning.mark, style.unicode));
                page.line(Ink::Dim, &lead, &escape(&meaning.text, style.unicode));
            }
        }
        page.text
    }

    /// A paragraph for each row, and an empty line between two whose symbols differ.
    fn list(&self, style: &Style) -> String {
        let people = self.shown_to_people();
        let mut text = String::new();
        let rows: Vec<&Row> = self.rows.iter().filter(|row| !row.is_folded).collect();
        for (at, row) in rows.iter().enumerate() {
            if at > 0 && rows[at - 1].mark != row.mark {
                text.push('\n');
            }
            let lead = row
                .mark
                .map_or_else(String::new, |mark| format!("{} ", mark.symbol));
            let name = escape(row.text(0), style.unicode);
            let others = people.iter().skip(1).map(|at| row.text(*at));
            let mut others = others.filter(|text| !text.is_empty());
            let first = others.next().map_or_else(String::new, |first| {
                format!(": {}", escape(first, style.unicode))
            });
            let item = paragraph(&lead, &format!("{name}{first}"), style);
            let head = format!("{lead}{name}");
            text += &match (row.mark, item.strip_prefix(&head)) {
                (Some(mark), Some(rest)) => style.paint(mark.ink, &head) + rest,
                _ => item,
            };
            for other in others {
                text += &paragraph("    ", &escape(other, style.unicode), style);
            }
        }
        text
    }
}

impl<'t> Layout<'t> {
    fn new(table: &'t Table, rows: &[&Row], style: &'t Style) -> Layout<'t> {
        let has_marks = rows.iter().any(|row| row.mark.is_some());
        let columns = if style.wide_tables {
            usize::MAX
        } else {
            style.columns()
        };
        let mut layout = Layout {
            table,
            style,
            mark: if has_marks { MARK } else { 0 },
            name: 0,
            labels: Vec::new(),
            shapes: Vec::new(),
            omitted: Vec::new(),
        };
        for at in table.shown_to_people().into_iter().skip(1) {
            let column = &table.columns[at];
            let mut shape = Shape {
                at,
                column,
                title: escape(&column.title, style.unicode),
                text: 0,
                number: 0,
                unit: 0,
            };
            let cells = rows.iter().filter_map(|row| row.cells.get(at));
            for cell in cells.filter(|cell| !cell.spans) {
                shape.widen(&shown(&cell.text, style), MOST_CELL.max(columns / 3));
            }
            if shape.is_empty() {
                // There are reasons in place of figures only.
                shape.title.clear();
            }
            layout.shapes.push(shape);
        }
        for at in 0..rows.len() {
            let width =
                display_width(layout.branch(rows, at)) + display_width(&layout.label(rows[at]));
            layout.name = layout.name.max(width);
        }
        let first = rows.first().map_or("", |row| row.heading());
        let title = if first.is_empty() {
            table.columns.first().map_or("", |column| &column.title)
        } else {
            first
        };
        layout.name = layout
            .name
            .max(display_width(&escape(title, style.unicode)));
        layout.omit(columns);
        let spans = rows.iter().filter_map(|row| layout.of_span(row, columns));
        let right = spans.max().unwrap_or(0).max(layout.right());
        let room = columns.saturating_sub(layout.mark + right);
        layout.name = layout.name.min(room.max(LEAST_NAME));
        let names = rows.iter().enumerate().map(|(at, row)| {
            let branch = display_width(layout.branch(rows, at));
            (layout.label(row), layout.name.saturating_sub(branch))
        });
        layout.labels = labels(&names.collect::<Vec<_>>(), style.glyphs().ellipsis);
        layout
    }

    /// Takes columns away that give way, until there is room for a part of the names.
    fn omit(&mut self, columns: usize) {
        let least = self.name.min((columns / 10 * 3).max(12));
        let mut omitted = Vec::new();
        // Beside the name, one column stays.
        while self.mark + least + self.right() > columns && self.shapes.len() > 1 {
            let places = self.shapes.iter().enumerate();
            let gives_way = places.filter_map(|(place, shape)| {
                let order = shape.column.gives_way?;
                Some((order, std::cmp::Reverse(place)))
            });
            let Some((_, place)) = gives_way.min() else {
                break;
            };
            let shape = self.shapes.remove(place.0);
            if !shape.is_empty() {
                omitted.push((shape.at, shape.column.name()));
            }
        }
        omitted.sort_unstable();
        self.omitted = omitted.into_iter().map(|(_, name)| name).collect();
    }

    /// Of all columns beside the names, with the gaps before them.
    fn right(&self) -> usize {
        self.shapes.iter().map(|shape| GAP + shape.width()).sum()
    }

    /// Of what stands beside the name of a row up to its cell that takes the rest of the line, and of a third of the
    /// terminal for that; `None` for a row without one.
    fn of_span(&self, row: &Row, columns: usize) -> Option<usize> {
        let at = row.cells.iter().position(|cell| cell.spans)?;
        // It begins in columns that are empty.
        let last = row.cells[..at]
            .iter()
            .rposition(|cell| !cell.text.is_empty());
        let before = self
            .shapes
            .iter()
            .take_while(|shape| Some(shape.at) <= last);
        let before: usize = before.map(|shape| GAP + shape.width()).sum();
        let text = display_width(&shown(&row.cells[at].text, self.style));
        Some(before + GAP + text.min(columns / 3))
    }

    /// What a row is called on a terminal: below its heading, if it has one.
    fn label(&self, row: &Row) -> String {
        let place = row.place.as_ref();
        shown(place.map_or(row.text(0), |place| &place.name), self.style)
    }

    fn branch(&self, rows: &[&Row], at: usize) -> &'static str {
        let heading = rows[at].heading();
        match rows.get(at + 1) {
            _ if heading.is_empty() => "",
            Some(next) if next.heading() == heading => self.style.glyphs().tee,
            _ => self.style.glyphs().corner,
        }
    }

    /// The titles of the columns, and the first heading beside them.
    fn heading(&self, page: &mut TextLines<'_>, rows: &[&Row]) {
        let heading = rows.first().map_or("", |row| row.heading());
        let (name, ink) = if heading.is_empty() {
            (
                self.table
                    .columns
                    .first()
                    .map_or("", |column| &column.title),
                Ink::Dim,
            )
        } else {
            (heading, Ink::Heading)
        };
        let name = shortened(
            &shown(name, self.style),
            self.name,
            self.style.glyphs().ellipsis,
        );
        let mut titles = " ".repeat(self.name - display_width(&name));
        for shape in &self.shapes {
            titles += &" ".repeat(GAP);
            titles += &if shape.column.right {
                indented(&shape.title, shape.width())
            } else {
                padded(&shape.title, shape.width())
            };
        }
        let titles = self.style.paint(Ink::Dim, titles.trim_end());
        let name = self.style.paint(ink, &name);
        page.add(&format!("{}{name}{titles}", " ".repeat(self.mark)));
    }

    fn line(&self, rows: &[&Row], at: usize) -> String {
        let (row, branch) = (rows[at], self.branch(rows, at));
        let ellipsis = self.style.glyphs().ellipsis;
        let mut line = match row.mark {
            Some(Mark { symbol, ink }) => self.style.paint(ink, symbol) + " ",
            None => " ".repeat(self.mark),
        };
        let room = self.name.saturating_sub(display_width(branch));
        line += &self.style.paint(Ink::Dim, branch);
        line += &padded(&self.labels[at], room);
        let mut used = self.mark + self.name;
        for shape in &self.shapes {
            let Some(cell) = row.cells.get(shape.at) else {
                break;
            };
            if cell.spans {
                self.span(&mut line, used, cell);
                break;
            }
            let text = shape.cell(&shown(&cell.text, self.style), ellipsis);
            let visible = text.trim_matches(' ');
            let before = text.len() - text.trim_start_matches(' ').len();
            line += &" ".repeat(GAP + before);
            line += &self.style.paint(cell.ink, visible);
            line += &" ".repeat(text.len() - before - visible.len());
            used += GAP + shape.width();
        }
        line
    }

    /// A cell that takes the rest of the line: it begins in columns before its own where there is no room after it.
    fn span(&self, line: &mut String, used: usize, cell: &Cell) {
        let text = shown(&cell.text, self.style);
        let columns = self.style.columns();
        let excess = (used + GAP + display_width(&text)).saturating_sub(columns);
        let blank = if used > self.mark + self.name {
            line.len() - line.trim_end_matches(' ').len()
        } else {
            // Reasons in place of figures begin at one place.
            0
        };
        let before = excess.min(blank);
        line.truncate(line.len() - before);
        let text = if self.style.wide_tables {
            text
        } else {
            let room = columns.saturating_sub(used + GAP - before);
            beginning(&text, room, self.style.glyphs().ellipsis)
        };
        line.push_str(&" ".repeat(GAP));
        line.push_str(&self.style.paint(cell.ink, &text));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Audience, Cell, Column, Note};

    use super::*;
    use crate::kind::EXPLANATION;

    const UP: Mark = Mark {
        symbol: "▲",
        ink: Ink::Failure,
    };

    fn document() -> Document {
        let mut table = Table {
            columns: vec![
                Column::left("case", ""),
                Column::of_programs("verdict"),
                Column::right("reference", "main").giving_way(2),
                Column::right("candidate", "now"),
                Column::left("change", "change").for_audience(Audience::People),
                Column::left("interval", "99 %").giving_way(1),
            ],
            folded: Some("2 more are the same".to_owned()),
            ..Table::default()
        };
        table.push(
            [
                "a/long/name/16",
                "slower",
                "105 ns",
                "38.9 ns",
                "+31 %",
                "(+29 … +33 %)",
            ]
            .map(str::to_owned),
        );
        table.rows[0].mark = Some(UP);
        table.rows[0].cells[4].ink = Ink::Failure;
        let spanning = Cell::text("33 bytes/op instead of 32").spanning();
        table.push([
            Cell::text("b"),
            Cell::default(),
            Cell::default(),
            Cell::default(),
            spanning,
        ]);
        table.push([Cell::text("c\x1b[31m")]);
        table.rows[2].is_folded = true;
        let note = Note {
            names: ["a", "b", "c", "d", "e"].map(str::to_owned).into(),
            ..Note::new("! ", "measured for 3 s; raise --time")
        };
        Document {
            title: "main → now".to_owned(),
            blocks: vec![Block::Table(table), Block::Notes(vec![note])],
            answer: ["1 slower", "3 same", "7.1 s"]
                .map(|text| text.to_owned().into())
                .into(),
            details: "99 % confidence".to_owned(),
        }
    }

    fn text(width: usize, unicode: bool, color: bool) -> String {
        document().text(&Style {
            width,
            unicode,
            color,
            wide_tables: false,
        })
    }

    #[test]
    fn a_wide_terminal_has_every_column() {
        let expected = "\
main → now

                    main      now  change  99 %
▲ a/long/name/16  105 ns  38.9 ns  +31 %   (+29 … +33 %)
  b                                33 bytes/op instead of 32
  2 more are the same

! a, b, c and 2 more: measured for 3 s; raise --time
1 slower · 3 same · 7.1 s
";
        assert_eq!(text(80, true, false), expected);
    }

    #[test]
    fn columns_give_way_and_then_names_are_cut() {
        let narrow = text(50, true, false);
        let expected = "\n▲ a/long/name/16  105 ns  38.9 ns  +31 %\n  b                      33 bytes/op instead of 32\n";
        assert!(narrow.contains(expected), "{narrow}");
        let narrower = text(40, true, false);
        assert!(
            narrower.contains("\n▲ a/long…ame/16  105 ns  38.9 ns  +31 %\n"),
            "{narrower}"
        );
        let narrowest = text(31, true, false);
        assert!(
            narrowest.contains("\n▲ a/long…me/16  38.9 ns  +31 %\n"),
            "{narrowest}"
        );
        assert!(
            narrowest.contains("\n  b   33 bytes/op instead of 32\n"),
            "{narrowest}"
        );
    }

    #[test]
    fn every_column_that_gives_way_is_named() {
        let mut document = document();
        let Block::Table(table) = &mut document.blocks[0] else {
            panic!("a table comes first");
        };
        table.columns[5].title.clear();
        table.columns[2].title.clear();
        let style = Style {
            width: 31,
            ..Style::default()
        };
        let text = document.text(&style);
        let omitted = "no room for: reference,\ninterval";
        assert!(text.contains(omitted), "{text}");
    }

    #[test]
    fn the_text_of_a_line_leaves_room_for_its_place() {
        let mut table = Table::of([
            Column::left("line", "line"),
            Column::right("instructions", "instructions"),
            Column::left("text", ""),
        ]);
        for (place, text) in [
            (
                "src/lib.rs:25",
                "hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);",
            ),
            ("benches/kv.rs:7", "for byte in bytes {"),
        ] {
            table.push([
                Cell::text(place),
                Cell::text("57"),
                Cell::text(text).spanning(),
            ]);
        }
        let at = |width| table.text(&Style::of_width(width));
        for text in [at(60), at(80)] {
            assert!(
                text.contains("\nsrc/lib.rs:25              57  hash = (hash ^ u64"),
                "{text}"
            );
            assert!(text.contains("  57  for byte in bytes {\n"), "{text}");
        }
        assert!(at(80).lines().all(|line| display_width(line) <= 80));
    }

    #[test]
    fn colour_leads_to_what_changed() {
        let colored = text(80, true, true);
        assert!(colored.contains("\n\x1b[31m▲\x1b[0m a/long"), "{colored}");
        assert!(colored.contains("\x1b[31m+31 %\x1b[0m"), "{colored}");
        assert!(colored.contains("\n\x1b[33m! a, b, c"), "{colored}");
        assert!(text(80, false, false).contains("main \\u{2192} now"));
    }

    #[test]
    fn a_document_without_parts_is_its_answer() {
        let answer = Document {
            answer: vec!["none".to_owned().into()],
            ..Document::default()
        };
        assert_eq!(answer.text(&Style::default()), "none\n");
        assert_eq!(answer.markdown(), "none\n");
    }

    #[test]
    fn programs_get_their_columns() {
        let csv = document().csv();
        let expected = "\
case,verdict,reference,candidate,interval
a/long/name/16,slower,105 ns,38.9 ns,(+29 … +33 %)
b,,,,
c\\u{1b}[31m,,,,
";
        assert_eq!(csv, expected);
        let json = "{\"kind\":\"explanation\",\"version\":1,\"title\":\"main → now\",\
                    \"answer\":\"1 slower · 3 same · 7.1 s\",\"details\":\"99 % confidence\",\"rows\":[\
                    {\"case\":\"a/long/name/16\",\"verdict\":\"slower\",\"reference\":\"105 ns\",\
                    \"candidate\":\"38.9 ns\",\"interval\":\"(+29 … +33 %)\"},\
                    {\"case\":\"b\",\"verdict\":null,\"reference\":null,\"candidate\":null,\"interval\":null},\
                    {\"case\":\"c\\u001b[31m\",\"verdict\":null,\"reference\":null,\"candidate\":null,\
                    \"interval\":null}],\"texts\":[],\"notes\":[{\"about\":[\"a\",\"b\",\"c\",\"d\",\"e\"],\
                    \"text\":\"measured for 3 s; raise --time\"}]}\n";
        assert_eq!(document().json(&EXPLANATION), json);
    }

    #[test]
    fn markdown_has_the_answer_below_the_title() {
        let expected = "\
**main → now**

1 slower · 3 same · 7.1 s

| case | main | now | change | 99 % |
|---|--:|--:|---|---|
| ▲ `a/long/name/16` | 105 ns | 38.9 ns | **+31 %** | (+29 … +33 %) |
| `b` |  |  | 33 bytes/op instead of 32 |  |

2 more are the same

* `a`, `b`, `c` and 2 more: measured for 3 s; raise --time

99 % confidence
";
        assert_eq!(document().markdown(), expected);
    }
}
