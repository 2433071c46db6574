//! The pictures of one case: its launches, its batches, the frequency of the core.

use tourbillon_analysis::median_of;
use tourbillon_pictures::{Axis, Chart, Ink, Picture, Scale, Shape};
use tourbillon_present::number::fixed;
use tourbillon_record::Rough;
use tourbillon_report::Figure;
use tourbillon_stats::{Sample, quantile};

use super::view::{CaseView, Launch};

/// Height of a picture, and of one of the frequency alone.
const HEIGHT: f64 = 160.0;
const LOW: f64 = 105.0;

/// The launches in the order of time, with the interval of the case.
pub(super) fn launches(case: &CaseView<'_>) -> Option<Picture> {
    if case.launches.is_empty() {
        return None;
    }
    let points: Vec<(f64, f64)> = case.launches.iter().enumerate().map(point).collect();
    let interval = case.interval();
    let ends = interval.map(|(lower, upper)| [lower, upper]);
    let values = points
        .iter()
        .map(|(_, y)| *y)
        .chain(ends.into_iter().flatten());
    let x = Axis::new(
        Scale::index(points.len()),
        "launch, in the order of time",
        8,
        |tick| format!("{}", tick.value),
    );
    let y = Axis::new(Scale::linear(values), &case.axis(), 5, |tick| {
        case.tick(tick)
    });
    let (contended, quiet): (Vec<_>, Vec<_>) = points
        .iter()
        .zip(&case.launches)
        .partition(|(_, launch)| launch.is_contended);
    let only = |pairs: Vec<(&(f64, f64), &Launch)>| -> Vec<(f64, f64)> {
        pairs.into_iter().map(|(point, _)| *point).collect()
    };
    let (contended, quiet) = (only(contended), only(quiet));
    let series = [
        ("quiet", Shape::Round, Ink::First),
        ("contended, discarded", Shape::Ring, Ink::Second),
    ];
    let series = if contended.is_empty() {
        &[]
    } else {
        &series[..]
    };
    let mut chart = Chart::new(x, y, HEIGHT, series);
    if let Some((lower, upper)) = interval {
        chart.band(lower, upper, Ink::First);
    }
    if let Some(estimate) = case.centre() {
        chart.level(estimate);
    }
    chart.dots(&quiet, Shape::Round, Ink::First);
    chart.dots(&contended, Shape::Ring, Ink::Second);
    let each: Vec<&str> = case
        .launches
        .iter()
        .map(|launch| launch.text.as_str())
        .collect();
    let figures = format!("{}; launches: {}", summary(case), each.join(", "));
    Some(chart.picture(format!("{}: launches", case.label), figures))
}

fn point((number, launch): (usize, &Launch)) -> (f64, f64) {
    (number as f64, launch.estimate)
}

/// `12.3 ns, between 12.1 ns and 12.5 ns at 99 % confidence`, or `roughly between 11 ns and 15 ns`.
pub(super) fn summary(case: &CaseView<'_>) -> String {
    let Some(estimate) = case.estimate() else {
        return match case.rough() {
            Some(Rough { lower, upper, .. }) => format!(
                "roughly between {} and {}",
                case.exact(lower),
                case.exact(upper)
            ),
            None => "no figure".to_owned(),
        };
    };
    let Some(main) = case.main else {
        return estimate;
    };
    match (main.lower, main.upper, main.confidence) {
        (Some(lower), Some(upper), Some(confidence)) => format!(
            "{estimate}, between {} and {} at {} % confidence",
            case.exact(lower),
            case.exact(upper),
            fixed(100.0 * confidence, 2)
        ),
        _ => estimate,
    }
}

/// Shares of the batches at which the distribution is drawn, in percent.
const SHARES: [f64; 25] = [
    0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0,
    70.0, 75.0, 80.0, 85.0, 90.0, 95.0, 98.0, 99.0, 99.5,
];

/// The distribution of the batches by quantiles, with the launches as a rug at its right.
pub(super) fn quantiles(case: &CaseView<'_>) -> Option<Picture> {
    let batches = case.launches.iter().flat_map(Launch::batches);
    let sample = Sample::new(batches.map(|(_, value)| value).collect()).ok()?;
    let at = |share: f64| Some((share, quantile(&sample, share / 100.0)?));
    let points: Vec<(f64, f64)> = SHARES.into_iter().filter_map(at).collect();
    let rug: Vec<f64> = case.launches.iter().map(|launch| launch.estimate).collect();
    let values = points.iter().map(|(_, y)| *y).chain(rug.iter().copied());
    let x = Axis::with_ticks(
        Scale::linear([0.0, 100.0]),
        "share of the batches; right: launches",
        [0, 25, 50, 75, 100]
            .map(|share| (f64::from(share), format!("{share} %")))
            .to_vec(),
    );
    let name = format!("{} in a batch, fixed cost included", case.axis());
    let y = Axis::new(Scale::log(values), &name, 5, |tick| case.tick(tick));
    let mut chart = Chart::new(x, y, HEIGHT, &[]);
    chart.steps(&points, Ink::First);
    chart.rug(&rug, Ink::Second);
    let told: Vec<String> = [1.0, 25.0, 50.0, 75.0, 99.0]
        .into_iter()
        .filter_map(at)
        .map(|(share, value)| format!("{share} %: {}", case.exact(value)))
        .collect();
    let figures = format!("{} batches; {}", sample.len(), told.join(", "));
    Some(chart.picture(format!("{}: quantiles of the batches", case.label), figures))
}

/// The time of a batch over its iterations: a dash for the median of each launch, and the line through n and 2 n
/// iterations, which meets the empty batches where the cost of a call does not depend on the calls before it.
pub(super) fn lengths(case: &CaseView<'_>) -> Option<Picture> {
    let all = |is_counted: fn(&Launch) -> bool| -> Vec<(f64, f64)> {
        let launches = case.launches.iter().filter(|launch| is_counted(launch));
        launches.filter_map(Launch::lengths).flatten().collect()
    };
    let mut points = all(|launch| !launch.is_contended);
    if points.is_empty() {
        points = all(|_| true);
    }
    let longest = points.iter().map(|(x, _)| *x).fold(0.0, f64::max);
    let typical = |x: f64| {
        let of_length = points.iter().filter(|(length, _)| *length == x);
        Some((x, median_of(of_length.map(|(_, y)| *y))?))
    };
    let (once, twice) = (typical(longest / 2.0)?, typical(longest)?);
    let start = 2.0 * once.1 - twice.1;
    let name = case.axis().replace(" per op", " of a batch");
    let y = Axis::new(
        Scale::from_zero(points.iter().map(|(_, y)| *y)),
        &name,
        5,
        |tick| case.tick(tick),
    );
    let ticks = [(0.0, "0"), (once.0, "n"), (twice.0, "2 n")]
        .map(|(x, label)| (x, label.to_owned()))
        .to_vec();
    let x = Axis::with_ticks(
        Scale::linear([0.0, longest]),
        "iterations in a batch",
        ticks,
    );
    let mut chart = Chart::new(x, y, HEIGHT, &[]);
    chart.rule(&[(0.0, start), twice]);
    chart.dots(&points, Shape::Dash, Ink::First);
    let mut told = vec![format!("n: {} iterations", once.0)];
    if let Some((_, empty)) = typical(0.0) {
        told.push(format!("none: {}", case.exact(empty)));
    }
    told.push(format!("n: {}", case.exact(once.1)));
    told.push(format!("2 n: {}", case.exact(twice.1)));
    told.push(format!("line at none: {}", case.exact(start)));
    let title = format!("{}: batches of n and 2 n iterations", case.label);
    Some(chart.picture(title, told.join("; ")))
}

/// Readings in the order of time, by the number of the batch next to them.
type Readings = Vec<(f64, f64)>;

/// What each launch reads, all launches one after the other; and how many batches there are.
fn in_order(
    case: &CaseView<'_>,
    readings: impl Fn(&Launch) -> Vec<(usize, f64)>,
) -> (Readings, usize) {
    let mut all = Vec::new();
    let mut before = 0;
    for launch in &case.launches {
        let place = |(at, value): (usize, f64)| ((before + at) as f64, value);
        all.extend(readings(launch).into_iter().map(place));
        before += launch.samples.batches.ticks.len();
    }
    (all, before)
}

/// An axis of this many batches.
fn batches_axis(count: usize) -> Axis {
    Axis::new(
        Scale::linear([0.0, count as f64]),
        "batch, in the order of time",
        5,
        |tick| format!("{}", tick.value),
    )
}

/// The ends of the launches.
fn borders(case: &CaseView<'_>) -> Vec<f64> {
    let mut ends: Vec<f64> = Vec::new();
    for launch in &case.launches {
        let before = ends.last().copied().unwrap_or(0.0);
        ends.push(before + launch.samples.batches.ticks.len() as f64);
    }
    ends.pop();
    ends
}

/// The batches over time; with a third of the columns where the page is long.
pub(super) fn over_time(case: &CaseView<'_>, is_long: bool) -> Option<Picture> {
    let (batches, count) = in_order(case, Launch::batches);
    let (low, high) = span(&batches)?;
    let name = format!("{} in a batch, lowest to highest", case.axis());
    let scale = Scale::log(batches.iter().map(|(_, value)| *value));
    let y = Axis::new(scale, &name, 5, |tick| case.tick(tick));
    let mut chart = Chart::new(batches_axis(count), y, HEIGHT, &[]);
    chart.borders(&borders(case));
    let columns = chart.columns() / if is_long { 3 } else { 1 };
    chart.ranges(&columns_of(&batches, count, columns), Ink::First);
    let figures = format!(
        "{} batches of {} launches, between {} and {}",
        batches.len(),
        case.launches.len(),
        case.exact(low),
        case.exact(high)
    );
    Some(chart.picture(format!("{}: batches over time", case.label), figures))
}

/// Columns of the frequency: a batch has one or two readings.
const COLUMNS: usize = 46;

/// The frequency of the core over time, as a picture.
pub(super) fn frequencies(case: &CaseView<'_>) -> Option<Picture> {
    let (readings, count) = in_order(case, Launch::frequency);
    let means = means_of(&readings, count, COLUMNS);
    let shown = |hz| Figure::exact(hz).frequency();
    let (low, high) = span(&means)?;
    let y = Axis::new(
        Scale::linear(means.iter().map(|(_, hz)| *hz)),
        "frequency of the core",
        4,
        |tick| shown(tick.value),
    );
    let mut chart = Chart::new(batches_axis(count), y, LOW, &[]);
    chart.borders(&borders(case));
    chart.steps(&means, Ink::Second);
    let figures = format!("between {} and {}", shown(low), shown(high));
    Some(chart.picture(format!("{}: frequency of the core", case.label), figures))
}

/// Its ends in words, for a page that is long.
pub(super) fn frequency(case: &CaseView<'_>) -> Option<String> {
    Some(frequencies(case)?.figures)
}

/// The least and the greatest.
fn span(readings: &[(f64, f64)]) -> Option<(f64, f64)> {
    let values = readings.iter().map(|(_, value)| *value);
    values.fold(None, |span, value| {
        let (low, high) = span.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// The lowest and the highest value of each of this many columns.
fn columns_of(points: &[(f64, f64)], length: usize, columns: usize) -> Vec<(f64, f64, f64)> {
    let mut found: Vec<(usize, f64, f64)> = Vec::new();
    for (x, y) in points {
        let column = column(*x, length, columns);
        match found.last_mut() {
            Some(last) if last.0 == column => *last = (column, last.1.min(*y), last.2.max(*y)),
            _ => found.push((column, *y, *y)),
        }
    }
    let middle = |column: usize| (column as f64 + 0.5) * length as f64 / columns as f64;
    found
        .into_iter()
        .map(|(column, low, high)| (middle(column), low, high))
        .collect()
}

/// The mean of each of this many columns.
fn means_of(points: &[(f64, f64)], length: usize, columns: usize) -> Vec<(f64, f64)> {
    let mut sums: Vec<(usize, f64, f64)> = Vec::new();
    for (x, y) in points {
        let column = column(*x, length, columns);
        match sums.last_mut() {
            Some(last) if last.0 == column => *last = (column, last.1 + y, last.2 + 1.0),
            _ => sums.push((column, *y, 1.0)),
        }
    }
    let start = |column: usize| column as f64 * length as f64 / columns as f64;
    sums.into_iter()
        .map(|(column, sum, count)| (start(column), sum / count))
        .collect()
}

fn column(x: f64, length: usize, columns: usize) -> usize {
    (x * columns as f64 / length.max(1) as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_what_lies_in_them() {
        let points: Vec<(f64, f64)> = (0..100)
            .map(|at| (f64::from(at), f64::from(at % 7)))
            .collect();
        let columns = columns_of(&points, 100, 10);
        assert_eq!(columns.len(), 10);
        assert_eq!(columns[0], (5.0, 0.0, 6.0));
        let means = means_of(&points, 100, 50);
        assert_eq!((means.len(), means[0]), (50, (0.0, 0.5)));
    }
}
