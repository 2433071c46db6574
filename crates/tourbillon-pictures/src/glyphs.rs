//! Pictures as small as a word, for rows of tables.

use maud::{Markup, html};

use crate::labels::placed;
use crate::mark::Shape;
use crate::path::{Path, at};
use crate::scale::{Scale, Tick};

/// Width of a picture in a row of a table, in pixels.
const GLYPH: f64 = 200.0;

/// Most ticks of such a picture: their labels have room beside each other.
const TICKS: usize = 4;

/// A picture as small as a word: marks above a line with ticks at round values.
fn word(scale: &Scale, figures: &str, marks: &[(&str, Path)]) -> Markup {
    let mut edge = Path::default();
    edge.go(2.0, 15.0).across(GLYPH - 2.0);
    for tick in scale.ticks(TICKS) {
        edge.go(small(scale, tick.value), 15.0).up_to(12.0);
    }
    marked(figures, &edge, marks)
}

fn marked(figures: &str, edge: &Path, marks: &[(&str, Path)]) -> Markup {
    html! {
        svg class="glyph" viewBox={ "0 0 " (at(GLYPH)) " 16" } role="img" {
            title { (figures) }
            (edge.element("x"))
            @for (class, path) in marks { (path.element(class)) }
        }
    }
}

/// The position of a value in such a picture.
fn small(scale: &Scale, value: f64) -> f64 {
    5.0 + (GLYPH - 10.0) * scale.position(value)
}

/// The labels of the round values of a scale, above the pictures on it.
pub fn axis_glyph(scale: &Scale, label: impl Fn(Tick) -> String) -> Markup {
    let ticks = scale.ticks(TICKS).into_iter();
    let labels: Vec<(f64, String)> = ticks
        .map(|tick| (small(scale, tick.value), label(tick)))
        .collect();
    let labels = labels.iter().map(|(x, label)| (*x, label.as_str()));
    html! {
        svg class="glyph" viewBox={ "0 0 " (at(GLYPH)) " 16" } aria-hidden="true" {
            @for (x, label) in placed(labels, GLYPH) { text class="m t" x=(at(x)) y="12" { (label) } }
        }
    }
}

/// An interval, and the dot of its estimate in this shape if it has one, as small as a word: for a row of a table, on the
/// scale of its column.
pub fn glyph(
    scale: &Scale,
    (lower, upper): (f64, f64),
    centre: Option<f64>,
    shape: Shape,
    figures: &str,
) -> Markup {
    let (left, right) = (small(scale, lower), small(scale, upper));
    let (mut ends, mut dot) = (Path::default(), Path::default());
    ends.go(left, 8.0).across(right);
    ends.go(left, 5.0).up_to(11.0).go(right, 5.0).up_to(11.0);
    if let Some(centre) = centre {
        shape.add(&mut dot, small(scale, centre), 8.0);
    }
    let class = format!("{} a", shape.class());
    word(scale, figures, &[("i a", ends), (&class, dot)])
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

/// Most parts of a line: a glyph is some 200 units wide.
const PARTS: usize = 64;

/// Values with their places: of many, the least and the greatest of each part.
fn extremes(values: &[f64]) -> Vec<(usize, f64)> {
    let placed: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    if values.len() <= 2 * PARTS {
        return placed;
    }
    let mut kept = Vec::new();
    for part in placed.chunks(values.len().div_ceil(PARTS)) {
        let by_value = |one: &&(usize, f64), other: &&(usize, f64)| one.1.total_cmp(&other.1);
        let mut ends = [part.iter().min_by(by_value), part.iter().max_by(by_value)];
        ends.sort_by_key(|end| end.map(|(number, _)| number));
        kept.extend(ends.into_iter().flatten());
    }
    kept.dedup();
    kept
}

/// A course of values as a line, as small as a word.
pub fn line_glyph(scale: &Scale, values: &[f64], figures: &str) -> Markup {
    let places = Scale::index(values.len());
    let mut line = Path::default();
    for (number, value) in extremes(values) {
        let x = small(&places, number as f64);
        let y = 14.0 - 12.0 * scale.position(value);
        if line.is_empty() {
            line.go(x, y);
        } else {
            line.line(x, y);
        }
    }
    let mut last = Path::default();
    if let Some(value) = values.last() {
        let x = small(&places, (values.len() - 1) as f64);
        Shape::Round.add(&mut last, x, 14.0 - 12.0 * scale.position(*value));
    }
    marked(figures, &Path::default(), &[("l a", line), ("d a", last)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_what_stands_out() {
        let mut values: Vec<f64> = (0..1000).map(|place| f64::from(place % 7)).collect();
        values[503] = 90.0;
        values[504] = -90.0;
        let kept = extremes(&values);
        assert!(kept.len() <= 2 * PARTS, "{}", kept.len());
        assert!(kept.contains(&(503, 90.0)) && kept.contains(&(504, -90.0)));
        assert!(kept.is_sorted_by_key(|(place, _)| *place));
        assert_eq!(extremes(&values[..100]).len(), 100);
    }
}
