//! The files of a checkout that decide how it is built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::compile::configuration::texts_for;
use crate::compile::whole_path::whole;
use crate::error::Result;
use crate::key::Digest;
use crate::source::commits::tracked_link;
use crate::source::git::{git, query};

/// Manifests count wherever they are.
const MANIFEST: &str = "Cargo.toml";

/// Files that count in a folder that is built and in those around it.
const AROUND: [&str; 4] = [
    ".cargo/config",
    ".cargo/config.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
];

/// The versions of dependencies, which count whether git tracks them or not: a revision without them gets those of the
/// working tree.
const LOCK: &str = "Cargo.lock";

/// The files that decide, by their paths from the root, with a hash of their contents as they are in the folder.
/// `within` is the folder that is built.
pub(crate) fn decisive_files(checkout: &Path, within: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut git = git(checkout);
    git.words(&["ls-files", "-z", "--recurse-submodules", "--"])
        .words(&[
            "Cargo.toml",
            "*/Cargo.toml",
            ".cargo/config*",
            "*/.cargo/config*",
        ])
        .words(&["rust-toolchain*", "*/rust-toolchain*"])
        // What configuration may include.
        .words(&["*.toml"]);
    let listed = query(&mut git)?;
    let tracked: BTreeSet<PathBuf> = listed.split_terminator('\0').map(PathBuf::from).collect();
    let around = within
        .ancestors()
        .flat_map(|folder| AROUND.map(|name| folder.join(name)))
        // Also where a link of the commit leads to it.
        .filter(|file| tracked.contains(file) || tracked_link(&checkout.join(file)).is_some());
    let locks = within.ancestors().map(|folder| folder.join(LOCK));
    let manifests = tracked
        .iter()
        .filter(|file| file.ends_with(MANIFEST))
        .cloned();
    let included = texts_for(&checkout.join(within)).into_iter();
    let included = included.filter_map(|(file, _)| {
        let file = whole(&file).strip_prefix(whole(checkout)).ok()?.to_owned();
        tracked.contains(&file).then_some(file)
    });
    let files = manifests.chain(around).chain(locks).chain(included);
    let hashed = files.filter_map(|file| {
        let bytes = regular_file::read(&checkout.join(&file), DESCRIPTION_BYTES).ok()?;
        Some((file, Digest::default().part(bytes).key()))
    });
    Ok(hashed.collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn manifests_and_what_is_around_the_folder_decide() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        for file in [
            "Cargo.toml",
            "a/Cargo.toml",
            "more.toml",
            "other.toml",
            "b/.cargo/config.toml",
            "rust-toolchain.toml",
            "a/src/lib.rs",
        ] {
            write(file, "");
        }
        write("a/.cargo/config.toml", "include = ['../../more.toml']");
        query(git(root).words(&["add", "--all"])).expect("added");
        write("Cargo.lock", "");
        write("a/.cargo/config", "not tracked");
        let found = |within: &str| decisive_files(root, Path::new(within)).expect("git lists them");
        let expected = [
            "Cargo.lock",
            "Cargo.toml",
            "a/.cargo/config.toml",
            "a/Cargo.toml",
            "more.toml",
            "rust-toolchain.toml",
        ];
        let before = found("a");
        assert!(
            before.keys().eq(expected.map(PathBuf::from).iter()),
            "{before:?}"
        );
        write("a/Cargo.toml", "[package]");
        let now = found("a");
        let differs = |file: &&str| before[Path::new(*file)] != now[Path::new(*file)];
        assert_eq!(expected.iter().filter(|file| differs(file)).count(), 1);
    }
}
