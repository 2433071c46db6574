use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tourbillon_record::Header;

use crate::stamp::{is_stamp, stamp};
use crate::{Error, RunWriter, file_name};

/// A folder in which runs are kept.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
}

impl Store {
    /// The store at this path, which [`Store::locate`] finds. Nothing is read or created yet.
    pub fn open(path: impl Into<PathBuf>) -> Store {
        Store { path: path.into() }
    }

    /// Where the store is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the file of a run and writes the header into it.
    ///
    /// The name is the start of the run in UTC and this process's id, so that names sort by time. Two
    /// runs never share a file: when the name is taken, a number is added.
    ///
    /// # Errors
    ///
    /// When a folder or the file cannot be created or the header not be written; then nothing is
    /// left behind but empty folders. The run itself need not stop.
    pub fn begin(&self, header: &Header) -> Result<RunWriter, Error> {
        let folder = self.folder(&header.package, &header.target);
        fs::create_dir_all(&folder).map_err(|error| Error::create(&folder, error))?;
        let stem = format!("{}-{}", stamp(header.started_unix_ns), std::process::id());
        let (file, path) = create_new(&folder, &stem)?;
        RunWriter::begin(file, path, folder, header)
    }

    /// The files of the runs of a target, the newest first; empty when there are none.
    ///
    /// Files whose names are not those of runs are passed over.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be read.
    pub fn runs(&self, package: &str, target: &str) -> Result<Vec<PathBuf>, Error> {
        runs_in(&self.folder(package, target))
    }

    fn folder(&self, package: &str, target: &str) -> PathBuf {
        self.path
            .join("runs")
            .join(file_name(package))
            .join(file_name(target))
    }
}

fn create_new(folder: &Path, stem: &str) -> Result<(File, PathBuf), Error> {
    let mut path = folder.join(format!("{stem}.jsonl"));
    let mut number = 2;
    loop {
        // Append mode: the place of a write is decided by the system in one step with the write.
        // Reading is never done; Windows wants the right to it for the lock.
        match OpenOptions::new()
            .read(true)
            .append(true)
            .create_new(true)
            .open(&path)
        {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                path = folder.join(format!("{stem}-{number}.jsonl"));
                number += 1;
            }
            Err(error) => return Err(Error::create(&path, error)),
        }
    }
}

/// The runs in the folder of a target, the newest first.
pub(crate) fn runs_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::list(folder, error)),
    };
    let mut runs = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Error::list(folder, error))?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        // A folder is no run, and opening a pipe would wait for somebody at its other end.
        if let Some(age) = age(&name)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            runs.push((age, entry.path()));
        }
    }
    runs.sort_by(|one, other| other.cmp(one));
    Ok(runs.into_iter().map(|(_, path)| path).collect())
}

/// What the name of a run's file says about its place in time: when it started, which process, and
/// the number that was added. `None` for a file that no run has created.
fn age(name: &str) -> Option<(String, u64, u64)> {
    let mut parts = name.strip_suffix(".jsonl")?.split('-');
    let started = parts.next().filter(|text| is_stamp(text))?;
    let process = parts.next()?.parse().ok()?;
    let number = parts.next().map_or(Ok(1), str::parse).ok()?;
    match parts.next() {
        None => Some((started.to_owned(), process, number)),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_are_told_from_others() {
        let started = stamp(0);
        assert_eq!(
            age(&format!("{started}-17.jsonl")),
            Some((started.clone(), 17, 1))
        );
        assert_eq!(
            age(&format!("{started}-17-12.jsonl")),
            Some((started.clone(), 17, 12))
        );
        assert_eq!(age(&format!("{started}-17-x.jsonl")), None);
        assert_eq!(age(&format!("{started}-17-2-3.jsonl")), None);
        assert_eq!(age(&format!("{started}.jsonl")), None);
        assert_eq!(age(&format!("{started}-17.json")), None);
        assert_eq!(age("notes-17.jsonl"), None);
    }
}
