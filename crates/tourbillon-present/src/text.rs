//! Documents as text for a terminal of any width.

use tourbillon_report::{Ink, Style, display_width, escape, shortened};

use crate::document::{Block, Document, Mark, Row, Table, ellipsis};

/// Between two columns.
const GAP: usize = 2;
/// Columns of a mark and the space after it.
const MARK: usize = 2;
/// A cell fills this many lines of the terminal at most, and is elided in its middle beyond.
const LINES: usize = 4;
/// Columns that a name has on every terminal.
const LEAST_NAME: usize = 12;

/// Units that stay on the line of their number.
const UNITS: [&str; 10] = [
    "ns", "µs", "us", "ms", "s", "%", "ppm", "GHz", "MHz", "ticks",
];
/// Stands for a space that is no line break; one column wide.
const JOINED: char = '\u{a0}';

impl Document {
    /// As lines no wider than the terminal, as far as names can be cut and columns can give way.
    pub fn text(&self, style: &Style) -> String {
        let mut parts = Vec::new();
        if !self.title.is_empty() {
            parts.push(paragraph("", &escape(&self.title, style.unicode), style));
        }
        parts.extend(self.blocks.iter().map(|block| block.drawn(style)));
        let last = matches!(self.blocks.last(), Some(Block::Notes(notes)) if !notes.is_empty());
        let mut text = parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n");
        if !self.answer.is_empty() {
            // Notes and the answer are read together.
            if !text.is_empty() && !last {
                text.push('\n');
            }
            // Lines break between its parts.
            let part = |part: &str| escape(part, style.unicode).replace(' ', &JOINED.to_string());
            let parts = self.answer.iter().map(|phrase| part(&phrase.text));
            let separator = if style.unicode {
                "\u{a0}· "
            } else {
                "\u{a0}| "
            };
            text += &paragraph("", &parts.collect::<Vec<_>>().join(separator), style);
        }
        text
    }
}

impl Block {
    fn drawn(&self, style: &Style) -> String {
        match self {
            Block::Table(table) if table.rows.is_empty() => String::new(),
            Block::Table(table) => table.text(style),
            Block::Text { lead, text } => paragraph(lead, &escape(text, style.unicode), style),
            Block::Lines(lines) => lines.clone(),
            Block::Group(blocks) => blocks.iter().map(|block| block.drawn(style)).collect(),
            Block::Notes(notes) => {
                let lines = notes.iter().map(|note| {
                    let heading = note.heading(str::to_owned);
                    let text = escape(&format!("{heading}{}", note.text), style.unicode);
                    style.paint(Ink::Note, paragraph(note.lead, &text, style).trim_end()) + "\n"
                });
                lines.collect()
            }
        }
    }
}

/// A paragraph, wrapped to the width of the terminal: the first line begins with `lead`, the others are indented by its
/// width. Longer words, mostly paths and commands, stay whole so that they can be copied.
pub fn paragraph(lead: &str, text: &str, style: &Style) -> String {
    let indent = " ".repeat(display_width(lead));
    let options = textwrap::Options::new(style.width.max(Style::NARROWEST))
        .initial_indent(lead)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let lines = textwrap::wrap(&with_units(text), options).join("\n");
    lines.replace(JOINED, " ") + "\n"
}

/// The words of a text with single spaces; a number and its unit are joined.
fn with_units(text: &str) -> String {
    let mut joined = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let unit = word.trim_end_matches([',', ';', '.', ':', ')']);
        if joined.ends_with(|last: char| last.is_ascii_digit()) && UNITS.contains(&unit) {
            joined.push(JOINED);
        } else if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// A cell as it is drawn.
fn shown(text: &str, style: &Style) -> String {
    let most = LINES.saturating_mul(style.width.max(Style::NARROWEST));
    shortened(&escape(text, style.unicode), most, ellipsis(style))
}

/// The columns of a table on a terminal.
struct Layout<'t> {
    table: &'t Table,
    style: &'t Style,
    /// Columns of marks before the names.
    mark: usize,
    /// The shown columns, the one of names first, with their widths.
    columns: Vec<(usize, usize)>,
    /// Those that there was no room for.
    omitted: Vec<usize>,
}

impl Table {
    /// As lines, see [`Document::text`].
    pub fn text(&self, style: &Style) -> String {
        if self.is_list {
            return self.list(style);
        }
        let layout = Layout::new(self, style);
        let mut text = layout.heading();
        for row in self.rows.iter().filter(|row| !row.is_folded) {
            text += &layout.line(row);
        }
        if !layout.omitted.is_empty() {
            let titles = layout.omitted.iter().rev();
            let titles: Vec<&str> = titles.map(|at| self.columns[*at].title.as_str()).collect();
            let omitted = format!("no room for: {}", titles.join(", "));
            text += &paragraph("", &escape(&omitted, style.unicode), style);
        }
        if let Some(folded) = &self.folded {
            let lead = " ".repeat(layout.mark);
            text += &paragraph(&lead, &escape(folded, style.unicode), style);
        }
        text
    }
}

impl Table {
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
    fn new(table: &'t Table, style: &'t Style) -> Layout<'t> {
        let rows = || table.rows.iter().filter(|row| !row.is_folded);
        let mark = if rows().any(|row| row.mark.is_some()) {
            MARK
        } else {
            0
        };
        let mut layout = Layout {
            table,
            style,
            mark,
            columns: Vec::new(),
            omitted: Vec::new(),
        };
        let width = |at: usize| {
            let cells = rows()
                .filter_map(|row| row.cells.get(at))
                .filter(|cell| !cell.spans);
            let widths = cells.map(|cell| display_width(&shown(&cell.text, style)));
            let title = display_width(&escape(&table.columns[at].title, style.unicode));
            widths.max().unwrap_or(0).max(title)
        };
        let people = table.shown_to_people();
        layout.columns = people.into_iter().map(|at| (at, width(at))).collect();
        let most = if style.wide_tables {
            usize::MAX
        } else {
            style.width.max(Style::NARROWEST)
        };
        while layout.width() > most {
            let columns = layout.columns.iter().enumerate().skip(1);
            let gives_way = |(place, (at, _)): (usize, &(usize, usize))| {
                let order = table.columns[*at].gives_way?;
                Some((order, std::cmp::Reverse(place)))
            };
            // Beside the name, one column stays.
            let Some((_, place)) = columns.filter_map(gives_way).min() else {
                break;
            };
            if layout.columns.len() <= 2 {
                break;
            }
            let (at, _) = layout.columns.remove(place.0);
            layout.omitted.push(at);
        }
        let excess = layout.width().saturating_sub(most);
        let name = &mut layout.columns[0].1;
        *name = (*name).min((name.saturating_sub(excess)).max(LEAST_NAME));
        layout
    }

    /// Of the widest line of which no cell takes the rest.
    fn width(&self) -> usize {
        let columns = self.columns.iter().map(|(_, width)| width + GAP);
        self.mark + columns.sum::<usize>() - GAP
    }

    fn heading(&self) -> String {
        let mut line = " ".repeat(self.mark);
        for (place, (at, width)) in self.columns.iter().enumerate() {
            let column = &self.table.columns[*at];
            let title = escape(&column.title, self.style.unicode);
            self.put(
                &mut line,
                (place, *width),
                (&title, Ink::Plain),
                column.right,
            );
        }
        match line.trim_end() {
            "" => String::new(),
            line => self.style.paint(Ink::Dim, line) + "\n",
        }
    }

    fn line(&self, row: &Row) -> String {
        let mut line = match row.mark {
            Some(Mark { symbol, ink }) => self.style.paint(ink, symbol) + " ",
            None => " ".repeat(self.mark),
        };
        for (place, (at, width)) in self.columns.iter().enumerate() {
            let Some(cell) = row.cells.get(*at) else {
                break;
            };
            let text = shown(&cell.text, self.style);
            if cell.spans {
                // It begins before its column where there is no room after it.
                let before: usize = self.columns[..place]
                    .iter()
                    .map(|(_, width)| width + GAP)
                    .sum();
                let end = self.mark + before + display_width(&text);
                let excess = end.saturating_sub(self.style.width.max(Style::NARROWEST));
                let blank = line.len() - line.trim_end_matches(' ').len();
                line.truncate(line.len() - excess.min(blank));
                self.put(
                    &mut line,
                    (place, display_width(&text)),
                    (&text, cell.ink),
                    false,
                );
                break;
            }
            let text = if place == 0 {
                shortened(&text, *width, ellipsis(self.style))
            } else {
                text
            };
            self.put(
                &mut line,
                (place, *width),
                (&text, cell.ink),
                self.table.columns[*at].right,
            );
        }
        line.truncate(line.trim_end().len());
        line + "\n"
    }

    /// Adds a cell to a line.
    fn put(
        &self,
        line: &mut String,
        (place, width): (usize, usize),
        (text, ink): (&str, Ink),
        right: bool,
    ) {
        let gap = if place == 0 { 0 } else { GAP };
        let blank = width.saturating_sub(display_width(text));
        let (before, after) = if right {
            (gap + blank, 0)
        } else {
            (gap, blank)
        };
        line.extend(std::iter::repeat_n(' ', before));
        line.push_str(&self.style.paint(ink, text));
        line.extend(std::iter::repeat_n(' ', after));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Audience, Cell, Column, Note};

    use super::*;

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
            narrower.contains("\n▲ a/long/name/16  38.9 ns  +31 %\n"),
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
    fn a_unit_stays_with_its_number() {
        assert_eq!(
            with_units("at most  20.0 ns, or 3 of it"),
            "at most 20.0\u{a0}ns, or 3 of it"
        );
    }

    #[test]
    fn programs_get_their_columns() {
        let csv = document().csv().expect("a text");
        let expected = "\
case,verdict,reference,candidate,interval
a/long/name/16,slower,105 ns,38.9 ns,(+29 … +33 %)
b,,,,
c\x1b[31m,,,,
";
        assert_eq!(csv, expected);
        let json: serde_json::Value =
            serde_json::from_str(&document().json("comparison", 1)).expect("JSON");
        assert_eq!(json["kind"], "comparison");
        assert_eq!(json["rows"][0]["candidate"], "38.9 ns");
        assert_eq!(json["rows"][2]["verdict"], serde_json::Value::Null);
        assert_eq!(json["notes"][0]["about"][4], "e");
        assert_eq!(json["details"], "99 % confidence");
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
