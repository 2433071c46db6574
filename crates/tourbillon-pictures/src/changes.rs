//! Changes on a logarithmic axis, a bar for each row of a table of verdicts.

use maud::{Markup, html};
use tourbillon_present::number::{self, fixed, signed};
use tourbillon_present::{Ink, RATIO, Row, Table};

use crate::Scale;
use crate::ink::{class, shown};
use crate::labels::{GAP, TEXT};
use crate::text::width;

/// Most ticks on the axis.
const TICKS: usize = 5;
/// Height of the line of a row, in pixels.
const HEIGHT: f64 = 22.0;
/// The least width that the page gives the axis, in pixels. Labels that do not touch there touch nowhere: their places
/// are shares of the width.
const LEAST: f64 = 200.0;

/// Changes on a logarithmic axis.
pub(crate) struct Plot {
    scale: Scale,
    labels: Vec<Label>,
    /// The places of the ratio, the ends of its interval and the margin.
    columns: [usize; 4],
}

/// A value on the axis, and what stands there.
struct Label {
    /// In per cent of the width.
    place: f64,
    /// Empty where there is no room.
    text: String,
    anchor: Anchor,
}

#[derive(Clone, Copy, PartialEq)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Plot {
    /// The places of the ratio, its ends and the margin in a table of changes.
    pub(crate) fn columns(table: &Table) -> Option<[usize; 4]> {
        let place = |key: &str| table.columns.iter().position(|column| column.key == key);
        Some([
            place(RATIO[0])?,
            place(RATIO[1])?,
            place(RATIO[2])?,
            place(RATIO[3])?,
        ])
    }

    /// That of a table with ratios.
    pub(crate) fn of(table: &Table) -> Option<Plot> {
        let columns = Plot::columns(table)?;
        let ends = [columns[0], columns[1], columns[2]];
        let numbers = table
            .rows
            .iter()
            .flat_map(|row| ends.map(|at| row.number(at)));
        let numbers: Vec<f64> = numbers.flatten().filter(|ratio| *ratio > 0.0).collect();
        (!numbers.is_empty()).then(|| Plot::new(numbers, columns))
    }

    fn new(numbers: impl IntoIterator<Item = f64>, columns: [usize; 4]) -> Plot {
        let scale = change_scale(numbers);
        Plot {
            labels: labels(&scale),
            scale,
            columns,
        }
    }

    /// In per cent of the width.
    fn place(&self, ratio: f64) -> f64 {
        100.0 * self.scale.position(ratio)
    }

    pub(crate) fn axis(&self) -> Markup {
        html! {
            svg aria-hidden="true" height="16" {
                @for Label { place, text, anchor } in self.labels.iter().filter(|label| !label.text.is_empty()) {
                    text x={ (two(*place)) "%" } y="12" text-anchor=(anchor.name()) { (text) }
                }
            }
        }
    }

    pub(crate) fn row(&self, row: &Row) -> Markup {
        let [ratio, lower, upper, margin] = self.columns.map(|at| row.number(at));
        // A ratio without an interval would look like one that is known.
        let Some(ratio) = ratio.filter(|ratio| *ratio > 0.0 && lower.is_some()) else {
            return html! {};
        };
        let margin = margin.unwrap_or(0.0);
        let (from, to) = (self.place(1.0 / (1.0 + margin)), self.place(1.0 + margin));
        let ink = row.mark.map_or(Ink::Plain, |mark| mark.ink);
        let (zero, place) = (self.place(1.0), self.place(ratio));
        let said: Vec<&str> = row
            .cells
            .iter()
            .skip(1)
            .map(|cell| cell.text.as_str())
            .collect();
        html! {
            svg class={ "change " (class(ink)) } role="img" height=(HEIGHT) aria-label=(shown(said.join(" ").trim())) {
                rect.margin x={ (two(from)) "%" } width={ (two(to - from)) "%" } y="0" height=(HEIGHT) {}
                @for Label { place, .. } in &self.labels {
                    line.g x1={ (two(*place)) "%" } x2={ (two(*place)) "%" } y1="0" y2=(HEIGHT) {}
                }
                rect.bar x={ (two(zero.min(place))) "%" } width={ (two((place - zero).abs())) "%" } y="8" height="6" {}
                @if let (Some(lower), Some(upper)) = (lower, upper) {
                    @let (from, to) = (self.place(lower), self.place(upper));
                    rect.ci x={ (two(from)) "%" } width={ (two(to - from)) "%" } y="10" height="2" {}
                }
                circle cx={ (two(place)) "%" } cy="11" r="4" {}
            }
        }
    }
}

/// The axis of ratios of times: what is the same lies in the middle of some per cent.
pub fn change_scale(ratios: impl IntoIterator<Item = f64>) -> Scale {
    Scale::log(ratios.into_iter().chain([0.95, 1.05]))
}

/// Labels that do not touch, of no change and powers of a factor, or round shares where the axis is short.
fn labels(scale: &Scale) -> Vec<Label> {
    let is_shown = |ratio: &f64| {
        // Those beyond an end are put there.
        let place = scale.position(*ratio);
        place > 0.0 && place < 1.0
    };
    let is_short = !is_shown(&0.5) && !is_shown(&2.0);
    let shares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
    let factors = [2.0, 4.0, 10.0, 100.0];
    let steps = if is_short { &shares[..] } else { &factors };
    for step in steps {
        let tick = |number: i32| {
            if is_short {
                1.0 + step * f64::from(number)
            } else {
                step.powi(number)
            }
        };
        let ticks: Vec<f64> = (-100..=100).map(tick).filter(is_shown).collect();
        let labels = labelled(scale, &ticks);
        let named = labels.iter().filter(|label| !label.text.is_empty());
        if ticks.len() <= TICKS && named.count() > 1 {
            return labels;
        }
    }
    labelled(scale, &[1.0])
}

/// Labels of as many ticks as have room: no change, then the ends, which say which way where they can, then the others.
fn labelled(scale: &Scale, ticks: &[f64]) -> Vec<Label> {
    let is_end = |at: usize| at == 0 || at + 1 == ticks.len();
    let mut order: Vec<usize> = (0..ticks.len()).collect();
    order.sort_by_key(|at| ((ticks[*at] - 1.0).abs() > 1e-9, !is_end(*at)));
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut labels = Vec::new();
    for at in order {
        let share = scale.position(ticks[at]);
        let texts = [
            tick_label(ticks[at], is_end(at)),
            tick_label(ticks[at], false),
        ];
        let mut all = texts.into_iter().map(|text| Label::new(share, text));
        let free = all.find(|label| {
            let (start, end) = label.ends(LEAST);
            taken
                .iter()
                .all(|(from, to)| end + GAP <= *from || to + GAP <= start)
        });
        let label = free.unwrap_or_else(|| Label::new(share, String::new()));
        if !label.text.is_empty() {
            taken.push(label.ends(LEAST));
        }
        labels.push(label);
    }
    labels.sort_by(|one, other| one.place.total_cmp(&other.place));
    labels
}

impl Label {
    /// A text at a share of the width, beside its place where it has no room on both sides of it.
    fn new(share: f64, text: String) -> Label {
        let half = width(&text, TEXT) / 2.0;
        let anchor = match LEAST * share {
            x if x < half => Anchor::Start,
            x if x > LEAST - half => Anchor::End,
            _ => Anchor::Middle,
        };
        Label {
            place: 100.0 * share,
            text,
            anchor,
        }
    }

    /// Where it begins and ends on an axis of so many pixels.
    fn ends(&self, room: f64) -> (f64, f64) {
        let width = width(&self.text, TEXT);
        let before = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let start = room * self.place / 100.0 - before;
        (start, start + width)
    }
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

fn two(place: f64) -> String {
    fixed(place, 2)
}

/// A ratio of times in words: `same`, `+5 %`, from about two on `2× slower`, or `2×` without a word.
pub fn tick_label(ratio: f64, with_word: bool) -> String {
    let factor = ratio.max(1.0 / ratio);
    if factor < 1.005 {
        return "same".to_owned();
    }
    if factor < 1.95 {
        let percent = signed((ratio - 1.0) * 100.0, 0);
        return percent.replace('-', "−") + " %";
    }
    let decimals = usize::from(factor.fract() > 0.05);
    let word = if ratio > 1.0 { " slower" } else { " faster" };
    let word = if with_word { word } else { "" };
    format!("{}×{word}", number::factor(factor, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ends: [f64; 2]) -> Vec<Label> {
        Plot::new(ends, [0; 4]).labels
    }

    #[test]
    fn ticks_are_round() {
        let labels = |ends| {
            let labels = of(ends).into_iter();
            labels.map(|label| label.text).collect::<Vec<_>>()
        };
        assert_eq!(labels([1.0, 1.0]), ["−5 %", "same", "+5 %"]);
        assert_eq!(labels([0.3, 1.1]), ["2× faster", "same"]);
        assert_eq!(labels([1e-9, 1e9]), ["same"]);
        // On a logarithmic axis equal steps are ever shorter.
        let short = ["−40 %", "", "same", "", "+40 %"];
        assert_eq!(labels([0.61, 1.42]), short);
        assert_eq!(labels([0.87, 1.21]), ["−10 %", "same", "", "+20 %"]);
        let long = ["64× faster", "", "4×", "same", "4×"];
        assert_eq!(labels([0.02, 9.0]), long);
    }

    #[test]
    fn no_label_touches_another_whatever_the_range_and_the_width() {
        let mut fewest = usize::MAX;
        for (low, high) in (0..120).flat_map(|low| (0..120).map(move |high| (low, high))) {
            // From 0.1 per cent to factors of a million.
            let far = |step: i32| 0.001 * 1.2_f64.powi(step);
            let (low, high) = (1.0 / (1.0 + far(low)), 1.0 + far(high));
            let mut labels = of([low, high]);
            labels.retain(|label| !label.text.is_empty());
            assert!(labels.iter().any(|label| label.text == "same"));
            if high / low < 1e4 {
                fewest = fewest.min(labels.len());
            }
            for room in [LEAST, 228.0, 328.0, 448.0, 1120.0] {
                let mut before = -GAP;
                for label in &labels {
                    let (start, end) = label.ends(room);
                    let text = &label.text;
                    assert!(before + GAP <= start, "{low} {high} at {room}: {text}");
                    assert!(end <= room, "{low} {high} at {room}: {text}");
                    before = end;
                }
            }
        }
        assert_eq!(fewest, 2);
    }

    #[test]
    fn ticks_are_in_words() {
        for (ratio, with_word, expected) in [
            (1.0, true, "same"),
            (1.05, true, "+5 %"),
            (1.0 / 1.1, true, "−9 %"),
            (2.25, true, "2.2× slower"),
            (1.0 / 16.0, true, "16× faster"),
            (0.25, false, "4×"),
        ] {
            assert_eq!(tick_label(ratio, with_word), expected);
        }
    }
}
