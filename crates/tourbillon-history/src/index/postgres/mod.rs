//! The index of a team, on a server of PostgreSQL.

mod address;
mod announcements;
mod client;
mod connection;
mod failure;
mod parts;
mod password;
mod reason;
mod roles;
mod tables;

use std::collections::HashSet;
use std::error::Error as AnyError;
use std::ops::Range;

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql, Type};

pub use self::address::ServerAddress;
pub(crate) use self::client::{Client, ServerError, Transaction};
pub(crate) use self::connection::connect;
pub(crate) use self::failure::failed;
pub use self::roles::Rights;
use crate::index::columns::{Column, NewRows};
use crate::index::new_rows::{self, Held};
use crate::index::{
    ComparisonSummary, Error, Failure, FileKind, Index, IndexedRun, Log, Point, RunSummary, Series,
    queries,
};

/// Rows in one statement: a few megabytes.
const ROWS_AT_ONCE: usize = 50_000;

/// An index on a server.
///
/// Its tables are in the schema `tourbillon` of the database. Several writers may be at work at once.
pub struct PostgresIndex {
    client: Client,
    address: ServerAddress,
    log: Log,
}

impl std::fmt::Debug for PostgresIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut index = f.debug_struct("PostgresIndex");
        index
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl PostgresIndex {
    /// Connects to an index, and makes its tables or brings them up to date where the role may. A wait for another
    /// writer is a message to `log`.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached or refuses, or when the tables are of a newer version.
    pub fn open(address: &ServerAddress, log: Log) -> Result<PostgresIndex, Error> {
        Ok(PostgresIndex {
            client: connect(address)?,
            address: address.clone(),
            log,
        })
    }

    fn rows<T>(
        &mut self,
        query: &str,
        parameters: &[&(dyn ToSql + Sync)],
        read: impl Fn(&Row) -> Result<T, tokio_postgres::Error>,
    ) -> Result<Vec<T>, Error> {
        let read = |rows: Vec<Row>| rows.iter().map(read).collect::<Result<_, _>>();
        self.client
            .query(query, parameters)
            .and_then(|rows| Ok(read(rows)?))
            .map_err(|error| self.failed(&error))
    }

    /// Changes the index, all or nothing. Other writers wait.
    fn write(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> Result<(), ServerError>,
    ) -> Result<(), Error> {
        let transaction = self.client.transaction();
        let written = transaction.and_then(|transaction| {
            tables::lock(&transaction, || {
                let address = &self.address;
                (self.log)(&format!("waiting: another program writes to {address:?}\n"));
            })?;
            change(&transaction)?;
            transaction.commit()
        });
        written.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &ServerError) -> Error {
        failed(&self.address, error)
    }
}

impl Index for PostgresIndex {
    fn hashes(&mut self, of: FileKind) -> Result<HashSet<String>, Error> {
        let hashes = self.rows(queries::hashes(of), &[], |row| row.try_get(0))?;
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
        self.rows(queries::RUNS, &[], queries::run)
    }

    fn series(&mut self) -> Result<Vec<Series>, Error> {
        self.rows(queries::SERIES, &[], queries::series)
    }

    fn points(&mut self, series: i64, runs: Option<&[i64]>) -> Result<Vec<Point>, Error> {
        let all = queries::POINTS;
        match runs {
            None => self.rows(&format!("{all} ORDER BY run"), &[&series], queries::point),
            Some(runs) => {
                let query = format!("{all} AND run = ANY($2) ORDER BY run");
                self.rows(&query, &[&series, &runs], queries::point)
            }
        }
    }

    fn comparisons(&mut self) -> Result<Vec<ComparisonSummary>, Error> {
        let comparisons = self.rows(queries::COMPARISONS, &[], queries::comparison)?;
        let verdicts = self.rows(queries::VERDICTS, &[], queries::verdict)?;
        Ok(queries::with_verdicts(comparisons, verdicts))
    }

    fn failures(&mut self) -> Result<Vec<Failure>, Error> {
        self.rows(queries::FAILURES, &[], queries::failure)
    }
}

impl queries::AnswerRow for Row {
    type Error = tokio_postgres::Error;

    fn integer(&self, column: usize) -> Result<i64, tokio_postgres::Error> {
        self.try_get(column)
    }

    fn optional_text(&self, column: usize) -> Result<Option<String>, tokio_postgres::Error> {
        self.try_get(column)
    }

    fn text(&self, column: usize) -> Result<String, tokio_postgres::Error> {
        self.try_get(column)
    }

    fn optional_real(&self, column: usize) -> Result<Option<f64>, tokio_postgres::Error> {
        let value: Option<Finite> = self.try_get(column)?;
        Ok(value.map(|Finite(value)| value))
    }

    fn real(&self, column: usize) -> Result<f64, tokio_postgres::Error> {
        let Finite(value) = self.try_get(column)?;
        Ok(value)
    }
}

/// A number of a table that is neither infinite nor none.
struct Finite(f64);

impl<'r> FromSql<'r> for Finite {
    fn from_sql(of: &Type, raw: &'r [u8]) -> Result<Finite, Box<dyn AnyError + Sync + Send>> {
        let value = f64::from_sql(of, raw)?;
        let finite = value.is_finite().then_some(Finite(value));
        finite.ok_or_else(|| {
            let what = "the tables have a number that is infinite or none";
            let advice = "DROP SCHEMA tourbillon CASCADE removes them, and they are made again from the records";
            format!("{what}; {advice}").into()
        })
    }

    fn accepts(of: &Type) -> bool {
        <f64 as FromSql<'_>>::accepts(of)
    }
}

/// What the index has.
fn held(transaction: &Transaction<'_>) -> Result<Held, ServerError> {
    let last_run = transaction.query_one(queries::LAST_RUN, &[])?.try_get(0)?;
    let records = transaction
        .query(queries::hashes(FileKind::Run), &[])?
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    let mut held = Held::new(records, last_run);
    for row in transaction.query(queries::SERIES, &[])? {
        held.add_series(&queries::series(&row)?);
    }
    Ok(held)
}

/// Adds rows. Columns travel as lists: one statement adds many rows, and leaves the connection usable if it fails.
fn insert(transaction: &Transaction<'_>, rows: &NewRows<'_>) -> Result<(), ServerError> {
    let columns = &rows.columns;
    let lists = |values: &[String]| {
        let types = columns.iter().map(|(_, column)| match column {
            Column::Integers(_) => "bigint[]",
            Column::Texts(_) => "text[]",
            Column::Reals(_) => "float8[]",
        });
        let lists: Vec<String> = values
            .iter()
            .zip(types)
            .map(|(value, of)| format!("{value}::{of}"))
            .collect();
        format!("SELECT * FROM unnest({})", lists.join(", "))
    };
    let statement = transaction.prepare(&rows.statement(lists))?;
    let count = rows.count();
    for start in (0..count).step_by(ROWS_AT_ONCE) {
        let some = start..count.min(start + ROWS_AT_ONCE);
        let parts: Vec<Box<dyn ToSql + Sync + '_>> = columns
            .iter()
            .map(|(_, column)| part(column, some.clone()))
            .collect();
        let parts: Vec<&(dyn ToSql + Sync)> = parts.iter().map(AsRef::as_ref).collect();
        transaction.execute(&statement, &parts)?;
    }
    Ok(())
}

/// Some rows of a column.
fn part<'c>(column: &'c Column<'_>, rows: Range<usize>) -> Box<dyn ToSql + Sync + 'c> {
    match column {
        Column::Integers(values) => Box::new(&values[rows]),
        Column::Texts(values) => Box::new(&values[rows]),
        Column::Reals(values) => Box::new(&values[rows]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tables_are_those_of_records() {
        let read = |value: f64| Finite::from_sql(&Type::FLOAT8, &value.to_be_bytes());
        assert_eq!(read(1.5).expect("a number").0, 1.5);
        for value in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let error = read(value).err().expect("no number").to_string();
            assert!(error.contains("are made again"), "{error}");
        }
    }
}
