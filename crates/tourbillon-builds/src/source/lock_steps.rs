//! Commits that differ in the versions of dependencies only, from one lock file to another.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::cache::Cache;
use crate::cache::lock::Unfinished;
use crate::compile::cargo::cargo;
use crate::error::{Error, Log, Result};
use crate::invocation::{Flag, Invocation, PlainWord, Unwinding};
use crate::source::git::{Repository, commit, ended, git, in_git, query};
use crate::source::lock_file::{Change, LockFile};
use crate::source::snapshot::AUTHOR;

/// The name of a lock file.
const LOCK: &str = "Cargo.lock";

/// Commits with the files of the commit that is checked out and another lock file each. None is on a branch; the same
/// lock files give the same commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockSteps {
    /// The commit with the older lock file.
    pub start: String,
    /// Those after it, in their order, and what each changes, such as `serde 1.0.1 -> 1.0.2`. The last one has the newer
    /// lock file.
    pub steps: Vec<(String, String)>,
}

/// Makes commits on the way from an older lock file to a newer one: each has the newer version of one package more, as
/// `cargo update --precise` gives it. What cargo does not do alone comes with the next package, or with the last.
///
/// A lock file is the path of one, or else a revision that has one. `is_offline` is cargo's `--offline`. The files are in
/// the cache meanwhile.
///
/// # Errors
///
/// Without a repository, a lock file, or git; if a lock file does not fit the manifests; and if nothing differs.
pub fn lock_steps(
    folder: &Path,
    [old, new]: [&str; 2],
    is_offline: bool,
    cache: &Cache,
) -> Result<LockSteps> {
    let repository = Repository::around(folder)
        .ok_or_else(|| Error::Usage("there is no git repository here".to_owned()))?;
    // A signal leaves no folder behind; the one of a program that is killed is removed with what else is unfinished.
    let unwinding = Unwinding::begin();
    let own = Unfinished::new(&cache.builds(), "lock-files")?;
    let place = Place::new(&repository, own.path(), is_offline);
    let made = place.and_then(|place| steps(&place, [old, new], cache.log, &unwinding));
    drop(own);
    unwinding.check();
    made
}

fn steps(
    place: &Place<'_>,
    [old, new]: [&str; 2],
    log: Log,
    unwinding: &Unwinding,
) -> Result<LockSteps> {
    let [old_text, new_text] = [place.text(old)?, place.text(new)?];
    let parsed = |name: &str, text: &str| {
        LockFile::parse(text)
            .map_err(|why| Error::Usage(format!("{name:?} is no lock file of cargo: {why}")))
    };
    let (first, last) = (parsed(old, &old_text)?, parsed(new, &new_text)?);
    if first == last {
        return Err(Error::Usage(format!(
            "{old} and {new} have the same versions of all packages: there is nothing to find"
        )));
    }
    for (name, text) in [(new, &new_text), (old, &old_text)] {
        place.check(name, text)?;
    }
    let start = place.commit(&old_text, &place.head, old)?;
    let mut walk = Walk {
        lock: first.clone(),
        text: old_text,
        commits: LockSteps {
            steps: Vec::new(),
            start,
        },
    };
    let mut left = first.changes(&last);
    log(&format!("{} packages have another version\n", left.len()));
    loop {
        let before = left.len();
        // What could not be updated alone may be, after another one.
        let open = std::mem::take(&mut left);
        for change in open {
            unwinding.check();
            let is_open = walk.lock.has(&change.name, &change.from);
            if is_open && !walk.update(place, &change)? {
                left.push(change);
            }
        }
        if left.is_empty() || left.len() == before {
            break;
        }
    }
    if walk.lock != last {
        walk.step(place, new_text, last)?;
    }
    Ok(walk.commits)
}

/// Where the way has come to.
struct Walk {
    lock: LockFile,
    text: String,
    commits: LockSteps,
}

impl Walk {
    /// Updates one package; whether cargo did it.
    fn update(&mut self, place: &Place<'_>, change: &Change) -> Result<bool> {
        place.write(&self.text)?;
        if !place.updated(change)? {
            return Ok(false);
        }
        let text = place.written()?;
        let lock = LockFile::parse(&text).map_err(Error::Environment)?;
        if !lock.has(&change.name, &change.to) {
            return Ok(false);
        }
        self.step(place, text, lock)?;
        Ok(true)
    }

    fn step(&mut self, place: &Place<'_>, text: String, lock: LockFile) -> Result<()> {
        let what = self.lock.difference(&lock);
        let steps = &self.commits.steps;
        let parent = steps
            .last()
            .map_or(&self.commits.start, |(commit, _)| commit);
        let parent = known(parent)?;
        let commit = place.commit(&text, &parent, &what)?;
        self.commits.steps.push((commit, what));
        (self.lock, self.text) = (lock, text);
        Ok(())
    }
}

/// The files of a commit in a folder of their own, for cargo, and an index for its tree: neither those of the user
/// change.
struct Place<'r> {
    repository: &'r Repository,
    folder: &'r Path,
    head: PlainWord,
    /// The lock file, as from the root of the repository.
    lock: PathBuf,
    is_offline: bool,
}

impl<'r> Place<'r> {
    fn new(repository: &'r Repository, folder: &'r Path, is_offline: bool) -> Result<Place<'r>> {
        let mut around = Path::new(&repository.within).ancestors();
        let lock = around
            .find(|folder| repository.root.join(folder).join(LOCK).is_file())
            .ok_or_else(|| Error::Usage(format!("there is no {LOCK} in this folder and above it")))?
            .join(LOCK);
        let head = repository
            .commit("HEAD")
            .as_deref()
            .and_then(commit)
            .ok_or_else(|| Error::Usage("the repository has no commit".to_owned()))?;
        let place = Place {
            repository,
            folder,
            head,
            lock,
            is_offline,
        };
        query(place.git().words(&["read-tree"]).plain(&place.head))?;
        // Git writes into the folder that begins with this.
        let mut prefix = place.files().into_os_string();
        prefix.push("/");
        let prefix = Flag::new("--prefix=", prefix);
        let mut checkout = place.git();
        checkout
            .words(&["checkout-index", "--all"])
            .flags([&prefix]);
        query(&mut checkout)?;
        Ok(place)
    }

    fn files(&self) -> PathBuf {
        self.folder.join("files")
    }

    /// git with an index of its own.
    fn git(&self) -> Invocation {
        let mut git = git(&self.repository.root);
        let process = git.process();
        process.env("GIT_INDEX_FILE", self.folder.join("index"));
        process.envs(AUTHOR);
        // The same lock files give the same commits.
        for date in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            process.env(date, "2000-01-01T00:00:00Z");
        }
        git
    }

    /// The text of a lock file: of a file, or of a revision.
    fn text(&self, name: &str) -> Result<String> {
        let path = Path::new(name);
        if path.exists() {
            return regular_file::read_text(path, DESCRIPTION_BYTES)
                .map_err(|error| failed(&format!("{name:?} cannot be read"), &error));
        }
        let unknown = || {
            Error::Usage(format!(
                "{name:?} is neither a file nor a revision; write the path of a lock file, or a commit that has one"
            ))
        };
        let hash = self.repository.commit(name).ok_or_else(unknown)?;
        let text = self.repository.text(&hash, &self.lock, DESCRIPTION_BYTES)?;
        let text =
            text.ok_or_else(|| Error::Usage(format!("{name} has no {}", self.lock.display())));
        // What git printed was trimmed.
        text.map(|text| text + "\n")
    }

    fn write(&self, text: &str) -> Result<()> {
        let path = self.files().join(&self.lock);
        // A commit can have a link there.
        let removed = fs::remove_file(&path).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
        removed
            .and_then(|()| fs::File::create_new(&path)?.write_all(text.as_bytes()))
            .map_err(|error| failed(&format!("{path:?} cannot be written"), &error))
    }

    fn written(&self) -> Result<String> {
        let path = self.files().join(&self.lock);
        regular_file::read_text(&path, DESCRIPTION_BYTES)
            .map_err(|error| failed(&format!("{path:?} cannot be read"), &error))
    }

    /// cargo in the folder of the lock file.
    fn cargo(&self, words: &[&'static str]) -> Invocation {
        let mut cargo = cargo();
        cargo.words(words);
        if self.is_offline {
            cargo.words(&["--offline"]);
        }
        let path = self.files().join(&self.lock);
        let folder = path.parent().unwrap_or(&path);
        cargo.process().current_dir(folder);
        cargo
    }

    /// Whether a lock file fits the manifests, so that cargo builds what it says.
    fn check(&self, name: &str, text: &str) -> Result<()> {
        self.write(text)?;
        // Neither changes what fits nor downloads packages, as `cargo metadata` does for all platforms.
        let mut update = self.cargo(&["update", "--workspace", "--locked", "--quiet"]);
        let done = update.output().map_err(|error| started(&error))?;
        if done.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr);
        let why = said.trim().trim_start_matches("error: ");
        Err(Error::Usage(format!(
            "{name} does not fit the manifests of HEAD: {why}"
        )))
    }

    /// Updates one package in the lock file; whether cargo did it.
    fn updated(&self, change: &Change) -> Result<bool> {
        let Change { name, from, to } = change;
        let mut update = self.cargo(&["update", "--quiet"]);
        update.flags([
            &Flag::new("--package=", format!("{name}@{from}")),
            &Flag::new("--precise=", to),
        ]);
        let done = update.output().map_err(|error| started(&error))?;
        Ok(done.status.success())
    }

    /// A commit with the files of the one that is checked out and this lock file.
    fn commit(&self, text: &str, parent: &PlainWord, message: &str) -> Result<String> {
        let blob = self.made(&["hash-object", "-w", "--stdin"], text.as_bytes())?;
        let mut entry = OsString::from(format!("100644 {blob}\t"));
        entry.push(in_git(&self.lock));
        entry.push("\0");
        self.made(
            &["update-index", "-z", "--index-info"],
            entry.as_encoded_bytes(),
        )?;
        let tree = known(&self.made(&["write-tree"], &[])?)?;
        let mut made = self.git();
        made.words(&["commit-tree"]).plain(&tree);
        made.words(&["-p"]).plain(parent);
        output_of(&mut made, message.as_bytes())
    }

    fn made(&self, words: &[&'static str], input: &[u8]) -> Result<String> {
        let mut git = self.git();
        output_of(git.words(words), input)
    }
}

/// What a git command prints that reads this.
fn output_of(git: &mut Invocation, input: &[u8]) -> Result<String> {
    let printed = ended(git.output_of(input))?;
    Ok(String::from_utf8_lossy(&printed).trim_end().to_owned())
}

/// The name of an object that git printed.
fn known(name: &str) -> Result<PlainWord> {
    commit(name)
        .ok_or_else(|| Error::Environment(format!("git printed {name:?}, which is no object")))
}

fn failed(what: &str, error: &std::io::Error) -> Error {
    Error::Environment(format!("{what}: {error}"))
}

fn started(error: &std::io::Error) -> Error {
    failed("cargo cannot be started", error)
}

#[cfg(test)]
mod tests;
