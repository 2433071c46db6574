//! One entry of each kind, with every member or without those that are optional.

use tourbillon_record::{
    Absence, Argument, BatchShape, Batches, Case, CaseResult, Chain, ClockCheck, ClockFacts,
    Counted, Empty, End, Fact, FactValue, Fault, FaultKind, Header, LaunchSamples, Memory, Metric,
    Note, Pauses, Pilot, Plan, Resident, RunSettings, Scale, Scope, SourceLocation, SystemCounts,
    Throughput, ThroughputUnit, Warmup,
};

pub(crate) const CASE: &str = "shop/checkout::basket::total[items=100]";

pub(crate) fn header() -> Header {
    let fact = |name: &str, value| Fact {
        name: name.into(),
        value,
    };
    Header {
        tourbillon: "0.1.0".into(),
        engine: "0.1.0-5f3a".into(),
        started_unix_ns: 1_767_225_600_123_456_789,
        started: "2026-01-01T01:00:00+01:00".into(),
        package: "shop".into(),
        target: "checkout".into(),
        command: vec!["target/release/deps/checkout-0a1b".into(), "--bench".into()],
        seed: u64::MAX,
        cases: 1,
        shard: None,
        settings: RunSettings {
            launches: 20,
            fewest_launches: None,
            budget_ns: 200_000_000,
            batch_ns: 100_000,
            confidence: 0.99,
            precision: Some(0.005),
            cpus: vec![2, 3],
            core_kinds: None,
        },
        clock: ClockFacts {
            source: "tsc".into(),
            why: "invariant, and trusted by the kernel".into(),
            hz_numerator: 2_600_000_000,
            hz_denominator: 1,
            frequency_from: "cpuid leaf 15h".into(),
            frequency_error_ppm: Some(0.4),
            cycles_from: Some("reference chain".into()),
            no_cycles: None,
        },
        facts: vec![
            fact(
                "cpu_model",
                FactValue::Text("Example 9000 @ 2.60GHz".into()),
            ),
            fact("cores_logical", FactValue::Integer(8)),
            fact("debug_assertions", FactValue::Flag(false)),
            fact(
                "features",
                FactValue::List(vec!["avx2".into(), "bmi2".into()]),
            ),
            fact("lto", FactValue::Absent("not told by cargo".into())),
        ],
        unknown: String::new(),
    }
}

pub(crate) fn case() -> Case {
    Case {
        id: CASE.into(),
        group: "basket".into(),
        name: "total".into(),
        arguments: vec![Argument {
            axis: "items".into(),
            value: "100".into(),
        }],
        reference: true,
        tags: vec!["slow".into()],
        ignored: Some("needs the network".into()),
        at_most: None,
        verify: None,
        file: "benches/checkout.rs".into(),
        line: 42,
        command: None,
        unknown: String::new(),
    }
}

pub(crate) fn launch() -> LaunchSamples {
    LaunchSamples {
        case: CASE.into(),
        launch: 3,
        pilot_launch: true,
        seed: 0x9f3c_2155_0000_0001,
        pid: 4711,
        started_unix_ns: 1_767_225_601_000_000_001,
        terminal: "iter".into(),
        drop_inside: false,
        ops_per_iteration: 1,
        throughput: Some(Throughput {
            unit: ThroughputUnit::Bytes,
            per_op: 800,
        }),
        setup_ticks: 5_200,
        first_call_ticks: 31_200,
        pilot: Pilot {
            windows: vec![1, 1],
            items: vec![1, 64],
            unroll: vec![1, 8],
            ticks: vec![390, 4_160],
        },
        warmup: Warmup {
            batches: 4,
            ticks: 1_040_000,
            settled: true,
        },
        batch_shape: length(),
        batches: Batches {
            kind: vec![1, 2, 0],
            ticks: vec![260_000, 520_100, 44],
            pauses: vec![0, 1, 0],
            cycles: Vec::new(),
        },
        chain: Some(Chain {
            of: "additions of 1 cycle".to_owned(),
            short_cycles: 5_000,
            long_cycles: 15_000,
            at: vec![0, 3],
            short_ticks: vec![3_600, 3_610],
            long_ticks: vec![10_800, 10_830],
            additions: None,
        }),
        empty: Empty {
            ops: 4_096,
            short_ticks: vec![740, 741],
            long_ticks: vec![1_480],
        },
        pauses: Some(Pauses {
            pairs: 1_000,
            residual_ticks: vec![26_000, 26_100],
        }),
        fixed_item: None,
        fenced: None,
        measured: None,
        calls: None,
        team: None,
        launch_ticks: 26_000_000,
        threads: Some(1),
        working_threads: None,
        counted: SystemCounts::default(),
        touched_bytes: None,
        arm: None,
        core_kind: None,
        unknown: String::new(),
    }
}

/// A launch without anything that is optional.
pub(crate) fn plain_launch() -> LaunchSamples {
    LaunchSamples {
        pilot_launch: false,
        throughput: None,
        pilot: Pilot::default(),
        batches: Batches {
            pauses: Vec::new(),
            ..launch().batches
        },
        chain: None,
        pauses: None,
        fixed_item: None,
        fenced: None,
        measured: None,
        calls: None,
        team: None,
        threads: None,
        working_threads: None,
        ..launch()
    }
}

pub(crate) fn length() -> BatchShape {
    BatchShape {
        windows: 1,
        items: 4_096,
        unroll: 8,
        slope: true,
    }
}

pub(crate) fn fault_kinds() -> Vec<FaultKind> {
    vec![
        FaultKind::Panic,
        FaultKind::Error,
        FaultKind::Exit(-1),
        FaultKind::Signal(9),
        FaultKind::Hang(30_000),
        FaultKind::UnknownCase,
        FaultKind::NoTerminal,
        FaultKind::Spawn,
        FaultKind::Protocol,
    ]
}

pub(crate) fn fault(kind: FaultKind) -> Fault {
    Fault {
        case: CASE.into(),
        launch: 7,
        location: (kind == FaultKind::Panic).then(location),
        kind,
        message: "attempt to divide by zero".into(),
        stderr: "warming the cache\nthread 'main' panicked\n".into(),
        unknown: String::new(),
    }
}

pub(crate) fn location() -> SourceLocation {
    SourceLocation {
        file: "benches/checkout.rs".into(),
        line: 57,
    }
}

pub(crate) fn result() -> CaseResult {
    CaseResult {
        case: CASE.into(),
        metric: Metric::Time,
        estimate: Ok(4.41),
        lower: Some(4.4),
        upper: Some(4.42),
        rough: None,
        confidence: Some(0.9974),
        own: None,
        units: Scale::default(),
        rates: Scale::default(),
        scope: Scope::Processes,
        systematic: 0.002,
        launches: 20,
        samples: 2_000,
        mean: Some(4.415),
        stddev: Some(0.011),
        mad: Some(0.006),
        fixed_cost: Some(17.0),
        first_call: Some(12_000.0),
        resolution: Some(0.07),
        ops: 8_192_000,
        iterations: 8_192_000,
        elapsed_ns: 36_126_720.5,
        method: "slope-medians-1".into(),
        notes: vec![
            Note::SlowLaunches {
                count: 1,
                excess: 0.61,
            },
            Note::FailedLaunches { count: 2 },
            Note::Curvature { fraction: 0.03 },
            Note::NotWarm { launches: 1 },
            Note::ThreadsLeft { launches: 1 },
            Note::CorrectionTooLarge,
            Note::FewLaunches { launches: 5 },
            Note::Shortened { requested: 20 },
            Note::Skewed,
        ],
        throughput: None,
        unknown: String::new(),
    }
}

pub(crate) fn absent_result(metric: Metric, absence: Absence) -> CaseResult {
    CaseResult {
        metric,
        estimate: Err(absence),
        lower: None,
        upper: (absence == Absence::BelowResolution).then_some(0.25),
        confidence: None,
        scope: Scope::Process,
        mean: None,
        stddev: None,
        mad: None,
        fixed_cost: None,
        first_call: None,
        resolution: None,
        notes: Vec::new(),
        ..result()
    }
}

/// A memory launch of a body that allocates 64 bytes in one of eight calls.
pub(crate) fn memory() -> Memory {
    let wholes = |first: u64, other: u64| vec![first, 0, other, 2 * other];
    Memory {
        case: CASE.into(),
        launch: 0,
        seed: 0x9f3c_2155_0000_0001,
        pid: 4712,
        started_unix_ns: 1_767_225_609_000_000_001,
        arm: None,
        terminal: "iter".into(),
        drop_inside: false,
        ops_per_iteration: 1,
        iterations: vec![1, 1, 1_024, 2_048],
        counts: Ok(Counted {
            allocs: wholes(2, 127),
            frees: wholes(1, 127),
            reallocs_in_place: wholes(0, 1),
            reallocs_moved: wholes(0, 0),
            allocated_bytes: wholes(1_088, 8_192),
            freed_bytes: wholes(64, 8_192),
            copied_bytes: wholes(0, 0),
            peak_bytes: vec![1_088, 0, 64, 64],
            requests_elsewhere: wholes(1, 0),
        }),
        resident: Ok(Resident {
            peak_bytes: 2_306_048,
            since_first_call: true,
            faults_minor: vec![3, 0],
            faults_major: vec![1, 0],
        }),
        launch_ns: 812_345,
        unknown: String::new(),
    }
}

/// A memory launch in which nothing was counted.
pub(crate) fn plain_memory() -> Memory {
    Memory {
        drop_inside: true,
        iterations: vec![1],
        counts: Err("no meter is installed".into()),
        resident: Err("it is read on Linux only".into()),
        ..memory()
    }
}

/// A figure that was counted; the time with it would report that its memory launch failed.
pub(crate) fn counted_result(metric: Metric, estimate: f64) -> CaseResult {
    CaseResult {
        metric,
        estimate: Ok(estimate),
        lower: Some(estimate),
        upper: Some(estimate),
        confidence: None,
        systematic: 0.0,
        launches: 2,
        samples: 4,
        mean: None,
        stddev: None,
        mad: None,
        fixed_cost: None,
        first_call: Some(2.0),
        resolution: None,
        ops: 6_144,
        iterations: 6_144,
        elapsed_ns: 0.0,
        method: "counted-1".into(),
        notes: vec![Note::NotCounted {
            why: "panicked: out of stock".into(),
        }],
        ..result()
    }
}

pub(crate) fn end() -> End {
    End {
        wall_ns: 7_400_000_000,
        launches_ns: 6_142_000_000,
        batches_ns: 4_514_000_000,
        launches: 20,
        faults: 1,
        interrupted: true,
        clock_check: Some(ClockCheck {
            deviation_ppm: -0.031,
            bound_ppm: 0.2,
            baseline_ns: 7_390_000_000,
        }),
        machine_events: None,
        lines: None,
        exit_code: 3,
        unknown: String::new(),
    }
}

pub(crate) fn plan(length: Option<BatchShape>) -> Plan {
    Plan {
        case: CASE.into(),
        launch: 3,
        seed: 17,
        clock: "tsc".into(),
        tick_hz: 2_600_000_000,
        budget_ns: 10_000_000,
        batch_ns: 100_000,
        min_iterations: 1,
        window_items: 1_024,
        window_bytes: 262_144,
        batch_shape: length,
        turns: None,
        memory: false,
        stepped: None,
        events: None,
        metric: None,
        contended_from: None,
        core_kind: None,
    }
}
