//! The picture of a series: its runs in the order of their commits, its levels, and the ranges in which it changes.

use std::collections::HashMap;

use tourbillon_pictures::{Axis, Chart, Ink, Picture, Scale, Shape, Tick};
use tourbillon_present::number::trimmed;
use tourbillon_report::{Figure, Style};

use crate::confirmations::Status;
use crate::index::{IndexedRun, Point, Series};
use crate::listing::{Listed, in_unit, words};
use crate::log::figure;
use crate::short_names::short;

/// What the symbols at the changes mean, which need no colour.
pub(crate) const SYMBOLS: &str = "; \u{25b2} \u{25bc} confirmed, \u{2713} accepted, ? nominated";

const HEIGHT: f64 = 180.0;
/// Most commits that the axis names.
const NAMED: usize = 4;
/// Runs from which on their intervals would hide each other.
const DENSE: usize = 60;

/// A series, its points in the order of the commits, and its changes in the same order.
pub(crate) struct Drawn<'d> {
    pub(crate) series: &'d Series,
    pub(crate) points: &'d [(&'d IndexedRun, Point)],
    pub(crate) changes: &'d [&'d Listed<'d>],
}

impl Drawn<'_> {
    /// The picture; the changes are numbered from 1.
    pub(crate) fn picture(&self, style: &Style) -> Picture {
        let mut chart = Chart::new(self.commits(), self.values(style), HEIGHT, &[]);
        let numbers = self.points.iter().map(|(run, _)| run.number);
        let places: HashMap<i64, usize> = numbers.zip(0..).collect();
        // Each of them is one of the points.
        let place = |run: &IndexedRun| places.get(&run.number).map_or(0.0, |at| *at as f64);
        for (number, change) in (1..).zip(self.changes) {
            let nomination = change.nomination;
            let [from, to] = [nomination.before, nomination.after].map(place);
            chart.span(from, to, ink(change));
            let label = format!("{}{number}", symbol(change));
            chart.mark(place(nomination.likely) - 0.5, &label);
        }
        for level in self.levels(place) {
            chart.rule(&level);
        }
        let points: Vec<(f64, &Point)> = self
            .points
            .iter()
            .enumerate()
            .map(|(place, (_, point))| (place as f64, point))
            .collect();
        let is_dense = points.len() > DENSE;
        if !is_dense {
            let ends = points
                .iter()
                .filter_map(|(x, point)| Some((*x, point.lower?, point.upper?)));
            chart.intervals(&ends.collect::<Vec<_>>(), Ink::First);
        }
        let dots: Vec<(f64, f64)> = points.iter().map(|(x, point)| (*x, point.value)).collect();
        let shape = if is_dense {
            Shape::Stroke
        } else {
            Shape::Round
        };
        chart.dots(&dots, shape, Ink::First);
        chart.picture(self.series.case.clone(), self.figures(style))
    }

    /// The axis of the runs, with the commits of some.
    fn commits(&self) -> Axis {
        let last = self.points.len().saturating_sub(1);
        let mut places: Vec<usize> = (0..NAMED).map(|part| last * part / (NAMED - 1)).collect();
        places.dedup();
        let ticks = places.into_iter().filter_map(|place| {
            let (run, _) = self.points.get(place)?;
            Some((place as f64, short(run).to_owned()))
        });
        let scale = Scale::index(self.points.len());
        Axis::with_ticks(scale, "runs in the order of commits", ticks.collect())
    }

    fn values(&self, style: &Style) -> Axis {
        let values = self.points.iter().flat_map(|(_, point)| {
            [Some(point.value), point.lower, point.upper]
                .into_iter()
                .flatten()
        });
        let unit = self.series.unit.as_str();
        let label = |tick: Tick| {
            if !matches!(unit, "ns" | "cycles") {
                return format!("{} {unit}", trimmed(tick.value));
            }
            let figure = Figure::within(tick.value, Some(tick.step));
            in_unit(figure, unit, style)
        };
        let name = format!("{} per op", self.series.metric);
        Axis::new(Scale::linear(values), &name, 5, label)
    }

    /// The level before each change, and that after the last one.
    fn levels(&self, place: impl Fn(&IndexedRun) -> f64) -> Vec<[(f64, f64); 2]> {
        let mut levels = Vec::new();
        let mut from = 0.0;
        for change in self.changes {
            let to = place(change.nomination.likely) - 0.5;
            let [before, _] = change.nomination.levels;
            levels.push([(from, before), (to, before)]);
            from = to;
        }
        if let Some(change) = self.changes.last() {
            let last = self.points.len().saturating_sub(1) as f64;
            let [_, after] = change.nomination.levels;
            levels.push([(from, after), (last, after)]);
        }
        levels
    }

    /// The figures in words.
    fn figures(&self, style: &Style) -> String {
        let value = |point: &Point| figure(self.series, point, style).0;
        let mut parts = vec![format!("{} runs", self.points.len())];
        if let [(first, oldest), .., (last, newest)] = self.points {
            let (first, last) = (short(first), short(last));
            parts.push(format!(
                "{} at {first}, {} at {last}",
                value(oldest),
                value(newest)
            ));
        }
        let changes = self.changes.iter().map(|change| words(change));
        parts
            .into_iter()
            .chain(changes)
            .collect::<Vec<_>>()
            .join("; ")
    }
}

/// What stands before the number of a change.
fn symbol(change: &Listed<'_>) -> &'static str {
    match (change.accepted, &change.status) {
        (Some(_), _) => "\u{2713}",
        (None, Status::Confirmed(_)) if change.nomination.is_worse() => "\u{25b2}",
        (None, Status::Confirmed(_)) => "\u{25bc}",
        _ => "?",
    }
}

/// What is confirmed, what is meant, and the rest.
fn ink(change: &Listed<'_>) -> Ink {
    match (change.accepted, &change.status) {
        (Some(_), _) => Ink::First,
        (None, Status::Confirmed(_)) => Ink::Second,
        _ => Ink::Third,
    }
}
