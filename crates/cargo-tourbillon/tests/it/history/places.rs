//! Where the history and its index are: addresses, files that are none, folders that may not be written.

use std::fs;
use std::path::Path;

use super::{MACHINE, record, repository};
use crate::folder::Folder;
use crate::program::{Ran, command};

/// `history` in a folder, with variables.
fn history(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = command(&[&["tourbillon", "history"], arguments].concat());
    for name in ["TOURBILLON_STORE", "TOURBILLON_HISTORY", "PGPASSWORD"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).current_dir(folder);
    command.output().expect("the program starts").into()
}

/// A folder with a history of twenty runs.
fn kept(name: &str) -> Folder {
    let folder = Folder::new(name);
    let commits = repository(&folder).into_iter().take(20).enumerate();
    let records: String = commits
        .map(|(number, commit)| record(&commit, number, MACHINE))
        .collect();
    fs::write(folder.join("all.jsonl"), records).expect("records");
    let added = history(&folder, &["add", "all.jsonl", "--history", "kept"], &[]);
    assert_eq!(added.code, Some(0), "{added:?}");
    folder
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_string_lossy().into())
        .collect();
    names.sort();
    names
}

#[test]
fn a_path_in_an_answer_is_escaped() {
    let folder = kept("history-paths");
    let place = "kept\u{1b}[31m\u{202e}";
    for arguments in [
        &["add", "all.jsonl"][..],
        &["log", "sort"],
        &["changes"],
        &["report", "--output", "page\u{1b}[31m.html"],
        &["prune", "--keep", "1", "--dry-run"],
    ] {
        let ran = history(&folder, &[arguments, &["--history", place]].concat(), &[]);
        let texts = [ran.stdout, ran.stderr].concat();
        let is_obeyed = texts.contains(['\u{1b}', '\u{202e}']);
        assert!(!texts.is_empty() && !is_obeyed, "{arguments:?}: {texts:?}");
    }
}

#[test]
fn an_address_in_any_spelling_is_no_file_and_its_password_is_in_no_text() {
    let folder = kept("history-addresses");
    let before = names(&folder);
    let question = ["log", "sort", "--history", "kept"];
    for address in [
        "Postgres://ada:s3cret@127.0.0.1:1/x",
        "POSTGRESQL://ada:s3cret@127.0.0.1:1/x",
        " postgres://ada:s3cret@127.0.0.1:1/x",
        "postgres:/ada:s3cret@127.0.0.1:1/x",
        "postgres:ada:s3cret@127.0.0.1:1/x",
        "host=127.0.0.1 port=1 password=s3cret",
        "postgres://ada:s3cret@s3cret@127.0.0.1:1/x",
        "postgres://ada:p/s3cret@127.0.0.1:1/x",
        "postgres://ada:p#s3cret@127.0.0.1:1/x",
        "postgres://ada:p?s3cret@127.0.0.1:1/x",
        "postgres://ada:p%s3cret@127.0.0.1:1/x",
        "postgres://ada@127.0.0.1:1/x?password=p&s3cret=1",
        "mysql://ada:s3cret@127.0.0.1:1/x",
        "sqlite://s3cret",
        "ada:s3cret@127.0.0.1:1/x",
    ] {
        let by_flag = history(
            &folder,
            &[&question[..], &["--index", address]].concat(),
            &[],
        );
        let by_variable = history(&folder, &question, &[("TOURBILLON_INDEX", address)]);
        let as_folder = ("TOURBILLON_HISTORY", address);
        let as_folder = history(&folder, &["log", "sort"], &[as_folder]);
        for ran in [by_flag, by_variable, as_folder] {
            assert!(matches!(ran.code, Some(1 | 5)), "{address}: {ran:?}");
            assert_eq!(ran.stderr.lines().count(), 1, "{address}: {ran:?}");
            let texts = [ran.stdout, ran.stderr].concat();
            assert!(!texts.contains("s3cret"), "{address}: {texts}");
        }
    }
    assert_eq!(names(&folder), before);
}

#[cfg(target_os = "linux")]
#[test]
fn an_index_that_cannot_be_kept_costs_no_answer() {
    let folder = kept("history-not-kept");
    // Not even root makes a folder there.
    let elsewhere = ["--index", "/sys/tourbillon/index.sqlite"];
    for question in [
        &["log", "sort", "--history", "kept"][..],
        &["log", "sort", "--format", "jsonl", "--history", "kept"],
        &["changes", "--history", "kept"],
        &["report", "-o", "page.html", "--history", "kept"],
    ] {
        let answer = history(&folder, question, &[]);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        let without = history(&folder, &[question, &elsewhere].concat(), &[]);
        assert_eq!(without.code, Some(0), "{without:?}");
        assert_eq!(without.stdout, answer.stdout);
        let line = without.stderr.lines().next().unwrap_or_default();
        let expected =
            "! no index is kept, the records in \"kept\" are read each time: \"/sys/tourbillon\": ";
        assert!(line.starts_with(expected), "{line}");
        assert!(
            line.ends_with("; name another file with --index FILE"),
            "{line}"
        );
    }
    // The count is printed, and then that the index has no part in it.
    let add = ["add", "all.jsonl", "--history", "kept"];
    let added = history(&folder, &[&add[..], &elsewhere].concat(), &[]);
    assert_eq!(added.code, Some(5), "{added:?}");
    assert!(added.stdout.contains("20 known before"), "{added:?}");
}

#[test]
fn a_damaged_index_is_named_with_the_way_out() {
    let folder = kept("history-damaged");
    let question = ["log", "sort", "--history", "kept"];
    let answer = history(&folder, &question, &[]);
    let file = folder.join("kept/index.sqlite");
    fs::write(&file, "garbage".repeat(100)).expect("a file");
    let ran = history(&folder, &question, &[]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(
        ran.stderr
            .contains("an index may be removed and is made again"),
        "{ran:?}"
    );
    let other = history(
        &folder,
        &[&question[..], &["--index", "other"]].concat(),
        &[],
    );
    assert_eq!((other.code, other.stdout), (Some(0), answer.stdout.clone()));
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{ending}", file.display()));
    }
    assert_eq!(history(&folder, &question, &[]).stdout, answer.stdout);
}

#[test]
fn folders_that_cannot_be_made_are_exit_code_5() {
    let folder = kept("history-in-its-place");
    let add = ["add", "all.jsonl", "--history", "all.jsonl/kept"];
    let ran = history(&folder, &add, &[]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("all.jsonl/kept/records/"), "{ran:?}");
    let ran: Ran = command(&["tourbillon", "save", "before"])
        .env("TOURBILLON_CACHE", folder.join("all.jsonl/cache"))
        .output()
        .expect("the program starts")
        .into();
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(
        ran.stderr.contains("all.jsonl/cache\" cannot be used"),
        "{ran:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_page_takes_the_place_of_no_index_and_no_record() {
    let folder = kept("history-outputs");
    let index = ["--history", "kept", "--index", "other.sqlite"];
    let page = |path: &str| {
        let report = [&["report", "-o", path], &index[..]].concat();
        history(&folder, &report, &[])
    };
    assert_eq!(page("page.html").code, Some(0));
    let record = fs::read_dir(folder.join("kept/records"))
        .expect("a folder")
        .flatten()
        .next()
        .expect("a folder")
        .path();
    let record = fs::read_dir(record)
        .expect("a folder")
        .flatten()
        .next()
        .expect("a record")
        .path();
    std::os::unix::fs::symlink(&record, folder.join("link.html")).expect("a link");
    let before = [folder.join("other.sqlite"), record].map(|path| fs::read(path).expect("a file"));
    for path in [
        "other.sqlite",
        "./kept/../other.sqlite",
        "link.html",
        "other.sqlite-wal",
        "kept/../other.sqlite-shm",
        "other.sqlite-journal",
    ] {
        let ran = page(path);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("name another"), "{ran:?}");
    }
    let record = fs::canonicalize(folder.join("link.html")).expect("a record");
    let after = [folder.join("other.sqlite"), record].map(|path| fs::read(path).expect("a file"));
    assert!(before == after);
    assert!(!folder.join("other.sqlite-journal").exists());
}

#[test]
fn a_run_that_has_not_ended_is_not_added() {
    let folder = kept("history-torn");
    let text = record("0123456789abcdef", 30, MACHINE);
    let end = text.trim_end().rfind('\n').expect("lines") + 1;
    let add = ["add", "torn.jsonl", "--history", "kept"];
    for (text, added) in [(&text[..end], "0 runs added"), (&text, "1 run added")] {
        fs::write(folder.join("torn.jsonl"), text).expect("a record");
        let ran = history(&folder, &add, &[]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.starts_with(added), "{ran:?}");
        let says = ran.stderr.contains("was killed or has not ended");
        assert_eq!(says, added.starts_with('0'), "{ran:?}");
    }
}
