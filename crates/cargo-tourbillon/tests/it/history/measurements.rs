//! `history` with real builds: commits are measured, a change is nominated, confirmed and located.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::lines;
use crate::compare::{Shop, Stopping, interrupt};
use crate::program::Ran;

// Slow, and yet executed instruction by instruction within a second.
const SLOW: &str = "pub fn sum(n: u64) -> u64 { (0..8 * n).sum::<u64>() / 8 }\n";
const QUICK: &str = "pub fn sum(n: u64) -> u64 { (0..n).sum() }\n";
/// Runs of a commit: a change is nominated.
const RUNS: u64 = 12;
/// How often a busy machine may refuse a measurement, or leave a comparison undecided.
const TRIES: usize = 20;

fn history(shop: &Shop, arguments: &[&str]) -> Ran {
    let folder = folder(shop);
    let place = ["history", "--history", folder.to_str().expect("a path")];
    let output = shop.command("", &[&place, arguments].concat()).output();
    output.expect("the program starts").into()
}

fn printed(shop: &Shop, arguments: &[&str]) -> String {
    let ran = history(shop, arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

fn folder(shop: &Shop) -> PathBuf {
    shop.folder.join("history")
}

const BUILD: [&str; 5] = ["--offline", "--profile", "dev", "--bench", "speed"];

/// Four commits after `v2`: as it was, one that does not build, a slow one, and one that is as slow.
pub(crate) fn commits_are_measured(shop: &Shop) {
    shop.git(&["checkout", "--quiet", "--force", "-b", "history", "v2"]);
    for (tag, core) in [
        ("h1", format!("{QUICK}// Again.\n")),
        ("h2", "pub fn sum(n: u64) -> u64 { nothing }\n".to_owned()),
        ("h3", SLOW.to_owned()),
        ("h4", format!("{SLOW}// Again.\n")),
    ] {
        shop.write("core/src/lib.rs", &core);
        shop.git(&["commit", "--quiet", "--all", "-m", tag]);
        shop.git(&["tag", tag]);
    }
    an_interrupt_is_no_failure(shop);
    let (metric, log) = missing_results_are_measured_once(shop);
    an_interrupt_ends_the_wait_for_the_machine(shop);
    a_change_is_nominated_and_confirmed(shop, metric, &log);
    a_change_is_located(shop);
    a_dependency_is_located(shop);
}

/// The first result that is as it has to be.
fn first(mut run: impl FnMut() -> Ran, is_wanted: impl Fn(&Ran) -> bool) -> Ran {
    let mut refused = Vec::new();
    for _ in 0..TRIES {
        let ran = run();
        if is_wanted(&ran) {
            return ran;
        }
        refused.push(ran);
    }
    panic!("{refused:?}")
}

/// While cargo builds.
fn an_interrupt_is_no_failure(shop: &Shop) {
    let stopping = Stopping::at(shop, "bench");
    let folder = folder(shop);
    let place = ["history", "--history", folder.to_str().expect("a path")];
    let mut child = stopping.start(
        shop,
        &[&place[..], &["backfill", "h3..h4"], &BUILD].concat(),
    );
    stopping.wait();
    interrupt(&mut child);
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert_eq!(
        ran.stdout,
        "0 commits measured, 0 with results before, 0 that cannot be measured\n"
    );
    assert!(!folder.join("failures").exists());
}

/// Returns a metric that every commit has, and its points: what is contended may have cycles and no time. Commits
/// without a metric in common are measured again.
fn missing_results_are_measured_once(shop: &Shop) -> (&'static str, Vec<Value>) {
    let backfill = |more: &[&str], bench: &[&str]| {
        let arguments = [&["backfill", "v2..h4"], &BUILD[..], more, &["--"], bench].concat();
        history(shop, &arguments)
    };
    let plan = backfill(&["--dry-run"], &[]);
    assert_eq!(plan.stdout.lines().count(), 4, "{plan:?}");
    let few = ["--max-time", "1s", "sum"];
    let all_known = "0 commits measured, 3 with results before, 1 that cannot be measured\n";
    for _ in 0..TRIES {
        backfill(&["--last", "1"], &few);
        first(|| backfill(&[], &few), |ran| ran.stdout == all_known);
        assert_eq!(failures(&folder(shop)), 1);
        for metric in ["time", "cycles"] {
            let log = log(shop, metric);
            if log.len() == 3 {
                return (metric, log);
            }
        }
        fs::remove_dir_all(folder(shop)).expect("a folder");
    }
    panic!("no metric that all commits have");
}

/// The points of `sum`; none where the history has none.
fn log(shop: &Shop, metric: &str) -> Vec<Value> {
    lines(
        &history(
            shop,
            &["log", "sum", "--metric", metric, "--format", "jsonl"],
        )
        .stdout,
    )
}

/// How many commits are noted as broken.
fn failures(folder: &Path) -> usize {
    let folders = fs::read_dir(folder.join("failures")).expect("a folder");
    folders.count()
}

/// While another program measures.
fn an_interrupt_ends_the_wait_for_the_machine(shop: &Shop) {
    let locks = shop.folder.join("locks");
    fs::create_dir(&locks).expect("a folder");
    let lock = File::create(locks.join("tourbillon.lock")).expect("a file");
    lock.lock().expect("a lock");
    let folder = folder(shop);
    let place = ["history", "--history", folder.to_str().expect("a path")];
    let bisect = [&place[..], &["bisect", "sum", "v2", "h3"], &BUILD].concat();
    let mut command = shop.command("", &bisect);
    command.env("TOURBILLON_LOCK", &locks).process_group(0);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut messages = stderr.lines().map(|line| line.expect("text"));
    // What the bench program printed before, without an end of line, is in front of it.
    assert!(messages.any(|line| line.contains("waiting for another program")));
    interrupt(&mut child);
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), ""), "{ran:?}");
}

/// As if both commits had been measured often: with the results of one run each.
fn a_change_is_nominated_and_confirmed(shop: &Shop, metric: &str, log: &[Value]) {
    for point in [&log[0], &log[2]] {
        let hash = point["record"].as_str().expect("a hash");
        let path = folder(shop).join("records").join(&hash[..2]);
        let record = fs::read_to_string(path.join(format!("{hash}.jsonl"))).expect("a record");
        let started = point["started_unix_ns"].as_u64().expect("a time");
        let runs = (1..=RUNS)
            .map(|run| record.replace(&started.to_string(), &(started + run).to_string()));
        let file = shop.folder.join("runs.jsonl");
        fs::write(&file, runs.collect::<String>()).expect("a file");
        let commit = point["commit"].as_str().expect("a commit");
        printed(
            shop,
            &["add", file.to_str().expect("a path"), "--commit", commit],
        );
    }
    let changes = || {
        lines(&printed(
            shop,
            &["changes", "--metric", metric, "--format", "jsonl"],
        ))
    };
    let found = changes();
    assert_eq!(
        (found.len(), &found[0]["verdict"]),
        (1, &Value::Null),
        "{found:?}"
    );
    let confirm = ["confirm", "--metric", metric, "--gate", "--again"];
    let confirm = [&confirm, &BUILD[..]].concat();
    // The gate: it is news that it became slower.
    let ran = first(|| history(shop, &confirm), |ran| ran.code == Some(2));
    assert!(
        ran.stdout.contains("1 change confirmed · 0 not confirmed"),
        "{ran:?}"
    );
    assert_eq!(changes()[0]["verdict"], "confirmed");
    // No news any more.
    let ran = history(shop, &confirm);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("0 changes confirmed"), "{ran:?}");
}

fn a_change_is_located(shop: &Shop) {
    let bisect = |more: &[&str]| {
        let arguments = [&["bisect", "sum", "v2", "h4"], &BUILD[..], more].concat();
        history(shop, &[&arguments, &["--format", "jsonl"][..]].concat())
    };
    let answer = |ran: &Ran| lines(&ran.stdout).pop().unwrap_or_default();
    // The second commit does not build: it is this one or the next.
    let subjects = |found: &Value| -> Vec<String> {
        let range = found["range"].as_array().into_iter().flatten();
        range
            .map(|commit| subject(shop, commit.as_str().expect("a commit")))
            .collect()
    };
    let found = first(
        || bisect(&["--again"]),
        |ran| subjects(&answer(ran)) == ["h2", "h3"],
    );
    let found = answer(&found);
    assert!(
        found["ratio"].as_f64().is_some_and(|ratio| ratio > 2.0),
        "{found}"
    );
    assert_eq!(found["steps"].as_array().map(Vec::len), Some(3), "{found}");
    // All of it is known now.
    assert_eq!(answer(&bisect(&["--dry-run"])), found);
    // It is explained by counts, of the commits around it that build.
    let ran = bisect(&["--why"]);
    let printed = lines(&ran.stdout);
    let [change, why] = &printed[..] else {
        panic!("{ran:?}");
    };
    assert_eq!(change, &found);
    let cause = &why["document"]["causes"][0];
    assert_eq!(cause["cause"], "more work", "{why:#}");
}

/// Two packages of a registry have newer versions; the second one is slow.
fn a_dependency_is_located(shop: &Shop) {
    let root = shop.repository();
    let registry = root.join("registry");
    let package = |name: &str, version: &str, text: &str| {
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = {version:?}\nedition = \"2024\"\n[workspace]\n"
        );
        publish(&registry, [name, version], &manifest, text);
    };
    let address = "sparse+http://localhost/";
    fs::create_dir_all(root.join(".cargo")).expect("a folder");
    shop.write(
        ".cargo/config.toml",
        &format!(
            "[registries.own]\nindex = {address:?}\n[source.own]\nregistry = {address:?}\n\
             replace-with = \"folder\"\n[source.folder]\nlocal-registry = \"registry\"\n"
        ),
    );
    let manifest = fs::read_to_string(root.join("core/Cargo.toml")).expect("a manifest");
    let dependency = |name: &str| format!("{name} = {{ version = \"1\", registry = \"own\" }}\n");
    let dependencies = dependency("alpha") + &dependency("beta");
    shop.write(
        "core/Cargo.toml",
        &(manifest + "[dependencies]\n" + &dependencies),
    );
    shop.write(
        "core/src/lib.rs",
        "pub fn sum(n: u64) -> u64 { alpha::sum(n) + beta::sum(n) }\n",
    );
    shop.write(".gitignore", "target\n");
    let lock = || {
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.args(["generate-lockfile", "--offline", "--quiet"]);
        assert!(cargo.current_dir(&root).status().expect("cargo").success());
    };
    for name in ["alpha", "beta"] {
        package(name, "1.0.0", QUICK);
    }
    lock();
    shop.commit("older");
    package("alpha", "1.1.0", &format!("{QUICK}// Again.\n"));
    package("beta", "1.1.0", SLOW);
    lock();
    shop.commit("newer");
    let bisect = [&["bisect", "sum", "--deps", "older", "newer"], &BUILD[..]].concat();
    let bisect = [&bisect, &["--again", "--format", "jsonl"][..]].concat();
    let update = serde_json::json!(["beta 1.0.0 -> 1.1.0"]);
    let ran = first(
        || history(shop, &bisect),
        |ran| {
            lines(&ran.stdout)
                .pop()
                .is_some_and(|found| found["updates"] == update)
        },
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = printed(
        shop,
        &[&bisect[..bisect.len() - 3], &["--dry-run"][..]].concat(),
    );
    assert!(
        text.ends_with("the change is in beta 1.0.0 -> 1.1.0\n"),
        "{text}"
    );
}

/// Adds a package to a registry as cargo reads it from a folder.
fn publish(registry: &Path, [name, version]: [&str; 2], manifest: &str, text: &str) {
    let whole = format!("{name}-{version}");
    let folder = registry.join(&whole);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    fs::write(folder.join("src/lib.rs"), text).expect("a file");
    let archive = format!("{whole}.crate");
    let mut tar = std::process::Command::new("tar");
    tar.args(["-czf", &archive, &whole]).current_dir(registry);
    assert!(tar.status().expect("tar").success());
    fs::remove_dir_all(&folder).expect("a folder");
    let digest = Sha256::digest(fs::read(registry.join(archive)).expect("a file"));
    let sum: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let index = registry.join("index").join(&name[..2]).join(&name[2..4]);
    fs::create_dir_all(&index).expect("a folder");
    let index = index.join(name);
    let known = fs::read_to_string(&index).unwrap_or_default();
    let line = serde_json::json!({
        "name": name, "vers": version, "deps": [], "cksum": sum, "features": {}, "yanked": false,
    });
    fs::write(&index, format!("{known}{line}\n")).expect("a file");
}

fn subject(shop: &Shop, commit: &str) -> String {
    let mut git = std::process::Command::new("git");
    git.args(["log", "-1", "--format=%s", commit])
        .current_dir(shop.repository());
    let output = git.output().expect("git starts");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
