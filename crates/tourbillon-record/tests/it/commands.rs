//! What a record holds of commands, whole and random.

use tourbillon_record::{
    Case, CaseResult, CommandLine, Line, Metric, ProcessCounter, Processes, Rounds,
};

use crate::random::Random;
use crate::{comparison_lines, entries};

fn command() -> CommandLine {
    CommandLine {
        arguments: vec!["sort".into(), "-n".into()],
        environment: vec!["LC_ALL=C".into()],
        folder: Some("/tmp".into()),
        input: Some("numbers".into()),
        output: "null".into(),
        prepare: Some("sync".into()),
        conclude: Some("rm -f out".into()),
    }
}

fn processes() -> Processes {
    Processes {
        user_us: vec![700, 1_400, 701, 702, 1_401],
        kernel_us: vec![300, 600, 301, 302, 601],
        peak_bytes: vec![1 << 20, 2 << 20, 1 << 20, 1 << 20, 2 << 20],
        minor_faults: vec![100, 200, 100, 100, 200],
        major_faults: vec![0, 1, 0, 0, 0],
        voluntary_switches: vec![1, 1, 1, 1, 1],
        involuntary_switches: vec![0, 2, 0, 0, 1],
        exit_codes: vec![0, 0, 0, 137, 0],
        contended: Some(vec![0, 0, 0, 1, 1]),
        counters: Some(vec![ProcessCounter {
            name: "instructions".into(),
            counts: vec![9_000, 18_000, 9_001, 9_002, 18_001],
        }]),
    }
}

pub(crate) fn lines() -> Vec<Line> {
    let result = |metric| {
        Line::Result(CaseResult {
            metric,
            throughput: None,
            ..entries::result()
        })
    };
    vec![
        Line::Case(Case {
            command: Some(Box::new(command())),
            ..entries::case()
        }),
        Line::Case(Case {
            command: Some(Box::default()),
            ..entries::case()
        }),
        Line::Rounds(Rounds {
            processes: Some(Box::new(processes())),
            ..comparison_lines::rounds()
        }),
        result(Metric::PeakMemory),
        result(Metric::PageFaults),
        result(Metric::Switches),
    ]
}

pub(crate) fn random_command(random: &mut Random) -> CommandLine {
    CommandLine {
        arguments: random.texts(),
        environment: random.texts(),
        folder: random.option(Random::text),
        input: random.option(Random::text),
        output: random.text(),
        prepare: random.option(Random::text),
        conclude: random.option(Random::text),
    }
}

pub(crate) fn random_processes(random: &mut Random, count: usize) -> Processes {
    Processes {
        user_us: random.wholes(count),
        kernel_us: random.wholes(count),
        peak_bytes: random.wholes(count),
        minor_faults: random.wholes(count),
        major_faults: random.wholes(count),
        voluntary_switches: random.wholes(count),
        involuntary_switches: random.wholes(count),
        exit_codes: (0..count).map(|_| random.bits() as i32).collect(),
        contended: random.option(|random| random.wholes(count)),
        counters: random.option(|random| {
            vec![ProcessCounter {
                name: random.text(),
                counts: random.wholes(count),
            }]
        }),
    }
}

#[test]
fn commands_are_read_back() {
    for line in lines() {
        let text = line.encode();
        assert_eq!(Line::decode(&text).as_ref(), Ok(&line), "{text}");
    }
}

#[test]
fn every_batch_has_a_process() {
    let text = lines()[2].encode();
    let short = text.replace(r#""user_us":[700,"#, r#""user_us":["#);
    let error = Line::decode(&short)
        .expect_err("a value is missing")
        .to_string();
    assert!(error.contains("column `user_us` has 4 entries"), "{error}");
    for column in [r#""ticks":[260000,"#, r#""counts":[9000,"#] {
        let (name, _) = column.split_once('[').expect("a list");
        let short = text.replace(column, &format!("{name}["));
        assert!(short != text && Line::decode(&short).is_err(), "{column}");
    }
}

#[test]
fn a_benchmark_has_no_trace_of_commands() {
    let case = Line::Case(entries::case()).encode();
    assert!(!case.contains("command"), "{case}");
    let rounds = Line::Rounds(comparison_lines::rounds()).encode();
    assert!(!rounds.contains("processes"), "{rounds}");
}
