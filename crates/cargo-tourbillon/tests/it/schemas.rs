//! Records of other schemas.

use std::fs;

use crate::folder::{Folder, run};

const MEASURED: &str =
    include_str!("../../../tourbillon-record/tests/golden/schema-2-measured.jsonl");

#[test]
fn figures_of_a_record_are_recomputed_as_they_were() {
    let folder = Folder::new("schema-figures");
    fs::write(folder.join("run.jsonl"), MEASURED).expect("a record");
    let shown = run(&folder, &["show", "run.jsonl"]).stdout;
    assert!(shown.contains("76.4 ns"), "{shown}");
    let explained = run(&folder, &["explain", "format_number", "run.jsonl"]).stdout;
    let words: Vec<&str> = explained.split_whitespace().collect();
    let page = words.join(" ");
    let same = page.matches("recomputed figures are the same");
    assert_eq!(same.count(), 2, "time and cycles in\n{explained}");
}

#[test]
fn another_schema_is_an_error_with_a_remedy() {
    let folder = Folder::new("schema-other");
    for (schema, remedy) in [(1, "measure again"), (99, "or a newer one")] {
        let text = MEASURED.replace("\"schema\":2,", &format!("\"schema\":{schema},"));
        fs::write(folder.join("run.jsonl"), text).expect("a record");
        for arguments in [
            &["show", "run.jsonl"][..],
            &["report", "run.jsonl"],
            &["explain", "format_number", "run.jsonl"],
        ] {
            let ran = run(&folder, arguments);
            assert_eq!(ran.code, Some(5), "{ran:?}");
            let error =
                format!("\"run.jsonl\" cannot be read: line 1: written in schema {schema}, ");
            assert!(ran.stderr.contains(&error), "{}", ran.stderr);
            assert!(ran.stderr.contains(remedy), "{}", ran.stderr);
        }
    }
}
