use super::row::Row;
use crate::Style;
use crate::escape::{display_width, escape, push_shortened, push_spaces};
use crate::pieces::nth;
use crate::text::{Text, push};

/// Columns to the right of the name, from left to right, behind the one of the figure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    HalfWidth = 1,
    Cycles,
    Throughput,
    Last,
}

pub(crate) const COLUMNS: usize = 5;

/// What the columns are called in their heading and in a sentence.
const NAMES: [&str; COLUMNS] = ["figure", "interval", "cycles", "throughput", "comparison"];

/// In which order columns go when the terminal is narrow. Throughput follows from the time; an
/// interval goes last, for a time without one says little. The time stays.
const DROPPED: [Column; 4] = [
    Column::Throughput,
    Column::Cycles,
    Column::Last,
    Column::HalfWidth,
];

/// Most columns that the name of a baseline takes.
const MOST_NAME: usize = 16;

/// Between two columns.
pub(crate) const GAP: usize = 2;

/// A column's widths: numbers end at one place, their units begin at one.
#[derive(Clone, Copy)]
struct Shape {
    title: usize,
    /// Of the number and of the unit with the space before it; none for a column without a cell.
    number: usize,
    unit: usize,
    dropped: bool,
}

impl Shape {
    const NONE: Shape = Shape {
        title: 0,
        number: 0,
        unit: 0,
        dropped: false,
    };

    /// With the gap before it; 0 for a column that is not shown.
    #[inline(never)]
    fn width(&self) -> usize {
        if self.dropped || self.number == 0 {
            return 0;
        }
        GAP + self.title.max(self.number + self.unit)
    }

    #[inline(never)]
    fn push_cell(&self, line: &mut String, cell: &str) {
        if self.width() > 0 {
            let (number, unit) = split(cell);
            push_spaces(line, self.width() - display_width(number) - self.unit);
            push(line, number);
            push(line, unit);
            push_spaces(line, self.unit - display_width(unit));
        }
    }
}

/// Which columns are shown, and where.
pub(crate) struct Layout {
    /// Width of the name with its branch.
    pub(crate) name: usize,
    /// The columns' titles, a line each.
    titles: Text,
    shapes: [Shape; COLUMNS],
}

// Not inlined, as others here: loops over the columns are unrolled.
impl Layout {
    /// Of a table without rows: `main` is the title of the first column, `confidence` the one of the
    /// heading. The name of a baseline is cut where it is long.
    #[inline(never)]
    pub(crate) fn new(
        main: &'static str,
        confidence: f64,
        baseline: Option<&str>,
        style: &Style,
    ) -> Layout {
        let mut layout = Layout {
            name: 0,
            titles: Text::new(style),
            shapes: [Shape::NONE; COLUMNS],
        };
        let titles = &mut layout.titles;
        titles.say(main).say("\n").say(style.glyphs().plus_minus);
        titles.confidence(confidence);
        titles.say("\n").say(NAMES[Column::Cycles as usize]);
        titles.say("\n").say(NAMES[Column::Throughput as usize]);
        titles.say("\nvs ");
        let name = escape(baseline.unwrap_or("last run"), style.unicode);
        let ellipsis = style.glyphs().ellipsis;
        push_shortened(&mut titles.string, &name, MOST_NAME, ellipsis);
        layout
    }

    /// Widens the columns to hold a row.
    #[inline(never)]
    pub(crate) fn widen(&mut self, row: &Row) {
        for column in 0..COLUMNS {
            let (number, unit) = split(row.cell(column));
            let shape = &mut self.shapes[column];
            shape.number = shape.number.max(display_width(number));
            shape.unit = shape.unit.max(display_width(unit));
        }
    }

    /// Divides the terminal's columns; `wanted` is the width of the widest name.
    #[inline(never)]
    pub(crate) fn divide(&mut self, wanted: usize, style: &Style) {
        for column in 0..COLUMNS {
            self.shapes[column].title = display_width(self.title(column));
        }
        let least = wanted.min((style.columns() * 3 / 10).max(12));
        for column in &DROPPED {
            if self.right() + least > style.columns() {
                self.shapes[*column as usize].dropped = true;
            }
        }
        // Room for a reason in place of figures, even where no case has figures.
        let right = self.right().max(style.columns() / 3);
        self.name = wanted.min(style.columns().saturating_sub(right));
    }

    pub(crate) fn title(&self, column: usize) -> &str {
        nth(&self.titles.string, column)
    }

    /// What a column is called in a sentence.
    pub(crate) fn called(&self, column: usize) -> &str {
        if column == Column::Last as usize {
            self.title(column)
        } else {
            NAMES[column]
        }
    }

    /// Width of all that is to the right of the name.
    #[inline(never)]
    fn right(&self) -> usize {
        let mut width = 0;
        for shape in &self.shapes {
            width += shape.width();
        }
        width
    }

    pub(crate) fn shows(&self, column: usize) -> bool {
        self.shapes[column].width() > 0
    }

    /// Whether there was no room for a column that there is something for.
    pub(crate) fn dropped(&self, column: usize) -> bool {
        self.shapes[column].dropped && self.shapes[column].number > 0
    }

    #[inline(never)]
    pub(crate) fn push_titles(&self, line: &mut String) {
        for column in 0..COLUMNS {
            if self.shows(column) {
                let shape = &self.shapes[column];
                push_spaces(line, shape.width() - shape.title);
                push(line, self.title(column));
            }
        }
    }

    #[inline(never)]
    pub(crate) fn push_cells(&self, line: &mut String, row: &Row) {
        for column in 0..COLUMNS {
            self.shapes[column].push_cell(line, row.cell(column));
        }
    }
}

/// The number of a cell, and what follows it: its unit or mark, with the space before it.
#[inline(never)]
fn split(cell: &str) -> (&str, &str) {
    // Not at the space of "< 0.05 ns".
    let mut digits = false;
    let mut at = 0;
    for c in cell.as_bytes() {
        digits |= c.is_ascii_digit();
        if digits && *c == b' ' {
            break;
        }
        at += 1;
    }
    cell.split_at(at)
}
