//! Queries to git about the user's checkout, which change nothing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Stop;

/// Variables that git sets for hooks; they would point commands started here to another repository.
pub const PLACES: [&str; 8] = [
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
pub struct Repository {
    /// The root of the checkout.
    pub root: PathBuf,
    /// The git directory, which all worktrees share.
    pub git: PathBuf,
    /// The folder, relative to the root.
    pub within: PathBuf,
}

impl Repository {
    /// The repository around a folder; `None` without a repository or without git.
    pub fn around(folder: &Path) -> Option<Repository> {
        let questions = ["--show-toplevel", "--git-common-dir", "--show-prefix"];
        let words = ["rev-parse", "--path-format=absolute"];
        let text = asked(folder, words.iter().chain(&questions)).ok()?;
        let mut lines = text.lines();
        Some(Repository {
            root: PathBuf::from(lines.next()?),
            git: PathBuf::from(lines.next()?),
            within: PathBuf::from(lines.next().unwrap_or_default()),
        })
    }

    /// The commit that a revision names; `None` when git does not know the revision.
    pub fn commit(&self, revision: &str) -> Option<String> {
        let peeled = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
        let text = asked(&self.root, words.iter().chain(&[peeled.as_str()])).ok()?;
        Some(text.trim().to_owned()).filter(|commit| !commit.is_empty())
    }

    /// Whether tracked files differ from the commit.
    pub fn dirty(&self) -> bool {
        let words = ["status", "--porcelain", "--untracked-files=no"];
        asked(&self.root, words).is_ok_and(|text| !text.is_empty())
    }
}

/// git in a folder, without hooks, maintenance and password prompts.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        // Status queries do not refresh the index on disk.
        .arg("--no-optional-locks")
        .args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.fsmonitor=false",
        ])
        .args(["-c", "gc.auto=0", "-c", "advice.detachedHead=false"])
        .current_dir(folder)
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null());
    for name in PLACES {
        command.env_remove(name);
    }
    command
}

/// What a git command prints, or its error.
pub fn asked<W: AsRef<OsStr>>(
    folder: &Path,
    words: impl IntoIterator<Item = W>,
) -> Result<String, Stop> {
    let output = git(folder).args(words).output();
    let output = output.map_err(|error| {
        let what = format!("git cannot be started: {error}");
        Stop::Environment(format!("{what}; revisions are built from a clone"))
    })?;
    let trimmed = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() {
        return Ok(trimmed(&output.stdout));
    }
    let text = trimmed(&output.stderr);
    let text = text
        .trim_start_matches("fatal: ")
        .trim_start_matches("error: ");
    Err(Stop::Environment(format!("git: {text}")))
}
