use tourbillon_analysis::sweep::Model;

/// What is measured.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    pub(crate) name: &'static str,
    /// Its model; `None` for growth that is none of them.
    pub(crate) model: Option<Model>,
    pub(crate) sizes: Vec<f64>,
    pub(crate) time: fn(f64) -> f64,
    /// Whether the smaller half of the sizes has three times the noise.
    pub(crate) unequal: bool,
}

/// 2^first, 2^(first + 1) and so on to 2^last.
pub(crate) fn doublings(first: i32, last: i32) -> Vec<f64> {
    (first..=last).map(|power| 2_f64.powi(power)).collect()
}

/// What caches cost that end at 2^13 and at 2^17.
fn steps(n: f64) -> f64 {
    if n >= 131_072.0 {
        4.5
    } else if n >= 8192.0 {
        1.5
    } else {
        1.0
    }
}

/// What a cache costs that ends slowly, from 2^12 to 2^15.
fn ramp(n: f64) -> f64 {
    1.5_f64.powf((n.log2() - 12.0).clamp(0.0, 3.0) / 3.0)
}

/// The thirteen with which the method was made, others, and some that are none of the models.
pub(crate) fn truths() -> Vec<Truth> {
    use Model::{Constant, Cube, Linear, Log, LogLinear, Square};
    let wide = || doublings(6, 20);
    let hundreds = |factor: i32, count: i32| -> Vec<f64> {
        (0..count)
            .map(|k| 100.0 * f64::from(factor).powi(k))
            .collect()
    };
    let uneven = [10, 25, 40, 100, 300, 500, 1500, 4000, 9000, 30_000];
    type Row = (&'static str, Option<Model>, Vec<f64>, fn(f64) -> f64);
    let rows: Vec<Row> = vec![
        // The thirteen that the method was made with.
        ("1", Some(Constant), wide(), |_| 1.0),
        ("log n", Some(Log), wide(), f64::log2),
        ("n", Some(Linear), wide(), |n| n),
        ("n log n", Some(LogLinear), wide(), |n| n * n.log2()),
        ("n^2", Some(Square), wide(), |n| n * n),
        ("n^3", Some(Cube), wide(), |n| n * n * n),
        ("n + 200", Some(Linear), wide(), |n| n + 200.0),
        ("n log n + 2000", Some(LogLinear), wide(), |n| {
            n * n.log2() + 2000.0
        }),
        ("log n + 30", Some(Log), wide(), |n| n.log2() + 30.0),
        ("n, caches", Some(Linear), wide(), |n| n * steps(n)),
        ("n log n, caches", Some(LogLinear), wide(), |n| {
            n * n.log2() * steps(n)
        }),
        ("n^2, caches", Some(Square), wide(), |n| n * n * steps(n)),
        ("log n, caches", Some(Log), wide(), |n| n.log2() * steps(n)),
        // Others: lower-order terms, other sizes, other caches.
        ("1, caches", Some(Constant), wide(), steps),
        ("n, slow cache", Some(Linear), wide(), |n| n * ramp(n)),
        ("n log n, slow cache", Some(LogLinear), wide(), |n| {
            n * n.log2() * ramp(n)
        }),
        ("n + 5000", Some(Linear), wide(), |n| n + 5000.0),
        ("n^2 + 50 n", Some(Square), wide(), |n| n * n + 50.0 * n),
        ("n log n + 2 n", Some(LogLinear), wide(), |n| {
            n * n.log2() + 2.0 * n
        }),
        ("n log n - n", Some(LogLinear), wide(), |n| n * n.log2() - n),
        ("n^2 + 86 n, six sizes", Some(Square), hundreds(2, 6), |n| {
            n * n + 86.0 * n
        }),
        (
            "n^3 + 10 n^2, seven sizes",
            Some(Cube),
            doublings(3, 9),
            |n| n * n * (n + 10.0),
        ),
        ("n^3, six sizes", Some(Cube), doublings(3, 8), |n| n * n * n),
        ("n^2, six sizes", Some(Square), doublings(6, 11), |n| n * n),
        (
            "n log n, six sizes",
            Some(LogLinear),
            doublings(5, 10),
            |n| n * n.log2(),
        ),
        ("n, six sizes by fours", Some(Linear), hundreds(4, 6), |n| n),
        ("log n + 4, by fours", Some(Log), hundreds(4, 9), |n| {
            n.log2() + 4.0
        }),
        (
            "n + 15, uneven sizes",
            Some(Linear),
            uneven.map(f64::from).to_vec(),
            |n| n + 15.0,
        ),
        ("n + 3, from 1", Some(Linear), doublings(0, 12), |n| n + 3.0),
        ("log n + 3, from 1", Some(Log), doublings(0, 12), |n| {
            n.log2() + 3.0
        }),
        // What textbook algorithms are like on a machine: sorts that finish small parts by another strategy, a search for
        // the least item whose branches are mispredicted log n times, a table that leaves a cache.
        ("n log n + 9 n", Some(LogLinear), doublings(8, 16), |n| {
            n * n.log2() + 9.0 * n
        }),
        (
            "n^2 + 13 n log n, seven sizes",
            Some(Square),
            doublings(6, 12),
            |n| n * (n + 13.0 * n.log2()),
        ),
        (
            "n, slow cache at the end",
            Some(Linear),
            doublings(6, 17),
            |n| n * 1.5_f64.powf((n.log2() - 12.0).max(0.0) / 5.0),
        ),
        // None of the models.
        ("sqrt n", None, wide(), f64::sqrt),
        ("n sqrt n", None, wide(), |n| n * n.sqrt()),
        ("n^2.5", None, wide(), |n| n.powf(2.5)),
        ("n^0.7", None, doublings(4, 14), |n| n.powf(0.7)),
        ("n sqrt n, six sizes", None, doublings(6, 11), |n| {
            n * n.sqrt()
        }),
        ("n / log n", None, wide(), |n| n / n.log2()),
        ("log^2 n", None, wide(), |n| n.log2().powi(2)),
        (
            "2^n",
            None,
            (1..17).map(|n| f64::from(2 * n)).collect(),
            f64::exp2,
        ),
    ];
    let mut truths: Vec<Truth> = rows
        .into_iter()
        .map(|(name, model, sizes, time)| Truth {
            name,
            model,
            sizes,
            time,
            unequal: false,
        })
        .collect();
    truths.push(Truth {
        name: "n, unequal noise",
        model: Some(Linear),
        sizes: wide(),
        time: |n| n,
        unequal: true,
    });
    truths
}
