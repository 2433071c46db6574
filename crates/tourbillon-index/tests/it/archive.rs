//! Records in a folder.

use std::collections::HashSet;
use std::fs;

use tourbillon_index::{Archive, Pruned};

use crate::samples::{record, run};

#[test]
fn a_record_is_added_once_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    assert_eq!(archive.hashes().expect("none"), [""; 0]);
    let one = record(1, "c1", "cpu", &[("shop/sort::a", 10.0)]);
    assert!(archive.add(&run(&one), &one, None).expect("written"));
    assert!(!archive.add(&run(&one), &one, None).expect("known"));
    let hashes = archive.hashes().expect("one");
    assert_eq!(hashes.len(), 1);
    let summary = archive.summary(&hashes[0]).expect("a summary");
    assert_eq!(summary.commit.as_deref(), Some("c1"));
    assert_eq!(
        (summary.package.as_str(), summary.figures.len()),
        ("shop", 2)
    );
    let time = &summary.figures[0];
    assert_eq!((time.metric.as_str(), time.value), ("time", 10.0));
    assert_eq!(
        fs::read(archive.record(&hashes[0])).expect("the record"),
        one
    );
}

#[test]
fn the_commit_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let one = record(1, "c1", "cpu", &[("a", 1.0)]);
    archive.add(&run(&one), &one, Some("c2")).expect("written");
    let hash = archive.hashes().expect("one").remove(0);
    let summary = archive.summary(&hash).expect("a summary");
    assert_eq!(summary.commit.as_deref(), Some("c2"));
}

#[test]
fn damaged_and_foreign_files_are_no_part_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let one = record(1, "c1", "cpu", &[("a", 1.0)]);
    archive.add(&run(&one), &one, None).expect("written");
    let hash = archive.hashes().expect("one").remove(0);
    let summaries = folder.path().join("summaries");
    let own = summaries.join(&hash[..2]).join(format!("{hash}.json"));
    let other = "f".repeat(64);
    fs::create_dir_all(summaries.join("ff")).expect("a folder");
    // A summary under another name; drafts; what is no hash.
    fs::copy(&own, summaries.join("ff").join(format!("{other}.json"))).expect("a copy");
    fs::write(summaries.join("ff/notes.json"), "{}").expect("a file");
    fs::write(summaries.join("ff").join(format!("{other}.draft-1")), "").expect("a file");
    fs::write(summaries.join("list.json"), "{}").expect("a file");
    let mut both = [hash, other.clone()];
    both.sort();
    assert_eq!(archive.hashes().expect("two names"), both);
    let error = archive
        .summary(&other)
        .expect_err("of another record")
        .to_string();
    assert!(
        error.ends_with("the summary is of another record"),
        "{error}"
    );
    for (text, expected) in [
        ("", "not a summary: "),
        ("{\"form\":99}", "not a summary: "),
        ("[1,2", "not a summary: "),
    ] {
        fs::write(&own, text).expect("damage");
        let hash = own
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        let error = archive.summary(hash).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn pruning_keeps_summaries() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::new(folder.path());
    let mut bytes = 0;
    for number in 0..4 {
        let one = record(number, "c", "cpu", &[("a", 1.0)]);
        archive.add(&run(&one), &one, None).expect("written");
        bytes += one.len() as u64;
    }
    let hashes = archive.hashes().expect("four");
    let old: HashSet<String> = [0, 2, 3].map(|at| hashes[at].clone()).into();
    let one = bytes / 4;
    let expected = Pruned {
        records: 3,
        bytes: 3 * one,
    };
    assert_eq!(archive.prune(&old, true).expect("a plan"), expected);
    assert!(archive.record(&hashes[0]).exists());
    assert_eq!(archive.prune(&old, false).expect("done"), expected);
    assert!(!archive.record(&hashes[0]).exists() && archive.record(&hashes[1]).exists());
    assert_eq!(archive.hashes().expect("four"), hashes);
    assert_eq!(
        archive.prune(&old, false).expect("nothing"),
        Pruned::default()
    );
}
