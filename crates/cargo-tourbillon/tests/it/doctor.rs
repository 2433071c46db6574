//! `doctor` on the machine that runs the tests: what holds on every machine. Recorded machines are
//! tested next to the code.

use std::fs;
use std::path::Path;

use super::folder::Folder;
use super::program::{command, run};

/// The fragments of links to the sections of a document: headings in lower case, with hyphens for
/// spaces and without punctuation.
fn anchors(document: &str) -> Vec<String> {
    let headings = document.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let text = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                c => (c.is_alphanumeric() || c == '-').then_some(c),
            });
            kept.collect()
        })
        .collect()
}

#[test]
fn every_finding_is_complete_and_explained_in_the_guide() {
    let ran = run(&["doctor", "--format", "json"]);
    assert_eq!(ran.stderr, "", "progress is for terminals");
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/doctor.md");
    let anchors = anchors(&fs::read_to_string(guide).unwrap());
    let findings = value["findings"].as_array().unwrap();
    assert!(findings.len() > 20);
    for finding in findings {
        let check = finding["check"].as_str().unwrap();
        let link = finding["guide"].as_str().unwrap();
        let anchor = link.strip_prefix("docs/reference/doctor.md#").unwrap();
        assert!(
            anchors.iter().any(|known| known == anchor),
            "{check}: {link}"
        );
        match finding["severity"].as_str() {
            None => assert!(finding["absent"].is_string(), "{check}"),
            Some("fine") => assert!(finding["found"].is_string(), "{check}"),
            Some("note" | "matters") => {
                assert!(finding["found"].is_string(), "{check}");
                assert!(finding["remedy"].is_string(), "{check}");
                assert!(finding["why"].is_string(), "{check}");
            }
            Some(other) => panic!("{check} is {other}"),
        }
    }
    let matters = findings
        .iter()
        .any(|finding| finding["severity"] == "matters");
    assert_eq!(ran.code, Some(if matters { 5 } else { 0 }));
}

/// The names of an object's members, sorted: their order means nothing.
fn members(object: &serde_json::Value) -> Vec<&str> {
    let members = object.as_object().expect("an object").keys();
    let mut names: Vec<_> = members.map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Kernels are measured in an optimised program if their cost is known; otherwise the finding has
/// the reason.
#[test]
fn reference_kernels_have_the_same_members() {
    let ran = run(&["doctor", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        members(&value),
        [
            "answer",
            "details",
            "findings",
            "kind",
            "notes",
            "reference_kernels",
            "texts",
            "title",
            "version"
        ]
    );
    let rows = value["reference_kernels"].as_array().unwrap();
    let findings = value["findings"].as_array().unwrap();
    let finding = findings
        .iter()
        .find(|finding| finding["check"] == "reference kernels")
        .unwrap();
    if let Some(why) = finding["absent"].as_str() {
        assert!(rows.is_empty(), "{rows:?}");
        let optimised = !cfg!(debug_assertions);
        let counts = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
        // Where another program has the core all the time, there is none.
        let is_busy = why.contains("no kernel gave a figure");
        assert!(is_busy || !(optimised && counts), "not measured: {why}");
        return;
    }
    let mut kernels = Vec::new();
    for row in rows {
        assert_eq!(
            members(row),
            [
                "below_resolution",
                "error_cycles",
                "kernel",
                "lower_cycles",
                "measured_cycles",
                "true_cycles",
                "upper_cycles",
                "verdict",
            ]
        );
        let kernel = row["kernel"].as_str().unwrap();
        assert!(!kernels.contains(&kernel), "{kernel} is there twice");
        kernels.push(kernel);
        let truth = row["true_cycles"].as_f64().unwrap();
        assert_eq!(truth == 0.0, kernel == "empty", "{row}");
        let verdict = row["verdict"].as_str().unwrap();
        assert!(["right", "near", "wrong"].contains(&verdict), "{row}");
        let Some(measured) = row["measured_cycles"].as_f64() else {
            assert!(
                row["lower_cycles"].is_null() && row["upper_cycles"].is_null(),
                "{row}"
            );
            continue;
        };
        assert_eq!(row["below_resolution"], false, "{row}");
        // The reader of JSON rounds each of them.
        let error = row["error_cycles"].as_f64().unwrap();
        assert!((error - (measured - truth)).abs() < 1e-9, "{row}");
        if let (Some(lower), Some(upper)) =
            (row["lower_cycles"].as_f64(), row["upper_cycles"].as_f64())
        {
            assert!(lower <= measured && measured <= upper, "{row}");
        }
    }
    for kernel in ["empty", "add_1", "add_10", "add_100", "add_1000"] {
        assert!(kernels.contains(&kernel), "{kernel} is not in {kernels:?}");
    }
}

#[test]
fn people_get_plain_lines_that_fit() {
    let ran = run(&["doctor"]);
    assert!(matches!(ran.code, Some(0 | 5)), "{}", ran.stderr);
    assert!(!ran.stdout.contains('\x1b'), "piped output is plain");
    for line in ran.stdout.lines() {
        // Paths and commands stay whole.
        let words = line.split_whitespace().count();
        assert!(line.chars().count() <= 80 || words <= 2, "{line}");
    }
    assert!(ran.stdout.contains(" unknown"), "{}", ran.stdout);
}

#[test]
fn nothing_is_left_behind() {
    let folder = Folder::new("doctor");
    let mut command = command(&["doctor", "--format", "json"]);
    for name in ["HOME", "TMPDIR", "CARGO_HOME"] {
        command.env(name, &*folder);
    }
    let output = command.current_dir(&*folder).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 5)), "{output:?}");
    let left: Vec<_> = fs::read_dir(&*folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn mistakes_are_named() {
    let ran = run(&["doctor", "--format", "xml"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("'xml'"), "{}", ran.stderr);
}
