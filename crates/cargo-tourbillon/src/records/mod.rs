//! Records of runs, from files and from the store.

pub(crate) mod file;
mod place;
mod text;

use std::path::{Path, PathBuf};

use tourbillon_record::Run;
use tourbillon_record::store::Store;

use crate::exit::Stop;

pub(crate) use self::place::{Place, arguments};
pub(crate) use tourbillon_builds::cargo;

/// The runs of one or several bench binaries in one file.
#[derive(Debug)]
pub(crate) struct Record {
    /// The file's name without its extension, or that of the baseline.
    pub(crate) name: String,
    pub(crate) runs: Vec<Run>,
}

/// The named records: files, or baselines of the store; without names, the last run of each bench
/// target.
pub(crate) fn named(names: &[PathBuf], place: &Place) -> Result<Vec<Record>, Stop> {
    if names.is_empty() {
        let store = place.store()?;
        let runs = last_runs(&store)?;
        if runs.is_empty() {
            let what = format!(
                "no run is stored in {:?}; cargo bench makes one",
                store.path()
            );
            return Err(Stop::Environment(what));
        }
        let name = "last run".to_owned();
        return Ok(vec![Record { name, runs }]);
    }
    names.iter().map(|name| one(name, place)).collect()
}

fn one(name: &Path, place: &Place) -> Result<Record, Stop> {
    if name.exists() {
        let stem = name.file_stem().unwrap_or_default();
        return Ok(Record {
            name: stem.to_string_lossy().into_owned(),
            runs: read(name)?,
        });
    }
    let unknown = || {
        let what = format!("there is neither a file nor a baseline {name:?}");
        Stop::Usage(format!(
            "{what}; `cargo tourbillon baselines` lists the baselines"
        ))
    };
    let baseline = name.to_str().ok_or_else(unknown)?;
    let store = place.store()?.baseline(baseline);
    if !store.exists() {
        return Err(unknown());
    }
    Ok(Record {
        name: baseline.to_owned(),
        runs: all_runs(&store)?,
    })
}

/// The runs in a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Run>, Stop> {
    let refused = |what: String| Stop::Environment(format!("{path:?} cannot be read: {what}"));
    let bytes = file::bytes(path).map_err(|error| refused(error.to_string()))?;
    let mut runs = Vec::new();
    for part in text::runs(&bytes) {
        runs.push(Run::parse_bytes(part).map_err(|error| refused(error.to_string()))?);
    }
    Ok(runs)
}

/// The store of comparisons, inside the store of runs.
pub(crate) fn comparisons(store: &Store) -> Store {
    Store::open(store.path().join("comparisons"))
}

/// The last run of each bench target.
pub(crate) fn last_runs(store: &Store) -> Result<Vec<Run>, Stop> {
    let mut runs = Vec::new();
    for files in files(store)? {
        // A run that was killed at once has no results.
        let mut readable = files.iter().filter_map(|file| read(file).ok());
        if let Some(mut last) = readable.find(|runs| !runs.is_empty()) {
            runs.append(&mut last);
        }
    }
    Ok(runs)
}

/// Every run of a store, the newest of each bench target first.
pub(crate) fn all_runs(store: &Store) -> Result<Vec<Run>, Stop> {
    let mut runs = Vec::new();
    for file in files(store)?.iter().flatten() {
        runs.append(&mut read(file)?);
    }
    Ok(runs)
}

/// The files of each bench target in a store, the newest first.
pub(crate) fn files(store: &Store) -> Result<Vec<Vec<PathBuf>>, Stop> {
    store
        .targets()
        .map_err(|error| Stop::Environment(error.to_string()))
}
