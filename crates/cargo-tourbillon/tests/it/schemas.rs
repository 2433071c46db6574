//! Records of other schemas: a measured run of schema 1 gives the same figures as in the present one.

use std::fs;

use tourbillon_record::Line;

use crate::folder::{Folder, run};

const OLD: &str = include_str!("../../../tourbillon-record/tests/golden/schema-1-measured.jsonl");

/// The run as it was written, and as this version writes it, in a folder each.
fn both(test: &str) -> [Folder; 2] {
    let new: String = OLD
        .lines()
        .map(|line| Line::decode(line).expect("a line of a record").encode() + "\n")
        .collect();
    assert!(OLD.contains("\"type\":\"visit\",\"schema\":1,"));
    assert!(new.contains("\"type\":\"launch\",\"schema\":2,"));
    [("old", OLD), ("new", &new)].map(|(name, text)| {
        let folder = Folder::new(&format!("{test}-{name}"));
        fs::write(folder.join("run.jsonl"), text).expect("a record");
        folder
    })
}

#[test]
fn a_run_of_schema_1_is_shown_and_explained() {
    let folders = both("schema-1-shown");
    for arguments in [
        &["show", "run.jsonl"][..],
        &["show", "run.jsonl", "run.jsonl"],
        &["show", "run.jsonl", "--format", "csv"],
        &["show", "run.jsonl", "--plot"],
        &["explain", "format_number", "run.jsonl"],
    ] {
        let [old, new] = folders.each_ref().map(|folder| run(folder, arguments));
        assert_eq!(old.code, Some(0), "{old:?}");
        assert_eq!(old.stdout, new.stdout);
    }
    let [old, _] = &folders;
    let shown = run(old, &["show", "run.jsonl"]).stdout;
    assert!(shown.contains("76.4 ns"), "{shown}");
    let explained = run(old, &["explain", "format_number", "run.jsonl"]).stdout;
    let words: Vec<&str> = explained.split_whitespace().collect();
    let same = words.join(" ");
    let same = same.matches("recomputed figures are the same");
    assert_eq!(same.count(), 2, "time and cycles in\n{explained}");
}

/// A page without the SHA-256 of its record, which two records of one run do not share.
fn without_hashes(page: &str) -> String {
    let words = page.split_inclusive(|c: char| !c.is_ascii_hexdigit());
    let others = words.filter(|word| {
        word.trim_end_matches(|c: char| !c.is_ascii_hexdigit())
            .len()
            != 64
    });
    others.collect()
}

#[test]
fn a_run_of_schema_1_is_reported() {
    let [old, new] = both("schema-1-reported").map(|folder| {
        let ran = run(&folder, &["report", "run.jsonl", "-o", "page.html"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        fs::read_to_string(folder.join("page.html")).expect("a page")
    });
    assert!(old.contains("76.4 ns"));
    let (old, new) = (without_hashes(&old), without_hashes(&new));
    assert!(old == new, "the pages of the two schemas differ");
}

#[test]
fn a_newer_schema_is_an_error_that_names_both() {
    let folder = Folder::new("schema-newer");
    let newer = OLD.replace("\"schema\":1,", "\"schema\":99,");
    fs::write(folder.join("run.jsonl"), newer).expect("a record");
    for arguments in [
        &["show", "run.jsonl"][..],
        &["report", "run.jsonl"],
        &["explain", "format_number", "run.jsonl"],
    ] {
        let ran = run(&folder, arguments);
        assert_eq!(ran.code, Some(5), "{ran:?}");
        let error =
            "\"run.jsonl\" cannot be read: line 1: written in schema 99, this version reads up to";
        assert!(ran.stderr.contains(error), "{}", ran.stderr);
    }
}
