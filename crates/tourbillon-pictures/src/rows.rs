//! Intervals below each other on one axis, and a single one for a row of a table.

use maud::{Markup, PreEscaped, html};

use crate::chart::{TEXT, WIDTH, label_at};
use crate::mark::{Ink, Shape};
use crate::path::{Path, at};
use crate::picture::Picture;
use crate::scale::{Scale, Tick};
use crate::text::{fit, width};

/// What one line shows.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is about: above the mark, at the left.
    pub name: String,
    /// Its figures in words: above the mark, at the right.
    pub figures: String,
    /// Lower end, centre, upper end.
    pub interval: (f64, f64, f64),
    /// Shape and colour of the centre.
    pub look: (Shape, Ink),
}

/// Height of a row: a line of text, and the mark below it.
const ROW: f64 = 30.0;

/// Intervals on one axis, a row each; names stand above the marks, so that they have the whole width.
#[derive(Clone, Debug)]
pub struct Rows {
    scale: Scale,
    ticks: Vec<(f64, String)>,
    name: String,
    band: Option<(f64, f64)>,
    level: Option<f64>,
    rows: Vec<Row>,
}

impl Rows {
    /// No rows yet; `label` makes the labels of the ticks of the axis, which is called `name`.
    pub fn new(scale: Scale, name: &str, label: impl Fn(Tick) -> String) -> Rows {
        let ticks = scale.ticks(6).into_iter();
        Rows {
            scale,
            ticks: ticks.map(|tick| (tick.value, label(tick))).collect(),
            name: name.to_owned(),
            band: None,
            level: None,
            rows: Vec::new(),
        }
    }

    /// An upright band behind the rows, and a rule in it.
    #[must_use]
    pub fn band(mut self, lower: f64, upper: f64, level: f64) -> Rows {
        self.band = Some((lower, upper));
        self.level = Some(level);
        self
    }

    /// Adds a row below.
    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    fn x(&self, value: f64) -> f64 {
        8.0 + (WIDTH - 16.0) * self.scale.position(value)
    }

    /// The picture, with its title; the figures of the rows describe it.
    pub fn picture(self, title: String) -> Picture {
        let top = 4.0;
        let bottom = top + ROW * self.rows.len() as f64;
        let mut body = Markup::default();
        if let Some((lower, upper)) = self.band {
            let mut area = Path::default();
            let (left, right) = (self.x(lower), self.x(upper));
            area.go(left, top)
                .across(right)
                .up_to(bottom)
                .across(left)
                .close();
            let mut edges = Path::default();
            edges
                .go(left, top)
                .up_to(bottom)
                .go(right, top)
                .up_to(bottom);
            body = html! { (body) (area.element("w c")) (edges.element("s c l")) };
        }
        let mut rules = Path::default();
        for (value, _) in &self.ticks {
            rules.go(self.x(*value), top).up_to(bottom);
        }
        let mut level = Path::default();
        if let Some(value) = self.level {
            level.go(self.x(value), top).up_to(bottom);
        }
        let mut edge = Path::default();
        edge.go(8.0, bottom).across(WIDTH - 8.0);
        let rows = self.rows.iter().enumerate();
        let body = html! {
            (rules.element("g"))
            (body)
            (level.element("r"))
            @for (number, row) in rows { (self.row(row, top + ROW * number as f64)) }
            (edge.element("x"))
            (self.labels(bottom + 14.0))
            text class="m e" x=(at(WIDTH - 8.0)) y=(at(bottom + 28.0)) { (self.name) }
        };
        let told = self
            .rows
            .iter()
            .map(|row| format!("{}: {}", row.name, row.figures));
        Picture {
            title,
            figures: told.collect::<Vec<_>>().join("; "),
            width: WIDTH,
            height: bottom + 33.0,
            body: body.0,
        }
    }

    fn row(&self, row: &Row, y: f64) -> Markup {
        let figures = fit(&row.figures, TEXT, WIDTH - 60.0);
        let room = WIDTH - width(&figures, TEXT) - 8.0;
        let (shape, ink) = row.look;
        let marks = marks(row.interval, shape, y + 21.0, |value| self.x(value));
        html! {
            text class="m" x="0" y=(at(y + 10.0)) { (fit(&row.name, TEXT, room)) }
            text class="e" x=(at(WIDTH)) y=(at(y + 10.0)) { (figures) }
            (marks.0.element(&format!("i {}", ink.class())))
            (marks.1.element(&format!("{} {}", shape.class(), ink.class())))
        }
    }

    fn labels(&self, y: f64) -> Markup {
        let mut taken = 0.0;
        let mut labels = String::new();
        for (value, label) in &self.ticks {
            let half = width(label, TEXT) / 2.0;
            let x = self.x(*value).clamp(half, (WIDTH - half).max(half));
            if x - half >= taken {
                labels += &label_at(x, y, label).0;
                taken = x + half + 5.0;
            }
        }
        html! { g class="t" { (PreEscaped(labels)) } }
    }
}

/// A lying interval with its caps, and its centre.
fn marks(
    (lower, centre, upper): (f64, f64, f64),
    shape: Shape,
    y: f64,
    x: impl Fn(f64) -> f64,
) -> (Path, Path) {
    let (left, right) = (x(lower), x(upper));
    let mut interval = Path::default();
    interval.go(left, y).across(right);
    interval
        .go(left, y - 3.0)
        .up_to(y + 3.0)
        .go(right, y - 3.0)
        .up_to(y + 3.0);
    let mut dot = Path::default();
    shape.add(&mut dot, x(centre), y);
    (interval, dot)
}

/// Width of a picture in a row of a table, in pixels.
const GLYPH: f64 = 200.0;

/// A picture as small as a word: marks above a line with ticks at the first and the last round value.
fn word(scale: &Scale, figures: &str, marks: &[(&str, Path)]) -> Markup {
    let mut edge = Path::default();
    edge.go(2.0, 15.0).across(GLYPH - 2.0);
    if let [first, .., last] = scale.ticks(4).as_slice() {
        for tick in [first, last] {
            edge.go(small(scale, tick.value), 15.0).up_to(12.0);
        }
    }
    small_picture(figures, &[("x", edge)], marks)
}

fn small_picture(figures: &str, below: &[(&str, Path)], marks: &[(&str, Path)]) -> Markup {
    html! {
        svg class="glyph" viewBox={ "0 0 " (at(GLYPH)) " 16" } role="img" {
            title { (figures) }
            @for (class, path) in below.iter().chain(marks) { (path.element(class)) }
        }
    }
}

/// The position of a value in such a picture.
fn small(scale: &Scale, value: f64) -> f64 {
    5.0 + (GLYPH - 10.0) * scale.position(value)
}

/// The first and the last round value of a scale, above the pictures on it, with their labels.
pub fn axis_glyph(scale: &Scale, label: impl Fn(Tick) -> String) -> Markup {
    let ticks = scale.ticks(4);
    let [first, .., last] = ticks.as_slice() else {
        return Markup::default();
    };
    html! {
        svg class="glyph" viewBox={ "0 0 " (at(GLYPH)) " 16" } aria-hidden="true" {
            @for tick in [first, last] {
                // Beside the middle, so that both stay inside.
                @let x = small(scale, tick.value);
                @let class = if x > GLYPH / 2.0 { "m e" } else { "m" };
                text class=(class) x=(at(x)) y="12" { (label(*tick)) }
            }
        }
    }
}

/// A dot and its interval, as small as a word: for a row of a table, on the scale of its column.
pub fn glyph(scale: &Scale, interval: (f64, f64, f64), figures: &str) -> Markup {
    let (ends, dot) = marks(interval, Shape::Round, 8.0, |value| small(scale, value));
    word(scale, figures, &[("i a", ends), ("d a", dot)])
}

/// A bar from zero, as small as a word: for counts.
pub fn bar_glyph(scale: &Scale, value: f64, figures: &str) -> Markup {
    let mut bar = Path::default();
    bar.go(small(scale, 0.0), 4.0)
        .across(small(scale, value))
        .up_to(11.0);
    bar.across(small(scale, 0.0)).close();
    word(scale, figures, &[("f s a", bar)])
}

/// Two values and the way between them, as small as a word: a dot, and a triangle for the second.
pub fn pair_glyph(scale: &Scale, values: (f64, f64), figures: &str) -> Markup {
    let (first, second) = (small(scale, values.0), small(scale, values.1));
    let (mut way, mut dot, mut triangle) = (Path::default(), Path::default(), Path::default());
    way.go(first, 8.0).across(second);
    Shape::Round.add(&mut dot, first, 8.0);
    Shape::Up.add(&mut triangle, second, 8.0);
    word(
        scale,
        figures,
        &[("i a", way), ("d a", dot), ("f s b", triangle)],
    )
}

/// A series as a step line, as small as a word, from its lowest to its highest value.
pub fn line_glyph(values: &[f64], figures: &str) -> Markup {
    let scale = Scale::linear(values.iter().copied());
    let x = |number: usize| 2.0 + (GLYPH - 4.0) * number as f64 / values.len() as f64;
    let y = |value: f64| (14.0 - 12.0 * scale.position(value)).round();
    let mut line = Path::default();
    let mut number = 0;
    for same in values.chunk_by(|one, other| y(*one) >= y(*other) && y(*one) <= y(*other)) {
        match number {
            0 => line.go(x(0), y(same[0])),
            _ => line.up_to(y(same[0])),
        };
        number += same.len();
        line.across(x(number));
    }
    small_picture(figures, &[], &[("l b", line)])
}
