//! The index that the user names.

use std::env;
use std::ffi::OsStr;
use std::path::Path;

use tourbillon_tool::exit::Stop;

use crate::index::{Index, IndexAddress};
#[cfg(any(feature = "postgres", feature = "sqlite"))]
use tourbillon_tool::exit::say;

/// The variable that names the index.
pub(crate) const VARIABLE: &str = "TOURBILLON_INDEX";

/// An index that was opened.
pub(crate) struct Opened {
    pub(crate) index: Box<dyn Index>,
    /// Why the one that is named cannot be kept: this one is in memory, and empty.
    pub(crate) not_kept: Option<String>,
}

impl Opened {
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    fn kept(index: impl Index + 'static) -> Opened {
        Opened {
            index: Box::new(index),
            not_kept: None,
        }
    }
}

/// Opens the index of `--index`, else of the variable, else the file in the folder of the history.
pub(crate) fn open(flag: Option<&OsStr>, folder: &Path) -> Result<Opened, Stop> {
    let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let (source, named) = match flag {
        Some(value) => ("--index", Some(value.to_owned())),
        None => (VARIABLE, variable),
    };
    let Some(named) = named else {
        return file(&folder.join("index.sqlite"));
    };
    let address = IndexAddress::parse(&named);
    match address.map_err(|what| Stop::Usage(format!("{source}: {what}")))? {
        IndexAddress::Server(url) => server(source, &url),
        IndexAddress::File(path) => file(&path),
    }
}

#[cfg(feature = "postgres")]
fn server(source: &str, url: &str) -> Result<Opened, Stop> {
    let address = crate::server::address(source, url, VARIABLE)?;
    let index = crate::index::PostgresIndex::open(&address, say)?;
    Ok(Opened::kept(index))
}

#[cfg(not(feature = "postgres"))]
fn server(source: &str, _: &str) -> Result<Opened, Stop> {
    Err(Stop::Environment(format!(
        "{source}: this program was built without PostgreSQL; install cargo-tourbillon with --features postgres"
    )))
}

#[cfg(feature = "sqlite")]
fn file(path: &Path) -> Result<Opened, Stop> {
    use crate::index::SqliteIndex;
    match SqliteIndex::open(path, say) {
        // The records have all that it would have.
        Err(why) if why.is_denied() => Ok(Opened {
            index: Box::new(SqliteIndex::in_memory()?),
            not_kept: Some(why.to_string()),
        }),
        index => Ok(Opened::kept(index?)),
    }
}

#[cfg(not(feature = "sqlite"))]
fn file(_: &Path) -> Result<Opened, Stop> {
    let what = "this program was built without SQLite";
    Err(Stop::Environment(format!(
        "{what}; install cargo-tourbillon with the feature sqlite"
    )))
}
