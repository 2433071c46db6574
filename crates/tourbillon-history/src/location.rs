//! Where the history is.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_report::counted;
use tourbillon_tool::exit::{Stop, say};
use tourbillon_tool::program_lines::runs;
use tourbillon_tool::record_file::{parse, split};
use tourbillon_tool::records::{StorePath, untracked};

use crate::index::{Archive, ComparisonSummary, Error, Index, IndexAddress, Left, Updated, update};
use crate::index_location::{self, Opened};
use crate::revisions::Attempt;

/// The variable that names the folder.
const VARIABLE: &str = "TOURBILLON_HISTORY";
/// The folder of the history in the store.
const FOLDER: &str = "history";

/// Where the history is.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The folder, if the command line names it.
    pub history: Option<PathBuf>,
    /// The file or the server of the index, if the command line names it.
    pub index: Option<OsString>,
    /// Where the store is, in which the history is by default.
    pub store: StorePath,
}

/// The history of a project.
pub(crate) struct History {
    pub(crate) archive: Archive,
    pub(crate) index: Box<dyn Index>,
}

impl History {
    /// Adds the runs of a record that ended and have results, as those of a commit. Returns how many have some.
    pub(crate) fn add_runs(&self, record: &[u8], commit: &str) -> Result<Attempt<usize>, Stop> {
        let mut count = 0;
        for lines in split(record) {
            let stored = match runs(lines) {
                Ok(stored) => stored,
                Err(why) => return Ok(Err(why)),
            };
            for stored in stored {
                let run = &stored.run;
                let has_results = run.results.iter().any(|result| result.estimate.is_ok());
                if run.end.is_some() && has_results {
                    self.archive.add(run, lines, Some(commit))?;
                    count += 1;
                }
            }
        }
        Ok(Ok(count))
    }

    /// Adds the record of a comparison that was measured now; `None` if it has no verdict on two commits.
    pub(crate) fn add_comparison(&self, record: &str) -> Result<Option<ComparisonSummary>, Stop> {
        let bytes = record.as_bytes();
        let mut stored = parse(bytes).map_err(Stop::Environment)?;
        let added = match stored.pop() {
            Some(stored) => self.archive.add_comparison(&stored.run, bytes)?,
            None => None,
        };
        Ok(added.map(|(comparison, _)| comparison))
    }
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}

impl Location {
    /// The archive.
    pub(crate) fn archive(&self) -> Result<Archive, Stop> {
        let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let (source, named) = match &self.history {
            Some(folder) => ("--history", Some(folder.clone())),
            None => (VARIABLE, variable.map(PathBuf::from)),
        };
        let folder = match named {
            Some(folder) => folder,
            None => self.store.locate()?.store.path().join(FOLDER),
        };
        match IndexAddress::parse(folder.as_os_str()) {
            Ok(IndexAddress::File(folder)) => Ok(Archive::new(untracked(folder, "--history DIR")?)),
            _ => Err(Stop::Usage(format!(
                "{source} names a folder; name the server of the index with --index or TOURBILLON_INDEX, and write \
                 ./NAME for a folder with a colon, an @ or an equals sign in its name"
            ))),
        }
    }

    /// The same of a history that has to be there: what only reads would make a new one of a wrong name, and a gate would
    /// pass for ever.
    pub(crate) fn open_existing(&self) -> Result<History, Stop> {
        let archive = self.archive()?;
        let is_named = self.history.is_some() || is_set(VARIABLE);
        let has_index = self.index.is_some() || is_set(index_location::VARIABLE);
        let folder = archive.path();
        if is_named && !has_index && !folder.is_dir() {
            return Err(Stop::Environment(format!(
                "there is no history in {folder:?}; `cargo tourbillon history add` begins one"
            )));
        }
        self.open()
    }

    /// The archive, and an index of it, to be read. What the index does not take is counted in a message.
    pub(crate) fn open(&self) -> Result<History, Stop> {
        let (history, missing, _) = self.updated()?;
        if let Some(missing) = missing {
            say(&format!("! {missing}\n"));
        }
        Ok(history)
    }

    /// Adds to the index what was added to the archive, so that others have it at once. By a connection of its own: one
    /// from before a measurement may be lost.
    ///
    /// # Errors
    ///
    /// When the index does not take it. The archive has it nevertheless.
    pub(crate) fn update(&self) -> Result<(), Stop> {
        self.update_with(|_| false)
    }

    /// The same, also where one of the records that `is_own` selects does not fit into the index. Those of others hold
    /// up no other.
    pub(crate) fn update_with(&self, is_own: impl Fn(&Error) -> bool) -> Result<(), Stop> {
        let (_, missing, unfit) = self.updated()?;
        let own = unfit.iter().filter(|error| is_own(error)).count() as u64;
        let own = (own > 0).then(|| format!("{} not added to the index", counted(own, "record")));
        match missing.or(own) {
            None => Ok(()),
            Some(missing) => Err(Stop::Environment(missing)),
        }
    }

    /// The archive and its index, with what the index lacks, and why; and the records that do not fit into it.
    fn updated(&self) -> Result<(History, Option<String>, Vec<Error>), Stop> {
        let archive = self.archive()?;
        let Opened {
            mut index,
            not_kept,
        } = index_location::open(self.index.as_deref(), archive.path())?;
        let Updated {
            damaged,
            unfit,
            left,
            ..
        } = update(&mut *index, &archive)?;
        for error in damaged.iter().chain(&unfit) {
            say(&format!("warning: skipped {error}\n"));
        }
        let folder = archive.path();
        let missing = match (left, not_kept) {
            (Some(Left { count, why }), _) => {
                let records = counted(count as u64, "record");
                Some(format!(
                    "{records} of {folder:?} not added to the index: {why}"
                ))
            }
            (None, Some(why)) => Some(format!(
                "no index is kept, the records in {folder:?} are read each time: {why}"
            )),
            (None, None) => None,
        };
        Ok((History { archive, index }, missing, unfit))
    }
}
