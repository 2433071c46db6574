//! Records whose samples and results are consistent.

use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_analysis::{Criteria, Design, Frequency, Rules, Tally, estimate, judge};
use tourbillon_record::store::Store;
use tourbillon_record::{
    Argument, BatchShape, Batches, Calls, Case, ClockFacts, Empty, Entry, Fact, FactValue, Header,
    LaunchSamples, Line, Pilot, Rounds, RunSettings, SystemCounts, Verdict, Warmup,
};
use tourbillon_stats::Confidence;

const START: u64 = 1_767_225_600_000_000_000;

/// The header of a run on a machine with this processor.
pub(crate) fn header(second: u64, cpu: &str) -> Header {
    Header {
        tourbillon: "0.1.0".to_owned(),
        engine: "e".to_owned(),
        started_unix_ns: START + second * 1_000_000_000,
        started: "2026-01-01T00:00:00Z".to_owned(),
        package: "shop".to_owned(),
        target: "checkout".to_owned(),
        command: Vec::new(),
        seed: 1,
        cases: 2,
        shard: None,
        settings: RunSettings {
            launches: 9,
            fewest_launches: None,
            budget_ns: 200_000_000,
            batch_ns: 100_000,
            confidence: 0.99,
            precision: None,
            cpus: Vec::new(),
            core_kinds: None,
        },
        clock: ClockFacts {
            source: "tsc".to_owned(),
            why: "it is invariant".to_owned(),
            hz_numerator: 1_000_000_000,
            hz_denominator: 1,
            frequency_from: "cpuid leaf 15h".to_owned(),
            frequency_error_ppm: Some(1.0),
            cycles_from: None,
            no_cycles: None,
        },
        facts: vec![Fact {
            name: "cpu_model".to_owned(),
            value: FactValue::Text(cpu.to_owned()),
        }],
        unknown: String::new(),
    }
}

fn case(name: &str) -> Case {
    Case {
        id: format!("shop/checkout::{name}"),
        name: name.to_owned(),
        file: "benches/checkout.rs".to_owned(),
        line: 7,
        ..Case::default()
    }
}

/// A launch whose ops take `ns` nanoseconds.
fn launch(case: &Case, launch: u32, ns: u64) -> LaunchSamples {
    let mut batches = Batches::default();
    for round in 0..8 {
        for kind in [1, 2] {
            batches.kind.push(kind);
            batches.ticks.push(1_000 * u64::from(kind) * ns + round);
        }
    }
    LaunchSamples {
        case: case.id.clone(),
        launch,
        pilot_launch: launch == 0,
        seed: 1,
        pid: 1,
        started_unix_ns: START,
        terminal: "iter".to_owned(),
        drop_inside: false,
        ops_per_iteration: 1,
        throughput: None,
        setup_ticks: 1,
        first_call_ticks: 5_000,
        pilot: Pilot {
            windows: vec![1, 1],
            items: vec![1, 1_000],
            unroll: vec![1, 1],
            ticks: vec![ns, 1_000 * ns],
        },
        warmup: Warmup {
            batches: 4,
            ticks: 1,
            settled: true,
        },
        batch_shape: BatchShape {
            windows: 1,
            items: 1_000,
            unroll: 1,
            slope: true,
        },
        batches,
        chain: None,
        empty: Empty::default(),
        pauses: None,
        fixed_item: None,
        fenced: None,
        measured: None,
        calls: None,
        team: None,
        launch_ticks: 1,
        threads: Some(1),
        working_threads: None,
        counted: SystemCounts::default(),
        touched_bytes: None,
        arm: None,
        core_kind: None,
        unknown: String::new(),
    }
}

/// The line of a case in the list of a bench program.
pub(crate) fn listed(id: &str) -> String {
    let case = Case {
        id: id.to_owned(),
        ..Case::default()
    };
    Entry::Case(&case).encode() + "\n"
}

/// Writes a run in which the calls of `handle` were timed one by one: 1,900 of 10 µs and 100 of 30 µs in each
/// launch, in buckets of 8 and 16 ns.
pub(crate) fn write_calls(path: &Path) {
    let header = header(1, "model A");
    let case = case("handle");
    let launches: Vec<LaunchSamples> = (0..9)
        .map(|number| LaunchSamples {
            terminal: "latencies".to_owned(),
            calls: Some(Box::new(Calls {
                ticks: vec![10_000 + 8 * u64::from(number), 30_000],
                count: vec![1_900, 100],
                longest_ticks: 30_015,
                reading_ticks: vec![20],
                step_ticks: 1,
                ..Calls::default()
            })),
            ..launch(&case, number, 11_000)
        })
        .collect();
    let results = estimate(&case.id, &launches, &Tally::default(), &rules(&header));
    let mut lines = vec![Line::Case(case)];
    for launch in launches {
        lines.push(Line::Launch(Box::new(launch)));
    }
    lines.extend(results.into_iter().map(Line::Result));
    write_lines(path, &header, lines);
}

pub(crate) fn rules(header: &Header) -> Rules {
    Rules {
        frequency: Frequency::of(&header.clock).expect("a frequency"),
        confidence: Confidence::new(header.settings.confidence).expect("a confidence"),
        core_cache_bytes: header.core_cache_bytes(),
    }
}

pub(crate) fn write_lines(path: &Path, header: &Header, lines: impl IntoIterator<Item = Line>) {
    let mut text = Entry::Header(header).encode();
    for line in lines {
        text.push('\n');
        text.push_str(&line.encode());
    }
    text.push('\n');
    fs::write(path, text).expect("a file");
}

/// The lines of a run in which `add` takes `ns` nanoseconds and `remove` ten times that.
pub(crate) fn lines(header: &Header, ns: u64) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut results = Vec::new();
    let rules = rules(header);
    let cases = [(case("add"), ns), (case("remove"), 10 * ns)];
    for (case, _) in &cases {
        lines.push(Line::Case(case.clone()));
    }
    for (case, ns) in &cases {
        // Launches differ slightly.
        let launches: Vec<LaunchSamples> = (0..9)
            .map(|number| launch(case, number, ns + u64::from(number)))
            .collect();
        results.extend(estimate(&case.id, &launches, &Tally::default(), &rules));
        lines.extend(
            launches
                .into_iter()
                .map(|launch| Line::Launch(Box::new(launch))),
        );
    }
    lines.extend(results.into_iter().map(Line::Result));
    lines
}

/// Writes such a run to a file.
pub(crate) fn write(path: &Path, second: u64, cpu: &str, ns: u64) {
    let header = header(second, cpu);
    write_lines(path, &header, lines(&header, ns));
}

/// Writes a comparison of two builds in whose second one `add` takes `now_ns` in place of `then_ns`; the verdict.
pub(crate) fn write_comparison(path: &Path, second: u64, then_ns: u64, now_ns: u64) -> Verdict {
    let mut header = header(second, "model A");
    for (name, label) in [("reference", "main"), ("candidate", "working tree")] {
        header.facts.push(Fact {
            name: name.to_owned(),
            value: FactValue::Text(label.to_owned()),
        });
    }
    let add = Case {
        arguments: vec![Argument {
            axis: "n".to_owned(),
            value: "100".to_owned(),
        }],
        ..case("add")
    };
    let launch = |launch: u32| {
        let mut rounds = Rounds {
            cases: vec![add.id.clone(), add.id.clone()],
            launch,
            seed: 1,
            pids: vec![1, 2],
            started_unix_ns: START,
            ops: vec![1_000, 1_000],
            first_call_ticks: vec![5_000, 5_000],
            fixed_ticks: vec![20, 20],
            lead_in: 8,
            launch_ticks: 1,
            ..Rounds::default()
        };
        for round in 0..20 {
            for (arm, ns) in [(0, then_ns), (1, now_ns)] {
                rounds.round.push(round);
                rounds.arm.push(arm);
                // Launches differ, and so do batches.
                let ticks = 20 + 1_000 * ns + u64::from(launch) * 10 * u64::from(arm) + round;
                rounds.ticks.push(ticks);
            }
        }
        rounds
    };
    let launches: Vec<Rounds> = (0..16).map(launch).collect();
    let frequency = Frequency::of(&header.clock).expect("a frequency");
    let verdict = Verdict {
        case: add.id.clone(),
        reference: "main".to_owned(),
        ..judge(
            Design::Builds,
            &launches,
            0,
            1,
            Criteria::BUILDS,
            &frequency,
        )
    };
    let mut lines = vec![Entry::Header(&header).encode(), Entry::Case(&add).encode()];
    lines.extend(launches.iter().map(|rounds| Entry::Rounds(rounds).encode()));
    lines.push(Entry::Verdict(&verdict).encode());
    fs::write(path, lines.join("\n") + "\n").expect("a file");
    verdict
}

/// Stores such a run, and saves it under a name if given.
pub(crate) fn store(folder: &Path, second: u64, ns: u64, name: Option<&str>) {
    let header = header(second, "model A");
    let path = store_lines(folder, &header, lines(&header, ns));
    if let Some(name) = name {
        let store = Store::open(folder);
        store.save(name, &path, &header).expect("a baseline");
    }
}

/// Stores a run of these lines; the file.
pub(crate) fn store_lines(folder: &Path, header: &Header, lines: Vec<Line>) -> PathBuf {
    let mut writer = Store::open(folder).begin(header).expect("a record");
    for line in lines {
        writer.append(line.entry()).expect("a line");
    }
    let path = writer.path().to_owned();
    writer.finish(u64::MAX).expect("the end");
    path
}
