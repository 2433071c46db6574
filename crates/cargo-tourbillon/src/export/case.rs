//! The cases of an export.

use std::collections::{HashMap, HashSet};

use tourbillon_analysis::{Rules, Usage, used};
use tourbillon_commands::CommandRuns;
use tourbillon_record::{Case, CaseResult, LaunchSamples, Metric, Run, ThroughputUnit};
use tourbillon_report::escape;

use crate::exit::Stop;
use crate::records::Record;

/// A case with its results.
pub(super) struct ExportedCase<'r> {
    pub(super) run: &'r Run,
    pub(super) case: &'r Case,
    /// In the order of the record: the main result first.
    pub(super) results: Vec<&'r CaseResult>,
    /// In the order in which they were measured.
    pub(super) samples: Vec<&'r LaunchSamples>,
    /// Those of processes.
    pub(super) runs: Option<CommandRuns<'r>>,
}

/// A case that is not in an export.
#[derive(Debug, PartialEq)]
pub(crate) struct Omitted {
    pub(super) case: String,
    pub(super) why: String,
}

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) value: f64,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
}

/// The cases of all records.
///
/// # Errors
///
/// When two runs have results of a case: no format here tells them apart.
pub(super) fn cases(records: &[Record]) -> Result<Vec<ExportedCase<'_>>, Stop> {
    let runs = records.iter().flat_map(Record::runs);
    let cases: Vec<ExportedCase<'_>> = runs.flat_map(of_run).collect();
    let mut seen = HashSet::new();
    match cases.iter().find(|one| !seen.insert(&*one.case.id)) {
        None => Ok(cases),
        Some(twice) => {
            let case = escape(&twice.case.id, true);
            let advice = "export the records one by one";
            Err(Stop::Usage(format!(
                "{case} is in several runs, which this format does not tell apart; {advice}"
            )))
        }
    }
}

/// The cases of a run, in its order.
pub(super) fn of_run(run: &Run) -> impl Iterator<Item = ExportedCase<'_>> {
    let mut results: HashMap<&str, Vec<&CaseResult>> = HashMap::new();
    for result in &run.results {
        results.entry(&result.case).or_default().push(result);
    }
    let mut samples: HashMap<&str, Vec<&LaunchSamples>> = HashMap::new();
    for launch in &run.launches {
        samples.entry(&launch.case).or_default().push(launch);
    }
    let mut runs = CommandRuns::all(run);
    run.cases.iter().map(move |case| ExportedCase {
        run,
        case,
        results: results.remove(&*case.id).unwrap_or_default(),
        samples: samples.remove(&*case.id).unwrap_or_default(),
        runs: runs.remove(&*case.id),
    })
}

impl<'r> ExportedCase<'r> {
    /// The result in what the case is measured in.
    pub(super) fn main(&self) -> Option<&'r CaseResult> {
        let mut results = self.results.iter().copied();
        results.find(|result| result.metric.is_main())
    }

    /// Its wall time in nanoseconds.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn wall_time(&self) -> Result<(&'r CaseResult, Interval), Omitted> {
        let main = self.main().ok_or_else(|| self.omitted("no result"))?;
        match interval(main) {
            _ if main.metric != Metric::Time => Err(self.omitted("not measured in wall time")),
            Some(time) => Ok((main, time)),
            None => Err(self.omitted(&absence(main))),
        }
    }

    /// The figures of all metrics.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn figures(&self) -> Result<Vec<(&'r CaseResult, Interval)>, Omitted> {
        let figures: Vec<_> = self
            .results
            .iter()
            .copied()
            .filter_map(|result| Some((result, interval(result)?)))
            .collect();
        if figures.is_empty() {
            let why = self.main().map_or_else(|| "no result".to_owned(), absence);
            return Err(self.omitted(&why));
        }
        Ok(figures)
    }

    /// The launches that count: the estimate of each in the unit of the main result, in the order of time. Empty for
    /// a record without samples.
    pub(super) fn launches(&self) -> Vec<f64> {
        let mut launches: Vec<LaunchSamples> = self.samples.iter().copied().cloned().collect();
        launches.sort_by_key(|launch| (launch.started_unix_ns, launch.launch));
        let Some(rules) = Rules::of(&self.run.header) else {
            return Vec::new();
        };
        let uses = used(&launches, &rules).into_iter();
        let counted = uses.filter(|launch| matches!(launch.usage, Usage::Used { .. }));
        counted.filter_map(|launch| launch.estimate).collect()
    }

    pub(super) fn omitted(&self, why: &str) -> Omitted {
        Omitted {
            case: self.case.id.clone(),
            why: why.to_owned(),
        }
    }
}

/// The figure of a result; `None` where there is none.
pub(super) fn interval(result: &CaseResult) -> Option<Interval> {
    Some(Interval {
        value: result.estimate.ok()?,
        lower: result.lower,
        upper: result.upper,
    })
}

/// The name of a metric; that of a number of the body has a prefix, which no metric of Tourbillon has.
pub(super) fn metric_name(result: &CaseResult) -> String {
    match &result.own {
        Some(own) => format!("own-{}", own.name),
        None => result.metric.name().to_owned(),
    }
}

/// Why a result has no figure, in words.
fn absence(result: &CaseResult) -> String {
    let absence = result.estimate.err().map_or("no figure", |why| why.name());
    absence.replace('_', " ")
}

/// What is processed in a second, and its unit: the faster, the more.
pub(super) fn rate(main: &CaseResult, time: Interval) -> Option<(Interval, ThroughputUnit)> {
    let throughput = main.throughput.filter(|throughput| throughput.per_op > 0)?;
    let rate = |ns: f64| {
        let rate = throughput.per_op as f64 * 1e9 / ns;
        (ns > 0.0 && rate.is_finite()).then_some(rate)
    };
    let rate = Interval {
        value: rate(time.value)?,
        lower: time.upper.and_then(rate),
        upper: time.lower.and_then(rate),
    };
    Some((rate, throughput.unit))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Throughput;

    use super::*;

    #[test]
    fn a_rate_is_a_number() {
        let main = CaseResult {
            throughput: Some(Throughput {
                unit: ThroughputUnit::Bytes,
                per_op: 1 << 60,
            }),
            ..CaseResult::default()
        };
        let of = |value, lower, upper| {
            let (lower, upper) = (Some(lower), Some(upper));
            let time = Interval {
                value,
                lower,
                upper,
            };
            rate(&main, time).map(|(rate, _)| [rate.lower, Some(rate.value), rate.upper])
        };
        let whole = (1_u64 << 60) as f64 * 1e9;
        let rates = [0.25, 1.0].map(|part| Some(whole * part));
        assert_eq!(of(1.0, 1e-300, 4.0), Some([rates[0], rates[1], None]));
        assert_eq!(of(1.0, 0.0, 4.0), Some([rates[0], rates[1], None]));
        assert_eq!(of(1e-300, 1e-301, 4.0), None);
    }
}
