use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::store::Error;
use crate::store::folder::runs_in;

/// How many runs of a target are kept.
pub const KEPT: usize = 10;

/// Removes the runs in a folder beyond the newest [`KEPT`], but none that somebody is still writing
/// or reading: the run that is just ending is among those, wherever a clock that was set back has
/// put it.
pub(crate) fn prune(folder: &Path) -> Result<(), Error> {
    for path in runs_in(folder)?.get(KEPT..).unwrap_or_default() {
        removed(path, remove(path))?;
    }
    Ok(())
}

/// What came of removing a run: another run that ended at the same moment may have been faster.
#[inline(never)]
pub(crate) fn removed(path: &Path, result: io::Result<()>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::prune(path, error)),
        _ => Ok(()),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    // A lock, not the age of the file or the process id in its name: the system releases it when the
    // writer ends, however it ends, and gives it to nobody else. Where it cannot be had for another
    // reason (file systems without locks), the file stays: better a file too many than one too few.
    match file.try_lock() {
        Ok(()) => fs::remove_file(path),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Ok(()),
    }
}
