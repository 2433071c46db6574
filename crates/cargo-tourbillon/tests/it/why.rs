//! `why`, where nothing can be explained.

use std::fs;

use crate::folder::Folder;
use crate::program::{Ran, command};
use crate::records::write_comparison;

#[test]
fn what_cannot_be_explained_has_a_reason_and_a_remedy() {
    let folder = Folder::new("why-none");
    let why = |words: &[&str]| -> Ran {
        let mut command = command(&[&["tourbillon", "why", "--store", "store"], words].concat());
        command
            .env("TOURBILLON_CACHE", folder.join("cache"))
            .current_dir(&*folder);
        command.output().expect("the program starts").into()
    };
    let fails = |words: &[&str], code: i32, expected: &str| {
        let ran = why(words);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    };
    fails(
        &[],
        5,
        "no comparison is stored; `cargo tourbillon compare REV`",
    );
    let stored = folder.join("store/comparisons/runs/shop/checkout");
    fs::create_dir_all(&stored).expect("a folder");
    let record = |name: &str| stored.join(format!("20260101T00000{name}.jsonl"));
    write_comparison(&record("1.000000000Z-1"), 1, 10, 10);
    fails(
        &[],
        1,
        "no stored comparison has a case that is faster or slower",
    );
    write_comparison(&record("2.000000000Z-1"), 2, 100, 200);
    let gone = "the cache no longer has main, whose files were those of no commit; compare again, with --why";
    fails(&[], 5, gone);
    fails(&["add/100"], 5, gone);
    fails(
        &["no_such"],
        1,
        "no stored comparison has a case no_such that is faster or slower",
    );
    fails(
        &["ad/100"],
        1,
        "explains all that are; did you mean add/100?",
    );
}
