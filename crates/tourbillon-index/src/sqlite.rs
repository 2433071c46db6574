//! The index in a file, by SQLite.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, Row, Transaction, TransactionBehavior, params_from_iter};

use crate::columns::{Column, NewRows};
use crate::new_rows::{self, Held};
use crate::{
    ComparisonSummary, Error, Failure, FileKind, Index, IndexedRun, Point, RunSummary, Series,
    queries, tables,
};

/// Version of the tables. An index of another version is made again.
const VERSION: i64 = 2;

/// What SQLite calls the application of a file: "TBIX". Files of others are never changed.
const APPLICATION: i64 = 0x5442_4958;

/// How long a writer waits for another one.
const WAIT: Duration = Duration::from_secs(60);

/// An index in a file.
#[derive(Debug)]
pub struct SqliteIndex {
    connection: Connection,
    path: PathBuf,
}

impl SqliteIndex {
    /// Opens an index, and makes it if it does not exist. One of another version is deleted and made again, empty.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written, is damaged, or is no index.
    pub fn open(path: &Path) -> Result<SqliteIndex, Error> {
        if let Some(folder) = path.parent() {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| Error::new(folder, format!("cannot be made: {error}")))?;
        }
        let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::new(
                path,
                "is not an index, or is damaged; an index may be removed and is made again",
            ),
            _ => Error::new(path, error),
        };
        if let Some(connection) = connected(path).map_err(failed)? {
            return Ok(SqliteIndex {
                connection,
                path: path.to_owned(),
            });
        }
        for ending in ["", "-wal", "-shm", "-journal"] {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            let _ = fs::remove_file(PathBuf::from(name));
        }
        match connected(path).map_err(failed)? {
            Some(connection) => Ok(SqliteIndex {
                connection,
                path: path.to_owned(),
            }),
            None => Err(Error::new(path, "an index of another version is in use")),
        }
    }

    fn rows<T>(
        &self,
        query: &str,
        parameters: impl rusqlite::Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let rows = self.connection.prepare(query).and_then(|mut statement| {
            let rows = statement.query_map(parameters, read)?;
            rows.collect::<rusqlite::Result<Vec<T>>>()
        });
        rows.map_err(|error| Error::new(&self.path, error))
    }

    /// Changes the index, all or nothing. Other writers wait.
    fn write(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), Error> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let written = transaction.and_then(|transaction| {
            change(&transaction)?;
            transaction.commit()
        });
        written.map_err(|error| Error::new(&self.path, error))
    }
}

impl Index for SqliteIndex {
    fn hashes(&mut self, of: FileKind) -> Result<HashSet<String>, Error> {
        let hashes = self.rows(queries::hashes(of), [], |row| row.get(0))?;
        Ok(hashes.into_iter().collect())
    }

    fn insert(&mut self, runs: &[RunSummary]) -> Result<(), Error> {
        self.write(|transaction| {
            let rows = new_rows::of_runs(runs, held(transaction)?);
            rows.iter().try_for_each(|rows| insert(transaction, rows))
        })
    }

    fn insert_comparisons(&mut self, comparisons: &[ComparisonSummary]) -> Result<(), Error> {
        let rows = new_rows::of_comparisons(comparisons);
        self.write(|transaction| rows.iter().try_for_each(|rows| insert(transaction, rows)))
    }

    fn insert_failures(&mut self, failures: &[Failure]) -> Result<(), Error> {
        let hashes: Vec<String> = failures.iter().map(Failure::hash).collect();
        let rows = new_rows::of_failures(failures, &hashes);
        self.write(|transaction| insert(transaction, &rows))
    }

    fn runs(&mut self) -> Result<Vec<IndexedRun>, Error> {
        self.rows(queries::RUNS, [], |row| queries::run(row))
    }

    fn series(&mut self) -> Result<Vec<Series>, Error> {
        self.rows(queries::SERIES, [], |row| queries::series(row))
    }

    fn points(&mut self, series: i64, runs: Option<&[i64]>) -> Result<Vec<Point>, Error> {
        let all = queries::POINTS;
        let query = match runs {
            None => format!("{all} ORDER BY run"),
            Some(runs) => {
                let runs: Vec<String> = runs.iter().map(i64::to_string).collect();
                format!("{all} AND run IN ({}) ORDER BY run", runs.join(","))
            }
        };
        self.rows(&query, [series], |row| queries::point(row))
    }

    fn comparisons(&mut self) -> Result<Vec<ComparisonSummary>, Error> {
        let comparisons = self.rows(queries::COMPARISONS, [], |row| queries::comparison(row))?;
        let verdicts = self.rows(queries::VERDICTS, [], |row| queries::verdict(row))?;
        Ok(queries::with_verdicts(comparisons, verdicts))
    }

    fn failures(&mut self) -> Result<Vec<Failure>, Error> {
        self.rows(queries::FAILURES, [], |row| queries::failure(row))
    }
}

impl queries::Row for Row<'_> {
    type Error = rusqlite::Error;

    fn integer(&self, column: usize) -> rusqlite::Result<i64> {
        self.get(column)
    }

    fn optional_text(&self, column: usize) -> rusqlite::Result<Option<String>> {
        self.get(column)
    }

    fn text(&self, column: usize) -> rusqlite::Result<String> {
        self.get(column)
    }

    fn optional_real(&self, column: usize) -> rusqlite::Result<Option<f64>> {
        self.get(column)
    }

    fn real(&self, column: usize) -> rusqlite::Result<f64> {
        self.get(column)
    }
}

/// What makes the tables, each sorted by its key.
fn steps() -> String {
    [tables::RUNS, tables::COMPARISONS]
        .concat()
        .replace("\n);", "\n) WITHOUT ROWID;")
}

/// A connection to an index, which is made if there is none; `None` for an index of another version.
fn connected(path: &Path) -> rusqlite::Result<Option<Connection>> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(WAIT)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let application: i64 = first(&transaction, "PRAGMA application_id")?;
    let version: i64 = first(&transaction, "PRAGMA user_version")?;
    let tables: i64 = first(&transaction, "SELECT count(*) FROM sqlite_schema")?;
    match (application, version, tables) {
        (APPLICATION, VERSION, _) => {}
        (APPLICATION, ..) => return Ok(None),
        (0, 0, 0) => transaction.execute_batch(&format!(
            "{} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};",
            steps()
        ))?,
        _ => {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_NOTADB);
            return Err(rusqlite::Error::SqliteFailure(code, None));
        }
    }
    transaction.commit()?;
    use_write_ahead_log(&connection)?;
    // After a crash of the machine the index is made again from the archive.
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")?;
    Ok(Some(connection))
}

/// Changes the journal of a new index, so that readers do not wait for a writer.
///
/// Two connections that change it at once would wait for each other: SQLite refuses one of them without a wait, and
/// that one tries again.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        let changed = connection.execute_batch("PRAGMA journal_mode = WAL;");
        let code = changed.as_ref().err().and_then(|e| e.sqlite_error_code());
        if code != Some(ErrorCode::DatabaseBusy) || start.elapsed() > WAIT {
            return changed;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The first column of the first row.
fn first<T: FromSql>(connection: &Connection, query: &str) -> rusqlite::Result<T> {
    connection.query_row(query, [], |row| row.get(0))
}

/// What the index has.
fn held(transaction: &Transaction<'_>) -> rusqlite::Result<Held> {
    let mut statement = transaction.prepare(queries::hashes(FileKind::Run))?;
    let records = statement.query_map([], |row| row.get(0))?;
    let records = records.collect::<rusqlite::Result<_>>()?;
    let mut held = Held::new(records, first(transaction, queries::LAST_RUN)?);
    let mut statement = transaction.prepare(queries::SERIES)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        held.add_series(&queries::series(row)?);
    }
    Ok(held)
}

fn insert(transaction: &Transaction<'_>, rows: &NewRows<'_>) -> rusqlite::Result<()> {
    let values = |values: &[String]| format!("VALUES ({})", values.join(", "));
    let mut statement = transaction.prepare(&rows.statement(values))?;
    for row in 0..rows.count() {
        let values = rows.columns.iter().map(|(_, column)| value(column, row));
        statement.execute(params_from_iter(values))?;
    }
    Ok(())
}

/// The value of a column in a row.
fn value<'r>(column: &Column<'r>, row: usize) -> ToSqlOutput<'r> {
    ToSqlOutput::Borrowed(match column {
        Column::Integers(values) => ValueRef::Integer(values[row]),
        Column::Texts(values) => values[row].into(),
        Column::Reals(values) => values[row].map_or(ValueRef::Null, ValueRef::Real),
    })
}
