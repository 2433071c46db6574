//! `history`, in a repository of sixty commits.

mod builds;
pub(crate) mod comparisons;
#[cfg(target_os = "linux")]
mod faulty_commits;
#[cfg(unix)]
mod measurements;
mod places;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tourbillon_record::{CaseResult, End, Entry, Fact, FactValue, Header, Metric, Scope};

use crate::folder::{Folder, run};
use crate::program::Ran;
use crate::records::header;

#[cfg(unix)]
pub(crate) use self::measurements::commits_are_measured;

const COMMITS: usize = 60;
/// The first commit with another level.
const STEP: usize = 40;
const MACHINE: &str = "Example 9000";

pub(crate) fn git(folder: &Path, words: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"]);
    let output = git
        .args(words)
        .current_dir(folder)
        .output()
        .expect("git starts");
    assert!(output.status.success(), "git {words:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A repository with a line of empty commits; returns them, the oldest first.
pub(crate) fn repository(folder: &Path) -> Vec<String> {
    git(folder, &["init", "--quiet", "-b", "main"]);
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git starts");
    let mut stdin = import.stdin.take().expect("a pipe");
    for commit in 0..COMMITS {
        let time = 1_790_000_000 + commit;
        let who = format!("committer t <t@example.invalid> {time} +0000");
        let message = format!("c{commit}");
        let size = message.len();
        writeln!(
            stdin,
            "commit refs/heads/main\n{who}\ndata {size}\n{message}"
        )
        .expect("a pipe");
    }
    drop(stdin);
    assert!(import.wait().expect("git ends").success());
    let commits = git(folder, &["rev-list", "--reverse", "main"]);
    commits.lines().map(str::to_owned).collect()
}

/// The record of a run of a commit on one machine, without samples: `sort` changes by 5 % at [`STEP`], `map` does not.
pub(crate) fn record(commit: &str, number: usize, cpu: &str) -> String {
    let header = header(number as u64, cpu);
    let revision = Fact {
        name: "revision".to_owned(),
        value: FactValue::Text(commit.to_owned()),
    };
    let header = Header {
        facts: [header.facts.clone(), vec![revision]].concat(),
        ..header
    };
    let mut text = Entry::Header(&header).encode() + "\n";
    let scatter = 0.3 * ((number * 8 % 19) as f64 / 19.0);
    for (case, step) in [("sort", 5.0), ("map", 0.0)] {
        let level = if number < STEP { 100.0 } else { 100.0 + step };
        for (metric, factor) in [(Metric::Time, 1.0), (Metric::Cycles, 3.0)] {
            let value = factor * (level + scatter);
            let result = CaseResult {
                case: format!("shop/checkout::{case}"),
                metric,
                estimate: Ok(value),
                lower: Some(value - 0.5),
                upper: Some(value + 0.5),
                scope: Scope::Processes,
                method: "m1".to_owned(),
                ..CaseResult::default()
            };
            text += &(Entry::Result(&result).encode() + "\n");
        }
    }
    text + &Entry::End(&End::default()).encode() + "\n"
}

fn history(folder: &Path, arguments: &[&str]) -> Ran {
    let place = ["history", "--history", "kept"];
    run(folder, &[&place, arguments].concat())
}

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let ran = history(folder, arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("JSON lines")
}

/// In sequence, because the repository is shared.
#[test]
fn a_history_of_sixty_commits() {
    let folder = Folder::new("history");
    let commits = repository(&folder);
    assert_eq!(commits.len(), COMMITS);
    records_are_added_once(&folder, &commits);
    the_log_is_in_the_order_of_commits(&folder, &commits);
    a_change_is_nominated_with_its_range(&folder, &commits);
    comparisons::a_nomination_is_confirmed_once(&folder);
    comparisons::the_page_draws_series_and_changes(&folder);
    comparisons::a_change_is_located_by_bisecting(&folder, &commits);
    comparisons::mistakes_name_the_remedy(&folder, &commits);
    an_accepted_change_is_not_listed(&folder, &commits);
    a_deleted_index_changes_no_answer(&folder);
    old_records_are_pruned(&folder);
    #[cfg(unix)]
    what_is_added_meanwhile_is_not_pruned(&folder, &commits);
    mistakes_name_the_remedy(&folder);
}

fn records_are_added_once(folder: &Path, commits: &[String]) {
    // The newest first, and one of another machine.
    let records = commits.iter().enumerate().rev();
    let mut text: String = records
        .map(|(number, commit)| record(commit, number, MACHINE))
        .collect();
    text += &record(&commits[3], 3, "Another 1");
    fs::write(folder.join("all.jsonl"), text).expect("records");
    let added = printed(folder, &["add", "all.jsonl"]);
    assert!(added.starts_with("61 runs added to "), "{added}");
    let again = printed(folder, &["add", "all.jsonl"]);
    assert!(
        again.contains("0 runs added") && again.contains("61 known before"),
        "{again}"
    );
}

fn the_log_is_in_the_order_of_commits(folder: &Path, commits: &[String]) {
    let text = printed(folder, &["log", "sort", "--format", "jsonl", "--last", "5"]);
    let points = lines(&text);
    let newest: Vec<&str> = points
        .iter()
        .filter_map(|point| point["commit"].as_str())
        .collect();
    assert_eq!(newest, commits[COMMITS - 5..]);
    assert!(points.iter().all(|point| point["metric"] == "cycles"));
    let text = printed(folder, &["log", "sort", "--metric", "time"]);
    assert!(
        text.contains("shop/checkout::sort, time, on Example 9000 ("),
        "{text}"
    );
    assert!(
        text.contains("shop/checkout::sort, time, on Another 1 ("),
        "{text}"
    );
    let row = text
        .lines()
        .find(|line| line.starts_with(&commits[STEP][..9]))
        .expect("a row of the commit");
    assert!(
        row.contains("105.") && row.contains(" ns") && row.ends_with('%'),
        "{row}"
    );
}

fn a_change_is_nominated_with_its_range(folder: &Path, commits: &[String]) {
    let found = lines(&printed(folder, &["changes", "--format", "jsonl"]));
    assert_eq!(found.len(), 1, "{found:?}");
    let change = &found[0];
    assert_eq!(change["case"], "shop/checkout::sort");
    let at = |member: &str| {
        let commit = change[member].as_str().expect("a commit");
        commits
            .iter()
            .position(|one| one == commit)
            .expect("of the line")
    };
    assert!(at("before") < STEP && at("after") >= STEP, "{change}");
    assert_eq!(at("likely"), STEP);
    let ratio = change["ratio"].as_f64().expect("a ratio");
    assert!((ratio - 1.05).abs() < 0.002, "{ratio}");
    let text = printed(folder, &["changes"]);
    assert!(text.contains("1 change nominated in 4 series"), "{text}");
    let text = printed(folder, &["changes", "--error", "7%"]);
    assert!(text.contains("at most 7 % are nominated"), "{text}");
    assert!(
        text.contains("confirm with  cargo tourbillon history confirm\n"),
        "{text}"
    );
    let none = printed(folder, &["changes", "map", "--format", "jsonl"]);
    assert_eq!(none, "");
}

fn an_accepted_change_is_not_listed(folder: &Path, commits: &[String]) {
    let accepted = printed(
        folder,
        &[
            "accept",
            &commits[STEP][..12],
            "::sort",
            "it rounds \"exactly\"",
        ],
    );
    assert!(
        accepted.ends_with("tourbillon-accepted.toml\n"),
        "{accepted}"
    );
    let file = fs::read_to_string(folder.join("tourbillon-accepted.toml")).expect("a file");
    assert!(file.contains(&commits[STEP]), "{file}");
    let ran = history(folder, &["report", "-o", "tourbillon-accepted.toml"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("is the file that is read"), "{ran:?}");
    assert_eq!(printed(folder, &["changes", "--format", "jsonl"]), "");
    let text = printed(folder, &["changes"]);
    assert!(text.contains("1 more accepted; --all lists them"), "{text}");
    let all = lines(&printed(folder, &["changes", "--all", "--format", "jsonl"]));
    assert_eq!(all[0]["accepted"], "it rounds \"exactly\"");
}

fn a_deleted_index_changes_no_answer(folder: &Path) {
    let questions = [
        &["log", "shop", "--format", "jsonl"][..],
        &["log", "map", "--metric", "time"],
        &["changes", "--all"],
        &["changes", "--all", "--format", "jsonl", "--error", "1%"],
    ];
    let before = questions.map(|question| printed(folder, question));
    for file in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        let _ = fs::remove_file(folder.join("kept").join(file));
    }
    let after = questions.map(|question| printed(folder, question));
    assert_eq!(before, after);
    // Or kept elsewhere.
    let elsewhere = printed(folder, &["changes", "--all", "--index", "other.sqlite"]);
    assert_eq!(elsewhere, before[2]);
    assert!(folder.join("other.sqlite").exists());
}

fn old_records_are_pruned(folder: &Path) {
    let plan = printed(folder, &["prune", "--last", "5", "--dry-run"]);
    // Five newest, two at the ends of the range; the other machine's is of an old commit.
    assert!(plan.starts_with("54 records would be removed"), "{plan}");
    let log = printed(folder, &["log", "sort"]);
    let done = printed(folder, &["prune", "--last", "5"]);
    assert!(done.starts_with("54 records removed"), "{done}");
    assert_eq!(printed(folder, &["log", "sort"]), log);
}

/// Each time that git is asked, another process has added a run.
#[cfg(unix)]
fn what_is_added_meanwhile_is_not_pruned(folder: &Path, commits: &[String]) {
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).expect("a folder");
    for number in 1..=9 {
        let late = record(&commits[COMMITS - 1], 200 + number, MACHINE);
        fs::write(programs.join(format!("{number}.jsonl")), late).expect("a file");
    }
    let path = std::env::var("PATH").expect("a path");
    let script = format!(
        "#!/bin/sh\nPATH='{path}'\necho >> '{0}/calls'\n\
         '{1}' tourbillon history --history kept add \"{0}/$(grep -c '' '{0}/calls').jsonl\" >> '{0}/added'\n\
         exec git \"$@\"\n",
        programs.display(),
        env!("CARGO_BIN_EXE_cargo-tourbillon"),
    );
    crate::folder::script(&programs.join("git"), &script);
    let words = [
        "tourbillon",
        "history",
        "--history",
        "kept",
        "prune",
        "--last",
        "1000",
    ];
    let mut prune = crate::program::command(&words);
    prune.env("PATH", format!("{}:{path}", programs.display()));
    let ran: Ran = prune
        .current_dir(folder)
        .output()
        .expect("it starts")
        .into();
    assert!(ran.stdout.starts_with("0 records removed"), "{ran:?}");
    let added = fs::read_to_string(programs.join("added")).expect("runs were added");
    assert!(added.contains("1 run added"), "{added}");
}

fn mistakes_name_the_remedy(folder: &Path) {
    for (arguments, expected) in [
        (
            &["log", "heap"][..],
            "the history has no result of a case with \"heap\"",
        ),
        (&["add", "none.jsonl"], "\"none.jsonl\" cannot be read"),
        (
            &["accept", "nothing", "a", "b"],
            "git knows no commit \"nothing\"",
        ),
        (&["accept", "HEAD", "a", " "], "the reason is empty"),
        (
            &["changes", "--error", "0%"],
            "it is not between 0 and 100 %; write 5%",
        ),
        (
            &["changes", "--branch", "none"],
            "git knows no revision \"none\" here",
        ),
    ] {
        let ran = history(folder, arguments);
        assert_ne!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{ran:?}");
    }
    // A wrong name is no empty history, of which a gate would pass.
    for words in [
        &["log", "sort"][..],
        &["changes"],
        &["confirm", "--gate"],
        &["prune", "--dry-run"],
    ] {
        let ran = run(
            folder,
            &[&["history", "--history", "mistyped"], words].concat(),
        );
        assert_eq!(ran.code, Some(5), "{ran:?}");
        let expected =
            "there is no history in \"mistyped\"; `cargo tourbillon history add` begins one";
        assert!(ran.stderr.contains(expected), "{ran:?}");
        assert!(!folder.join("mistyped").exists());
    }
}
