//! The index in a file, by SQLite.

mod database;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, OpenFlags, Row, Transaction, TransactionBehavior, params_from_iter};

use tourbillon_clock::Stopwatch;
use tourbillon_values::inputs;

use self::database::{
    APPLICATION, Contents, OTHER_FILE, VERSION, beside, contents, failed, first, is_busy, steps,
};
use crate::index::columns::{Column, NewRows};
use crate::index::error::is_denial;
use crate::index::new_rows::{self, Held};
use crate::index::{
    ComparisonSummary, Error, Failure, FileKind, Index, IndexedRun, Log, Point, RunSummary, Series,
    queries,
};

/// How long another program may be in the way of an attempt, how often is tried, and how long at most: some attempts
/// wait for longer by themselves.
const ATTEMPT: Duration = Duration::from_secs(1);
const ATTEMPTS: u32 = 60;
const ALL_NS: u64 = 60_000_000_000;

/// An index in a file.
#[derive(Debug)]
pub struct SqliteIndex {
    connection: Connection,
    path: PathBuf,
    log: Log,
}

impl SqliteIndex {
    /// Opens an index, and makes it if it does not exist. An older one is deleted and made again, empty. Where another
    /// program is in the way, `log` gets a message, and gives up after a minute.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written, is damaged, is no index, is a link, or is one of a newer version.
    pub fn open(path: &Path, log: Log) -> Result<SqliteIndex, Error> {
        let opened = SqliteIndex::opened(path, log);
        // Also one that cannot be used, which an output would replace as well.
        inputs::note(path);
        for path in beside(path) {
            inputs::note_name(&path);
        }
        opened
    }

    fn opened(path: &Path, log: Log) -> Result<SqliteIndex, Error> {
        match fs::symlink_metadata(path) {
            Ok(about) if about.is_symlink() => {
                let what = "is a link, which is not followed; name the file that it leads to with --index FILE";
                return Err(Error::new(path, what));
            }
            Ok(about) if !about.is_file() => {
                return Err(Error::new(path, format!("is not a file; {OTHER_FILE}")));
            }
            _ => {}
        }
        let mut index = SqliteIndex::connect(path, log)?;
        if index.contents()?.is_older() {
            drop(index);
            for path in beside(path).iter().map(PathBuf::as_path).chain([path]) {
                let _ = fs::remove_file(path);
            }
            index = SqliteIndex::connect(path, log)?;
        }
        index.prepare()?;
        Ok(index)
    }

    /// An empty index in memory, for where none can be kept.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    pub fn in_memory() -> Result<SqliteIndex, Error> {
        let path = PathBuf::from("the index in memory");
        let connection = Connection::open_in_memory().map_err(|error| failed(&path, &error))?;
        let index = SqliteIndex {
            connection,
            path,
            log: |_| (),
        };
        index.prepare()?;
        Ok(index)
    }

    fn connect(path: &Path, log: Log) -> Result<SqliteIndex, Error> {
        // Another user who may write to the folder could put a link there to any file of the user.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(in_folder(path)?, flags).and_then(|connection| {
                connection.busy_timeout(ATTEMPT)?;
                Ok(connection)
            });
        Ok(SqliteIndex {
            connection: connection.map_err(|error| failed(path, &error))?,
            path: path.to_owned(),
            log,
        })
    }

    /// What the file is. A reader of an index needs no right to write.
    fn contents(&self) -> Result<Contents, Error> {
        self.patiently(|| contents(&self.connection))
    }

    /// Makes the tables where there are none.
    fn prepare(&self) -> Result<(), Error> {
        let makes = |transaction: &Transaction<'_>| {
            // Another program may have been first.
            match contents(transaction)? {
                Contents::Nothing => transaction.execute_batch(&format!(
                    "{} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};",
                    steps()
                )),
                _ => Ok(()),
            }
        };
        if let Contents::Nothing = self.contents()? {
            self.write(makes)?;
        }
        match self.contents()? {
            Contents::Index { version: VERSION } => {}
            older if older.is_older() => {
                let what = format!("is an older index, which cannot be removed; {OTHER_FILE}");
                return Err(Error::new(&self.path, what).denied(true));
            }
            Contents::Index { version } => {
                let what = format!(
                    "the index has version {version}, this program knows {VERSION}; install a newer cargo-tourbillon, \
                     {OTHER_FILE}, or remove this one, which is made again from the records"
                );
                return Err(Error::new(&self.path, what));
            }
            Contents::Nothing | Contents::Other => {
                let what = "is a database of another program, which stays as it is";
                return Err(Error::new(&self.path, format!("{what}; {OTHER_FILE}")));
            }
        }
        // So that readers do not wait for a writer; without it, in use by another program for example, they do. After
        // a crash of the machine the index is made again from the archive.
        let _ = self.connection.execute_batch("PRAGMA journal_mode = WAL;");
        let settings = "PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;";
        self.patiently(|| self.connection.execute_batch(settings))
    }

    /// Tries again as long as another program is in the way, and says so once.
    fn patiently<T>(&self, attempt: impl Fn() -> rusqlite::Result<T>) -> Result<T, Error> {
        let start = Stopwatch::start();
        let mut tries = 1;
        let is_patient = |tries| tries < ATTEMPTS && start.elapsed_ns() < ALL_NS;
        loop {
            match attempt() {
                Err(error) if is_busy(&error) && is_patient(tries) => {
                    if tries == 1 {
                        let path = &self.path;
                        (self.log)(&format!("waiting: another program writes to {path:?}\n"));
                    }
                    tries += 1;
                }
                result => return result.map_err(|error| failed(&self.path, &error)),
            }
        }
    }

    fn rows<T>(
        &self,
        query: &str,
        parameters: impl rusqlite::Params + Clone,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        self.patiently(|| {
            let mut statement = self.connection.prepare(query)?;
            let rows = statement.query_map(parameters.clone(), &read)?;
            rows.collect()
        })
    }

    /// Changes the index, all or nothing. Other writers wait.
    fn write(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), Error> {
        let transaction = self.patiently(|| {
            Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
        })?;
        let written = change(&transaction).and_then(|()| transaction.commit());
        written.map_err(|error| failed(&self.path, &error))
    }
}

/// The path of a file without links to its folder, which SQLite follows no more than the last one. The folder is made.
fn in_folder(file: &Path) -> Result<PathBuf, Error> {
    let folder = file
        .parent()
        .filter(|folder| *folder != Path::new(""))
        .unwrap_or(Path::new("."));
    let made = fs::create_dir_all(folder)
        .and_then(|()| fs::canonicalize(folder))
        .map_err(|error: io::Error| {
            let what = format!("cannot be made: {error}; {OTHER_FILE}");
            Error::new(folder, what).denied(is_denial(&error))
        })?;
    Ok(made.join(file.file_name().unwrap_or_default()))
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

impl queries::AnswerRow for Row<'_> {
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
        let value: Option<f64> = self.get(column)?;
        value.map(|value| finite(column, value)).transpose()
    }

    fn real(&self, column: usize) -> rusqlite::Result<f64> {
        finite(column, self.get(column)?)
    }
}

fn finite(column: usize, value: f64) -> rusqlite::Result<f64> {
    let infinite = || rusqlite::Error::InvalidColumnType(column, value.to_string(), Type::Real);
    value.is_finite().then_some(value).ok_or_else(infinite)
}

/// What the index has.
fn held(transaction: &Transaction<'_>) -> rusqlite::Result<Held> {
    let mut statement = transaction.prepare(queries::hashes(FileKind::Run))?;
    let records = statement
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A run, and an index that another connection may hold.
    fn index(folder: &Path) -> (Vec<RunSummary>, SqliteIndex, Connection) {
        let run = tourbillon_record::Run::default();
        let run = RunSummary::of(&run, &"0".repeat(64), None);
        let file = folder.join("index.sqlite");
        let index = SqliteIndex::open(&file, |_| ()).expect("an index");
        let other = Connection::open(&file).expect("a database");
        (vec![run], index, other)
    }

    #[test]
    fn a_writer_says_once_what_it_waits_for() {
        static SAID: AtomicUsize = AtomicUsize::new(0);
        let folder = tempfile::tempdir().expect("a folder");
        let (runs, mut index, other) = index(folder.path());
        index.log = |what| {
            assert!(
                what.starts_with("waiting: another program writes to \""),
                "{what}"
            );
            assert!(what.ends_with("index.sqlite\"\n"), "{what}");
            SAID.fetch_add(1, Ordering::Relaxed);
        };
        // Each of the attempts ends at once.
        index
            .connection
            .busy_timeout(Duration::ZERO)
            .expect("no wait");
        other.execute_batch("BEGIN IMMEDIATE").expect("at work");
        let error = index.insert(&runs).expect_err("another writer").to_string();
        assert!(
            error.contains("for a minute; repeat the command, or name another file"),
            "{error}"
        );
        assert_eq!(SAID.load(Ordering::Relaxed), 1);
        other.execute_batch("COMMIT").expect("done");
        index.insert(&runs).expect("inserted");
        assert_eq!(SAID.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_index_without_rights_or_room_answers_and_names_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let (runs, mut index, _other) = index(folder.path());
        for (limit, what) in [
            ("PRAGMA query_only = ON", "readonly database"),
            (
                "PRAGMA query_only = OFF; PRAGMA max_page_count = 1",
                "is full",
            ),
        ] {
            // The second pragma has an answer.
            let _ = index.connection.execute_batch(limit);
            let many: Vec<RunSummary> = (0..2_000)
                .map(|number| {
                    let mut run = runs[0].clone();
                    run.record = format!("{number:064}");
                    run
                })
                .collect();
            let error = index.insert(&many).expect_err("no right");
            assert!(
                error.is_denied() && error.to_string().contains(what),
                "{error}"
            );
            assert_eq!(index.runs().expect("an answer"), []);
        }
    }
}
