//! The runs in a folder: their list, and which of them are removed.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs::{self, DirEntry, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use tourbillon_values::regular_file;

use super::error::{Error, Kind};
use super::names::{age, is_after};
use super::results::measured_cases;

/// How many runs of a target are kept, besides those that are the newest one with a result of some case.
pub const KEPT: usize = 10;

/// What the file of a run begins with.
const BEGINNING: &[u8] = b"{\"type\":\"header\",";

/// Whether a file is that of a run in a store: by its name, those of its folders, and what it begins with.
pub fn is_of_run(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let runs = path.ancestors().nth(3).and_then(Path::file_name);
    if name.and_then(age).is_none() || runs.is_none_or(|runs| runs != "runs") {
        return false;
    }
    // A link may lead to what is no run.
    let is_file = path.symlink_metadata().is_ok_and(|about| about.is_file());
    let mut beginning = [0; BEGINNING.len()];
    let read = regular_file::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    is_file && read.is_ok() && beginning == BEGINNING
}

/// What is in a folder; nothing where there is no such folder.
///
/// # Errors
///
/// When it is there and cannot be read.
pub(crate) fn entries(folder: &Path) -> Result<Vec<DirEntry>, Error> {
    match fs::read_dir(folder).and_then(Iterator::collect) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries.map_err(|error| Error::new(Kind::List, folder, error)),
    }
}

/// The files of the runs of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetRuns {
    /// Those that began until now, the newest first.
    pub past: Vec<PathBuf>,
    /// Those that began after now, by the clock that they were stored by: their age is not known. They count as older
    /// than the others, and are never pruned.
    pub ahead: Vec<PathBuf>,
}

impl TargetRuns {
    /// All files; first those that hide others.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.past.iter().chain(&self.ahead)
    }

    /// What to say about the runs whose age is not known; `None` without any.
    pub fn warning(&self) -> Option<String> {
        let (first, others) = self.ahead.split_first()?;
        let others = match others.len() {
            0 => String::new(),
            count => format!(" (and {count} more beside it)"),
        };
        Some(format!(
            "{first:?}{others} began after now: it counts as older than all others; remove it, or set the clock of \
             this machine if that is wrong"
        ))
    }
}

/// The runs in the folder of a target at a time in nanoseconds since the Unix epoch.
///
/// # Errors
///
/// When the folder is there and cannot be read.
pub(crate) fn runs_in(folder: &Path, now_unix_ns: u64) -> Result<TargetRuns, Error> {
    let mut runs: Vec<_> = entries(folder)?
        .iter()
        // A folder is no run, and opening a pipe would block.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| Some((age(entry.file_name().to_str()?)?, entry.path())))
        .collect();
    runs.sort();
    runs.reverse();
    let (past, ahead): (Vec<_>, Vec<_>) = runs
        .into_iter()
        .partition(|(age, _)| !is_after(age, now_unix_ns));
    let paths = |runs: Vec<(String, PathBuf)>| runs.into_iter().map(|(_, path)| path).collect();
    Ok(TargetRuns {
        past: paths(past),
        ahead: paths(ahead),
    })
}

/// Removes the runs in a folder beyond the newest [`KEPT`], except those that are the newest one with a
/// result of some case, those that another process is writing or reading, and those that only a newer version can read.
/// The run that is just ending is being written, wherever a clock that was set back has put it. Runs that began after
/// now are neither removed nor newer than another.
pub(crate) fn prune(folder: &Path, now_unix_ns: u64) -> Result<(), Error> {
    let runs = runs_in(folder, now_unix_ns)?.past;
    // Files are read as far as needed: a newer run often has all cases of an old one.
    let known: Vec<_> = runs.iter().map(|_| OnceCell::new()).collect();
    let cases = |run: usize| -> Option<&BTreeSet<String>> {
        let known = known[run].get_or_init(|| measured_cases(&runs[run]));
        known.as_ref()
    };
    let has = |run: usize, case: &String| cases(run).is_some_and(|cases| cases.contains(case));
    for (old, path) in runs.iter().enumerate().skip(KEPT) {
        let has_newer = |case: &String| (0..old).any(|newer| has(newer, case));
        if cases(old).is_some_and(|cases| cases.iter().all(has_newer)) {
            removed(path, remove(path))?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    let file = regular_file::open(path)?;
    // The system releases a lock however its holder ends. Where there are no locks the file stays:
    // better a file too many than one too few.
    match file.try_lock() {
        Ok(()) => match fs::remove_file(path) {
            Err(error) if is_open_elsewhere(&error) => Ok(()),
            removed => removed,
        },
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Ok(()),
    }
}

/// Whether Windows refused because a process has the file open (`ERROR_SHARING_VIOLATION`): a run that has
/// just ended has given up its lock, and its file is about to be closed.
fn is_open_elsewhere(error: &io::Error) -> bool {
    cfg!(windows) && error.raw_os_error() == Some(32)
}

/// The result of removing a run: another run that ended at the same moment may have been faster.
pub(crate) fn removed(path: &Path, result: io::Result<()>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Error::new(Kind::Prune, path, error))
        }
        _ => Ok(()),
    }
}
