//! `explain` without a case.

use tourbillon_record::{Line, Note};

use crate::folder::{Folder, run};
use crate::records::{header, lines, store_lines};

#[test]
fn without_a_case_every_finding_has_the_names_of_all_cases() {
    let folder = Folder::new("explain-findings");
    let header = header(1, "model A");
    let mut lines = lines(&header, 100);
    for line in &mut lines {
        if let Line::Result(result) = line {
            result.notes.extend([
                Note::Writes { per_op: 12.0 },
                Note::PagesTouched { per_op: 3.0 },
                Note::ThreadsLeft { launches: 9 },
                Note::ProcessesLeft { launches: 9 },
            ]);
        }
    }
    let record = store_lines(&folder.join("store"), &header, lines);
    let path = record.to_str().expect("a path");
    let shown = run(&folder, &["show", path]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let more = "\n! 1 more: `cargo tourbillon explain`\n";
    assert!(shown.stdout.contains(more), "{}", shown.stdout);
    let found = run(&folder, &["explain", path]);
    assert_eq!(found.code, Some(0), "{found:?}");
    for what in [
        "writes up to 12 bytes per op",
        "touches up to 3 new pages per op",
        "threads still ran",
        "started processes that still ran",
    ] {
        let line = format!("\n! add, remove: {what}");
        assert!(found.stdout.contains(&line), "{line} in {}", found.stdout);
    }
    let json = run(&folder, &["explain", path, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["kind"], "explanation");
}
