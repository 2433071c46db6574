//! The commits of the repository around a folder.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf, absolute};

use tourbillon_present::beginning;

use crate::error::{Error, Result};
use crate::source::git::{
    Repository, checkout_around, commit, git, in_git, is_missing, is_no_repository, path, query,
    refusal,
};

/// Links on the way to a file: systems follow no more of them.
const MOST_LINKS: usize = 40;

/// The exit code of `git ls-files --error-unmatch` for a file that is none of the repository.
const UNTRACKED: i32 = 1;

/// What git says of revisions that it does not know.
const UNKNOWN: [&str; 5] = [
    "bad revision",
    "unknown revision",
    "ambiguous argument",
    "Invalid revision range",
    "bad object",
];

/// The commits of a branch or another revision and of its first parents, the oldest first: the states that a branch
/// had.
///
/// # Errors
///
/// Without git or a repository, and when there is no such revision.
pub fn main_line(folder: &Path, revision: &str) -> Result<Vec<String>> {
    let unknown = || {
        let what = format!("git knows no revision {revision:?} here");
        Error::Usage(format!("{what}; `git branch --all` lists the branches"))
    };
    match commit_of(folder, revision) {
        Some(commit) => main_line_of(folder, &commit),
        None => Err(refusal(folder).unwrap_or_else(unknown)),
    }
}

/// The same for the commit that is checked out; `None` outside of a repository, and in one without a commit.
///
/// # Errors
///
/// When git cannot tell.
pub fn main_line_of_head(folder: &Path) -> Result<Option<Vec<String>>> {
    if checkout_around(folder).is_none() {
        return Ok(None);
    }
    let known = main_line(folder, "HEAD");
    let Err(why) = known else {
        return known.map(Some);
    };
    // A branch that is checked out and has no commit is in no list of branches.
    let mut checked_out = git(folder);
    checked_out.words(&["symbolic-ref", "--quiet", "HEAD"]);
    let branch = match query(&mut checked_out) {
        Ok(branch) => branch,
        Err(error) if is_no_repository(&error) => return Ok(None),
        Err(_) => return Err(why),
    };
    let mut branches = git(folder);
    branches.words(&["for-each-ref", "--format=%(refname)"]);
    let branches = query(&mut branches)?;
    let has_commit = branches.lines().any(|other| other == branch);
    if has_commit { Err(why) } else { Ok(None) }
}

/// The same for a range of revisions, such as `v1..HEAD`.
///
/// # Errors
///
/// Without git or a repository, and when there is no such revision.
pub fn main_line_of(folder: &Path, range: &str) -> Result<Vec<String>> {
    let mut git = git(folder);
    git.words(&["rev-list", "--first-parent", "--reverse"])
        .operands("--end-of-options", [range, "--"]);
    let text = query(&mut git).map_err(|error| of_range(folder, range, error))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Why git does not list a range: a mistake of who typed it, unless the commits cannot be read that are checked out.
fn of_range(folder: &Path, range: &str, error: Error) -> Error {
    let said = error.to_string();
    let is_unknown = UNKNOWN.iter().any(|words| said.contains(words));
    if is_unknown && commit_of(folder, "HEAD").is_some() {
        return Error::Usage(format!(
            "git knows no revisions {range:?} here; `git branch --all` lists the branches"
        ));
    }
    error
}

/// The commit that a revision names, in full; `None` without a repository or such a revision.
pub fn commit_of(folder: &Path, revision: &str) -> Option<String> {
    Repository::around(folder)?.commit(revision)
}

/// Whether this is the name of a commit in full, and no other revision.
#[must_use]
pub fn is_commit(name: &str) -> bool {
    commit(name).is_some()
}

/// Most characters of the first line of a message.
const SUBJECT: usize = 200;

/// The first line of the message of a commit, by its name in full, as long as people read it; empty without git or such a
/// commit.
pub fn subject_of(folder: &Path, name: &str) -> String {
    let Some(commit) = commit(name) else {
        return String::new();
    };
    let mut git = git(folder);
    git.words(&["log", "-1", "--no-show-signature", "--format=%s"])
        .plain(&commit)
        .words(&["--"]);
    let subject = query(&mut git).unwrap_or_default();
    beginning(&subject, SUBJECT, "..")
}

/// The text of a file in a commit, at most so many bytes; `None` where it cannot be read. Its path is as from the root of
/// the repository around a folder.
pub fn file_of_commit(folder: &Path, commit: &str, path: &Path, longest: u64) -> Option<String> {
    let repository = Repository::around(folder)?;
    repository.text(commit, path, longest).ok().flatten()
}

/// What differs in files between two commits, or between one and the files that are there now, as a patch without lines
/// around it. The paths are as from the root of the repository around a folder.
///
/// # Errors
///
/// Without a repository, and where git does not know a commit.
pub fn difference(folder: &Path, from: &str, to: Option<&str>, paths: &[&Path]) -> Result<String> {
    let unknown = |name: &str| Error::Usage(format!("git knows no commit {name:?} here"));
    let root = checkout_around(folder).ok_or_else(|| unknown(from))?;
    let mut git = git(&root);
    // Otherwise a path with other letters than those of ASCII has numbers in their place.
    git.words(&["-c", "core.quotePath=false", "--literal-pathspecs"])
        .words(&["diff", "--unified=0", "--no-color"])
        .words(&["--inter-hunk-context=0"])
        .words(&["--no-ext-diff", "--no-textconv", "--no-renames"])
        .words(&["--src-prefix=a/", "--dst-prefix=b/"])
        .plain(&commit(from).ok_or_else(|| unknown(from))?);
    if let Some(to) = to {
        git.plain(&commit(to).ok_or_else(|| unknown(to))?);
    }
    git.operands("--", paths.iter().map(|path| in_git(path)));
    query(&mut git)
}

/// The root of the checkout around a folder; `None` without one.
pub fn checkout_root(folder: &Path) -> Option<PathBuf> {
    Repository::around(folder).map(|repository| repository.root)
}

/// The root of the checkout that packages in these folders are in, whose submodules are a part of it; without one of
/// them all, of the one that has most of them.
pub(crate) fn checkout_of_all(folders: &[&Path]) -> Option<PathBuf> {
    let whole = |folder: &&Path| {
        let mut root = checkout_root(folder)?;
        loop {
            let mut around = git(&root);
            around.words(&["rev-parse", "--show-superproject-working-tree"]);
            match path(&mut around).filter(|around| !around.as_os_str().is_empty()) {
                Some(around) => root = around,
                None => return root.canonicalize().ok(),
            }
        }
    };
    let roots: BTreeSet<PathBuf> = folders.iter().filter_map(whole).collect();
    let folders = folders
        .iter()
        .filter_map(|folder| folder.canonicalize().ok());
    let folders: Vec<PathBuf> = folders.collect();
    let below = |root: &PathBuf| folders.iter().filter(|one| one.starts_with(root)).count();
    roots.into_iter().max_by_key(below)
}

/// Why git does not use the repository around a folder; `None` where there is none.
pub fn why_no_checkout(folder: &Path) -> Option<Error> {
    refusal(folder)
}

/// Where a file of this name is in the git directory of the checkout around a folder; `None` without one.
pub fn git_file(folder: &Path, name: &'static str) -> Option<PathBuf> {
    let mut git = git(folder);
    git.words(&["rev-parse", "--path-format=absolute", "--git-path", name]);
    path(&mut git)
}

/// A link on the way to a path that is a file of a repository, and leads where its commits decide; `None` if there is
/// none. The path need not exist. Links that are none of a repository are followed.
pub fn tracked_link(path: &Path) -> Option<PathBuf> {
    let whole = absolute(path).ok()?;
    let reversed = |path: &Path| -> Vec<OsString> {
        let parts = path.components().rev();
        parts.map(|part| part.as_os_str().to_owned()).collect()
    };
    let (mut open, mut at) = (reversed(&whole), PathBuf::new());
    let mut left = MOST_LINKS;
    while let Some(part) = open.pop() {
        if part == ".." {
            at.pop();
            continue;
        }
        // The root takes the place of what is before it.
        at.push(part);
        let Ok(to) = fs::read_link(&at) else {
            continue;
        };
        if is_tracked(&at) {
            return Some(at);
        }
        left -= 1;
        if left == 0 {
            return None;
        }
        at.pop();
        open.extend(reversed(&to));
    }
    None
}

/// Whether a link is a file of a repository. Where git does not tell, as in the checkout of another user, it may be one.
fn is_tracked(link: &Path) -> bool {
    let Some(root) = link.parent().and_then(checkout_around) else {
        return false;
    };
    let mut git = git(&root);
    git.words(&["--literal-pathspecs", "ls-files", "--error-unmatch"])
        .operands("--", [in_git(link.strip_prefix(&root).unwrap_or(link))]);
    match git.output() {
        Ok(listed) => listed.status.code() != Some(UNTRACKED),
        // Without git there are no revisions of others to build, only executables and bundles.
        Err(_) => !is_missing(&root),
    }
}

/// A file in a folder that is one of a repository around it; `None` if there is none. A commit can have no `.git`, so
/// what it has is not taken for the repository.
pub(crate) fn tracked_file(folder: &Path) -> Result<Option<PathBuf>> {
    for root in folder.ancestors().filter(|root| root.join(".git").exists()) {
        // Also where the file system knows no case.
        let mut within = OsString::from(":(literal,icase)");
        within.push(in_git(folder.strip_prefix(root).unwrap_or(folder)));
        let mut git = git(root);
        git.words(&["ls-files", "-z"]).operands("--", [within]);
        let files = match query(&mut git) {
            // Without git there are no revisions of others to build, only executables and bundles.
            Err(_) if is_missing(root) => return Ok(None),
            files => files?,
        };
        if let Some(file) = files.split_terminator('\0').next() {
            return Ok(Some(root.join(file)));
        }
    }
    Ok(None)
}

/// A folder as from the root of the checkout around it; `None` without a checkout.
pub fn folder_in_checkout(folder: &Path) -> Option<PathBuf> {
    Repository::around(folder).map(|repository| repository.within)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_line_of_head_is_unknown_only_where_git_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        assert_eq!(main_line_of_head(root).expect("no commit"), None);
        let mut first = git(root);
        first
            .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["commit", "--quiet", "--allow-empty", "--message=first"]);
        query(&mut first).expect("a commit");
        let line = main_line_of_head(root).expect("a repository");
        assert_eq!(line.map(|commits| commits.len()), Some(1));
        // Commits that cannot be read are no missing repository.
        fs::remove_dir_all(root.join(".git/objects")).expect("a folder");
        fs::create_dir(root.join(".git/objects")).expect("a folder");
        assert!(main_line_of_head(root).is_err());
        fs::remove_dir_all(root.join(".git")).expect("a folder");
        assert_eq!(main_line_of_head(root).expect("no repository"), None);
    }

    #[test]
    fn paths_of_a_difference_are_as_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let file = root.join("b/gr\u{f6}\u{df}e.rs");
        fs::create_dir(root.join("b")).expect("a folder");
        fs::write(&file, "one\n").expect("a file");
        query(git(root).words(&["add", "--all"])).expect("an index");
        let mut first = git(root);
        first
            .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["commit", "--quiet", "--message=first"]);
        query(&mut first).expect("a commit");
        fs::write(&file, "two\n").expect("a file");
        let line = main_line_of_head(root).expect("a repository");
        let head = line.and_then(|commits| commits.into_iter().next());
        let patch = difference(root, &head.expect("one"), None, &[]).expect("a patch");
        assert!(patch.contains("\n+++ b/b/gr\u{f6}\u{df}e.rs\n"), "{patch}");
    }

    #[test]
    fn a_message_without_an_end_is_no_line_of_a_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let mut made = git(root);
        made.words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["commit", "--quiet", "--allow-empty", "--file=-"]);
        let done = made.output_of(&vec![b'a'; 1 << 20]).expect("git starts");
        assert!(done.status.success(), "{done:?}");
        let head = commit_of(root, "HEAD").expect("a commit");
        let subject = subject_of(root, &head);
        assert_eq!(subject.len(), SUBJECT);
        assert!(subject.ends_with("aa.."), "{subject}");
    }

    #[test]
    fn a_range_that_git_does_not_know_is_a_mistake_of_who_typed_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let mut first = git(root);
        first
            .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["commit", "--quiet", "--allow-empty", "--message=first"]);
        query(&mut first).expect("a commit");
        assert_eq!(main_line_of(root, "HEAD").expect("a commit").len(), 1);
        let missing = "0123456789".repeat(4);
        for range in [
            "none",
            "none..HEAD",
            "HEAD..none",
            "HEAD~9",
            "--all",
            &missing,
        ] {
            let error = main_line_of(root, range).expect_err(range);
            assert!(matches!(error, Error::Usage(_)), "{range}: {error:?}");
        }
        // No mistake on the command line.
        fs::remove_dir_all(root.join(".git/objects")).expect("a folder");
        fs::create_dir(root.join(".git/objects")).expect("a folder");
        let error = main_line_of(root, "HEAD").expect_err("no objects");
        assert!(matches!(error, Error::Environment(_)), "{error:?}");
    }

    #[test]
    fn links_of_a_repository_are_told_from_those_of_the_user() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        fs::create_dir_all(root.join("away/sub")).expect("a folder");
        for (link, to) in [
            ("own", Path::new("away")),
            ("*", Path::new("away")),
            ("tracked", Path::new("away")),
            ("other", &root.join("own/../tracked")),
            ("round", Path::new("round")),
        ] {
            symlink(to, root.join(link)).expect("a link");
        }
        let mut add = git(&root);
        add.words(&["add"]).operands("--", ["tracked"]);
        query(&mut add).expect("added");
        for (path, expected) in [
            ("tracked", Some("tracked")),
            ("tracked/sub/new/x", Some("tracked")),
            // However it is written, and whatever leads to it.
            ("tracked/", Some("tracked")),
            ("tracked/.", Some("tracked")),
            ("new/../tracked", Some("tracked")),
            ("own/../tracked/new", Some("tracked")),
            ("other/new", Some("tracked")),
            ("round/new", None),
            ("own/sub", None),
            ("*/sub", None),
            ("away/sub", None),
        ] {
            let link = tracked_link(&root.join(path));
            assert_eq!(link, expected.map(|link| root.join(link)), "{path}");
        }
    }

    /// Where git answers for the repository that the commit has in a folder, or does not answer.
    #[test]
    fn a_link_counts_as_tracked_unless_git_says_otherwise() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        for folder in ["bare/objects", "bare/refs"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        fs::write(root.join("bare/HEAD"), "ref: refs/heads/main\n").expect("a file");
        for link in ["bare/tracked", "bare/own"] {
            symlink("..", root.join(link)).expect("a link");
        }
        let mut add = git(&root);
        add.words(&["add"]).operands("--", ["bare/tracked"]);
        query(&mut add).expect("added");
        let found = |link: &str| tracked_link(&root.join(link).join("new")).is_some();
        assert_eq!(
            ["bare/tracked", "bare/own"].map(found),
            [true, false],
            "git answers"
        );
        let repository = Repository::around(&root.join("bare")).expect("a repository");
        assert_eq!(
            (repository.root, repository.within),
            (root.clone(), "bare".into())
        );
        // As for another user's checkout.
        fs::write(root.join(".git/index"), "").expect("damaged");
        assert_eq!(["bare/tracked", "bare/own"].map(found), [true, true]);
    }

    /// With what a bare repository has, by which git would take a folder of a commit for one.
    #[test]
    fn files_of_a_commit_are_told_from_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        for folder in [
            "tracked*/builds",
            "tracked*/objects",
            "tracked*/refs",
            "own",
        ] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        for file in ["tracked*/HEAD", "tracked*/builds/x", "own/x"] {
            fs::write(root.join(file), "ref: refs/heads/main\n").expect("a file");
        }
        let mut add = git(&root);
        add.words(&["add"]).operands("--", ["tracked*/builds"]);
        query(&mut add).expect("added");
        let mut nested = git(&root);
        nested.words(&["init", "--quiet"]).operands("--", ["own"]);
        query(&mut nested).expect("a repository");
        for (folder, expected) in [
            ("own", None),
            ("tracked", None),
            ("tracked*/refs", None),
            ("tracked*", Some("tracked*/builds/x")),
            ("Tracked*/builds", Some("tracked*/builds/x")),
            ("", Some("tracked*/builds/x")),
        ] {
            let found = tracked_file(&root.join(folder)).expect(folder);
            assert_eq!(found, expected.map(|file| root.join(file)), "{folder}");
        }
        fs::write(root.join(".git/HEAD"), "").expect("damaged");
        assert!(tracked_file(&root.join("own")).is_err());
    }
}
