//! Real runs, repeated: how often their intervals contain what all of them together say of the code.

use std::fmt::Write;
use std::slice;

use tourbillon_analysis::{Frequency, Rules, Tally, contended, estimate};
use tourbillon_record::{CaseResult, LaunchSamples, Run, Scope};
use tourbillon_stats::{Confidence, Sample, median};

use crate::{Claim, Proportion, Table, quantile};

/// The result of one run of one case in one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// When the run began, in seconds since the Unix epoch.
    pub started: u64,
    /// Identity of the case.
    pub case: String,
    /// `time` or `cycles`.
    pub metric: String,
    /// The interval of the run.
    pub interval: (f64, f64),
    /// The interval that its first process alone would have.
    pub one_process: (f64, f64),
    /// The estimates of its launches that were not contended.
    pub launches: Vec<f64>,
}

/// The readings of a run, from its samples, without those of cases that have no interval across processes.
///
/// # Errors
///
/// When the record has no frequency of its clock.
pub fn readings(run: &Run) -> Result<Vec<Reading>, String> {
    let frequency = Frequency::of(&run.header.clock)
        .ok_or("the record has no frequency of its clock; measure again")?;
    let rules = Rules {
        frequency,
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    let mut readings = Vec::new();
    for case in &run.cases {
        let of_case = |launch: &&LaunchSamples| launch.case == case.id;
        let launches: Vec<LaunchSamples> = run.launches.iter().filter(of_case).cloned().collect();
        let contended = contended(&launches);
        let whole = estimate(&case.id, &launches, &Tally::default(), &rules);
        let alone: Vec<Vec<CaseResult>> = launches
            .iter()
            .map(|launch| estimate(&case.id, slice::from_ref(launch), &Tally::default(), &rules))
            .collect();
        for result in whole {
            let Some(interval) = result.lower.zip(result.upper) else {
                continue;
            };
            let mut launches = Vec::new();
            let mut one_process = None;
            for (alone, contended) in alone.iter().zip(&contended) {
                let Some(alone) = alone.iter().find(|alone| alone.metric == result.metric) else {
                    continue;
                };
                one_process = one_process.or(alone.lower.zip(alone.upper));
                launches.extend(alone.estimate.ok().filter(|_| !contended));
            }
            let Some(one_process) = one_process.filter(|_| result.scope == Scope::Processes) else {
                continue;
            };
            readings.push(Reading {
                started: run.header.started_unix_ns / 1_000_000_000,
                case: case.id.clone(),
                metric: result.metric.name().to_owned(),
                interval,
                one_process,
                launches,
            });
        }
    }
    Ok(readings)
}

/// A reading as a line of a log: values between tabs, the launches at the end.
pub fn line(reading: &Reading) -> String {
    let Reading {
        started,
        case,
        metric,
        interval,
        one_process,
        launches,
    } = reading;
    let mut line = format!(
        "{started}\t{case}\t{metric}\t{}\t{}\t{}\t{}",
        interval.0, interval.1, one_process.0, one_process.1
    );
    for launch in launches {
        // Writing to a text cannot fail.
        let _ = write!(line, "\t{launch}");
    }
    line.push('\n');
    line
}

/// The readings of a log. A line that is not whole is skipped: the script was stopped while it was written.
pub fn parse(log: &str) -> Vec<Reading> {
    let whole = log.rfind('\n').map_or("", |end| &log[..end]);
    let reading = |line: &str| {
        let mut fields = line.split('\t');
        let (started, case) = (fields.next()?.parse().ok()?, fields.next()?.to_owned());
        let metric = fields.next()?.to_owned();
        let numbers: Vec<f64> = fields.map(str::parse).collect::<Result<_, _>>().ok()?;
        let [lower, upper, one_lower, one_upper, launches @ ..] = &numbers[..] else {
            return None;
        };
        Some(Reading {
            started,
            case,
            metric,
            interval: (*lower, *upper),
            one_process: (*one_lower, *one_upper),
            launches: launches.to_vec(),
        })
    };
    whole.lines().filter_map(reading).collect()
}

/// How often the intervals of the runs contain the median of all their launches that were not contended.
pub fn real_coverage(log: &[Reading]) -> Table {
    let times = || log.iter().map(|reading| reading.started);
    let span = times().max().unwrap_or(0) - times().min().unwrap_or(0);
    let mut table = Table::new(
        &format!(
            "Real runs over {} minutes: how often their interval at 99 % contains the median of all quiet launches",
            span / 60
        ),
        &[
            "case",
            "runs",
            "median of all quiet",
            "covered",
            "half-width",
            "one process covered",
            "half-width",
        ],
    );
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for reading in log {
        let key = (reading.metric.as_str(), reading.case.as_str());
        if !seen.contains(&key) {
            seen.push(key);
        }
    }
    seen.sort_unstable();
    for (metric, case) in seen {
        let own: Vec<&Reading> = log
            .iter()
            .filter(|reading| (reading.metric.as_str(), reading.case.as_str()) == (metric, case))
            .collect();
        let launches = own
            .iter()
            .flat_map(|reading| reading.launches.iter().copied());
        let Ok(launches) = Sample::new(launches.collect()) else {
            continue;
        };
        let reference = median(&launches);
        let covers = |(lower, upper): (f64, f64)| lower <= reference && reference <= upper;
        let half_width = |intervals: Vec<(f64, f64)>| {
            let widths = intervals.into_iter().map(|(lower, upper)| upper - lower);
            format!("{:.3} %", 50.0 * quantile(widths, 0.5) / reference)
        };
        table.row(&format!("{case}, {metric}"));
        table.text(own.len().to_string());
        table.text(format!("{reference:.3}"));
        let of_runs: Vec<(f64, f64)> = own.iter().map(|reading| reading.interval).collect();
        let of_one: Vec<(f64, f64)> = own.iter().map(|reading| reading.one_process).collect();
        for intervals in [of_runs, of_one] {
            table.share(
                Proportion::count(intervals.iter().map(|interval| covers(*interval))),
                Claim::Shown { upper: false },
            );
            table.text(half_width(intervals));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(started: u64, interval: (f64, f64), launches: &[f64]) -> Reading {
        Reading {
            started,
            case: "a/b::c[n=1]".to_owned(),
            metric: "cycles".to_owned(),
            interval,
            one_process: (0.1, 0.2),
            launches: launches.to_vec(),
        }
    }

    #[test]
    fn lines_come_back_and_torn_ones_do_not() {
        let readings = [
            reading(5, (1.5, 2.5), &[1.0, 2.0]),
            reading(9, (0.1, 3.0), &[]),
        ];
        let mut log: String = readings.iter().map(line).collect();
        assert_eq!(parse(&log), readings);
        log.push_str(&line(&readings[0])[..20]);
        assert_eq!(parse(&log), readings);
        assert_eq!(parse("nonsense\n5\tcase\ttime\t1\n"), []);
    }

    #[test]
    fn the_median_of_all_launches_is_what_is_to_be_covered() {
        let log = [
            reading(0, (1.0, 3.0), &[1.0, 2.0, 2.5]),
            reading(180, (2.4, 3.0), &[2.0, 9.0]),
            reading(90, (2.4, 3.0), &[]),
        ];
        let table = real_coverage(&log).to_string();
        assert!(table.contains("over 3 minutes"), "{table}");
        assert!(table.contains("| 3 | 2.000 | 33.3 %"), "{table}");
    }
}
