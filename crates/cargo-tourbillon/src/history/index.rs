//! The index that the user names.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use tourbillon_index::Index;

use crate::exit::Stop;

/// The variable that names the index.
const VARIABLE: &str = "TOURBILLON_INDEX";

/// Opens the index of `--index`, else of the variable, else the file in the folder of the history.
pub(super) fn open(flag: Option<&OsStr>, folder: &Path) -> Result<Box<dyn Index>, Stop> {
    let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let (source, named) = match flag {
        Some(value) => ("--index", Some(value.to_owned())),
        None => (VARIABLE, variable),
    };
    let otherwise = || OsString::from(folder.join("index.sqlite"));
    let named = named.unwrap_or_else(otherwise);
    match named.to_str() {
        Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
            server(source, url)
        }
        _ => file(Path::new(&named)),
    }
}

#[cfg(feature = "postgres")]
fn server(source: &str, url: &str) -> Result<Box<dyn Index>, Stop> {
    let address = crate::server::address(source, url, VARIABLE)?;
    Ok(Box::new(tourbillon_index::PostgresIndex::open(&address)?))
}

#[cfg(not(feature = "postgres"))]
fn server(source: &str, _: &str) -> Result<Box<dyn Index>, Stop> {
    Err(Stop::Environment(format!(
        "{source}: this program was built without PostgreSQL; install cargo-tourbillon with --features postgres"
    )))
}

#[cfg(feature = "sqlite")]
fn file(path: &Path) -> Result<Box<dyn Index>, Stop> {
    Ok(Box::new(tourbillon_index::SqliteIndex::open(path)?))
}

#[cfg(not(feature = "sqlite"))]
fn file(_: &Path) -> Result<Box<dyn Index>, Stop> {
    let what = "this program was built without SQLite";
    Err(Stop::Environment(format!(
        "{what}; install cargo-tourbillon with the feature sqlite"
    )))
}
