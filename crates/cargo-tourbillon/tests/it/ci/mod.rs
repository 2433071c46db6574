//! `ci`: base against head, the files, the action and the workflows of the pages.

#[cfg(unix)]
mod action;
#[cfg(unix)]
mod comment;
mod heads;
mod numbers;
mod steps;
mod workflows;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use roxmltree::Document;
use serde_json::{Value, json};

use crate::compare::Shop;
use crate::program::Ran;

/// Variables of services, which tests set themselves.
const SERVICE: [&str; 8] = [
    "GITHUB_EVENT_PATH",
    "GITHUB_BASE_REF",
    "GITHUB_STEP_SUMMARY",
    "CI_MERGE_REQUEST_TARGET_BRANCH_SHA",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA",
    "CI_MERGE_REQUEST_IID",
    "CI_COMMIT_BEFORE_SHA",
    "CI_DEFAULT_BRANCH",
];

fn output(shop: &Shop) -> PathBuf {
    shop.folder.join("ci")
}

/// `ci` with two placements, of two cases.
fn command(shop: &Shop, arguments: &[&str]) -> Command {
    command_of(shop, arguments, &["sum", "gone"])
}

/// The same, of the cases that these filters select.
fn command_of(shop: &Shop, arguments: &[&str], filters: &[&str]) -> Command {
    let output = output(shop);
    let common = [
        "ci",
        "--offline",
        "--profile",
        "dev",
        "--layouts",
        "2",
        "--output",
    ];
    let words = [&common[..], &[output.to_str().expect("a path")], arguments].concat();
    let mut command = shop.command("", &[&words[..], &["--"], filters].concat());
    command.env("TOURBILLON_STORE", shop.folder.join("ci-store"));
    for name in SERVICE {
        command.env_remove(name);
    }
    command
}

fn ran(mut command: Command) -> Ran {
    command.output().expect("the program starts").into()
}

fn file(shop: &Shop, name: &str) -> String {
    fs::read_to_string(output(shop).join(name)).expect(name)
}

fn json_file(shop: &Shop, name: &str) -> Value {
    serde_json::from_str(&file(shop, name)).expect(name)
}

/// The names of the tests in the JUnit file, each with its result.
fn tests(shop: &Shop) -> Vec<(String, String)> {
    let text = file(shop, "junit.xml");
    let document = Document::parse(&text).expect(&text);
    let mut tests = Vec::new();
    for node in document.descendants() {
        if node.has_tag_name("testcase") {
            let name = node.attribute("name").expect("a name");
            let result = node.first_element_child().expect("a result");
            tests.push((name.to_owned(), result.tag_name().name().to_owned()));
        }
    }
    tests.sort();
    tests
}

/// GitHub's description of a pull request to a base.
fn event(shop: &Shop, base: &str) -> PathBuf {
    let path = shop.folder.join("event.json");
    let event = json!({"pull_request": {"number": 12, "base": {"sha": base}}});
    fs::write(&path, event.to_string()).expect("a file");
    path
}

fn commit(repository: &Path, revision: &str) -> String {
    let output = Command::new("git")
        .args(["rev-parse", revision])
        .current_dir(repository)
        .output();
    let text = String::from_utf8(output.expect("git starts").stdout);
    text.expect("text").trim().to_owned()
}

/// The base of a pull request has a case that the head lacks.
pub(crate) fn a_pull_request_is_compared_with_its_base(shop: &Shop) {
    let summary = shop.folder.join("step-summary");
    fs::write(&summary, "before\n").expect("a file");
    let mut command = command(shop, &["--time", "1ms"]);
    command
        .env("GITHUB_BASE_REF", "nowhere")
        .env(
            "GITHUB_EVENT_PATH",
            event(shop, &commit(&shop.repository(), "v1")),
        )
        .env("GITHUB_STEP_SUMMARY", &summary);
    let ran = ran(command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stderr
            .contains("uncommitted changes are no part of the head"),
        "{ran:?}"
    );
    assert!(
        ran.stdout
            .contains("benchmarks: no verdict: 1 missing · 1 undecided"),
        "{ran:?}"
    );
    let pair = |name: &str, result: &str| (name.to_owned(), result.to_owned());
    assert_eq!(
        tests(shop),
        [pair("gone", "skipped"), pair("sum", "skipped")]
    );
    let page = file(shop, "summary.md");
    assert!(page.contains("| − `gone` |"), "{page}");
    assert_eq!(
        fs::read_to_string(&summary).expect("a file"),
        format!("before\n{page}")
    );
    assert!(file(shop, "comment.md").starts_with("<!-- tourbillon -->\n### Benchmarks: "));
    assert_eq!(file(shop, "pull-request"), "12\n");
    let quality = json_file(shop, "code-quality.json");
    assert_eq!(
        quality[1]["location"]["path"], "shop/benches/speed.rs",
        "{quality}"
    );
    let lines = file(shop, "comparison.jsonl");
    let last = lines.lines().next_back().expect("an end");
    let end: Value = serde_json::from_str(last).expect(last);
    assert_eq!(end["only_reference"], json!(["shop/speed::gone"]));

    // The same, where missing cases fail.
    let mut failing = self::command(
        shop,
        &["--time", "1ms", "--missing", "fail", "--base", "v1"],
    );
    failing.env("CI_MERGE_REQUEST_IID", "3");
    let ran = self::ran(failing);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(
        tests(shop),
        [pair("gone", "failure"), pair("sum", "skipped")]
    );
    assert_eq!(file(shop, "pull-request"), "3\n");
}

pub(crate) fn the_first_benchmarks_are_new(shop: &Shop) {
    let ran = ran(command(shop, &["--base", "foreign", "--head", "v1"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("benchmarks: no verdict: 2 new"),
        "{ran:?}"
    );
    assert_eq!(tests(shop).len(), 2);
    assert!(tests(shop).iter().all(|(_, result)| result == "skipped"));
    let lines = json_file(shop, "comparison.jsonl");
    let ids = lines["only_candidate"].as_array().expect("ids");
    for id in ["shop/speed::sum", "shop/speed::gone"] {
        assert!(ids.contains(&json!(id)), "{lines}");
    }
}

pub(crate) fn without_a_base_nothing_is_compared(shop: &Shop) {
    for (arguments, code, expected) in [
        (&[][..], 1, "no base: this is no pull request"),
        (
            &["--base", "HEAD"],
            1,
            "the head is a commit of the base HEAD itself",
        ),
        (
            &["--base", "v9"],
            1,
            "the base v9 is not in this clone; fetch it with",
        ),
        (
            &["--base", "v1", "--head", "v9"],
            1,
            "git does not know the revision \"v9\"",
        ),
    ] {
        let ran = ran(command(shop, arguments));
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(expected), "{ran:?}");
        assert!(ran.stdout.contains("benchmarks: not compared"), "{ran:?}");
        assert_eq!(tests(shop)[0].1, "error");
        assert_eq!(json_file(shop, "comparison.jsonl")["exit_code"], code);
        assert_eq!(
            json_file(shop, "code-quality.json")[0]["severity"],
            "blocker"
        );
        assert!(file(shop, "summary.md").contains("### Benchmarks: not compared"));
        assert!(!output(shop).join("pull-request").exists());
    }
}

pub(crate) fn a_shallow_clone_names_the_remedy(shop: &Shop) {
    let clone = shop.folder.join("shallow");
    let url = format!("file://{}", shop.repository().display());
    let status = Command::new("git")
        .args(["clone", "--quiet", "--depth", "1", &url])
        .arg(&clone)
        .status();
    assert!(status.expect("git starts").success());
    let mut command = command(shop, &[]);
    command
        .current_dir(&clone)
        .env("GITHUB_BASE_REF", "release")
        .env(
            "GITHUB_EVENT_PATH",
            event(shop, &commit(&shop.repository(), "v1")),
        );
    let ran = ran(command);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    for expected in ["which is shallow", "`fetch-depth: 0`", "`GIT_DEPTH: 0`"] {
        assert!(ran.stderr.contains(expected), "{ran:?}");
    }
    assert!(file(shop, "comment.md").contains("which is shallow"));
}

/// The last one: it adds a commit.
pub(crate) fn a_slower_head_fails_the_gate(shop: &Shop) {
    shop.write(
        "core/src/lib.rs",
        "pub fn sum(n: u64) -> u64 { (0..100 * n).sum::<u64>() / 100 }\n",
    );
    shop.commit("slow");
    let ran = ran(command(
        shop,
        &["--base", "v2", "--time", "20s", "--undecided", "fail"],
    ));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stdout.contains("gate: sum is slower by more than 1 %"),
        "{ran:?}"
    );
    assert!(
        ran.stdout.contains("benchmarks: gate failed: 1 slower"),
        "{ran:?}"
    );
    assert_eq!(tests(shop), [("sum".to_owned(), "failure".to_owned())]);
    let quality = json_file(shop, "code-quality.json");
    assert_eq!(
        (quality[0]["severity"].as_str(), quality[1].is_null()),
        (Some("major"), true)
    );
    let page = file(shop, "summary.md");
    assert!(
        page.contains("| ▲ `sum` |") && page.contains(" slower** |"),
        "{page}"
    );
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with programs in place of others, first in the search path.
#[cfg(unix)]
fn programs(name: &str, scripts: &[(&str, &str)]) -> (crate::folder::Folder, std::ffi::OsString) {
    let folder = crate::folder::Folder::new(name);
    for (program, text) in scripts {
        crate::folder::script(&folder.join(program), text);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).expect("a search path");
    (folder, path)
}
