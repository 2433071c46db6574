//! The change of a benchmark since an earlier run.

use tourbillon_coordinator::run::{NotCompared, not_compared, ratio};
use tourbillon_record::store::Last;
use tourbillon_record::{Header, Throughput, ThroughputUnit};
use tourbillon_report::{CaseResults, Ratio};

use crate::values::why_absent;

/// How a benchmark changed: new divided by old, minus one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) lower: f64,
    pub(crate) estimate: f64,
    pub(crate) upper: f64,
    /// The probability that the interval does not hold the change, at most; so the p-value of `no change` is below
    /// it where the interval does not hold zero, and above it where it does.
    pub(crate) error: f64,
    pub(crate) verdict: Verdict,
    /// What an iteration processed before and what it processes now, where that differs.
    pub(crate) throughputs: Option<[Throughput; 2]>,
}

/// What a change means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Improved,
    Regressed,
    /// There is a change, which may be smaller than the noise threshold.
    BelowThreshold,
    /// No change is in the interval.
    NotDetected,
}

impl Change {
    /// The change of a case since the `last` run; `None` where the two runs cannot be compared. A change smaller
    /// than `noise` is not reported.
    pub(crate) fn since(
        last: &Last,
        case: &str,
        header: &Header,
        results: &CaseResults<'_>,
        noise: f64,
    ) -> Option<Change> {
        let ratio = ratio(header, results, last, case)?;
        let now = results.result(case, ratio.metric)?.confidence?;
        let then = last.result(case, ratio.metric)?.1.confidence?;
        let before = last.results(case).find_map(|(_, result)| result.throughput);
        let mut of_case = results.case(case).iter();
        let throughputs = before.zip(of_case.find_map(|result| result.throughput));
        let throughputs = throughputs.map(|(before, now)| [before, now]);
        Some(Change::of(
            &ratio,
            (1.0 - now) + (1.0 - then),
            noise,
            throughputs.filter(|[before, now]| before != now),
        ))
    }

    /// Why there is none, where there are earlier results.
    pub(crate) fn absent(
        last: &Last,
        case: &str,
        header: &Header,
        results: &CaseResults<'_>,
    ) -> Option<String> {
        let why = match not_compared(header, results, last, case)? {
            NotCompared::Engine => "that is of another version of Tourbillon",
            NotCompared::Processor => "that is of another processor",
            NotCompared::CoreKind => "that is of another kind of core",
            NotCompared::BuiltOtherwise(facts) => {
                let texts: Vec<String> = facts.iter().map(ToString::to_string).collect();
                let what = texts.join("; ");
                return Some(format!("that was built otherwise: {what}"));
            }
            NotCompared::Metric => "that is of another metric",
            NotCompared::NoFigureBefore(absence) => {
                return Some(format!("that has no figure: {}", why_absent(absence)));
            }
            NotCompared::FewLaunchesBefore => "that has too few launches",
            NotCompared::FewLaunches => "this one has too few launches",
        };
        Some(why.to_owned())
    }

    fn of(ratio: &Ratio, error: f64, noise: f64, throughputs: Option<[Throughput; 2]>) -> Change {
        let [lower, estimate, upper] =
            [ratio.lower, ratio.estimate, ratio.upper].map(|end| end - 1.0);
        let mut change = Change {
            lower,
            estimate,
            upper,
            error,
            verdict: Verdict::NotDetected,
            throughputs,
        };
        // Of an item, where an iteration processes more or fewer of them than before.
        let work = change.work();
        let [lower, upper] = [ratio.lower, ratio.upper].map(|end| end / work - 1.0);
        change.verdict = if lower <= 0.0 && upper >= 0.0 {
            Verdict::NotDetected
        } else if upper < -noise {
            Verdict::Improved
        } else if lower > noise {
            Verdict::Regressed
        } else {
            Verdict::BelowThreshold
        };
        change
    }

    /// How much more an iteration processes than before, as a factor; 1 where that cannot be compared.
    pub(crate) fn work(&self) -> f64 {
        match self.throughputs {
            Some([before, now]) if before.unit == now.unit => {
                now.per_op as f64 / (before.per_op as f64).max(1.0)
            }
            _ => 1.0,
        }
    }

    /// What is judged: the rate, where iterations process more or fewer items than before.
    pub(crate) fn subject(&self) -> &'static str {
        match self.throughputs {
            Some([before, now]) if before.unit == now.unit => "rate",
            _ => "time",
        }
    }

    /// What an iteration processes, where that is not what it processed before.
    pub(crate) fn throughput_differs(&self) -> Option<String> {
        let [before, now] = self.throughputs?;
        let shown = |of: Throughput| {
            let unit = match of.unit {
                ThroughputUnit::Bytes => "bytes",
                ThroughputUnit::Items => "elements",
            };
            format!("{} {unit}", of.per_op)
        };
        Some(format!(
            "an iteration processes {}, before {}",
            shown(now),
            shown(before)
        ))
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Metric;

    use super::*;

    #[test]
    fn a_change_is_beyond_the_threshold_with_its_whole_interval() {
        for (lower, upper, noise, verdict) in [
            (1.02, 1.04, 0.01, Verdict::Regressed),
            (1.005, 1.04, 0.01, Verdict::BelowThreshold),
            (1.005, 1.04, 0.0, Verdict::Regressed),
            (0.99, 1.04, 0.0, Verdict::NotDetected),
            (0.95, 0.98, 0.01, Verdict::Improved),
            (0.95, 0.98, 0.1, Verdict::BelowThreshold),
        ] {
            let ratio = Ratio {
                metric: Metric::Time,
                estimate: (lower + upper) / 2.0,
                lower,
                upper,
            };
            let change = Change::of(&ratio, 0.02, noise, None);
            assert_eq!(change.verdict, verdict, "{ratio:?} {noise}");
            assert!(change.lower < change.estimate && change.estimate < change.upper);
        }
    }

    #[test]
    fn more_work_in_more_time_is_no_regression() {
        let ratio = Ratio {
            metric: Metric::Time,
            estimate: 1.8,
            lower: 1.7,
            upper: 1.9,
        };
        let of = |unit, per_op| Throughput { unit, per_op };
        let items = |per_op| of(ThroughputUnit::Items, per_op);
        for (before, now, work, verdict) in [
            (items(10), items(20), 2.0, Verdict::Improved),
            (items(20), items(10), 0.5, Verdict::Regressed),
            (items(100), items(180), 1.8, Verdict::NotDetected),
            (
                items(10),
                of(ThroughputUnit::Bytes, 20),
                1.0,
                Verdict::Regressed,
            ),
        ] {
            let change = Change::of(&ratio, 0.02, 0.01, Some([before, now]));
            assert_eq!((change.work(), change.verdict), (work, verdict), "{now:?}");
            let ends = (change.lower, change.upper);
            assert_eq!(ends, (1.7 - 1.0, 1.9 - 1.0));
            assert!(change.throughput_differs().is_some());
        }
    }
}
