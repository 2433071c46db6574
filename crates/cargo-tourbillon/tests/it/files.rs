//! Files that are no files, outputs that are inputs, and lines that cannot be right.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use tourbillon_record::Entry;

use crate::compare::interrupt;
use crate::folder::{Folder, run};
use crate::pipe::Pipe;
use crate::program::{Ran, command};
use crate::records::{header, lines};

fn record() -> String {
    let header = header(1, "model A");
    let mut text = Entry::Header(&header).encode() + "\n";
    for line in lines(&header, 100) {
        text += &(line.encode() + "\n");
    }
    text
}

#[test]
fn an_output_is_no_input() {
    let folder = Folder::new("outputs");
    let text = record();
    let write = |name: &str| fs::write(folder.join(name), &text).expect("a record");
    write("r.jsonl");
    symlink("r.jsonl", folder.join("link")).expect("a link");
    fs::hard_link(folder.join("r.jsonl"), folder.join("hard")).expect("a link");
    for output in ["r.jsonl", "./r.jsonl", "link", "hard"] {
        for task in [
            &["report", "r.jsonl", "-o", output][..],
            &["export", "--format", "bmf", "r.jsonl", "-o", output],
            &["export", "--format", "csv", "link", "-o", output],
            &["merge", "r.jsonl", "-o", output],
            &["merge", ".", "-o", "r.jsonl"],
        ] {
            let ran = run(&folder, task);
            assert_eq!(ran.code, Some(1), "{task:?}: {ran:?}");
            assert!(
                ran.stderr.contains("name another"),
                "{task:?}: {}",
                ran.stderr
            );
            let kept = fs::read_to_string(folder.join("r.jsonl")).expect("a record");
            assert_eq!(kept, text, "{task:?}");
        }
    }
    // Another file is replaced as a whole, and nothing is left beside it.
    let before = fs::read_dir(&*folder).expect("a folder").count();
    for _ in 0..2 {
        let ran = run(
            &folder,
            &["export", "--format", "csv", "r.jsonl", "-o", "out.csv"],
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    assert_eq!(
        fs::read_dir(&*folder).expect("a folder").count(),
        before + 1
    );
    let ran = run(
        &folder,
        &["export", "--format", "csv", "r.jsonl", "-o", "/dev/stdout"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let out = fs::read_to_string(folder.join("out.csv")).expect("a file");
    assert_eq!(ran.stdout, out);
}

#[test]
fn what_a_repository_names_is_a_regular_file() {
    let folder = Folder::new("pipes");
    fs::write(folder.join("r.jsonl"), record()).expect("a record");
    let init = Command::new("git")
        .args(["init", "-q"])
        .current_dir(&*folder)
        .status();
    assert!(init.expect("git").success());
    Pipe::make(folder.join("pipe"));
    let history = ["--history", "h"];
    for (name, target, task) in [
        (
            "tourbillon-accepted.toml",
            "pipe",
            &["history", "changes"][..],
        ),
        (
            "tourbillon-accepted.toml",
            "/dev/zero",
            &["history", "changes"],
        ),
        ("tourbillon.toml", "pipe", &["show"]),
        ("tourbillon.toml", "/dev/zero", &["show"]),
    ] {
        symlink(target, folder.join(name)).expect("a link");
        let history = if task[0] == "history" {
            &history[..]
        } else {
            &[]
        };
        let ran = run(&folder, &[task, history].concat());
        assert!(matches!(ran.code, Some(1 | 5)), "{name}: {ran:?}");
        assert!(
            ran.stderr.contains("is a link, which is not followed"),
            "{name}: {}",
            ran.stderr
        );
        fs::remove_file(folder.join(name)).expect("removed");
    }
}

#[test]
fn what_a_user_names_may_be_a_pipe_and_is_limited() {
    let folder = Folder::new("named-pipes");
    let text = record();
    fs::write(folder.join("r.jsonl"), &text).expect("a record");
    let from_file = run(&folder, &["show", "r.jsonl"]);
    assert_eq!(from_file.code, Some(0), "{from_file:?}");
    let mut show = command(&["tourbillon", "show", "-"]);
    let file = fs::File::open(folder.join("r.jsonl")).expect("a record");
    let from_stdin = show.current_dir(&*folder).stdin(file).output();
    assert_eq!(
        Ran::from(from_stdin.expect("it starts")).stdout,
        from_file.stdout
    );
    Pipe::make(folder.join("pipe"));
    let mut writer = Command::new("cp")
        .args(["r.jsonl", "pipe"])
        .current_dir(&*folder)
        .spawn()
        .expect("cp");
    assert_eq!(run(&folder, &["show", "pipe"]).stdout, from_file.stdout);
    assert!(writer.wait().expect("cp ends").success());
    // One that does not end.
    let ran = run(&folder, &["show", "/dev/zero"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("more than 128 MiB"), "{}", ran.stderr);
    let ran = run(&folder, &["show", "."]);
    assert!(ran.stderr.contains("it is a folder"), "{ran:?}");
}

/// Starts a command, waits until a file is there, interrupts it and waits for its end.
fn interrupted(folder: &Folder, mut started: Command, ready: &str) -> Ran {
    let mut child = started
        .current_dir(&**folder)
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    for _ in 0..3_000 {
        if folder.join(ready).exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // It waits for the other end of the pipe, or is about to.
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&mut child);
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn a_pipe_without_another_end_can_be_interrupted() {
    let folder = Folder::new("interrupts");
    Pipe::make(folder.join("pipe"));
    let ran = interrupted(&folder, command(&["tourbillon", "show", "pipe"]), "pipe");
    assert_eq!(ran.code, Some(130), "{ran:?}");
    for flag in ["--input", "--output"] {
        let ready = format!("ready{flag}");
        let prepare = format!("touch {ready}");
        let mut measured = Command::new(env!("CARGO_BIN_EXE_tourbillon"));
        measured
            .args([
                "commands",
                "--no-wait",
                flag,
                "./pipe",
                "--prepare",
                &prepare,
                "--warmup",
                "0",
                "cat",
            ])
            .env("TOURBILLON_STORE", folder.join("store"))
            .env("TOURBILLON_LOCK", "none")
            .stdin(Stdio::null());
        let ran = interrupted(&folder, measured, &ready);
        assert_eq!(ran.code, Some(130), "{flag}: {ran:?}");
    }
}

#[test]
fn a_command_does_not_write_what_one_reads() {
    let folder = Folder::new("commands-outputs");
    fs::write(folder.join("data"), "kept").expect("a file");
    symlink("data", folder.join("link")).expect("a link");
    for output in [["--output", "link"], ["--export-json", "./data"]] {
        let mut measured = Command::new(env!("CARGO_BIN_EXE_tourbillon"));
        measured
            .args(["commands", "--runs", "1", "--input", "data"])
            .args(output)
            .arg("cat");
        measured
            .env("TOURBILLON_STORE", folder.join("store"))
            .env("TOURBILLON_LOCK", "none");
        let ran: Ran = measured
            .current_dir(&*folder)
            .output()
            .expect("it starts")
            .into();
        assert_eq!(ran.code, Some(1), "{output:?}: {ran:?}");
        assert_eq!(
            fs::read_to_string(folder.join("data")).expect("a file"),
            "kept"
        );
    }
}

#[test]
fn a_record_with_an_impossible_line_is_refused() {
    let folder = Folder::new("impossible");
    let text = record();
    let line = text
        .lines()
        .position(|line| line.contains("\"type\":\"result\""))
        .expect("a result");
    let of_result = text.lines().nth(line).expect("a result");
    let from = of_result.find("\"lower\":").expect("an interval") + 8;
    let end = of_result[from..].find(',').expect("another member");
    let mut wrong = of_result.to_owned();
    wrong.replace_range(from..from + end, "1e300");
    fs::write(folder.join("r.jsonl"), text.replacen(of_result, &wrong, 1)).expect("a record");
    for task in [
        &["show", "r.jsonl"][..],
        &["show", "--plot", "r.jsonl"],
        &["report", "r.jsonl", "-o", "page.html"],
        &["export", "--format", "csv", "r.jsonl"],
        &["history", "add", "r.jsonl", "--history", "h"],
    ] {
        let ran = run(&folder, task);
        assert_eq!(ran.code, Some(5), "{task:?}: {ran:?}");
        for part in [
            "\"r.jsonl\" cannot be read: line ",
            "field `lower` is 1e300",
        ] {
            assert!(ran.stderr.contains(part), "{task:?}: {}", ran.stderr);
        }
    }
}
