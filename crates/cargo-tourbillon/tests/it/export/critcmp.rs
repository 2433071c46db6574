//! critcmp itself reads the files of criterion.

use std::process::Command;

use super::hostile_record::{self, HOSTILE, SORT};
use crate::folder::{Folder, run};
use crate::records;

#[test]
#[ignore = "needs critcmp; scripts/critcmp.sh installs it in a temporary folder and runs this"]
fn critcmp_prints_the_figures_of_both_baselines() {
    let folder = Folder::new("export-critcmp");
    for (name, ns) in [("base", 100), ("head", 150)] {
        let file = format!("{name}.jsonl");
        records::write(&folder.join(&file), 1, "model A", ns);
    }
    hostile_record::write(&folder.join("made.jsonl"));
    let target = folder.join("target");
    let arguments = [
        "export",
        "base.jsonl",
        "head.jsonl",
        "made.jsonl",
        "--format",
        "criterion",
        "-o",
        "target/criterion",
    ];
    let ran = run(&folder, &arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let critcmp = |baselines: &[&str]| {
        let mut command = Command::new("critcmp");
        command.arg("--target-dir").arg(&target).args(baselines);
        let output = command.output().expect("critcmp is on the path");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let table = critcmp(&["base", "head"]);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let add = table
        .lines()
        .find(|line| line.starts_with("shop/checkout::add"));
    let add = words(add.unwrap_or_else(|| panic!("{table}")));
    assert!(
        add.starts_with("shop/checkout::add 1.00 104.0±2.7") && add.contains(" 1.48 154.0±2.7"),
        "{add}"
    );
    let table = critcmp(&["made"]);
    assert!(table.contains(SORT), "{table}");
    // A line of its table for each case, or more where a name has a line feed.
    assert!(table.lines().count() >= 2 + 3 + HOSTILE.len(), "{table}");
}
