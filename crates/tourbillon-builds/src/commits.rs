//! The commits of the repository around a folder.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::git::{Repository, query};

/// The commits of a revision and of its first parents, the oldest first: the states that a branch had.
///
/// # Errors
///
/// Without git or a repository, and when there is no such revision.
pub fn main_line(folder: &Path, revision: &str) -> Result<Vec<String>> {
    let args = [
        "rev-list",
        "--first-parent",
        "--reverse",
        "--end-of-options",
    ];
    let text = query(folder, args.iter().chain(&[revision]))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The commit that a revision names, in full; `None` without a repository or such a revision.
pub fn commit_of(folder: &Path, revision: &str) -> Option<String> {
    Repository::around(folder)?.commit(revision)
}

/// The first line of the message of a commit; empty without git or such a commit.
pub fn subject_of(folder: &Path, commit: &str) -> String {
    let args = [
        "log",
        "-1",
        "--no-show-signature",
        "--format=%s",
        "--end-of-options",
    ];
    let text = query(folder, args.iter().chain(&[commit]));
    text.unwrap_or_default()
}

/// The root of the checkout around a folder; `None` without one.
pub fn checkout_root(folder: &Path) -> Option<PathBuf> {
    Repository::around(folder).map(|repository| repository.root)
}

/// A folder as from the root of the checkout around it; `None` without a checkout.
pub fn folder_in_checkout(folder: &Path) -> Option<PathBuf> {
    Repository::around(folder).map(|repository| repository.within)
}
