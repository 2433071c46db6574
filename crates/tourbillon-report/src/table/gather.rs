//! What is known about each case: its results, its first fault, and whether its calls overlap.

use std::collections::HashMap;

use tourbillon_record::{Argument, Case, CaseResult, Metric};

use super::input::{Found, Table};
use super::order::ordered;
use crate::tree::Headings;

/// What is known about the cases, in the order of their rows.
pub(crate) fn found<'a>(table: &Table<'a>) -> Vec<Found<'a>> {
    let mut found = cases(table);
    let mut index = HashMap::new();
    for (at, found) in found.iter().enumerate() {
        index.insert(&*found.case.id, at);
    }
    for result in table.results {
        if let Some(&at) = index.get(&*result.case) {
            match result.metric {
                Metric::Cycles => found[at].cycles = Some(result),
                Metric::Instructions => found[at].instructions = Some(result),
                Metric::Allocs => found[at].allocs = Some(result),
                Metric::Bytes => found[at].bytes = Some(result),
                metric if metric.is_event() => found[at].events.push(result),
                // A command has other times after the one that it is measured in.
                metric if metric.is_main() => {
                    found[at].main.get_or_insert(result);
                }
                // Shown below the row, if at all.
                _ => {}
            }
        }
    }
    for verdict in table.verdicts {
        if let Some(&at) = index.get(&*verdict.case)
            && verdict.metric.is_none()
        {
            found[at].verdict.get_or_insert(verdict);
            if let Some(&at) = index.get(&*verdict.reference) {
                found[at].is_reference = true;
            }
        }
    }
    for fault in table.faults {
        if let Some(&at) = index.get(&*fault.case) {
            found[at].fault.get_or_insert(fault);
        }
    }
    mark_overlaps(&mut found);
    found
}

fn cases<'a>(table: &Table<'a>) -> Vec<Found<'a>> {
    let order = ordered(table);
    let headings = Headings::of(order.iter().copied());
    let cases = order.iter().copied().map(|case| Found {
        case,
        place: headings.place(case),
        main: None,
        cycles: None,
        instructions: None,
        events: Vec::new(),
        allocs: None,
        bytes: None,
        fault: None,
        last: (table.last)(&case.id),
        verdict: None,
        is_reference: false,
        overlaps: false,
    });
    cases.collect()
}

/// The axis of the attribute's `modes`, and its values.
const AXIS: &str = "mode";
const THROUGHPUT: &str = "throughput";
const LATENCY: &str = "latency";

/// A throughput from here on is as good as the latency: confusing the two does no harm.
const CLEARLY_BELOW: f64 = 0.9;

/// Marks the bodies whose calls overlap: ops take longer one by one, the throughput is clearly below the latency, for
/// functions that were measured in both modes, or an op takes less than the one cycle of the shortest instruction.
fn mark_overlaps(found: &mut [Found<'_>]) {
    let mut latencies = HashMap::new();
    for (at, other) in found.iter().enumerate() {
        if mode(other.case) == Some(LATENCY) {
            latencies.entry(function(other.case)).or_insert(at);
        }
    }
    for at in 0..found.len() {
        let this = &found[at];
        let is_clearly_below = || {
            let latency = latencies.get(&function(this.case));
            latency.is_some_and(|latency| is_clearly_below(this, &found[*latency]))
        };
        let overlaps = this.main.is_some_and(CaseResult::overlaps)
            || mode(this.case) == Some(THROUGHPUT) && is_clearly_below()
            || this.cycles.is_some_and(is_below_a_cycle);
        found[at].overlaps = overlaps;
    }
}

/// Whether it has a figure, and the whole interval of that is less than a cycle.
fn is_below_a_cycle(cycles: &CaseResult) -> bool {
    cycles.estimate.is_ok() && cycles.upper.is_some_and(|upper| upper < 1.0)
}

fn mode(case: &Case) -> Option<&str> {
    let mut arguments = case.arguments.iter();
    let mode = arguments.find(|argument| argument.axis == AXIS)?;
    Some(&mode.value)
}

/// What two cases have in common that differ in their mode only.
fn function(case: &Case) -> (&str, &str, &str, u32, Vec<(&str, &str)>) {
    let arguments = case.arguments.iter().map(|argument| {
        let Argument { axis, value } = argument;
        (axis.as_str(), if axis == AXIS { "" } else { value })
    });
    let Case {
        name, group, file, ..
    } = case;
    (name, group, file, case.line, arguments.collect())
}

/// In cycles where both have them from the same source: a core that changes its clock between two
/// launches makes times differ.
fn is_clearly_below(throughput: &Found<'_>, latency: &Found<'_>) -> bool {
    let cycles = throughput
        .cycles
        .zip(latency.cycles)
        .filter(|(short, long)| short.method == long.method);
    let Some((short, long)) = cycles.or(throughput.main.zip(latency.main)) else {
        return false;
    };
    let (Some(highest), Ok(long_centre)) = (short.upper.or(short.estimate.ok()), long.estimate)
    else {
        return false;
    };
    let short_centre = short.estimate.unwrap_or(highest);
    let lowest = long.lower.unwrap_or(long_centre);
    highest < lowest && short_centre < CLEARLY_BELOW * long_centre
}

#[cfg(test)]
mod tests {
    use tourbillon_present::Place;
    use tourbillon_record::Absence;

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
            metric: Metric::Cycles,
            estimate,
            lower: Some(lower),
            upper: Some(upper),
            ..CaseResult::default()
        }
    }

    /// Whether the throughput is marked, given that latency and a latency of another function.
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
                place: Place::default(),
                main: None,
                cycles: Some(cycles),
                instructions: None,
                events: Vec::new(),
                allocs: None,
                bytes: None,
                fault: None,
                last: None,
                verdict: None,
                is_reference: false,
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
    fn less_than_a_cycle_is_no_latency() {
        let latency = result(Err(Absence::Failed), 0.0, 0.0);
        assert!(marked(&result(Ok(0.5), 0.48, 0.52), &latency));
        assert!(!marked(&result(Ok(0.97), 0.9, 1.04), &latency));
        let bound = result(Err(Absence::BelowResolution), 0.0, 0.1);
        assert!(!marked(&bound, &latency));
    }

    #[test]
    fn a_bound_is_enough() {
        let throughput = result(Err(Absence::BelowResolution), 0.0, 0.3);
        assert!(marked(&throughput, &result(Ok(3.0), 2.9, 3.1)));
    }
}
