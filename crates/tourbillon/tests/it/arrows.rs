//! Dependencies between the crates point down only (docs/ARCHITECTURE.md).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which crates of ours each crate may use in what it builds for others.
const ARROWS: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("stats", &[]),
    ("mem", &[]),
    ("os", &[]),
    ("record", &[]),
    ("macros", &[]),
    ("engine", &["clock", "stats", "record", "macros"]),
    ("analysis", &["stats", "record"]),
    ("runner", &["os", "analysis", "stats", "record"]),
    ("builds", &["clock", "os", "stats", "record", "runner"]),
    ("timers", &["clock"]),
    ("report", &["stats", "record"]),
    ("pictures", &[]),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What every package of the workspace depends on when it is built for others.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let json = nojson::RawJson::parse(&text).expect("cargo prints JSON");
    let member = |value: nojson::RawJsonValue<'_, '_>, name: &str| -> String {
        let found = value
            .to_member(name)
            .expect("an object")
            .required()
            .expect("a member");
        found.to_unquoted_string_str().expect("a text").into_owned()
    };
    let mut all = BTreeMap::new();
    let packages = json
        .value()
        .to_member("packages")
        .expect("an object")
        .required();
    for package in packages.expect("packages").to_array().expect("an array") {
        let mut uses = BTreeSet::new();
        let listed = package
            .to_member("dependencies")
            .expect("an object")
            .required();
        for dependency in listed.expect("dependencies").to_array().expect("an array") {
            let kind = dependency
                .to_member("kind")
                .expect("an object")
                .required()
                .expect("kind");
            let optional = dependency
                .to_member("optional")
                .expect("an object")
                .required()
                .expect("optional");
            // What a feature asks for that no bench binary has is not for it.
            if kind.kind().is_null() && optional.as_boolean_str().ok() != Some("true") {
                uses.insert(member(dependency, "name"));
            }
        }
        all.insert(member(package, "name"), uses);
    }
    all
}

#[test]
fn arrows_point_down_only() {
    let dependencies = dependencies();
    let prefix = "tourbillon-";
    for (name, allowed) in ARROWS {
        let uses = &dependencies[&format!("{prefix}{name}")];
        for used in uses.iter().filter_map(|used| used.strip_prefix(prefix)) {
            assert!(allowed.contains(&used), "{name} must not use {used}");
        }
        assert!(
            !uses.contains("tourbillon"),
            "{name} must not use the facade"
        );
    }
    let known = ARROWS.len();
    let ours = dependencies
        .keys()
        .filter(|name| name.starts_with(prefix))
        .count();
    let strangers = usize::from(dependencies.contains_key("tourbillon-fixtures"));
    assert_eq!(
        ours - strangers,
        known,
        "a crate has no arrows yet: {:?}",
        dependencies.keys()
    );
}

#[test]
fn what_a_bench_binary_links_is_on_the_list() {
    // Every one of these is paid for in every clean build of a bench (docs/decisions/0001); on Linux
    // not even this one is there (docs/decisions/0006).
    let allowed = ["libc"];
    for (name, uses) in dependencies() {
        if !name.starts_with("tourbillon")
            || name == "tourbillon-fixtures"
            || name == "tourbillon-builds"
            || name == "tourbillon-pictures"
        {
            continue;
        }
        for used in uses.iter().filter(|used| !used.starts_with("tourbillon")) {
            assert!(allowed.contains(&used.as_str()), "{name} uses {used}");
        }
    }
}
