//! A table of any number of columns for a terminal of any width.

use std::ops::Range;

use tourbillon_report::{Style, display_width, escape, shortened};

/// Between two columns.
const GAP: usize = 2;

/// A cell fills this many lines of the terminal at most, and is elided in its middle beyond.
const LINES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// Rows of cells below titles. The first column names the row.
#[derive(Clone, Debug)]
pub struct Sheet {
    titles: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A table whose first column has the title `name`.
    pub fn new(name: &str) -> Sheet {
        Sheet {
            titles: vec![(name.to_owned(), Align::Left)],
            rows: Vec::new(),
        }
    }

    /// Adds columns of text.
    pub fn left<T: Into<String>>(mut self, titles: impl IntoIterator<Item = T>) -> Sheet {
        self.titles
            .extend(titles.into_iter().map(|title| (title.into(), Align::Left)));
        self
    }

    /// Adds columns of figures.
    pub fn right<T: Into<String>>(mut self, titles: impl IntoIterator<Item = T>) -> Sheet {
        self.titles
            .extend(titles.into_iter().map(|title| (title.into(), Align::Right)));
        self
    }

    /// Adds a row, beginning with its name; missing cells are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Renders the table. Columns that do not fit follow in another table below, which repeats the names.
    /// Columns without a cell are omitted, and cells that would fill more than four lines are elided.
    pub fn render(&self, style: &Style) -> String {
        let width = style.width.max(Style::NARROWEST);
        let most = LINES.saturating_mul(width);
        let ellipsis = if style.unicode { "…" } else { ".." };
        let shown = |cell: &String| shortened(&escape(cell, style.unicode), most, ellipsis);
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(shown).collect())
            .collect();
        let mut widths = vec![0; self.titles.len()];
        for (at, cell) in rows.iter().flat_map(|row| row.iter().enumerate()) {
            widths[at] = widths[at].max(display_width(cell));
        }
        let shown: Vec<usize> = (1..widths.len()).filter(|&at| widths[at] > 0).collect();
        for (width, (title, _)) in widths.iter_mut().zip(&self.titles) {
            *width = (*width).max(display_width(title));
        }
        let (bold, plain) = if style.color {
            ("\x1b[1m", "\x1b[0m")
        } else {
            ("", "")
        };
        let mut tables = Vec::new();
        for block in blocks(&widths, &shown, width) {
            let columns = &shown[block];
            let heading = self.line(|at| &self.titles[at].0, &widths, columns);
            let mut text = format!("{bold}{heading}{plain}\n");
            for row in &rows {
                let cell = |at: usize| row.get(at).map_or("", String::as_str);
                text.push_str(&self.line(cell, &widths, columns));
                text.push('\n');
            }
            tables.push(text);
        }
        tables.join("\n")
    }

    fn line<'c>(
        &self,
        cell: impl Fn(usize) -> &'c str,
        widths: &[usize],
        columns: &[usize],
    ) -> String {
        let mut line = String::new();
        for &at in std::iter::once(&0).chain(columns) {
            let cell = cell(at);
            let blank = widths[at].saturating_sub(display_width(cell));
            let gap = if at > 0 { GAP } else { 0 };
            let (before, after) = match self.titles[at].1 {
                Align::Left => (gap, blank),
                Align::Right => (gap + blank, 0),
            };
            line.extend(std::iter::repeat_n(' ', before));
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', after));
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// Divides the shown columns into tables: as many as fit, at least one.
fn blocks(widths: &[usize], shown: &[usize], terminal: usize) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut used = 0;
    for (place, &at) in shown.iter().enumerate() {
        let wide = GAP + widths[at];
        match blocks.last_mut() {
            Some(block) if used + wide <= terminal => {
                block.end = place + 1;
                used += wide;
            }
            _ => {
                blocks.push(place..place + 1);
                used = widths[0] + wide;
            }
        }
    }
    if blocks.is_empty() {
        blocks.push(0..0);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new("source")
            .left(["counts"])
            .right(["tick", "empty"])
            .left(["behind"]);
        sheet.row(["tsc", "wall", "0.385 ns", "", "instruction"].map(str::to_owned));
        sheet.row(["clock\x1b[31m", "CPU", "1 µs"].map(str::to_owned));
        sheet
    }

    #[test]
    fn a_wide_terminal_has_one_table() {
        assert_eq!(
            sheet().render(&Style::default()),
            "\
source           counts      tick  behind
tsc              wall    0.385 ns  instruction
clock\\u{1b}[31m  CPU         1 µs
"
        );
    }

    #[test]
    fn a_narrow_terminal_has_several_and_loses_nothing() {
        let style = Style {
            width: 34,
            unicode: false,
            color: true,
        };
        assert_eq!(
            sheet().render(&style),
            "\
\x1b[1msource           counts       tick\x1b[0m
tsc              wall     0.385 ns
clock\\u{1b}[31m  CPU     1 \\u{b5}s

\x1b[1msource           behind\x1b[0m
tsc              instruction
clock\\u{1b}[31m
"
        );
    }

    #[test]
    fn what_is_wider_than_sixteen_bits_is_elided() {
        let name = format!("a{}b", "x".repeat(70_000));
        let mut sheet = Sheet::new("name").right(["figure"]);
        sheet.row([name.clone(), "1".to_owned()]);
        sheet.row(["other".to_owned(), name]);
        let text = sheet.render(&Style::default());
        assert!(text.lines().all(|line| line.len() < 700), "{text}");
        assert!(text.contains("\naxxx") && text.contains("x…x"), "{text}");
        let wide = Style {
            width: 100_000,
            ..Style::default()
        };
        assert!(sheet.render(&wide).contains(&"x".repeat(70_000)));
    }

    #[test]
    fn no_rows_leave_the_title() {
        assert_eq!(Sheet::new("source").render(&Style::default()), "source\n");
    }
}
