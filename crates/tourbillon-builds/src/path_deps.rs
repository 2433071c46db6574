//! Path dependencies that a clone lacks because they lie outside the repository.

use std::fs;
use std::path::{Component, Path};

use toml::de::{DeTable, DeValue};

use super::git::asked;

/// Names of the tables of dependencies.
const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// A message about the first relative path dependency in the clone's manifests that leads outside
/// the clone and does not exist there.
pub fn first(clone: &Path) -> Option<String> {
    let manifests = asked(clone, ["ls-files", "Cargo.toml", "*/Cargo.toml"]).ok()?;
    manifests.lines().find_map(|manifest| {
        let text = fs::read_to_string(clone.join(manifest)).ok()?;
        let folder = Path::new(manifest).parent()?;
        let paths = paths(&text);
        let path = paths
            .iter()
            .find(|path| leads_out(&folder.join(path)) && !clone.join(folder).join(path).exists())?;
        Some(format!(
            "its {manifest} has the path dependency {path:?}, which is outside the repository and \
             missing next to its clone; use an absolute path or a git dependency"
        ))
    })
}

/// The paths of the dependencies in a manifest.
fn paths(text: &str) -> Vec<String> {
    let Ok(table) = DeTable::parse(text) else {
        return Vec::new();
    };
    let mut paths = Vec::new();
    collect(table.get_ref(), false, &mut paths);
    paths
}

/// Collects below a table; `inside` a table of dependencies, which also occur below `workspace`,
/// `target` and `patch`.
fn collect(table: &DeTable<'_>, inside: bool, paths: &mut Vec<String>) {
    for (key, value) in table {
        let DeValue::Table(value) = value.get_ref() else {
            continue;
        };
        if inside && let Some(path) = value.get("path").and_then(|path| path.get_ref().as_str()) {
            paths.push(path.to_owned());
        }
        let key: &str = key.get_ref();
        let patched = key == "patch" || inside;
        collect(value, KINDS.contains(&key) || patched, paths);
    }
}

/// Whether a relative path leads above its start.
fn leads_out(path: &Path) -> bool {
    let mut depth = 0;
    for part in path.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            // An absolute path is the same for the clone.
            Component::RootDir | Component::Prefix(_) => return false,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_dependencies_are_found_wherever_they_stand() {
        let text = r#"
[package]
name = "a"
path = "no"
[lib]
path = "src/no.rs"
[dependencies]
b = { path = "../b" }
c = "1"
[target.'cfg(unix)'.dev-dependencies.d]
path = "d"
[workspace.dependencies]
e = { path = "../../e" }
[patch.crates-io]
f = { path = "f" }
"#;
        let mut found = paths(text);
        found.sort();
        assert_eq!(found, ["../../e", "../b", "d", "f"]);
        assert!(paths("no toml").is_empty());
    }

    #[test]
    fn what_leads_out_is_told_from_what_does_not() {
        for (path, expected) in [
            ("shop/../core", false),
            ("shop/../../core", true),
            ("../core", true),
            ("./core", false),
            ("/w/core", false),
        ] {
            assert_eq!(leads_out(Path::new(path)), expected, "{path}");
        }
    }
}
