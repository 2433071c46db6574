//! Files for other programs.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use super::Place;

#[test]
fn exports_are_those_of_hyperfine() {
    let place = Place::new();
    place.measured(&[
        "--runs",
        "4",
        "-L",
        "n",
        "1,2",
        "sh -c 'exit 0 # {n}'",
        "--ignore-failure",
        "sh -c 'kill $$'",
        "--export-json",
        "out.json",
        "--export-schema",
        "1",
        "--export-csv",
        "out.csv",
        "--export-markdown",
        "out.md",
    ]);
    let json = fs::read_to_string(place.path("out.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let results = json["results"].as_array().expect("a list");
    assert_eq!(results.len(), 3);
    let run = place.records().pop().expect("a record");
    for (result, arm) in results.iter().zip(0_u8..) {
        let numbers = |name: &str| {
            let list = result[name].as_array().expect(name);
            list.iter()
                .map(|one| one.as_f64().expect("a number"))
                .collect::<Vec<f64>>()
        };
        let times = numbers("times");
        assert_eq!((times.len(), numbers("memory_usage_byte").len()), (4, 4));
        let mean = result["mean"].as_f64().expect("a mean");
        let processes = run.rounds[0].processes.as_ref().expect("columns");
        let contended = processes.contended.as_ref();
        // Rounds beside which other programs took all processors have no part in figures.
        if contended.is_none_or(|all| all.iter().all(|one| *one == 0)) {
            assert!((mean - times.iter().sum::<f64>() / 4.0).abs() < 1e-12);
        }
        let (min, max) = (result["min"].as_f64(), result["max"].as_f64());
        assert!(
            times
                .iter()
                .all(|time| min <= Some(*time) && Some(*time) <= max)
        );
        // Every time is in the record, in the same order.
        let frequency =
            run.header.clock.hz_numerator as f64 / run.header.clock.hz_denominator as f64;
        let rounds = &run.rounds[0];
        let own = rounds
            .arm
            .iter()
            .zip(&rounds.ticks)
            .filter(|(own, _)| **own == arm);
        for ((_, ticks), time) in own.zip(&times) {
            assert!((*ticks as f64 / frequency - time).abs() < 1e-12);
        }
        for name in ["median", "stddev", "user", "system"] {
            assert!(result[name].is_number(), "{name}: {result}");
        }
    }
    assert_eq!(results[0]["parameters"]["n"], "1");
    assert_eq!(results[1]["command"], "sh -c 'exit 0 # 2'");
    assert_eq!(results[0]["exit_codes"][0], 0);
    // SIGTERM is 15.
    assert_eq!(results[2]["exit_codes"][0], 143);
    assert_eq!(results[2]["parameters"], serde_json::json!({}));
    // The record exports the same.
    let record = place.path("store/commands/runs/commands/commands");
    let record = fs::read_dir(record)
        .expect("a store")
        .find_map(|file| {
            let path = file.expect("a file").path();
            path.extension()
                .is_some_and(|end| end == "jsonl")
                .then_some(path)
        })
        .expect("a record");
    let arguments = [
        "export",
        "--format",
        "hyperfine-1",
        record.to_str().expect("text"),
    ];
    let exported = crate::program::run(&arguments);
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let exported: serde_json::Value = serde_json::from_str(&exported.stdout).expect("JSON");
    assert_eq!(exported, json);
    let csv = fs::read_to_string(place.path("out.csv")).expect("a file");
    assert!(
        csv.starts_with("command,mean,stddev,median,user,system,min,max,parameter_n\n"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 4);
    let markdown = fs::read_to_string(place.path("out.md")).expect("a file");
    assert!(markdown.contains("| `sh -c 'exit 0 # 1'` |"), "{markdown}");
}

/// A number of hyperfine 2 with its unit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quantity {
    value: f64,
    unit: String,
}

/// A run of hyperfine 2.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    time_wall_clock: Quantity,
    time_cpu: Quantity,
    time_user: Quantity,
    time_system: Quantity,
    memory_peak_resident: Quantity,
    exit_code: i32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Summary {
    unit: String,
    count: usize,
    mean: f64,
    stddev: Option<f64>,
    median: f64,
    min: f64,
    max: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    value: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    command: String,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    measurements: Vec<Measurement>,
    #[serde(default)]
    parameters: BTreeMap<String, Parameter>,
    summary: BTreeMap<String, Summary>,
}

#[test]
fn json_is_that_of_hyperfine_two() {
    let place = Place::new();
    place.measured(&[
        "--runs",
        "3",
        "-L",
        "n",
        "201,202",
        "sh -c 'exit {n}'",
        "-i",
        "A=b sh -c 'kill $$'",
        "--export-json",
        "out.json",
        "--export-csv",
        "out.csv",
    ]);
    let json = fs::read_to_string(place.path("out.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema_version"], 2);
    assert_eq!(json["primary_metric"], "time_wall_clock");
    assert_eq!(json["metadata"]["platform"]["os"], "linux");
    let results: Vec<Measured> = serde_json::from_value(json["results"].clone()).expect("results");
    assert_eq!(results.len(), 3);
    let first = &results[0];
    assert_eq!(first.command, "sh -c 'exit 201'");
    assert_eq!(first.parameters["n"].value, "201");
    assert!(results[2].parameters.is_empty() && first.environment.is_empty());
    assert_eq!(results[2].environment["A"], "b");
    let codes = |at: usize| results[at].measurements.iter().map(|run| run.exit_code);
    // SIGTERM is 15.
    assert!(codes(1).all(|code| code == 202) && codes(2).all(|code| code == 143));
    let names: Vec<&str> = first.summary.keys().map(String::as_str).collect();
    let expected = [
        "memory_peak_resident",
        "time_cpu",
        "time_system",
        "time_user",
        "time_wall_clock",
    ];
    assert_eq!(names, expected);
    let time = &first.summary["time_wall_clock"];
    assert_eq!((time.unit.as_str(), time.count), ("second", 3));
    assert!(time.min <= time.median && time.median <= time.max && time.stddev.is_some());
    let times = first
        .measurements
        .iter()
        .map(|run| run.time_wall_clock.value);
    assert!((times.sum::<f64>() / 3.0 - time.mean).abs() < 1e-12);
    for run in &first.measurements {
        let [cpu, user, system] = [&run.time_cpu, &run.time_user, &run.time_system];
        assert!((cpu.value - user.value - system.value).abs() < 1e-12);
        assert_eq!(run.memory_peak_resident.unit, "byte");
        assert!([cpu, user, system].iter().all(|time| time.unit == "second"));
    }
    let csv = fs::read_to_string(place.path("out.csv")).expect("a file");
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |line: &[&str], name: &str| {
        let at = lines[0].iter().position(|title| *title == name);
        line[at.expect(name)].to_owned()
    };
    assert_eq!(lines.len(), 4, "{csv}");
    assert_eq!(column(&lines[1], "time_wall_clock_unit"), "s");
    assert_eq!(
        column(&lines[1], "time_wall_clock_mean"),
        time.mean.to_string()
    );
    assert_eq!(column(&lines[1], "memory_peak_resident_unit"), "B");
    assert_eq!(column(&lines[2], "parameter_n"), "202");
    assert_eq!(column(&lines[3], "parameter_n"), "");
}

#[test]
fn two_outputs_are_not_one_file() {
    let place = Place::new();
    for [one, first, other, second] in [
        ["--export-json", "j", "--export-csv", "j"],
        ["--export-json", "j", "--export-markdown", "./j"],
        ["--output", "j", "--export-json", "j"],
    ] {
        let ran = place.run(&["commands", "--runs", "4", one, first, other, second, "true"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            ran.stderr.contains("is the file that is written as"),
            "{ran:?}"
        );
        assert!(!place.path("j").exists());
    }
}

#[test]
fn counters_are_read_or_refused_before_anything_runs() {
    let place = Place::new();
    let counted = ["--counters", "instructions", "--export-json", "out.json"];
    let ran = place.run(
        &[
            &["commands", "--runs", "12"],
            &counted[..],
            &["touch ran", "true"],
        ]
        .concat(),
    );
    if ran.code == Some(5) {
        // A machine without such counters, as most guests.
        assert!(
            ran.stderr.contains("leave --counters out"),
            "{}",
            ran.stderr
        );
        assert!(!place.path("ran").exists());
        return;
    }
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("instructions"), "{}", ran.stdout);
    let json = fs::read_to_string(place.path("out.json")).expect("a file");
    assert!(json.contains(r#""instructions":{"value""#), "{json}");
}

#[test]
fn a_folder_that_is_not_there_is_known_before_anything_runs() {
    let place = Place::new();
    for flag in ["--export-json", "--export-csv", "--export-markdown"] {
        let ran = place.run(&["commands", "--runs", "1", flag, "none/out", "touch ran"]);
        assert_eq!(ran.code, Some(5), "{}", ran.stdout);
        let expected = "error: \"none/out\" cannot be written: ";
        assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
        assert!(!place.path("ran").exists(), "{flag}");
    }
    // Before records are read, too.
    let ran = place.run(&["report", "nothing.jsonl", "-o", "none/page.html"]);
    assert!(
        ran.stderr.contains("\"none/page.html\" cannot"),
        "{}",
        ran.stderr
    );
}
