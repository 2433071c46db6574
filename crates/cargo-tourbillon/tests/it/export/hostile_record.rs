//! A record with a result of every kind.

use std::path::Path;

use tourbillon_record::{
    Absence, Argument, Case, CaseResult, Line, Metric, OwnMetric, Scope, Throughput, ThroughputUnit,
};

use crate::records::{header, write_lines};

/// Names that are more than words: each is the value of an argument.
pub(super) const HOSTILE: [&str; 8] = [
    "a b  c",
    "x ... bench: 1 ns/iter (+/- 1)",
    "line\nfeed\ttab",
    "quote\" back\\slash {} ,=",
    "@all <img src=x> | `code`",
    "../../escape",
    "\u{1b}[31mred",
    "größer/排序",
];

pub(super) const SORT: &str = "shop/checkout::sort::heap[n=100]";
pub(super) const COPY: &str = "shop/checkout::copy";
pub(super) const COUNTED: &str = "shop/checkout::counted";
pub(super) const RETRIES: &str = "shop/checkout::retries";
pub(super) const BELOW: &str = "shop/checkout::below";
pub(super) const SCATTERED: &str = "shop/checkout::scattered";
pub(super) const FAILED: &str = "shop/checkout::failed";
pub(super) const CPU: &str = "shop/checkout::cpu";

/// The estimate and the ends of its interval of the time of a case; not symmetric, and with all digits.
pub(super) const TIME: [f64; 3] = [1_234.567_890_123_456_7, 1_230.123_456_789_012_3, 1_250.25];
pub(super) const CYCLES: [f64; 3] = [4_096.125, 4_090.062_5, 4_100.75];

pub(super) fn hostile_id(value: &str) -> String {
    format!("shop/checkout::hostile[s={value}]")
}

fn case(id: &str, arguments: &[(&str, &str)]) -> Case {
    let path = id.split('[').next().unwrap_or_default();
    let name = path.rsplit("::").next().unwrap_or_default();
    let argument = |(axis, value): &(&str, &str)| Argument {
        axis: (*axis).to_owned(),
        value: (*value).to_owned(),
    };
    Case {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.iter().map(argument).collect(),
        ..Case::default()
    }
}

fn result(case: &str, metric: Metric, [estimate, lower, upper]: [f64; 3]) -> CaseResult {
    CaseResult {
        case: case.to_owned(),
        metric,
        estimate: Ok(estimate),
        lower: Some(lower),
        upper: Some(upper),
        confidence: Some(0.99),
        scope: Scope::Processes,
        launches: 12,
        samples: 700,
        mean: Some(estimate + 0.5),
        stddev: Some(2.25),
        mad: Some(1.125),
        ops: 64,
        iterations: 64,
        method: "test".to_owned(),
        ..CaseResult::default()
    }
}

fn absent(case: &str, why: Absence, upper: Option<f64>) -> CaseResult {
    CaseResult {
        estimate: Err(why),
        lower: None,
        upper,
        confidence: None,
        mean: None,
        ..result(case, Metric::Time, TIME)
    }
}

/// Writes a record with names as long as Bencher takes them, and longer by one byte: a case that fits, one that does not,
/// and one whose only measure does not.
pub(super) fn write_long(path: &Path) -> [String; 3] {
    // Two bytes each.
    let path_of = |bytes: usize| {
        format!(
            "s/c::{}{}",
            "ö".repeat((bytes - 5) / 2),
            "x".repeat((bytes - 5) % 2)
        )
    };
    let ids = [path_of(1_024), path_of(1_025), "s/c::only".to_owned()];
    let own = |id: &str, bytes| CaseResult {
        own: Some(OwnMetric {
            name: "m".repeat(bytes),
            unit: "1".to_owned(),
            ..OwnMetric::default()
        }),
        ..result(id, Metric::Own, [3.5, 3.0, 4.0])
    };
    let [fits, long, only] = &ids;
    let results = [
        result(fits, Metric::Time, TIME),
        own(fits, 60),
        own(fits, 61),
        result(long, Metric::Time, TIME),
        own(only, 61),
    ];
    let cases = ids.iter().map(|id| Line::Case(case(id, &[])));
    let lines = cases.chain(results.map(Line::Result));
    write_lines(path, &header(1, "model A"), lines);
    ids
}

/// Writes the record.
pub(super) fn write(path: &Path) {
    let heap = case(SORT, &[("n", "100")]);
    let mut cases = vec![
        heap,
        case(COPY, &[]),
        case(COUNTED, &[]),
        case(RETRIES, &[]),
        case(BELOW, &[]),
        case(SCATTERED, &[]),
        case(FAILED, &[]),
        case(CPU, &[]),
    ];
    let throughput = |unit, per_op| Some(Throughput { unit, per_op });
    let own = OwnMetric {
        name: "allocs".to_owned(),
        unit: "retries".to_owned(),
        ..OwnMetric::default()
    };
    let mut results = vec![
        CaseResult {
            throughput: throughput(ThroughputUnit::Items, 100),
            ..result(SORT, Metric::Time, TIME)
        },
        result(SORT, Metric::Cycles, CYCLES),
        CaseResult {
            throughput: throughput(ThroughputUnit::Bytes, 64),
            ..result(COPY, Metric::Time, [0.123_456_789, 0.123_4, 0.123_5])
        },
        result(COUNTED, Metric::Time, [1e9, 9.9e8, 1.1e9]),
        result(COUNTED, Metric::P999, [3e9, 2e9, 4e9]),
        result(COUNTED, Metric::Allocs, [2.5, 2.0, 3.0]),
        result(COUNTED, Metric::Kept, [-4.0, -4.0, -4.0]),
        CaseResult {
            own: Some(own),
            ..result(RETRIES, Metric::Own, [3.5, 3.0, 4.0])
        },
        result(RETRIES, Metric::Allocs, [7.0, 7.0, 7.0]),
        absent(BELOW, Absence::BelowResolution, Some(0.25)),
        CaseResult {
            lower: Some(1.0),
            ..absent(SCATTERED, Absence::TooScattered, Some(9.0))
        },
        result(CPU, Metric::CpuTime, [500.0, 490.0, 520.0]),
    ];
    for value in HOSTILE {
        let id = hostile_id(value);
        cases.push(case(&id, &[("s", value)]));
        results.push(result(&id, Metric::Time, [10.0, 9.5, 11.0]));
    }
    let mut lines = Vec::new();
    lines.extend(cases.into_iter().map(Line::Case));
    lines.extend(results.into_iter().map(Line::Result));
    write_lines(path, &header(1, "model A"), lines);
}
