use std::collections::BTreeMap;

use super::{Measured, Reading};

/// How well the runs of an executable agree about some of its cases, in one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures<'a> {
    pub(super) cases: Vec<Case<'a>>,
}

/// What all runs print about one case.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Case<'a> {
    pub(super) name: &'a str,
    /// An entry for each run; `None` where a run lacks the case.
    readings: Vec<Option<&'a Reading>>,
}

impl Case<'_> {
    fn intervals(&self) -> Vec<(f64, f64)> {
        let readings = self.readings.iter().flatten();
        readings.filter_map(|reading| reading.interval).collect()
    }

    /// Pairs of runs that have an interval each.
    pub(super) fn pairs(&self) -> usize {
        let count = self.intervals().len();
        count * count.saturating_sub(1) / 2
    }

    /// Pairs of runs whose intervals have no value in common.
    pub(super) fn apart(&self) -> usize {
        let intervals = self.intervals();
        let apart = |one: (f64, f64), other: (f64, f64)| one.1 < other.0 || other.1 < one.0;
        let later_apart = |(at, one): (usize, &(f64, f64))| {
            let later = intervals[at + 1..].iter();
            later.filter(|other| apart(*one, **other)).count()
        };
        intervals.iter().enumerate().map(later_apart).sum()
    }

    /// Runs without an interval.
    pub(super) fn without(&self) -> usize {
        self.readings.len() - self.intervals().len()
    }

    /// The least and the largest estimate.
    pub(super) fn ends(&self) -> Option<(f64, f64)> {
        let readings = self.readings.iter().flatten();
        let estimates = readings.filter_map(|reading| reading.estimate);
        estimates.fold(None, |ends, estimate| match ends {
            None => Some((estimate, estimate)),
            Some((least, most)) => Some((estimate.min(least), estimate.max(most))),
        })
    }

    /// By how much the largest estimate is more than the least, as a fraction.
    pub(super) fn spread(&self) -> Option<f64> {
        self.ends().map(|(least, most)| most / least - 1.0)
    }
}

impl<'a> Figures<'a> {
    /// Of the cases that are `wanted`.
    pub(super) fn of(
        measured: &'a Measured,
        metric: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Figures<'a> {
        let runs = measured.runs.len();
        let mut cases: BTreeMap<&str, Vec<Option<&Reading>>> = BTreeMap::new();
        for (number, run) in measured.runs.iter().enumerate() {
            let readings = run.readings.iter();
            for reading in readings.filter(|reading| reading.metric == metric) {
                if wanted(&reading.case) {
                    cases.entry(&reading.case).or_insert(vec![None; runs])[number] = Some(reading);
                }
            }
        }
        let case = |(name, readings)| Case { name, readings };
        Figures {
            cases: cases.into_iter().map(case).collect(),
        }
    }

    /// Pairs of runs that have an interval each, of all cases.
    pub(super) fn pairs(&self) -> usize {
        self.cases.iter().map(Case::pairs).sum()
    }

    /// Pairs of runs whose intervals have no value in common.
    pub(super) fn apart(&self) -> usize {
        self.cases.iter().map(Case::apart).sum()
    }

    /// Cases times runs.
    pub(super) fn rows(&self) -> usize {
        self.cases.iter().map(|case| case.readings.len()).sum()
    }

    /// Rows without an interval across processes.
    pub(super) fn without(&self) -> usize {
        self.cases.iter().map(Case::without).sum()
    }

    /// Half of the width of an interval, as a fraction of the estimate: the median of all rows.
    pub(super) fn half_width(&self) -> Option<f64> {
        let readings = self.cases.iter().flat_map(|case| &case.readings).flatten();
        let half_width = |reading: &&Reading| {
            let (lower, upper) = reading.interval?;
            Some((upper - lower) / 2.0 / reading.estimate?)
        };
        median(readings.filter_map(half_width).collect())
    }

    /// The median of the spreads of the cases.
    pub(super) fn spread(&self) -> Option<f64> {
        median(self.cases.iter().filter_map(Case::spread).collect())
    }

    /// The cases about which the runs agree least: those with pairs apart and rows without an interval,
    /// then those whose estimates spread most.
    pub(super) fn worst(&self, count: usize) -> Vec<&Case<'a>> {
        let mut cases: Vec<&Case<'a>> = self.cases.iter().collect();
        let spread = |case: &Case<'_>| case.spread().unwrap_or(f64::INFINITY);
        cases.sort_by(|one, other| {
            let lost = |case: &Case<'_>| (case.apart(), case.without());
            let by_loss = lost(other).cmp(&lost(one));
            by_loss.then(spread(other).total_cmp(&spread(one)))
        });
        cases.truncate(count);
        cases
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{measured, row};
    use super::*;

    #[test]
    fn pairs_are_counted_once() {
        let runs = [
            [1.0, 0.9, 1.1],
            [1.05, 1.0, 1.15],
            [1.3, 1.2, 1.4],
            [1.15, 1.1, 1.2],
        ];
        let measured = measured("quiet", &runs.map(|figures| row("a", figures)));
        let figures = Figures::of(&measured, "cycles", |_| true);
        // The third is apart from the first two; intervals that touch are not apart.
        assert_eq!((figures.pairs(), figures.apart()), (6, 2));
        assert_eq!((figures.rows(), figures.without()), (4, 0));
        let spread = figures.spread().expect("estimates");
        assert!((spread - 0.3).abs() < 1e-12, "{spread}");
        let half_width = figures.half_width().expect("intervals");
        let known = f64::midpoint(0.075 / 1.05, 0.1 / 1.3);
        assert!((half_width - known).abs() < 1e-12, "{half_width}");
    }

    #[test]
    fn a_case_that_a_run_lacks_is_a_row_without_an_interval() {
        let runs = [
            row("a", [1.0, 0.9, 1.1]) + &row("b", [2.0, 1.9, 2.1]),
            row("a", [1.0, 0.9, 1.1]),
            row("a", [1.0, 0.9, 1.1]) + &row("b", [2.0, 1.9, 2.1]),
        ];
        let measured = measured("quiet", &runs);
        let figures = Figures::of(&measured, "cycles", |_| true);
        assert_eq!(
            (figures.rows(), figures.without(), figures.pairs()),
            (6, 1, 4)
        );
        assert_eq!(
            Figures::of(&measured, "cycles", |case| case == "a").rows(),
            3
        );
        let none = Figures::of(&measured, "time", |_| true);
        assert_eq!(
            (none.rows(), none.half_width(), none.spread()),
            (0, None, None)
        );
    }

    #[test]
    fn the_worst_cases_come_first() {
        let run = |apart: f64, spread: f64| {
            row("apart", [apart, apart - 0.1, apart + 0.1])
                + &row("steady", [5.0, 4.9, 5.1])
                + &row("spread", [spread, 5.0, 15.0])
        };
        let measured = measured("quiet", &[run(5.0, 9.0), run(6.0, 11.0)]);
        let figures = Figures::of(&measured, "cycles", |_| true);
        let names: Vec<&str> = figures.worst(2).iter().map(|case| case.name).collect();
        assert_eq!(names, ["apart", "spread"]);
        assert_eq!(figures.worst(1)[0].ends(), Some((5.0, 6.0)));
    }
}
