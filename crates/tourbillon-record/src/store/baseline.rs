//! Runs that are kept under a name.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;

use super::draft::Draft;
use super::error::{Error, Kind};
use super::folder::Store;
use super::names::file_name;
use super::results::measured_cases;
use super::runs::{entries, removed, runs_in};
use crate::Header;

/// The file in a baseline's folder that holds its name, which the folder's name may not show.
const NAME: &str = "name.txt";

impl Store {
    /// The store of a baseline's runs, which is like any other. Nothing is read or created yet.
    ///
    /// A baseline can hold several runs of a target: saving a run of some cases leaves those of others
    /// alone. The newest run that has a case counts, as with [`Store::last_with_cases`].
    pub fn baseline(&self, name: &str) -> Store {
        self.within(Path::new("baselines").join(file_name(name)))
    }

    /// Whether this store has been created.
    pub fn exists(&self) -> bool {
        self.path().is_dir()
    }

    /// Saves a copy of a stored run under a name. Runs of the same target that were saved under it are
    /// removed if all of their cases have results in the new one.
    ///
    /// The copy is complete or not there at all.
    ///
    /// # Errors
    ///
    /// When it cannot be made, or a run that it replaces cannot be removed.
    pub fn save(&self, name: &str, run: &Path, header: &Header) -> Result<(), Error> {
        let baseline = self.baseline(name);
        let folder = baseline.folder(&header.package, &header.target);
        let path = folder.join(run.file_name().unwrap_or_default());
        // Those of before: another process may save a run at the same time, and one of both stays.
        let olders = runs_in(&folder, u64::MAX);
        let copied = baseline.copy(name, run, &folder, &path);
        copied.map_err(|error| Error::new(Kind::Save, &path, error))?;
        let Some(new) = measured_cases(&path) else {
            return Ok(());
        };
        // Whatever their clocks were: the new one takes the name.
        for older in olders?.past {
            if older != path && measured_cases(&older).is_some_and(|old| supersedes(&new, &old)) {
                removed(&older, fs::remove_file(&older))?;
            }
        }
        Ok(())
    }

    fn copy(&self, name: &str, run: &Path, folder: &Path, path: &Path) -> io::Result<()> {
        self.make(folder)?;
        Draft::write(&self.path().join(NAME), name)?;
        // Until it is complete it has a name that is not that of a run.
        let mut part = Draft::new(path)?;
        io::copy(&mut regular_file::open(run)?, part.file())?;
        part.replace(path)
    }

    /// The names of the baselines, in alphabetical order.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be read.
    pub fn baselines(&self) -> Result<Vec<String>, Error> {
        let entries = entries(&self.path().join("baselines"))?;
        let names = entries.iter().map(|entry| entry.path().join(NAME));
        let mut names: Vec<_> = names
            .flat_map(|file| regular_file::read_text(&file, SETTINGS_BYTES))
            .collect();
        names.sort();
        Ok(names)
    }

    /// Removes a baseline. The runs that were saved under its name stay where they were.
    ///
    /// # Errors
    ///
    /// When it cannot be removed; [`Error::path`] is its folder.
    pub fn delete_baseline(&self, name: &str) -> Result<(), Error> {
        let baseline = self.baseline(name);
        let path = baseline.path();
        fs::remove_dir_all(path).map_err(|error| Error::new(Kind::Prune, path, error))
    }
}

/// Whether a run has measured every case that an older one has. A run that measured nothing may be
/// worth keeping.
fn supersedes(new: &BTreeSet<String>, old: &BTreeSet<String>) -> bool {
    !old.is_empty() && old.is_subset(new)
}
