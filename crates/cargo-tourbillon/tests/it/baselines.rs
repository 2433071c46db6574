//! `baselines`.

use std::fs;

use crate::folder::{Folder, run};
use crate::records::store;

#[test]
fn baselines_are_listed_exported_and_deleted() {
    let folder = Folder::new("baselines");
    let at = folder.join("store");
    let flag = ["--store", "store"];
    let run = |arguments: &[&str]| run(&folder, &[&["baselines"], arguments, &flag].concat());
    assert_eq!(
        run(&[]).stdout,
        "no baselines; `cargo bench -- --save NAME` makes one\n"
    );
    store(&at, 1, 100, Some("main"));
    store(&at, 2, 200, Some("a \u{1b}[31m"));
    assert_eq!(run(&[]).stdout, "a \\u{1b}[31m\nmain\n");

    let ran = run(&["export", "main", "main.jsonl"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    let exported = fs::read_to_string(folder.join("main.jsonl")).expect("an export");
    assert!(exported.starts_with("{\"type\":\"header\""), "{exported}");
    let ran = run(&["export", "main", "main.jsonl"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("exists; name another file"),
        "{}",
        ran.stderr
    );

    assert_eq!(run(&["delete", "main"]).code, Some(0));
    let ran = run(&["delete", "main"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("baseline main not found; known are a "),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_export_is_a_record_like_any_other() {
    let folder = Folder::new("baselines-export");
    store(&folder.join("store"), 1, 100, Some("main"));
    let flag = ["--store", "store"];
    let ran = run(
        &folder,
        &[&["baselines", "export", "main", "x.jsonl"][..], &flag].concat(),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let by_name = run(
        &folder,
        &[&["show", "main", "--format", "csv"][..], &flag].concat(),
    );
    let by_file = run(&folder, &["show", "x.jsonl", "--format", "csv"]);
    assert_eq!(by_name.stdout, by_file.stdout);
    assert_eq!(by_file.stdout.lines().count(), 3, "{by_file:?}");
}

#[test]
fn outside_of_a_workspace_the_store_has_to_be_named() {
    let folder = std::env::temp_dir();
    let ran = run(&folder, &["baselines"]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(
        ran.stderr.contains("name the store with --store DIR"),
        "{}",
        ran.stderr
    );
}
