//! `--same-output`.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;

use super::Place;
use super::interruption::is_gone;
use crate::compare::interrupt;
use crate::program::Ran;

const ONE: [&str; 3] = ["commands", "--runs", "1"];

fn compared(place: &Place, arguments: &[&str]) -> Ran {
    place.run(&[&ONE[..], arguments].concat())
}

#[test]
fn outputs_are_compared() {
    let place = Place::new();
    place.measured(&["--runs", "1", "--same-output", "echo a", "printf 'a\\n'"]);
    let ran = compared(&place, &["--same-output", "echo a", "echo b"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let expected = "\"echo b\" does not write what \"echo a\" writes: in line 1 \"b\" in place of \"a\", after 0 equal bytes";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    // Beyond what is kept of an output.
    let zeros = "head -c 20000000 /dev/zero";
    place.measured(&["--runs", "1", "--same-output", zeros, zeros]);
    let longer = "head -c 20000001 /dev/zero";
    let ran = compared(&place, &["--same-output", zeros, longer]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let expected = "they write 20000001 and 20000000 bytes";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn outputs_go_to_their_own_files_and_nowhere_else() {
    let place = Place::new();
    let temporary = place.path("temporary");
    fs::create_dir(&temporary).expect("a folder");
    // The commands see what is in the temporary folder while they run.
    let mut command = place.command(&[
        "commands",
        "--runs",
        "1",
        "--same-output",
        "ls temporary",
        "true",
    ]);
    let ran: Ran = command
        .env("TMPDIR", &temporary)
        .output()
        .expect("it runs")
        .into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_dir(&temporary).expect("a folder").count(), 0);
    // No temporary folder is needed.
    let mut command = place.command(&["commands", "--runs", "1", "--same-output", "true", "true"]);
    let ran: Ran = command
        .env("TMPDIR", place.path("nowhere"))
        .output()
        .expect("it runs")
        .into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    place.measured(&[
        "--runs",
        "1",
        "--same-output",
        "--output",
        "out",
        "--conclude",
        "cp out copy",
        "echo a",
        "echo a",
    ]);
    for name in ["out", "copy"] {
        assert_eq!(fs::read_to_string(place.path(name)).expect("a file"), "a\n");
    }
    let ran = compared(
        &place,
        &["--same-output", "--output", "/dev/full", "echo a", "true"],
    );
    assert!(ran.stderr.contains("does not write what"), "{}", ran.stderr);
}

#[test]
fn what_does_not_end_is_ended() {
    let place = Place::new();
    for (arguments, expected) in [
        (
            &["--same-output=1MiB", "yes", "yes"][..],
            "\"yes\" writes more than 1.0 MiB to stdout and was ended; raise the limit with --same-output=SIZE",
        ),
        (
            &["--same-output=1MiB", "--output", "out", "yes", "yes"],
            "\"yes\" writes more than 1.0 MiB",
        ),
        (
            &["--same-output", "true", "sh -c 'yes >&2'"],
            "wrote more than 64 MiB to stderr and was ended",
        ),
        (
            &["sh -c 'yes >&2'"],
            "wrote more than 64 MiB to stderr and was ended",
        ),
        (
            &[
                "--same-output",
                "--timeout",
                "300ms",
                "sh -c 'sleep 1003 & echo $! > child; wait'",
                "true",
            ],
            "still ran after 300 ms before the measurement and was ended; --same-output waits for its end; raise the \
             limit with --timeout",
        ),
    ] {
        let ran = compared(&place, arguments);
        assert_eq!(ran.code, Some(3), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    let written = place.path("out").metadata().expect("a file").len();
    assert!(written <= 2 << 20, "{written}");
    assert!(is_gone(&place.path("child")));
    // What a command leaves behind goes on writing, and is not waited for.
    place.measured(&[
        "--runs",
        "1",
        "--same-output",
        "sh -c 'sleep 2 & echo a'",
        "echo a",
    ]);
}

#[test]
fn what_was_set_up_is_cleaned_up() {
    let place = Place::new();
    let ran = compared(
        &place,
        &[
            "--same-output=1MiB",
            "--setup",
            "echo setup >> log",
            "--cleanup",
            "echo cleanup >> log",
            "yes",
        ],
    );
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let log = fs::read_to_string(place.path("log")).expect("a log");
    assert_eq!(log, "setup\ncleanup\n");
}

#[test]
fn what_surrounds_a_command_fails_by_its_flag_and_is_cleaned_up() {
    let place = Place::new();
    let flags = [
        "--setup",
        "touch there",
        "--prepare",
        "false",
        "--cleanup",
        "rm there",
    ];
    let ran = compared(
        &place,
        &[&["--same-output"], &flags[..], &["true"]].concat(),
    );
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("--prepare of true exited with code 1"),
        "{}",
        ran.stderr
    );
    assert!(!place.path("there").exists());
}

#[test]
fn ignored_failures_are_compared() {
    let place = Place::new();
    let line = "sh -c 'echo a; exit 3'";
    let ran = compared(&place, &["--same-output", line, line]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("exited with code 3"), "{}", ran.stderr);
    place.measured(&["--runs", "1", "--same-output", "-i", line, line]);
    place.measured(&[
        "--runs",
        "1",
        "--same-output",
        "--ignore-failure=3",
        line,
        "echo a",
    ]);
}

#[test]
fn an_interrupt_ends_what_is_compared() {
    let place = Place::new();
    let line = "sh -c 'echo $$ > child; touch waits; exec sleep 1004'";
    let mut command = place.command(&["commands", "--same-output", line, "true"]);
    let mut child = command
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    for _ in 0..3_000 {
        if place.path("waits").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    interrupt(&mut child);
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(is_gone(&place.path("child")));
}
