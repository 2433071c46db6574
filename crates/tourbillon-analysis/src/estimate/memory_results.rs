//! From the memory launches of a case to its results.

use tourbillon_record::{Absence, CaseResult, Counted, Memory, Metric, Scope};

/// Name and version of the method by which results are made from memory launches.
pub const COUNTED: &str = "counted-1";

/// What is made of memory launches, in the order of the record.
const METRICS: [Metric; 5] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Peak,
    Metric::Kept,
    Metric::Moved,
];

/// Iterations of rows in which each iteration was counted by itself: see `count` of the engine.
const ONE_BY_ONE: u64 = 16;

/// Makes the results of a case from its memory launches: requests for memory, bytes allocated, kept and moved
/// per op, and the peak of an op. None where nothing was counted.
///
/// The steady state is that of the longest rows of each launch, or of the first call where that is the only
/// row. Peaks are those of rows in which every iteration is by itself. A figure is exact when all launches
/// counted the same in these rows; otherwise its ends are the least and the most of any row. Of a single
/// launch, rows that agree per op are exact as far as this process can tell.
///
/// The resolution is the distance between rows of different lengths, per op: growth that comes once in
/// many ops falls into a row one time more or less. Runs that counted other numbers of ops cannot show smaller
/// differences.
pub fn counted(case: &str, launches: &[Memory]) -> Vec<CaseResult> {
    let result = |metric| result(case, metric, launches);
    METRICS.into_iter().filter_map(result).collect()
}

fn result(case: &str, metric: Metric, launches: &[Memory]) -> Option<CaseResult> {
    let counts = launches
        .iter()
        .map(|launch| LaunchCounts::of(launch, metric));
    let counts: Vec<LaunchCounts> = counts.collect::<Option<_>>()?;
    let first = counts.first()?;
    let is_exact = counts.len() > 1 && counts.iter().all(|one| one.values == first.values);
    let most = counts
        .iter()
        .map(|one| one.most)
        .fold(f64::NEG_INFINITY, f64::max);
    let least = counts
        .iter()
        .map(|one| one.least)
        .fold(f64::INFINITY, f64::min);
    let distances = counts.iter().map(|one| one.most - one.least);
    let totals = counts.iter().map(|one| one.total);
    let total = totals.fold(0, i64::saturating_add);
    let ops = tourbillon_record::total(counts.iter().map(|one| one.ops));
    let estimate = match metric {
        // Never divided: the highest of all.
        Metric::Peak => most,
        _ => total as f64 / ops as f64,
    };
    let (lower, upper) = if is_exact {
        (estimate, estimate)
    } else {
        (least, most)
    };
    Some(CaseResult {
        estimate: if estimate.is_finite() {
            Ok(estimate)
        } else {
            Err(Absence::Failed)
        },
        lower: Some(lower),
        upper: Some(upper),
        scope: if counts.len() > 1 {
            Scope::Processes
        } else {
            Scope::Process
        },
        launches: counts.len() as u32,
        samples: counts.iter().map(|one| one.rows).sum(),
        first_call: Some(first.first_call as f64),
        resolution: Some(distances.fold(f64::NEG_INFINITY, f64::max)),
        ops,
        iterations: ops / launches[0].ops_per_iteration.max(1),
        ..CaseResult::without_figures(case, metric, COUNTED)
    })
}

/// What one launch counted in a metric, in the rows that count.
struct LaunchCounts {
    /// Row by row; of peaks, the highest row alone.
    values: Vec<i64>,
    total: i64,
    ops: u64,
    rows: u64,
    /// Per op, the least and the most of a row; of peaks, the highest row twice.
    least: f64,
    most: f64,
    first_call: i64,
}

impl LaunchCounts {
    /// `None` where nothing was counted.
    fn of(launch: &Memory, metric: Metric) -> Option<LaunchCounts> {
        let counts = launch.counts.as_ref().ok()?;
        let is_peak = metric == Metric::Peak;
        let rows = if is_peak {
            // The peaks of iterations that are alive together add up.
            rows(launch, |iterations| iterations <= ONE_BY_ONE)
        } else {
            steady_rows(launch)
        };
        let mut found = LaunchCounts {
            values: Vec::new(),
            total: 0,
            ops: 0,
            rows: rows.len() as u64,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            first_call: value(counts, metric, 0),
        };
        for row in rows {
            let value = value(counts, metric, row);
            let ops = launch.iterations[row].saturating_mul(launch.ops_per_iteration);
            let per_op = value as f64 / if is_peak { 1.0 } else { ops as f64 };
            found.values.push(value);
            found.total = found.total.saturating_add(value);
            found.ops = found.ops.saturating_add(ops);
            found.least = found.least.min(per_op);
            found.most = found.most.max(per_op);
        }
        if is_peak {
            // Which of the iterations has the peak does not matter.
            found.least = found.most;
            found.values = vec![found.most as i64];
        }
        (found.ops > 0).then_some(found)
    }
}

/// The rows of a memory launch in the steady state: the longest ones, or the first call where that is the only
/// row.
pub fn steady_rows(launch: &Memory) -> Vec<usize> {
    let longest = launch.iterations.iter().skip(1).max().copied().unwrap_or(0);
    rows(launch, |iterations| iterations.saturating_mul(2) >= longest)
}

/// Rows of this many iterations, without the first call unless that is the only row.
fn rows(launch: &Memory, is_wanted: impl Fn(u64) -> bool) -> Vec<usize> {
    let iterations = &launch.iterations;
    let from = usize::from(iterations.len() > 1);
    let rows = from..iterations.len();
    rows.filter(|row| is_wanted(iterations[*row])).collect()
}

fn value(counts: &Counted, metric: Metric, row: usize) -> i64 {
    let count = match metric {
        Metric::Bytes => counts.allocated_bytes[row],
        Metric::Peak => counts.peak_bytes[row],
        Metric::Moved => counts.copied_bytes[row],
        Metric::Kept => return counts.kept_bytes(row),
        _ => counts.requests(row),
    };
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A launch with these rows: iterations, allocations, peak.
    fn launch(rows: &[(u64, u64, u64)]) -> Memory {
        let zeroes = vec![0; rows.len()];
        let column = |of: fn(&(u64, u64, u64)) -> u64| rows.iter().map(of).collect::<Vec<u64>>();
        Memory {
            case: "c".to_owned(),
            launch: 0,
            seed: 0,
            pid: 0,
            started_unix_ns: 0,
            arm: None,
            terminal: "iter".to_owned(),
            drop_inside: false,
            ops_per_iteration: 1,
            iterations: column(|row| row.0),
            counts: Ok(Counted {
                allocs: column(|row| row.1),
                frees: zeroes.clone(),
                reallocs_in_place: zeroes.clone(),
                reallocs_moved: zeroes.clone(),
                allocated_bytes: column(|row| row.1 * 64),
                freed_bytes: column(|row| row.1 * 96),
                copied_bytes: zeroes.clone(),
                peak_bytes: column(|row| row.2),
                requests_elsewhere: zeroes,
            }),
            resident: Err(String::new()),
            launch_ns: 0,
            unknown: String::new(),
        }
    }

    fn figures(launches: &[Memory], metric: Metric) -> (f64, f64, f64, Option<f64>) {
        let results = counted("c", launches);
        let result = results.iter().find(|one| one.metric == metric).unwrap();
        let ends = (result.lower.unwrap(), result.upper.unwrap());
        (result.estimate.unwrap(), ends.0, ends.1, result.first_call)
    }

    #[test]
    fn growth_in_one_of_eight_calls_is_an_eighth() {
        // The first call and the short rows do not match the growth.
        let one = launch(&[
            (1, 5, 900),
            (1, 0, 0),
            (1, 1, 64),
            (16, 3, 64),
            (64, 8, 64),
            (128, 16, 128),
        ]);
        let both = [one.clone(), one];
        assert_eq!(
            figures(&both, Metric::Allocs),
            (0.125, 0.125, 0.125, Some(5.0))
        );
        assert_eq!(figures(&both, Metric::Bytes), (8.0, 8.0, 8.0, Some(320.0)));
        assert_eq!(
            figures(&both, Metric::Peak),
            (64.0, 64.0, 64.0, Some(900.0))
        );
        // More is given back than taken.
        assert_eq!(
            figures(&both, Metric::Kept),
            (-4.0, -4.0, -4.0, Some(-160.0))
        );
        assert_eq!(figures(&both, Metric::Moved), (0.0, 0.0, 0.0, Some(0.0)));
        let results = counted("c", &both);
        assert_eq!((results[0].ops, results[0].samples), (384, 4));
        assert_eq!(results[0].resolution, Some(0.0));
        assert_eq!(results[0].scope, Scope::Processes);
    }

    #[test]
    fn counts_that_are_not_the_same_again_have_a_range() {
        let one = launch(&[
            (1, 1, 8),
            (1, 1, 8),
            (16, 16, 8),
            (64, 64, 8),
            (128, 128, 8),
        ]);
        let two = launch(&[
            (1, 1, 8),
            (1, 1, 8),
            (16, 16, 9),
            (64, 96, 9),
            (128, 128, 9),
        ]);
        let both = [one.clone(), two];
        assert_eq!(
            figures(&both, Metric::Allocs),
            (416.0 / 384.0, 1.0, 1.5, Some(1.0))
        );
        assert_eq!(figures(&both, Metric::Peak), (9.0, 8.0, 9.0, Some(8.0)));
        // Growth that does not match the rows, the same in both: exact.
        let odd = launch(&[(1, 0, 0), (1, 0, 0), (64, 6, 0), (128, 13, 0)]);
        let exact = 19.0 / 192.0;
        assert_eq!(
            figures(&[odd.clone(), odd.clone()], Metric::Allocs),
            (exact, exact, exact, Some(0.0))
        );
        let resolution = counted("c", &[odd.clone(), odd.clone()])[0].resolution;
        assert_eq!(resolution, Some(13.0 / 128.0 - 6.0 / 64.0));
        // A single launch has a range.
        let (_, lower, upper, _) = figures(&[odd], Metric::Allocs);
        assert_eq!((lower, upper), (6.0 / 64.0, 13.0 / 128.0));
        assert_eq!(counted("c", &[one])[0].scope, Scope::Process);
    }

    #[test]
    fn a_body_that_is_called_once_has_its_first_call_only() {
        let one = launch(&[(1, 7, 70)]);
        assert_eq!(figures(&[one], Metric::Allocs), (7.0, 7.0, 7.0, Some(7.0)));
        let slow = launch(&[(1, 7, 70), (1, 2, 20)]);
        assert_eq!(
            figures(&[slow], Metric::Peak),
            (20.0, 20.0, 20.0, Some(70.0))
        );
    }

    #[test]
    fn what_was_not_counted_has_no_figure() {
        let absent = Memory {
            counts: Err("no meter is installed".to_owned()),
            ..launch(&[(1, 0, 0)])
        };
        assert_eq!(counted("c", &[absent]), []);
        assert_eq!(counted("c", &[]), []);
    }
}
