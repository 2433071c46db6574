//! Pictures of comparisons: deciles, pairs.

use std::rc::Rc;

use tourbillon_analysis::{Design, median_of, ratios, ticks_per_op};
use tourbillon_pictures::{Axis, Chart, Ink, Picture, Scale, Shape, Tick};
use tourbillon_present::number::{fixed, with_interval};
use tourbillon_record::{Rounds, Verdict};
use tourbillon_report::{Names, compared, escape};
use tourbillon_stats::{Confidence, Sample, median, median_interval, quantile};

use crate::rounds_by_case::{Arms, RoundsByCase};

const HEIGHT: f64 = 150.0;

/// What a verdict is about, escaped.
pub(super) fn name(verdict: &Verdict, names: &Names) -> String {
    escape(&compared(verdict, names), true)
}

/// The label of a tick of ratios.
fn tick(tick: Tick) -> String {
    let decimals = (-tick.step.log10()).ceil().clamp(0.0, 6.0) as usize;
    fixed(tick.value, decimals)
}

/// The samples of a verdict: the rounds of each launch, with the arms of the reference and of the case.
pub(crate) struct Samples<'r> {
    /// What the verdict is about.
    name: String,
    pub(crate) launches: Vec<&'r Rounds>,
    pub(crate) arms: [usize; 2],
}

impl<'r> Samples<'r> {
    /// `None` where the record does not hold them.
    pub(crate) fn of(
        rounds: &RoundsByCase<'r>,
        names: &Names,
        verdict: &Verdict,
    ) -> Option<Samples<'r>> {
        let (case, reference) = (&verdict.case, &verdict.reference);
        let is_of_builds = Design::of_verdict(verdict).is_of_builds();
        let launches: Vec<&Rc<Arms<'_>>> = if is_of_builds {
            // The reference's case may have another name.
            let is_last = |arms: &&Rc<Arms<'_>>| arms.rounds.cases.last() == Some(case);
            rounds.case(case).iter().filter(is_last).collect()
        } else {
            rounds.both(case, reference)
        };
        let first = launches.first()?;
        let arms = if is_of_builds {
            [0, 1]
        } else {
            [first.arm(reference)?, first.arm(case)?]
        };
        Some(Samples {
            name: name(verdict, names),
            launches: launches.iter().map(|arms| arms.rounds).collect(),
            arms,
        })
    }

    /// Ratios of pairs, in order, a list for each launch.
    fn ratios(&self) -> Vec<Vec<f64>> {
        let [first, second] = self.arms;
        let launches = self.launches.iter();
        launches.map(|one| ratios(one, first, second)).collect()
    }

    /// The pairs in the order in which they were measured: each of them, or of several launches the median
    /// of each.
    pub(super) fn pairs(&self, verdict: &Verdict) -> Option<Picture> {
        let launches = self.ratios();
        let (what, points) = match launches.as_slice() {
            [only] => ("pair", only.clone()),
            several => {
                let medians = several
                    .iter()
                    .filter_map(|ratios| median_of(ratios.iter().copied()));
                ("launch, its median ratio", medians.collect())
            }
        };
        if points.is_empty() {
            return None;
        }
        let ends = [verdict.lower, verdict.upper].into_iter().flatten();
        let values = points.iter().copied().chain(ends).chain([1.0]);
        let x = Axis::new(Scale::index(points.len()), what, 8, |tick| {
            format!("{}", tick.value)
        });
        let y = Axis::new(Scale::log(values), "ratio of times", 5, tick);
        let mut chart = Chart::new(x, y, HEIGHT, &[]);
        chart.level(1.0);
        if let (Some(lower), Some(upper)) = (verdict.lower, verdict.upper) {
            chart.band(lower, upper, Ink::First);
        }
        let dots: Vec<(f64, f64)> = numbered(&points);
        let shape = if dots.len() > 200 {
            Shape::Stroke
        } else {
            Shape::Round
        };
        chart.dots(&dots, shape, Ink::First);
        let (first, second) = points.split_at(points.len() / 2);
        let mut figures = format!("{} ratios", points.len());
        if let (Some(first), Some(second)) = (
            median_of(first.iter().copied()),
            median_of(second.iter().copied()),
        ) {
            let [first, second] = [first, second].map(|ratio| fixed(ratio, 5));
            figures += &format!(", median {first} in the first half, {second} in the second");
        }
        Some(chart.picture(format!("{}: pairs in order", self.name), figures))
    }

    /// The shift function as ratios: each decile of the case divided by that of the reference. With enough launches it
    /// is the median of the launches, with its interval; with fewer that of all batches together, without one.
    pub(super) fn shift(&self, verdict: &Verdict) -> Option<Picture> {
        let deciles: Vec<Decile> = (1..10).filter_map(|tenths| self.decile(tenths)).collect();
        let points: Vec<(f64, f64)> = deciles
            .iter()
            .map(|decile| (decile.share, decile.ratio))
            .collect();
        let ends: Vec<(f64, f64, f64)> = deciles
            .iter()
            .filter_map(|decile| {
                let (lower, upper) = decile.interval?;
                Some((decile.share, lower, upper))
            })
            .collect();
        let margin = [1.0 / (1.0 + verdict.margin), 1.0 + verdict.margin];
        let values = points
            .iter()
            .map(|(_, y)| *y)
            .chain(margin)
            .chain(ends.iter().flat_map(|(_, lower, upper)| [*lower, *upper]));
        let x = Axis::with_ticks(
            Scale::linear([5.0, 95.0]),
            "decile of all batches",
            (1..10)
                .map(|decile| (f64::from(10 * decile), format!("{} %", 10 * decile)))
                .collect(),
        );
        let axis = if ends.is_empty() {
            "ratio of deciles; band: margin"
        } else {
            "ratio of deciles, each with its 99 % CI; band: margin"
        };
        let y = Axis::new(Scale::log(values), axis, 5, tick);
        let mut chart = Chart::new(x, y, HEIGHT, &[]);
        chart.band(margin[0], margin[1], Ink::Third);
        chart.level(1.0);
        chart.line(&points, Ink::First);
        chart.intervals(&ends, Ink::First);
        chart.dots(&points, Shape::Round, Ink::First);
        let told: Vec<String> = deciles.iter().map(Decile::text).collect();
        Some(chart.picture(format!("{}: shift function", self.name), told.join(", ")))
    }
}

/// A decile of the case divided by that of the reference.
#[derive(Debug, PartialEq)]
struct Decile {
    /// In percent.
    share: f64,
    ratio: f64,
    interval: Option<(f64, f64)>,
}

impl Decile {
    /// `10 %: 1.0213 [1.0110, 1.0301]`.
    fn text(&self) -> String {
        let ratio = match self.interval {
            Some(ends) => with_interval(self.ratio, ends, 4),
            None => fixed(self.ratio, 4),
        };
        format!("{} %: {ratio}", fixed(self.share, 0))
    }
}

impl Samples<'_> {
    fn decile(&self, tenths: i32) -> Option<Decile> {
        let share = f64::from(tenths) / 10.0;
        let of = |launches: &[&Rounds]| {
            let [reference, case] = self.arms.map(|arm| {
                let batches = launches.iter().flat_map(|rounds| ticks_per_op(rounds, arm));
                let sample = Sample::new(batches.collect()).ok()?;
                quantile(&sample, share)
            });
            Some(case? / reference?)
        };
        let each = self.launches.iter().filter_map(|rounds| of(&[*rounds]));
        let each = Sample::new(each.collect()).ok()?;
        let interval = median_interval(&each, Confidence::P99).ok();
        let ratio = match interval {
            Some(_) => median(&each),
            None => of(&self.launches)?,
        };
        Some(Decile {
            share: 100.0 * share,
            ratio,
            interval: interval.map(|interval| (interval.lower, interval.upper)),
        })
    }
}

fn numbered(values: &[f64]) -> Vec<(f64, f64)> {
    values
        .iter()
        .enumerate()
        .map(|(at, value)| (at as f64, *value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deciles_have_an_interval_from_eight_launches_on() {
        // Of launch k every batch of the case takes 2 + k / 10 times that of the reference.
        let launch = |k: u64| Rounds {
            cases: vec!["a".into(), "b".into()],
            ops: vec![1, 1],
            fixed_ticks: vec![0, 0],
            round: vec![0, 0, 1, 1],
            arm: vec![0, 1, 0, 1],
            ticks: vec![1_000, 2_000 + 100 * k, 1_000, 2_000 + 100 * k],
            ..Rounds::default()
        };
        let launches: Vec<Rounds> = (0..9).map(launch).collect();
        let decile = |count: usize| {
            let samples = Samples {
                name: String::new(),
                launches: launches.iter().take(count).collect(),
                arms: [0, 1],
            };
            samples.decile(5).expect("batches")
        };
        let many = decile(9);
        assert_eq!((many.ratio, many.interval), (2.4, Some((2.0, 2.8))));
        assert_eq!(many.text(), "50 %: 2.4000 [2.0000, 2.8000]");
        let few = decile(3);
        assert_eq!((few.ratio, few.interval), (2.1, None));
    }
}
