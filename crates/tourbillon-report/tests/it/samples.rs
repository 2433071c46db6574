//! Records made for the tests.

use tourbillon_record::{
    Absence, Argument, Case, CaseResult, ClockFacts, Fact, FactValue, Fault, FaultKind, Header,
    Metric, Note, OwnMetric, RunSettings, Scope, SourceLocation,
};
use tourbillon_report::Table;

pub(crate) fn case(group: &str, name: &str, arguments: &[(&str, &str)]) -> Case {
    let shown: Vec<String> = arguments
        .iter()
        .map(|(axis, value)| format!("{axis}={value}"))
        .collect();
    let brackets = if shown.is_empty() {
        String::new()
    } else {
        format!("[{}]", shown.join(","))
    };
    let module = if group.is_empty() {
        String::new()
    } else {
        format!("{group}::")
    };
    Case {
        id: format!("examples/it::{module}{name}{brackets}"),
        group: group.to_owned(),
        name: name.to_owned(),
        arguments: arguments
            .iter()
            .map(|(axis, value)| Argument {
                axis: (*axis).to_owned(),
                value: (*value).to_owned(),
            })
            .collect(),
        ..Case::default()
    }
}

/// A result over processes, `relative` being the half-width as a fraction.
pub(crate) fn result(case: &Case, metric: Metric, estimate: f64, relative: f64) -> CaseResult {
    CaseResult {
        case: case.id.clone(),
        metric,
        estimate: Ok(estimate),
        lower: Some(estimate * (1.0 - relative)),
        upper: Some(estimate * (1.0 + relative)),
        confidence: Some(0.9974),
        scope: Scope::Processes,
        launches: 20,
        samples: 2_000,
        mean: Some(estimate),
        ops: 1,
        iterations: 1,
        elapsed_ns: 1.0,
        method: "test".to_owned(),
        ..CaseResult::default()
    }
}

pub(crate) fn time(case: &Case, ns: f64, relative: f64) -> CaseResult {
    result(case, Metric::Time, ns, relative)
}

pub(crate) fn cycles(case: &Case, cycles: f64, relative: f64) -> CaseResult {
    result(case, Metric::Cycles, cycles, relative)
}

/// A result in a number that the body returned.
pub(crate) fn own(case: &Case, name: &str, unit: &str, value: f64, relative: f64) -> CaseResult {
    CaseResult {
        own: Some(OwnMetric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            ..OwnMetric::default()
        }),
        ..result(case, Metric::Own, value, relative)
    }
}

pub(crate) fn absent(case: &Case, absence: Absence, upper: Option<f64>) -> CaseResult {
    CaseResult {
        estimate: Err(absence),
        lower: None,
        upper,
        confidence: None,
        mean: None,
        ..time(case, 1.0, 0.0)
    }
}

pub(crate) fn noted(result: CaseResult, notes: &[Note]) -> CaseResult {
    CaseResult {
        notes: notes.to_vec(),
        ..result
    }
}

pub(crate) fn fault(case: &Case, launch: u32, kind: FaultKind) -> Fault {
    Fault {
        case: case.id.clone(),
        launch,
        kind,
        message: String::new(),
        location: None,
        stderr: String::new(),
        unknown: String::new(),
    }
}

pub(crate) fn panicked(case: &Case, launch: u32) -> Fault {
    Fault {
        message: "index out of bounds: the len is 3 but the index is 3".to_owned(),
        location: Some(SourceLocation {
            file: "benches/sort.rs".to_owned(),
            line: 17,
        }),
        stderr: "reading the table\n\
                 \n\
                 thread 'main' (71) panicked at benches/sort.rs:17:9:\n\
                 index out of bounds: the len is 3 but the index is 3\n\
                 note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
            .to_owned(),
        ..fault(case, launch, FaultKind::Panic)
    }
}

pub(crate) fn text(name: &str, value: &str) -> Fact {
    Fact {
        name: name.to_owned(),
        value: FactValue::Text(value.to_owned()),
    }
}

pub(crate) fn absent_fact(name: &str, why: &str) -> Fact {
    Fact {
        name: name.to_owned(),
        value: FactValue::Absent(why.to_owned()),
    }
}

pub(crate) fn header(facts: Vec<Fact>) -> Header {
    Header {
        tourbillon: "0.1.0".to_owned(),
        engine: "test".to_owned(),
        started_unix_ns: 0,
        started: "2026-09-21T16:13:20+02:00".to_owned(),
        package: "examples".to_owned(),
        target: "sort".to_owned(),
        command: ["target/release/deps/sort-0f1e2d3c", "--bench", "quick sort"]
            .map(str::to_owned)
            .to_vec(),
        seed: 0x9f_3c21,
        cases: 38,
        shard: None,
        settings: RunSettings {
            launches: 20,
            fewest_launches: None,
            budget_ns: 100_000_000,
            batch_ns: 100_000,
            confidence: 0.99,
            precision: None,
            cpus: Vec::new(),
            core_kinds: None,
        },
        clock: ClockFacts {
            source: "tsc".to_owned(),
            why: "invariant, and the kernel trusts it".to_owned(),
            hz_numerator: 2_600_000_000,
            hz_denominator: 1,
            frequency_from: "cpuid leaf 15h".to_owned(),
            frequency_error_ppm: Some(0.38),
            cycles_from: Some("reference chain".to_owned()),
            no_cycles: None,
        },
        facts,
        unknown: String::new(),
    }
}

/// Names that would do harm, or are merely unusual.
pub(crate) const HOSTILE: &[&str] = &[
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "line\nfeed\r\ttab",
    "\u{202e}desrever\u{2066}",
    "zero\u{200b}width\u{feff}\u{ad}",
    "../../etc/passwd",
    "排序/快速/排序算法的名字很长很长很长很长很长很长很长",
    "e\u{301}\u{301}\u{301}a\u{308}",
    "👩‍👩‍👧‍👦 ❤\u{fe0f} 🇩🇪",
    "\u{e0041}\u{e0042}tags",
    "a  b   c",
    " ",
    "",
    "\u{301}starts with a mark",
    "word",
    "averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongword",
];

/// A table of a run of 20 launches at 99 %.
pub(crate) fn table<'a>(cases: &'a [Case], results: &'a [CaseResult]) -> Table<'a> {
    Table {
        cases,
        results,
        launches: 20,
        confidence: 0.99,
        ..Table::default()
    }
}
