//! The picture of calls that were timed one by one: their distribution by percentiles.

use std::collections::BTreeMap;

use tourbillon_analysis::percentile;
use tourbillon_pictures::{Axis, Chart, Ink, Picture, Scale, Shape};
use tourbillon_record::{Calls, Metric};

use super::view::CaseView;

/// Height of the picture.
const HEIGHT: f64 = 180.0;

/// Points of the line in a factor of ten of the calls beyond.
const POINTS: u32 = 12;

/// Shares at the ticks of the axis.
const TICKS: [(f64, &str); 6] = [
    (0.5, "50 %"),
    (0.9, "90 %"),
    (0.99, "99 %"),
    (0.999, "99.9 %"),
    (0.9999, "99.99 %"),
    (0.99999, "99.999 %"),
];

/// Durations over the share of the calls below them, with the percentiles' intervals; `None` for a case without
/// percentiles.
///
/// Both axes are logarithmic: to the right by the calls beyond, so that each tenth of them has the same room.
pub(super) fn percentiles(case: &CaseView<'_>) -> Option<Picture> {
    let quiet = case.launches.iter().filter(|launch| !launch.is_contended);
    let tick_ns = quiet.clone().next()?.tick_ns;
    let calls = together(quiet.filter_map(|launch| launch.samples.calls.as_deref()));
    let count = calls.calls();
    let shares = (1..).map(|point| 1.0 - 10_f64.powf(-f64::from(point) / f64::from(POINTS)));
    let points: Vec<(f64, f64)> = shares
        .take_while(|share| 1.0 - share >= 0.5 / count.max(1) as f64)
        .filter_map(|share| Some((nines(share), percentile(&calls, share)? * tick_ns)))
        .collect();
    let (right, _) = *points.last()?;
    let (mut estimates, mut intervals) = (Vec::new(), Vec::new());
    let mut figures = vec![format!("{count} calls")];
    for metric in Metric::PERCENTILES {
        let result = case.result(metric);
        let Some((result, Ok(estimate))) = result.map(|result| (result, result.estimate)) else {
            continue;
        };
        let mut figure = format!("{} {}", metric.name(), case.exact(estimate));
        if let (Some(lower), Some(upper), Some(share)) =
            (result.lower, result.upper, metric.share())
        {
            estimates.push((nines(share), estimate));
            intervals.push((nines(share), lower, upper));
            let (lower, upper) = (case.exact(lower), case.exact(upper));
            figure += &format!(" between {lower} and {upper}");
        }
        figures.push(figure);
    }
    if figures.len() == 1 {
        return None;
    }
    let longest = case
        .result(Metric::Max)
        .and_then(|longest| longest.estimate.ok());
    figures.extend(longest.map(|longest| format!("max {}", case.exact(longest))));
    let ends = intervals
        .iter()
        .flat_map(|(_, lower, upper)| [*lower, *upper]);
    let values = points.iter().map(|(_, y)| *y).chain(ends).chain(longest);
    let right = intervals.iter().map(|(x, ..)| *x).fold(right, f64::max);
    let ticks = TICKS
        .into_iter()
        .map(|(share, label)| (nines(share), label.to_owned()));
    let x = Axis::with_ticks(
        Scale::linear([0.0, right]),
        "share of the calls that are shorter",
        ticks.filter(|(x, _)| *x <= right).collect(),
    );
    let series = [
        ("interval of a percentile", Shape::Round, Ink::First),
        ("longest call", Shape::Ring, Ink::Second),
    ];
    let y = Axis::new(Scale::log(values), "duration of a call", 5, |tick| {
        case.tick(tick)
    });
    let mut chart = Chart::new(x, y, HEIGHT, &series);
    chart.steps(&points, Ink::First);
    chart.intervals(&intervals, Ink::First);
    chart.dots(&estimates, Shape::Round, Ink::First);
    if let Some(longest) = longest {
        chart.dots(&[(right, longest)], Shape::Ring, Ink::Second);
    }
    Some(chart.picture(format!("{}: single calls", case.label), figures.join("; ")))
}

/// Where a share is on the axis: 0 for none, 1 for 90 %, 2 for 99 %.
fn nines(share: f64) -> f64 {
    -(1.0 - share).log10()
}

/// The calls of several launches.
fn together<'c>(launches: impl Iterator<Item = &'c Calls>) -> Calls {
    let mut buckets = BTreeMap::new();
    for calls in launches {
        for (ticks, count) in calls.ticks.iter().zip(&calls.count) {
            *buckets.entry(*ticks).or_insert(0_u64) += count;
        }
    }
    let (ticks, count) = buckets.into_iter().unzip();
    Calls {
        ticks,
        count,
        ..Calls::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_calls_beyond_is_one_unit_to_the_right() {
        assert_eq!(nines(0.0), 0.0);
        for (share, expected) in [(0.9, 1.0), (0.99, 2.0), (0.999, 3.0)] {
            assert!((nines(share) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn calls_of_launches_are_counted_together() {
        let calls = |ticks: &[u64], count: &[u64]| Calls {
            ticks: ticks.to_vec(),
            count: count.to_vec(),
            ..Calls::default()
        };
        let all = [calls(&[10, 30], &[1, 2]), calls(&[20, 30], &[4, 8])];
        let all = together(all.iter());
        assert_eq!((all.ticks, all.count), (vec![10, 20, 30], vec![1, 4, 10]));
    }
}
