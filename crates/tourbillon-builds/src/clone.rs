//! The clone that revisions are built in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::cache::{create, refused};
use super::git::{Repository, asked, git};
use crate::{Stop, say};

/// A clone of a repository that borrows its objects and holds one revision at a time.
///
/// All revisions use one path, so that cargo rebuilds only what changed between them.
#[derive(Debug)]
pub struct Clone {
    path: PathBuf,
}

impl Clone {
    /// Checks out a commit in the clone in `place`, which is made when it is missing. Files of
    /// earlier revisions are removed.
    ///
    /// The caller holds the lock of the place.
    pub fn at(place: &Path, repository: &Repository, commit: &str) -> Result<Clone, Stop> {
        let clone = Clone {
            path: place.join("clone"),
        };
        let has = |commit: &str| {
            let object = format!("{commit}^{{commit}}");
            clone.asked(&["cat-file", "-e", object.as_str()]).is_ok()
        };
        // Git copies a shallow repository, and the copy lacks later commits; or a clone was
        // interrupted.
        if !has(commit) {
            clone.make(repository)?;
        }
        // Left by a checkout that was killed; the place is locked, so no other checkout is running.
        let _ = fs::remove_file(clone.path.join(".git/index.lock"));
        clone.asked(&["checkout", "--quiet", "--force", "--detach", commit])?;
        clone.asked(&["clean", "--quiet", "-ffdx"])?;
        if clone.path.join(".gitmodules").exists() {
            clone.submodules()?;
        }
        Ok(clone)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn make(&self, repository: &Repository) -> Result<(), Stop> {
        if self.path.exists() {
            fs::remove_dir_all(&self.path)
                .map_err(|error| refused(&self.path, "removed", &error))?;
        }
        let around = self.path.parent().unwrap_or(&self.path);
        create(around)?;
        let status = git(around)
            .args(["clone", "--quiet", "--shared", "--no-checkout"])
            .arg(&repository.git)
            .arg(&self.path)
            .stderr(Stdio::null())
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => {
                let (from, to) = (&repository.git, &self.path);
                Err(Stop::Environment(format!(
                    "{from:?} cannot be cloned to {to:?}; run `git clone --shared` to see the reason"
                )))
            }
        }
    }

    fn submodules(&self) -> Result<(), Stop> {
        say("fetching submodules\n");
        let words = ["submodule", "--quiet", "update", "--init", "--recursive"];
        self.asked(&words).map(|_| ())
    }

    fn asked(&self, words: &[&str]) -> Result<String, Stop> {
        // Without this, git would find a repository around the cache.
        if !self.path.join(".git").exists() {
            return Err(Stop::Environment(format!("{:?} is not a git clone", self.path)));
        }
        asked(&self.path, words)
    }
}
