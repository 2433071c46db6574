//! File locks, and what is done under them: build folders that are being filled, and the `Cargo.lock` of
//! the user's checkout.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use tourbillon_os::command::exchange;
use tourbillon_record::store::Draft;
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;
use walkdir::{DirEntry, WalkDir};

use crate::error::{Log, Result, refused};

/// The file that is locked while a build is used.
pub(crate) const USED: &str = "used";

/// How often a lock is taken whose file another process replaces.
const TRIES: usize = 8;

/// Prefix of the names of folders that are being filled.
pub(crate) const UNFINISHED: &str = "unfinished-";

/// A lock on a file until it is dropped; the system releases it when the process dies.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock exclusively, and waits while another process holds it, with a message of what that does.
    pub(crate) fn wait(path: &Path, does: &str, log: Log) -> Result<Lock> {
        let file = open(path)?;
        let locked = match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                log(&format!("waiting: another cargo tourbillon {does}\n"));
                file.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
            Ok(()) => Ok(()),
        };
        locked.map_err(|error| refused(path, "locked", &error))?;
        // The date records the last use.
        let _ = file.set_modified(SystemTime::now());
        Ok(Lock { _file: file })
    }

    /// Takes a shared lock; `None` while another process holds it exclusively.
    pub(crate) fn share(path: &Path) -> Result<Option<Lock>> {
        let lock = take(path, File::try_lock_shared)?;
        if let Some(lock) = &lock {
            // As above.
            let _ = lock._file.set_modified(SystemTime::now());
        }
        Ok(lock)
    }

    /// Takes a shared lock as soon as no process holds it exclusively. A process that is being started holds it, too,
    /// until it executes its program: it has a copy of each descriptor until then.
    pub(crate) fn share_when_free(path: &Path) -> Result<Lock> {
        let file = open(path)?;
        let locked = file.lock_shared();
        locked.map_err(|error| refused(path, "locked", &error))?;
        Ok(Lock { _file: file })
    }

    /// Takes the lock exclusively; `None` while another process holds it.
    pub(crate) fn alone(path: &Path) -> Result<Option<Lock>> {
        take(path, File::try_lock)
    }

    /// What is held while the folder that the file is in is renamed or removed: Windows does neither with open files.
    pub(crate) fn while_moved(self) -> Option<Lock> {
        Some(self).filter(|_| !cfg!(windows))
    }
}

/// Takes a lock without waiting. One on a file that was removed or replaced meanwhile is none: another process may hold
/// that of the file in its place.
fn take(path: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> Result<Option<Lock>> {
    let mut tries = 1..=TRIES;
    loop {
        tries.next();
        let file = open(path)?;
        match lock(&file) {
            // Some file systems name a file otherwise each time.
            Ok(()) if tries.is_empty() || is_named(&file, path) => {
                return Ok(Some(Lock { _file: file }));
            }
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(refused(path, "locked", &error)),
        }
    }
}

/// Whether a path names a file. Windows replaces none that is open.
fn is_named(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |about: fs::Metadata| (about.dev(), about.ino());
        let named = fs::metadata(path).map(identity);
        named.is_ok_and(|named| file.metadata().map(identity).is_ok_and(|own| own == named))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

fn open(path: &Path) -> Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| refused(folder, "created", &error))?;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = regular_file::open_with(&mut options, path);
    file.map_err(|error| refused(path, "opened", &error))
}

/// A folder among the builds that is renamed when it is complete and removed when it is not. The lock on
/// it distinguishes it from what a killed program left.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    hold: Option<Lock>,
}

impl Unfinished {
    /// A folder that did not exist, for this user alone.
    pub(crate) fn new(builds: &Path, name: &str) -> Result<Unfinished> {
        fs::create_dir_all(builds).map_err(|error| refused(builds, "created", &error))?;
        let made = tempfile::Builder::new()
            .prefix(&format!("{UNFINISHED}{name}-"))
            .tempdir_in(builds);
        let path = made
            .map_err(|error| refused(builds, "written to", &error))?
            .keep();
        let hold = Lock::share(&path.join(USED))?;
        Ok(Unfinished { path, hold })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the folder after its files have reached the disk: after a power loss, the name would hold
    /// empty files otherwise.
    pub(crate) fn finish(mut self, folder: &Path) -> Result<()> {
        sync(&self.path).map_err(|error| refused(&self.path, "written", &error))?;
        self.close();
        fs::rename(&self.path, folder).map_err(|error| refused(folder, "written", &error))
    }

    /// The same in place of a folder: a program that is killed leaves one of both. Where the system cannot exchange them,
    /// there is none for a moment.
    pub(crate) fn replace(mut self, folder: &Path) -> Result<()> {
        sync(&self.path).map_err(|error| refused(&self.path, "written", &error))?;
        self.close();
        let replaced = match exchange(&self.path, folder) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                let aside = self.path.with_extension("old");
                fs::rename(folder, &aside).and_then(|()| {
                    let moved = fs::rename(&self.path, folder);
                    let free = if moved.is_ok() { &self.path } else { folder };
                    fs::rename(&aside, free).and(moved)
                })
            }
            exchanged => exchanged,
        };
        replaced.map_err(|error| refused(folder, "written", &error))
    }

    fn close(&mut self) {
        self.hold = self.hold.take().and_then(Lock::while_moved);
    }
}

/// Writes the files of a folder to the disk; on Unix the folders, too. A file that has several names is written once: it
/// takes about a millisecond. Gives how many there were.
fn sync(folder: &Path) -> io::Result<usize> {
    let mut known = HashSet::new();
    for entry in WalkDir::new(folder).contents_first(true) {
        let entry = entry?;
        if (entry.file_type().is_file() || cfg!(unix)) && known.insert(identity(&entry)) {
            // Windows writes out only what is open for writing.
            let mut options = OpenOptions::new();
            let file = options.read(true).write(cfg!(windows)).open(entry.path())?;
            file.sync_all()?;
        }
    }
    Ok(known.len())
}

/// What all names of a file have in common; they are in one file system.
#[cfg(unix)]
fn identity(entry: &DirEntry) -> u64 {
    walkdir::DirEntryExt::ino(entry)
}

/// A name: what else identifies a file is not known.
#[cfg(not(unix))]
fn identity(entry: &DirEntry) -> PathBuf {
    entry.path().to_owned()
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.close();
        // A finished folder no longer has this name.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The `Cargo.lock` before cargo builds in the user's checkout, restored on drop. Cargo creates a missing
/// one and completes an outdated one; no flag makes it build without writing.
///
/// What the user changes while it compiles, as with `git pull`, stays.
#[derive(Debug)]
pub(crate) struct UsersLock {
    file: PathBuf,
    before: Option<Vec<u8>>,
    /// What cargo has made of it, once it compiles.
    by_cargo: Arc<OnceLock<Option<Vec<u8>>>>,
}

impl UsersLock {
    /// The lock file of the workspace in a folder.
    pub(crate) fn of(root: &Path) -> UsersLock {
        let file = root.join("Cargo.lock");
        let before = regular_file::read(&file, DESCRIPTION_BYTES).ok();
        UsersLock {
            file,
            before,
            by_cargo: Arc::default(),
        }
    }

    /// To be called when cargo has written it, and compiles. The first call counts: later ones find what the user did.
    pub(crate) fn note_of_cargo(&self) -> impl FnOnce() + Send + use<> {
        let (file, by_cargo) = (self.file.clone(), Arc::clone(&self.by_cargo));
        move || {
            by_cargo.get_or_init(|| regular_file::read(&file, DESCRIPTION_BYTES).ok());
        }
    }
}

impl Drop for UsersLock {
    fn drop(&mut self) {
        let now = regular_file::read(&self.file, DESCRIPTION_BYTES).ok();
        let is_of_user = self.by_cargo.get().is_some_and(|by_cargo| *by_cargo != now);
        if now == self.before || is_of_user {
            return;
        }
        // On failure the file stays as `cargo bench` would have left it.
        let _ = match &self.before {
            Some(bytes) => replace(&self.file, bytes),
            None => fs::remove_file(&self.file),
        };
    }
}

/// Replaces a file of the user in one step: on a full disk, and when this program is killed, it stays as it is. Through a
/// link, the file that it leads to is replaced; in a folder that is read-only, its contents.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = file.canonicalize()?;
    let permissions = target.metadata()?.permissions();
    let mut draft = match Draft::new(&target) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return fs::write(&target, bytes);
        }
        draft => draft?,
    };
    draft.file().write_all(bytes)?;
    draft.file().set_permissions(permissions)?;
    draft.replace(&target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_lock_prevents_an_exclusive_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let one = Lock::share(&path).expect("a lock");
        let other = Lock::share(&path).expect("a lock");
        assert!(one.is_some() && other.is_some());
        assert!(Lock::alone(&path).expect("a lock").is_none());
        drop((one, other));
        // A process that another test starts just now holds the descriptors until it executes its program.
        let mut tries = (0..6_000).map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            Lock::alone(&path).expect("a lock")
        });
        let alone = tries.find(Option::is_some).flatten();
        assert!(alone.is_some());
        assert!(Lock::share(&path).expect("a lock").is_none());
        std::thread::scope(|scope| {
            let shared = scope.spawn(|| Lock::share_when_free(&path).is_ok());
            drop(alone);
            assert!(shared.join().expect("no panic"));
        });
        assert!(Lock::wait(&path, "a test", |_| ()).is_ok());
        // What cannot be opened is not in use.
        let refused = Lock::alone(folder.path()).expect_err("a folder");
        assert!(
            refused.to_string().contains("cannot be opened"),
            "{refused}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_of_a_file_that_was_replaced_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let file = open(&path).expect("a file");
        assert!(is_named(&file, &path));
        fs::remove_file(&path).expect("removed");
        assert!(!is_named(&file, &path));
        fs::write(&path, "").expect("a file");
        assert!(!is_named(&file, &path));
        // It is removed between the opening and the lock, once.
        let replaced = |file: &File| {
            if file.metadata().is_ok_and(|about| about.len() == 0) {
                let path = std::env::temp_dir().join(format!("lock-{}", std::process::id()));
                fs::rename(&path, path.with_extension("old")).expect("moved");
                fs::write(&path, "x").expect("a file");
            }
            file.try_lock()
        };
        let path = std::env::temp_dir().join(format!("lock-{}", std::process::id()));
        fs::write(&path, "").expect("a file");
        let lock = take(&path, replaced).expect("a lock").expect("it is free");
        assert!(is_named(&lock._file, &path));
        for path in [path.with_extension("old"), path] {
            fs::remove_file(path).expect("removed");
        }
    }

    #[test]
    fn what_cargo_makes_of_a_lock_is_undone_and_what_the_user_does_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("Cargo.lock");
        let now = || fs::read_to_string(&file).ok();
        let write = |text: &str| fs::write(&file, text).expect("a file");
        // Missing, outdated and complete, before cargo; changed by the user meanwhile, or not.
        for (before, by_cargo) in [(None, "new"), (Some("old"), "new"), (Some("old"), "old")] {
            for by_user in [None, Some("of the user")] {
                let _ = fs::remove_file(&file);
                before.into_iter().for_each(write);
                let lock = UsersLock::of(folder.path());
                write(by_cargo);
                lock.note_of_cargo()();
                by_user.into_iter().for_each(write);
                // As for a second call of cargo.
                lock.note_of_cargo()();
                drop(lock);
                let expected = by_user.or(before).map(str::to_owned);
                assert_eq!(now(), expected, "{before:?} {by_cargo} {by_user:?}");
            }
        }
        // Cargo fails before it compiles.
        write("old");
        let lock = UsersLock::of(folder.path());
        write("new");
        drop(lock);
        assert_eq!(now().as_deref(), Some("old"));
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_is_put_back_in_one_step() {
        use std::io::Read;
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let [file, target] = ["Cargo.lock", "target"].map(|name| folder.path().join(name));
        fs::write(&target, "old").expect("a file");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("changed");
        symlink("target", &file).expect("a link");
        let lock = UsersLock::of(folder.path());
        fs::write(&file, "new").expect("a file");
        let mut open = File::open(&file).expect("a file");
        drop(lock);
        assert_eq!(fs::read_to_string(&target).expect("a file"), "old");
        assert!(file.is_symlink());
        let mode = target.metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        // What was there is whole until the end.
        let mut text = String::new();
        open.read_to_string(&mut text).expect("text");
        assert_eq!(text, "new");
        let names = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(names.count(), 2, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_of_many_names_is_written_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "x").expect("a file");
        fs::create_dir(folder.path().join("0")).expect("a folder");
        for number in 0..100 {
            let name = folder.path().join(format!("0/{number}"));
            fs::hard_link(&file, name).expect("a name");
        }
        // The file and two folders.
        assert_eq!(sync(folder.path()).expect("written"), 3);
    }

    #[test]
    fn unfinished_folders_are_removed() {
        let root = tempfile::tempdir().expect("a folder");
        let half = Unfinished::new(root.path(), "a").expect("a folder");
        let path = half.path().to_owned();
        let other = Unfinished::new(root.path(), "a").expect("a folder");
        assert_ne!(other.path(), path, "no name is guessed");
        assert!(path.is_dir());
        let other = Lock::alone(&path.join(USED)).expect("a lock");
        assert!(other.is_none(), "it is held");
        drop(half);
        assert!(!path.exists());
        let whole = Unfinished::new(root.path(), "a").expect("a folder");
        fs::create_dir(whole.path().join("0")).expect("a folder");
        let finished = root.path().join("b");
        whole.finish(&finished).expect("a folder");
        assert!(!path.exists() && finished.join("0").is_dir());
        let newer = Unfinished::new(root.path(), "a").expect("a folder");
        let path = newer.path().to_owned();
        fs::create_dir(path.join("1")).expect("a folder");
        newer.replace(&finished).expect("replaced");
        assert!(finished.join("1").is_dir() && !finished.join("0").exists());
        assert!(!path.exists(), "the old one is gone");
        // Where the new one cannot be moved the old one is there.
        let lost = Unfinished::new(root.path(), "a").expect("a folder");
        lost.replace(&root.path().join("d/e"))
            .expect_err("no such folder");
        assert!(finished.join("1").is_dir());
    }
}
