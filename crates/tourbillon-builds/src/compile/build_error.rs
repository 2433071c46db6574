//! Errors about code that cannot be built or compared.

use std::path::{Component, Path};

use toml::{Table, Value};

use crate::compile::manifests::manifests;
use crate::compile::targets::{Target, TargetKind, kind};
use crate::error::{Error, Result};

/// Adds to cargo's message which side failed to build, and where its code is if that is in a clone.
pub(crate) fn does_not_build(error: Error, label: &str, clone: Option<&Path>) -> Error {
    let code = match error {
        Error::Cargo(code, _) => code,
        Error::Ended(_) => {
            return Error::Ended(format!(
                "{label} was not built: a signal ended cargo or what it had started, as where there is too little memory; \
                 cargo's message is above; try again, with fewer jobs at once if memory is short (CARGO_BUILD_JOBS)"
            ));
        }
        other => return other,
    };
    let mut text = format!("{label} does not build; cargo's message is above");
    if let Some(clone) = clone {
        let remedy = missing_dependency(clone).unwrap_or_else(|| {
            format!(
                "it is checked out in {clone:?}; compare with a revision that builds, or fix it on a \
                 branch"
            )
        });
        text = format!("{text}\n       {remedy}");
    }
    Error::Cargo(code, text)
}

/// The bench targets that use tourbillon, at least one, sorted by name.
pub(crate) fn with_tourbillon(targets: Vec<Target>, label: &str) -> Result<Vec<Target>> {
    let mut found = Vec::new();
    let mut others = Vec::new();
    for target in targets {
        match kind(&target.executable) {
            TargetKind::Tourbillon => found.push(target),
            TargetKind::BuiltInHarness => {
                let what = target.measures_nothing();
                return Err(Error::Usage(format!("{label}: {what}")));
            }
            TargetKind::Other => others.push(target.name),
        }
    }
    if found.is_empty() {
        others.sort();
        return Err(Error::NoBenchmarks(no_benchmarks(label, &others)));
    }
    // Cargo's order depends on what was built already.
    found.sort_by(|one, other| (&one.package, &one.name).cmp(&(&other.package, &other.name)));
    Ok(found)
}

fn no_benchmarks(label: &str, others: &[String]) -> String {
    let without = match others {
        [] => "has no bench target".to_owned(),
        [one] => format!("has a bench target {one}, which does not use tourbillon"),
        several => {
            let names = several.join(", ");
            format!("has bench targets {names}, which do not use tourbillon")
        }
    };
    format!(
        "{label} {without}; compare with a revision that has benchmarks, or add them to it with \
         `git worktree add` and `git checkout REV -- FILES`"
    )
}

/// A message about the first relative path dependency in the clone's manifests that leads outside the
/// clone and does not exist there.
fn missing_dependency(clone: &Path) -> Option<String> {
    manifests(clone).ok()?.iter().find_map(|(manifest, table)| {
        let folder = manifest.parent()?;
        let path = path_dependencies(table).into_iter().find(|path| {
            leads_out(&folder.join(path)) && !clone.join(folder).join(path).exists()
        })?;
        Some(format!(
            "its {} has the path dependency {path:?}, which is outside the repository and \
             missing next to its clone; use an absolute path or a git dependency",
            manifest.display()
        ))
    })
}

/// The paths of the dependencies in a manifest.
fn path_dependencies(manifest: &Table) -> Vec<String> {
    let mut paths = Vec::new();
    collect(manifest, false, &mut paths);
    paths
}

/// Collects below a table; `inside` a table of dependencies, which also occur below `workspace`,
/// `target` and `patch`.
fn collect(table: &Table, inside: bool, paths: &mut Vec<String>) {
    for (key, value) in table {
        let Value::Table(value) = value else {
            continue;
        };
        if inside && let Some(Value::String(path)) = value.get("path") {
            paths.push(path.clone());
        }
        let dependencies = key.ends_with("dependencies") || key == "patch";
        collect(value, inside || dependencies, paths);
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
    fn a_revision_without_benchmarks_is_reported() {
        let text = no_benchmarks("v1 (1a2b3c4)", &["old".to_owned()]);
        assert!(text.starts_with("v1 (1a2b3c4) has a bench target old, which does not use"));
        assert!(no_benchmarks("v1", &[]).contains("has no bench target;"));
    }

    #[test]
    fn paths_of_all_dependencies_are_found() {
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
        let mut found = path_dependencies(&text.parse().expect("TOML"));
        found.sort();
        assert_eq!(found, ["../../e", "../b", "d", "f"]);
    }

    #[test]
    fn paths_that_lead_out_are_recognised() {
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
