//! Where the history is.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use tourbillon_index::{Archive, ComparisonSummary, Index, update};

use super::index;
use crate::exit::{Stop, say};
use crate::record_file::{parse, split};
use crate::records::StoreFlag;

/// The variable that names the folder.
const VARIABLE: &str = "TOURBILLON_HISTORY";
/// The folder of the history in the store.
const FOLDER: &str = "history";

#[derive(Clone, Debug, Args)]
pub(super) struct HistoryFlags {
    /// Folder of the history [TOURBILLON_HISTORY, else history in the store]
    #[arg(long, value_name = "DIR", global = true)]
    history: Option<PathBuf>,
    /// Index: a file, or postgres://USER@HOST/DATABASE [TOURBILLON_INDEX, else index.sqlite in the folder]
    #[arg(long, value_name = "FILE|URL", global = true)]
    index: Option<OsString>,
    #[command(flatten)]
    pub(super) store: StoreFlag,
}

/// The history of a project.
pub(super) struct History {
    pub(super) archive: Archive,
    pub(super) index: Box<dyn Index>,
}

impl History {
    /// Adds the runs of a record that ended and have results, as those of a commit. Returns how many have some.
    pub(super) fn add_runs(&self, record: &[u8], commit: &str) -> Result<usize, Stop> {
        let mut count = 0;
        for lines in split(record) {
            for stored in parse(lines).map_err(Stop::Environment)? {
                let run = &stored.run;
                let has_results = run.results.iter().any(|result| result.estimate.is_ok());
                if run.end.is_some() && has_results {
                    self.archive.add(run, lines, Some(commit))?;
                    count += 1;
                }
            }
        }
        Ok(count)
    }

    /// Adds the record of a comparison that was measured now; `None` if it has no verdict on two commits.
    pub(super) fn add_comparison(&self, record: &str) -> Result<Option<ComparisonSummary>, Stop> {
        let bytes = record.as_bytes();
        let mut stored = parse(bytes).map_err(Stop::Environment)?;
        let added = match stored.pop() {
            Some(stored) => self.archive.add_comparison(&stored.run, bytes)?,
            None => None,
        };
        Ok(added.map(|(comparison, _)| comparison))
    }
}

impl HistoryFlags {
    /// The archive.
    pub(super) fn archive(&self) -> Result<Archive, Stop> {
        let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let named = self.history.clone().or(variable.map(PathBuf::from));
        let folder = match named {
            Some(folder) => folder,
            None => self.store.locate()?.store.path().join(FOLDER),
        };
        Ok(Archive::new(folder))
    }

    /// The archive, and an index that has all of it.
    pub(super) fn open(&self) -> Result<History, Stop> {
        let archive = self.archive()?;
        let mut index = index::open(self.index.as_deref(), archive.path())?;
        let (_, damaged) = update(&mut *index, &archive)?;
        for error in damaged {
            say(&format!("warning: skipped {error}\n"));
        }
        Ok(History { archive, index })
    }

    /// Adds to the index what was added to the archive, so that others have it at once. By a connection of its own: one
    /// from before a measurement may be lost.
    pub(super) fn update(&self) -> Result<(), Stop> {
        self.open().map(drop)
    }
}
