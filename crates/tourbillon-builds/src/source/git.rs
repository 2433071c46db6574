//! Queries to git about the user's checkout, which change nothing.

use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::error::{Error, Result};
use crate::invocation::{Flag, Invocation, PlainWord};

/// Variables that git sets for hooks, and others that would point commands started here to another repository or change
/// what they read: paths would be patterns, commits would have other parents or attributes.
pub(crate) const REPOSITORY_VARIABLES: [&str; 18] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_ATTR_SOURCE",
    "GIT_CONFIG",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
];

/// The repository that a folder belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Repository {
    /// The root of the checkout.
    pub(crate) root: PathBuf,
    /// The git directory, which all worktrees share.
    pub(crate) git: PathBuf,
    /// The folder, relative to the root.
    pub(crate) within: PathBuf,
}

impl Repository {
    /// The repository around a folder; `None` without a repository or without git.
    pub(crate) fn around(folder: &Path) -> Option<Repository> {
        // One at a time: the name of a folder may hold a line break.
        let path = |flag: &'static str| {
            path(git(folder).words(&["rev-parse", "--path-format=absolute", flag]))
        };
        let folder = folder.canonicalize().ok()?;
        let below = folder.strip_prefix(checkout_around(&folder)?).ok()?;
        Some(Repository {
            root: path("--show-toplevel")?,
            git: path("--git-common-dir")?,
            within: path("--show-prefix")?.join(below),
        })
    }

    /// The best common ancestor of two commits; `None` without one in this clone.
    pub(crate) fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        let mut git = git(&self.root);
        git.words(&["merge-base"])
            .plain(&commit(one)?)
            .plain(&commit(other)?);
        query(&mut git).ok().filter(|text| commit(text).is_some())
    }

    /// The text of a file in a commit, at most so many bytes; `None` where the commit has no such file. Its path is as
    /// from the root of the repository.
    pub(crate) fn text(&self, hash: &str, path: &Path, longest: u64) -> Result<Option<String>> {
        let shown = path.display();
        let entry = self.entry(hash, path, &["-l"])?;
        // `100644 blob HASH   LENGTH<tab>PATH`
        let about = entry.split('\t').next().unwrap_or_default();
        let words: Vec<&str> = about.split_whitespace().collect();
        let [mode, _, blob, length] = words[..] else {
            return Ok(None);
        };
        let refused = |why: &str| Error::Usage(format!("{shown} of {hash} cannot be read: {why}"));
        if !mode.starts_with("100") {
            return Err(refused("it is no regular file"));
        }
        if length.parse().is_ok_and(|length: u64| length > longest) {
            return Err(refused(&format!("it has more than {longest} bytes")));
        }
        let Some(blob) = commit(blob) else {
            return Err(refused("git names no contents"));
        };
        let mut contents = git(&self.root);
        contents.words(&["cat-file", "blob"]).plain(&blob);
        query(&mut contents).map(Some)
    }

    /// Whether a commit has a file. What git cannot look for counts as there: the reason is that it cannot be read.
    pub(crate) fn has_file(&self, hash: &str, path: &Path) -> bool {
        self.entry(hash, path, &[])
            .map_or(true, |entry| !entry.is_empty())
    }

    /// What git prints about a file of a commit; empty where the commit has no such file.
    fn entry(&self, hash: &str, path: &Path, flags: &[&'static str]) -> Result<String> {
        let Some(word) = commit(hash) else {
            return Err(Error::Usage(format!("{hash:?} is no hash of a commit")));
        };
        let mut tree = git(&self.root);
        tree.words(&["--literal-pathspecs", "ls-tree", "-z", "--full-tree"])
            .words(flags)
            .plain(&word)
            .operands("--", [in_git(path)]);
        query(&mut tree)
    }

    /// The remote that has the objects which were not fetched; `None` where all were.
    pub(crate) fn promisor(&self) -> Option<String> {
        let mut git = git(&self.root);
        git.words(&["config", "--name-only", "--get-regexp"])
            .words(&[r"^remote\..*\.promisor$", "true"]);
        let names = query(&mut git).ok()?;
        let name = names.lines().next()?.strip_prefix("remote.")?;
        Some(name.strip_suffix(".promisor")?.to_owned())
    }

    /// Whether older commits were not fetched.
    pub(crate) fn is_shallow(&self) -> bool {
        let mut git = git(&self.root);
        git.words(&["rev-parse", "--is-shallow-repository"]);
        query(&mut git).is_ok_and(|text| text == "true")
    }

    /// Whether there is a commit.
    pub(crate) fn has_commits(&self) -> bool {
        let mut git = git(&self.root);
        git.words(&["rev-list", "--all", "--max-count=1"]);
        query(&mut git).is_ok_and(|text| !text.is_empty())
    }

    /// The names of the local branches, that with the newest commit first.
    pub(crate) fn branches(&self) -> Vec<String> {
        let mut git = git(&self.root);
        git.words(&["for-each-ref", "--sort=-committerdate"])
            .words(&["--format=%(refname:short)", "refs/heads"]);
        query(&mut git)
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Whether tracked files differ from the commit, or git does not tell.
    pub(crate) fn dirty(&self) -> bool {
        let mut git = git(&self.root);
        git.words(&["status", "--porcelain", "--untracked-files=no"]);
        query(&mut git).map_or(true, |text| !text.is_empty())
    }

    /// Whether git tracks a file, as from the root, or does not tell.
    pub(crate) fn has(&self, file: &Path) -> bool {
        let mut git = git(&self.root);
        git.words(&["--literal-pathspecs", "ls-files", "-z"])
            .operands("--", [in_git(file)]);
        query(&mut git).map_or(true, |text| !text.is_empty())
    }
}

/// Why git does not use the repository around a folder, in its words; `None` where there is none.
pub(crate) fn refusal(folder: &Path) -> Option<Error> {
    let why = query(git(folder).words(&["rev-parse", "--show-toplevel"])).err()?;
    (!is_no_repository(&why)).then_some(why)
}

/// Whether git says that there is no repository.
pub(crate) fn is_no_repository(why: &Error) -> bool {
    why.to_string().contains("not a git repository")
}

/// A path as git has it.
pub(crate) fn in_git(path: &Path) -> OsString {
    if cfg!(windows) {
        path.to_string_lossy().replace('\\', "/").into()
    } else {
        path.as_os_str().to_owned()
    }
}

/// The name of a commit in full, as git prints it: SHA-1 or SHA-256. Git takes it as nothing else, wherever it stands.
pub(crate) fn commit(text: &str) -> Option<PlainWord> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_commit = matches!(text.len(), 40 | 64) && text.bytes().all(is_digit);
    PlainWord::new(text).filter(|_| is_commit)
}

/// The root of the checkout around a folder, below the folders that end git's search. A commit can have no `.git`; it
/// can have everything else by which git knows a repository.
pub(crate) fn checkout_around(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let ends = env::var_os("GIT_CEILING_DIRECTORIES").unwrap_or_default();
    let ends: Vec<PathBuf> = env::split_paths(&ends)
        .filter_map(|end| end.canonicalize().ok())
        .collect();
    let mut around = folder
        .ancestors()
        .take_while(|around| *around == folder || !ends.iter().any(|end| end == around));
    let root = around.find(|around| around.join(".git").exists());
    root.map(Path::to_owned)
}

/// git in the checkout around a folder, or in the folder if there is none, without hooks, maintenance, password prompts
/// and transports that are programs.
///
/// It starts in the root: a folder of a commit that looks like a bare repository would be used as one. A git directory
/// is named by the caller.
pub(crate) fn git(folder: &Path) -> Invocation {
    let mut git = Invocation::new("git");
    // Status queries do not refresh the index on disk.
    git.words(&["--no-optional-locks"])
        .words(&["-c", "core.hooksPath=/dev/null"])
        .words(&["-c", "core.fsmonitor=false"])
        .words(&["-c", "protocol.ext.allow=never"])
        .words(&["-c", "safe.bareRepository=explicit"])
        .words(&["-c", "gc.auto=0", "-c", "advice.detachedHead=false"]);
    let process = git.process();
    process
        .current_dir(checkout_around(folder).unwrap_or_else(|| folder.to_owned()))
        .env("GIT_TERMINAL_PROMPT", "0")
        // What it says is read here, too.
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    for name in REPOSITORY_VARIABLES {
        process.env_remove(name);
    }
    git
}

/// Whether there is no git on this machine.
pub(crate) fn is_missing(folder: &Path) -> bool {
    let mut version = git(folder);
    let started = version.words(&["--version"]).output();
    started.is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// git with a git directory.
pub(crate) fn git_of(directory: &Path) -> Invocation {
    let mut git = git(directory);
    git.flags(&[Flag::new("--git-dir=", directory)]);
    git
}

/// The same for one whose settings may name a folder that is not there, as those of submodules.
pub(crate) fn git_in(own: &Path) -> Invocation {
    let mut there = git_of(own);
    there.words(&["--work-tree=."]);
    there
}

/// The trimmed output of a git command, or its error.
pub(crate) fn query(git: &mut Invocation) -> Result<String> {
    let output = query_bytes(git)?;
    Ok(String::from_utf8_lossy(&output).trim_end().to_owned())
}

/// The path that a git command prints; `None` if it fails.
pub(crate) fn path(git: &mut Invocation) -> Option<PathBuf> {
    let output = query_bytes(git).ok()?;
    Some(path_of(output.strip_suffix(b"\n").unwrap_or(&output)))
}

/// The output of a git command, or its error.
pub(crate) fn query_bytes(git: &mut Invocation) -> Result<Vec<u8>> {
    ended(git.output())
}

/// The output of a git command that has ended, or its error.
pub(crate) fn ended(output: io::Result<Output>) -> Result<Vec<u8>> {
    let Output {
        status,
        stdout,
        stderr,
    } = output.map_err(|error| {
        let what = format!("git cannot be started: {error}");
        Error::Environment(format!("{what}; revisions are built from a clone"))
    })?;
    if status.success() {
        return Ok(stdout);
    }
    let printed = String::from_utf8_lossy(&stderr);
    let text = printed
        .trim_end()
        .trim_start_matches("fatal: ")
        .trim_start_matches("error: ");
    Err(Error::Environment(format!("git: {text}")))
}

/// A path as git prints it.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// A path as git prints it.
#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invocation::HOSTILE;

    #[test]
    fn commits_are_digits() {
        for (text, expected) in [
            ("0123456789abcdef0123456789abcdef01234567", true),
            ("0123456789ABCDEF0123456789ABCDEF01234567", false),
            ("0123456789abcdef0123456789abcdef0123456", false),
            ("HEAD", false),
            ("--output=0123456789abcdef0123456789abcde", false),
        ] {
            assert_eq!(commit(text).is_some(), expected, "{text}");
        }
        assert!(commit(&"a".repeat(64)).is_some());
    }

    /// In a repository that has one commit, or in none where there is no git.
    #[test]
    fn no_revision_is_a_flag() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let made = query(git(root).words(&["init", "--quiet"]));
        if made.is_err() {
            return;
        }
        let mut first = git(root);
        first
            .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["commit", "--quiet", "--allow-empty", "--message=first"]);
        query(&mut first).expect("a commit");
        let repository = Repository::around(root).expect("a repository");
        let head = repository.commit("HEAD").expect("a commit");
        for value in HOSTILE.iter().chain(&["--all", "HEAD..HEAD", "^HEAD"]) {
            assert_eq!(repository.commit(value), None, "{value}");
            assert_eq!(repository.merge_base(value, &head), None, "{value}");
        }
        let names = fs_names(root);
        assert_eq!(names, [".git"], "no file was made");
    }

    fn fs_names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.collect()
    }

    /// Printed line by line, the second half of this name would be the git directory.
    #[cfg(unix)]
    #[test]
    fn a_line_break_in_a_folder_is_no_other_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("a\n--upload-pack=x ");
        std::fs::create_dir(&root).expect("a folder");
        let Ok(_) = query(git(&root).words(&["init", "--quiet"])) else {
            return;
        };
        let root = root.canonicalize().expect("a folder");
        let repository = Repository::around(&root).expect("a repository");
        assert_eq!(repository.root, root);
        assert_eq!(repository.git, root.join(".git"));
        assert_eq!(repository.within, Path::new(""));
    }
}
