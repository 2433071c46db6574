//! Pictures with every mark on every scale.

use tourbillon_pictures::{Axis, Chart, Ink, Picture, Scale, Shape};

fn wave(count: u32) -> Vec<(f64, f64)> {
    let y = |at: u32| 12.0 + f64::from(at * 7 % 11) / 10.0;
    (0..count).map(|at| (f64::from(at), y(at))).collect()
}

/// Launches with their interval, on an index and a linear scale.
pub(crate) fn launches(name: &str) -> Picture {
    let points = wave(20);
    let x = Axis::new(Scale::index(20), name, 8, |tick| format!("{}", tick.value));
    let y = Axis::new(
        Scale::linear(points.iter().map(|(_, y)| *y)),
        name,
        5,
        |tick| format!("{:.1} ns", tick.value),
    );
    let series = [
        (name, Shape::Round, Ink::First),
        ("contended", Shape::Ring, Ink::Second),
    ];
    let mut chart = Chart::new(x, y, 160.0, &series);
    chart.band(12.2, 12.6, Ink::First);
    chart.level(12.4);
    chart.dots(&points[..15], Shape::Round, Ink::First);
    chart.dots(&points[15..], Shape::Ring, Ink::Second);
    chart.borders(&[4.5, 9.5]);
    chart.mark(9.5, name);
    chart.picture(name.to_owned(), "12.4 ns, between 12.2 and 12.6".to_owned())
}

/// Three series on two log scales, with intervals and an ideal line.
pub(crate) fn sweep() -> Picture {
    let sizes = [16.0, 256.0, 4096.0, 65536.0];
    let x = Axis::with_ticks(
        Scale::log(sizes),
        "n, log axis",
        sizes.map(|size| (size, format!("{size}"))).to_vec(),
    );
    let y = Axis::new(Scale::log([20.0, 4e6]), "time per op", 6, |tick| {
        format!("{} ns", tick.value)
    });
    let mut chart = Chart::new(x, y, 210.0, &[("heap", Shape::Round, Ink::First)]);
    chart.rule(&[(16.0, 20.0), (65536.0, 81_920.0)]);
    for (number, factor) in [1.3, 2.0, 9.0].into_iter().enumerate() {
        let points = sizes.map(|size| (size, size * factor));
        let (shape, ink) = (Shape::nth(number), Ink::nth(number));
        chart.line(&points, ink);
        chart.intervals(&points.map(|(x, y)| (x, 0.8 * y, 1.3 * y)), ink);
        chart.dots(&points, shape, ink);
        chart.dots(&points, Shape::Dash, ink);
    }
    chart.picture("sweep".to_owned(), "16: 20.8 ns".to_owned())
}

/// Dense series, steps and a rug.
pub(crate) fn series() -> Picture {
    let x = Axis::new(Scale::linear([0.0, 50.0]), "batch", 5, |tick| {
        format!("{}", tick.value)
    });
    let y = Axis::new(Scale::from_zero([14.0]), "count", 5, |tick| {
        format!("{}", tick.value)
    });
    let mut chart = Chart::new(x, y, 120.0, &[]);
    let points = wave(50);
    chart.steps(&points[5..20], Ink::First);
    let ranges: Vec<(f64, f64, f64)> = points.iter().map(|(x, y)| (*x, *y, y + 1.0)).collect();
    chart.ranges(&ranges[20..], Ink::Second);
    chart.rug(&[12.0, 12.5], Ink::Second);
    chart.dots(&points[..3], Shape::Stroke, Ink::First);
    chart.picture("series".to_owned(), "50 batches".to_owned())
}

/// A series that changes, with the range of the change.
pub(crate) fn history() -> Picture {
    let x = Axis::new(Scale::index(30), "run", 5, |tick| format!("{}", tick.value));
    let y = Axis::new(Scale::linear([12.0, 15.0]), "time per op", 5, |tick| {
        format!("{} ns", tick.value)
    });
    let mut chart = Chart::new(x, y, 150.0, &[]);
    chart.span(14.0, 17.0, Ink::Second);
    chart.mark(15.5, "1");
    chart.rule(&[(0.0, 12.5), (15.0, 12.5)]);
    chart.dots(&wave(30), Shape::Round, Ink::First);
    chart.picture("history".to_owned(), "30 runs".to_owned())
}

/// All of them with ordinary names.
pub(crate) fn all() -> Vec<(&'static str, Picture)> {
    vec![
        ("launches", launches("sort/heap/1000")),
        ("sweep", sweep()),
        ("series", series()),
        ("history", history()),
    ]
}
