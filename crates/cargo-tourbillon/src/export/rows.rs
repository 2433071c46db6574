//! The rows of an export: every figure of every case, which each format writes in its own words.

use std::collections::HashSet;

use tourbillon_analysis::{Rules, Usage, used};
use tourbillon_commands::CommandRuns;
use tourbillon_present::figure::per_second;
use tourbillon_record::{ByCase, Case, CaseResult, LaunchSamples, Metric, Run, ThroughputUnit};
use tourbillon_report::{CaseResults, escape};

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

/// A case that is not in an export, or a measure of one.
#[derive(Debug, PartialEq)]
pub(crate) struct Omitted {
    pub(super) case: String,
    /// The measure, of a case that is in it.
    pub(super) measure: Option<String>,
    pub(super) why: String,
}

/// A figure of a case in a metric, with its interval.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row<'r> {
    pub(super) result: &'r CaseResult,
    /// The name of the metric; that of a number of the body has a prefix, which no metric of Tourbillon has.
    pub(super) metric: String,
    pub(super) unit: String,
    /// What is processed in a second, in place of the time of an op: the faster, the more.
    pub(super) rate: Option<ThroughputUnit>,
    pub(super) value: f64,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
}

impl<'r> Row<'r> {
    /// The figure of a result; `None` where there is none.
    fn of(result: &'r CaseResult) -> Option<Row<'r>> {
        Some(Row {
            result,
            metric: match &result.own {
                Some(own) => format!("own-{}", own.name),
                None => result.metric.name().to_owned(),
            },
            unit: result.unit().to_owned(),
            rate: None,
            value: result.estimate.ok()?,
            lower: result.lower,
            upper: result.upper,
        })
    }

    /// The rate of a wall time; `None` where nothing is known to be processed.
    fn of_rate(time: &Row<'r>) -> Option<Row<'r>> {
        let throughput = time.result.throughput?;
        let rate = |ns: f64| per_second(ns, throughput);
        Some(Row {
            metric: "throughput".to_owned(),
            unit: format!("{}/s", throughput.unit.name()),
            rate: Some(throughput.unit),
            value: rate(time.value)?,
            lower: time.upper.and_then(rate),
            upper: time.lower.and_then(rate),
            ..time.clone()
        })
    }

    pub(super) fn is_time(&self) -> bool {
        self.result.metric == Metric::Time && self.rate.is_none()
    }

    pub(super) fn more_is_better(&self) -> bool {
        self.rate.is_some() || self.result.more_is_better()
    }

    /// The value and the ends of its interval, as far as they are known, with what each is called.
    pub(super) fn ends(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let ends = [("lower", self.lower), ("upper", self.upper)];
        ends.into_iter()
            .filter_map(|(name, end)| Some((name, end?)))
    }
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
    let results = CaseResults::of(&run.results);
    let samples = ByCase::of(run.launches.iter().map(|launch| (&*launch.case, launch)));
    let mut runs = CommandRuns::all(run);
    run.cases.iter().map(move |case| ExportedCase {
        run,
        case,
        results: results.case(&case.id).to_vec(),
        samples: samples.case(&case.id).to_vec(),
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
    pub(super) fn wall_time(&self) -> Result<Row<'r>, Omitted> {
        let main = self.main().ok_or_else(|| self.omitted("no result"))?;
        match Row::of(main) {
            _ if main.metric != Metric::Time => Err(self.omitted("not measured in wall time")),
            Some(time) => Ok(time),
            None => Err(self.omitted(&absence(main))),
        }
    }

    /// The figures of all metrics, a rate after its time.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn rows(&self) -> Result<Vec<Row<'r>>, Omitted> {
        let mut rows = Vec::new();
        for row in self.results.iter().copied().filter_map(Row::of) {
            let rate = Some(&row)
                .filter(|row| row.is_time())
                .and_then(Row::of_rate);
            rows.push(row);
            rows.extend(rate);
        }
        if rows.is_empty() {
            let why = self.main().map_or_else(|| "no result".to_owned(), absence);
            return Err(self.omitted(&why));
        }
        Ok(rows)
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
            measure: None,
            why: why.to_owned(),
        }
    }

    pub(super) fn omitted_measure(&self, measure: &str, why: &str) -> Omitted {
        Omitted {
            measure: Some(measure.to_owned()),
            ..self.omitted(why)
        }
    }
}

/// Why a result has no figure, in words.
fn absence(result: &CaseResult) -> String {
    let absence = result.estimate.err().map_or("no figure", |why| why.name());
    absence.replace('_', " ")
}

/// What a format makes of each case; the cases that it cannot hold are added to those that are `omitted`.
pub(super) fn entries<'c, 'r, T>(
    cases: &'c [ExportedCase<'r>],
    omitted: &mut Vec<Omitted>,
    mut of_case: impl FnMut(&'c ExportedCase<'r>) -> Result<T, Omitted>,
) -> Vec<T> {
    let mut entries = Vec::new();
    for case in cases {
        match of_case(case) {
            Ok(entry) => entries.push(entry),
            Err(why) => omitted.push(why),
        }
    }
    entries
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
            estimate: Ok(1.0),
            ..CaseResult::default()
        };
        let of = |value, lower, upper| {
            let time = Row {
                value,
                lower: Some(lower),
                upper: Some(upper),
                ..Row::of(&main)?
            };
            Row::of_rate(&time).map(|rate| [rate.lower, Some(rate.value), rate.upper])
        };
        let whole = (1_u64 << 60) as f64 * 1e9;
        let rates = [0.25, 1.0].map(|part| Some(whole * part));
        assert_eq!(of(1.0, 1e-300, 4.0), Some([rates[0], rates[1], None]));
        assert_eq!(of(1.0, 0.0, 4.0), Some([rates[0], rates[1], None]));
        assert_eq!(of(1e-300, 1e-301, 4.0), None);
    }
}
