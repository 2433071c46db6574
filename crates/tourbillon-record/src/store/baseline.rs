//! Runs that are kept under a name.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::{Absence, CaseResult, Header, Results};

use crate::store::folder::runs_in;
use crate::store::last::read;
use crate::store::prune::removed;
use crate::store::{Error, Store, file_name};

/// The file in a baseline's folder that holds its name: that of the folder may be another.
const NAME: &str = "name.txt";

impl Store {
    /// The store of a baseline's runs; it looks like any other. Nothing is read or created yet.
    ///
    /// A baseline can hold several runs of a target: a run of some cases leaves those of others
    /// alone. The newest that has a case is the one that counts, as with
    /// [`Store::last_with_cases`].
    pub fn baseline(&self, name: &str) -> Store {
        Store::open(self.path().join("baselines").join(file_name(name)))
    }

    /// Whether anything is kept in this store.
    pub fn exists(&self) -> bool {
        self.path().is_dir()
    }

    /// Keeps a copy of a stored run under a name, beside those that are kept under it already; runs
    /// of the same target all of whose cases have results in the new one go.
    ///
    /// The copy is there as a whole or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be made, or a run that it takes the place of cannot be removed.
    pub fn save(&self, name: &str, run: &Path, header: &Header) -> Result<(), Error> {
        let baseline = self.baseline(name);
        let folder = baseline.folder(&header.package, &header.target);
        let path = folder.join(run.file_name().unwrap_or_default());
        if let Err(error) = baseline.copy(name, run, &folder, &path) {
            return Err(Error::save(&path, error));
        }
        remove_superseded(&folder, &path)
    }

    fn copy(&self, name: &str, run: &Path, folder: &Path, path: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(self.path().join(NAME), name)?;
        // Another name until it is whole; no reader takes this one for a run.
        let part = folder.join("part");
        fs::copy(run, &part)?;
        fs::rename(&part, path)
    }

    /// The names of the baselines, in alphabetical order.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be read.
    #[inline]
    pub fn baselines(&self) -> Result<Vec<String>, Error> {
        let folder = self.path().join("baselines");
        let mut names = Vec::new();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(names),
            Err(error) => return Err(Error::list(&folder, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| Error::list(&folder, error))?;
            if let Ok(name) = fs::read_to_string(entry.path().join(NAME)) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Removes a baseline. The runs that were saved under its name stay where they were.
    ///
    /// # Errors
    ///
    /// When it cannot be removed; [`Error::path`] is its folder.
    #[inline]
    pub fn delete_baseline(&self, name: &str) -> Result<(), Error> {
        let path = self.baseline(name).path().to_owned();
        fs::remove_dir_all(&path).map_err(|error| Error::prune(&path, error))
    }
}

/// Removes the runs in a folder that a new one takes the place of.
#[inline(never)]
fn remove_superseded(folder: &Path, path: &Path) -> Result<(), Error> {
    let new = results(path);
    for older in &runs_in(folder)? {
        if older.as_os_str() != path.as_os_str() && supersedes(&new, &results(older)) {
            removed(older, fs::remove_file(older))?;
        }
    }
    Ok(())
}

/// The results in a stored run; `None` where it cannot be read.
#[inline(never)]
fn results(run: &Path) -> Option<Results> {
    read(File::open(run).ok()?).ok()?.ok()
}

/// Whether a run has an estimate or a bound of every case of which an older one has; what has none, or
/// cannot be read, may be worth keeping.
#[inline(never)]
fn supersedes(new: &Option<Results>, old: &Option<Results>) -> bool {
    let (Some(new), Some(old)) = (new, old) else {
        return false;
    };
    let mut any = false;
    for result in &old.results {
        if is_measured(result) {
            any = true;
            if !has_measured(new, &result.case) {
                return false;
            }
        }
    }
    any
}

fn has_measured(run: &Results, case: &str) -> bool {
    for result in &run.results {
        if result.case == case && is_measured(result) {
            return true;
        }
    }
    false
}

/// Whether there is an estimate, or a bound below the resolution.
#[inline(never)]
pub(crate) fn is_measured(result: &CaseResult) -> bool {
    matches!(result.estimate, Ok(_) | Err(Absence::BelowResolution))
}
