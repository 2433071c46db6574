//! The index in a file.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use tourbillon_history::index::{FileKind, Index, SqliteIndex, Updated, update};

use crate::answers::{answers, archive};

#[test]
fn an_index_that_was_deleted_gives_the_same_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 12);
    let file = folder.path().join("index.sqlite");
    let open = || SqliteIndex::open(&file, |_| ()).expect("an index");
    let mut index = open();
    let updated = update(&mut index, &archive).expect("added");
    assert_eq!(
        (updated.runs, updated.damaged.len() + updated.unfit.len()),
        (12, 0)
    );
    let before = answers(&mut index);
    // Two cases, two metrics, two machines, and a line for each run, comparison and failure.
    assert_eq!(before.len(), 12 + 8 + 2 + 2);
    let started: Vec<u64> = index
        .comparisons()
        .expect("comparisons")
        .iter()
        .map(|one| one.started_unix_ns % 10)
        .collect();
    assert_eq!(started, [1, 2]);
    assert_eq!(update(&mut index, &archive).expect("nothing new").runs, 0);
    assert_eq!(answers(&mut index), before);
    drop(index);
    fs::remove_file(&file).expect("the file of the index");
    let mut again = open();
    assert_eq!(update(&mut again, &archive).expect("added").runs, 12);
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
    let mut index = SqliteIndex::open(&folder.path().join("i"), |_| ()).expect("an index");
    for added in [2, 0] {
        let Updated { runs, damaged, .. } = update(&mut index, &archive).expect("added");
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
    let mut index = SqliteIndex::open(&file, |_| ()).expect("an index");
    assert_eq!(update(&mut index, &archive).expect("added").runs, 3);
    drop(index);
    let notes = folder.path().join("notes.txt");
    let text = "not an index at all, and long enough for a header of 100 bytes: ".repeat(20);
    fs::write(&notes, &text).expect("a file");
    let database = folder.path().join("other.sqlite");
    let other = rusqlite::Connection::open(&database).expect("a database");
    let made = other.execute_batch("CREATE TABLE mine (a TEXT); INSERT INTO mine VALUES ('kept');");
    made.expect("a table");
    drop(other);
    // Such code would run whenever the tables are asked or changed.
    let planted = folder.path().join("planted.sqlite");
    drop(SqliteIndex::open(&planted, |_| ()).expect("an index"));
    let other = rusqlite::Connection::open(&planted).expect("a database");
    let made = other.execute_batch(
        "CREATE TRIGGER hide AFTER INSERT ON runs BEGIN DELETE FROM runs; END; ALTER TABLE series RENAME TO s; \
         CREATE VIEW series AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT s.* FROM n, s;",
    );
    made.expect("a view");
    drop(other);
    for (path, what) in [
        (
            &planted,
            "is a database of another program, which stays as it is; name another file",
        ),
        (
            &notes,
            "is not an index, or is damaged; an index may be removed and is made again",
        ),
        (
            &database,
            "is a database of another program, which stays as it is; name another file",
        ),
    ] {
        let before = fs::read(path).expect("bytes");
        let error = SqliteIndex::open(path, |_| ())
            .expect_err("no index")
            .to_string();
        assert!(
            error.contains(what) && error.contains("--index FILE"),
            "{error}"
        );
        assert_eq!(fs::read(path).expect("bytes"), before);
    }
    let error = SqliteIndex::open(folder.path(), |_| ()).expect_err("a folder");
    let expected = "is not a file; name another file with --index FILE";
    assert_eq!(error.what(), expected);
}

/// A user who may write to the folder of a history could have it lead anywhere, with lines of their own in the file.
#[cfg(unix)]
#[test]
fn no_link_in_place_of_an_index_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("history")).expect("a folder");
    fs::write(at("empty"), "").expect("a file");
    for target in ["missing", "empty"] {
        let _ = fs::remove_file(at("history/index"));
        symlink(at(target), at("history/index")).expect("a link");
        let error = SqliteIndex::open(&at("history/index"), |_| ()).expect_err("a link");
        let what =
            "is a link, which is not followed; name the file that it leads to with --index FILE";
        assert_eq!(error.what(), what);
    }
    assert!(!at("missing").exists());
    assert_eq!(fs::read(at("empty")).expect("a file"), b"");
    // A folder may be reached by a link.
    symlink("history", at("link")).expect("a link");
    SqliteIndex::open(&at("link/other"), |_| ()).expect("an index");
    assert!(at("history/other").is_file());
}

/// Numbers are counted from the largest one.
#[test]
fn a_number_that_has_no_successor_is_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    let file = folder.path().join("index.sqlite");
    let mut index = SqliteIndex::open(&file, |_| ()).expect("an index");
    update(&mut index, &archive).expect("added");
    let other = rusqlite::Connection::open(&file).expect("a database");
    let change = format!(
        "DELETE FROM runs WHERE run = 3; UPDATE runs SET run = {} WHERE run = 1",
        i64::MAX
    );
    other.execute_batch(&change).expect("changed");
    let left = update(&mut index, &archive)
        .expect("answers")
        .left
        .expect("a record");
    assert!(
        left.why
            .to_string()
            .contains("is not an index, or is damaged"),
        "{}",
        left.why
    );
}

/// All of the machine with the first series was removed.
#[test]
fn new_series_have_numbers_beyond_the_largest() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    let file = folder.path().join("index.sqlite");
    let mut index = SqliteIndex::open(&file, |_| ()).expect("an index");
    update(&mut index, &archive).expect("added");
    let before = answers(&mut index);
    let other = rusqlite::Connection::open(&file).expect("a database");
    let change = "PRAGMA foreign_keys = OFF;
                  CREATE TEMP TABLE gone AS SELECT machine FROM series WHERE series = 1;
                  DELETE FROM runs WHERE machine IN gone;
                  DELETE FROM points WHERE run NOT IN (SELECT run FROM runs);
                  DELETE FROM series WHERE machine IN gone";
    other.execute_batch(change).expect("changed");
    let left = index.series().expect("series");
    assert!(left.iter().any(|one| one.number > left.len() as i64));
    let updated = update(&mut index, &archive).expect("answers");
    assert!(updated.runs > 0 && updated.left.is_none());
    let mut again = answers(&mut index);
    let mut before = before;
    again.sort();
    before.sort();
    assert_eq!(again, before);
}

#[test]
fn a_number_that_no_record_has_is_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    let file = folder.path().join("index.sqlite");
    let mut index = SqliteIndex::open(&file, |_| ()).expect("an index");
    update(&mut index, &archive).expect("added");
    let series = index.series().expect("series")[0].number;
    let other = rusqlite::Connection::open(&file).expect("a database");
    let whole = index.points(series, None).expect("points");
    for column in ["value", "lower_end", "upper_end"] {
        for value in ["9e999", "-9e999"] {
            let change = format!("UPDATE points SET {column} = {value}");
            other.execute_batch(&change).expect("changed");
            let error = index.points(series, None).expect_err(column).to_string();
            assert!(error.contains("an index may be removed"), "{error}");
        }
        let change = format!("UPDATE points SET {column} = 1.0");
        other.execute_batch(&change).expect("changed");
        let points = index.points(series, None).expect("points");
        assert_eq!(points.len(), whole.len());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_folders_that_may_not_be_written_are_named() {
    let error = SqliteIndex::open(Path::new("/dev/null"), |_| ()).expect_err("a device");
    assert!(
        error.to_string().contains("is not a file; name another"),
        "{error}"
    );
    assert!(!error.is_denied());
    let file = Path::new("/sys/tourbillon/index.sqlite");
    let error = SqliteIndex::open(file, |_| ()).expect_err("a folder of the kernel");
    assert!(
        error.is_denied() && error.to_string().contains("--index FILE"),
        "{error}"
    );
}

/// A file that lost its end, or that has other bytes or other tables in its place, is named with the way out, by
/// whatever it is found.
#[test]
fn a_damaged_index_is_named_with_the_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 12);
    let whole = folder.path().join("whole");
    let mut index = SqliteIndex::open(&whole, |_| ()).expect("an index");
    update(&mut index, &archive).expect("added");
    drop(index);
    let bytes = fs::read(&whole).expect("bytes");
    let size = bytes.len();
    let mut damages: Vec<Vec<u8>> = Vec::new();
    for length in [1, 50, 100, 101, 4096, size / 2, size - 1] {
        damages.push(bytes[..length].to_vec());
    }
    for start in [0, 100, 4096, size / 2] {
        let mut other = bytes.clone();
        other[start..].fill(0xa5);
        damages.push(other);
    }
    let damaged = folder.path().join("damaged");
    let mut found = 0;
    let mut check = |is_certain: bool| {
        let index = SqliteIndex::open(&damaged, |_| ());
        let answered = index.and_then(|mut index| {
            update(&mut index, &archive)?;
            index.comparisons()?;
            index.failures()?;
            for series in index.series()? {
                index.points(series.number, None)?;
            }
            index.runs()
        });
        match answered {
            Ok(_) => assert!(!is_certain),
            Err(error) => {
                let what = error.to_string();
                assert!(what.contains("is not an index, or is damaged"), "{what}");
                assert!(what.contains("--index FILE"), "{what}");
                found += 1;
            }
        }
    };
    for bytes in &damages {
        fs::write(&damaged, bytes).expect("a file");
        check(false);
    }
    for change in [
        "DROP TABLE points",
        "UPDATE runs SET started = 'text'",
        "UPDATE series SET case_id = x'ff' WHERE series = 1",
    ] {
        fs::write(&damaged, &bytes).expect("a file");
        let other = rusqlite::Connection::open(&damaged).expect("a database");
        other.execute_batch(change).expect("changed");
        drop(other);
        check(true);
    }
    assert!(found >= damages.len(), "{found}");
}

#[test]
fn an_older_index_is_made_again_and_a_newer_one_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    let file = folder.path().join("index.sqlite");
    let change = |version: i64| {
        drop(SqliteIndex::open(&file, |_| ()).expect("an index"));
        let other = rusqlite::Connection::open(&file).expect("a database");
        let change = format!("PRAGMA user_version = {version}; DROP TABLE points;");
        other.execute_batch(&change).expect("changed");
    };
    change(1);
    let mut index = SqliteIndex::open(&file, |_| ()).expect("an index");
    assert_eq!(update(&mut index, &archive).expect("added").runs, 3);
    drop(index);
    change(99);
    let before = fs::read(&file).expect("bytes");
    let error = SqliteIndex::open(&file, |_| ())
        .expect_err("newer")
        .to_string();
    assert!(
        error.contains("has version 99, this program knows 4; install a newer"),
        "{error}"
    );
    assert!(
        error.contains("--index FILE, or remove this one"),
        "{error}"
    );
    assert_eq!(fs::read(&file).expect("bytes"), before);
}

/// A reader waits for no writer: it would say so, and fail after a minute.
#[test]
fn a_reader_waits_for_no_writer() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 3);
    let file = folder.path().join("index.sqlite");
    let mut index = SqliteIndex::open(&file, |_| ()).expect("an index");
    update(&mut index, &archive).expect("added");
    let writer = rusqlite::Connection::open(&file).expect("a database");
    writer
        .execute_batch("BEGIN IMMEDIATE; DELETE FROM runs;")
        .expect("at work");
    let mut reader = SqliteIndex::open(&file, |what| panic!("{what}")).expect("an index");
    assert_eq!(update(&mut reader, &archive).expect("nothing new").runs, 0);
    assert_eq!(answers(&mut reader), answers(&mut index));
}

#[test]
fn points_of_some_runs_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = archive(folder.path(), 6);
    let mut index = SqliteIndex::open(&folder.path().join("i"), |_| ()).expect("an index");
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
    let mut index = SqliteIndex::open(&folder.join("i"), |_| ()).expect("an index");
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
                    SqliteIndex::open(&file, |_| ()).expect("an index");
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
                let mut index = SqliteIndex::open(file, |_| ()).expect("an index");
                let order = |at: usize| if writer == 0 { at } else { all.len() - 1 - at };
                for at in 0..all.len() {
                    index.insert(&all[order(at)..=order(at)]).expect("inserted");
                }
            });
        }
    });
    let mut both = SqliteIndex::open(&file, |_| ()).expect("an index");
    let mut alone = SqliteIndex::open(&folder.path().join("alone"), |_| ()).expect("an index");
    alone.insert(&all).expect("inserted");
    assert_eq!(answers(&mut both), answers(&mut alone));
    assert_eq!(both.runs().expect("runs").len(), 40);
}
