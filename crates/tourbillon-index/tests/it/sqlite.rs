//! The index in a file.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use tourbillon_index::{FileKind, Index, SqliteIndex, update};

use crate::answers::{answers, archive};

#[test]
fn an_index_that_was_deleted_gives_the_same_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 12);
    let file = folder.path().join("index.sqlite");
    let open = || SqliteIndex::open(&file).expect("an index");
    let mut index = open();
    let (added, damaged) = update(&mut index, &archive).expect("added");
    assert_eq!((added, damaged.len()), (12, 0));
    let before = answers(&mut index);
    // Two cases, two metrics, two machines, and a line for each run, comparison and failure.
    assert_eq!(before.len(), 12 + 8 + 2 + 2);
    let started = index.comparisons().expect("comparisons");
    let started: Vec<u64> = started.iter().map(|one| one.started_unix_ns % 10).collect();
    assert_eq!(started, [1, 2]);
    assert_eq!(update(&mut index, &archive).expect("nothing new").0, 0);
    assert_eq!(answers(&mut index), before);
    drop(index);
    fs::remove_file(&file).expect("the file of the index");
    let mut again = open();
    assert_eq!(update(&mut again, &archive).expect("added").0, 12);
    assert_eq!(answers(&mut again), before);
}

#[test]
fn damaged_files_are_named_and_cost_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    for (of, kind) in [
        ("summaries", FileKind::Run),
        ("comparisons", FileKind::Comparison),
        ("failures", FileKind::Failure),
    ] {
        let hash = &archive.hashes(kind).expect("hashes")[0];
        let path = folder.path().join(of).join(&hash[..2]);
        fs::write(path.join(format!("{hash}.json")), "damage").expect("a file");
    }
    let mut index = SqliteIndex::open(&folder.path().join("i")).expect("an index");
    for added in [2, 0] {
        let (runs, damaged) = update(&mut index, &archive).expect("added");
        assert_eq!((runs, damaged.len()), (added, 3), "{damaged:?}");
        for (error, what) in damaged.iter().zip(["summary", "comparison", "failure"]) {
            let expected = format!("not a {what}: ");
            assert!(error.to_string().contains(&expected), "{error}");
        }
    }
    assert_eq!(index.runs().expect("runs").len(), 2);
    assert_eq!(index.comparisons().expect("comparisons").len(), 1);
    assert_eq!(index.failures().expect("failures").len(), 1);
}

#[test]
fn files_of_others_stay_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    let file = folder.path().join("index.sqlite");
    // An empty file is none.
    fs::write(&file, "").expect("a file");
    let mut index = SqliteIndex::open(&file).expect("an index");
    assert_eq!(update(&mut index, &archive).expect("added").0, 3);
    drop(index);
    let notes = folder.path().join("notes.txt");
    let text = "not an index at all, and long enough for a header of 100 bytes: ".repeat(20);
    fs::write(&notes, &text).expect("a file");
    let database = folder.path().join("other.sqlite");
    let other = rusqlite::Connection::open(&database).expect("a database");
    let made = other.execute_batch("CREATE TABLE mine (a TEXT); INSERT INTO mine VALUES ('kept');");
    made.expect("a table");
    drop(other);
    for path in [&notes, &database] {
        let before = fs::read(path).expect("bytes");
        let error = SqliteIndex::open(path).expect_err("no index").to_string();
        assert!(error.contains("is not an index, or is damaged"), "{error}");
        assert_eq!(fs::read(path).expect("bytes"), before);
    }
}

#[test]
fn an_index_of_another_version_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    let file = folder.path().join("index.sqlite");
    drop(SqliteIndex::open(&file).expect("an index"));
    let older = rusqlite::Connection::open(&file).expect("a database");
    older
        .execute_batch("PRAGMA user_version = 99; DROP TABLE points;")
        .expect("changed");
    drop(older);
    let mut index = SqliteIndex::open(&file).expect("an index");
    assert_eq!(update(&mut index, &archive).expect("added").0, 3);
}

#[test]
fn points_of_some_runs_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 6);
    let mut index = SqliteIndex::open(&folder.path().join("i")).expect("an index");
    update(&mut index, &archive).expect("added");
    let series = index.series().expect("series");
    let of_a = |metric: &str| {
        let mut all = series.iter().filter(|one| one.case.ends_with("::a"));
        let runs = |number| index_points(folder.path(), number);
        let found = all.find(|one| one.metric == metric && runs(one.number) == 4);
        found.expect("the machine of four runs").clone()
    };
    let time = of_a("time");
    let all = index.points(time.number, None).expect("points");
    let some = [all[0].run, all[2].run, 10_000];
    let found = index.points(time.number, Some(&some)).expect("points");
    assert_eq!(found, [all[0], all[2]]);
    assert_eq!(index.points(time.number, Some(&[])).expect("none"), []);
}

/// How many points a series has.
fn index_points(folder: &Path, series: i64) -> usize {
    let mut index = SqliteIndex::open(&folder.join("i")).expect("an index");
    index.points(series, None).expect("points").len()
}

/// Eight threads open an index that does not exist: each waits for the one that makes it, and none fails.
#[test]
fn many_make_an_index_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..50 {
        let file = folder.path().join(round.to_string());
        let all_ready = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    all_ready.wait();
                    SqliteIndex::open(&file).expect("an index");
                });
            }
        });
    }
}

/// Two writers at once lose nothing and add nothing twice.
#[test]
fn two_writers_add_each_run_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 40);
    let file = folder.path().join("index.sqlite");
    let all: Vec<_> = archive
        .hashes(FileKind::Run)
        .expect("hashes")
        .iter()
        .map(|hash| archive.summary(hash).expect("a summary"))
        .collect();
    thread::scope(|scope| {
        for writer in 0..2 {
            let (all, file) = (&all, &file);
            scope.spawn(move || {
                let mut index = SqliteIndex::open(file).expect("an index");
                let order = |at: usize| if writer == 0 { at } else { all.len() - 1 - at };
                for at in 0..all.len() {
                    index.insert(&all[order(at)..=order(at)]).expect("inserted");
                }
            });
        }
    });
    let mut both = SqliteIndex::open(&file).expect("an index");
    let mut alone = SqliteIndex::open(&folder.path().join("alone")).expect("an index");
    alone.insert(&all).expect("inserted");
    assert_eq!(answers(&mut both), answers(&mut alone));
    assert_eq!(both.runs().expect("runs").len(), 40);
}
