//! The lock of the machine: programs that measure wait for each other.
//!
//! The folder has two kinds of files. `tourbillon.lock` is locked and never written: other processes cannot
//! read a locked file on Windows, and cannot write another user's file in a shared folder of Unix.
//! `tourbillon.holder-PROCESS` names the process that has the lock. The system releases the lock when its
//! process dies; the holder's file of a killed process is older than that of the next holder.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tourbillon_os::{Signals, open_plain};

/// The variable that names the folder.
pub const LOCK_VARIABLE: &str = "TOURBILLON_LOCK";
/// Its value for no lock.
pub const NO_LOCK: &str = "none";

/// The file that is locked.
const LOCK: &str = "tourbillon.lock";
/// Prefix of the files that name a holder.
const HOLDER: &str = "tourbillon.holder-";
/// Most bytes that are read of such a file: other users may have written it.
const LONGEST: u64 = 1024;

/// The lock of the machine until it is dropped; the system releases it when the process dies.
#[derive(Debug)]
pub struct MachineLock {
    holder: PathBuf,
    _file: File,
}

/// A process that has the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LockHolder {
    name: String,
    process: u32,
    /// When it took the lock.
    since: String,
}

/// What a program does about the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockChoice {
    /// The folder of the lock; `None` for no lock.
    pub folder: Option<PathBuf>,
    /// Whether to wait while another process has it.
    pub waits: bool,
    /// Whether it waits without a message.
    pub is_quiet: bool,
}

impl LockChoice {
    /// The choice by the value of [`LOCK_VARIABLE`]: a folder, or `none`. Without one, the folder is one that all
    /// users share.
    pub fn new(variable: Option<OsString>, waits: bool) -> LockChoice {
        let folder = match variable.filter(|value| !value.is_empty()) {
            Some(value) if value == NO_LOCK => None,
            Some(value) => Some(PathBuf::from(value)),
            None => Some(shared_folder()),
        };
        LockChoice {
            folder,
            waits,
            is_quiet: false,
        }
    }
}

/// Not the temporary folder, which may be one of this user or of this shell.
fn shared_folder() -> PathBuf {
    if cfg!(windows) {
        let shared = std::env::var_os("ProgramData").map(PathBuf::from);
        return shared.unwrap_or_else(std::env::temp_dir);
    }
    PathBuf::from("/tmp")
}

impl LockHolder {
    /// The process and its time, as a part of a sentence.
    fn text(holder: Option<&LockHolder>) -> String {
        match holder {
            Some(LockHolder {
                name,
                process,
                since,
            }) => format!("{name} (process {process}), which has been measuring since {since}"),
            None => "another program that measures on this machine".to_owned(),
        }
    }
}

impl MachineLock {
    /// Takes the lock as `choice` asks, and waits for it with a message. `now` gives the present time. Without
    /// a lock file, the warning is a message, and there is no lock.
    ///
    /// # Errors
    ///
    /// When another process has it, and this one does not wait.
    pub fn acquire(
        choice: &LockChoice,
        name: &str,
        now: impl Fn() -> String,
        note: &mut dyn FnMut(&str),
    ) -> Result<Option<MachineLock>, String> {
        let Some(folder) = &choice.folder else {
            return Ok(None);
        };
        let taken = match MachineLock::try_take(folder, name, &now()) {
            Ok(Ok(lock)) => Ok(lock),
            Ok(Err(holder)) => {
                let holder = LockHolder::text(holder.as_ref());
                if !choice.waits {
                    return Err(format!(
                        "not measured beside {holder}; run this again later, or without --no-wait"
                    ));
                }
                if Signals::installed().is_none() && Signals::install().is_ok() {
                    // There is nothing to lose yet.
                    Signals::end_at_once();
                }
                if !choice.is_quiet {
                    note(&format!(
                        "waiting for {holder}; --no-wait exits, {LOCK_VARIABLE}=none measures beside it"
                    ));
                }
                MachineLock::take(folder, name, now)
            }
            Err(error) => Err(error),
        };
        match taken {
            Ok(lock) => Ok(Some(lock)),
            Err(error) => {
                note(&format!(
                    "warning: {} cannot be locked ({error}): another program may measure at the same time; \
                     {LOCK_VARIABLE} names another folder",
                    folder.join(LOCK).display()
                ));
                Ok(None)
            }
        }
    }

    /// Takes the lock if no other process has it; else gives the holder, if it is known.
    fn try_take(
        folder: &Path,
        name: &str,
        since: &str,
    ) -> io::Result<Result<MachineLock, Option<LockHolder>>> {
        let file = open(folder)?;
        match file.try_lock() {
            Ok(()) => Ok(Ok(MachineLock::held(file, folder, name, since))),
            Err(TryLockError::WouldBlock) => Ok(Err(holder(folder, SystemTime::now()))),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Takes the lock as soon as no other process has it. `since` gives the time of that.
    fn take(folder: &Path, name: &str, since: impl Fn() -> String) -> io::Result<MachineLock> {
        let file = open(folder)?;
        file.lock()?;
        Ok(MachineLock::held(file, folder, name, &since()))
    }

    fn held(file: File, folder: &Path, name: &str, since: &str) -> MachineLock {
        for old in holders(folder) {
            // Files of other users stay: they are older.
            let _ = fs::remove_file(old);
        }
        let holder = folder.join(format!("{HOLDER}{}", std::process::id()));
        // Without it, others wait for a program without a name.
        let _ = create(&holder)
            .and_then(|mut file| file.write_all(format!("{name}\n{since}\n").as_bytes()));
        MachineLock {
            holder,
            _file: file,
        }
    }
}

impl Drop for MachineLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.holder);
    }
}

/// Opens the lock file, which is made if there is none.
fn open(folder: &Path) -> io::Result<File> {
    let path = folder.join(LOCK);
    loop {
        match open_plain(OpenOptions::new().read(true).write(true), &path) {
            Err(error) if error.kind() == ErrorKind::NotFound => match create(&path) {
                // Another process was first.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                created => return created,
            },
            // Another user's.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return open_plain(OpenOptions::new().read(true), &path);
            }
            opened => return opened,
        }
    }
}

/// Makes a file that did not exist and that every user may read.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Whatever the mask of the process hides.
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    Ok(file)
}

/// The files that name holders.
fn holders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|name| name.starts_with(HOLDER))
            && entry.file_type().is_ok_and(|of| of.is_file())
    });
    named.map(|entry| entry.path())
}

/// The process that took the lock last. A date after `now` says nothing: the process is named only without another.
fn holder(folder: &Path, now: SystemTime) -> Option<LockHolder> {
    let dated = holders(folder).filter_map(|path| {
        let modified = fs::metadata(&path).ok()?.modified().ok()?;
        Some(((modified <= now, modified), path))
    });
    let (_, path) = dated.max()?;
    let process = path.file_name()?.to_str()?.strip_prefix(HOLDER)?;
    let mut text = String::new();
    let file = open_plain(OpenOptions::new().read(true), &path).ok()?;
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    let mut lines = text.lines();
    Some(LockHolder {
        process: process.parse().ok()?,
        name: lines.next()?.to_owned(),
        since: lines.next()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("tourbillon-lock-{}-{name}", std::process::id());
            let folder = Folder(std::env::temp_dir().join(name));
            fs::create_dir_all(&folder.0).expect("a folder");
            folder
        }

        fn files(&self) -> Vec<String> {
            let mut names = Vec::new();
            for entry in fs::read_dir(&self.0).expect("a folder") {
                let name = entry.expect("an entry").file_name();
                names.extend(name.into_string());
            }
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn one_at_a_time() {
        let folder = Folder::new("one");
        let taken = MachineLock::try_take(&folder.0, "sort", "noon").expect("a lock");
        let first = taken.expect("no other process has it");
        let expected = LockHolder {
            name: "sort".to_owned(),
            process: std::process::id(),
            since: "noon".to_owned(),
        };
        let second = MachineLock::try_take(&folder.0, "map", "one").expect("a lock");
        assert_eq!(second.err(), Some(Some(expected)));
        drop(first);
        assert_eq!(folder.files(), [LOCK]);
        let third = MachineLock::take(&folder.0, "map", || "two".to_owned());
        drop(third.expect("free again"));
    }

    #[test]
    fn a_second_waits_for_the_first() {
        let folder = Folder::new("waits");
        let first = MachineLock::take(&folder.0, "sort", String::new).expect("a lock");
        let order = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let since = || {
                    order.lock().expect("not poisoned").push("second");
                    String::new()
                };
                drop(MachineLock::take(&folder.0, "map", since).expect("a lock"));
            });
            order.lock().expect("not poisoned").push("first");
            drop(first);
        });
        assert_eq!(
            order.into_inner().expect("not poisoned"),
            ["first", "second"]
        );
    }

    #[test]
    fn what_a_killed_program_left_is_not_believed() {
        let folder = Folder::new("killed");
        fs::write(folder.0.join("tourbillon.holder-1"), "old\nlong ago\n").expect("a file");
        let lock = MachineLock::try_take(&folder.0, "sort", "noon").expect("a lock");
        let _lock = lock.expect("no other process has it");
        let other = MachineLock::try_take(&folder.0, "map", "one").expect("a lock");
        let name = other.err().flatten().map(|holder| holder.name);
        assert_eq!(name.as_deref(), Some("sort"));
        assert_eq!(folder.files().len(), 2);
    }

    #[test]
    fn a_file_of_a_later_time_names_no_holder() {
        let folder = Folder::new("ahead");
        let lock = MachineLock::try_take(&folder.0, "sort", "noon").expect("a lock");
        let _lock = lock.expect("no other process has it");
        let path = folder.0.join("tourbillon.holder-1");
        fs::write(&path, "old\n2031\n").expect("a file");
        let ahead = SystemTime::now() + std::time::Duration::from_secs(150_000_000);
        let file = File::options().write(true).open(path).expect("a file");
        file.set_modified(ahead).expect("a time");
        let other = MachineLock::try_take(&folder.0, "map", "one").expect("a lock");
        let name = other.err().flatten().map(|holder| holder.name);
        assert_eq!(name.as_deref(), Some("sort"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_holder_and_other_files_stay() {
        let folder = Folder::new("link");
        let precious = folder.0.join("precious");
        fs::write(&precious, "precious").expect("a file");
        let name = folder.0.join(format!("{HOLDER}{}", std::process::id()));
        std::os::unix::fs::symlink(&precious, name).expect("a link");
        let lock = MachineLock::try_take(&folder.0, "sort", "noon").expect("a lock");
        let other = MachineLock::try_take(&folder.0, "map", "one").expect("a lock");
        assert_eq!(other.err(), Some(None));
        drop(lock);
        assert_eq!(fs::read_to_string(&precious).expect("a file"), "precious");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_lock() {
        let folder = Folder::new("planted");
        let precious = folder.0.join("precious");
        fs::write(&precious, "precious").expect("a file");
        // To a file, and to one that is missing.
        for to in [&precious, &folder.0.join("missing")] {
            let link = folder.0.join(LOCK);
            std::os::unix::fs::symlink(to, &link).expect("a link");
            assert!(MachineLock::try_take(&folder.0, "sort", "noon").is_err());
            fs::remove_file(link).expect("a link");
        }
        assert_eq!(folder.files(), ["precious"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_made_is_enough() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("read");
        let path = folder.0.join(LOCK);
        fs::write(&path, "").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("a mode");
        let lock = MachineLock::try_take(&folder.0, "sort", "noon").expect("a lock");
        let _lock = lock.expect("no other process has it");
        let other = MachineLock::try_take(&folder.0, "map", "one").expect("a lock");
        assert!(other.is_err());
    }

    #[test]
    fn choices() {
        let of = |value: Option<&str>| LockChoice::new(value.map(OsString::from), true).folder;
        assert_eq!(of(None), Some(shared_folder()));
        assert_eq!(of(Some("")), Some(shared_folder()));
        assert_eq!(of(Some("x/y")), Some(PathBuf::from("x/y")));
        assert_eq!(of(Some("none")), None);
    }

    #[test]
    fn who_does_not_wait_gets_the_holder() {
        let folder = Folder::new("refused");
        let mut choice = LockChoice::new(Some(folder.0.clone().into()), false);
        let mut notes = Vec::new();
        let mut acquire = |choice: &LockChoice, name| {
            let now = || "noon".to_owned();
            MachineLock::acquire(choice, name, now, &mut |note| notes.push(note.to_owned()))
        };
        let first = acquire(&choice, "sort").expect("free");
        let process = std::process::id();
        assert_eq!(
            acquire(&choice, "map").err(),
            Some(format!(
                "not measured beside sort (process {process}), which has been measuring since noon; run this \
                 again later, or without --no-wait"
            ))
        );
        drop(first);
        choice.folder = Some(folder.0.join("missing"));
        assert!(acquire(&choice, "map").expect("a warning").is_none());
        choice.folder = None;
        assert!(acquire(&choice, "map").expect("no lock").is_none());
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].contains("tourbillon.lock cannot be locked ("),
            "{notes:?}"
        );
    }
}
