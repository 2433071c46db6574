//! `tourbillon commands` with real processes, and its records.

mod ends;
mod exports;
mod hostile;
mod interruption;
mod records;
mod same_output;
mod words;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tourbillon_record::Run;

use crate::program::Ran;

/// A folder in which commands run, and their records.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tourbillon"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .env("TOURBILLON_STORE", self.path("store"))
            .env("TOURBILLON_LOCK", "none")
            .env("TERM", "dumb");
        for name in ["NO_COLOR", "LC_ALL", "LANG", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output();
        output.expect("the program starts").into()
    }

    /// Measures commands, which must succeed.
    fn measured(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(&[&["commands"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        ran
    }

    /// The records, the newest last.
    fn records(&self) -> Vec<Run> {
        let folder = self.path("store/commands/runs/commands/commands");
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .expect("a store")
            .map(|file| file.expect("a file").path())
            .collect();
        files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
        files.sort();
        let read = |file: &PathBuf| Run::parse_bytes(&fs::read(file).expect("a file"));
        files
            .iter()
            .map(|file| read(file).expect("a record"))
            .collect()
    }
}

#[test]
fn two_commands_have_figures_a_verdict_and_a_record() {
    let place = Place::new();
    let ran = place.measured(&["--runs", "20", "true", "sleep 0.02"]);
    for expected in [
        "sleep 0.02 is ",
        "slower than true (",
        // Of 20, but of those that other programs disturbed.
        " rounds",
        "an empty program (true) takes",
    ] {
        // Rounds that other programs disturbed have no part in verdicts.
        let holds = ran.stdout.contains(expected) || ran.stdout.contains("busy");
        assert!(holds, "{expected}: {}", ran.stdout);
    }
    let run = place.records().pop().expect("a record");
    assert_eq!(run.rounds.len(), 1);
    assert_eq!(run.rounds[0].ticks.len(), 40);
    let processes = run.rounds[0].processes.as_ref().expect("columns");
    assert!(processes.exit_codes.iter().all(|code| *code == 0));
    // A process has at least some pages.
    assert!(processes.peak_bytes.iter().all(|bytes| *bytes >= 64 << 10));
    assert_eq!(run.verdicts.len(), 1);
    assert_eq!(run.verdicts[0].method, "paired-commands-signed-rank-1");
    assert_eq!(run.end.map(|end| end.launches), Some(40));
    let command = run.cases[1].command.as_ref().expect("a command");
    assert_eq!(command.arguments, ["sleep", "0.02"]);
}

#[test]
fn flags_and_variables_reach_the_commands() {
    let place = Place::new();
    place.file("in", "two words\n");
    fs::create_dir(place.path("sub")).expect("a folder");
    place.file("sub/here", "");
    let both = [
        "--runs", "1", "--env", "B=2", "--input", "in", "--folder", "sub",
    ];
    let line = "A='a b' sh -c 'test \"$A$B\" = \"a b2\" && read x && test \"$x\" = \"two words\" && test -f here'";
    place.measured(&[&both[..], &[line]].concat());
    // A shell is there only where one was requested.
    place.measured(&[
        "--runs",
        "1",
        "--shell",
        "sh",
        "test 1 = 1 && exit 0; exit 1",
    ]);
    let lines = ["touch ran", "test 1 = 1 && exit 0"];
    let ran = place.run(&[
        "commands", "--runs", "1", "--setup", lines[0], lines[0], lines[1],
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("has \"&&\", which only a shell"),
        "{}",
        ran.stderr
    );
    assert!(!place.path("ran").exists(), "nothing runs before a refusal");
    let literal = place.run(&["commands", "--runs", "1", "-N", lines[1]]);
    assert_eq!(literal.code, Some(3), "{}", literal.stderr);
    let file = place.path("out");
    let output = ["--output", file.to_str().expect("text")];
    place.measured(&[&output[..], &["--runs", "2", "echo one"]].concat());
    assert_eq!(fs::read_to_string(file).expect("a file"), "one\n");
}

#[test]
fn what_surrounds_a_run_is_run_in_order() {
    let place = Place::new();
    place.measured(&[
        "--runs",
        "2",
        "--warmup",
        "1",
        "--setup",
        "echo setup >> log",
        "--prepare",
        "echo prepare {n} >> log",
        "--conclude",
        "echo conclude >> log",
        "--cleanup",
        "echo cleanup >> log",
        "-L",
        "n",
        "7",
        "sh -c 'echo run {n} $HYPERFINE_ITERATION >> log'",
    ]);
    let log = fs::read_to_string(place.path("log")).expect("a log");
    let one = |iteration| format!("prepare 7\nrun 7 {iteration}\nconclude\n");
    let expected = format!("setup\n{}{}{}cleanup\n", one(0), one(0), one(1));
    assert_eq!(log, expected);
}

#[test]
fn a_failing_command_is_an_error_with_the_end_of_its_stderr() {
    let place = Place::new();
    let fails = "sh -c 'echo first >&2; echo the reason >&2; exit 7'";
    let ran = place.run(&["commands", "true", fails]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let text = ran.stdout.replace('\n', " ") + &ran.stderr;
    for expected in [
        "exited with code 7",
        "first | the reason",
        "--ignore-failure",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let killed = place.run(&["commands", "sh -c 'kill -9 $$'"]);
    assert_eq!(killed.code, Some(3));
    assert!(
        killed.stderr.contains("was ended by signal 9"),
        "{}",
        killed.stderr
    );
    let ignored = place.measured(&["--runs", "3", "--ignore-failure", fails]);
    assert!(
        ignored
            .stdout
            .contains("3 runs exited with a code other than 0 and are included"),
        "{}",
        ignored.stdout
    );
    place.measured(&["--runs", "3", "--ignore-failure=7,8", fails]);
    let other = place.run(&["commands", "--runs", "3", "-i=8", fails]);
    assert_eq!(other.code, Some(3), "{}", other.stdout);
    let setup = place.run(&["commands", "--setup", "exit 4", "true"]);
    assert!(
        setup.stderr.contains("--setup of true exited with code 4"),
        "{}",
        setup.stderr
    );
}

#[test]
fn mistakes_name_what_to_do() {
    let place = Place::new();
    place.file("script", "echo a script without an interpreter\n");
    let chmod = Command::new("chmod")
        .arg("+x")
        .arg(place.path("script"))
        .status();
    assert!(chmod.expect("it runs").success());
    for (arguments, code, expected) in [
        (
            &["no-such-program"][..],
            1,
            "there is no program \"no-such-program\"",
        ),
        (&["echo 'a"], 1, "quotation mark"),
        (&["./script"], 3, "use --shell sh"),
        (
            &["--input", "nothing", "true"],
            5,
            "the input \"nothing\" cannot be read",
        ),
        (
            &["--folder", "nowhere", "true"],
            5,
            "the folder \"nowhere\" cannot be entered",
        ),
        (
            &["--style", "basic", "true"],
            1,
            "write tourbillon commands --color never true",
        ),
        (
            &["-u", "second", "-S", "a | b"],
            1,
            "the unit fits the size; write tourbillon commands -S 'a | b'",
        ),
        (
            &["--export-asciidoc", "x", "true"],
            1,
            "write tourbillon commands --export-markdown x true",
        ),
        (&["-S", "bash", "true"], 1, "write --shell bash"),
        (
            &["--metrics", "instructions", "true"],
            1,
            "write --metrics time_wall_clock",
        ),
        (
            &["-P", "n", "1", "9", "-D", "0", "echo {n}"],
            1,
            "change -D",
        ),
    ] {
        let ran = place.run(&[&["commands"], arguments].concat());
        assert_eq!(
            ran.code,
            Some(code),
            "{arguments:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
}

#[test]
fn peak_memory_is_that_of_each_process() {
    let place = Place::new();
    let large = "dd if=/dev/zero of=/dev/null bs=100M count=1";
    place.measured(&["--runs", "5", large, "true"]);
    let run = place.records().pop().expect("a record");
    let processes = run.rounds[0].processes.as_ref().expect("columns");
    for (arm, bytes) in run.rounds[0].arm.iter().zip(&processes.peak_bytes) {
        let mib = bytes >> 20;
        match arm {
            0 => assert!((100..110).contains(&mib), "{mib} MiB"),
            _ => assert!(mib < 10, "{mib} MiB"),
        }
    }
}

#[test]
fn the_tool_without_cargo_has_what_needs_none() {
    let place = Place::new();
    let help = place.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for subcommand in ["commands", "show", "report", "explain", "clocks", "doctor"] {
        assert!(
            help.stdout.contains(&format!("  {subcommand} ")),
            "{}",
            help.stdout
        );
    }
    assert!(!help.stdout.contains("  compare "), "{}", help.stdout);
    let nothing = place.run(&["show"]);
    assert_eq!(nothing.code, Some(5));
    assert!(
        nothing.stderr.contains("`tourbillon commands` makes one"),
        "{}",
        nothing.stderr
    );
}

#[test]
fn a_store_that_cannot_be_created_loses_no_result() {
    let place = Place::new();
    place.file("store", "a file in its place");
    let ran = place.run(&[
        "commands",
        "--runs",
        "3",
        "--export-json",
        "out.json",
        "true",
    ]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stdout.contains("true"), "{ran:?}");
    assert!(place.path("out.json").exists());
    assert!(
        ran.stderr.contains("not stored: cannot create \""),
        "{ran:?}"
    );
    // A command that fails is no more severe.
    let failing = place.run(&["commands", "--runs", "3", "-i", "false"]);
    assert_eq!(failing.code, Some(5), "{failing:?}");
}

#[test]
fn an_input_may_come_from_the_set_up() {
    let place = Place::new();
    let words = ["--setup", "echo x >made", "--input", "made", "cat"];
    place.measured(&[&["--runs", "4"], &words[..]].concat());
}

#[test]
fn programs_are_found_beside_folders_whose_names_are_no_text() {
    let place = Place::new();
    let mut path = std::env::var_os("PATH").expect("a search path");
    path.push(std::ffi::OsStr::from_bytes(b":/\xff"));
    let mut command = place.command(&["commands", "--runs", "4", "true"]);
    let ran: Ran = command
        .env("PATH", path)
        .output()
        .expect("it starts")
        .into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn no_name_is_a_command_of_the_runner_of_a_job() {
    let place = Place::new();
    let name = "::error file=a::b";
    let measured = ["commands", "--runs", "4", "-n", name, "true"];
    // In its row, and in the answer.
    for (variable, expected) in [("GITHUB_ACTIONS", 0), ("OTHER", 2)] {
        let mut command = place.command(&measured);
        command.env_remove("GITHUB_ACTIONS").env(variable, "true");
        let ran: Ran = command.output().expect("it starts").into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let lines = ran.stdout.lines();
        let commands = lines.filter(|line| line.trim_start().starts_with("::"));
        assert_eq!(commands.count(), expected, "{}", ran.stdout);
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
}
