//! Files that a user names on the command line: also pipes, of limited size.
//!
//! Opening and reading a pipe may wait. No handler of signals is installed before such a file is read, so that an
//! interrupt ends the program at once.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::inputs;
use crate::regular_file::{Limited, text};

/// In place of a path: stdin.
const STDIN: &str = "-";

/// Opens a file, a pipe or a device for reading; `-` is stdin. What is read after `most` bytes is an error that
/// states the limit.
///
/// # Errors
///
/// When it cannot be opened, and that it is a folder.
pub fn open(path: &Path, most: u64) -> io::Result<Box<dyn Read>> {
    inputs::note(path);
    if path == STDIN {
        return Ok(Box::new(Limited::new(io::stdin().lock(), most)));
    }
    if fs::metadata(path)?.is_dir() {
        let what = "it is a folder; name a file";
        return Err(io::Error::new(ErrorKind::InvalidInput, what));
    }
    Ok(Box::new(Limited::new(File::open(path)?, most)))
}

/// The contents of such a file.
///
/// # Errors
///
/// As for [`open`], and that there are more than `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // As much as a file has at once: twice of it would be in memory where this grows by doubling.
    let length = fs::metadata(path).map_or(0, |about| about.len()).min(most);
    let _ = bytes.try_reserve_exact(length as usize);
    open(path, most)?.read_to_end(&mut bytes)?;
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
