//! Where the history is.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use tourbillon_index::{Archive, Index, update};

use super::index;
use crate::exit::{Stop, say};
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
    store: StoreFlag,
}

/// The history of a project.
pub(super) struct History {
    pub(super) archive: Archive,
    pub(super) index: Box<dyn Index>,
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
}
