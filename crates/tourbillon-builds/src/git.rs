//! Queries to git about the user's checkout, which change nothing, and the clone that revisions are
//! built in.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{Error, Log, Result, refused};

/// Variables that git sets for hooks; they would point commands started here to another repository.
pub(crate) const REPOSITORY_VARIABLES: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
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
        let text = query(
            folder,
            [
                "rev-parse",
                "--path-format=absolute",
                "--show-toplevel",
                "--git-common-dir",
                "--show-prefix",
            ],
        );
        let text = text.ok()?;
        let mut lines = text.lines().map(PathBuf::from);
        Some(Repository {
            root: lines.next()?,
            git: lines.next()?,
            within: lines.next().unwrap_or_default(),
        })
    }

    /// The commit that a revision names; `None` when git does not know the revision.
    pub(crate) fn commit(&self, revision: &str) -> Option<String> {
        let peeled = format!("{revision}^{{commit}}");
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
        let text = query(&self.root, args.iter().chain(&[peeled.as_str()])).ok()?;
        Some(text).filter(|commit| !commit.is_empty())
    }

    /// The best common ancestor of two commits; `None` without one in this clone.
    pub(crate) fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        let text = query(&self.root, ["merge-base", one, other]).ok()?;
        Some(text).filter(|commit| !commit.is_empty())
    }

    /// The text of a file in a commit, at most so many bytes; `None` where the commit has no such file. Its path is as
    /// from the root of the repository.
    pub(crate) fn text(&self, commit: &str, path: &Path, longest: u64) -> Result<Option<String>> {
        let path = path.to_string_lossy().replace('\\', "/");
        let words = ["--literal-pathspecs", "ls-tree", "-z", "-l", "--full-tree"];
        let words = words.into_iter().chain([commit, "--", path.as_str()]);
        let entry = query(&self.root, words)?;
        // `100644 blob HASH   LENGTH<tab>PATH`
        let about = entry.split('\t').next().unwrap_or_default();
        let words: Vec<&str> = about.split_whitespace().collect();
        let [mode, _, hash, length] = words[..] else {
            return Ok(None);
        };
        let refused = |why: &str| Error::Usage(format!("{path} of {commit} cannot be read: {why}"));
        if !mode.starts_with("100") {
            return Err(refused("it is no regular file"));
        }
        if length.parse().is_ok_and(|length: u64| length > longest) {
            return Err(refused(&format!("it has more than {longest} bytes")));
        }
        query(&self.root, ["cat-file", "blob", hash]).map(Some)
    }

    /// Whether a commit has a file.
    pub(crate) fn has_file(&self, commit: &str, path: &Path) -> bool {
        let path = path.to_string_lossy().replace('\\', "/");
        let object = format!("{commit}:{path}");
        query(&self.root, ["cat-file", "-e", object.as_str()]).is_ok()
    }

    /// Whether older commits were not fetched.
    pub(crate) fn is_shallow(&self) -> bool {
        query(&self.root, ["rev-parse", "--is-shallow-repository"]).is_ok_and(|text| text == "true")
    }

    /// Whether there is a commit.
    pub(crate) fn has_commits(&self) -> bool {
        let args = ["rev-list", "--all", "--max-count=1"];
        query(&self.root, args).is_ok_and(|text| !text.is_empty())
    }

    /// The names of the local branches, that with the newest commit first.
    pub(crate) fn branches(&self) -> Vec<String> {
        let form = "--format=%(refname:short)";
        let args = ["for-each-ref", "--sort=-committerdate", form, "refs/heads"];
        let text = query(&self.root, args);
        text.unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Whether tracked files differ from the commit.
    pub(crate) fn dirty(&self) -> bool {
        let args = ["status", "--porcelain", "--untracked-files=no"];
        query(&self.root, args).is_ok_and(|text| !text.is_empty())
    }
}

/// git in a folder, without hooks, maintenance and password prompts.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        // Status queries do not refresh the index on disk.
        .arg("--no-optional-locks")
        .args(["-c", "core.hooksPath=/dev/null"])
        .args(["-c", "core.fsmonitor=false"])
        .args(["-c", "gc.auto=0", "-c", "advice.detachedHead=false"])
        .current_dir(folder)
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null());
    for name in REPOSITORY_VARIABLES {
        command.env_remove(name);
    }
    command
}

/// The trimmed output of a git command, or its error.
pub(crate) fn query<W: AsRef<OsStr>>(
    folder: &Path,
    args: impl IntoIterator<Item = W>,
) -> Result<String> {
    let output = git(folder).args(args).output().map_err(|error| {
        let what = format!("git cannot be started: {error}");
        Error::Environment(format!("{what}; revisions are built from a clone"))
    })?;
    let trimmed = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() {
        return Ok(trimmed(&output.stdout));
    }
    let text = trimmed(&output.stderr);
    let text = text
        .trim_start_matches("fatal: ")
        .trim_start_matches("error: ");
    Err(Error::Environment(format!("git: {text}")))
}

/// A clone of a repository that borrows its objects and holds one revision at a time.
///
/// All revisions use one path, so that cargo rebuilds only what changed between them.
#[derive(Debug)]
pub(crate) struct Checkout {
    pub(crate) path: PathBuf,
}

impl Checkout {
    /// Checks out a commit in the clone in `folder`, which is made when it is missing. Files of earlier
    /// revisions are removed.
    ///
    /// The caller holds the lock of the folder.
    pub(crate) fn at(
        folder: &Path,
        repository: &Repository,
        commit: &str,
        log: Log,
    ) -> Result<Checkout> {
        let clone = Checkout {
            path: folder.join("clone"),
        };
        let object = format!("{commit}^{{commit}}");
        // Git copies a shallow repository, and the copy lacks later commits; or a clone was interrupted.
        if clone.query(&["cat-file", "-e", &object]).is_err() {
            clone.make(repository)?;
        }
        // Left by a checkout that was killed; the folder is locked, so no other checkout is running.
        let _ = fs::remove_file(clone.path.join(".git/index.lock"));
        clone.query(&["checkout", "--quiet", "--force", "--detach", commit])?;
        clone.query(&["clean", "--quiet", "-ffdx"])?;
        if clone.path.join(".gitmodules").exists() {
            log("fetching submodules\n");
            clone.query(&["submodule", "--quiet", "update", "--init", "--recursive"])?;
        }
        Ok(clone)
    }

    fn make(&self, repository: &Repository) -> Result<()> {
        if self.path.exists() {
            fs::remove_dir_all(&self.path)
                .map_err(|error| refused(&self.path, "removed", &error))?;
        }
        let around = self.path.parent().unwrap_or(&self.path);
        fs::create_dir_all(around).map_err(|error| refused(around, "created", &error))?;
        let (from, to) = (&repository.git, &self.path);
        let status = git(around)
            .args(["clone", "--quiet", "--shared", "--no-checkout"])
            .args([from, to])
            .stderr(Stdio::null())
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => Err(Error::Environment(format!(
                "{from:?} cannot be cloned to {to:?}; run `git clone --shared` to see the reason"
            ))),
        }
    }

    fn query(&self, args: &[&str]) -> Result<String> {
        // Without this, git would find a repository around the cache.
        if !self.path.join(".git").exists() {
            let what = format!("{:?} is not a git clone", self.path);
            return Err(Error::Environment(what));
        }
        query(&self.path, args)
    }
}
