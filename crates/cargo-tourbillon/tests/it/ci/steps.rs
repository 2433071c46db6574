//! Every step of every job of this repository and of its pages: whose code it runs, and what it leaves in the clone.

use std::fs;
use std::path::{Path, PathBuf};

use yaml_rust2::Yaml;

use super::root;
use super::workflows::{text, yaml_of};

/// This repository as GitHub names it, whose commit is the reader's choice: pages advise to name one.
pub(super) fn ours() -> String {
    let (rest, name) = env!("CARGO_PKG_REPOSITORY")
        .rsplit_once('/')
        .expect("an address");
    let (_, owner) = rest.rsplit_once('/').expect("an owner");
    format!("{owner}/{name}@")
}

/// A text with YAML, and where it is.
struct Source {
    name: String,
    text: String,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() && name != "target" && name != ".git" {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|end| end == "md" || end == "yml")
        {
            found.push(path);
        }
    }
}

/// The files of YAML, and the blocks of YAML in all pages.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    files(&root(), &mut found);
    let mut sources = Vec::new();
    for path in found {
        let name = path
            .strip_prefix(root())
            .expect("a file of it")
            .to_string_lossy()
            .replace('\\', "/");
        let whole = fs::read_to_string(&path).expect(&name);
        if name.ends_with(".yml") {
            sources.push(Source { name, text: whole });
            continue;
        }
        for block in whole.split("```yaml\n").skip(1) {
            let text = block.split("```").next().unwrap_or_default().to_owned();
            sources.push(Source {
                name: name.clone(),
                text,
            });
        }
    }
    sources
}

/// Every mapping in a value.
fn mappings<'y>(value: &'y Yaml, found: &mut Vec<&'y Yaml>) {
    match value {
        Yaml::Hash(members) => {
            found.push(value);
            members.values().for_each(|member| mappings(member, found));
        }
        Yaml::Array(values) => values.iter().for_each(|value| mappings(value, found)),
        _ => {}
    }
}

/// Does something with every step of every job.
fn each_step(check: impl Fn(&str, &Yaml)) -> usize {
    let mut count = 0;
    for source in sources() {
        let mut found = Vec::new();
        let values = yaml_of(&source.text);
        values.iter().for_each(|value| mappings(value, &mut found));
        for step in found {
            if !step["uses"].is_badvalue() || !step["run"].is_badvalue() {
                check(&source.name, step);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn actions_are_pinned_and_the_version_is_beside() {
    let mut count = 0;
    for source in sources() {
        let lines = source
            .text
            .lines()
            .map(str::trim_start)
            .map(|line| line.trim_start_matches("- "));
        for uses in lines.filter_map(|line| line.strip_prefix("uses: ")) {
            count += 1;
            if uses.starts_with(&ours()) {
                continue;
            }
            let at = &source.name;
            let (action, version) = uses.split_once(" # v").expect(at);
            let (_, hash) = action.split_once('@').expect(at);
            let is_hash = hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_hash, "{at}: {uses}");
            let parts: Vec<&str> = version.split('.').collect();
            let numbers = parts.iter().all(|part| part.parse::<u32>().is_ok());
            assert!(parts.len() == 3 && numbers, "{at}: {uses}");
        }
    }
    assert!(count > 10, "{count}");
    let page = fs::read_to_string(root().join("docs/how-to/ci-github.md")).expect("a page");
    assert!(page.contains("Name a full commit hash in place of `main`"));
}

#[test]
fn one_action_has_one_commit() {
    let mut known: Vec<(String, String)> = Vec::new();
    for source in sources() {
        let uses = source
            .text
            .lines()
            .filter_map(|line| line.split_once("uses: "));
        for (_, uses) in uses.filter(|(_, uses)| !uses.starts_with(&ours())) {
            let (action, commit) = uses.split_once('@').expect("a commit");
            let repository = action.split('/').take(2).collect::<Vec<_>>().join("/");
            let one = (repository, commit.to_owned());
            let is_other = |other: &&(String, String)| other.0 == one.0 && other.1 != one.1;
            assert_eq!(known.iter().find(is_other), None, "{}", source.name);
            known.push(one);
        }
    }
}

#[test]
fn a_checkout_leaves_no_credentials() {
    each_step(|name, step| {
        if step["uses"]
            .as_str()
            .is_some_and(|uses| uses.starts_with("actions/checkout@"))
        {
            let persist = step["with"]["persist-credentials"].as_bool();
            assert_eq!(persist, Some(false), "{name}: {step:?}");
        }
    });
}

#[test]
fn no_script_contains_an_expression() {
    let count = each_step(|name, step| {
        if !step["run"].is_badvalue() {
            assert!(!text(&step["run"]).contains("${{"), "{name}: {step:?}");
        }
    });
    assert!(count > 20, "{count}");
}
