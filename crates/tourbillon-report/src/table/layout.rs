//! The columns of a table, their widths, and which ones a terminal has room for.

use super::options::OptionalColumn;
use super::row::{COLUMNS, Row};
use crate::Style;
use crate::escape::{display_width, indented, padded, shortened};
use crate::number;

/// Columns to the right of the name, from left to right, after the one of the figure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    HalfWidth = 1,
    Cycles,
    Allocs,
    Bytes,
    Throughput,
    Last,
}

/// What the columns are called in a sentence.
const NAMES: [&str; COLUMNS] = [
    "figure",
    "interval",
    "cycles",
    "allocs",
    "bytes",
    "throughput",
    "change",
];

/// In which order columns are omitted when the terminal is narrow: then those that were requested, from the
/// right, then the interval, because a time without one tells little. Cycles are there without being requested;
/// a throughput is what the benchmark declares.
const OMITTED: [Column; 5] = [
    Column::Last,
    Column::Cycles,
    Column::Bytes,
    Column::Throughput,
    Column::Allocs,
];

/// Most columns that the name of a baseline takes.
const MOST_NAME: usize = 16;

/// Columns that a number, and a unit, may have on every terminal; more only on a wide one.
const MOST_CELL: usize = 16;

/// Columns that a name has on every terminal: its branch, and an ellipsis.
const LEAST_NAME: usize = 4;

/// Between two columns.
pub(crate) const GAP: usize = 2;

/// A column: its title and its widths. Numbers end at one place, their units begin at one.
#[derive(Default)]
struct Shape {
    title: String,
    /// Width of the widest number, and of the widest unit with the space before it; 0 for a column
    /// without a cell.
    number: usize,
    unit: usize,
    omitted: bool,
}

impl Shape {
    /// With the gap before it; 0 for a column that is not shown.
    fn width(&self) -> usize {
        if self.omitted || self.number == 0 {
            return 0;
        }
        GAP + display_width(&self.title).max(self.number + self.unit)
    }

    fn cell(&self, cell: &str, ellipsis: &str) -> String {
        let (number, unit) = split(cell);
        if self.width() == 0 {
            return String::new();
        }
        let [number, unit] = [(number, self.number), (unit, self.unit)]
            .map(|(part, width)| shortened(part, width, ellipsis));
        indented(&number, self.width().saturating_sub(self.unit)) + &padded(&unit, self.unit)
    }
}

/// What the titles of a table are made of.
pub(crate) struct Titles<'t> {
    /// Title of the first column.
    pub(crate) main: &'t str,
    /// The one of the heading.
    pub(crate) confidence: f64,
    /// The name of a baseline, which is cut where it is long.
    pub(crate) baseline: Option<&'t str>,
    /// Columns at the right.
    pub(crate) requested: &'t [OptionalColumn],
}

/// Which columns are shown, and where.
pub(crate) struct Layout {
    /// Width of the name with its branch.
    pub(crate) name: usize,
    shapes: Vec<Shape>,
    ellipsis: &'static str,
}

impl Layout {
    /// The columns of a table; `name` is the width of the widest name.
    pub(crate) fn new(titles: &Titles<'_>, rows: &[Row], name: usize, style: &Style) -> Layout {
        let glyphs = style.glyphs();
        let baseline = style.safe(titles.baseline.unwrap_or("last run"));
        let confidence = number::confidence(titles.confidence);
        let always = [
            titles.main.to_owned(),
            format!("{confidence} CI {}", glyphs.plus_minus),
            NAMES[Column::Cycles as usize].to_owned(),
            NAMES[Column::Allocs as usize].to_owned(),
            NAMES[Column::Bytes as usize].to_owned(),
            NAMES[Column::Throughput as usize].to_owned(),
            shortened(&baseline, MOST_NAME, glyphs.ellipsis),
        ];
        let requested = titles
            .requested
            .iter()
            .map(|column| column.name().to_owned());
        let shapes = always.into_iter().chain(requested).map(|title| Shape {
            title,
            ..Shape::default()
        });
        let mut layout = Layout {
            name,
            shapes: shapes.collect(),
            ellipsis: glyphs.ellipsis,
        };
        let most = MOST_CELL.max(style.columns() / 3);
        for row in rows {
            for (shape, cell) in layout.shapes.iter_mut().zip(&row.cells) {
                let (number, unit) = split(cell);
                shape.number = shape.number.max(display_width(number).min(most));
                shape.unit = shape.unit.max(display_width(unit).min(most));
            }
        }
        let least = name.min((style.columns() * 3 / 10).max(12));
        let requested = (COLUMNS..layout.shapes.len()).rev();
        let omitted = OMITTED.map(|column| column as usize).into_iter();
        for column in omitted.chain(requested).chain([Column::HalfWidth as usize]) {
            if layout.right() + least > style.columns() {
                layout.shapes[column].omitted = true;
            }
        }
        // Room for a reason in place of figures, even where no case has figures.
        let right = layout.right().max(style.columns() / 3);
        let room = style.columns().saturating_sub(right);
        layout.name = name.min(room.max(LEAST_NAME));
        layout
    }

    /// How many columns there are, shown or not.
    pub(crate) fn columns(&self) -> usize {
        self.shapes.len()
    }

    pub(crate) fn title(&self, column: usize) -> &str {
        &self.shapes[column].title
    }

    /// The columns that there was no room for, as they are called in a sentence.
    pub(crate) fn omitted(&self) -> Vec<&str> {
        let columns = self.shapes.iter().enumerate();
        let omitted = columns.filter(|(_, shape)| shape.omitted && shape.number > 0);
        omitted
            .map(|(column, shape)| match column {
                _ if column >= Column::Last as usize => &*shape.title,
                _ => NAMES[column],
            })
            .collect()
    }

    /// Width of all columns to the right of the name.
    fn right(&self) -> usize {
        self.shapes.iter().map(Shape::width).sum()
    }

    pub(crate) fn shows(&self, column: usize) -> bool {
        self.shapes[column].width() > 0
    }

    pub(crate) fn titles(&self) -> String {
        let shown = self.shapes.iter().filter(|shape| shape.width() > 0);
        shown
            .map(|shape| indented(&shape.title, shape.width()))
            .collect()
    }

    pub(crate) fn cells(&self, row: &Row) -> String {
        let cells = self.shapes.iter().zip(&row.cells);
        cells
            .map(|(shape, cell)| shape.cell(cell, self.ellipsis))
            .collect()
    }
}

/// The number of a cell, and what follows it: its unit or mark, with the space before it.
fn split(cell: &str) -> (&str, &str) {
    // Not at the space of "< 0.05 ns".
    let digits = cell.find(|c: char| c.is_ascii_digit());
    let space = digits.and_then(|digits| Some(digits + cell[digits..].find(' ')?));
    cell.split_at(space.unwrap_or(cell.len()))
}
