//! Why a name is no revision.

use std::path::Path;

use crate::error::Error;
use crate::source::git::{Repository, refusal};
use crate::source::names::two_meanings;

/// Branches that a message names before the rest is counted.
const BRANCHES: usize = 8;

/// That there is no repository, or why git does not use it: another user's needs an exception.
pub(crate) fn no_repository(name: &str, folder: &Path) -> Error {
    refusal(folder).unwrap_or_else(|| {
        let what = format!("{name} cannot be built: {folder:?} is not in a git repository");
        Error::Usage(format!("{what}; compare executables with --bin OLD NEW"))
    })
}

/// What is wrong with a name that names no commit.
pub(crate) fn unknown(repository: &Repository, name: &str) -> String {
    if !repository.has_commits() {
        return format!(
            "{name} cannot be built: this repository has no commit yet; commit, or use `cargo tourbillon \
             save`"
        );
    }
    if let Some(text) = two_meanings(repository, name) {
        return text;
    }
    let branches = repository.branches();
    let (named, more) = branches.split_at(branches.len().min(BRANCHES));
    let more = match more.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let local = match named {
        [] => String::new(),
        [only] => format!("the local branch is {only}; "),
        several => format!("the local branches are {}{more}; ", several.join(", ")),
    };
    format!(
        "git does not know the revision {name:?}; {local}fetch it with `git fetch`, or find one with \
         `git log --oneline --all`"
    )
}
