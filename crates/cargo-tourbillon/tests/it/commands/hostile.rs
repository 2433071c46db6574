//! What commands write and are called, and what a machine does not permit.

use std::fs;
use std::process::Command;

use super::Place;
use crate::program::Ran;

/// Writes what a terminal obeys: a title, a bell, colours, marks of direction, C1, a carriage return.
const OBEYED: &str = r"printf '\033]0;title\007\033[31mred\r\t\342\200\256mark\302\233\342\200\213end\nlast\n' >&2; exit 1";

/// Whether a text has nothing that a terminal obeys, except tabs and line feeds.
fn is_plain(text: &str) -> bool {
    let obeyed = |c: char| {
        let is_mark = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        is_mark || c.is_control() && c != '\n' && c != '\t'
    };
    !text.contains(obeyed)
}

#[test]
fn what_failing_commands_write_is_escaped() {
    let place = Place::new();
    place.file("fails", &format!("#!/bin/sh\n{OBEYED}\n"));
    place.file("name\u{202e}\u{1b}[31m", "");
    for arguments in [
        &["sh fails"][..],
        &["true", "sh fails"],
        &["--same-output", "sh fails", "true"],
        &["--prepare", "sh fails", "true"],
        &["--setup", "sh fails", "--same-output", "true", "true"],
        &["--input", "none\u{202e}\u{1b}[31m\u{9b}", "true"],
        &["--folder", "none\u{202e}\u{1b}[31m\n", "true"],
        &["-n", "\u{1b}]0;a\u{7}\u{200b}", "sh fails"],
        &["-n", "\u{1b}]0;a\u{7}\u{200b}", "true"],
        &["\u{1b}]0;a\u{7}"],
        &["--env", "\u{1b}[31m", "true"],
        &["-L", "\u{1b}[31m{", "1", "true"],
        &["-P", "\u{1b}[31m", "1", "\u{202e}", "true"],
        &["--shell", "\u{1b}[31m'", "true"],
        &["--export-json", "none/\u{1b}[31m", "true"],
        &["--store", "/dev/null/\u{1b}[31m\u{202e}", "true"],
    ] {
        let ran = place.run(&[&["commands", "--runs", "2"], arguments].concat());
        assert!(!ran.stdout.is_empty() || !ran.stderr.is_empty());
        for text in [&ran.stdout, &ran.stderr] {
            assert!(is_plain(text), "{arguments:?}: {text:?}");
        }
    }
    let ran = place.run(&["commands", "--same-output", "sh fails", "true"]);
    let expected = r"\u{1b}]0;title\u{7}\u{1b}[31mred\r";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    let expected =
        " \\u{202e}mark\\u{9b}\\u{200b}end | last; correct it, or measure it nevertheless with";
    let words = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(expected.trim()), "{}", ran.stderr);
}

#[test]
fn what_the_machine_does_not_permit_has_a_code_of_its_own() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_tourbillon");
    for limit in 5..12 {
        let line =
            format!("ulimit -n {limit}; exec \"$0\" commands --runs 2 --same-output true true");
        let plain = place.command(&[]);
        let mut command = Command::new("sh");
        command
            .args(["-c", &line, program])
            .current_dir(place.folder.path());
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let ran: Ran = command.output().expect("a shell").into();
        let is_limited = ran.stderr.contains("os error 24") || ran.stderr.contains("open files");
        let is_fine = ran.code == Some(0);
        assert!(
            is_fine || is_limited && ran.code == Some(5),
            "{limit}: {:?} {}",
            ran.code,
            ran.stderr
        );
        assert!(limit > 7 || !is_fine, "{limit}");
    }
    // The figures are printed all the same.
    let ran = place.run(&["commands", "--runs", "2", "--store", "/dev/null", "true"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("2 runs") && ran.stderr.contains("not stored: "),
        "{}",
        ran.stderr
    );
    let place = Place::new();
    fs::create_dir(place.path("none")).expect("a folder");
    let export = ["--export-csv", "none/a", "--cleanup", "rmdir none"];
    let ran = place.run(&[&["commands", "--runs", "2"][..], &export, &["true"]].concat());
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert_eq!(
        place.records().len(),
        1,
        "an export that fails costs no record"
    );
}

#[test]
fn a_scan_of_too_many_values_is_refused() {
    let place = Place::new();
    let (least, most) = ("-9223372036854775808", "9223372036854775807");
    for (arguments, expected) in [
        (
            &["-P", "n", least, most, "echo {n}"][..],
            "-P n has 18446744073709551616 values, at most 250",
        ),
        (
            &["-P", "n", "1", "9", "-D", "-1", "echo {n}"],
            "the step must lead from the first value to the last",
        ),
        (&["-L", "n", "", "echo {n}"], "-L n has no values"),
    ] {
        let ran = place.run(&[&["commands", "--runs", "1"], arguments].concat());
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    // Without a parameter, braces are part of the command.
    place.measured(&["--runs", "1", "test {n} = {n}"]);
}

#[test]
fn a_name_of_any_length_costs_no_result() {
    let place = Place::new();
    let name = format!("begin{}end", "x".repeat(70_000));
    let ran = place.measured(&["--runs", "2", "-n", &name, "-n", "other", "true", "true"]);
    assert!(
        ran.stdout.contains("begin") && ran.stdout.contains("end"),
        "{}",
        ran.stdout
    );
    let run = place.records().pop().expect("a record");
    assert_eq!(run.cases[0].id, name);
    for arguments in [&["show"][..], &["explain", "other"], &["explain", &name]] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let record: Vec<String> = fs::read_dir(place.path("store/commands/runs/commands/commands"))
        .expect("a store")
        .map(|file| file.expect("a file").path().display().to_string())
        .filter(|file| file.ends_with("jsonl"))
        .collect();
    for format in ["csv", "md", "gnuplot"] {
        let ran = place.run(&["show", &record[0], "--format", format]);
        assert_eq!(ran.code, Some(0), "{format}: {}", ran.stderr);
        // Formats for programs have the whole name.
        assert!(format != "csv" || ran.stdout.contains(&name));
    }
}
