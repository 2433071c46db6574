//! Clones without all objects (`git clone --filter`). Git fetches what it needs, but not for a clone of such a clone.

use std::collections::BTreeSet;

use crate::error::{Error, Log, Result};
use crate::invocation::PlainWord;
use crate::source::git::{Repository, commit, git, query};
use crate::source::submodules::without_passwords;

/// Folders may lie in each other so deep: each round fetches one level where folders are missing, too.
const ROUNDS: usize = 64;

/// Fetches the objects of a commit that the repository lacks, from the remote that promised them, as git would do it:
/// with the settings and credentials of the checkout.
pub(crate) fn fetch_missing(
    repository: &Repository,
    remote: &str,
    name: &PlainWord,
    log: Log,
) -> Result<()> {
    let mut before = BTreeSet::new();
    for _ in 0..ROUNDS {
        let missing = missing(repository, name)?;
        if missing.is_empty() || missing == before {
            return Ok(());
        }
        if before.is_empty() {
            log(&format!("fetching {} files from {remote}\n", missing.len()));
        }
        fetch(repository, remote, &missing).map_err(|error| {
            let why = without_passwords(error);
            let short = name.as_str().get(..7).unwrap_or_default();
            Error::Environment(format!(
                "this clone lacks files of {short} (`--filter`), and they cannot be fetched: {why}; fetch all with `git \
                 fetch --refetch --no-filter`"
            ))
        })?;
        before = missing;
    }
    Ok(())
}

/// The names of the objects that are missing.
fn missing(repository: &Repository, name: &PlainWord) -> Result<BTreeSet<String>> {
    let mut listed = git(&repository.root);
    listed
        .words(&["rev-list", "--objects", "--missing=print", "--max-count=1"])
        .plain(name);
    let listed = query(&mut listed)?;
    let missing = listed.lines().filter_map(|line| line.strip_prefix('?'));
    Ok(missing
        .filter_map(|name| Some(commit(name)?.as_str().to_owned()))
        .collect())
}

fn fetch(repository: &Repository, remote: &str, objects: &BTreeSet<String>) -> Result<()> {
    let mut git = git(&repository.root);
    git.words(&["-c", "fetch.negotiationAlgorithm=noop"])
        .words(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"])
        .words(&["--recurse-submodules=no", "--filter=blob:none", "--stdin"])
        .operands("--", [remote]);
    let not_started = |error: std::io::Error| Error::Environment(format!("git: {error}"));
    let lines: String = objects.iter().map(|name| format!("{name}\n")).collect();
    let ended = git.output_of(lines.as_bytes()).map_err(not_started)?;
    if ended.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&ended.stderr);
    Err(Error::Environment(why.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::source::checkout::Checkout;

    fn done(folder: &Path, words: &[&'static str]) {
        let mut git = git(folder);
        git.words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(words);
        query(&mut git).expect("git does it");
    }

    #[test]
    fn objects_that_a_clone_lacks_are_fetched_from_its_remote() {
        for filter in ["--filter=blob:none", "--filter=tree:0"] {
            let folder = tempfile::tempdir().expect("a folder");
            let [from, part, cached] =
                ["from", "part", "cached"].map(|name| folder.path().join(name));
            fs::create_dir_all(from.join("deep/er")).expect("a folder");
            if query(git(&from).words(&["init", "--quiet"])).is_err() {
                return;
            }
            for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
                done(&from, &["config", setting, "true"]);
            }
            for text in ["one", "two"] {
                fs::write(from.join("deep/er/a.txt"), text).expect("a file");
                done(&from, &["add", "--all"]);
                done(&from, &["commit", "--quiet", "--message=a"]);
            }
            let mut cloned = git(folder.path());
            cloned
                .words(&["clone", "--quiet", "--no-local", filter])
                .operands("--", [&from, &part]);
            query(&mut cloned).expect("a clone");
            let repository = Repository::around(&part).expect("a repository");
            let first = repository.commit("HEAD~1").expect("a commit");
            let checked_out = || Checkout::at(&cached, &repository, &first, |_| ());
            fs::rename(&from, folder.path().join("away")).expect("moved");
            let error = checked_out().expect_err("no remote").to_string();
            assert!(error.contains("git fetch --refetch --no-filter"), "{error}");
            fs::rename(folder.path().join("away"), &from).expect("moved");
            let clone = checked_out().expect("a clone");
            let text = fs::read_to_string(clone.path.join("deep/er/a.txt")).expect("a file");
            assert_eq!(text, "one", "{filter}");
        }
    }
}
