use tourbillon_analysis::sweep::{Model, Point, Sweep};

use crate::sweep_truths::{Truth, doublings, truths};
use crate::{Chance, Claim, Proportion, Repeats, Table};

/// Launches of each size.
const LAUNCHES: u32 = 12;
/// Standard deviations of the figure of a size.
const NOISES: [f64; 3] = [0.003, 0.01, 0.05];
/// Noise that no launch shows: all launches of a size share it.
const HIDDEN: f64 = 0.01;
/// What the figure of a size deviates by then, in addition.
const SEEN: f64 = 0.002;

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
    tables.push(others(&truths, repeats));
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
    type Row = (&'static str, Vec<f64>, fn(f64) -> f64, Model, Claim);
    let never = Claim::AtMost(0.0);
    let cells: [Row; 8] = [
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
            "n, caches from 2^14 on, n (must not be found)",
            doublings(6, 20),
            |n| n * 2_f64.powf((n.log2() - 14.0).max(0.0) / 6.0),
            Model::Linear,
            never,
        ),
        (
            "n log n, fifteen sizes, n (a factor of log n)",
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

/// A negative control: one coefficient by least squares of absolute errors, the lowest residual wins, as other
/// harnesses have it. A constant must lead it astray.
fn others(truths: &[Truth], repeats: Repeats) -> Table {
    let mut table = Table::new(
        "One coefficient, absolute errors: the right model is named",
        &["truth", "noise 1 %"],
    );
    for (number, name) in (0..).zip(["n", "log n + 30", "n, caches"]) {
        for truth in truths.iter().filter(|truth| truth.name == name) {
            let noise = Noise {
                seen: 0.01,
                hidden: 0.0,
            };
            let right = repeats
                .for_cell(9_900 + number)
                .of(|seed| Some(nearest(&measured(truth, noise, seed))) == truth.model);
            table.row(name);
            let claim = match name {
                "n" => Claim::Shown { upper: false },
                _ => Claim::FailsBelow(0.98),
            };
            table.share(Proportion::count(right), claim);
        }
    }
    table
}

fn nearest(points: &[Point]) -> Model {
    let residual = |model: &Model| {
        let products = points.iter().map(|point| point.time * model.at(point.size));
        let squares = points.iter().map(|point| model.at(point.size).powi(2));
        let factor = products.sum::<f64>() / squares.sum::<f64>();
        let errors = points
            .iter()
            .map(|point| (point.time - factor * model.at(point.size)).powi(2));
        errors.sum::<f64>()
    };
    let mut models = Model::ALL;
    models.sort_by(|a, b| residual(a).total_cmp(&residual(b)));
    models[0]
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
