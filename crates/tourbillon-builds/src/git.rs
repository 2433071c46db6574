//! What git knows of the user's checkout, asked without changing it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Stop;

/// Variables by which git passes its own place on to hooks: nothing that is started here means it.
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

/// The repository around a folder.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Where the checkout begins.
    pub root: PathBuf,
    /// Where git keeps its own: one place for all worktrees.
    pub git: PathBuf,
    /// The folder, from the root.
    pub within: PathBuf,
}

impl Repository {
    /// The repository around a folder; `None` where there is none, or no git.
    pub fn around(folder: &Path) -> Option<Repository> {
        let questions = ["--show-toplevel", "--git-common-dir", "--show-prefix"];
        let words = ["rev-parse", "--path-format=absolute"];
        let said = asked(folder, words.iter().chain(&questions)).ok()?;
        let mut lines = said.lines();
        Some(Repository {
            root: PathBuf::from(lines.next()?),
            git: PathBuf::from(lines.next()?),
            within: PathBuf::from(lines.next().unwrap_or_default()),
        })
    }

    /// The commit that a revision names; `None` when it names none.
    pub fn commit(&self, revision: &str) -> Option<String> {
        let peeled = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
        let said = asked(&self.root, words.iter().chain(&[peeled.as_str()])).ok()?;
        Some(said.trim().to_owned()).filter(|commit| !commit.is_empty())
    }

    /// Whether files differ from what was committed; files that git does not know do not count.
    pub fn dirty(&self) -> bool {
        let words = ["status", "--porcelain", "--untracked-files=no"];
        asked(&self.root, words).is_ok_and(|said| !said.is_empty())
    }
}

/// git in a folder, which neither runs hooks nor cleans up, and asks nobody for a password.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        // The index is not written just because somebody looks.
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

/// What git says to a question, or why it says nothing.
pub fn asked<W: AsRef<OsStr>>(
    folder: &Path,
    words: impl IntoIterator<Item = W>,
) -> Result<String, Stop> {
    let output = git(folder).args(words).output();
    let output = output.map_err(|error| {
        let what = format!("git cannot be started: {error}");
        Stop::Environment(format!("{what}; revisions are built from a clone"))
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let said = text(&output.stderr);
    let said = said
        .trim_start_matches("fatal: ")
        .trim_start_matches("error: ");
    Err(Stop::Environment(format!("git: {said}")))
}
