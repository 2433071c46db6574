use tourbillon_history::{ChangeDetector, ChangePoint};

use crate::fleets::fleets;
use crate::{Chance, Claim, Proportion, Repeats, Table};

/// Runs of a stable series.
pub(crate) const RUNS: usize = 200;
/// The share of stable series that may be nominated.
pub(crate) const ERROR: f64 = 0.05;
/// The error of the comparison that confirms a nomination.
const CONFIRMATION: f64 = 1e-3;
/// Scatter of a series, as a share.
pub(crate) const NOISE: f64 = 0.005;
/// Runs before a step, and the most after it.
pub(crate) const BEFORE: usize = 100;
pub(crate) const AFTER: usize = 40;

/// What a series scatters like.
#[derive(Clone, Copy)]
pub(crate) enum Scatter {
    Normal,
    /// Student's t with three degrees of freedom, scaled to the same standard deviation.
    HeavyTails,
    /// An autoregression of order 1 with this coefficient and the same standard deviation.
    Alike(f64),
}

impl Scatter {
    fn name(self) -> String {
        match self {
            Scatter::Normal => "independent, normal".to_owned(),
            Scatter::HeavyTails => "independent, t with 3 degrees of freedom".to_owned(),
            Scatter::Alike(coefficient) => format!("AR(1) {coefficient}"),
        }
    }

    /// Values with a standard deviation of 1.
    pub(crate) fn values(self, count: usize, chance: &mut Chance) -> Vec<f64> {
        let mut last = chance.normal();
        let values = (0..count).map(|_| match self {
            Scatter::Normal => chance.normal(),
            Scatter::HeavyTails => {
                let squares: f64 = (0..3).map(|_| chance.normal().powi(2)).sum();
                // Its variance is 3.
                chance.normal() / (squares / 3.0).sqrt() / 3.0_f64.sqrt()
            }
            Scatter::Alike(coefficient) => {
                let fresh = (1.0 - coefficient * coefficient).sqrt();
                last = coefficient * last + fresh * chance.normal();
                last
            }
        });
        values.collect()
    }
}

/// The detector of the history on series whose changes are known.
pub fn history(repeats: Repeats) -> Vec<Table> {
    vec![stable(repeats), steps(repeats), fleets(repeats)]
}

fn stable(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "Stable series of 200 runs, nominated at 5 %, confirmed at 0.1 %",
        &[
            "scatter",
            "series nominated",
            "nominations of 1 000 series",
            "series with a confirmed false change",
        ],
    );
    let detector = ChangeDetector::new(RUNS, ERROR);
    for (number, scatter) in [
        Scatter::Normal,
        Scatter::HeavyTails,
        Scatter::Alike(0.3),
        Scatter::Alike(0.6),
    ]
    .into_iter()
    .enumerate()
    {
        let outcomes = repeats.for_cell(1_300 + number as u64).of(|seed| {
            let mut chance = Chance::new(seed);
            let values = scatter.values(RUNS, &mut chance);
            let nominated = detector.changes(&values).len();
            let confirmed = (0..nominated).any(|_| chance.happens(CONFIRMATION));
            (nominated, confirmed)
        });
        let claim = match scatter {
            Scatter::Alike(_) => Claim::Shown { upper: true },
            _ => Claim::AtMost(ERROR),
        };
        table.row(&scatter.name());
        let nominated = outcomes.iter().map(|(nominated, _)| *nominated > 0);
        table.share(Proportion::count(nominated), claim);
        let all: usize = outcomes.iter().map(|(nominated, _)| nominated).sum();
        let of_1000 = 1_000.0 * all as f64 / outcomes.len().max(1) as f64;
        table.text(format!("{of_1000:.1}"));
        let confirmed = outcomes.iter().map(|(_, confirmed)| *confirmed);
        // Four of a thousand series.
        table.share(Proportion::count(confirmed), Claim::AtMost(0.004));
    }
    table
}

fn steps(repeats: Repeats) -> Table {
    let mut table = Table::new(
        "A step after 100 runs of a scatter of 0.5 %",
        &[
            "scatter, step",
            "nominated within 8 runs",
            "within 16 runs",
            "within 40 runs",
            "most likely run is the right one, or next to it",
        ],
    );
    let detector = ChangeDetector::new(RUNS, ERROR);
    for (number, (scatter, step)) in [
        (Scatter::Normal, 0.02),
        (Scatter::Normal, 0.01),
        (Scatter::Normal, 0.005),
        (Scatter::HeavyTails, 0.02),
        (Scatter::Alike(0.3), 0.02),
        (Scatter::Alike(0.6), 0.02),
    ]
    .into_iter()
    .enumerate()
    {
        let outcomes = repeats.for_cell(1_310 + number as u64).of(|seed| {
            let mut chance = Chance::new(seed);
            let mut values = scatter.values(BEFORE + AFTER, &mut chance);
            for (at, value) in values.iter_mut().enumerate() {
                let level = if at < BEFORE { 1.0 } else { 1.0 + step };
                *value = level + NOISE * *value;
            }
            [8, 16, AFTER].map(|after| step_of(detector.changes(&values[..BEFORE + after])))
        });
        table.row(&format!("{}, {} %", scatter.name(), 100.0 * step));
        let is_required = matches!(scatter, Scatter::Normal) && step == 0.02;
        for within in 0..3 {
            let nominated = outcomes.iter().map(|found| found[within].is_some());
            let claim = if is_required {
                Claim::AtLeast(0.9)
            } else {
                Claim::Shown { upper: false }
            };
            table.share(Proportion::count(nominated), claim);
        }
        let placed = outcomes.iter().filter_map(|found| found[2]);
        let placed = placed.map(|change| change.place.abs_diff(BEFORE) <= 1);
        table.share(Proportion::count(placed), Claim::Shown { upper: false });
    }
    table
}

/// The range with the step.
pub(crate) fn step_of(changes: Vec<ChangePoint>) -> Option<ChangePoint> {
    let has_step = |change: &ChangePoint| change.first < BEFORE && change.last >= BEFORE;
    changes.into_iter().find(has_step)
}
