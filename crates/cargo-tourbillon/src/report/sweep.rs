//! Cases of one function over sizes or numbers of threads.

use std::collections::HashMap;

use tourbillon_analysis::sweep::{Cache, bytes_per_size};
use tourbillon_pictures::{Axis, Chart, Ink, Picture, Scale, Shape};
use tourbillon_present::number::fixed;
use tourbillon_record::Case;

use super::case::summary;
use super::view::CaseView;

/// Most series in one picture.
const SERIES: usize = 6;
/// Fewest places on an axis that make a line; of threads two are of interest.
const FEWEST: usize = 3;
const FEWEST_THREADS: usize = 2;
const HEIGHT: f64 = 210.0;

/// How the axes of a sweep are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    Log,
    /// From zero.
    Linear,
}

impl Axes {
    /// What the files of the pictures of a sweep are called.
    pub(super) fn kinds(self) -> [&'static str; 2] {
        match self {
            Axes::Log => ["sweep", "per-size"],
            Axes::Linear => ["sweep-linear", "per-size-linear"],
        }
    }

    fn scale(self, values: impl IntoIterator<Item = f64>) -> Scale {
        match self {
            Axes::Log => Scale::log(values),
            Axes::Linear => Scale::from_zero(values),
        }
    }

    fn named(self, name: &str) -> String {
        match self {
            Axes::Log => format!("{name}, log axis"),
            Axes::Linear => name.to_owned(),
        }
    }
}

/// Cases that differ on one numeric axis, in lines.
pub(super) struct Sweep<'v, 'r> {
    /// What they have in common.
    pub(super) title: String,
    axis: &'r str,
    /// Whether the axis is the number of threads.
    pub(super) is_of_threads: bool,
    pub(super) series: Vec<Series<'v, 'r>>,
}

/// The cases of one function, or of one combination of its other arguments, in the order of the axis.
pub(super) struct Series<'v, 'r> {
    pub(super) name: String,
    pub(super) points: Vec<(f64, &'v CaseView<'r>)>,
}

impl Series<'_, '_> {
    /// The estimates of those that have one.
    pub(super) fn centres(&self) -> Vec<(f64, f64)> {
        let points = self.points.iter();
        let with = points.filter_map(|(x, case)| Some((*x, case.centre()?)));
        with.collect()
    }
}

/// The last axis of a case whose value is a number above zero, and the number.
fn axis_value(case: &Case) -> Option<(&str, f64)> {
    let mut arguments = case.arguments.iter().rev();
    arguments.find_map(|argument| {
        let x: f64 = argument.value.parse().ok()?;
        (x.is_finite() && x > 0.0).then_some((argument.axis.as_str(), x))
    })
}

/// The sweeps among the cases: of each group and axis, the series of three sizes or more.
pub(super) fn sweeps<'v, 'r>(cases: &'v [CaseView<'r>]) -> Vec<Sweep<'v, 'r>> {
    let mut sweeps: Vec<Sweep<'v, 'r>> = Vec::new();
    let mut known = HashMap::new();
    let mut of_series = HashMap::new();
    for view in cases {
        let case = view.case;
        let (Some((axis, x)), Some(_)) = (axis_value(case), view.interval()) else {
            continue;
        };
        let is_of_threads = view.threads().is_some_and(|threads| threads as f64 == x);
        let title = if case.group.is_empty() {
            &case.name
        } else {
            &case.group
        };
        let title = tourbillon_report::escape(title, true);
        let key = (title.clone(), axis, is_of_threads);
        let at = *known.entry(key).or_insert_with(|| {
            sweeps.push(Sweep {
                title,
                axis,
                is_of_threads,
                series: Vec::new(),
            });
            sweeps.len() - 1
        });
        let name = series_name(case, axis);
        let series = &mut sweeps[at].series;
        let place = *of_series.entry((at, name.clone())).or_insert(series.len());
        if place == series.len() {
            let points = Vec::new();
            series.push(Series { name, points });
        }
        series[place].points.push((x, view));
    }
    for sweep in &mut sweeps {
        let fewest = if sweep.is_of_threads {
            FEWEST_THREADS
        } else {
            FEWEST
        };
        sweep.series.retain(|series| series.points.len() >= fewest);
        for series in &mut sweep.series {
            series
                .points
                .sort_by(|one, other| one.0.total_cmp(&other.0));
        }
    }
    sweeps.retain(|sweep| !sweep.series.is_empty());
    sweeps.into_iter().flat_map(Sweep::divided).collect()
}

/// The function and its values on the other axes.
fn series_name(case: &Case, axis: &str) -> String {
    let others = case
        .arguments
        .iter()
        .filter(|argument| argument.axis != axis);
    let values = others.map(|argument| argument.value.as_str());
    let words: Vec<&str> = std::iter::once(case.name.as_str()).chain(values).collect();
    tourbillon_report::escape(&words.join("/"), true)
}

impl<'v, 'r> Sweep<'v, 'r> {
    /// The name of the axis.
    pub(super) fn axis(&self) -> String {
        tourbillon_report::escape(self.axis, true)
    }

    /// Several sweeps in place of one with too many lines.
    fn divided(mut self) -> Vec<Sweep<'v, 'r>> {
        let mut sweeps = Vec::new();
        while self.series.len() > SERIES {
            let rest = self.series.split_off(SERIES);
            sweeps.push(Sweep {
                title: self.title.clone(),
                series: std::mem::replace(&mut self.series, rest),
                ..self
            });
        }
        sweeps.push(self);
        sweeps
    }

    fn x(&self, axes: Axes) -> Axis {
        let mut xs: Vec<f64> = self.points().map(|(x, _)| x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let ticks = xs.iter().map(|x| (*x, format!("{x}"))).collect();
        Axis::with_ticks(axes.scale(xs), &axes.named(&self.axis()), ticks)
    }

    fn points(&self) -> impl Iterator<Item = (f64, &'v CaseView<'r>)> {
        self.series
            .iter()
            .flat_map(|series| series.points.iter().copied())
    }

    fn chart(
        &self,
        axes: Axes,
        values: impl IntoIterator<Item = f64>,
        name: &str,
    ) -> Option<Chart> {
        let (_, first) = self.points().next()?;
        let (scale, name) = (axes.scale(values), axes.named(name));
        let y = Axis::new(scale, &name, 6, |tick| first.tick(tick));
        Some(Chart::new(self.x(axes), y, HEIGHT, &self.legend()))
    }

    /// The caches within the sizes, each with the size at which it is full; none where the series do not agree on the
    /// bytes of a size.
    fn marks<'c>(&self, caches: &'c [Cache]) -> Vec<(f64, &'c str)> {
        let per_size = |(x, case): (f64, &CaseView<'_>)| {
            let throughput = case.main.and_then(|main| main.throughput);
            bytes_per_size(self.axis, x, throughput)
        };
        let mut each = self.points().map(per_size);
        let Some(Some(bytes)) = each.next() else {
            return Vec::new();
        };
        let is_same =
            |other: Option<f64>| other.is_some_and(|other| (other / bytes - 1.0).abs() < 0.5);
        if !each.all(is_same) {
            return Vec::new();
        }
        let xs = || self.points().map(|(x, _)| x);
        let (first, last) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
        let marks = caches
            .iter()
            .map(|cache| (cache.size(bytes), cache.level.as_str()));
        marks
            .filter(|(size, _)| first < *size && *size < last)
            .collect()
    }

    fn legend(&self) -> Vec<(&str, Shape, Ink)> {
        let series = self.series.iter().enumerate();
        series
            .map(|(at, series)| (series.name.as_str(), Shape::nth(at), Ink::nth(at)))
            .collect()
    }

    /// The figures of all series in words.
    fn told(&self) -> String {
        let told = self.series.iter().map(|series| {
            let points = series.points.iter().map(|(x, case)| {
                format!("{x}: {}", case.estimate().unwrap_or_else(|| summary(case)))
            });
            format!("{}: {}", series.name, points.collect::<Vec<_>>().join(", "))
        });
        told.collect::<Vec<_>>().join("; ")
    }

    /// The figures over the axis with their intervals; on log axes with the launches as dashes, and a rule where a
    /// cache is full.
    pub(super) fn picture(&self, axes: Axes, caches: &[Cache]) -> Option<Picture> {
        let (_, first) = self.points().next()?;
        let dashes = |case: &CaseView<'r>| match axes {
            Axes::Log => case.launches.iter().map(|launch| launch.estimate).collect(),
            Axes::Linear => Vec::new(),
        };
        let ends = self.points().filter_map(|(_, case)| case.interval());
        let values = ends
            .flat_map(|(lower, upper)| [lower, upper])
            .chain(self.points().flat_map(|(_, case)| dashes(case)));
        let mut chart = self.chart(axes, values, &first.axis())?;
        let marks = match axes {
            Axes::Log => self.marks(caches),
            Axes::Linear => Vec::new(),
        };
        for (size, level) in &marks {
            chart.mark(*size, level);
        }
        for (at, series) in self.series.iter().enumerate() {
            let (shape, ink) = (Shape::nth(at), Ink::nth(at));
            let each = series
                .points
                .iter()
                .flat_map(|(x, case)| dashes(case).into_iter().map(|y| (*x, y)));
            chart.dots(&each.collect::<Vec<_>>(), Shape::Dash, ink);
            let ends = series.points.iter().filter_map(|(x, case)| {
                let (lower, upper) = case.interval()?;
                Some((*x, lower, upper))
            });
            let centres = series.centres();
            chart.line(&centres, ink);
            chart.intervals(&ends.collect::<Vec<_>>(), ink);
            chart.dots(&centres, shape, ink);
        }
        let title = format!("{}: {} over {}", self.title, first.axis(), self.axis());
        let full = marks
            .iter()
            .map(|(size, level)| format!("; {level} is full at {size}"));
        Some(chart.picture(title, self.told() + &full.collect::<String>()))
    }

    /// The figures divided by the size: what grows in proportion lies level.
    pub(super) fn per_size(&self, axes: Axes) -> Option<Picture> {
        let (_, first) = self.points().next()?;
        let shares = |series: &Series<'_, '_>| -> Vec<(f64, f64)> {
            let centres = series.centres().into_iter();
            centres.map(|(x, y)| (x, y / x)).collect()
        };
        let all: Vec<Vec<(f64, f64)>> = self.series.iter().map(shares).collect();
        if all.iter().all(|points| points.len() < 2) {
            return None;
        }
        let values = all.iter().flatten().map(|(_, y)| *y);
        let name = format!("{} / {}", first.axis(), self.axis());
        let mut chart = self.chart(axes, values, &name)?;
        for (at, points) in all.iter().enumerate() {
            chart.line(points, Ink::nth(at));
            chart.dots(points, Shape::nth(at), Ink::nth(at));
        }
        let title = format!(
            "{}: {} divided by {}",
            self.title,
            first.axis(),
            self.axis()
        );
        Some(chart.picture(title, self.told()))
    }

    /// The rate of all threads together, relative to that of the fewest threads, with the ideal line.
    pub(super) fn speed_up(&self) -> Option<Picture> {
        let rates = |series: &Series<'_, '_>| -> Vec<(f64, f64)> {
            let centres = series.centres();
            let first = series.points.first().map(|(x, _)| *x);
            match centres.as_slice() {
                // That of the fewest threads has to be known, and another one.
                [(fewest, time), _, ..] if Some(*fewest) == first => {
                    let rate = |(x, own): &(f64, f64)| (*x, x / fewest * time / own);
                    centres.iter().map(rate).collect()
                }
                _ => Vec::new(),
            }
        };
        let all: Vec<Vec<(f64, f64)>> = self.series.iter().map(rates).collect();
        if all.iter().all(Vec::is_empty) {
            return None;
        }
        let ideal: Vec<(f64, f64)> = {
            let fewest = self.points().map(|(x, _)| x).fold(f64::INFINITY, f64::min);
            let most = self.points().map(|(x, _)| x).fold(0.0, f64::max);
            vec![(fewest, 1.0), (most, most / fewest)]
        };
        let values = all.iter().flatten().chain(&ideal).map(|(_, y)| *y);
        let name = "rate of all threads / that of the fewest; rule: ideal";
        let y = Axis::new(Scale::log(values), name, 6, |tick| {
            format!("{}", tick.value)
        });
        let mut chart = Chart::new(self.x(Axes::Log), y, HEIGHT, &self.legend());
        chart.rule(&ideal);
        let mut told = Vec::new();
        for (at, (series, points)) in self.series.iter().zip(&all).enumerate() {
            chart.line(points, Ink::nth(at));
            chart.dots(points, Shape::nth(at), Ink::nth(at));
            let rates: Vec<String> = points
                .iter()
                .map(|(x, y)| format!("{x}: {}", fixed(*y, 2)))
                .collect();
            told.push(format!("{}: {}", series.name, rates.join(", ")));
        }
        Some(chart.picture(
            format!("{}: rate over threads", self.title),
            told.join("; "),
        ))
    }
}
