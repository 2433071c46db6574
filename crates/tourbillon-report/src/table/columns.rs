use super::row::Row;
use crate::Style;
use crate::escape::{display_width, push_spaces};
use crate::number::{Confidence, append};

/// Columns to the right of the name, from left to right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Time,
    HalfWidth,
    Cycles,
    Throughput,
    Last,
}

pub(crate) const COLUMNS: usize = 5;

/// What the columns are called in their heading and in a sentence.
pub(crate) const NAMES: [&str; COLUMNS] =
    ["time/op", "interval", "cycles", "throughput", "vs last run"];

/// In which order columns go when the terminal is narrow. Throughput follows from the time; an
/// interval goes last, for a time without one says little. The time stays.
const DROPPED: [Column; 4] = [
    Column::Throughput,
    Column::Cycles,
    Column::Last,
    Column::HalfWidth,
];

/// Between two columns.
pub(crate) const GAP: usize = 2;

/// A column's title and widths: numbers end at one place, their units begin at one.
#[derive(Default)]
struct Shape {
    title: String,
    /// Of the number and of the unit with the space before it; none for a column without a cell.
    number: usize,
    unit: usize,
    dropped: bool,
}

impl Shape {
    /// With the gap before it; 0 for a column that is not shown.
    fn width(&self) -> usize {
        if self.dropped || self.number == 0 {
            return 0;
        }
        GAP + display_width(&self.title).max(self.number + self.unit)
    }
}

/// Which columns are shown, and where.
pub(crate) struct Layout {
    /// Width of the name with its branch.
    pub(crate) name: usize,
    shapes: [Shape; COLUMNS],
}

impl Layout {
    /// `wanted` is the width of the widest name, `confidence` the one of the heading.
    pub(crate) fn new(rows: &[Row], wanted: usize, confidence: f64, style: &Style) -> Layout {
        let mut shapes: [Shape; COLUMNS] = Default::default();
        for (column, shape) in shapes.iter_mut().enumerate() {
            for row in rows {
                let (number, unit) = split(&row.cells[column]);
                shape.number = shape.number.max(display_width(number));
                shape.unit = shape.unit.max(display_width(unit));
            }
            if column == Column::HalfWidth as usize {
                let plus_minus = style.glyphs().plus_minus;
                append(
                    &mut shape.title,
                    format_args!("{plus_minus}{}", Confidence(confidence)),
                );
            } else {
                shape.title.push_str(NAMES[column]);
            }
        }
        let mut layout = Layout { name: 0, shapes };
        let least = wanted.min((style.columns() * 3 / 10).max(12));
        for column in DROPPED {
            if layout.right() + least > style.columns() {
                layout.shapes[column as usize].dropped = true;
            }
        }
        // Room for a reason in place of figures, even where no case has figures.
        let right = layout.right().max(style.columns() / 3);
        layout.name = wanted.min(style.columns().saturating_sub(right));
        layout
    }

    /// Width of all that is to the right of the name.
    fn right(&self) -> usize {
        self.shapes.iter().map(Shape::width).sum()
    }

    pub(crate) fn shows(&self, column: Column) -> bool {
        self.shapes[column as usize].width() > 0
    }

    /// Whether there was no room for a column that there is something for.
    pub(crate) fn dropped(&self, column: usize) -> bool {
        self.shapes[column].dropped && self.shapes[column].number > 0
    }

    pub(crate) fn push_titles(&self, line: &mut String) {
        for shape in self.shapes.iter().filter(|shape| shape.width() > 0) {
            push_spaces(line, shape.width() - display_width(&shape.title));
            line.push_str(&shape.title);
        }
    }

    pub(crate) fn push_cells(&self, line: &mut String, row: &Row) {
        for (shape, cell) in self.shapes.iter().zip(&row.cells) {
            if shape.width() == 0 {
                continue;
            }
            let (number, unit) = split(cell);
            push_spaces(line, shape.width() - display_width(number) - shape.unit);
            line.push_str(number);
            line.push_str(unit);
            push_spaces(line, shape.unit - display_width(unit));
        }
    }
}

/// The number of a cell, and what follows it: its unit or mark, with the space before it.
fn split(cell: &str) -> (&str, &str) {
    // Not at the space of "< 0.05 ns".
    let mut digits = false;
    for (at, c) in cell.bytes().enumerate() {
        digits |= c.is_ascii_digit();
        if digits && c == b' ' {
            return cell.split_at(at);
        }
    }
    (cell, "")
}
