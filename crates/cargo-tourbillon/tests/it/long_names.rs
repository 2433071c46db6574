//! Names that are longer than the widths of `format!` may be, in every text.

use std::fs;
use std::path::Path;

use crate::folder::{Folder, run};
use crate::records::{write, write_comparison};

/// Longer than 16 bits count.
const LENGTH: usize = 70_000;

/// Gives the case `add`, the processor and the target of a record long names.
fn lengthen(path: &Path) -> String {
    let long = format!("add{}", "x".repeat(LENGTH));
    let text = fs::read_to_string(path)
        .expect("a record")
        .replace("::add\"", &format!("::{long}\""))
        .replace("\"name\":\"add\"", &format!("\"name\":\"{long}\""))
        .replace("\"model A\"", &format!("\"{long}\""))
        .replace("\"main\"", &format!("\"{long}\""));
    fs::write(path, text).expect("a file");
    long
}

#[test]
fn records_are_shown_and_exported() {
    let folder = Folder::new("long-names");
    let [one, two] = ["one.jsonl", "two.jsonl"].map(|name| folder.join(name));
    write(&one, 1, "model A", 100);
    write(&two, 2, "model B", 200);
    let long = lengthen(&one);
    for arguments in [
        &["show", "one.jsonl"][..],
        &["show", "one.jsonl", "two.jsonl"],
        &["show", "--verbose", "one.jsonl"],
        &["show", "one.jsonl", "--format", "md"],
        &["show", "one.jsonl", "--format", "csv"],
        &["show", "one.jsonl", "--format", "gnuplot"],
        &["explain", &long, "one.jsonl"],
        &["explain", "remove", "one.jsonl"],
        &[
            "report",
            "one.jsonl",
            "two.jsonl",
            "-o",
            "report.html",
            "--svg",
            "pictures",
        ],
        &["export", "--format", "smaller-is-better", "one.jsonl"],
        &["export", "--format", "bmf", "one.jsonl"],
        &["export", "--format", "google-benchmark", "one.jsonl"],
        &["export", "--format", "openmetrics", "one.jsonl"],
    ] {
        let ran = run(&folder, arguments);
        assert_eq!(
            ran.code,
            Some(0),
            "{:.40}: {:.2000}",
            arguments[0],
            ran.stderr
        );
        // Tables for people elide it, on 80 columns.
        if arguments[0] == "show" && arguments.last() == Some(&"two.jsonl") {
            let widest = ran.stdout.lines().map(str::len).max();
            assert!(widest < Some(2_000), "{widest:?}");
        }
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn a_history_is_listed() {
    use crate::history::{record, repository};

    let folder = Folder::new("long-names-history");
    let commits = repository(&folder);
    let long = "x".repeat(LENGTH);
    let mut records = String::new();
    for (number, commit) in commits.iter().enumerate() {
        let cpu = format!("model {long}");
        let record = record(commit, number, &cpu);
        records += &record.replace("checkout::sort", &format!("checkout::sort{long}"));
    }
    fs::write(folder.join("all.jsonl"), records).expect("records");
    for arguments in [
        &["add", "all.jsonl"][..],
        &["log", "sort"],
        &["changes"],
        &["confirm", "--dry-run"],
        &["report", "-o", "history.html"],
    ] {
        let ran = run(
            &folder,
            &[&["history", "--history", "kept"], arguments].concat(),
        );
        assert_eq!(ran.code, Some(0), "{arguments:?}: {:.2000}", ran.stderr);
    }
}

#[test]
fn comparisons_are_explained() {
    let folder = Folder::new("long-names-comparison");
    let path = folder.join("comparison.jsonl");
    write_comparison(&path, 1, 100, 200);
    lengthen(&path);
    for arguments in [
        &["explain", "add", "comparison.jsonl"][..],
        &["report", "comparison.jsonl", "-o", "report.html"],
    ] {
        let ran = run(&folder, arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {:.2000}", ran.stderr);
    }
}
