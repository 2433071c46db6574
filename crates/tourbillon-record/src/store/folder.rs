use std::fs::{self, DirEntry, File, OpenOptions, ReadDir};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::Header;

use crate::store::stamp::{self, is_stamp, stamp};
use crate::store::{Error, RunWriter, file_name};

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
        if let Err(error) = fs::create_dir_all(&folder) {
            return Err(Error::create(&folder, error));
        }
        let mut path = PathBuf::new();
        match create_new(&folder, &stamp(header.started_unix_ns), &mut path) {
            Ok(file) => RunWriter::begin(file, path, folder, header),
            Err(error) => Err(Error::create(&path, error)),
        }
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

    /// The files of the runs of every target that has any, each target's newest first, the targets in
    /// the order of the names of their folders.
    ///
    /// # Errors
    ///
    /// When a folder is there and cannot be read.
    #[inline]
    pub fn targets(&self) -> Result<Vec<Vec<PathBuf>>, Error> {
        let mut targets = Vec::new();
        for package in folders(&self.path.join("runs"))? {
            for target in folders(&package)? {
                let runs = runs_in(&target)?;
                if !runs.is_empty() {
                    targets.push(runs);
                }
            }
        }
        Ok(targets)
    }

    pub(crate) fn folder(&self, package: &str, target: &str) -> PathBuf {
        self.path
            .join("runs")
            .join(file_name(package))
            .join(file_name(target))
    }
}

/// The folders in a folder, in the order of their names; none where it is not there.
#[inline]
fn folders(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut folders = Vec::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(folders),
        Err(error) => return Err(Error::list(folder, error)),
    };
    for entry in entries {
        let path = entry.map_err(|error| Error::list(folder, error))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Creates a file whose name no other has; `path` becomes its path, or the one that could not be had.
#[inline(never)]
fn create_new(folder: &Path, stamp: &str, path: &mut PathBuf) -> io::Result<File> {
    // Append mode: the place of a write is decided by the system in one step with the write.
    // Reading is never done; Windows wants the right to it for the lock.
    let mut options = OpenOptions::new();
    options.read(true).append(true).create_new(true);
    let mut number = 1;
    loop {
        *path = folder.join(run_name(stamp, number));
        match options.open(&*path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            opened => return opened,
        }
    }
}

/// The name of the file of a run of this process; the first one at its time has no number.
#[inline(never)]
fn run_name(stamp: &str, number: u32) -> String {
    let process = std::process::id();
    if number == 1 {
        format!("{stamp}-{process}.jsonl")
    } else {
        format!("{stamp}-{process}-{number}.jsonl")
    }
}

/// The runs in the folder of a target, the newest first.
pub(crate) fn runs_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut runs = Vec::new();
    let added = match fs::read_dir(folder) {
        Ok(entries) => add_runs(entries, &mut runs),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    match added {
        Ok(()) => Ok(runs),
        Err(error) => Err(Error::list(folder, error)),
    }
}

#[inline(never)]
fn add_runs(entries: ReadDir, runs: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in entries {
        add_run(&entry?, runs);
    }
    Ok(())
}

/// Adds a run where it belongs, the newest first. A sort for any number of runs would be more code than
/// all the rest of this; there are hardly more than are kept.
#[inline(never)]
fn add_run(entry: &DirEntry, runs: &mut Vec<PathBuf>) {
    let path = entry.path();
    let Some(age) = age_of(&path) else { return };
    // A folder is no run, and opening a pipe would wait for somebody at its other end.
    if !matches!(entry.file_type(), Ok(kind) if kind.is_file()) {
        return;
    }
    let mut place = 0;
    while place < runs.len() && age_of(&runs[place]).is_some_and(|other| other > age) {
        place += 1;
    }
    runs.insert(place, path);
}

#[inline(never)]
fn age_of(run: &Path) -> Option<String> {
    age(run.file_name()?.to_str()?)
}

/// What the name of a run's file says about its place in time, as text that sorts like it: when it
/// started, which process, and the number that was added. `None` for a file that no run has created.
#[inline(never)]
fn age(name: &str) -> Option<String> {
    let (started, rest) = name.split_at_checked(stamp::LENGTH)?;
    let numbers = rest.strip_prefix("-")?.strip_suffix(".jsonl")?;
    let mut digits = 0;
    while digits < numbers.len() && numbers.as_bytes()[digits] != b'-' {
        digits += 1;
    }
    let (process, number) = match numbers.get(digits + 1..) {
        Some(number) => (&numbers[..digits], number),
        None => (numbers, "1"),
    };
    if is_stamp(started) && is_number(process) && is_number(number) {
        Some(format!("{started}{process:>20}{number:>20}"))
    } else {
        None
    }
}

/// Whether the text is digits, no more than 64 bits can have.
#[inline(never)]
fn is_number(text: &str) -> bool {
    for byte in text.as_bytes() {
        if !byte.is_ascii_digit() {
            return false;
        }
    }
    matches!(text.len(), 1..=20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_are_told_from_others() {
        let run = |rest: &str| age(&format!("{}{rest}", stamp(0)));
        assert!(run("-17.jsonl").is_some() && run("-17-12.jsonl").is_some());
        for other in [
            "-17-x.jsonl",
            "-x.jsonl",
            "-17-.jsonl",
            "-.jsonl",
            "--1.jsonl",
            "-17-2-3.jsonl",
            "-123456789012345678901.jsonl",
            ".jsonl",
            "-17.json",
            "-17",
            "",
        ] {
            assert_eq!(run(other), None, "{other}");
        }
        assert_eq!(age("notes-17.jsonl"), None);
        assert_eq!(age("é"), None);
    }

    #[test]
    fn ages_sort_by_time_then_process_then_number() {
        let names = [
            format!("{}-9.jsonl", stamp(1)),
            format!("{}-9-2.jsonl", stamp(1)),
            format!("{}-9-10.jsonl", stamp(1)),
            format!("{}-10.jsonl", stamp(1)),
            format!("{}-4294967295.jsonl", stamp(1)),
            format!("{}-1.jsonl", stamp(2)),
        ];
        let ages: Vec<_> = names.iter().map(|name| age(name).unwrap()).collect();
        assert!(ages.is_sorted_by(|one, next| one < next), "{ages:?}");
    }
}
