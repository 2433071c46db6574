use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(target_os = "linux")]
use crate::sys;

/// A file without a name that takes what a child writes to stderr.
#[derive(Debug)]
pub(crate) struct StderrFile(File);

impl StderrFile {
    /// Creates it in the temporary directory, so that nothing is left behind however this process ends.
    ///
    /// Where there are only files with names, it has one for a moment.
    pub(crate) fn create() -> io::Result<StderrFile> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let directory = std::env::temp_dir();
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::fs::OpenOptionsExt;
            let mut nameless = OpenOptions::new();
            nameless.read(true).append(true).mode(0o600);
            if let Ok(file) = nameless.custom_flags(sys::O_TMPFILE).open(&directory) {
                return Ok(StderrFile(file));
            }
        }
        for _ in 0..64 {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = directory.join(format!("tourbillon-{}-{number}", std::process::id()));
            // Append, because a process that the child forks may have opened its stderr again.
            let opened = OpenOptions::new()
                .read(true)
                .append(true)
                .create_new(true)
                .open(&path);
            match opened {
                Ok(file) => {
                    std::fs::remove_file(&path)?;
                    return Ok(StderrFile(file));
                }
                // A file of an earlier process with this id: take the next number.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(in_directory(&directory, &e)),
            }
        }
        let e = io::Error::from(io::ErrorKind::AlreadyExists);
        Err(in_directory(&directory, &e))
    }

    /// A second handle for the child.
    pub(crate) fn for_child(&self) -> io::Result<File> {
        self.0.try_clone()
    }

    /// How long it is by now.
    pub(crate) fn bytes(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// The last bytes, at most so many. Reading moves no file position: a process that the child
    /// left behind may still be writing.
    pub(crate) fn tail(&self, bytes: usize) -> io::Result<Vec<u8>> {
        let length = self.bytes()?;
        let from = length.saturating_sub(bytes as u64);
        let mut tail = vec![0; usize::try_from(length - from).unwrap_or(bytes)];
        let mut filled = 0;
        while filled < tail.len() {
            match self.0.read_at(&mut tail[filled..], from + filled as u64) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        tail.truncate(filled);
        Ok(tail)
    }
}

fn in_directory(directory: &std::path::Path, e: &io::Error) -> io::Error {
    let text = format!(
        "no temporary file for a worker's stderr in {}: {e}; \
         set TMPDIR to a directory that can be written",
        directory.display()
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
        // A file that had one keeps it here, marked as deleted.
        assert!(!path.to_string_lossy().contains("tourbillon"), "{path:?}");
    }
}
