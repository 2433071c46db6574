//! Files that commands read and write, which may be pipes that wait for their other end.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use crate::pipe::readable;

/// How often a pipe without a reader is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// The longest wait at once.
const LONGEST: Duration = Duration::from_secs(1 << 20);

/// Opens a file for reading; a pipe when it has a writer. `None` if `other` could be read or was closed before.
///
/// # Errors
/// If the file cannot be opened or the system cannot poll.
pub fn open_input(path: &Path, other: &impl AsFd) -> io::Result<Option<File>> {
    if !is_pipe(path) {
        let mut options = File::options();
        // A terminal would become that of this session.
        let options = options.read(true).custom_flags(libc::O_NOCTTY);
        return options.open(path).map(Some);
    }
    let pipe = File::options()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)?;
    loop {
        let watched = [Some(pipe.as_fd()), Some(other.as_fd()), None];
        match readable(watched, LONGEST)? {
            [_, true, _] => return Ok(None),
            [true, false, _] => return waiting(pipe).map(Some),
            _ => {}
        }
    }
}

/// Opens a file for writing, empty; a pipe when it has a reader. `None` if `other` could be read or was closed
/// before.
///
/// # Errors
/// If the file cannot be opened or the system cannot poll.
pub fn open_output(path: &Path, other: &impl AsFd) -> io::Result<Option<File>> {
    if !is_pipe(path) {
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        return options.custom_flags(libc::O_NOCTTY).open(path).map(Some);
    }
    loop {
        let opened = File::options()
            .write(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(path);
        match opened {
            // It has no reader.
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
                if readable([Some(other.as_fd()), None, None], LOOK)?[0] {
                    return Ok(None);
                }
            }
            opened => return waiting(opened?).map(Some),
        }
    }
}

fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.file_type().is_fifo())
}

/// The pipe, whose readings wait from now on.
fn waiting(pipe: File) -> io::Result<File> {
    // SAFETY: sets the flags of a descriptor that this function owns.
    match unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, 0) } {
        0 => Ok(pipe),
        _ => Err(io::Error::last_os_error()),
    }
}
