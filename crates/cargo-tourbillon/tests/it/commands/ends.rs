//! Commands that do not end with their group, and what they leave behind.

use std::fs;
use std::process::{Child, Command, Stdio};

use super::Place;
use crate::pipe::Pipe;
use crate::process::{ended, signal, until};

/// A program that takes the group of the one that started it, and waits.
const MOVES: &str =
    "perl -e 'setpgrp(0, getpgrp(getppid())); print \"$$\\n\"; close STDOUT; sleep 300'";

fn started(place: &Place, arguments: &[&str]) -> Child {
    let mut command = place.command(&[&["commands"], arguments].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn text_of(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap_or_default()
}

#[test]
fn a_command_that_leaves_its_group_is_ended() {
    let place = Place::new();
    let child = started(
        &place,
        &[
            "--runs",
            "1",
            "--timeout",
            "300ms",
            "--output",
            "process",
            MOVES,
        ],
    );
    let ran = ended(child);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("and was ended"), "{}", ran.stderr);
    fs::remove_file(place.path("process")).expect("a file");
    let child = started(&place, &["--runs", "1", "--output", "process", MOVES]);
    until("it starts", || text_of(&place, "process").ends_with('\n'));
    assert!(signal("INT", &child.id().to_string()));
    assert_eq!(ended(child).code, Some(130));
    let process = text_of(&place, "process");
    assert!(!signal("KILL", process.trim()), "it went on");
}

#[test]
fn a_command_that_stops_what_started_it_is_ended() {
    let place = Place::new();
    let line = "sh -c 'echo $$ > process; kill -STOP $PPID; exec sleep 300'";
    let child = started(&place, &["--runs", "1", line]);
    until("it starts", || text_of(&place, "process").ends_with('\n'));
    assert!(signal("INT", &child.id().to_string()));
    assert_eq!(ended(child).code, Some(130));
    let process = text_of(&place, "process");
    until("it went on", || !signal("0", process.trim()));
}

/// The process that starts commands is a copy of the launcher, which a command may find as well.
#[test]
fn what_a_command_started_ends_with_what_started_it() {
    for ends in [
        "kill -KILL $PPID",
        "read -r _ _ _ launcher _ < /proc/$PPID/stat; kill -KILL $launcher $PPID",
    ] {
        let place = Place::new();
        place.file(
            "ends",
            &format!("sleep 300 & echo $! > process\n{ends}\nwait\n"),
        );
        let ran = ended(started(&place, &["--runs", "1", "sh ends"]));
        assert_eq!(ran.code, Some(5), "{}", ran.stderr);
        assert!(ran.stderr.contains("is gone"), "{}", ran.stderr);
        let process = text_of(&place, "process");
        until("it went on", || !signal("0", process.trim()));
    }
}

#[test]
fn a_command_has_the_usual_action_of_the_limit_of_files() {
    let place = Place::new();
    let ran = place.run(&["commands", "--runs", "1", "sh -c 'kill -XFSZ $$'"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("was ended by signal 25"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_a_command_leaves_behind_cannot_fill_the_memory() {
    let place = Place::new();
    place.file(
        "leaves",
        "n=0\nwhile [ $n -lt 500000 ]; do\n  echo late >&2 || { touch refused; exit; }\n  n=$((n + 1))\ndone &\n",
    );
    place.measured(&["--runs", "1", "sh leaves"]);
    until("its stderr grows", || place.path("refused").exists());
}

#[test]
fn an_export_to_a_pipe_without_a_reader_can_be_interrupted() {
    let place = Place::new();
    Pipe::make(place.path("pipe"));
    let arguments = ["--runs", "1", "--export-json", "pipe", "true"];
    let mut command = place.command(&[&["commands"], &arguments[..]].concat());
    let errors = fs::File::create(place.path("errors")).expect("a file");
    let child = command
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .expect("the program starts");
    // What was measured is announced first; then it waits for a reader.
    let stat = format!("/proc/{}/stat", child.id());
    let waits = || {
        let stat = fs::read_to_string(&stat).unwrap_or_default();
        text_of(&place, "errors").contains("stored in") && stat.contains(") S ")
    };
    until("it waits", || waits() && waits() && waits());
    assert!(signal("INT", &child.id().to_string()));
    assert_eq!(ended(child).code, Some(130));
}

#[test]
fn no_output_takes_the_place_of_a_program_that_is_measured() {
    let place = Place::new();
    let script = "#!/bin/sh\nexit 0\n";
    fs::create_dir(place.path("folder")).expect("a folder");
    place.file("folder/script", script);
    let made = Command::new("chmod")
        .arg("755")
        .arg(place.path("folder/script"))
        .status();
    assert!(made.expect("chmod starts").success());
    for flag in [
        "--output",
        "--export-json",
        "--export-csv",
        "--export-markdown",
    ] {
        for arguments in [
            &["folder/script"][..],
            // A program is relative to the folder of its command, an output is not.
            &["--folder", "folder", "./script"],
            &["--folder", "folder", "-L", "x", "script", "./{x}"],
            &["--folder", "folder", "--shell", "./script", "true"],
        ] {
            let line = [
                &["commands", "--runs", "1", flag, "folder/script"],
                arguments,
            ]
            .concat();
            let ran = place.run(&line);
            assert_eq!(ran.code, Some(1), "{line:?}: {}", ran.stderr);
            let is_refused = ran.stderr.contains("name another");
            assert!(is_refused, "{line:?}: {}", ran.stderr);
            assert_eq!(text_of(&place, "folder/script"), script, "{line:?}");
        }
    }
}

/// As of a terminal that is closed while its shell passes the signal on.
#[test]
fn a_terminal_that_is_closed_keeps_what_was_measured() {
    let place = Place::new();
    let line = "sh -c 'echo run >> log; [ $(wc -l < log) -lt 13 ] || exec sleep 300'";
    let child = started(&place, &["--runs", "1000", line]);
    until("it waits", || text_of(&place, "log").lines().count() == 13);
    for _ in 0..2 {
        assert!(signal("HUP", &child.id().to_string()));
    }
    let ran = ended(child);
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let run = place.records().pop().expect("a record");
    assert_eq!(run.rounds[0].ticks.len(), 12);
}

#[test]
fn a_signal_that_was_ignored_is_ignored() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_tourbillon");
    let line = format!("trap '' HUP; exec {program} commands --runs 3 'sh waits'");
    place.file(
        "waits",
        "echo run >> log; while [ ! -e go ]; do sleep 0.01; done\n",
    );
    let mut command = Command::new("sh");
    command
        .args(["-c", &line])
        .current_dir(place.folder.path())
        .env("TOURBILLON_STORE", place.path("store"))
        .env("TOURBILLON_LOCK", "none")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("sh starts");
    until("it waits", || text_of(&place, "log").ends_with('\n'));
    assert!(signal("HUP", &child.id().to_string()));
    place.file("go", "");
    let ran = ended(child);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn an_export_that_fails_costs_no_other() {
    let place = Place::new();
    // The folder goes while it is measured.
    fs::create_dir(place.path("none")).expect("a folder");
    let exports = ["--export-json", "none/a", "--export-csv", "b"];
    let ran = place.run(&[&["commands", "--runs", "1", "rmdir none"][..], &exports].concat());
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(ran.stderr.contains("stored in"), "{}", ran.stderr);
    assert!(text_of(&place, "b").starts_with("command,time_wall_clock_unit"));
}

/// On a terminal of its own, which `script` makes.
#[test]
fn a_format_for_programs_is_escaped_on_a_terminal() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_tourbillon");
    let line = format!("{program} commands --runs 1 -n \"$NAME\" --export-csv - true");
    let mut command = Command::new("script");
    command
        .args(["-qec", &line, "/dev/null"])
        .current_dir(place.folder.path())
        .stdin(Stdio::null())
        .env("TOURBILLON_STORE", place.path("store"))
        .env("TOURBILLON_LOCK", "none")
        .env("SHELL", "/bin/sh")
        .env("NAME", "\u{1b}]0;title\u{7}\u{202e}");
    let Ok(output) = command.output() else {
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("command,time_wall_clock_unit"), "{shown}");
    assert!(
        !shown.contains("\u{1b}]0;") && !shown.contains('\u{202e}'),
        "{shown:?}"
    );
    assert!(shown.contains(r"\u{1b}]0;title\u{7}\u{202e},"), "{shown:?}");
    let piped = place.measured(&["--runs", "1", "-n", "\u{202e}", "--export-csv", "-", "true"]);
    // As in all CSV, which people open in a spreadsheet.
    assert!(piped.stdout.contains(r"\u{202e},"), "{piped:?}");
}

/// On a terminal of its own, which `script` makes: in the session of the user the command would be stopped for good.
#[test]
fn a_command_that_reads_the_terminal_fails() {
    let place = Place::new();
    place.file("reads", "read -r line </dev/tty || exit 4\n");
    let program = env!("CARGO_BIN_EXE_tourbillon");
    let line = format!("{program} commands --runs 1 'sh reads'");
    let mut command = Command::new("timeout");
    command
        .args(["60", "script", "-qec", &line, "/dev/null"])
        .current_dir(place.folder.path())
        .stdin(Stdio::null())
        .env("TOURBILLON_STORE", place.path("store"))
        .env("TOURBILLON_LOCK", "none")
        .env("SHELL", "/bin/sh");
    let Ok(output) = command.output() else {
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    if !shown.is_empty() {
        assert_eq!(output.status.code(), Some(3), "{shown}");
        assert!(shown.contains("exited with code"), "{shown}");
        assert!(shown.contains("/dev/tty"), "{shown}");
    }
}

#[test]
fn the_answer_is_the_last_line() {
    let place = Place::new();
    let mut command = place.command(&["commands", "--runs", "20", "true", "sleep 0.02"]);
    let all = fs::File::create(place.path("all")).expect("a file");
    let errors = all.try_clone().expect("a descriptor");
    let status = command.stdout(all).stderr(errors).status();
    assert!(status.expect("the program starts").success());
    let text = text_of(&place, "all");
    let at = |words: &str| text.rfind(words).expect(words);
    assert!(at("stored in ") < at("sleep 0.02"), "{text}");
}
