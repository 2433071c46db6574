//! The toolchain of a revision: what a commit says about it is its own, and what no commit says is the same on both sides.

use std::env;
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::compile::cargo::Toolchain;
use crate::error::Result;
use crate::invocation::Invocation;
use crate::source::commits::tracked_file;
use crate::source::git::Repository;

/// Files by which rustup chooses a toolchain; of two, it reads the first.
pub(crate) const NAMES: [&str; 2] = ["rust-toolchain", "rust-toolchain.toml"];

/// Why rustup chose the toolchain that this program was started with, and the toolchain.
const CHOSEN: [&str; 2] = ["RUSTUP_TOOLCHAIN_SOURCE", "RUSTUP_TOOLCHAIN"];

/// The toolchain of a revision that is checked out in a clone. `of_tree` is that of the working tree.
pub(crate) fn of_revision(
    of_tree: &Toolchain,
    repository: &Repository,
    clone: &Path,
) -> Result<Toolchain> {
    let Some(folder) = folder_that_chooses(repository, clone) else {
        return Ok(of_tree.clone());
    };
    if is_chosen_by_user(of_tree, &repository.root.join(&repository.within)) {
        return Ok(of_tree.clone());
    }
    Toolchain::chosen_in(&folder)
}

/// The folder in which rustup finds the toolchain of the revision; `None` where it has the files of the working tree.
fn folder_that_chooses(repository: &Repository, clone: &Path) -> Option<PathBuf> {
    let nearest = |at: &dyn Fn(&Path) -> Option<PathBuf>| {
        let folders = repository.within.ancestors();
        let mut files = folders.flat_map(|folder| NAMES.map(|name| folder.join(name)));
        files.find_map(|file| at(&file))
    };
    let in_tree = |file: &Path| Some(repository.root.join(file)).filter(|file| file.exists());
    let is_untracked = |file: &PathBuf| {
        let whole = file.canonicalize();
        whole.is_ok_and(|whole| tracked_file(&whole).is_ok_and(|found| found.is_none()))
    };
    let of_tree = nearest(&in_tree);
    let of_revision = nearest(&|file| {
        let own = clone.join(file);
        if own.symlink_metadata().is_ok() {
            return Some(own);
        }
        in_tree(file).filter(is_untracked)
    });
    let text = |file: &Option<PathBuf>| {
        let read = |file: &PathBuf| regular_file::read(file, DESCRIPTION_BYTES).ok();
        file.as_ref().map(read)
    };
    if of_tree == of_revision || text(&of_tree) == text(&of_revision) {
        return None;
    }
    let chooses = of_revision.unwrap_or_else(|| repository.root.clone());
    Some(chooses.parent().unwrap_or(&chooses).to_owned())
}

/// Whether the toolchain of the working tree was chosen by `+NAME`, by a variable or by `rustup override`.
fn is_chosen_by_user(of_tree: &Toolchain, folder: &Path) -> bool {
    let [source, name] = CHOSEN.map(env::var_os);
    match source.as_ref().and_then(|source| source.to_str()) {
        Some("toolchain-file" | "default") => return false,
        Some(_) => return true,
        // Rustup before 1.29.
        None => {}
    }
    let is_other = || Toolchain::chosen_in(folder).is_ok_and(|own| own.version != of_tree.version);
    name.is_some() && is_other() || has_override(folder)
}

/// Whether rustup has an override for a folder or one around it.
fn has_override(folder: &Path) -> bool {
    let mut rustup = Invocation::new("rustup");
    rustup.words(&["override", "list"]);
    let listed = rustup.output();
    let Ok(listed) = listed else {
        return false;
    };
    let text = String::from_utf8_lossy(&listed.stdout);
    // `/w/shop    	nightly-x86_64-unknown-linux-gnu`
    let mut paths = text.lines().filter_map(|line| line.split('\t').next());
    paths.any(|path| folder.starts_with(path.trim_end()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::source::git::{git, query};

    #[test]
    fn a_toolchain_file_of_a_commit_is_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let around = folder.path().canonicalize().expect("a folder");
        // Tracked in the working tree, untracked there, and in the revision; then the folder that chooses.
        for (number, (tracked, untracked, revision, expected)) in [
            (None, None, None, None),
            (Some("a"), None, Some("a"), None),
            (Some("a"), None, Some("b"), Some("clone")),
            (None, None, Some("b"), Some("clone")),
            (Some("a"), None, None, Some("")),
            (None, Some("a"), None, None),
            (None, Some("a"), Some("b"), Some("clone")),
        ]
        .into_iter()
        .enumerate()
        {
            let case = around.join(number.to_string());
            let (root, clone) = (case.join("root"), case.join("clone"));
            for folder in [&root, &clone] {
                fs::create_dir_all(folder).expect("a folder");
            }
            if query(git(&root).words(&["init", "--quiet"])).is_err() {
                return;
            }
            let write = |folder: &Path, text: Option<&str>| {
                if let Some(text) = text {
                    fs::write(folder.join(NAMES[1]), text).expect("a file");
                }
            };
            write(&root, tracked);
            query(git(&root).words(&["add", "--all"])).expect("added");
            write(&root, untracked);
            write(&clone, revision);
            let repository = Repository::around(&root).expect("a repository");
            let chooses = folder_that_chooses(&repository, &clone);
            let expected = expected.map(|within| match within {
                "" => case.clone(),
                within => case.join(within),
            });
            assert_eq!(chooses, expected, "{tracked:?} {untracked:?} {revision:?}");
        }
    }
}
