//! What a file of SQLite is, and what is wrong with it.

use std::path::{Path, PathBuf};

use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode};

use crate::index::{Error, tables};

/// Version of the tables. An older index is made again.
pub(super) const VERSION: i64 = 4;

/// What SQLite calls the application of a file: "TBIX". Files of others are never changed.
pub(super) const APPLICATION: i64 = 0x5442_4958;

/// What helps whatever is wrong with a file.
pub(super) const OTHER_FILE: &str = "name another file with --index FILE";

/// The files that SQLite reads with an index where they are there.
pub(super) fn beside(path: &Path) -> [PathBuf; 3] {
    ["-wal", "-shm", "-journal"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    })
}

/// What a database is.
pub(super) enum Contents {
    Nothing,
    Index { version: i64 },
    Other,
}

impl Contents {
    pub(super) fn is_older(&self) -> bool {
        matches!(self, Contents::Index { version } if *version < VERSION)
    }
}

/// What makes the tables, each sorted by its key.
pub(super) fn steps() -> String {
    let all = [
        tables::RUNS,
        tables::COMPARISONS,
        tables::CONDITIONS,
        tables::HOSTS,
    ];
    all.concat().replace("\n);", "\n) WITHOUT ROWID;")
}

/// What a database is.
pub(super) fn contents(connection: &Connection) -> rusqlite::Result<Contents> {
    let application: i64 = first(connection, "PRAGMA application_id")?;
    let version: i64 = first(connection, "PRAGMA user_version")?;
    let all: i64 = first(connection, "SELECT count(*) FROM sqlite_schema")?;
    // They run statements of the user who made the file, which may never end. An index has none.
    let code = "SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger')";
    let code: i64 = first(connection, code)?;
    Ok(match (application, version, all, code) {
        (APPLICATION, version, _, 0) => Contents::Index { version },
        (0, 0, 0, 0) => Contents::Nothing,
        _ => Contents::Other,
    })
}

/// Whether another program is in the way.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                // Others begin to use it at once, again and again.
                | ErrorCode::FileLockingProtocolFailed
        )
    )
}

/// What is wrong with a file, and the way out.
pub(super) fn failed(path: &Path, error: &rusqlite::Error) -> Error {
    use ErrorCode::{
        CannotOpen, DiskFull, OutOfMemory, PermissionDenied, ReadOnly, SystemIoFailure,
    };
    match error.sqlite_error_code() {
        _ if is_busy(error) => {
            let what = "another program has been writing to it for a minute; repeat the command";
            Error::new(path, format!("{what}, or {OTHER_FILE}"))
        }
        Some(CannotOpen | DiskFull | PermissionDenied | ReadOnly | SystemIoFailure) => {
            Error::new(path, format!("{error}; {OTHER_FILE}")).denied(true)
        }
        Some(OutOfMemory) => Error::new(path, error),
        // The tables and the queries are always the same: what does not fit them is damage.
        _ => {
            let what = "is not an index, or is damaged; an index may be removed and is made again from the records";
            Error::new(path, format!("{what}; else {OTHER_FILE} ({error})"))
        }
    }
}

/// The first column of the first row.
pub(super) fn first<T: FromSql>(connection: &Connection, query: &str) -> rusqlite::Result<T> {
    connection.query_row(query, [], |row| row.get(0))
}
