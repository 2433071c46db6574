//! Runs of programs that were compiled otherwise.

use std::fs;

use super::{STEP, lines, printed, record, repository};
use crate::folder::Folder;

/// The record with a fact of the compilation.
fn compiled(record: &str, level: &str) -> String {
    let facts = "\"facts\":[";
    let with = format!("{facts}{{\"name\":\"opt_level\",\"value\":\"{level}\"}},");
    assert!(record.contains(facts), "{record}");
    record.replacen(facts, &with, 1)
}

/// A text without its ends of lines.
fn unbroken(text: &str) -> String {
    text.replace('\n', " ")
}

#[test]
fn builds_that_differ_are_not_compared() {
    let folder = Folder::new("history-builds");
    let commits = repository(&folder);
    let records = commits.iter().zip(0..).map(|(commit, number)| {
        let level = if number < STEP { "3" } else { "1" };
        let record = record(commit, number, "Example 9000");
        // Of the first it is not known.
        if number == 0 {
            record
        } else {
            compiled(&record, level)
        }
    });
    fs::write(folder.join("all.jsonl"), records.collect::<String>()).expect("records");
    printed(&folder, &["add", "all.jsonl"]);
    let first = &commits[STEP];
    let line = format!(
        "other conditions from {} on, so no change there is shown: opt_level 3, now 1",
        &first[..9]
    );
    // The step is that of the builds.
    let text = unbroken(&printed(&folder, &["changes"]));
    assert!(text.contains(&format!("{line} (2 series) ")), "{text}");
    assert!(text.contains("0 changes nominated in 4 series"), "{text}");
    let found = lines(&printed(&folder, &["changes", "--format", "jsonl"]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["type"], "built_otherwise");
    assert_eq!(found[0]["commit"], **first);
    let text = printed(&folder, &["log", "sort"]);
    let tables: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(tables.len(), 2, "{text}");
    assert!(!tables[0].contains("other conditions"), "{text}");
    assert!(unbroken(tables[1]).contains(&line), "{text}");
    let points = lines(&printed(&folder, &["log", "sort", "--format", "jsonl"]));
    let otherwise = points
        .iter()
        .position(|point| point["built_otherwise"] == "opt_level 3, now 1");
    assert_eq!(otherwise, Some(STEP));
    printed(&folder, &["report", "-o", "page.html"]);
    let page = fs::read_to_string(folder.join("page.html")).expect("a page");
    assert_eq!(page.matches("no change there is shown").count(), 2);
    assert!(page.contains("No change is nominated."));
}
