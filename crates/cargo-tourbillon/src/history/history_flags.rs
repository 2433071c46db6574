//! Where the history is.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use tourbillon_index::{Archive, ComparisonSummary, Index, IndexAddress, Left, Updated, update};
use tourbillon_report::counted;

use super::index::{self, Opened};
use crate::exit::{Stop, say};
use crate::record_file::{parse, split};
use crate::store_flags::StoreFlag;

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
        let (source, named) = match &self.history {
            Some(folder) => ("--history", Some(folder.clone())),
            None => (VARIABLE, variable.map(PathBuf::from)),
        };
        let folder = match named {
            Some(folder) => folder,
            None => self.store.path().locate()?.store.path().join(FOLDER),
        };
        match IndexAddress::parse(folder.as_os_str()) {
            Ok(IndexAddress::File(folder)) => Ok(Archive::new(folder)),
            _ => Err(Stop::Usage(format!(
                "{source} names a folder; name the server of the index with --index or TOURBILLON_INDEX, and write \
                 ./NAME for a folder with a colon, an @ or an equals sign in its name"
            ))),
        }
    }

    /// The archive, and an index of it, to be read. What the index does not take is counted in a message.
    pub(super) fn open(&self) -> Result<History, Stop> {
        let (history, missing) = self.updated()?;
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
    pub(super) fn update(&self) -> Result<(), Stop> {
        match self.updated()? {
            (_, None) => Ok(()),
            (_, Some(missing)) => Err(Stop::Environment(missing)),
        }
    }

    /// The archive and its index, with what the index lacks, and why.
    fn updated(&self) -> Result<(History, Option<String>), Stop> {
        let archive = self.archive()?;
        let Opened {
            mut index,
            not_kept,
        } = index::open(self.index.as_deref(), archive.path())?;
        let Updated { damaged, left, .. } = update(&mut *index, &archive)?;
        for error in damaged {
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
        Ok((History { archive, index }, missing))
    }
}
