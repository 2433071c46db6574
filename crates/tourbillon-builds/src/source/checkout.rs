//! The clone that revisions are built in.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;
use walkdir::{DirEntry, WalkDir};

use crate::cache::files_of;
use crate::cache::lock::Lock;
use crate::error::{Error, Log, Result, refused};
use crate::invocation::{Invocation, PlainWord};
use crate::key::Digest;
use crate::source::conversions::Conversions;
use crate::source::git::{Repository, commit, git, query};
use crate::source::partial_clone::fetch_missing;
use crate::source::submodules::{self, INDEX, OfSubmodules};

/// The file, next to the clone, with the hash of its settings and its commit.
const SETTINGS: &str = "clone.settings";

/// The folder of git in the clone.
const GIT: &str = ".git";

/// Files of a git directory that can name programs, other objects, or another git directory.
const NAMING: [&str; 5] = [
    "config",
    "config.worktree",
    "attributes",
    "alternates",
    "commondir",
];

/// A clone of a repository that borrows its objects and holds one revision at a time.
///
/// All revisions use one path, of which cargo makes hashes: what does not depend on the revision is built once.
#[derive(Debug)]
pub(crate) struct Checkout {
    pub(crate) path: PathBuf,
    conversions: Conversions,
    of_submodules: OfSubmodules,
}

impl Checkout {
    /// Checks out a commit in the clone in `folder`, which is made when it is missing. Files of another revision are
    /// removed first, those of submodules and the same ones too: every file of the commit is new, as in a new clone, and
    /// cargo builds all packages of the checkout again, whatever their files depend on.
    ///
    /// The caller holds the lock of the folder.
    pub(crate) fn at(
        folder: &Path,
        repository: &Repository,
        name: &str,
        log: Log,
    ) -> Result<Checkout> {
        let clone = Checkout {
            path: folder.join("clone"),
            conversions: Conversions::of(git(&repository.root), &repository.git)?,
            of_submodules: submodules::conversions(repository)?,
        };
        let unknown = || Error::Environment(format!("{name:?} is not the name of a commit"));
        let commit = commit(name).ok_or_else(unknown)?;
        let kept = regular_file::read_text(&folder.join(SETTINGS), DESCRIPTION_BYTES);
        let (kept, settings) = (kept.unwrap_or_default(), clone.settings());
        // Git is asked only where its settings are known: to look for a commit it may start a program.
        let is_made = !kept.starts_with(&settings) || !clone.has(&commit);
        let is_replaced = is_made || kept != clone.state(&settings, &commit);
        let does = "measures programs that may read files of this repository";
        let alone = || Lock::wait(&files_of(folder), does, log);
        let _alone = is_replaced.then(alone).transpose()?;
        if is_made {
            clone.make(repository)?;
        } else if is_replaced {
            clone.clear(folder)?;
        }
        clone.conversions.give(&clone.path.join(GIT))?;
        if let Some(remote) = repository.promisor() {
            fetch_missing(repository, &remote, &commit, log)?;
        }
        clone.renew_index(&commit)?;
        let mut checkout = clone.git()?;
        checkout
            .words(&["checkout", "--quiet", "--force", "--detach"])
            .plain(&commit)
            .words(&["--"]);
        query(&mut checkout)?;
        query(clone.git()?.words(&["clean", "--quiet", "-ffdx"]))?;
        clone.remove_empty_folders();
        if clone.path.join(".gitmodules").exists() {
            log("fetching submodules\n");
            submodules::check_out(repository, &clone.path, &clone.of_submodules, || {
                clone.git()
            })?;
        }
        let file = folder.join(SETTINGS);
        let state = clone.state(&clone.settings(), &commit);
        fs::write(&file, state).map_err(|error| refused(&file, "written", &error))?;
        Ok(clone)
    }

    /// Whether a commit was the last one that was checked out in the clone in `folder`.
    pub(crate) fn is_at(folder: &Path, commit: &str) -> bool {
        let kept = regular_file::read_text(&folder.join(SETTINGS), DESCRIPTION_BYTES);
        kept.is_ok_and(|kept| kept.split(' ').next_back() == Some(commit))
    }

    /// Removes all files of the revision, and what git states about those of submodules. Folders stay, because programs
    /// may be measured in them. Without its settings, a clone is made anew if this is interrupted.
    fn clear(&self, folder: &Path) -> Result<()> {
        let settings = folder.join(SETTINGS);
        fs::remove_file(&settings).map_err(|error| refused(&settings, "removed", &error))?;
        for entry in self.files() {
            let entry = entry.map_err(|error| refused(&self.path, "read", &error.into()))?;
            if !entry.file_type().is_dir() {
                let path = entry.path();
                fs::remove_file(path).map_err(|error| refused(path, "removed", &error))?;
            }
        }
        submodules::remove_indexes(&self.path.join(GIT))
    }

    /// Removes folders of another revision, as of a folder that is a submodule now.
    fn remove_empty_folders(&self) {
        let all: Vec<DirEntry> = self.files().flatten().collect();
        let folders = all.iter().filter(|entry| entry.file_type().is_dir());
        for folder in folders.rev() {
            // Most have files.
            let _ = fs::remove_dir(folder.path());
        }
    }

    /// All files and folders but those of git, a folder before what is in it.
    fn files(&self) -> impl Iterator<Item = walkdir::Result<DirEntry>> {
        let entries = WalkDir::new(&self.path).min_depth(1);
        let is_file = |entry: &DirEntry| entry.depth() != 1 || entry.file_name() != GIT;
        entries.into_iter().filter_entry(is_file)
    }

    /// Compares the files with those of a commit, and not with what the index states about them: code that was built in
    /// the clone may have changed both. Files that are the same keep their dates, so that cargo does not build them again.
    fn renew_index(&self, commit: &PlainWord) -> Result<()> {
        let own = self.path.join(GIT);
        let locks = WalkDir::new(&own).into_iter().flatten().filter(|entry| {
            entry.file_type().is_file() && entry.path().extension().is_some_and(|end| end == "lock")
        });
        // A git that was killed left them; the folder is locked, so that no other runs.
        let left = locks.map(DirEntry::into_path);
        for path in left.chain([own.join(INDEX)]) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(refused(&path, "removed", &error));
                }
                _ => {}
            }
        }
        // Both fail where the checkout fails too, and the second one wherever a file differs.
        let _ = query(self.git()?.words(&["read-tree"]).plain(commit));
        let _ = query(self.git()?.words(&["update-index", "-q", "--refresh"]));
        Ok(())
    }

    /// Whether the clone has a commit. Git copies a shallow repository, and the copy lacks later commits; or a clone
    /// was interrupted.
    fn has(&self, commit: &PlainWord) -> bool {
        let known = self
            .git()
            .and_then(|mut git| query(git.words(&["cat-file", "-e"]).plain(commit)));
        known.is_ok()
    }

    fn make(&self, repository: &Repository) -> Result<()> {
        if self.path.symlink_metadata().is_ok() {
            fs::remove_dir_all(&self.path)
                .map_err(|error| refused(&self.path, "removed", &error))?;
        }
        let around = self.path.parent().unwrap_or(&self.path);
        fs::create_dir_all(around).map_err(|error| refused(around, "created", &error))?;
        let (from, to) = (&repository.git, &self.path);
        let mut git = git(around);
        git.words(&["clone", "--quiet", "--shared", "--no-checkout"])
            .operands("--", [from, to]);
        match git.output() {
            Ok(output) if output.status.success() => Ok(()),
            _ => Err(Error::Environment(format!(
                "{from:?} cannot be cloned to {to:?}; run `git clone --shared` to see the reason"
            ))),
        }
    }

    fn git(&self) -> Result<Invocation> {
        // Without this, git would find a repository around the cache, or one that a file names.
        let own = self.path.join(GIT).symlink_metadata();
        if !own.is_ok_and(|own| own.is_dir()) {
            let what = format!("{:?} is not a git clone", self.path);
            return Err(Error::Environment(what));
        }
        let mut git = git(&self.path);
        // A commit is what its name stands for.
        git.process().env("GIT_NO_REPLACE_OBJECTS", "1");
        Ok(git)
    }

    /// How the files of commits are written.
    pub(crate) fn conversions(&self) -> String {
        let own = self.conversions.add_to(Digest::default());
        let all = self.of_submodules.iter().fold(own, |digest, (path, one)| {
            one.add_to(digest.part(path.as_os_str().as_encoded_bytes()))
        });
        all.key()
    }

    /// What is kept about the clone: its settings, and the commit that it has checked out.
    fn state(&self, settings: &str, commit: &PlainWord) -> String {
        format!("{settings} {} {}", self.conversions(), commit.as_str())
    }

    /// A hash of the settings of the clone and of its submodules, of what these have checked out, and of all links. It
    /// tells whether they are what git wrote: code that was built in the clone may have named programs in them, which
    /// the checkout of another revision would start.
    fn settings(&self) -> String {
        let mut digest = Digest::default();
        let own = self.path.join(GIT);
        let entries = WalkDir::new(&own).sort_by_file_name();
        let is_of_submodule = |entry: &DirEntry| entry.file_name() == INDEX && entry.depth() > 1;
        for entry in entries.into_iter().flatten() {
            let entry = &entry;
            let path = entry.path();
            let name = entry.file_name().to_str().unwrap_or_default();
            let contents = if entry.file_type().is_symlink() {
                let to = fs::read_link(path).unwrap_or_default();
                to.into_os_string().into_encoded_bytes()
            } else if NAMING.contains(&name) || is_of_submodule(entry) {
                regular_file::read(path, DESCRIPTION_BYTES).unwrap_or_default()
            } else {
                continue;
            };
            digest = digest
                .part(path.as_os_str().as_encoded_bytes())
                .part(contents);
        }
        digest.key()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As those of large files that are set up in one repository alone.
    #[test]
    fn files_are_written_as_in_the_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, cached) = (folder.path().join("own"), folder.path().join("cached"));
        fs::create_dir(&root).expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        fs::write(root.join(".gitattributes"), "data filter=large\n").expect("a file");
        fs::write(root.join("data"), "pointer\n").expect("a file");
        fs::write(root.join("text"), "line\n").expect("a file");
        query(git(&root).words(&["add", "--", "."])).expect("added");
        let mut saved = git(&root);
        saved
            .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["commit", "--quiet", "--message=a"]);
        query(&mut saved).expect("a commit");
        let repository = Repository::around(&root).expect("a repository");
        let commit = repository.commit("HEAD").expect("a commit");
        let read = || {
            let clone = Checkout::at(&cached, &repository, &commit, |_| ()).expect("a clone");
            let file = |name: &str| fs::read_to_string(clone.path.join(name)).expect("a file");
            ([file("data"), file("text")], clone.conversions())
        };
        let (files, plain) = read();
        assert_eq!(files, ["pointer\n", "line\n"]);
        for words in [
            ["config", "filter.large.smudge", "sed s/pointer/contents/"],
            ["config", "core.eol", "crlf"],
        ] {
            query(git(&root).words(&words)).expect("a setting");
        }
        fs::write(root.join(".git/info/attributes"), "text text\n").expect("a file");
        let (files, converted) = read();
        assert_eq!(files, ["contents\n", "line\r\n"]);
        assert_ne!(plain, converted);
        // Bytes that are no text, as of another encoding.
        fs::write(
            root.join(".git/info/attributes"),
            b"# M\xfcller\ntext text\n",
        )
        .expect("a file");
        assert_eq!(read().0, ["contents\n", "line\r\n"]);
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let latin = std::ffi::OsStr::from_bytes(b"sed s/pointer/M\xfcller/ | tr '\\374' u");
            let mut set = git(&root);
            let name = std::ffi::OsStr::new("filter.large.smudge");
            set.words(&["config"]);
            query(set.operands("--", [name, latin])).expect("a setting");
            assert_eq!(read().0[0], "Muller\n");
            query(git(&root).words(&["config", "filter.large.smudge", "sed s/pointer/contents/"]))
                .expect("a setting");
        }
        fs::remove_file(root.join(".git/info/attributes")).expect("removed");
        assert_eq!(read().0, ["contents\n", "line\n"]);
        fs::create_dir(root.join(".git/info/attributes")).expect("a folder");
        let error = Checkout::at(&cached, &repository, &commit, |_| ()).expect_err("unreadable");
        assert!(error.to_string().contains("attributes"), "{error}");
    }

    /// What was built in the clone cannot have a program started by the checkout of another revision.
    #[test]
    fn settings_that_code_changed_are_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, cached) = (folder.path().join("own"), folder.path().join("cached"));
        fs::create_dir(&root).expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let save = |text: &str| {
            fs::write(root.join("a.txt"), text).expect("a file");
            fs::write(root.join(".gitattributes"), "*.txt filter=x\n").expect("a file");
            query(git(&root).words(&["add", "--", "."])).expect("added");
            let mut saved = git(&root);
            saved
                .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
                .words(&["commit", "--quiet", "--message=a"]);
            query(&mut saved).expect("a commit");
            let repository = Repository::around(&root).expect("a repository");
            let commit = repository.commit("HEAD").expect("a commit");
            (repository, commit)
        };
        let (repository, first) = save("one");
        let clone = Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        let read = || fs::read_to_string(clone.path.join("a.txt")).expect("a file");
        assert_eq!(read(), "one");
        // Undisturbed, the clone is used again.
        fs::write(clone.path.join(".git/kept"), "").expect("a file");
        let (repository, second) = save("two");
        Checkout::at(&cached, &repository, &second, |_| ()).expect("a clone");
        assert_eq!(read(), "two");
        assert!(clone.path.join(".git/kept").exists());
        // As a build script could: git would start this.
        let mut setting = git(&clone.path);
        setting.words(&["config", "filter.x.smudge", "sed s/^/changed-/"]);
        query(&mut setting).expect("a setting");
        Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        assert_eq!(read(), "one");
        // Git would leave this file as it is.
        fs::write(clone.path.join("a.txt"), "changed").expect("a file");
        let mut hidden = git(&clone.path);
        hidden
            .words(&["update-index", "--skip-worktree"])
            .operands("--", ["a.txt"]);
        query(&mut hidden).expect("hidden");
        Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        assert_eq!(read(), "one");
        // As a git leaves them that was killed.
        for lock in ["HEAD.lock", "index.lock", "refs/heads/main.lock"] {
            fs::write(clone.path.join(".git").join(lock), "").expect("a file");
        }
        Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        // A remote that git asks for what it does not find: by a program that code named.
        let ran = folder.path().join("ran");
        let upload = format!("touch {};", ran.display());
        for (name, value) in [
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "x"),
            ("remote.x.url", "."),
            ("remote.x.uploadpack", upload.as_str()),
        ] {
            let mut setting = git(&clone.path);
            setting.words(&["config"]).operands("--", [name, value]);
            query(&mut setting).expect("a setting");
        }
        let unknown = "0123456789".repeat(4);
        let asked = Checkout::at(&cached, &repository, &unknown, |_| ());
        assert!(asked.is_err() && !ran.exists(), "{asked:?}");
        // So could the settings of another git directory.
        let other = folder.path().join("other");
        fs::create_dir(&other).expect("a folder");
        query(git(&other).words(&["init", "--quiet"])).expect("a repository");
        Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        let common = clone.path.join(".git/commondir");
        fs::write(&common, other.join(".git").as_os_str().as_encoded_bytes()).expect("a file");
        Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        assert!(!common.exists(), "a new clone");
        // Files that did not change keep their dates.
        let date = || fs::metadata(clone.path.join("a.txt")).and_then(|about| about.modified());
        let before = date().expect("a date");
        Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        assert_eq!(date().expect("a date"), before);
        // Other objects of the same names would be those of another repository.
        let marker = clone.path.join(".git/kept");
        fs::write(&marker, "").expect("a file");
        let alternates = clone.path.join(".git/objects/info/alternates");
        let own = fs::read_to_string(&alternates).expect("a file");
        fs::write(&alternates, format!("/elsewhere\n{own}")).expect("a file");
        Checkout::at(&cached, &repository, &first, |_| ()).expect("a clone");
        assert!(!marker.exists(), "a new clone");
        assert_eq!(fs::read_to_string(&alternates).expect("a file"), own);
        let name = Checkout::at(&cached, &repository, "HEAD", |_| ());
        assert!(name.is_err(), "a name that is no commit");
    }

    /// Every path of a checkout but git's, with what is there.
    #[cfg(unix)]
    fn files(clone: &Checkout) -> Vec<(PathBuf, Vec<u8>)> {
        let mut all = Vec::new();
        for entry in clone.files().flatten() {
            let contents = if entry.path_is_symlink() {
                let to = fs::read_link(entry.path()).expect("a link");
                to.into_os_string().into_encoded_bytes()
            } else {
                fs::read(entry.path()).unwrap_or_default()
            };
            let name = entry.path().strip_prefix(&clone.path).expect("within");
            all.push((name.to_owned(), contents));
        }
        all.sort();
        all
    }

    #[cfg(unix)]
    #[test]
    fn another_commit_has_the_files_of_a_new_clone_and_new_dates() {
        use std::os::unix::fs::symlink;
        use std::time::UNIX_EPOCH;
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("own");
        fs::create_dir(&root).expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        let link = |to: &str| {
            let _ = fs::remove_file(root.join("chosen.rs"));
            symlink(to, root.join("chosen.rs")).expect("a link");
        };
        let save = || {
            query(git(&root).words(&["add", "--all"])).expect("added");
            let mut saved = git(&root);
            saved
                .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
                .words(&["commit", "--quiet", "--message=a"]);
            query(&mut saved).expect("a commit");
            let repository = Repository::around(&root).expect("a repository");
            repository.commit("HEAD").expect("a commit")
        };
        write("fast.rs", "fast");
        write("slow.rs", "slow");
        write("ends.txt", "$Id$\none\n");
        write("turn/in/file", "a folder");
        write("gone/in/file", "a folder");
        link("fast.rs");
        let first = save();
        write(".gitattributes", "*.txt eol=crlf ident\n");
        fs::remove_dir_all(root.join("turn")).expect("removed");
        fs::remove_dir_all(root.join("gone")).expect("removed");
        write("turn", "a file");
        write("in/a/folder", "as before");
        link("slow.rs");
        let second = save();
        let repository = Repository::around(&root).expect("a repository");
        let at = |cached: &str, commit: &str| {
            let cached = folder.path().join(cached);
            Checkout::at(&cached, &repository, commit, |_| ()).expect("a clone")
        };
        let clone = at("cached", &first);
        for (round, commit) in [&second, &first, &second].into_iter().enumerate() {
            // As builds leave them.
            for entry in clone.files().flatten() {
                if entry.file_type().is_file() {
                    let file = fs::File::options().append(true).open(entry.path());
                    let dated = file.and_then(|file| file.set_modified(UNIX_EPOCH));
                    dated.expect("a date");
                }
            }
            fs::write(clone.path.join("built"), "").expect("a file");
            at("cached", commit);
            assert_eq!(files(&clone), files(&at(&format!("new-{round}"), commit)));
            for entry in clone.files().flatten() {
                let date = fs::metadata(entry.path()).and_then(|about| about.modified());
                assert!(date.expect("a date") > UNIX_EPOCH, "{entry:?} {round}");
            }
        }
    }
}
