//! Lines with what the system counted during the samples and after them, and what one item alone took, and
//! the findings that come of it.

use tourbillon_record::{
    Absence, CaseResult, EventCounts, Fenced, FixedItem, LaunchSamples, Line, Metric, Note,
    Stepped, Steps, SystemCounts,
};

use crate::entries;

pub(crate) fn lines() -> Vec<Line> {
    let launch = LaunchSamples {
        counted: SystemCounts {
            page_faults: Some(2_097_152),
            written_bytes: Some(0),
            waited_ns: None,
        },
        fixed_item: Some(FixedItem {
            short_ticks: vec![11_000, 11_100],
            long_ticks: vec![22_000],
        }),
        ..entries::launch()
    };
    let result = CaseResult {
        notes: vec![
            Note::PagesTouched { per_op: 256.0 },
            Note::Writes { per_op: 0.5 },
            Note::FixedItem { fraction: -0.8 },
        ],
        ..entries::result()
    };
    let waited = LaunchSamples {
        counted: SystemCounts {
            waited_ns: Some(4_900_000),
            ..launch.counted
        },
        ..launch.clone()
    };
    let told = CaseResult {
        notes: vec![Note::Waited { fraction: 0.31 }],
        ..entries::result()
    };
    let walked = LaunchSamples {
        touched_bytes: Some(16_842_752),
        ..waited.clone()
    };
    let mut by_hardware = walked.clone();
    by_hardware.batches.cycles = vec![369_001, 738_040, 97];
    let waiting = CaseResult {
        notes: vec![Note::WaitsForMemory {
            touched_bytes: 16_842_752,
        }],
        metric: Metric::Cycles,
        ..entries::result()
    };
    vec![
        Line::Launch(Box::new(launch)),
        Line::Result(result),
        Line::Launch(Box::new(waited)),
        Line::Result(told),
        Line::Launch(Box::new(walked)),
        Line::Result(waiting),
        Line::Launch(Box::new(by_hardware)),
    ]
}

/// Lines with ops that wait for each other, and what comes of them.
pub(crate) fn fenced() -> Vec<Line> {
    let mut fenced = entries::launch();
    fenced.fenced = Some(Fenced {
        ops: 227,
        short_ticks: vec![16_900, 16_874],
        long_ticks: vec![33_722, 33_696],
        free_short_ticks: vec![6_110, 6_084],
        free_long_ticks: vec![12_168],
        empty_short_ticks: vec![2_912],
        empty_long_ticks: vec![5_798],
    });
    let overlaps = CaseResult {
        notes: vec![Note::Overlaps { alone: 51.4 }],
        ..entries::result()
    };
    vec![Line::Launch(Box::new(fenced)), Line::Result(overlaps)]
}

/// A result without a time, because the clocks disagree.
pub(crate) fn without_time() -> Line {
    Line::Result(CaseResult {
        notes: vec![
            Note::ClocksDisagree { ppm: -47_619.0 },
            Note::LaunchesRequested {
                launches: 5,
                took_ns: 4.1e9,
            },
        ],
        ..entries::absent_result(Metric::Cycles, Absence::ClocksDisagree)
    })
}

/// A result whose interval is wider than requested.
pub(crate) fn imprecise() -> Line {
    Line::Result(CaseResult {
        notes: vec![Note::Imprecise { precision: 0.005 }],
        ..entries::result()
    })
}

/// Stepped launches, and what comes of them.
pub(crate) fn stepped() -> Vec<Line> {
    let counted = Stepped {
        case: entries::launch().case,
        counts: Ok(Steps {
            iterations: vec![1, 2, 1],
            instructions: vec![327, 624, 327],
            empty: vec![30, 32],
            system_calls: vec!["write".to_owned(), "vdso".to_owned()],
            system_call_counts: vec![2, 1],
        }),
        launch_ns: 41_220_345,
        ..Stepped::default()
    };
    let not_counted = Stepped {
        launch: 1,
        arm: Some(1),
        counts: Err("it has several threads".to_owned()),
        ..counted.clone()
    };
    let result = CaseResult {
        metric: Metric::Instructions,
        notes: vec![Note::SystemCalls {
            calls: "write 2, vdso 1".to_owned(),
        }],
        ..entries::result()
    };
    let without = CaseResult {
        notes: vec![Note::NotStepped {
            why: "it has several threads".to_owned(),
        }],
        ..entries::result()
    };
    let events = Stepped {
        counts: Ok(Steps::default()),
        events: Some(vec![
            EventCounts {
                name: "minor_faults".to_owned(),
                launch: vec![0, 0],
                iterations: vec![10, 20],
                counts: vec![81, 161],
                absent: None,
            },
            EventCounts {
                name: "cpu_cycles".to_owned(),
                absent: Some("this machine has no such counter".to_owned()),
                ..EventCounts::default()
            },
        ]),
        ..counted.clone()
    };
    let faults = CaseResult {
        metric: Metric::MinorFaults,
        notes: Vec::new(),
        ..entries::result()
    };
    let no_cycles = CaseResult {
        notes: vec![Note::EventsAbsent {
            why: "cpu_cycles: this machine has no such counter".to_owned(),
        }],
        ..entries::result()
    };
    vec![
        Line::Stepped(counted),
        Line::Stepped(not_counted),
        Line::Stepped(events),
        Line::Result(result),
        Line::Result(without),
        Line::Result(faults),
        Line::Result(no_cycles),
    ]
}
