//! The results of one harness.

use peers::CASES;

use super::Group;
use super::number::median;
use crate::harness::Harness;
use crate::piece::{Measured, Piece};
use crate::shown::Figure;
use crate::truth::Machine;

/// The results of one harness in one unit.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) version: String,
    /// Whether the cycles are those that the harness shows, not its time held against the truth.
    pub(super) own_cycles: bool,
    /// Seconds for a case, the mean of the rounds.
    pub(super) seconds: f64,
    /// What the interval is that it shows.
    pub(super) interval: Option<&'static str>,
    results: Vec<Outcome>,
}

/// There was something, which could not be distinguished from nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unseen;

/// One case in one round, in cycles.
#[derive(Debug)]
struct Outcome {
    case: &'static str,
    truth: f64,
    /// `None` where it was not distinguished from nothing.
    estimate: Option<f64>,
    inside: Option<bool>,
}

impl Row {
    /// The rows of a harness: by its time, and before that by its cycles if it shows them.
    pub(super) fn of(harness: &Harness, machine: &Machine, pieces: &[Piece]) -> Vec<Self> {
        let pieces: Vec<&Piece> = pieces
            .iter()
            .filter(|piece| piece.harness == harness.name)
            .collect();
        let Some(last) = pieces.last() else {
            return Vec::new();
        };
        let cases: usize = pieces.iter().map(|piece| piece.cases.len()).sum();
        let spent = |piece: &&Piece| piece.seconds * piece.cases.len() as f64;
        let spent: f64 = pieces.iter().map(spent).sum();
        let row = |own_cycles, figure: fn(&Measured) -> Option<Figure>| {
            let results: Vec<Outcome> = pieces
                .iter()
                .flat_map(|piece| &piece.cases)
                .filter_map(|measured| Outcome::of(machine, measured, figure(measured)?))
                .collect();
            (!results.is_empty()).then(|| Self {
                name: harness.name.to_owned(),
                version: last.version.clone(),
                own_cycles,
                seconds: spent / cases as f64,
                interval: harness.interval,
                results,
            })
        };
        let by_cycles = row(true, |measured| measured.shown.cycles);
        let by_time = row(false, |measured| {
            let nanos = measured.shown.nanos;
            let cycles = |nanos: f64| nanos / measured.cycle.nanos;
            Some(Figure {
                estimate: nanos.estimate.map(cycles),
                interval: nanos
                    .interval
                    .map(|(low, high)| (cycles(low), cycles(high))),
            })
        });
        by_cycles.into_iter().chain(by_time).collect()
    }

    /// Median and largest error in a group, as a fraction of the truth.
    pub(super) fn fractions(&self, group: &Group) -> Option<(f64, f64)> {
        self.errors(group, |result| result.error() / result.truth)
    }

    /// Median and largest error in a group, in cycles.
    pub(super) fn cycles(&self, group: &Group) -> Option<(f64, f64)> {
        self.errors(group, Outcome::error)
    }

    fn errors(&self, group: &Group, error: impl Fn(&Outcome) -> f64) -> Option<(f64, f64)> {
        let results = self.results.iter();
        let inside = results.filter(|result| group.holds(result.truth));
        let errors: Vec<f64> = inside.map(error).collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        Some((median(errors)?, worst))
    }

    /// In how many of how many intervals the truth lies.
    pub(super) fn inside(&self) -> (usize, usize) {
        let answers = || self.results.iter().filter_map(|result| result.inside);
        (
            answers().filter(|&inside| inside).count(),
            answers().count(),
        )
    }

    /// What a case is known to cost.
    pub(super) fn truth(&self, case: &str) -> Option<f64> {
        let result = self.results.iter().find(|result| result.case == case)?;
        Some(result.truth)
    }

    /// The median of what was shown for a case; `Err` where mostly none was, because it could not be told
    /// from nothing.
    pub(super) fn shown(&self, case: &str) -> Option<Result<f64, Unseen>> {
        let results = self.results.iter();
        let of_case: Vec<_> = results.filter(|result| result.case == case).collect();
        let seen: Vec<f64> = of_case
            .iter()
            .filter_map(|result| result.estimate)
            .collect();
        if of_case.is_empty() {
            None
        } else if seen.len() * 2 <= of_case.len() {
            Some(Err(Unseen))
        } else {
            median(seen).map(Ok)
        }
    }
}

impl Outcome {
    fn of(machine: &Machine, measured: &Measured, figure: Figure) -> Option<Self> {
        let case = CASES.iter().find(|case| case.name == measured.shown.case)?;
        let truth = machine.cycles_near(case, figure.estimate.unwrap_or(0.0))?;
        Some(Self {
            case: case.name,
            truth,
            estimate: figure.estimate,
            inside: figure
                .interval
                .map(|(low, high)| low <= truth && truth <= high),
        })
    }

    fn error(&self) -> f64 {
        (self.estimate.unwrap_or(0.0) - self.truth).abs()
    }
}
