//! Dependencies between the crates are those that docs/explanation/architecture.md lists and draws.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = include_str!("../../../../docs/explanation/architecture.md");

/// The crates that each crate uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// A dependency of a package when it is built for others.
struct Dependency {
    name: String,
    optional: bool,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The dependencies of every package of the workspace.
fn dependencies() -> BTreeMap<String, Vec<Dependency>> {
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
    let mut all = BTreeMap::new();
    for package in array(json.value(), "packages") {
        let mut uses = Vec::new();
        for dependency in array(package, "dependencies") {
            if member(dependency, "kind").kind().is_null() {
                let optional = member(dependency, "optional").as_boolean_str();
                uses.push(Dependency {
                    name: text_of(dependency, "name"),
                    optional: optional.ok() == Some("true"),
                });
            }
        }
        all.insert(text_of(package, "name"), uses);
    }
    all
}

fn member<'t, 'r>(value: nojson::RawJsonValue<'t, 'r>, name: &str) -> nojson::RawJsonValue<'t, 'r> {
    let member = value.to_member(name).expect("an object");
    member.required().expect("a member")
}

fn array<'t, 'r>(
    value: nojson::RawJsonValue<'t, 'r>,
    name: &str,
) -> impl Iterator<Item = nojson::RawJsonValue<'t, 'r>> {
    member(value, name).to_array().expect("an array")
}

fn text_of(value: nojson::RawJsonValue<'_, '_>, name: &str) -> String {
    let text = member(value, name).to_unquoted_string_str();
    text.expect("a text").into_owned()
}

/// The name of a crate of `crates/` as the page has it; `None` for other packages.
fn short(package: &str) -> Option<&str> {
    match package {
        "tourbillon-fixtures" => None,
        "tourbillon" | "cargo-tourbillon" => Some(package),
        _ => package.strip_prefix("tourbillon-"),
    }
}

/// The uses by the manifests.
fn built() -> Uses {
    let mut built = Uses::new();
    for (package, dependencies) in &dependencies() {
        if let Some(name) = short(package) {
            let used = dependencies.iter().filter_map(|used| short(&used.name));
            built.insert(name.to_owned(), used.map(str::to_owned).collect());
        }
    }
    built
}

/// The uses by the page's table.
fn listed() -> Uses {
    let mut listed = Uses::new();
    for line in PAGE.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", name, _, uses, ""] = cells[..]
            && let Some(name) = name
                .strip_prefix('`')
                .and_then(|name| name.strip_suffix('`'))
            && let Some(name) = short(name)
        {
            let uses = uses.split_whitespace().map(str::to_owned).collect();
            listed.insert(name.to_owned(), uses);
        }
    }
    listed
}

/// The arrows of the page's drawing.
fn drawn() -> BTreeSet<String> {
    let (_, drawing) = PAGE.split_once("```mermaid\n").expect("a drawing");
    let (drawing, _) = drawing.split_once("```").expect("its end");
    let arrows = drawing.lines().filter(|line| line.contains("-->"));
    arrows.map(|line| line.trim().to_owned()).collect()
}

/// Whether `from` uses `to`, directly or through others.
fn reaches(uses: &Uses, from: &str, to: &str) -> bool {
    uses[from]
        .iter()
        .any(|used| used == to || reaches(uses, used, to))
}

/// The arrows that others do not imply.
fn reduced(uses: &Uses) -> BTreeSet<String> {
    let mut arrows = BTreeSet::new();
    for (name, used) in uses {
        for to in used {
            if !used.iter().any(|other| reaches(uses, other, to)) {
                arrows.insert(format!("{name} --> {to}"));
            }
        }
    }
    arrows
}

#[test]
fn the_page_lists_what_each_crate_uses() {
    assert_eq!(listed(), built(), "the table of architecture.md");
}

#[test]
fn the_page_draws_the_arrows_that_others_do_not_imply() {
    assert_eq!(drawn(), reduced(&built()), "the drawing of architecture.md");
}

#[test]
fn what_a_bench_binary_links_is_on_the_list() {
    // Every clean build of a bench pays for each of these (docs/decisions/0001). Linux has none of
    // them (docs/decisions/0006); windows-sys is on Windows only.
    let allowed = ["libc", "lexopt", "windows-sys"];
    let built = built();
    let linked = |name: &str| name == "tourbillon" || reaches(&built, "tourbillon", name);
    for (name, uses) in dependencies() {
        if !short(&name).is_some_and(linked) {
            continue;
        }
        // A bench binary enables no optional dependency.
        let linked = uses.iter().filter(|used| !used.optional);
        for used in linked.filter(|used| !used.name.starts_with("tourbillon")) {
            assert!(
                allowed.contains(&used.name.as_str()),
                "{name} uses {}",
                used.name
            );
        }
    }
}
