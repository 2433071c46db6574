use tourbillon_analysis::sweep::{Model, Point, Sweep};

use crate::{Chance, Claim, Proportion, Repeats, Table};

/// Launches of each size.
const LAUNCHES: u32 = 12;
/// Standard deviations of the figure of a size.
const NOISES: [f64; 3] = [0.003, 0.01, 0.05];
/// Noise that no launch shows: all launches of a size share it.
const HIDDEN: f64 = 0.01;
/// What the figure of a size deviates by besides, then.
const SEEN: f64 = 0.002;

/// What is measured.
#[derive(Clone, Debug)]
struct Truth {
    name: &'static str,
    /// Its model; `None` for growth that is none of them.
    model: Option<Model>,
    sizes: Vec<f64>,
    time: fn(f64) -> f64,
    /// Whether the smaller half of the sizes has three times the noise.
    unequal: bool,
}

/// Noise of a cell: what launches show, and what they share.
#[derive(Clone, Copy, Debug)]
struct Noise {
    seen: f64,
    hidden: f64,
}

/// What came of one sweep.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    in_set: bool,
    wrong_single: bool,
    covered: bool,
    models: usize,
    exceeds_own: bool,
}

/// How often sweeps find the truth, and how often `at_most` is right: a tenth of the repeats in each cell.
pub fn sweeps(repeats: Repeats) -> Vec<Table> {
    let repeats = Repeats {
        count: repeats.count.div_ceil(10),
        ..repeats
    };
    let truths = truths();
    let (inside, outside): (Vec<_>, Vec<_>) =
        truths.iter().partition(|truth| truth.model.is_some());
    let mut cells = 0;
    let mut tables = Vec::new();
    let noises = NOISES.map(|seen| Noise { seen, hidden: 0.0 });
    let hidden = Noise {
        seen: SEEN,
        hidden: HIDDEN,
    };
    for noise in noises.into_iter().chain([hidden]) {
        let shown = if noise.hidden > 0.0 {
            format!("{} % that no launch shows", 100.0 * noise.hidden)
        } else {
            format!("{} %", 100.0 * noise.seen)
        };
        let mut table = Table::new(
            &format!("Sweeps with a noise of {shown}"),
            &[
                "truth",
                "in the set",
                "single and wrong",
                "exponent covered",
                "fails its own `at_most`",
                "models on average",
            ],
        );
        let few = noise.seen <= 0.01 && noise.hidden <= 0.0;
        for truth in &inside {
            cells += 1;
            let all = repeats
                .for_cell(9_000 + cells)
                .of(|seed| try_one(truth, noise, seed));
            let share = |what: fn(&Outcome) -> bool| Proportion::count(all.iter().map(what));
            table.row(truth.name);
            table.share(share(|one| one.in_set), Claim::AtLeast(0.98));
            let wrong = if few {
                Claim::AtMost(0.01)
            } else {
                Claim::Shown { upper: true }
            };
            table.share(share(|one| one.wrong_single), wrong);
            table.share(share(|one| one.covered), coverage(noise));
            table.share(share(|one| one.exceeds_own), Claim::AtMost(0.0));
            let models: usize = all.iter().map(|one| one.models).sum();
            table.text(format!("{:.2}", models as f64 / all.len().max(1) as f64));
        }
        for truth in &outside {
            cells += 1;
            let all = repeats
                .for_cell(9_000 + cells)
                .of(|seed| try_one(truth, noise, seed));
            let share = |what: fn(&Outcome) -> bool| Proportion::count(all.iter().map(what));
            table.row(truth.name);
            table.text("none is right");
            table.share(share(|one| one.wrong_single), Claim::AtMost(0.01));
            table.share(share(|one| one.covered), coverage(noise));
            table.text("");
            let models: usize = all.iter().map(|one| one.models).sum();
            table.text(format!("{:.2}", models as f64 / all.len().max(1) as f64));
        }
        tables.push(table);
    }
    tables.push(limits(repeats));
    tables
}

/// Where launches share noise, each size is as it is in this build: how far that is from the truth is only shown.
fn coverage(noise: Noise) -> Claim {
    if noise.hidden > 0.0 {
        Claim::Shown { upper: false }
    } else {
        Claim::AtLeast(0.98)
    }
}

/// How often code that grows faster than it may is found out.
fn limits(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Code that exceeds its `at_most`: found",
        &["growth, sizes and limit", "0.3 %", "1 %", "5 %"],
    );
    let six = || doublings(7, 12);
    let found = Claim::AtLeast(0.99);
    let shown = Claim::Shown { upper: false };
    let cells: [(&str, Vec<f64>, fn(f64) -> f64, Model, Claim); 7] = [
        ("n^2, six sizes, n", six(), |n| n * n, Model::Linear, found),
        (
            "n^2, six sizes, n log n",
            six(),
            |n| n * n,
            Model::LogLinear,
            found,
        ),
        (
            "n^2 + 50 n, six sizes, n log n",
            six(),
            |n| n * n + 50.0 * n,
            Model::LogLinear,
            found,
        ),
        ("n, six sizes, log n", six(), |n| n, Model::Log, found),
        (
            "n^3, six sizes, n^2",
            six(),
            |n| n * n * n,
            Model::Square,
            found,
        ),
        (
            "2^n, from 2 to 32, n^3",
            (1..17).map(|n| f64::from(2 * n)).collect(),
            f64::exp2,
            Model::Cube,
            found,
        ),
        (
            "n log n, fifteen sizes, n",
            doublings(6, 20),
            |n| n * n.log2(),
            Model::Linear,
            shown,
        ),
    ];
    for (number, (name, sizes, time, limit, claim)) in (0..).zip(cells) {
        table.row(name);
        let truth = Truth {
            name,
            model: None,
            sizes,
            time,
            unequal: false,
        };
        for (column, seen) in (0..).zip(NOISES) {
            let own = repeats.for_cell(9_800 + 10 * number + column);
            let noise = Noise { seen, hidden: 0.0 };
            let found = own.of(|seed| {
                Sweep::of(&measured(&truth, noise, seed)).is_ok_and(|sweep| sweep.exceeds(limit))
            });
            table.share(Proportion::count(found), claim);
        }
    }
    table
}

/// The figures of a sweep.
fn measured(truth: &Truth, noise: Noise, seed: u64) -> Vec<Point> {
    let mut chance = Chance::new(seed);
    let mut points = Vec::new();
    for (number, &size) in truth.sizes.iter().enumerate() {
        let more = if truth.unequal && 2 * number < truth.sizes.len() {
            3.0
        } else {
            1.0
        };
        // So much for one launch that the median of all has the noise that is asked for.
        let one = more * noise.seen * f64::from(LAUNCHES).sqrt() / 1.2533;
        let time = (truth.time)(size) * (noise.hidden * chance.normal()).exp();
        let launches: Vec<f64> = (0..LAUNCHES)
            .map(|_| time * (one * chance.normal()).exp())
            .collect();
        points.extend(Point::of_launches(size, &launches));
    }
    points
}

fn try_one(truth: &Truth, noise: Noise, seed: u64) -> Outcome {
    let Ok(sweep) = Sweep::of(&measured(truth, noise, seed)) else {
        return Outcome {
            in_set: false,
            wrong_single: true,
            covered: false,
            models: 0,
            exceeds_own: true,
        };
    };
    let exponent = sweep.exponent;
    let own = ((truth.time)(exponent.to) / (truth.time)(exponent.from)).ln()
        / (exponent.to / exponent.from).ln();
    let in_set = truth.model.is_some_and(|model| sweep.allows(model));
    Outcome {
        in_set,
        wrong_single: sweep.models.len() == 1 && !in_set,
        covered: exponent.lower <= own && own <= exponent.upper,
        models: sweep.models.len(),
        exceeds_own: truth.model.is_some_and(|model| sweep.exceeds(model)),
    }
}

/// 2^first, 2^(first + 1) and so on to 2^last.
fn doublings(first: i32, last: i32) -> Vec<f64> {
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

fn truths() -> Vec<Truth> {
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
        // None of the models.
        ("sqrt n", None, wide(), f64::sqrt),
        ("n sqrt n", None, wide(), |n| n * n.sqrt()),
        ("n^2.5", None, wide(), |n| n.powf(2.5)),
        ("n^0.7", None, doublings(4, 14), |n| n.powf(0.7)),
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
