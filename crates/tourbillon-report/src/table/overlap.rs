//! Bodies whose calls overlap: their ops take longer one by one, or, of functions that were measured in both
//! modes, the throughput stands clearly below the latency.

use tourbillon_record::{Argument, Case, CaseResult};

use super::findings::Found;
use crate::text::same;

/// The axis of the attribute's `modes`, and its values.
const AXIS: &str = "mode";
const THROUGHPUT: &str = "throughput";
const LATENCY: &str = "latency";

/// A throughput from here on is as good as the latency: who takes one for the other is not misled.
const CLEARLY_BELOW: f64 = 0.9;

/// Marks the bodies whose calls overlap.
pub(super) fn mark_overlaps(found: &mut [Found<'_>]) {
    for at in 0..found.len() {
        found[at].overlaps = found[at].main.is_some_and(CaseResult::overlaps);
        if mode(found[at].case) != Some(THROUGHPUT) {
            continue;
        }
        // The other mode is the next case, where nobody sorted them in another way.
        for step in 1..found.len() {
            let other = &found[(at + step) % found.len()];
            if mode(other.case) == Some(LATENCY) && are_one_function(found[at].case, other.case) {
                found[at].overlaps |= is_clearly_below(&found[at], other);
                break;
            }
        }
    }
}

fn mode(case: &Case) -> Option<&str> {
    for argument in &case.arguments {
        if argument.axis == AXIS {
            return Some(&argument.value);
        }
    }
    None
}

/// Whether two cases differ in their mode only.
#[inline(never)]
fn are_one_function(a: &Case, b: &Case) -> bool {
    if !same(&a.name, &b.name) || !same(&a.group, &b.group) || !same(&a.file, &b.file) {
        return false;
    }
    let mut at = 0;
    while at < a.arguments.len() && at < b.arguments.len() {
        if !fits(&a.arguments[at], &b.arguments[at]) {
            return false;
        }
        at += 1;
    }
    a.line == b.line && a.arguments.len() == b.arguments.len()
}

/// Whether the arguments are the same, or modes.
#[inline(never)]
fn fits(one: &Argument, other: &Argument) -> bool {
    same(&one.axis, &other.axis) && (same(&one.value, &other.value) || same(&one.axis, AXIS))
}

/// In cycles where both have them from the same source: a core that changes its clock between two visits makes times
/// differ that are none of the function's.
#[inline(never)]
fn is_clearly_below(throughput: &Found<'_>, latency: &Found<'_>) -> bool {
    let (short, long) = match (throughput.cycles, latency.cycles) {
        (Some(short), Some(long)) if same(&short.method, &long.method) => (short, long),
        _ => match (throughput.main, latency.main) {
            (Some(short), Some(long)) => (short, long),
            _ => return false,
        },
    };
    let (Some(highest), Ok(long_centre)) = (end(short, short.upper), long.estimate) else {
        return false;
    };
    let short_centre = short.estimate.unwrap_or(highest);
    let lowest = long.lower.unwrap_or(long_centre);
    highest < lowest && short_centre < CLEARLY_BELOW * long_centre
}

/// An end of the interval; the estimate where there is no interval.
fn end(result: &CaseResult, end: Option<f64>) -> Option<f64> {
    end.or(result.estimate.ok())
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Absence, Metric, Scope};

    use super::*;

    fn case(name: &str, mode: &str) -> Case {
        let argument = |axis: &str, value: &str| Argument {
            axis: axis.to_owned(),
            value: value.to_owned(),
        };
        Case {
            id: format!("p/t::{name}[n=1,mode={mode}]"),
            name: name.to_owned(),
            arguments: vec![argument("n", "1"), argument("mode", mode)],
            ..Case::default()
        }
    }

    fn result(estimate: Result<f64, Absence>, lower: f64, upper: f64) -> CaseResult {
        CaseResult {
            case: String::new(),
            metric: Metric::Cycles,
            estimate,
            lower: Some(lower),
            upper: Some(upper),
            confidence: Some(0.99),
            own: None,
            scope: Scope::Processes,
            systematic: 0.0,
            launches: 20,
            samples: 1,
            mean: None,
            stddev: None,
            mad: None,
            fixed_cost: None,
            first_call: None,
            resolution: None,
            ops: 1,
            iterations: 1,
            elapsed_ns: 1.0,
            method: String::new(),
            notes: Vec::new(),
            unknown: String::new(),
        }
    }

    /// Whether the throughput is marked, beside that latency and a latency of another function.
    fn marked(throughput: &CaseResult, latency: &CaseResult) -> bool {
        let others = result(Ok(1_000.0), 999.0, 1_001.0);
        let cases = [
            (case("g", "latency"), &others),
            (case("f", "throughput"), throughput),
            (case("f", "latency"), latency),
        ];
        let mut found: Vec<Found<'_>> = Vec::new();
        for (case, cycles) in &cases {
            found.push(Found {
                case,
                named: true,
                main: None,
                cycles: Some(cycles),
                fault: None,
                throughput: None,
                last: None,
                overlaps: false,
            });
        }
        mark_overlaps(&mut found);
        assert!(!found[0].overlaps && !found[2].overlaps);
        found[1].overlaps
    }

    #[test]
    fn only_a_throughput_clearly_below_its_latency_is_marked() {
        let latency = result(Ok(20.0), 19.0, 21.0);
        assert!(marked(&result(Ok(5.0), 4.9, 5.1), &latency));
        // Nearly the same; not known to be below; longer; nothing to compare with.
        assert!(!marked(&result(Ok(18.5), 18.4, 18.6), &latency));
        assert!(!marked(&result(Ok(12.0), 5.0, 19.5), &latency));
        assert!(!marked(&result(Ok(25.0), 24.0, 26.0), &latency));
        let failed = result(Err(Absence::Failed), 0.0, 0.0);
        assert!(!marked(&result(Ok(5.0), 4.9, 5.1), &failed));
    }

    #[test]
    fn a_bound_is_enough() {
        let throughput = result(Err(Absence::BelowResolution), 0.0, 0.3);
        assert!(marked(&throughput, &result(Ok(3.0), 2.9, 3.1)));
    }
}
