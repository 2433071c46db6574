//! Files for other programs.

use std::fs;

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
        let mean = times.iter().sum::<f64>() / 4.0;
        assert!((result["mean"].as_f64().expect("a mean") - mean).abs() < 1e-12);
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
    assert!(results[2]["exit_codes"][0].is_null());
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
        "hyperfine",
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
