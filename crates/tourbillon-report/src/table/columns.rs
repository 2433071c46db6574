use super::row::Row;
use crate::Style;
use crate::escape::{display_width, escape, push_shortened, push_spaces};
use crate::text::Text;

/// Columns to the right of the name, from left to right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Main,
    HalfWidth,
    Cycles,
    Throughput,
    Last,
}

pub(crate) const COLUMNS: usize = 5;

impl Column {
    pub(crate) const ALL: [Column; COLUMNS] = [
        Column::Main,
        Column::HalfWidth,
        Column::Cycles,
        Column::Throughput,
        Column::Last,
    ];
}

/// What the columns are called in their heading and in a sentence.
pub(crate) const NAMES: [&str; COLUMNS] =
    ["figure", "interval", "cycles", "throughput", "comparison"];

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

    // Not inlined, as others here: loops over the columns are unrolled.
    #[inline(never)]
    fn of(rows: &[Row], column: usize, title: &str) -> Shape {
        let mut shape = Shape::NONE;
        shape.title = display_width(title);
        for row in rows {
            let (number, unit) = split(row.cell(column));
            shape.number = shape.number.max(display_width(number));
            shape.unit = shape.unit.max(display_width(unit));
        }
        shape
    }

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
            line.push_str(number);
            line.push_str(unit);
            push_spaces(line, self.unit - display_width(unit));
        }
    }
}

/// Which columns are shown, and where.
pub(crate) struct Layout {
    /// Width of the name with its branch.
    pub(crate) name: usize,
    /// Title of the first column.
    main: &'static str,
    /// Title of the half-width's column.
    half_width: Text,
    /// Title of the ratios' column.
    last: String,
    shapes: [Shape; COLUMNS],
}

impl Layout {
    /// `main` is the title of the first column, `wanted` the width of the widest name, `confidence` the one of the heading.
    #[inline(never)]
    pub(crate) fn new(
        rows: &[Row],
        main: &'static str,
        wanted: usize,
        confidence: f64,
        baseline: Option<&str>,
        style: &Style,
    ) -> Layout {
        let mut half_width = Text::new(style);
        half_width
            .say(style.glyphs().plus_minus)
            .confidence(confidence);
        let mut layout = Layout {
            name: 0,
            main,
            half_width,
            last: versus(baseline, style),
            shapes: [Shape::NONE; COLUMNS],
        };
        for column in 0..COLUMNS {
            layout.shapes[column] = Shape::of(rows, column, layout.title(column));
        }
        let least = wanted.min((style.columns() * 3 / 10).max(12));
        for column in &DROPPED {
            if layout.right() + least > style.columns() {
                layout.shapes[*column as usize].dropped = true;
            }
        }
        // Room for a reason in place of figures, even where no case has figures.
        let right = layout.right().max(style.columns() / 3);
        layout.name = wanted.min(style.columns().saturating_sub(right));
        layout
    }

    #[inline(never)]
    pub(crate) fn title(&self, column: usize) -> &str {
        if column == Column::Main as usize {
            self.main
        } else if column == Column::HalfWidth as usize {
            &self.half_width.string
        } else if column == Column::Last as usize {
            &self.last
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

    pub(crate) fn shows(&self, column: Column) -> bool {
        self.shapes[column as usize].width() > 0
    }

    /// Whether there was no room for a column that there is something for.
    pub(crate) fn dropped(&self, column: usize) -> bool {
        self.shapes[column].dropped && self.shapes[column].number > 0
    }

    pub(crate) fn push_titles(&self, line: &mut String) {
        for (column, shape) in self.shapes.iter().enumerate() {
            if shape.width() > 0 {
                push_spaces(line, shape.width() - shape.title);
                line.push_str(self.title(column));
            }
        }
    }

    pub(crate) fn push_cells(&self, line: &mut String, row: &Row) {
        for (column, shape) in self.shapes.iter().enumerate() {
            shape.push_cell(line, row.cell(column));
        }
    }
}

/// `vs last run`, or `vs` and the name of a baseline, cut where it is long.
fn versus(baseline: Option<&str>, style: &Style) -> String {
    let mut title = "vs ".to_owned();
    let name = escape(baseline.unwrap_or("last run"), style.unicode);
    push_shortened(&mut title, &name, MOST_NAME, style.glyphs().ellipsis);
    title
}

/// The number of a cell, and what follows it: its unit or mark, with the space before it.
#[inline(never)]
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
