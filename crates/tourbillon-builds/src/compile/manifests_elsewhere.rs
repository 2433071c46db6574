//! The manifests outside of a revision by which cargo chooses what is built.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml::{Table, Value};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::compile::manifests::manifests;
use crate::compile::whole_path::whole;
use crate::error::Result;

const MANIFEST: &str = "Cargo.toml";

/// Keys of folders with a manifest: of a dependency, and of the workspace of a package.
const KEYS: [&str; 2] = ["path", "workspace"];

/// Those that the manifests of a checkout and of other packages lead to, from one to the next, and those that cargo looks
/// for in the folders around each, whether they are there or not. Dependencies count that are not compiled, too: they
/// decide versions of others.
pub(crate) fn manifests_elsewhere(
    checkout: &Path,
    others: &[PathBuf],
) -> Result<BTreeSet<PathBuf>> {
    let mut open: Vec<PathBuf> = others.to_vec();
    let tracked = manifests(checkout)?;
    let checkout = whole(checkout);
    for (file, manifest) in tracked {
        let folder = checkout.join(file.with_file_name(""));
        named(&Value::Table(manifest), &folder, &mut open);
    }
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
    while let Some(folder) = open.pop() {
        let real = whole(&folder);
        if real.starts_with(&checkout) {
            continue;
        }
        // By the name that cargo has for it: a link may lead to another one later.
        found.insert(folder.join(MANIFEST));
        if !seen.insert(real) {
            continue;
        }
        open.extend(folder.parent().map(Path::to_owned));
        let text = regular_file::read_text(&folder.join(MANIFEST), DESCRIPTION_BYTES);
        let manifest = text.unwrap_or_default().parse::<Table>();
        named(
            &Value::Table(manifest.unwrap_or_default()),
            &folder,
            &mut open,
        );
    }
    Ok(found)
}

/// Adds the folders that a part of a manifest in a folder names.
fn named(part: &Value, folder: &Path, into: &mut Vec<PathBuf>) {
    match part {
        Value::Table(table) => {
            for (key, value) in table {
                match value.as_str() {
                    Some(path) if KEYS.contains(&key.as_str()) => into.push(folder.join(path)),
                    _ => named(value, folder, into),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| named(value, folder, into)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::source::git::{git, query};

    #[test]
    fn dependencies_of_dependencies_and_their_workspaces_are_found() {
        let base = tempfile::tempdir().expect("a folder");
        let base = base.path().canonicalize().expect("a folder");
        let checkout = base.join("checkout");
        let at = |folder: &str| base.join(folder).to_str().expect("a text").to_owned();
        for (file, text) in [
            (
                "checkout/a/Cargo.toml",
                format!(
                    "[dependencies]\nb = {{ path = '../b' }}\nc = {{ path = {:?} }}\n",
                    at("w/c")
                ),
            ),
            ("checkout/b/Cargo.toml", "[lib]\npath = 'x.rs'\n".to_owned()),
            (
                "w/c/Cargo.toml",
                "[target.'cfg(windows)'.dependencies]\nd = { path = '../d', optional = true }\n"
                    .to_owned(),
            ),
            (
                "w/Cargo.toml",
                "[workspace.dependencies]\ne = { path = '../e' }\n".to_owned(),
            ),
            (
                "w/d/Cargo.toml",
                "[package]\nworkspace = '../../far'\n".to_owned(),
            ),
            ("e/Cargo.toml", "no TOML".to_owned()),
            ("far/Cargo.toml", "[workspace]\n".to_owned()),
        ] {
            let path = base.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        if query(git(&checkout).words(&["init", "--quiet"])).is_err() {
            return;
        }
        query(git(&checkout).words(&["add", "--all"])).expect("added");
        let found =
            manifests_elsewhere(&checkout, &[base.join("patched")]).expect("git lists them");
        let found: BTreeSet<PathBuf> = found
            .iter()
            .map(|file| whole(&file.with_file_name("")).join(MANIFEST))
            .filter_map(|file| Some(file.strip_prefix(&base).ok()?.to_owned()))
            .collect();
        let expected = [
            "Cargo.toml",
            "e/Cargo.toml",
            "far/Cargo.toml",
            "patched/Cargo.toml",
            "w/Cargo.toml",
            "w/c/Cargo.toml",
            "w/d/Cargo.toml",
        ];
        assert_eq!(found, expected.map(PathBuf::from).into());
    }
}
