//! The clone that revisions are built in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::cache::{create, refused};
use super::git::{Repository, asked, git};
use crate::{Stop, say};

/// A clone of a repository that borrows its objects, and holds one revision at a time.
///
/// One path for all revisions, so that what did not change between two of them is not built again.
#[derive(Debug)]
pub struct Clone {
    path: PathBuf,
}

impl Clone {
    /// Brings a commit of a repository into the clone in `place`, which is made where it is not
    /// there yet. Nothing of the revision before is left in it.
    ///
    /// Whoever calls holds the lock of the place.
    pub fn at(place: &Path, repository: &Repository, commit: &str) -> Result<Clone, Stop> {
        let clone = Clone {
            path: place.join("clone"),
        };
        let has = |commit: &str| {
            let object = format!("{commit}^{{commit}}");
            clone.asked(&["cat-file", "-e", object.as_str()]).is_ok()
        };
        // Of a shallow repository git makes copies, which may lack what came later; and a clone may
        // have been left half done.
        if !has(commit) {
            clone.make(repository)?;
        }
        // Left behind by a checkout that was killed; the place is locked, so nobody is at work.
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
                let what = format!("{:?} cannot be cloned to {:?}", repository.git, self.path);
                Err(Stop::Environment(format!(
                    "{what}; `git clone --shared` between the two says why"
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
        // Never the repository around the cache, should there be one.
        if !self.path.join(".git").exists() {
            return Err(Stop::Environment(format!("{:?} is no clone", self.path)));
        }
        asked(&self.path, words)
    }
}
