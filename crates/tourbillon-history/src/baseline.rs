//! Runs that are kept under a name.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use tourbillon_record::{Absence, Header, Results};

use crate::{Error, Store, file_name};

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
        let file = run.file_name().unwrap_or_default();
        let path = folder.join(file);
        let copy = || -> io::Result<()> {
            fs::create_dir_all(&folder)?;
            fs::write(baseline.path().join(NAME), name)?;
            // Another name until it is whole; no reader takes this one for a run.
            let part = folder.join("part");
            fs::copy(run, &part)?;
            fs::rename(&part, &path)
        };
        copy().map_err(|error| Error::save(&path, error))?;
        let new = measured(&path);
        for older in baseline.runs(&header.package, &header.target)? {
            let superseded = || {
                let old = measured(&older);
                // What cannot be read may be worth keeping.
                !old.is_empty() && old.iter().all(|case| new.contains(case))
            };
            if older.file_name() != Some(file) && superseded() {
                match fs::remove_file(&older) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(Error::prune(&older, error));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
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

/// The cases that a stored run has an estimate or a bound of; none where it cannot be read.
fn measured(run: &Path) -> Vec<String> {
    let mut cases = Vec::new();
    let Ok(run) = Results::parse(&fs::read(run).unwrap_or_default()) else {
        return cases;
    };
    for result in run.results {
        if matches!(result.estimate, Ok(_) | Err(Absence::BelowResolution)) {
            cases.push(result.case);
        }
    }
    cases
}
