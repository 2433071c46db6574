//! `history` with an index on a server.

use std::fs;
use std::path::Path;
use std::process::Command;

use tourbillon_record::Finding;

use super::server::{database, encrypted, execute};
use crate::folder::Folder;
use crate::history::comparisons::{comparison, verdict};
use crate::history::{record, repository};
use crate::program::{Ran, command};

/// `history` in a folder, with variables.
fn history(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let all = [&["tourbillon", "history", "--history", "kept"], arguments].concat();
    let mut command: Command = command(&all);
    for name in ["TOURBILLON_STORE", "PGPASSWORD"] {
        command.env_remove(name);
    }
    command.env("PGPASSFILE", folder.join("none"));
    command.envs(variables.iter().copied()).current_dir(folder);
    command.output().expect("the program starts").into()
}

fn printed(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let ran = history(folder, arguments, variables);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

/// A folder with a repository, and with the records of its commits on two machines and of a comparison.
fn project(name: &str) -> Folder {
    let folder = Folder::new(name);
    let commits = repository(&folder);
    let mut text = String::new();
    for (number, commit) in commits.iter().enumerate() {
        text += &record(commit, number, "Example 9000");
        if number % 2 == 0 {
            text += &record(commit, number, "Another 1");
        }
    }
    let ends = [&*commits[10], &*commits[50]];
    text += &comparison(1, ends, "Example 9000", &verdict(Finding::Slower, 1.05));
    fs::write(folder.join("all.jsonl"), text).expect("records");
    folder
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn answers_are_byte_for_byte_those_of_sqlite() {
    let folder = project("postgres-answers");
    let url = database("cli_answers");
    let variable = [("TOURBILLON_INDEX", url.as_str())];
    let added = printed(&folder, &["add", "all.jsonl"], &variable);
    assert!(added.starts_with("90 runs added to "), "{added}");
    let runs = execute(&url, &["SELECT count(*) FROM tourbillon.runs"]);
    assert_eq!(runs.trim(), "90");
    assert!(!folder.join("kept/index.sqlite").exists());
    let mut questions = vec![
        vec!["confirm", "--dry-run"],
        vec!["confirm", "--dry-run", "--again"],
        vec!["bisect", "sort", "main~49", "main~9", "--dry-run"],
        vec!["backfill", "main", "--dry-run"],
    ];
    for cases in [
        &["log", "sort"][..],
        &["log", "shop"],
        &["changes"],
        &["changes", "map"],
    ] {
        for flags in [
            &[][..],
            &["--metric", "time"],
            &["--last", "7"],
            &["--branch", "HEAD~9"],
        ] {
            for format in ["text", "jsonl"] {
                questions.push([cases, flags, &["--format", format]].concat());
            }
        }
    }
    for error in ["0.1%", "1%", "20%"] {
        questions.push(vec!["changes", "--error", error]);
    }
    for last in ["1", "5", "50"] {
        questions.push(vec!["prune", "--dry-run", "--last", last]);
    }
    let mut by_folder = Vec::new();
    let mut bytes = 0;
    for question in &questions {
        let by_server = printed(&folder, question, &variable);
        let by_flag = [question, &["--index", url.as_str()][..]].concat();
        assert_eq!(printed(&folder, &by_flag, &[]), by_server, "{question:?}");
        assert_eq!(printed(&folder, question, &[]), by_server, "{question:?}");
        bytes += by_server.len();
        by_folder.push(by_server);
    }
    assert!(questions.len() >= 42 && bytes > 20_000, "{bytes}");
    let changes = printed(&folder, &["changes"], &variable);
    assert!(changes.contains(" confirmed  +5.00 % "), "{changes}");
    // The server answers alone; only records to remove are in the folder.
    fs::remove_dir_all(folder.join("kept")).expect("a folder");
    for (question, expected) in questions.iter().zip(by_folder) {
        if question[0] != "prune" {
            let answer = printed(&folder, question, &variable);
            assert_eq!(answer, expected, "{question:?}");
        }
    }
}

#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_machine_that_may_append_adds_runs_with_a_password_from_a_file() {
    let folder = project("postgres-append");
    let url = database("cli_append");
    let owner = [("TOURBILLON_INDEX", url.as_str())];
    printed(&folder, &["changes"], &owner);
    execute(
        &url,
        &[
            "DROP ROLE IF EXISTS cli_bench",
            "CREATE ROLE cli_bench LOGIN PASSWORD 'p:4ss'",
        ],
    );
    execute(
        &url,
        &[&printed(&folder, &["grant", "append", "cli_bench"], &[])],
    );
    let address = encrypted("cli_append", "cli_bench");
    let file = folder.join("passwords");
    fs::write(&file, "localhost:*:cli_append:cli_bench:p\\:4ss\n").expect("a file");
    let file = file.to_str().expect("a path");
    let add = ["add", "all.jsonl", "--index", &address];
    let variables = [("PGPASSFILE", file)];
    for (mode, expected) in [("644", "run chmod 600 on the file"), ("600", "")] {
        let changed = Command::new("chmod").args([mode, file]).status();
        assert!(changed.expect("chmod starts").success());
        let ran = history(&folder, &add, &variables);
        assert_eq!(ran.code == Some(0), expected.is_empty(), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{ran:?}");
        assert!(!ran.stderr.contains("4ss"), "{ran:?}");
    }
    let with_password = [("PGPASSWORD", "p:4ss")];
    let found = printed(&folder, &["changes", "--index", &address], &with_password);
    assert_eq!(found, printed(&folder, &["changes"], &[]));
    let without = history(&folder, &["changes", "--index", &address], &[]);
    assert_eq!(without.code, Some(5), "{without:?}");
    assert!(without.stderr.contains("password"), "{without:?}");
}

#[test]
fn a_password_in_an_argument_is_refused_without_a_connection() {
    let folder = Folder::new("postgres-password");
    for url in [
        "postgres://a:s3cret@127.0.0.1:1/x",
        "postgresql://a@127.0.0.1:1/x?password=s3cret",
    ] {
        let ran = history(&folder, &["changes", "--index", url], &[]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            ran.stderr.contains("put the address into TOURBILLON_INDEX"),
            "{ran:?}"
        );
        assert!(!ran.stderr.contains("s3cret"), "{ran:?}");
        // From the variable it is taken: the next step is the connection.
        let ran = history(&folder, &["changes"], &[("TOURBILLON_INDEX", url)]);
        assert_eq!(ran.code, Some(5), "{ran:?}");
        assert!(ran.stderr.contains("127.0.0.1:1"), "{ran:?}");
        assert!(!ran.stderr.contains("s3cret"), "{ran:?}");
    }
    let ran = history(
        &folder,
        &["changes", "--index", "postgres://a@b/c?sslmode=prefer"],
        &[],
    );
    assert!(
        ran.stderr
            .contains("--index: sslmode=prefer is not supported"),
        "{ran:?}"
    );
}

/// A dashboard whose folder has records that the server lacks, and whose role may only read.
#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_role_that_may_read_gets_what_the_server_has() {
    let folder = project("postgres-read");
    let url = database("cli_read");
    let owner = [("TOURBILLON_INDEX", url.as_str())];
    printed(&folder, &["add", "all.jsonl"], &owner);
    let questions = [
        &["log", "sort"][..],
        &["changes"],
        &["report", "-o", "page.html"],
    ];
    let expected = questions.map(|question| printed(&folder, question, &owner));
    let role = [
        "DROP ROLE IF EXISTS cli_read",
        "CREATE ROLE cli_read LOGIN PASSWORD 'p4ss'",
    ];
    execute(&url, &role);
    execute(
        &url,
        &[&printed(&folder, &["grant", "read", "cli_read"], &[])],
    );
    let address = encrypted("cli_read", "cli_read");
    let variables = [
        ("TOURBILLON_INDEX", address.as_str()),
        ("PGPASSWORD", "p4ss"),
    ];
    for (question, expected) in questions.iter().zip(&expected) {
        let ran = history(&folder, question, &variables);
        assert_eq!((ran.code, &ran.stdout), (Some(0), expected), "{ran:?}");
        assert!(!ran.stderr.contains("not added"), "{ran:?}");
    }
    let one = record("c", 7, "Third 3");
    fs::write(folder.join("one.jsonl"), one).expect("a record");
    let added = history(&folder, &["add", "one.jsonl"], &variables);
    assert_eq!(added.code, Some(5), "{added:?}");
    assert!(added.stdout.starts_with("1 run added to kept"), "{added:?}");
    for (question, expected) in questions.iter().zip(&expected) {
        let ran = history(&folder, question, &variables);
        assert_eq!((ran.code, &ran.stdout), (Some(0), expected), "{ran:?}");
        let line = ran.stderr.lines().next().unwrap_or_default();
        assert!(
            line.starts_with("! 1 record of \"kept\" not added to the index: "),
            "{line}"
        );
        assert!(line.contains("permission denied for table runs"), "{line}");
        assert!(
            line.contains("cargo tourbillon history grant append ROLE"),
            "{line}"
        );
        assert!(!ran.stderr.contains("p4ss"), "{ran:?}");
    }
}

/// Triggers are executed with the rights of who adds a run.
#[test]
#[ignore = "needs a server; scripts/postgres.sh --tests runs it"]
fn a_superuser_does_not_use_the_tables_of_others() {
    let folder = project("postgres-stranger");
    let url = database("cli_stranger");
    let variable = [("TOURBILLON_INDEX", url.as_str())];
    let refused = |what: &str| {
        let ran = history(&folder, &["add", "all.jsonl"], &variable);
        assert_eq!(ran.code, Some(5), "{what}: {ran:?}");
        let why = "its schema tourbillon belongs to \"cli_stranger\"";
        assert!(ran.stderr.contains(why), "{what}: {ran:?}");
    };
    execute(
        &url,
        &[
            "DROP ROLE IF EXISTS cli_stranger",
            "CREATE ROLE cli_stranger",
            "CREATE SCHEMA tourbillon AUTHORIZATION cli_stranger",
        ],
    );
    refused("a schema");
    execute(&url, &["DROP SCHEMA tourbillon"]);
    printed(&folder, &["changes"], &variable);
    execute(&url, &["ALTER TABLE tourbillon.runs OWNER TO cli_stranger"]);
    refused("a table");
    execute(&url, &["ALTER TABLE tourbillon.runs OWNER TO CURRENT_USER"]);
    printed(&folder, &["add", "all.jsonl"], &variable);
    execute(
        &url,
        &["DROP SCHEMA tourbillon CASCADE", "DROP ROLE cli_stranger"],
    );
}
