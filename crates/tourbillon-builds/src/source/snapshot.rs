//! The files of a checkout as a commit that no branch has.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tourbillon_values::regular_file;

use crate::error::{Error, Result};
use crate::invocation::{Invocation, Unwinding};
use crate::key::Digest;
use crate::source::git::{Repository, commit, ended, git, path, path_of, query, query_bytes};
use crate::source::unknown::no_repository;

/// Who makes commits.
pub(super) const AUTHOR: [(&str, &str); 4] = [
    ("GIT_AUTHOR_NAME", "cargo tourbillon"),
    ("GIT_AUTHOR_EMAIL", "tourbillon@localhost"),
    ("GIT_COMMITTER_NAME", "cargo tourbillon"),
    ("GIT_COMMITTER_EMAIL", "tourbillon@localhost"),
];

/// The files of a checkout at one moment: those that git tracks, and those that it does not ignore.
///
/// They are in the object database of the repository, where git removes them after some weeks unless a reference needs
/// them. The index of the checkout, its branches and its files stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    root: PathBuf,
    tree: String,
}

impl Snapshot {
    /// Of the files of the checkout around a folder, but none below `targets`: what cargo builds may not be ignored.
    ///
    /// # Errors
    ///
    /// Without a repository, when git cannot read or keep a file, and where a submodule has changes that are in no commit:
    /// a snapshot would not have them.
    pub fn take(folder: &Path, targets: &[PathBuf]) -> Result<Snapshot> {
        // A signal leaves no copy of the index behind.
        let unwinding = Unwinding::begin();
        let taken = Snapshot::of(folder, targets);
        unwinding.check();
        taken
    }

    fn of(folder: &Path, targets: &[PathBuf]) -> Result<Snapshot> {
        let repository = Repository::around(folder).ok_or_else(|| no_repository("HEAD", folder))?;
        let root = repository.root;
        let index = Index::of(&root)?;
        if let Some(changed) = changed_submodule(&mut index.git(&root))? {
            return Err(Error::Usage(format!(
                "the submodule {} has changes that are in no commit, and a snapshot of {root:?} does not have them; commit \
                 them there",
                changed.display()
            )));
        }
        index.look_at_all(&root)?;
        let mut list = index.git(&root);
        list.words(&["ls-files", "-z", "--modified", "--deleted", "--others"])
            .words(&["--exclude-standard"]);
        let listed = query_bytes(&mut list)?;
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        for file in listed.split(|byte| *byte == 0) {
            let whole = root.join(path_of(file));
            let is_built = targets.iter().any(|target| whole.starts_with(target));
            if file.is_empty() || is_built {
                continue;
            }
            if file.ends_with(b"/") {
                return Err(Error::Usage(format!(
                    "{whole:?} is a repository of its own, and a snapshot of {root:?} does not have its files; have git \
                     ignore it, or add it as a submodule"
                )));
            }
            // A folder is where a file was.
            let is_gone = whole.is_dir() && !whole.is_symlink() && !whole.join(".git").exists();
            let files = if is_gone { &mut gone } else { &mut changed };
            files.extend_from_slice(file);
            files.push(0);
        }
        if !gone.is_empty() {
            let mut remove = index.git(&root);
            remove.words(&["update-index", "--force-remove", "-z", "--stdin"]);
            ended(remove.output_of(&gone))?;
        }
        let mut update = index.git(&root);
        update
            .words(&["-c", "core.safecrlf=false", "update-index"])
            .words(&["--add", "--remove", "--replace", "-z", "--stdin"]);
        ended(update.output_of(&changed))?;
        let mut write = index.git(&root);
        let tree = query(write.words(&["write-tree", "--missing-ok"]))?;
        Ok(Snapshot { root, tree })
    }

    /// A hash of what differs from a commit; `None` where nothing does.
    ///
    /// # Errors
    ///
    /// When git does not know the commit.
    pub fn difference(&self, from: &str) -> Result<Option<String>> {
        let mut difference = git(&self.root);
        difference.words(&["diff-tree", "-r", "-z", "--full-index", "--no-renames"]);
        for name in [from, &self.tree] {
            let word = commit(name).ok_or_else(|| unnamed(name))?;
            difference.plain(&word);
        }
        let text = query_bytes(&mut difference)?;
        Ok((!text.is_empty()).then(|| Digest::default().part(text).key()))
    }

    /// A commit of the files with this parent, which a reference keeps, `refs/tourbillon/attempts/HASH`. Gives its name.
    ///
    /// # Errors
    ///
    /// When git cannot write it.
    pub fn commit(&self, parent: &str, message: &str) -> Result<String> {
        let mut make = git(&self.root);
        make.words(&["commit-tree"])
            .plain(&commit(&self.tree).ok_or_else(|| unnamed(&self.tree))?)
            .words(&["-p"])
            .plain(&commit(parent).ok_or_else(|| unnamed(parent))?);
        make.process().envs(AUTHOR);
        let printed = ended(make.output_of(message.as_bytes()))?;
        let made = String::from_utf8_lossy(&printed).trim_end().to_owned();
        let name = commit(&made).ok_or_else(|| unnamed(&made))?;
        let name = name.as_str();
        let line = format!("update refs/tourbillon/attempts/{name} {name}\n");
        let mut refer = git(&self.root);
        refer.words(&["update-ref", "--stdin"]);
        ended(refer.output_of(line.as_bytes()))?;
        Ok(made)
    }
}

/// The first submodule with files that differ from its commit, or are new there.
fn changed_submodule(git: &mut Invocation) -> Result<Option<PathBuf>> {
    git.words(&["status", "--porcelain=v2", "-z", "--untracked-files=normal"])
        .words(&["--ignore-submodules=none"]);
    let listed = query_bytes(git)?;
    // `1 .M S.MU 160000 160000 160000 HASH HASH PATH`: files that were changed, and new ones.
    let mut known = listed
        .split(|byte| *byte == 0)
        .filter(|entry| !entry.starts_with(b"?"));
    let changed = known.find_map(|entry| {
        let mut words = entry.splitn(9, |byte| *byte == b' ');
        let state = words.nth(2)?;
        let is_changed = state.first() == Some(&b'S') && state.get(2..) != Some(b"..");
        words.nth(5).filter(|_| is_changed)
    });
    Ok(changed.map(path_of))
}

fn unnamed(name: &str) -> Error {
    Error::Environment(format!("{name:?} is no name of a commit or of a tree"))
}

/// A copy of the index of a checkout, which is removed with it.
struct Index {
    folder: TempDir,
}

impl Index {
    fn of(root: &Path) -> Result<Index> {
        let failed = |error| Error::Environment(format!("git's index cannot be copied: {error}"));
        let folder = TempDir::new().map_err(failed)?;
        let index = Index { folder };
        let mut own = git(root);
        own.words(&["rev-parse", "--path-format=absolute", "--git-path", "index"]);
        // Without a commit there may be none.
        if let Some(own) = path(&mut own).filter(|own| own.exists()) {
            regular_file::copy(&own, &index.path()).map_err(failed)?;
        }
        Ok(index)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    /// Has git look at files with `git update-index --assume-unchanged` and `--skip-worktree`. What the latter has not there, as in a sparse checkout, stays.
    fn look_at_all(&self, root: &Path) -> Result<()> {
        let mut list = self.git(root);
        // `S PATH` for the latter, a small letter for the former.
        let listed = query_bytes(list.words(&["ls-files", "-z", "-v"]))?;
        let (mut assumed, mut skipped) = (Vec::new(), Vec::new());
        for entry in listed.split_inclusive(|byte| *byte == 0) {
            let [state, b' ', path @ .., 0] = entry else {
                continue;
            };
            let is_there = || root.join(path_of(path)).symlink_metadata().is_ok();
            let is_skipped = state.eq_ignore_ascii_case(&b'S');
            if (state.is_ascii_lowercase() || is_skipped) && is_there() {
                assumed.extend_from_slice(&entry[2..]);
                if is_skipped {
                    skipped.extend_from_slice(&entry[2..]);
                }
            }
        }
        for (flag, files) in [
            ("--no-assume-unchanged", assumed),
            ("--no-skip-worktree", skipped),
        ] {
            if !files.is_empty() {
                let mut update = self.git(root);
                update.words(&["update-index", flag, "-z", "--stdin"]);
                ended(update.output_of(&files))?;
            }
        }
        Ok(())
    }

    /// git in a checkout with this index.
    fn git(&self, root: &Path) -> Invocation {
        let mut git = git(root);
        git.process().env("GIT_INDEX_FILE", self.path());
        git
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn run(root: &Path, words: &[&'static str]) -> String {
        let mut git = git(root);
        git.words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(words);
        query(&mut git).expect("git")
    }

    #[test]
    fn the_files_are_a_commit_and_the_index_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let write = |file: &str, text: &str| fs::write(root.join(file), text).expect("a file");
        write("kept", "1");
        write("edited", "1");
        write("removed", "1");
        write(".gitignore", "ignored\n");
        run(&root, &["add", "--all"]);
        run(&root, &["commit", "--quiet", "--message=first"]);
        let first = run(&root, &["rev-parse", "HEAD"]);
        let targets = [root.join("target")];
        let same = Snapshot::take(&root, &targets).expect("a snapshot");
        assert_eq!(same.difference(&first).expect("a commit"), None);

        write("edited", "2");
        write("staged", "1");
        run(&root, &["add", "staged"]);
        write("new\n-x", "1");
        write("ignored", "1");
        fs::remove_file(root.join("removed")).expect("a file");
        fs::create_dir(root.join("target")).expect("a folder");
        write("target/built", "1");
        for nested in ["target/cloned", "cloned"] {
            let mut git = git(&root);
            git.words(&["init", "--quiet"])
                .operands("--", [root.join(nested).as_os_str()]);
            query(&mut git).expect("a repository");
        }
        let error = Snapshot::take(&root, &targets).expect_err("a repository");
        assert!(error.to_string().contains("of its own"), "{error}");
        fs::remove_dir_all(root.join("cloned")).expect("a folder");
        let index = fs::read(root.join(".git/index")).expect("an index");
        let status = run(&root, &["status", "--porcelain"]);
        let other = Snapshot::take(&root.join("target"), &targets).expect("a snapshot");
        let difference = other.difference(&first).expect("a commit");
        assert_eq!(difference.as_deref().map(str::len), Some(32));
        let made = other.commit(&first, "attempt 1\n").expect("a commit");
        assert_eq!(fs::read(root.join(".git/index")).expect("an index"), index);
        assert_eq!(run(&root, &["status", "--porcelain"]), status);
        assert_eq!(run(&root, &["rev-parse", "HEAD"]), first);

        let refs = run(
            &root,
            &["for-each-ref", "--format=%(refname) %(objectname)"],
        );
        assert!(
            refs.contains(&format!("refs/tourbillon/attempts/{made} {made}")),
            "{refs}"
        );
        let mut list = git(&root);
        list.words(&["ls-tree", "-r", "--name-only", "-z"])
            .plain(&commit(&made).expect("a name"));
        let files = query(&mut list).expect("git");
        let names =
            [".gitignore", "edited", "kept", "new\n-x", "staged"].map(|one| format!("{one}\0"));
        assert_eq!(files, names.concat());
        let again = Snapshot::take(&root, &targets).expect("a snapshot");
        assert_eq!(again, other);
        assert_eq!(again.difference(&made).expect("a commit"), None);
        // A folder in place of a file, and a file in place of a folder.
        for (gone, come) in [("staged", "staged/one"), ("staged", "staged")] {
            let gone = root.join(gone);
            let removed = if gone.is_dir() {
                fs::remove_dir_all(&gone)
            } else {
                fs::remove_file(&gone)
            };
            removed.expect("what was there");
            fs::create_dir_all(root.join(come).parent().expect("a folder")).expect("a folder");
            write(come, "1");
            let turned = Snapshot::take(&root, &targets).expect("a snapshot");
            run(&root, &["add", "--all", "--", ":!target"]);
            assert_eq!(turned.tree, run(&root, &["write-tree"]));
        }
        // What git does not look at.
        for flag in ["assume-unchanged", "skip-worktree"] {
            let before = Snapshot::take(&root, &targets).expect("a snapshot");
            let flags = [format!("--{flag}"), format!("--no-{flag}")];
            let set = |flag: &str| {
                let mut git = git(&root);
                git.words(&["update-index"]);
                git.process().args([flag, "edited", "kept"]);
                query(&mut git).expect("git")
            };
            set(&flags[0]);
            write("edited", flag);
            // As in a sparse checkout.
            if flag == "skip-worktree" {
                fs::remove_file(root.join("kept")).expect("a file");
            }
            let after = Snapshot::take(&root, &targets).expect("a snapshot");
            assert!(after.difference(&before.tree).expect("trees").is_some());
            let mut list = git(&root);
            list.words(&["ls-tree", "-r", "--name-only"])
                .plain(&commit(&after.tree).expect("a name"));
            assert!(query(&mut list).expect("git").contains("kept"));
            set(&flags[1]);
            write("kept", "1");
        }
        write("edited", "3");
        let third = Snapshot::take(&root, &targets).expect("a snapshot");
        assert_ne!(third.difference(&first).expect("a commit"), difference);
    }

    #[test]
    fn changes_within_a_submodule_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let sub = root.join("a b");
        let mut nested = git(&root);
        nested
            .words(&["init", "--quiet"])
            .operands("--", [sub.as_os_str()]);
        query(&mut nested).expect("a repository");
        fs::write(sub.join("file"), "1").expect("a file");
        run(&sub, &["add", "--all"]);
        run(&sub, &["commit", "--quiet", "--message=first"]);
        run(
            &root,
            &["-c", "advice.addEmbeddedRepo=false", "add", "--all"],
        );
        run(&root, &["commit", "--quiet", "--message=first"]);
        let first = run(&root, &["rev-parse", "HEAD"]);
        let same = Snapshot::take(&root, &[]).expect("a snapshot");
        assert_eq!(same.difference(&first).expect("a commit"), None);
        let is_refused = || {
            let error = Snapshot::take(&root, &[]).expect_err("a change");
            error.to_string().contains("the submodule a b has")
        };
        fs::write(sub.join("new"), "1").expect("a file");
        assert!(is_refused());
        // What git ignores there is no change.
        fs::write(sub.join(".git/info/exclude"), "new\n").expect("a file");
        assert_eq!(Snapshot::take(&root, &[]).expect("a snapshot"), same);
        fs::write(sub.join("file"), "2").expect("a file");
        assert!(is_refused());
        run(&sub, &["commit", "--quiet", "--all", "--message=second"]);
        let other = Snapshot::take(&root, &[]).expect("a snapshot");
        assert!(other.difference(&first).expect("a commit").is_some());
    }
}
