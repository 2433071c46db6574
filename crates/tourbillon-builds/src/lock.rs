//! File locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::SystemTime;

use super::cache::{create, refused};
use crate::{Stop, say};

/// A lock on a file until it is dropped; the system releases it when the process dies.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock exclusively, and waits, with a message, while another process holds it.
    pub fn wait(path: &Path, subject: &str) -> Result<Lock, Stop> {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                say(&format!(
                    "waiting: another cargo tourbillon is building {subject}\n"
                ));
                file.lock()
                    .map_err(|error| refused(path, "locked", &error))?;
            }
            Err(TryLockError::Error(error)) => return Err(refused(path, "locked", &error)),
        }
        // The date records the last use.
        let _ = file.set_modified(SystemTime::now());
        Ok(Lock { _file: file })
    }

    /// Takes a shared lock; `None` while another process holds it exclusively.
    pub fn share(path: &Path) -> Result<Option<Lock>, Stop> {
        let file = open(path)?;
        Ok(file
            .try_lock_shared()
            .is_ok()
            .then_some(Lock { _file: file }))
    }

    /// Takes the lock exclusively; `None` while another process holds it.
    pub fn alone(path: &Path) -> Option<Lock> {
        let file = open(path).ok()?;
        file.try_lock().is_ok().then_some(Lock { _file: file })
    }
}

fn open(path: &Path) -> Result<File, Stop> {
    if let Some(folder) = path.parent() {
        create(folder)?;
    }
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path);
    file.map_err(|error| refused(path, "opened", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_shares_keeps_others_from_having_it_alone() {
        let path = std::env::temp_dir().join(format!("tourbillon-lock-{}", std::process::id()));
        let one = Lock::share(&path).expect("a lock");
        let other = Lock::share(&path).expect("a lock");
        assert!(one.is_some() && other.is_some());
        assert!(Lock::alone(&path).is_none());
        drop((one, other));
        let alone = Lock::alone(&path);
        assert!(alone.is_some());
        assert!(Lock::share(&path).expect("a lock").is_none());
        drop(alone);
        assert!(Lock::wait(&path, "a test").is_ok());
        let _ = std::fs::remove_file(&path);
    }
}
