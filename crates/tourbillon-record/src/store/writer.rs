//! The file of a run that is being measured.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::{Error, Kind};
use super::runs::prune;
use crate::{Entry, Header};

/// Appends the lines of one run to its file, as they come.
///
/// Each line is written whole, in one write, without a buffer: a run that is killed keeps every line
/// that was appended. An interrupted run drops the writer; nothing is lost by that.
#[derive(Debug)]
pub struct RunWriter {
    file: File,
    path: PathBuf,
    folder: PathBuf,
    /// Bytes of whole lines in the file.
    written: u64,
    storing: bool,
}

impl RunWriter {
    /// Takes the lock and writes the header; the file goes away again when that fails.
    pub(crate) fn begin(
        file: File,
        path: PathBuf,
        folder: PathBuf,
        header: &Header,
    ) -> Result<RunWriter, Error> {
        // Without waiting: a reader that has stopped in the middle must not hold up a run. Without the
        // lock the run may only be pruned while ten others finish.
        let _ = file.try_lock();
        let mut writer = RunWriter {
            file,
            path,
            folder,
            written: 0,
            storing: true,
        };
        match writer.write((Entry::Header(header).encode() + "\n").as_bytes()) {
            Ok(()) => Ok(writer),
            Err(error) => {
                let RunWriter { file, path, .. } = writer;
                // Windows removes no file that is open.
                drop(file);
                // Best effort: otherwise an empty file is left, which readers skip.
                let _ = fs::remove_file(&path);
                Err(Error::new(Kind::Create, &path, error))
            }
        }
    }

    /// The file of this run.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the file is still the one that was begun, with everything that was written to it.
    ///
    /// # Errors
    ///
    /// That another program removed, replaced, truncated or extended it.
    pub fn check(&self) -> Result<(), Error> {
        let damaged = |what| Err(self.damaged(what));
        let (Ok(own), Ok(named)) = (self.file.metadata(), fs::metadata(&self.path)) else {
            return damaged("the file was removed");
        };
        // On Windows the file is open in a way that forbids it.
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            if (own.dev(), own.ino()) != (named.dev(), named.ino()) {
                return damaged("another program put another file in its place");
            }
        }
        if own.len() != self.written || named.len() != self.written {
            return damaged("another program changed its length");
        }
        Ok(())
    }

    fn damaged(&self, what: &'static str) -> Error {
        Error::new(Kind::Damaged, &self.path, io::Error::other(what))
    }

    /// Whether the run is still being stored: false after an error of [`RunWriter::append`].
    pub fn is_storing(&self) -> bool {
        self.storing
    }

    /// Appends one line.
    ///
    /// # Errors
    ///
    /// When the line cannot be written: the part of it that reached the file is removed, and the lines
    /// after it are dropped without another error, so that a full disk is reported once and the run
    /// goes on.
    pub fn append(&mut self, entry: Entry<'_>) -> Result<(), Error> {
        self.append_line((entry.encode() + "\n").as_bytes())
    }

    /// Appends a line that was written elsewhere, with its end.
    ///
    /// # Errors
    ///
    /// As for [`RunWriter::append`].
    pub fn append_line(&mut self, line: &[u8]) -> Result<(), Error> {
        if !self.storing {
            return Ok(());
        }
        match self.write(line) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.storing = false;
                Err(Error::new(Kind::Append, &self.path, error))
            }
        }
    }

    /// Ends the run and removes the oldest ones of the same target: the newest
    /// [`KEPT`](super::KEPT) stay, including this one, and any that is the newest one with a result of
    /// some case. Now is in nanoseconds since the Unix epoch; no run that began after it counts.
    ///
    /// # Errors
    ///
    /// When an old run cannot be removed. This run is stored nevertheless.
    pub fn finish(self, now_unix_ns: u64) -> Result<(), Error> {
        let pruned = prune(&self.folder, now_unix_ns);
        // A process that is just being started may hold a copy of the descriptor, and the lock with it.
        let _ = self.file.unlock();
        pruned
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        match self.file.write_all(line) {
            Ok(()) => {
                self.written += line.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A disk that fills up takes the beginning of a line. Best effort: a reader skips a line
                // that was cut off anyway.
                let _ = self.file.set_len(self.written);
                Err(error)
            }
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs::OpenOptions;

    use crate::Case;

    use super::*;

    /// A run whose disk is full from the first line on.
    fn full() -> RunWriter {
        let path = PathBuf::from("/dev/full");
        let file = OpenOptions::new().append(true).open(&path).unwrap();
        RunWriter {
            file,
            folder: PathBuf::from("/nowhere"),
            path,
            written: 0,
            storing: true,
        }
    }

    #[test]
    fn a_copy_of_the_descriptor_does_not_keep_the_lock() {
        let path = std::env::temp_dir().join(format!("tourbillon-lock-{}", std::process::id()));
        let file = File::create_new(&path).unwrap();
        file.try_lock().unwrap();
        let copy = file.try_clone().unwrap();
        let _ = RunWriter { file, ..full() }.finish(0);
        assert!(File::open(&path).unwrap().try_lock_shared().is_ok());
        drop(copy);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_other_programs_do_to_the_file_is_found() {
        let path = std::env::temp_dir().join(format!("tourbillon-check-{}", std::process::id()));
        let begin = || {
            let _ = fs::remove_file(&path);
            let mut options = OpenOptions::new();
            let file = options.read(true).append(true).create_new(true).open(&path);
            let mut writer = RunWriter {
                file: file.unwrap(),
                path: path.clone(),
                ..full()
            };
            writer.append(Entry::Case(&Case::default())).unwrap();
            writer.append_line(b"as it came\n").unwrap();
            writer.check().unwrap();
            assert!(fs::read(&path).unwrap().ends_with(b"}\nas it came\n"));
            writer
        };
        let found = |writer: &RunWriter| writer.check().unwrap_err().to_string();

        let writer = begin();
        writer.file.set_len(3).unwrap();
        assert!(found(&writer).contains("changed its length"));
        let writer = begin();
        let copy = path.with_extension("copy");
        fs::copy(&path, &copy).unwrap();
        fs::rename(&copy, &path).unwrap();
        assert!(found(&writer).contains("another file in its place"));
        let writer = begin();
        fs::remove_file(&path).unwrap();
        let error = found(&writer);
        assert!(error.contains("the file was removed") && error.contains("tourbillon-check"));
    }

    #[test]
    fn a_full_disk_is_reported_once() {
        let mut writer = full();
        let case = Case::default();
        let line = Entry::Case(&case);
        let error = writer.append(line).unwrap_err();
        assert!(error.is_full() && !error.is_denied());
        assert_eq!(
            error.to_string(),
            "cannot write to \"/dev/full\": No space left on device (os error 28); the run goes on, \
             but the rest of it is not stored; free some space, or name another directory with \
             --store DIR"
        );
        assert!(!writer.is_storing());
        assert!(writer.append(line).is_ok());
        assert!(writer.finish(0).is_ok());
    }
}
