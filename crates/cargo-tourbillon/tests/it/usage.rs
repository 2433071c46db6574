//! The command line: help, mistakes, exit codes.

use super::program::{command, run};

#[test]
fn cargo_and_people_are_both_understood() {
    for arguments in [
        ["clocks", "--help"].as_slice(),
        &["tourbillon", "clocks", "--help"],
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(
            ran.stdout.contains("Usage: cargo tourbillon clocks"),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80));
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn mistakes_end_with_1_and_name_the_remedy() {
    for (arguments, expected) in [
        ([].as_slice(), "Usage: cargo tourbillon"),
        (&["clock"], "'clocks'"),
        (&["clocks", "--sourc", "instant"], "'--source'"),
        (&["clocks", "--deltas"], "--source <NAME>"),
        (
            &["clocks", "--source", "instantt"],
            "did you mean `instant`?",
        ),
        (
            &["clocks", "--source", "xyz"],
            "unknown source `xyz`; known are ",
        ),
        (&["clocks", "--format", "jsn"], "'json'"),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}");
        assert!(
            ran.stderr.contains(expected),
            "{arguments:?}: {}",
            ran.stderr
        );
        let errors = usize::from(!arguments.is_empty());
        assert_eq!(
            ran.stderr.matches("error: ").count(),
            errors,
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn files_that_are_not_reports_end_with_5_and_are_named() {
    let missing = run(&["clocks", "no-such-file.json"]);
    assert_eq!(missing.code, Some(5));
    assert!(
        missing
            .stderr
            .contains("`no-such-file.json` cannot be read"),
        "{}",
        missing.stderr
    );
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let wrong = run(&["clocks", manifest]);
    assert_eq!(wrong.code, Some(5));
    assert!(
        wrong.stderr.contains("is not a report: it is not JSON"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["clocks", "--help"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
