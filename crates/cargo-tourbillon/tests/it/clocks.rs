//! `clocks` on the machine that runs the tests: what holds on every machine.

use std::fs;
use std::path::Path;

use super::program::{json, run};

#[test]
fn the_report_has_every_source_with_every_member() {
    let report = json(&["clocks", "--format", "json"]);
    let members: Vec<_> = report.as_object().unwrap().keys().collect();
    assert_eq!(members, ["machine", "tsc", "sources"]);
    let sources = report["sources"].as_array().unwrap();
    for source in sources {
        let members: Vec<_> = source.as_object().unwrap().keys().collect();
        let first: Vec<_> = sources[0].as_object().unwrap().keys().collect();
        assert_eq!(members, first);
        let name = source["name"].as_str().unwrap();
        if source["available"] == true {
            assert!(source["regime"].is_string(), "{name}");
            assert!(source["read_median_ns"].is_number(), "{name}");
        } else {
            // An absent source has a reason and no figure.
            assert!(source["reason"].is_string(), "{name}");
            assert!(source["read_median_ns"].is_null(), "{name}");
            assert_eq!(source["safe"], false, "{name}");
        }
        if source["safe"] == false {
            assert!(source["reason"].is_string(), "{name}");
        }
    }
    assert!(sources.iter().any(|source| source["name"] == "instant"));
    assert!(report["tsc"]["chosen"].is_string());

    // The report of one machine is compared with itself.
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("here.json");
    fs::write(&file, report.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let ran = run(&["clocks", file, file]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("read A") && ran.stdout.contains("read B"),
        "{}",
        ran.stdout
    );
    let both = json(&["clocks", file, file, "--format", "json"]);
    assert_eq!(both["machines"][1]["report"], report);
}

#[test]
fn a_report_of_others_has_no_mark_of_direction() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("marks.json");
    fs::write(&file, r#"{"sources":[{"name":"\u202ex"}]}"#).unwrap();
    let file = file.to_str().unwrap();
    let ran = run(&["clocks", file, file, "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains(r"\u202ex"), "{}", ran.stdout);
}

#[test]
fn one_source_has_one_row() {
    let ran = run(&["clocks", "--source", "instant"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.lines().any(|line| line.starts_with("instant ")),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("gettimeofday"), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\x1b'), "piped output is plain");
    assert_eq!(ran.stderr, "", "progress is for terminals");
    let report = json(&["clocks", "--source", "instant", "--format", "json"]);
    assert_eq!(report["sources"].as_array().unwrap().len(), 1);
    let colored = run(&["clocks", "--source", "instant", "--color", "always"]);
    assert!(
        colored.stdout.contains("\x1b[2msource"),
        "{}",
        colored.stdout
    );
}

#[test]
fn differences_are_counted_to_the_last() {
    let few = ["--reads", "20000", "--pairs", "20000"];
    let arguments = [&["clocks", "--source", "instant", "--deltas"][..], &few].concat();
    let value = json(&[&arguments[..], &["--format", "json"]].concat());
    let source = &value["sources"][0];
    assert_eq!(source["name"], "instant");
    for (member, least) in [("differences", 20_000), ("pairs", 20_000)] {
        let rows = source[member].as_array().unwrap();
        let total: u64 = rows.iter().map(|row| row[1].as_u64().unwrap()).sum();
        assert!(total >= least, "{member}: {total}");
    }
    let ran = run(&arguments);
    for expected in ["instant: ", "ticks", "empty pairs ", "interruptions "] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
}

#[test]
fn an_absent_source_has_no_differences_and_says_why() {
    // No processor has both counters.
    let absent = if cfg!(target_arch = "x86_64") {
        "cntvct"
    } else {
        "rdtsc"
    };
    let ran = run(&["clocks", "--source", absent, "--deltas"]);
    assert_eq!(ran.code, Some(5));
    let expected = format!("source `{absent}` is not on this machine: ");
    assert!(ran.stderr.contains(&expected), "{}", ran.stderr);
}

#[test]
fn processors_are_compared_where_there_are_several() {
    let ran = run(&["clocks", "--cores", "--format", "json"]);
    match ran.code {
        Some(0) => {
            let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            assert!(value["holds"].is_boolean());
            for pair in value["pairs"].as_array().unwrap() {
                let lowest = pair["offset_lowest_ns"].as_f64().unwrap();
                assert!(lowest <= pair["offset_highest_ns"].as_f64().unwrap());
            }
        }
        code => {
            assert_eq!(code, Some(5));
            assert!(
                ran.stderr.contains("cannot be compared: "),
                "{}",
                ran.stderr
            );
        }
    }
}

#[test]
fn every_class_of_winstl_has_a_source() {
    let value = json(&["clocks", "--winstl", "--format", "json"]);
    let classes = value["classes"].as_array().unwrap();
    assert_eq!(classes.len(), 9);
    for class in classes {
        assert_ne!(class["available"][0], serde_json::Value::Null, "{class}");
    }
    let ran = run(&["clocks", "--winstl", "--cores"]);
    assert_eq!(ran.code, Some(1), "one task at a time");
}
