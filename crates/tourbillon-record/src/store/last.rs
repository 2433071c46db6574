//! The last run with results of a case.

use std::collections::{BTreeSet, HashMap};
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

use tourbillon_values::regular_file;

use super::folder::Store;
use super::results::{is_measured, read};
use crate::{CaseResult, Error, Header, Metric, Results};

/// The last runs that have results of some cases.
#[derive(Debug, Default)]
pub struct Last {
    found: Vec<Found>,
    /// For each case the results that it has, by the places of the run and of the result.
    places: HashMap<String, Vec<(usize, usize)>>,
    /// Files that could not be used, and why.
    pub skipped: Vec<Skipped>,
    /// What to say about runs that began after now.
    pub warning: Option<String>,
}

/// A run that is the last one with results of a case.
#[derive(Debug)]
pub struct Found {
    /// Its file.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    /// The results of the cases for which it is the last one, for every metric.
    pub results: Vec<CaseResult>,
}

/// A file of the store that was skipped, or of which lines were skipped.
#[derive(Debug)]
pub struct Skipped {
    /// The file, or the folder when even that could not be read.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

impl Last {
    /// Adds a run, older than those before.
    pub fn add(&mut self, found: Found) {
        for (at, result) in found.results.iter().enumerate() {
            let places = self.places.entry(result.case.clone()).or_default();
            places.push((self.found.len(), at));
        }
        self.found.push(found);
    }

    /// The runs, the newest first; each with the cases for which it is the last one.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// The last results of a case, each with the header of its run.
    pub fn results(&self, case: &str) -> impl Iterator<Item = (&Header, &CaseResult)> {
        let places = self.places.get(case).into_iter().flatten();
        places.map(|(run, at)| (&self.found[*run].header, &self.found[*run].results[*at]))
    }

    /// The last result of a case for a metric, with the header of its run.
    pub fn result(&self, case: &str, metric: Metric) -> Option<(&Header, &CaseResult)> {
        self.results(case)
            .find(|(_, result)| result.metric == metric)
    }
}

impl Store {
    /// For each of some cases, the last run of the target that has a result of it: an estimate, or a
    /// bound below the resolution. Runs in which the case failed or was not reached are skipped.
    ///
    /// Files are read from the newest to the oldest, until every case has been found: normally one. Those that began
    /// after now, in nanoseconds since the Unix epoch, come last.
    /// `takes` tells by the header which runs count; runs that another process is writing are skipped, too. What a
    /// killed run had stored is used like any other.
    ///
    /// Never fails: files that cannot be read, are foreign, damaged or of a newer schema are skipped
    /// and reported.
    pub fn last_with_cases(
        &self,
        package: &str,
        target: &str,
        cases: &[&str],
        takes: &dyn Fn(&Header) -> bool,
        now_unix_ns: u64,
    ) -> Last {
        let mut last = Last::default();
        let runs = match self.runs(package, target, now_unix_ns) {
            Ok(runs) => runs,
            Err(error) => {
                last.skip(error.path(), error.to_string());
                return last;
            }
        };
        last.warning = runs.warning();
        let mut wanted: BTreeSet<&str> = cases.iter().copied().collect();
        for path in runs.files() {
            if wanted.is_empty() {
                break;
            }
            if let Some(run) = last.read(path)
                && takes(&run.header)
            {
                last.take(path.clone(), run, &mut wanted);
            }
        }
        last
    }
}

impl Last {
    /// Takes the results of wanted cases out of a run; those cases are wanted no more.
    fn take(&mut self, path: PathBuf, mut run: Results, wanted: &mut BTreeSet<&str>) {
        let is_wanted =
            |result: &&CaseResult| is_measured(result) && wanted.contains(&*result.case);
        let found = run.results.iter().filter(is_wanted);
        let found: BTreeSet<_> = found.map(|result| result.case.clone()).collect();
        wanted.retain(|case| !found.contains(*case));
        // All results of a case that is found: another metric of it may have no estimate.
        run.results.retain(|result| found.contains(&result.case));
        if !found.is_empty() {
            self.add(Found {
                path,
                header: run.header,
                results: run.results,
            });
        }
    }

    fn skip(&mut self, path: &Path, why: String) {
        let path = path.to_owned();
        self.skipped.push(Skipped { path, why });
    }

    /// Reads a run, or reports why not. A run that was killed before its header was written, and one
    /// that was removed in the meantime, are no news.
    fn read(&mut self, path: &Path) -> Option<Results> {
        match read_unless_locked(path) {
            Ok(Some(Ok(run))) => {
                if let Some(first) = run.damaged.first() {
                    let count = run.damaged.len();
                    let why = format!("damaged lines skipped: {count}, the first is {first}");
                    self.skip(path, why);
                }
                return Some(run);
            }
            Ok(Some(Err(error))) if !error.is_incomplete() => self.skip(path, error.to_string()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                self.skip(path, format!("cannot be read: {error}"));
            }
            _ => {}
        }
        None
    }
}

/// A stored run; `None` while another process is writing it.
fn read_unless_locked(path: &Path) -> io::Result<Option<Result<Results, Error>>> {
    let file = regular_file::open(path)?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // File systems without locks: the run is read as far as it is written.
        Ok(()) | Err(TryLockError::Error(_)) => read(file).map(Some),
    }
}
