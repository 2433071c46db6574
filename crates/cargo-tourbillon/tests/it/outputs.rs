//! Outputs that would take the place of what was read, by stdin, from the store or without a case of a filter, and
//! outputs that are no names of files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folder::{Folder, run};
use crate::history::repository;
use crate::program::{Ran, command};
use crate::records::{header, lines, store, store_lines};

/// The text of a stored run, which is copied to some names.
fn copies(folder: &Folder, names: &[&str]) -> String {
    let header = header(1, "model A");
    let path = store_lines(&folder.join("store"), &header, lines(&header, 100));
    let text = fs::read_to_string(path).expect("a record");
    for name in names {
        fs::write(folder.join(name), &text).expect("a record");
    }
    text
}

fn is_refused(ran: &Ran, read: &Path, text: &str) {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("name another"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(read).expect("a record"), text);
}

#[test]
fn stdin_is_an_input() {
    let folder = Folder::new("outputs-stdin");
    let text = copies(&folder, &["r.jsonl"]);
    for task in [
        &["report", "-"][..],
        &["export", "--format", "csv", "-"],
        &["merge", "-"],
    ] {
        let mut started = command(&[&["tourbillon"], task, &["-o", "r.jsonl"]].concat());
        let stdin = fs::File::open(folder.join("r.jsonl")).expect("a record");
        let ran = started.current_dir(&*folder).stdin(stdin).output();
        is_refused(
            &ran.expect("it starts").into(),
            &folder.join("r.jsonl"),
            &text,
        );
    }
}

#[test]
fn what_a_filter_leaves_out_was_read() {
    let folder = Folder::new("outputs-filter");
    let text = copies(&folder, &["a.jsonl"]);
    let other = text.replace("add", "other");
    fs::write(folder.join("b.jsonl"), &other).expect("a record");
    let task = [
        "report", "a.jsonl", "b.jsonl", "--filter", "add", "-o", "b.jsonl",
    ];
    is_refused(&run(&folder, &task), &folder.join("b.jsonl"), &other);
}

#[test]
fn a_stored_run_is_an_input() {
    let folder = Folder::new("outputs-store");
    let header = header(1, "model A");
    for at in ["store", "store/comparisons"] {
        let path = store_lines(&folder.join(at), &header, lines(&header, 100));
        let text = fs::read_to_string(&path).expect("a record");
        let name = path.to_str().expect("a name");
        for task in [&["report"][..], &["export", "--format", "bmf"]] {
            if at == "store/comparisons" && task[0] == "export" {
                continue;
            }
            let words = [task, &["--store", "store", "-o", name]].concat();
            is_refused(&run(&folder, &words), &path, &text);
        }
    }
}

#[test]
fn settings_and_accepted_changes_are_inputs() {
    let folder = Folder::new("outputs-settings");
    copies(&folder, &["r.jsonl"]);
    let settings = folder.join("own.toml");
    fs::write(&settings, "[bench]\n").expect("a file");
    symlink("own.toml", folder.join("link.toml")).expect("a link");
    let named = ["--config", "own.toml", "-o", "link.toml"];
    for task in [
        &["report", "r.jsonl"][..],
        &["export", "--format", "csv", "r.jsonl"],
    ] {
        let ran = run(&folder, &[task, &named].concat());
        is_refused(&ran, &settings, "[bench]\n");
    }
    let nearest = folder.join("tourbillon.toml");
    fs::write(&nearest, "[bench]\n").expect("a file");
    for task in [
        &["commands", "true", "--export-json"][..],
        &["export", "--format", "csv", "r.jsonl", "-o"],
    ] {
        let ran = run(&folder, &[task, &["tourbillon.toml"]].concat());
        is_refused(&ran, &nearest, "[bench]\n");
    }
}

#[test]
fn a_descriptor_is_extended_and_a_folder_of_the_system_is_a_folder() {
    let folder = Folder::new("outputs-descriptors");
    copies(&folder, &["r.jsonl"]);
    let export = ["tourbillon", "export", "--format", "csv", "r.jsonl", "-o"];
    fs::write(folder.join("log"), "kept\n").expect("a file");
    for descriptor in ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"] {
        let mut options = fs::File::options();
        let log = options.append(true).open(folder.join("log"));
        let mut started = command(&[&export[..], &[descriptor]].concat());
        started.current_dir(&*folder).stdout(log.expect("a file"));
        assert!(started.status().expect("it starts").success());
    }
    let log = fs::read_to_string(folder.join("log")).expect("a file");
    assert!(log.starts_with("kept\ncase,group,"), "{log}");
    assert_eq!(log.matches("case,group,").count(), 3, "{log}");
    // As every other path, whatever it begins with.
    let path = fs::canonicalize(folder.join("r.jsonl")).expect("a path");
    let path = format!("/dev/..{}", path.with_extension("csv").display());
    for before in [None, Some("x".repeat(1 << 16))] {
        if let Some(text) = before {
            fs::write(&path, text).expect("a file");
        }
        let ran = run(&folder, &[&export[1..], &[&path]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let text = fs::read_to_string(&path).expect("an export");
        assert!(text.starts_with("case,group,"), "{text}");
        assert!(!text.contains("xxxxxxxx"), "{text}");
    }
}

/// Runs the program where no file may have more than a kibibyte: it fails, and leaves as many files as there were.
fn is_too_large(folder: &Path, words: &[&str]) {
    let files = || fs::read_dir(folder).expect("a folder").count();
    let before = files();
    let program = command(&[]);
    let ran = Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    let ran = Ran::from(ran.expect("a shell"));
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("cannot be written"), "{}", ran.stderr);
    assert_eq!(files(), before, "{words:?}");
}

#[test]
fn a_file_past_the_limit_is_an_error() {
    let folder = Folder::new("outputs-limit");
    copies(&folder, &["r.jsonl"]);
    for words in [
        &["report", "r.jsonl", "-o", "r.html"][..],
        &[
            "export",
            "--format",
            "openmetrics",
            "r.jsonl",
            "-o",
            "r.txt",
        ],
    ] {
        is_too_large(&folder, words);
    }
}

#[test]
fn an_accepted_change_is_added_whole_or_not_at_all() {
    let folder = Folder::new("outputs-accepted");
    repository(&folder);
    let accept = |why: &str| run(&folder, &["history", "accept", "HEAD", "sort", why]);
    let file = folder.join("tourbillon-accepted.toml");
    assert_eq!(accept("it rounds").code, Some(0));
    let before = fs::read_to_string(&file).expect("a file");
    let long = "x".repeat(2_000);
    is_too_large(&folder, &["history", "accept", "HEAD", "sort", &long]);
    assert_eq!(fs::read_to_string(&file).expect("a file"), before);
    assert_eq!(accept("it rounds").code, Some(0));
    let both = fs::read_to_string(&file).expect("a file");
    assert_eq!(both, before.repeat(2));
    for damaged in [
        "accepted = []\n",
        "x = \"\"\"\n",
        "[[accepted]]\n",
        "why = \"\n",
    ] {
        fs::write(&file, damaged).expect("a file");
        let ran = accept("it rounds");
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("tourbillon-accepted.toml"), "{ran:?}");
        assert_eq!(fs::read_to_string(&file).expect("a file"), damaged);
    }
    fs::remove_file(&file).expect("removed");
    symlink("elsewhere", &file).expect("a link");
    let ran = accept("it rounds");
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("not followed"), "{ran:?}");
    assert!(!folder.join("elsewhere").exists());
}

#[test]
fn changes_that_are_accepted_at_once_are_all_kept() {
    let folder = Folder::new("outputs-at-once");
    repository(&folder);
    let reasons: Vec<String> = (0..16).map(|number| format!("reason {number}")).collect();
    let accepted = reasons.iter().map(|why| {
        let mut accept = command(&["tourbillon", "history", "accept", "HEAD", "sort", why]);
        accept.current_dir(&*folder).stdout(Stdio::null());
        accept.spawn().expect("it starts")
    });
    for mut accept in accepted.collect::<Vec<_>>() {
        assert!(accept.wait().expect("it ends").success());
    }
    let text = fs::read_to_string(folder.join("tourbillon-accepted.toml")).expect("a file");
    for why in reasons {
        assert!(text.contains(&format!("\"{why}\"")), "{text}");
    }
}

#[test]
fn a_baseline_is_exported_as_a_whole_or_not_at_all() {
    let folder = Folder::new("outputs-baseline");
    store(&folder.join("store"), 1, 100, Some("main"));
    is_too_large(
        &folder,
        &["baselines", "--store", "store", "export", "main", "x.jsonl"],
    );
    // A link leads nowhere, and stays.
    symlink("elsewhere", folder.join("x.jsonl")).expect("a link");
    let words = ["baselines", "--store", "store", "export", "main", "x.jsonl"];
    let ran = run(&folder, &words);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("exists; name another"),
        "{}",
        ran.stderr
    );
    assert!(!folder.join("elsewhere").exists());
}

#[test]
fn no_link_of_a_repository_leads_to_an_output() {
    let folder = Folder::new("outputs-links");
    let text = copies(&folder, &["r.jsonl"]);
    repository(&folder);
    fs::create_dir(folder.join("other")).expect("a folder");
    fs::create_dir(folder.join("plain")).expect("a folder");
    fs::write(folder.join("other/file"), "kept").expect("a file");
    for (name, to) in [
        ("away", "other"),
        ("file", "other/file"),
        ("plain/shop_checkout", "../other"),
    ] {
        symlink(to, folder.join(name)).expect("a link");
        let added = Command::new("git")
            .args(["add", name])
            .current_dir(&*folder)
            .status();
        assert!(added.expect("git starts").success());
    }
    let criterion = ["export", "--format", "criterion", "r.jsonl", "-o"];
    let csv = ["export", "--format", "csv", "r.jsonl", "-o"];
    for (task, output) in [
        (&criterion[..], "away/"),
        (&criterion, "new/../away"),
        (&criterion, "plain"),
        (&csv, "away/new"),
        (&csv, "file"),
        (&["report", "r.jsonl", "-o"], "file"),
        (&["report", "r.jsonl", "-o", "new.html", "--svg"], "away/"),
        (&["bundle"], "away/new"),
    ] {
        let ran = run(&folder, &[task, &[output]].concat());
        assert_eq!(ran.code, Some(5), "{task:?} {output}: {ran:?}");
        let refused = "is a link";
        assert!(ran.stderr.contains(refused), "{task:?} {output}: {ran:?}");
        let kept = fs::read_to_string(folder.join("other/file")).expect("a file");
        assert_eq!(kept, "kept", "{task:?} {output}");
        let others = fs::read_dir(folder.join("other"))
            .expect("a folder")
            .count();
        assert_eq!(others, 1, "{task:?} {output}");
    }
    assert_eq!(
        fs::read_to_string(folder.join("r.jsonl")).expect("a record"),
        text
    );
}

#[test]
fn the_name_of_a_baseline_leads_out_of_no_folder() {
    let folder = Folder::new("outputs-names");
    for name in ["../../../up", "...", "a/b"] {
        store(&folder.join("store"), 1, 100, Some(name));
        let named = ["--store", "store", "-o", "out", "--", name];
        let words = [&["export", "--format", "criterion"][..], &named].concat();
        let ran = run(&folder, &words);
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
    }
    // Two records of one name would be one baseline.
    let words = ["export", "--format", "criterion", "r.jsonl", "./r.jsonl"];
    copies(&folder, &["r.jsonl"]);
    let ran = run(&folder, &[&words[..], &["-o", "twice"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("rename one"), "{}", ran.stderr);
    fs::remove_file(folder.join("r.jsonl")).expect("removed");
    let names: Vec<_> = fs::read_dir(&*folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_bundle_takes_the_place_of_a_bundle_only() {
    let folder = Folder::new("bundle-in-place");
    for name in ["Cargo.toml", "data.tar.gz"] {
        fs::write(folder.join(name), "kept").expect("a file");
        let ran = run(&folder, &["bundle", name]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("is no bundle"), "{ran:?}");
        let kept = fs::read_to_string(folder.join(name)).expect("a file");
        assert_eq!(kept, "kept");
    }
}

/// What a job prints is its log, which GitHub's and Azure's runners read for commands.
#[test]
fn no_output_is_a_command_of_a_runner() {
    let folder = Folder::new("outputs-commands");
    let text = copies(&folder, &[]).replace("add", "##[error]x ##vso[task.y]z");
    fs::write(folder.join("r.jsonl"), &text).expect("a record");
    let formed = |words: &[&str], stdout: Stdio| -> Ran {
        let mut command = command(&[&["tourbillon"], words, &["r.jsonl"]].concat());
        command
            .env("GITHUB_ACTIONS", "true")
            .env("TF_BUILD", "True");
        let started = command.current_dir(&*folder).stdout(stdout).spawn();
        let output = started.and_then(|child| child.wait_with_output());
        output.expect("it ends").into()
    };
    let show = ["text", "md", "csv", "json", "html"].map(|format| ["show", "--format", format]);
    let export = [
        "libtest",
        "bmf",
        "openmetrics",
        "gnuplot",
        "google-benchmark",
        "json",
    ];
    let export = export.map(|format| ["export", "--format", format]);
    for words in show.iter().chain(&export) {
        let ran = formed(words, Stdio::piped());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.contains("task.y"), "{ran:?}");
        let is_command = ["##[", "##vso["]
            .iter()
            .any(|begin| ran.stdout.contains(begin));
        assert!(!is_command, "{words:?}: {}", ran.stdout);
    }
    // A file is no log.
    let file = fs::File::create(folder.join("out.csv")).expect("a file");
    let ran = formed(&["show", "--format", "csv"], file.into());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let written = fs::read_to_string(folder.join("out.csv")).expect("a file");
    assert!(written.contains("##[error]x ##vso[task.y]z"), "{written}");
}
