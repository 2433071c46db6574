//! A table of any number of columns for a terminal of any width.

use std::ops::Range;

use tourbillon_report::{Style, display_width, escape};

/// Between two columns.
const GAP: usize = 2;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of cells below titles. The first column names the row.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    titles: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A table whose first column has the title `name`.
    pub(crate) fn new(name: &str) -> Sheet {
        Sheet {
            titles: vec![(name.to_owned(), Align::Left)],
            rows: Vec::new(),
        }
    }

    /// Adds a column.
    pub(crate) fn column(mut self, title: &str, align: Align) -> Sheet {
        self.titles.push((title.to_owned(), align));
        self
    }

    /// Adds a row, beginning with its name; missing cells are empty.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Renders the table. Columns that do not fit follow in another table below, which repeats the
    /// names. Columns without a cell are omitted.
    pub(crate) fn render(&self, style: &Style) -> String {
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| escape(cell, style.unicode)).collect())
            .collect();
        let widths: Vec<usize> = (0..self.titles.len()).map(|at| width(&rows, at)).collect();
        let shown: Vec<usize> = (1..widths.len()).filter(|&at| widths[at] > 0).collect();
        let widths: Vec<usize> = widths
            .iter()
            .zip(&self.titles)
            .map(|(&cells, (title, _))| cells.max(display_width(title)))
            .collect();
        let blocks = blocks(&widths, &shown, style.width.max(Style::NARROWEST));
        let mut text = String::new();
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            self.push_block(&mut text, &rows, &widths, &shown[block.clone()], style);
        }
        text
    }

    fn push_block(
        &self,
        text: &mut String,
        rows: &[Vec<String>],
        widths: &[usize],
        columns: &[usize],
        style: &Style,
    ) {
        let title = |at: usize| self.titles[at].0.as_str();
        let heading = self.line(title, widths, columns);
        let (bold, plain) = if style.color {
            ("\x1b[1m", "\x1b[0m")
        } else {
            ("", "")
        };
        text.push_str(&format!("{bold}{heading}{plain}\n"));
        for row in rows {
            let cell = |at: usize| row.get(at).map_or("", String::as_str);
            text.push_str(&self.line(cell, widths, columns));
            text.push('\n');
        }
    }

    fn line<'c>(
        &self,
        cell: impl Fn(usize) -> &'c str,
        widths: &[usize],
        columns: &[usize],
    ) -> String {
        let mut line = String::new();
        for (place, &at) in std::iter::once(&0).chain(columns).enumerate() {
            let cell = cell(at);
            let blank = widths[at].saturating_sub(display_width(cell));
            let gap = if place > 0 { GAP } else { 0 };
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

/// The width of the widest cell of a column; 0 for an empty column.
fn width(rows: &[Vec<String>], at: usize) -> usize {
    let cells = rows.iter().filter_map(|row| row.get(at));
    cells.map(|cell| display_width(cell)).max().unwrap_or(0)
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
            .column("counts", Align::Left)
            .column("tick", Align::Right)
            .column("empty", Align::Right)
            .column("behind", Align::Left);
        let cells = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect();
        sheet.row(cells(&["tsc", "wall", "0.385 ns", "", "instruction"]));
        sheet.row(cells(&["clock\x1b[31m", "CPU", "1 µs"]));
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
    fn no_rows_leave_the_title() {
        assert_eq!(Sheet::new("source").render(&Style::default()), "source\n");
    }
}
