//! The files of a revision, among which its programs may run.

use std::path::{Path, PathBuf};

use crate::cache::lock::Lock;
use crate::cache::{files_of, lock_of};
use crate::error::{Log, Result};
use crate::source::checkout::Checkout;
use crate::source::git::Repository;

/// Where a revision is checked out.
#[derive(Clone, Debug)]
pub struct RevisionFiles {
    /// The folder of its repository in the cache.
    cached: PathBuf,
    repository: Repository,
    commit: String,
}

/// While it lives, no other command checks out another revision.
#[derive(Debug)]
pub struct HeldFiles {
    _lock: Lock,
}

impl RevisionFiles {
    pub(crate) fn new(cached: &Path, repository: &Repository, commit: &str) -> RevisionFiles {
        RevisionFiles {
            cached: cached.to_owned(),
            repository: repository.clone(),
            commit: commit.to_owned(),
        }
    }

    /// Holds the files, and checks them out again where another command has checked out others since they were built.
    pub(crate) fn hold(&self, log: Log) -> Result<HeldFiles> {
        let path = files_of(&self.cached);
        if let Some(lock) = Lock::share(&path)?
            && Checkout::is_at(&self.cached, &self.commit)
        {
            return Ok(HeldFiles { _lock: lock });
        }
        let _alone = Lock::wait(&lock_of(&self.cached), "is building this repository", log)?;
        Checkout::at(&self.cached, &self.repository, &self.commit, log)?;
        // Others take it alone only under the lock above.
        let lock = Lock::share_when_free(&path)?;
        Ok(HeldFiles { _lock: lock })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::source::git::{git, query};

    #[test]
    fn a_revision_stays_while_its_files_are_held() {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, cached) = (folder.path().join("own"), folder.path().join("cached"));
        fs::create_dir(&root).expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let repository = Repository::around(&root).expect("a repository");
        let save = |text: &str| {
            fs::write(root.join("data"), text).expect("a file");
            query(git(&root).words(&["add", "--", "."])).expect("added");
            let mut saved = git(&root);
            saved
                .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
                .words(&["commit", "--quiet", "--message=a"]);
            query(&mut saved).expect("saved");
            repository.commit("HEAD").expect("a commit")
        };
        let commits = ["first", "second"].map(save);
        let [first, second] = commits
            .clone()
            .map(|commit| RevisionFiles::new(&cached, &repository, &commit));
        let data = || fs::read_to_string(cached.join("clone/data")).expect("a file");

        let held = first.hold(|_| ()).expect("held");
        assert_eq!(data(), "first");
        // Several commands may measure one revision.
        drop(first.hold(|text| panic!("{text}")).expect("held"));
        thread::scope(|scope| {
            let (says, said) = mpsc::channel();
            scope.spawn(move || {
                SAYS.set(Some(says));
                let log: Log = |text| {
                    SAYS.with_borrow(|says| {
                        let says = says.as_ref().expect("a channel");
                        says.send(text.to_owned()).expect("sent");
                    });
                };
                drop(second.hold(log).expect("held"));
            });
            let waits = said
                .iter()
                .any(|text| text.contains("measures programs that may read"));
            assert!(waits, "for those that read the first");
            assert_eq!(data(), "first");
            drop(held);
        });
        assert_eq!(data(), "second");
        drop(first.hold(|_| ()).expect("held"));
        assert_eq!(data(), "first");
    }

    thread_local! {
        static SAYS: std::cell::RefCell<Option<mpsc::Sender<String>>> = const { std::cell::RefCell::new(None) };
    }
}
