//! The index in a file, by SQLite.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode, Row, Transaction, TransactionBehavior, params};

use crate::new_rows::{Held, NewRows};
use crate::{Error, Index, IndexedRun, Point, RunSummary, Series, queries};

/// Version of the tables. An index of another version is made again.
const VERSION: i64 = 1;

/// What SQLite calls the application of a file: "TBIX". Files of others are never changed.
const APPLICATION: i64 = 0x5442_4958;

/// The tables. Types are those that PostgreSQL has, too.
const TABLES: &str = "
CREATE TABLE runs (
    run BIGINT PRIMARY KEY,
    record TEXT NOT NULL UNIQUE,
    commit_id TEXT,
    started BIGINT NOT NULL,
    package TEXT NOT NULL,
    target TEXT NOT NULL,
    machine TEXT NOT NULL,
    machine_name TEXT NOT NULL
);
CREATE TABLE series (
    series BIGINT PRIMARY KEY,
    case_id TEXT NOT NULL,
    metric TEXT NOT NULL,
    unit TEXT NOT NULL,
    machine TEXT NOT NULL,
    engine TEXT NOT NULL,
    method TEXT NOT NULL,
    UNIQUE (case_id, metric, unit, machine, engine, method)
);
CREATE TABLE points (
    series BIGINT NOT NULL,
    run BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    lower_end DOUBLE PRECISION,
    upper_end DOUBLE PRECISION,
    PRIMARY KEY (series, run)
) WITHOUT ROWID;
";

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
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let rows = self.connection.prepare(query).and_then(|mut statement| {
            let rows = statement.query_map(parameters, read)?;
            rows.collect::<rusqlite::Result<Vec<T>>>()
        });
        rows.map_err(|error| Error::new(&self.path, error))
    }
}

impl Index for SqliteIndex {
    fn records(&mut self) -> Result<HashSet<String>, Error> {
        let records = self.rows(queries::RECORDS, [], |row| row.get(0))?;
        Ok(records.into_iter().collect())
    }

    fn insert(&mut self, runs: &[RunSummary]) -> Result<(), Error> {
        let path = self.path.clone();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let inserted = transaction.and_then(|transaction| {
            insert(&transaction, runs)?;
            transaction.commit()
        });
        inserted.map_err(|error| Error::new(&path, error))
    }

    fn runs(&mut self) -> Result<Vec<IndexedRun>, Error> {
        self.rows(queries::RUNS, [], |row| {
            let started: i64 = row.get(3)?;
            Ok(IndexedRun {
                number: row.get(0)?,
                record: row.get(1)?,
                commit: row.get(2)?,
                started_unix_ns: started.unsigned_abs(),
                package: row.get(4)?,
                target: row.get(5)?,
                machine: row.get(6)?,
                machine_name: row.get(7)?,
            })
        })
    }

    fn series(&mut self) -> Result<Vec<Series>, Error> {
        self.rows(queries::SERIES, [], series)
    }

    fn points(&mut self, series: i64, runs: Option<&[i64]>) -> Result<Vec<Point>, Error> {
        let point = |row: &Row<'_>| {
            Ok(Point {
                run: row.get(0)?,
                value: row.get(1)?,
                lower: row.get(2)?,
                upper: row.get(3)?,
            })
        };
        let all = queries::POINTS;
        match runs {
            None => self.rows(&format!("{all} ORDER BY run"), [series], point),
            Some(runs) => {
                let runs: Vec<String> = runs.iter().map(i64::to_string).collect();
                let query = format!("{all} AND run IN ({}) ORDER BY run", runs.join(","));
                self.rows(&query, [series], point)
            }
        }
    }
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
            "{TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
        ))?,
        _ => {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_NOTADB);
            return Err(rusqlite::Error::SqliteFailure(code, None));
        }
    }
    transaction.commit()?;
    // After a crash of the machine the index is made again from the archive.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;",
    )?;
    Ok(Some(connection))
}

/// The first column of the first row.
fn first<T: FromSql>(connection: &Connection, query: &str) -> rusqlite::Result<T> {
    connection.query_row(query, [], |row| row.get(0))
}

/// What the index has.
fn held(transaction: &Transaction<'_>) -> rusqlite::Result<Held> {
    let mut statement = transaction.prepare(queries::RECORDS)?;
    let records = statement.query_map([], |row| row.get(0))?;
    let records = records.collect::<rusqlite::Result<_>>()?;
    let mut held = Held::new(records, first(transaction, queries::LAST_RUN)?);
    let mut statement = transaction.prepare(queries::SERIES)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        held.add_series(&series(row)?);
    }
    Ok(held)
}

fn insert(transaction: &Transaction<'_>, runs: &[RunSummary]) -> rusqlite::Result<()> {
    let rows = NewRows::of(runs, held(transaction)?);
    let mut run_row = transaction.prepare(
        "INSERT INTO runs (run, record, commit_id, started, package, target, machine, machine_name) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )?;
    for new in rows.runs {
        let run = new.summary;
        run_row.execute(params![
            new.number,
            run.record,
            run.commit,
            new.started,
            run.package,
            run.target,
            run.machine.key,
            run.machine.name,
        ])?;
    }
    let mut series_row = transaction.prepare(
        "INSERT INTO series (series, case_id, metric, unit, machine, engine, method) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )?;
    for (number, [case, metric, unit, machine, engine, method]) in rows.series {
        series_row.execute(params![number, case, metric, unit, machine, engine, method])?;
    }
    let mut point_row = transaction.prepare(
        "INSERT INTO points (series, run, value, lower_end, upper_end) VALUES ($1, $2, $3, $4, $5)",
    )?;
    for point in rows.points {
        let row = params![
            point.series,
            point.run,
            point.value,
            point.lower,
            point.upper
        ];
        point_row.execute(row)?;
    }
    Ok(())
}

fn series(row: &Row<'_>) -> rusqlite::Result<Series> {
    Ok(Series {
        number: row.get(0)?,
        case: row.get(1)?,
        metric: row.get(2)?,
        unit: row.get(3)?,
        machine: row.get(4)?,
        engine: row.get(5)?,
        method: row.get(6)?,
    })
}
