//! Files that a repository, a record or a bundle names: regular ones of limited size.
//!
//! A pull request may bring a link to a pipe or a device in place of any file of the checkout. Opening a pipe would
//! wait for its writer, and a device may never end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::inputs;
use crate::limits::shown;

/// `O_NONBLOCK`, by which opening a pipe does not wait; 0 where it is not known.
#[cfg(unix)]
const NO_WAIT: i32 = if cfg!(all(
    any(target_os = "linux", target_os = "android"),
    not(any(target_arch = "mips", target_arch = "mips64"))
)) {
    0o4000
} else if cfg!(any(target_vendor = "apple", target_os = "freebsd")) {
    4
} else {
    0
};

/// Opens a regular file for reading.
///
/// # Errors
///
/// When it cannot be opened, and that it is something else: a folder, a pipe, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let file = open_with(OpenOptions::new().read(true), path)?;
    inputs::note(path);
    Ok(file)
}

/// As [`open`], in another way.
///
/// # Errors
///
/// As for [`open`].
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Before it is opened, because opening some devices has effects; a file that is not there may be made.
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        about => check(&about?)?,
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(NO_WAIT);
    }
    let file = options.open(path)?;
    // Of what was opened: another file may have taken its place in between.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Copies a regular file, with its permissions.
///
/// # Errors
///
/// As for [`open`], and when the copy cannot be written.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    open(from)?;
    fs::copy(from, to).map(drop)
}

/// As [`open`], for a file of at most `most` bytes.
///
/// # Errors
///
/// As for [`open`], and that it is longer; what it grows by while it is read is an error of the reader.
pub fn open_limited(path: &Path, most: u64) -> io::Result<impl Read> {
    let file = open(path)?;
    if file.metadata()?.len() > most {
        Err(too_long(most))
    } else {
        Ok(Limited::new(file, most))
    }
}

/// The contents of a regular file of at most `most` bytes.
///
/// # Errors
///
/// As for [`open`], and that it is longer.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_long(most));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    Limited::new(file, most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// As [`read`], as text.
///
/// # Errors
///
/// As for [`read`], and that it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text(read(path, most)?)
}

pub(crate) fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

fn check(about: &fs::Metadata) -> io::Result<()> {
    let refused = |what| Err(io::Error::new(ErrorKind::InvalidInput, what));
    if about.is_file() {
        Ok(())
    } else if about.is_dir() {
        refused("it is a folder")
    } else {
        refused("it is a pipe, a socket or a device, not a regular file")
    }
}

fn too_long(most: u64) -> io::Error {
    let what = format!(
        "it has more than {}, the limit for such a file",
        shown(most)
    );
    io::Error::new(ErrorKind::InvalidData, what)
}

/// A reader that fails at its limit, in place of ending.
#[derive(Debug)]
pub(crate) struct Limited<R> {
    reader: R,
    most: u64,
    left: u64,
}

impl<R: Read> Limited<R> {
    pub(crate) fn new(reader: R, most: u64) -> Limited<R> {
        Limited {
            reader,
            most,
            left: most,
        }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| too_long(self.most))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
