//! From the processes of a command to its results: method `processes-1`.
//!
//! ```text
//! value    = what one process took; every process is a launch, but those of contended rounds, if at most half are
//! estimate = median of the values; interval = their order statistics +- the clock's bound (times on the clock)
//! user and kernel time: estimate = mean of the values, without an interval
//! ```
//!
//! Most systems divide processor time into its two parts by samples, some milliseconds apart: a short process has
//! all of it in one part. The mean of many is right, their median is not.

use tourbillon_analysis::{Frequency, went_backwards};
use tourbillon_record::{Absence, CaseResult, Metric, Processes, Rounds, Scope};
use tourbillon_stats::{Confidence, Sample, mad, mean, median, median_interval, stddev};

/// Name and version of the method by which results are made from the processes of commands.
const PROCESSES: &str = "processes-1";

/// What is reported of a command, in the order of the record.
const METRICS: [Metric; 7] = [
    Metric::Time,
    Metric::CpuTime,
    Metric::UserTime,
    Metric::KernelTime,
    Metric::PeakMemory,
    Metric::PageFaults,
    Metric::Switches,
];

/// Makes the results of the command of an arm: wall time, processor times, peak memory, page faults and context
/// switches of a process. Without a process, one result without an estimate.
///
/// Nothing is subtracted. An interval has the requested confidence; with too few processes for it there is none.
pub fn estimate(
    rounds: &Rounds,
    arm: usize,
    confidence: Confidence,
    frequency: &Frequency,
) -> Vec<CaseResult> {
    let case = rounds.cases.get(arm).map_or("", String::as_str);
    let is_own = |at: &usize| usize::from(rounds.arm[*at]) == arm && is_usable(rounds, *at);
    let own: Vec<usize> = (0..rounds.arm.len()).filter(is_own).collect();
    let ticks = own.iter().map(|at| rounds.ticks[*at]);
    let elapsed_ns = ticks.sum::<u64>() as f64 * frequency.nanos_per_tick();
    let result = |metric| {
        let values = own.iter().map(|at| value(rounds, metric, *at, frequency));
        let values = Sample::new(values.collect::<Option<Vec<f64>>>()?).ok()?;
        let count = own.len() as u64;
        let is_sampled = matches!(metric, Metric::UserTime | Metric::KernelTime);
        let estimate = if is_sampled {
            mean(&values)
        } else {
            median(&values)
        };
        let systematic = match metric {
            Metric::Time => frequency.relative_error() * estimate,
            _ => 0.0,
        };
        let interval = median_interval(&values, confidence)
            .ok()
            .filter(|_| !is_sampled);
        Some(CaseResult {
            estimate: Ok(estimate),
            lower: interval.map(|interval| (interval.lower - systematic).max(0.0)),
            upper: interval.map(|interval| interval.upper + systematic),
            confidence: interval.map(|interval| interval.confidence),
            scope: match interval {
                Some(_) => Scope::Processes,
                None => Scope::Process,
            },
            systematic,
            launches: own.len() as u32,
            samples: count,
            mean: Some(mean(&values)),
            stddev: stddev(&values),
            mad: Some(mad(&values)),
            ops: count,
            iterations: count,
            elapsed_ns,
            ..CaseResult::without_figures(case, metric, PROCESSES)
        })
    };
    let results: Vec<CaseResult> = METRICS.into_iter().filter_map(result).collect();
    if results.is_empty() {
        vec![CaseResult {
            estimate: Err(Absence::NotReached),
            ..CaseResult::without_figures(case, Metric::Time, PROCESSES)
        }]
    } else {
        results
    }
}

/// Whether a batch has a reading, and its round was not contended, unless most were.
fn is_usable(rounds: &Rounds, at: usize) -> bool {
    let ticks = rounds.ticks.get(at).copied().unwrap_or(0);
    let processes = rounds.processes.as_deref();
    let is_discarded =
        processes.is_some_and(|all| all.discarded().get(at).is_some_and(|one| *one != 0));
    ticks > 0 && !went_backwards(ticks) && !is_discarded
}

/// What a process took, in the unit of the metric; `None` where it is not known.
fn value(rounds: &Rounds, metric: Metric, at: usize, frequency: &Frequency) -> Option<f64> {
    if metric == Metric::Time {
        return Some(*rounds.ticks.get(at)? as f64 * frequency.nanos_per_tick());
    }
    let processes = rounds.processes.as_deref()?;
    let (columns, factor) = columns(processes, metric)?;
    let mut sum = 0.0;
    for column in columns {
        sum += *column.get(at)? as f64;
    }
    // No process has a peak of 0 bytes: the system does not tell it.
    let is_known = metric != Metric::PeakMemory || sum > 0.0;
    is_known.then_some(sum * factor)
}

/// The columns that a metric is the sum of, and its unit in theirs.
fn columns(processes: &Processes, metric: Metric) -> Option<(Vec<&[u64]>, f64)> {
    let Processes {
        user_us, kernel_us, ..
    } = processes;
    Some(match metric {
        Metric::CpuTime => (vec![user_us, kernel_us], 1e3),
        Metric::UserTime => (vec![user_us], 1e3),
        Metric::KernelTime => (vec![kernel_us], 1e3),
        Metric::PeakMemory => (vec![&processes.peak_bytes], 1.0),
        Metric::PageFaults => (vec![&processes.minor_faults, &processes.major_faults], 1.0),
        Metric::Switches => (
            vec![
                &processes.voluntary_switches,
                &processes.involuntary_switches,
            ],
            1.0,
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;

    const GIGAHERTZ: Frequency = Frequency {
        numerator: NonZeroU64::new(1_000_000_000).unwrap(),
        denominator: NonZeroU64::MIN,
        error_ppm: Some(100.0),
    };

    /// Nine rounds of two commands; the second takes twice as long.
    fn rounds() -> Rounds {
        let mut rounds = Rounds {
            cases: vec!["a".into(), "b".into()],
            ..Rounds::default()
        };
        let mut processes = Processes::default();
        for round in 0..9 {
            for arm in 0..2_u64 {
                let factor = arm + 1;
                rounds.round.push(round);
                rounds.arm.push(arm as u8);
                rounds.ticks.push(factor * (1_000_000 + 1_000 * round));
                processes.user_us.push(factor * 700);
                processes.kernel_us.push(factor * 300);
                processes.peak_bytes.push(factor << 20);
                processes.minor_faults.push(100);
                processes.major_faults.push(arm);
                processes.voluntary_switches.push(1);
                processes.involuntary_switches.push(round % 2);
                processes.exit_codes.push(0);
            }
        }
        rounds.processes = Some(Box::new(processes));
        rounds
    }

    fn result(rounds: &Rounds, arm: usize, metric: Metric) -> Option<CaseResult> {
        let results = estimate(rounds, arm, Confidence::P99, &GIGAHERTZ);
        results.into_iter().find(|result| result.metric == metric)
    }

    #[test]
    fn every_process_is_a_launch() {
        let time = result(&rounds(), 1, Metric::Time).unwrap();
        assert_eq!(time.case, "b");
        assert_eq!(time.estimate, Ok(2_008_000.0));
        assert_eq!((time.launches, time.ops), (9, 9));
        assert_eq!(time.scope, Scope::Processes);
        // The extremes of nine, widened by 100 ppm.
        let ends = (time.lower.unwrap(), time.upper.unwrap());
        assert!((ends.0 - (2_000_000.0 - 200.8)).abs() < 1e-6, "{ends:?}");
        assert!((ends.1 - (2_016_000.0 + 200.8)).abs() < 1e-6, "{ends:?}");
    }

    #[test]
    fn each_metric_has_its_columns_and_its_unit() {
        for (metric, expected) in [
            (Metric::CpuTime, 2e6),
            (Metric::UserTime, 1.4e6),
            (Metric::KernelTime, 0.6e6),
            (Metric::PeakMemory, 2_097_152.0),
            (Metric::PageFaults, 101.0),
            (Metric::Switches, 1.0),
        ] {
            let found = result(&rounds(), 1, metric).unwrap();
            assert_eq!(found.estimate, Ok(expected), "{metric:?}");
            assert!(found.systematic.abs() < f64::EPSILON);
        }
    }

    #[test]
    fn parts_that_are_sampled_are_averaged() {
        let mut sampled = rounds();
        let processes = sampled.processes.as_mut().unwrap();
        // Of the nine processes of each command, one has all of its time in the kernel.
        processes.user_us = [vec![1_000; 16], vec![0; 2]].concat();
        processes.kernel_us = [vec![0; 16], vec![1_000; 2]].concat();
        let user = result(&sampled, 0, Metric::UserTime).unwrap();
        let kernel = result(&sampled, 0, Metric::KernelTime).unwrap();
        assert!((user.estimate.unwrap() - 1e6 * 8.0 / 9.0).abs() < 1e-6);
        assert!((kernel.estimate.unwrap() - 1e6 / 9.0).abs() < 1e-6);
        assert_eq!((kernel.lower, kernel.scope), (None, Scope::Process));
        assert_eq!(
            result(&sampled, 0, Metric::CpuTime).unwrap().estimate,
            Ok(1e6)
        );
    }

    #[test]
    fn too_few_processes_have_no_interval() {
        let mut few = rounds();
        few.round.truncate(14);
        few.arm.truncate(14);
        few.ticks.truncate(14);
        let time = result(&few, 0, Metric::Time).unwrap();
        assert_eq!((time.launches, time.lower, time.upper), (7, None, None));
        assert_eq!(time.scope, Scope::Process);
    }

    #[test]
    fn what_was_not_counted_is_absent() {
        let mut uncounted = rounds();
        uncounted.processes = None;
        assert!(result(&uncounted, 0, Metric::Time).is_some());
        assert_eq!(result(&uncounted, 0, Metric::PeakMemory), None);
        let mut without_peaks = rounds();
        let processes = without_peaks.processes.as_mut().expect("they were counted");
        processes.peak_bytes.fill(0);
        assert_eq!(result(&without_peaks, 0, Metric::PeakMemory), None);
        assert!(result(&without_peaks, 0, Metric::CpuTime).is_some());
        let none = estimate(&Rounds::default(), 0, Confidence::P99, &GIGAHERTZ);
        assert_eq!(none.len(), 1);
        assert_eq!(none[0].estimate, Err(Absence::NotReached));
    }
}
