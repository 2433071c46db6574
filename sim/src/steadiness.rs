//! Real runs, repeated: how far apart their estimates are in nanoseconds and in cycles.

use tourbillon_stats::{Sample, mad, median};

use crate::{Reading, Table};

/// How far the estimates of the runs of a case are apart in one metric, as fractions of their median.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    runs: usize,
    centre: f64,
    range: f64,
    mad: f64,
}

impl Spread {
    /// Of the medians of each run's launches.
    fn of(log: &[Reading], case: &str, metric: &str) -> Option<Spread> {
        let mut estimates = Vec::new();
        for reading in log {
            // All launches of a run may have been contended.
            if reading.case == case
                && reading.metric == metric
                && let Ok(launches) = Sample::new(reading.launches.clone())
            {
                estimates.push(median(&launches));
            }
        }
        let estimates = Sample::new(estimates).ok()?;
        let centre = median(&estimates);
        Some(Spread {
            runs: estimates.len(),
            centre,
            range: (estimates.max() - estimates.min()) / centre,
            mad: mad(&estimates) / centre,
        })
    }
}

/// For each case of a log that has both, how far its estimates in nanoseconds and those in cycles are apart
/// from run to run, and how many times farther the nanoseconds are.
pub fn steadiness(log: &[Reading]) -> Table {
    let times = || log.iter().map(|reading| reading.started);
    let span = times().max().unwrap_or(0) - times().min().unwrap_or(0);
    let mut table = Table::new(
        &format!("Estimates of runs over {} minutes", span / 60),
        &[
            "case",
            "runs",
            "ns",
            "range",
            "MAD",
            "cycles",
            "range",
            "MAD",
            "range of ns / of cycles",
            "MAD of ns / of cycles",
        ],
    );
    let mut cases: Vec<&str> = log.iter().map(|reading| reading.case.as_str()).collect();
    cases.sort_unstable();
    cases.dedup();
    for case in cases {
        let spreads = Spread::of(log, case, "time").zip(Spread::of(log, case, "cycles"));
        let Some((time, cycles)) = spreads else {
            continue;
        };
        table.row(case);
        table.text(time.runs.to_string());
        for spread in [time, cycles] {
            table.text(format!("{:.2}", spread.centre));
            table.text(format!("{:.2} %", 100.0 * spread.range));
            table.text(format!("{:.2} %", 100.0 * spread.mad));
        }
        table.text(format!("{:.1}", time.range / cycles.range));
        table.text(format!("{:.1}", time.mad / cycles.mad));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_farther_apart_in_nanoseconds_shows_by_how_much() {
        let reading = |started, metric: &str, launches: [f64; 3]| Reading {
            started,
            case: "a/b::c".to_owned(),
            metric: metric.to_owned(),
            interval: (0.0, 0.0),
            one_process: (0.0, 0.0),
            launches: launches.to_vec(),
        };
        let mut log = Vec::new();
        for metric in ["time", "cycles"] {
            let mut contended = reading(30, metric, [1.0; 3]);
            contended.launches.clear();
            log.push(contended);
        }
        for (started, time, cycles) in [(0, 90.0, 396.0), (90, 100.0, 400.0), (150, 120.0, 408.0)] {
            // One slow launch does not move a run's estimate.
            log.push(reading(started, "time", [time, 0.9 * time, 9.0 * time]));
            log.push(reading(
                started,
                "cycles",
                [cycles, 9.0 * cycles, 0.9 * cycles],
            ));
        }
        let row =
            "| a/b::c | 3 | 100.00 | 30.00 % | 10.00 % | 400.00 | 3.00 % | 1.00 % | 10.0 | 10.0 |";
        let table = steadiness(&log).to_string();
        assert!(table.contains("over 2 minutes"), "{table}");
        assert!(table.contains(row), "{table}");
        assert!(!table.contains("repeats a cell"), "{table}");
        // Nothing to hold it against.
        log.retain(|reading| reading.metric == "time");
        assert!(!steadiness(&log).to_string().contains("a/b"));
    }
}
