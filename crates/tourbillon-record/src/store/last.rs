use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::{CaseResult, Error, Header, Metric, Results};

use crate::store::Store;
use crate::store::baseline::is_measured;

/// Bytes of a file that are read at once.
const CHUNK: usize = 1 << 16;

/// The last runs that have results of some cases.
#[derive(Debug, Default)]
pub struct Last {
    /// The runs, the newest first; each with the cases for which it is the last one.
    pub found: Vec<Found>,
    /// Files that could not be used, and why.
    pub skipped: Vec<Skipped>,
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

/// A file of the store that was passed over, in whole or in part.
#[derive(Debug)]
pub struct Skipped {
    /// The file, or the folder when even that could not be read.
    pub path: PathBuf,
    /// Why, in words.
    pub why: String,
}

impl Last {
    /// The last result of a case for a metric, with the header of its run.
    pub fn result(&self, case: &str, metric: Metric) -> Option<(&Header, &CaseResult)> {
        for found in &self.found {
            for result in &found.results {
                if result.metric == metric && result.case == case {
                    return Some((&found.header, result));
                }
            }
        }
        None
    }
}

impl Store {
    /// The last run of a target that has a result of a case.
    ///
    /// As [`Store::last_with_cases`].
    pub fn last_with_case(
        &self,
        package: &str,
        target: &str,
        case: &str,
        own: Option<&Path>,
    ) -> Last {
        self.last_with_cases(package, target, &[case], own)
    }

    /// For each of some cases, the last run of the target that has a result of it: an estimate, or a
    /// bound below the resolution. Runs in which the case failed or was not reached are passed over.
    ///
    /// Files are read from the newest to the oldest, until every case has been found: as a rule,
    /// one. `own` is the run that is asking, which is not its own predecessor; runs that somebody is
    /// still writing are passed over, too. What a killed run had stored is used like any other.
    ///
    /// Never fails: files that cannot be read, are foreign, damaged or of a newer schema are passed
    /// over and named.
    pub fn last_with_cases(
        &self,
        package: &str,
        target: &str,
        cases: &[&str],
        own: Option<&Path>,
    ) -> Last {
        let mut last = Last::default();
        match self.runs(package, target) {
            Ok(paths) => last.look(&paths, Wanted::new(cases), own),
            Err(error) => last.skip(error.path(), format_args!("{error}")),
        }
        last
    }
}

impl Last {
    fn look(&mut self, paths: &[PathBuf], mut wanted: Wanted<'_>, own: Option<&Path>) {
        for path in paths {
            if wanted.left == 0 {
                break;
            }
            if own.is_none_or(|own| own.as_os_str() != path.as_os_str())
                && let Some(run) = self.read(path)
            {
                self.take(path, run, &mut wanted);
            }
        }
    }

    /// Takes the results of wanted cases out of a run; those cases are wanted no more.
    fn take(&mut self, path: &Path, mut run: Results, wanted: &mut Wanted<'_>) {
        let number = self.found.len();
        for result in &run.results {
            if is_measured(result) {
                wanted.find(&result.case, number);
            }
        }
        // Whatever there is of a case that is found: its other metric may have no estimate.
        let mut kept = 0;
        for index in 0..run.results.len() {
            if wanted.is_found(&run.results[index].case, number) {
                run.results.swap(kept, index);
                kept += 1;
            }
        }
        run.results.truncate(kept);
        if !run.results.is_empty() {
            self.found.push(Found {
                path: path.to_owned(),
                header: run.header,
                results: run.results,
            });
        }
    }

    #[inline(never)]
    fn skip(&mut self, path: &Path, why: fmt::Arguments<'_>) {
        self.skipped.push(Skipped {
            path: path.to_owned(),
            why: why.to_string(),
        });
    }

    /// Reads a run, or says why not. A run that was killed before its header was there is nothing to
    /// speak of: `None` without a word.
    #[inline(never)]
    fn read(&mut self, path: &Path) -> Option<Results> {
        let read = match read_unless_locked(path) {
            Ok(read) => read?,
            Err(error) => {
                // Pruned by another run in the meantime.
                if error.kind() != io::ErrorKind::NotFound {
                    self.skip(path, format_args!("cannot be read: {error}"));
                }
                return None;
            }
        };
        match read {
            Ok(run) => {
                if let Some(damage) = run.damaged.first() {
                    let count = run.damaged.len();
                    self.skip(
                        path,
                        format_args!("damaged lines left out: {count}, the first is {damage}"),
                    );
                }
                Some(run)
            }
            Err(error) => {
                if !error.is_incomplete() {
                    self.skip(path, format_args!("{error}"));
                }
                None
            }
        }
    }
}

/// The cases whose last results are looked for.
struct Wanted<'c> {
    cases: &'c [&'c str],
    /// For each of them, the number of the run that has its last results.
    found_in: Vec<Option<usize>>,
    /// How many have not been found.
    left: usize,
    /// Where the search starts: runs keep the results in the order of the cases.
    next: usize,
}

impl<'c> Wanted<'c> {
    fn new(cases: &'c [&'c str]) -> Wanted<'c> {
        let mut found_in = Vec::new();
        for _ in cases {
            found_in.push(None);
        }
        Wanted {
            cases,
            found_in,
            left: cases.len(),
            next: 0,
        }
    }

    fn index(&mut self, case: &str) -> Option<usize> {
        let count = self.cases.len();
        for step in 0..count {
            let index = (self.next + step) % count;
            if self.cases[index] == case {
                self.next = index;
                return Some(index);
            }
        }
        None
    }

    /// A run has results of a case; unless a newer one had, it is the last.
    fn find(&mut self, case: &str, run: usize) {
        if let Some(index) = self.index(case)
            && self.found_in[index].is_none()
        {
            self.found_in[index] = Some(run);
            self.left -= 1;
        }
    }

    /// Whether a run has the last results of a case.
    fn is_found(&mut self, case: &str, run: usize) -> bool {
        match self.index(case) {
            Some(index) => self.found_in[index] == Some(run),
            None => false,
        }
    }
}

/// What there is in a stored run; `None` while somebody is writing it.
fn read_unless_locked(path: &Path) -> io::Result<Option<Result<Results, Error>>> {
    let file = File::open(path)?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // File systems without locks: the run is read as far as it is written.
        Ok(()) | Err(TryLockError::Error(_)) => read(file).map(Some),
    }
}

/// Reads a stored run.
pub(crate) fn read(file: File) -> io::Result<Result<Results, Error>> {
    Results::read(&mut BufReader::with_capacity(CHUNK, file))
}
