use tourbillon_record::{Absence, CaseResult, Counted, Memory, Metric, Scope};

/// Name and version of the method by which results are made from memory visits.
pub const COUNTED: &str = "counted-1";

/// What is made of memory visits, in the order in which it is stored.
const METRICS: [Metric; 5] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Peak,
    Metric::Kept,
    Metric::Moved,
];

/// Makes the results of a case from its memory visits: requests for memory, bytes allocated, kept and
/// moved per op, and the peak of an op. None where nothing was counted.
///
/// The steady state is that of the longest rows of each visit; where there is nothing behind the
/// first call, that. Peaks are those of rows in which every iteration is by itself. A figure is exact
/// when all visits counted the same in these rows; else its ends are the least and the most of any
/// row. Of a single visit, rows that agree per op are exact as far as this process can tell.
///
/// The resolution is how far rows of different lengths are from each other, per op: growth that comes
/// once in many ops falls into a row one time more or less. Runs that counted other numbers of ops
/// cannot tell smaller differences.
pub fn counted(case: &str, visits: &[Memory]) -> Vec<CaseResult> {
    let mut results = Vec::new();
    for metric in METRICS {
        results.extend(result(case, metric, visits));
    }
    results
}

#[inline(never)]
fn result(case: &str, metric: Metric, visits: &[Memory]) -> Option<CaseResult> {
    let mut looked = Vec::with_capacity(visits.len());
    for visit in visits {
        looked.push(Looked::at(visit, metric)?);
    }
    let first = looked.first()?;
    let mut sum = Looked::default();
    let mut same = looked.len() > 1;
    for one in &looked {
        sum.total += one.total;
        sum.ops += one.ops;
        sum.rows += one.rows;
        same &= one.values == first.values;
    }
    let estimate = match metric {
        // Never divided: the highest of all.
        Metric::Peak => most(&looked, &|one| one.most)?,
        _ => sum.total as f64 / sum.ops as f64,
    };
    let (lower, upper) = if same {
        (estimate, estimate)
    } else {
        (
            -most(&looked, &|one| -one.least)?,
            most(&looked, &|one| one.most)?,
        )
    };
    Some(CaseResult {
        case: case.to_owned(),
        metric,
        own: None,
        estimate: if estimate.is_finite() {
            Ok(estimate)
        } else {
            Err(Absence::Failed)
        },
        lower: Some(lower),
        upper: Some(upper),
        confidence: None,
        scope: if looked.len() > 1 {
            Scope::Processes
        } else {
            Scope::Process
        },
        systematic: 0.0,
        launches: looked.len() as u32,
        samples: sum.rows,
        mean: None,
        stddev: None,
        mad: None,
        fixed_cost: None,
        first_call: Some(first.first_call as f64),
        resolution: Some(most(&looked, &|one| one.most - one.least)?),
        ops: sum.ops,
        iterations: sum.ops / visits[0].ops_per_iteration.max(1),
        elapsed_ns: 0.0,
        method: COUNTED.to_owned(),
        notes: Vec::new(),
        unknown: String::new(),
    })
}

/// The highest that the visits have.
fn most(looked: &[Looked], of: &dyn Fn(&Looked) -> f64) -> Option<f64> {
    let mut most = of(looked.first()?);
    for one in looked {
        most = most.max(of(one));
    }
    Some(most)
}

/// What one visit says of a metric.
#[derive(Default)]
struct Looked {
    /// Of each row that counts.
    values: Vec<i64>,
    total: i64,
    ops: u64,
    rows: u64,
    /// Per op, the least and the most of a row; of peaks, the highest row twice.
    least: f64,
    most: f64,
    first_call: i64,
}

impl Looked {
    #[inline(never)]
    fn at(visit: &Memory, metric: Metric) -> Option<Looked> {
        let counts = visit.counts.as_ref().ok()?;
        let value = |row: usize| value(counts, metric, row);
        let mut looked = Looked {
            first_call: value(0),
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            ..Looked::default()
        };
        let rows = match metric {
            Metric::Peak => one_by_one_rows(visit),
            _ => steady_rows(visit),
        };
        for row in rows {
            let ops = visit.iterations[row].saturating_mul(visit.ops_per_iteration);
            let per_op = match metric {
                Metric::Peak => value(row) as f64,
                _ => value(row) as f64 / ops as f64,
            };
            looked.values.push(value(row));
            looked.total += value(row);
            looked.ops += ops;
            looked.rows += 1;
            looked.least = looked.least.min(per_op);
            looked.most = looked.most.max(per_op);
        }
        if metric == Metric::Peak {
            // Which of the iterations has the peak is no matter.
            looked.least = looked.most;
            looked.values = vec![looked.most as i64];
        }
        (looked.ops > 0).then_some(looked)
    }
}

/// The rows of a memory visit that say what an op asks for in the steady state: the longest ones, or
/// the first call where there is nothing behind it.
#[inline(never)]
pub fn steady_rows(visit: &Memory) -> Vec<usize> {
    let mut longest = 0;
    for iterations in visit.iterations.iter().skip(1) {
        longest = longest.max(*iterations);
    }
    chosen(visit, &|iterations| iterations.saturating_mul(2) >= longest)
}

/// The rows whose peaks are those of single iterations: longer ones may hold many at once, whose peaks
/// add up.
fn one_by_one_rows(visit: &Memory) -> Vec<usize> {
    chosen(visit, &|iterations| iterations <= ONE_BY_ONE)
}

#[inline(never)]
fn chosen(visit: &Memory, wanted: &dyn Fn(u64) -> bool) -> Vec<usize> {
    let mut rows = Vec::new();
    for (row, iterations) in visit.iterations.iter().enumerate() {
        if (row > 0 || visit.iterations.len() == 1) && wanted(*iterations) {
            rows.push(row);
        }
    }
    rows
}

/// Rows up to so many iterations hold each by itself: see `count` of the engine.
const ONE_BY_ONE: u64 = 16;

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

    /// A visit with these rows: iterations, allocations, peak.
    fn visit(rows: &[(u64, u64, u64)]) -> Memory {
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
            visit_ns: 0,
            unknown: String::new(),
        }
    }

    fn figures(visits: &[Memory], metric: Metric) -> (f64, f64, f64, Option<f64>) {
        let results = counted("c", visits);
        let result = results.iter().find(|one| one.metric == metric).unwrap();
        let ends = (result.lower.unwrap(), result.upper.unwrap());
        (result.estimate.unwrap(), ends.0, ends.1, result.first_call)
    }

    #[test]
    fn growth_in_one_of_eight_calls_is_an_eighth() {
        // The first call and the short rows are not in step with the growth.
        let one = visit(&[
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
        let one = visit(&[
            (1, 1, 8),
            (1, 1, 8),
            (16, 16, 8),
            (64, 64, 8),
            (128, 128, 8),
        ]);
        let two = visit(&[
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
        // Growth out of step with the rows, the same in both: exact.
        let odd = visit(&[(1, 0, 0), (1, 0, 0), (64, 6, 0), (128, 13, 0)]);
        let exact = 19.0 / 192.0;
        assert_eq!(
            figures(&[odd.clone(), odd.clone()], Metric::Allocs),
            (exact, exact, exact, Some(0.0))
        );
        let resolution = counted("c", &[odd.clone(), odd.clone()])[0].resolution;
        assert_eq!(resolution, Some(13.0 / 128.0 - 6.0 / 64.0));
        // Nobody else has seen it.
        let (_, lower, upper, _) = figures(&[odd], Metric::Allocs);
        assert_eq!((lower, upper), (6.0 / 64.0, 13.0 / 128.0));
        assert_eq!(counted("c", &[one])[0].scope, Scope::Process);
    }

    #[test]
    fn a_body_that_is_called_once_has_its_first_call_only() {
        let one = visit(&[(1, 7, 70)]);
        assert_eq!(figures(&[one], Metric::Allocs), (7.0, 7.0, 7.0, Some(7.0)));
        let slow = visit(&[(1, 7, 70), (1, 2, 20)]);
        assert_eq!(
            figures(&[slow], Metric::Peak),
            (20.0, 20.0, 20.0, Some(70.0))
        );
    }

    #[test]
    fn what_was_not_counted_has_no_figure() {
        let absent = Memory {
            counts: Err("no meter is installed".to_owned()),
            ..visit(&[(1, 0, 0)])
        };
        assert_eq!(counted("c", &[absent]), []);
        assert_eq!(counted("c", &[]), []);
    }
}
