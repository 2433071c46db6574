//! One sample of everything that can be written, with every optional field present at least once.

use tourbillon_record::{
    Absence, Additions, Case, CaseResult, Chain, ClockFacts, End, FaultKind, Frame, Header, Hello,
    LaunchSamples, Line, MachineEvents, Metric, Note, Plan, RunSettings, Shard, Throughput,
    ThroughputUnit,
};

use crate::entries::{
    absent_result, case, counted_result, end, fault, fault_kinds, header, launch, length, location,
    memory, plain_launch, plain_memory, plan, result,
};

/// The lines of a run, in their order: each type, each kind of fault and note.
pub(crate) fn lines() -> Vec<Line> {
    let mut lines = vec![
        Line::Header(header()),
        Line::Case(case()),
        Line::Launch(Box::new(launch())),
        Line::Launch(Box::new(plain_launch())),
    ];
    lines.extend(
        fault_kinds()
            .into_iter()
            .map(|kind| Line::Fault(fault(kind))),
    );
    lines.extend([
        Line::Result(result()),
        Line::Result(absent_result(Metric::Cycles, Absence::BelowResolution)),
        Line::Result(absent_result(Metric::P50, Absence::Failed)),
        Line::Result(absent_result(Metric::P90, Absence::NotReached)),
        Line::End(end()),
        // What came later is last: files that were written once grow at their end.
        Line::Memory(memory()),
        Line::Memory(plain_memory()),
    ]);
    for (metric, estimate) in [
        (Metric::Allocs, 0.125),
        (Metric::Bytes, 8.0),
        (Metric::Peak, 64.0),
    ] {
        lines.push(Line::Result(counted_result(metric, estimate)));
    }
    lines
}

/// Lines with what came later than [`lines`], in the same schema: contention.
pub(crate) fn contention() -> Vec<Line> {
    let launch = launch();
    let contended = |in_figure| Note::Contended {
        launches: 3,
        in_figure,
    };
    vec![
        Line::Launch(Box::new(LaunchSamples {
            chain: launch.chain.map(|chain| Chain {
                additions: Some(Box::new(Additions {
                    short_ticks: vec![3_601, 3_612],
                    long_ticks: vec![10_801, 10_835],
                })),
                ..chain
            }),
            ..launch
        })),
        Line::Result(CaseResult {
            notes: vec![contended(false), contended(true)],
            method: "slope-medians-2".into(),
            ..result()
        }),
    ]
}

/// A result with the throughput, which older records have in launches only.
pub(crate) fn rate() -> Line {
    Line::Result(CaseResult {
        throughput: Some(Throughput {
            unit: ThroughputUnit::Items,
            per_op: 100,
        }),
        ..result()
    })
}

/// The header of a run whose cases differ in their launches.
pub(crate) fn uneven() -> Line {
    let header = header();
    Line::Header(Header {
        settings: RunSettings {
            fewest_launches: Some(8),
            ..header.settings
        },
        ..header
    })
}

/// The header of a run on a processor whose cycles are not known.
pub(crate) fn without_cycles() -> Line {
    let header = header();
    Line::Header(Header {
        clock: ClockFacts {
            cycles_from: None,
            no_cycles: Some("this processor has no instruction whose cost is known".to_owned()),
            ..header.clock
        },
        ..header
    })
}

/// The last line of a record whose lines were counted.
pub(crate) fn with_lines() -> Line {
    Line::End(End {
        lines: Some(40),
        ..end()
    })
}

/// The header of a run that measures a part of the cases, with the hash of their ids or without.
pub(crate) fn sharded(ids: Option<u64>) -> Line {
    Line::Header(Header {
        shard: Some(Box::new(Shard {
            method: "hash".into(),
            number: 2,
            of: 4,
            cases: 10,
            ids,
        })),
        ..header()
    })
}

/// Lines without anything that is optional.
pub(crate) fn plain_lines() -> Vec<Line> {
    let header = header();
    vec![
        Line::Header(Header {
            settings: RunSettings {
                precision: None,
                cpus: Vec::new(),
                ..header.settings
            },
            clock: ClockFacts {
                frequency_error_ppm: None,
                cycles_from: None,
                no_cycles: None,
                ..header.clock
            },
            facts: Vec::new(),
            ..header
        }),
        Line::Case(Case {
            arguments: Vec::new(),
            tags: Vec::new(),
            ignored: None,
            ..case()
        }),
        Line::Launch(Box::new(plain_launch())),
        Line::Fault(fault(FaultKind::Error)),
        Line::End(End {
            machine_events: Some(MachineEvents {
                busy_ticks: 812,
                stolen_ticks: 3,
                own_ticks: 741,
                swapped_pages: 0,
                throttled: 2,
            }),
            ..end()
        }),
        Line::End(End {
            clock_check: None,
            ..end()
        }),
    ]
}

/// Each kind of frame, with and without what is optional.
pub(crate) fn frames() -> Vec<Frame> {
    vec![
        Frame::Hello(Hello {
            protocol: 1,
            engine: "0.1.0-5f3a".into(),
        }),
        Frame::Plan(plan(Some(length()))),
        Frame::Plan(plan(None)),
        Frame::Progress {
            first_call_ns: 81_250,
            timeout_ns: None,
        },
        Frame::Progress {
            first_call_ns: 0,
            timeout_ns: Some(1_000_000_000),
        },
        Frame::Panicking {
            message: "index out of bounds".into(),
            location: Some(location()),
        },
        Frame::Panicking {
            message: String::new(),
            location: None,
        },
        Frame::Launch(Box::new(launch())),
        Frame::Fault(fault(FaultKind::Panic)),
        Frame::Bye,
        Frame::Plan(Plan {
            memory: true,
            ..plan(None)
        }),
        Frame::Memory(Box::new(memory())),
    ]
}

/// The plan of a stepped launch.
pub(crate) fn stepped() -> Frame {
    Frame::Plan(Plan {
        stepped: Some(true),
        ..plan(None)
    })
}

/// The plan of a launch that ends early under contention.
pub(crate) fn ending_early() -> Frame {
    Frame::Plan(Plan {
        contended_from: Some(1_350),
        ..plan(Some(length()))
    })
}

/// A run and a launch on one kind of core.
pub(crate) fn on_one_kind() -> [Line; 2] {
    let mut begun = header();
    begun.settings.core_kinds = Some(vec!["performance".to_owned()]);
    let launch = LaunchSamples {
        core_kind: Some("performance".to_owned()),
        ..plain_launch()
    };
    [Line::Header(begun), Line::Launch(Box::new(launch))]
}

/// The plan of that launch.
pub(crate) fn plan_on_one_kind() -> Frame {
    Frame::Plan(Plan {
        core_kind: Some("performance".to_owned()),
        ..plan(None)
    })
}
