//! From the cases of a run to series of sizes.

use std::collections::HashMap;

use tourbillon_record::{Absence, Case, CaseResult};

use super::growth::{Refused, Sweep};
use super::limits::{SIZES, SPAN};
use super::model::Model;
use super::point::Point;

/// Fewest sizes of a sweep, whether it can be examined or not: two show no curve.
const SOME: usize = 3;

/// Cases that differ in their size only, and how they grow.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// The first of them.
    pub case: &'a Case,
    /// The axis of the sizes: the last whose value is a number above zero, except `threads`.
    pub axis: &'a str,
    /// What came of it.
    pub outcome: Result<Sweep, Refused>,
    /// How many cases there are.
    pub cases: usize,
    smallest: f64,
    largest: f64,
    points: Vec<Point>,
}

/// What the cases of a series have in common: the axis, the group, the function with its place, and the other
/// arguments.
type Place<'c> = (
    &'c str,
    &'c str,
    &'c str,
    &'c str,
    u32,
    Vec<(&'c str, &'c str)>,
);

fn place<'c>(case: &'c Case, axis: &'c str) -> Place<'c> {
    let others = case.arguments.iter().filter(|other| other.axis != axis);
    let others = others.map(|other| (other.axis.as_str(), other.value.as_str()));
    let Case {
        group, name, file, ..
    } = case;
    (axis, group, name, file, case.line, others.collect())
}

impl Series<'_> {
    /// Whether its sizes are those of a sweep: as many as it takes, or some that are far enough apart. Others, such as
    /// 1, 2 and 4, are parameters that happen to be numbers.
    pub fn is_sweep(&self) -> bool {
        self.cases >= SIZES || self.cases >= SOME && self.largest >= SPAN * self.smallest
    }

    /// Whether time grows faster than `at_most` of the benchmark allows.
    pub fn exceeds(&self) -> bool {
        let limit = self.case.at_most.as_deref().and_then(Model::named);
        match (limit, &self.outcome) {
            (Some(limit), Ok(sweep)) => sweep.exceeds(limit),
            _ => false,
        }
    }
}

/// How every benchmark with a numeric axis grows: a series for each combination of its other arguments, in the order
/// of the cases.
pub fn series<'a>(
    cases: impl IntoIterator<Item = &'a Case>,
    results: &[CaseResult],
) -> Vec<Series<'a>> {
    let mains = results.iter().filter(|result| result.metric.is_main());
    let mains: HashMap<&str, &CaseResult> =
        mains.map(|result| (result.case.as_str(), result)).collect();
    series_by(cases, |case, size| {
        mains
            .get(case.id.as_str())
            .and_then(|main| point(size, main))
    })
}

/// As [`series`], with the times that `point` gives for a case and its size.
pub fn series_by<'a>(
    cases: impl IntoIterator<Item = &'a Case>,
    point: impl Fn(&Case, f64) -> Option<Point>,
) -> Vec<Series<'a>> {
    let mut all: Vec<Series<'_>> = Vec::new();
    let mut known: HashMap<Place<'_>, usize> = HashMap::new();
    for case in cases {
        let Some((axis, size)) = size_of(case) else {
            continue;
        };
        let at = *known.entry(place(case, axis)).or_insert_with(|| {
            all.push(Series {
                case,
                axis,
                outcome: Sweep::of(&[]),
                cases: 0,
                smallest: size,
                largest: size,
                points: Vec::new(),
            });
            all.len() - 1
        });
        let series = &mut all[at];
        series.cases += 1;
        series.smallest = series.smallest.min(size);
        series.largest = series.largest.max(size);
        series.points.extend(point(case, size));
    }
    for series in &mut all {
        series.outcome = Sweep::of(&series.points);
    }
    all
}

/// The axis of a case's size, and the size.
pub fn size_of(case: &Case) -> Option<(&str, f64)> {
    case.arguments.iter().rev().find_map(|argument| {
        let size: f64 = argument.value.parse().ok()?;
        let is_size = size > 0.0 && size.is_finite() && argument.axis != "threads";
        is_size.then_some((argument.axis.as_str(), size))
    })
}

/// `None` where there is no interval. Launches that are too scattered for a figure count by their lower end, because
/// what scatters them makes them slower; the time may as well be below it by as much as the interval is wide.
fn point(size: f64, result: &CaseResult) -> Option<Point> {
    let (lower, upper) = (result.lower?, result.upper?);
    let (time, lower) = match result.estimate {
        Ok(estimate) => (estimate, lower),
        Err(Absence::TooScattered) => (lower, lower * lower / upper),
        Err(_) => return None,
    };
    Some(Point {
        size,
        time,
        lower,
        upper,
    })
}
