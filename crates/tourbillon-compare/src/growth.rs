//! Growth of the other build's times with size, compared with `at_most` of its benchmarks.

use std::slice;

use tourbillon_analysis::sweep::{Exponent, Point, Series, series_by};
use tourbillon_analysis::typical_ticks_per_op;
use tourbillon_present::number::with_interval;
use tourbillon_record::{ByCase, Case};
use tourbillon_report::{Outcome, refusal, sweep_name};

use crate::measurement::MeasuredCase;
use crate::pairing::PairedCase;

/// What is known of a benchmark with `at_most`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Growth {
    /// Its id without arguments on the axis of its sizes.
    pub(crate) benchmark: String,
    /// Its printed name, without them too.
    pub(crate) name: String,
    pub(crate) axis: String,
    pub(crate) at_most: String,
    /// The exponent, or why there is none.
    outcome: Result<Exponent, String>,
    /// Whether it grows faster.
    pub(crate) exceeds: bool,
}

impl Growth {
    /// The growth of the benchmarks with `at_most` among the cases that were measured, by the batches of the other build.
    pub(crate) fn of(cases: &[PairedCase], measured: &[MeasuredCase]) -> Vec<Growth> {
        let of_cases = measured.iter().map(|one| (&*one.verdict.case, one));
        let of_cases = ByCase::of(of_cases);
        let is_unchanged = |case: &Case| {
            let mut measured = of_cases.case(&case.id).iter();
            measured.any(|one| one.is_unchanged())
        };
        let launches = |case: &Case| -> Vec<f64> {
            let rounds = of_cases
                .case(&case.id)
                .first()
                .into_iter()
                .flat_map(|measured| &measured.launches);
            // In ticks: growth is the same in any unit.
            rounds
                .filter_map(|rounds| typical_ticks_per_op(slice::from_ref(rounds), 1))
                .collect()
        };
        let limited = cases
            .iter()
            .map(|paired| &paired.case)
            .filter(|case| case.at_most.is_some())
            .filter(|case| !is_unchanged(case));
        let series = series_by(limited, |case, size| {
            Point::of_launches(size, &launches(case))
        });
        series.iter().filter_map(Growth::of_series).collect()
    }

    fn of_series(series: &Series<'_>) -> Option<Growth> {
        Some(Growth {
            benchmark: benchmark(series.case, series.axis),
            name: sweep_name(series.case, series.axis),
            axis: series.axis.to_owned(),
            at_most: series.case.at_most.clone()?,
            exceeds: series.exceeds(),
            outcome: match &series.outcome {
                Ok(sweep) => Ok(sweep.exponent),
                Err(why) => Err(refusal(why)),
            },
        })
    }

    /// A line of text; `None` where there is nothing to report.
    pub(crate) fn text(&self) -> Option<String> {
        let Growth {
            name,
            axis,
            at_most,
            ..
        } = self;
        match &self.outcome {
            Ok(exponent) => self.exceeds.then(|| {
                let Exponent {
                    value,
                    lower,
                    upper,
                    from,
                    to,
                } = exponent;
                format!(
                    "{name} {} than at_most = \"{at_most}\" over {axis}: exponent {} from {from} to {to}",
                    Outcome::GrowsFaster.word(),
                    with_interval(*value, (*lower, *upper), 2)
                )
            }),
            Err(why) => Some(format!(
                "{name} is not compared with at_most = \"{at_most}\" over {axis}, {}: {why}",
                Outcome::GrowthUnknown.word()
            )),
        }
    }
}

/// `shop/sort::heap[kind=up]`
fn benchmark(case: &Case, axis: &str) -> String {
    let function = case.id.split('[').next().unwrap_or(&case.id);
    let others: Vec<String> = case
        .arguments
        .iter()
        .filter(|other| other.axis != axis)
        .map(|other| format!("{}={}", other.axis, other.value))
        .collect();
    match others.as_slice() {
        [] => function.to_owned(),
        others => format!("{function}[{}]", others.join(",")),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::num::NonZeroU64;

    use tourbillon_analysis::Frequency;
    use tourbillon_record::{Argument, Rounds, Verdict};

    use super::*;
    use crate::counts::Counts;

    /// Nine launches in which the reference's time is proportional to the size, and the other's to its square.
    fn compared(case: &Case, size: u64) -> MeasuredCase {
        let launch = |launch: u64| Rounds {
            cases: vec![case.id.clone(), case.id.clone()],
            ops: vec![1, 1],
            fixed_ticks: vec![0, 0],
            round: vec![0, 0],
            arm: vec![0, 1],
            ticks: vec![1_000 * size, 1_000 * size * size + launch * size],
            ..Rounds::default()
        };
        let frequency = Frequency {
            numerator: NonZeroU64::MIN,
            denominator: NonZeroU64::MIN,
            error_ppm: None,
        };
        MeasuredCase {
            case: case.clone(),
            verdict: Verdict {
                case: case.id.clone(),
                ..Verdict::default()
            },
            percentiles: Vec::new(),
            launches: (0..9).map(launch).collect(),
            numbers: Default::default(),
            frequency,
            counts: Counts::default(),
            fault: None,
        }
    }

    /// The growth of a benchmark of this many sizes, quadratic in the build that is compared; with an empty limit, it has
    /// none.
    pub(crate) fn growth(at_most: &str, sizes: usize) -> Vec<Growth> {
        let sizes = (0..sizes).map(|at| 100_u64 << at);
        let cases: Vec<PairedCase> = sizes
            .clone()
            .map(|size| {
                let argument = |axis: &str, value: String| Argument {
                    axis: axis.to_owned(),
                    value,
                };
                let case = Case {
                    id: format!("p/t::sort[n={size},kind=up]"),
                    name: "sort".to_owned(),
                    arguments: vec![
                        argument("n", size.to_string()),
                        argument("kind", "up".to_owned()),
                    ],
                    at_most: Some(at_most.to_owned()).filter(|limit| !limit.is_empty()),
                    ..Case::default()
                };
                PairedCase {
                    reference: case.id.clone(),
                    case,
                    pair: 0,
                }
            })
            .collect();
        let measured: Vec<MeasuredCase> = cases
            .iter()
            .zip(sizes)
            .map(|(paired, size)| compared(&paired.case, size))
            .collect();
        Growth::of(&cases, &measured)
    }

    #[test]
    fn faster_growth_than_allowed_is_named() {
        let found = growth("n log n", 7);
        let [only] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert!(only.exceeds);
        let text = only.text().expect("a line");
        let expected = "sort/up grows faster than at_most = \"n log n\" over n: exponent 2.00 [";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("] from 400 to 6400"), "{text}");
    }

    #[test]
    fn growth_within_the_limit_needs_no_line() {
        let found = growth("n^2", 7);
        assert!(found.len() == 1 && !found[0].exceeds, "{found:?}");
        assert_eq!(found[0].text(), None);
        assert_eq!(growth("", 7), []);
    }

    #[test]
    fn too_few_sizes_are_reported() {
        let found = growth("n", 3);
        assert!(found.len() == 1 && !found[0].exceeds, "{found:?}");
        let expected = "sort/up is not compared with at_most = \"n\" over n, growth unknown: 3 sizes with \
                        an interval, 3 more needed";
        assert_eq!(found[0].text().as_deref(), Some(expected));
    }
}
