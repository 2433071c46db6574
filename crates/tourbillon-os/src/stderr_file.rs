//! A file for the stderr of a child.

use std::collections::hash_map::RandomState;
use std::fs::{File, OpenOptions};
use std::hash::BuildHasher;
use std::io;
use std::path::Path;

/// How many names are tried, where a file has one. Two of 64 random bits are never the same.
const ATTEMPTS: u64 = 8;

/// An unnamed file that a child writes its stderr to.
#[derive(Debug)]
pub struct StderrFile(File);

impl StderrFile {
    /// Creates it in the temporary directory; no file is left behind, however this process ends.
    ///
    /// Where the system has no unnamed files, it has a name for a moment; on Windows until the last process
    /// closes it.
    ///
    /// # Errors
    /// If no file can be created there.
    pub fn create() -> io::Result<StderrFile> {
        let directory = std::env::temp_dir();
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::fs::OpenOptionsExt;
            let mut unnamed = OpenOptions::new();
            unnamed.read(true).append(true).mode(0o600);
            unnamed.custom_flags(crate::sys::O_TMPFILE);
            if let Ok(file) = unnamed.open(&directory) {
                return Ok(StderrFile(file));
            }
        }
        let mut error = io::Error::from(io::ErrorKind::AlreadyExists);
        for attempt in 0..ATTEMPTS {
            // The keys of its hash are random bits of the system: no other process can guess the name.
            let number = RandomState::new().hash_one(attempt);
            let path = directory.join(format!("tourbillon-{number:016x}"));
            // Append, because a process that the child starts may have opened its stderr again.
            let mut named = OpenOptions::new();
            named.read(true).append(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut named, 0o600);
            #[cfg(windows)]
            deleted_when_closed(&mut named);
            match named.open(&path) {
                Ok(file) => {
                    #[cfg(unix)]
                    std::fs::remove_file(&path)?;
                    return Ok(StderrFile(file));
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => {
                    error = e;
                    break;
                }
            }
        }
        Err(in_directory(&directory, &error))
    }

    /// A second handle for the child.
    ///
    /// # Errors
    /// If the system has no handle left.
    pub fn for_child(&self) -> io::Result<File> {
        self.0.try_clone()
    }

    /// Its present length.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn bytes(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// The last bytes, at most `bytes`. A process that the child left running may still write.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn tail(&self, bytes: usize) -> io::Result<Vec<u8>> {
        let length = self.bytes()?;
        let from = length.saturating_sub(bytes as u64);
        let mut tail = vec![0; usize::try_from(length - from).unwrap_or(bytes)];
        #[cfg(unix)]
        std::os::unix::fs::FileExt::read_exact_at(&self.0, &mut tail, from)?;
        #[cfg(windows)]
        {
            // The position moves, but what appends does not use it.
            let count = std::os::windows::fs::FileExt::seek_read(&self.0, &mut tail, from)?;
            tail.truncate(count);
        }
        Ok(tail)
    }
}

/// Has the system delete a file when the last process closes it.
#[cfg(windows)]
fn deleted_when_closed(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt;
    use windows_sys::Win32::Storage::FileSystem::{
        FILE_ATTRIBUTE_TEMPORARY, FILE_FLAG_DELETE_ON_CLOSE,
    };
    options
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
        .attributes(FILE_ATTRIBUTE_TEMPORARY);
}

fn in_directory(directory: &Path, e: &io::Error) -> io::Error {
    let text = format!(
        "no temporary file for a worker's stderr in {}: {e}; \
         set {} to a directory that can be written",
        directory.display(),
        if cfg!(windows) { "TMP" } else { "TMPDIR" }
    );
    io::Error::new(e.kind(), text)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn it_never_has_a_name() {
        let file = StderrFile::create().unwrap();
        let link = format!("/proc/self/fd/{}", file.0.as_raw_fd());
        let path = std::fs::read_link(link).unwrap();
        // A file that had a name has it here, marked as deleted.
        assert!(!path.to_string_lossy().contains("tourbillon"), "{path:?}");
    }
}
