//! The index of a team, on a server of PostgreSQL.

mod address;
mod connection;
mod failure;
mod password;
mod reason;
mod roles;
mod tables;

use std::collections::HashSet;

use ::postgres::types::ToSql;
use ::postgres::{Client, Row, Transaction};

pub use self::address::ServerAddress;
pub(crate) use self::connection::connect;
pub(crate) use self::failure::failed;
pub use self::roles::Rights;
use crate::new_rows::{Held, NewRows};
use crate::{Error, Index, IndexedRun, Point, RunSummary, Series, queries};

/// Points in one statement: a few megabytes.
const POINTS_AT_ONCE: usize = 50_000;

/// An index on a server.
///
/// Its tables are in the schema `tourbillon` of the database. Several writers may be at work at once.
pub struct PostgresIndex {
    client: Client,
    address: ServerAddress,
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
    /// Connects to an index, and makes its tables or brings them up to date where the role may.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached or refuses, or when the tables are of a newer version.
    pub fn open(address: &ServerAddress) -> Result<PostgresIndex, Error> {
        Ok(PostgresIndex {
            client: connect(address)?,
            address: address.clone(),
        })
    }

    fn rows<T>(
        &mut self,
        query: &str,
        parameters: &[&(dyn ToSql + Sync)],
        read: impl Fn(&Row) -> Result<T, ::postgres::Error>,
    ) -> Result<Vec<T>, Error> {
        let rows = self.client.query(query, parameters);
        let rows = rows.and_then(|rows| rows.iter().map(read).collect());
        rows.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &::postgres::Error) -> Error {
        failed(&self.address, error)
    }
}

impl Index for PostgresIndex {
    fn records(&mut self) -> Result<HashSet<String>, Error> {
        let records = self.rows(queries::RECORDS, &[], |row| row.try_get(0))?;
        Ok(records.into_iter().collect())
    }

    fn insert(&mut self, runs: &[RunSummary]) -> Result<(), Error> {
        let transaction = self.client.transaction();
        let inserted = transaction.and_then(|mut transaction| {
            tables::lock(&mut transaction)?;
            let rows = NewRows::of(runs, held(&mut transaction)?);
            insert(&mut transaction, &rows)?;
            transaction.commit()
        });
        inserted.map_err(|error| self.failed(&error))
    }

    fn runs(&mut self) -> Result<Vec<IndexedRun>, Error> {
        self.rows(queries::RUNS, &[], |row| {
            let started: i64 = row.try_get(3)?;
            Ok(IndexedRun {
                number: row.try_get(0)?,
                record: row.try_get(1)?,
                commit: row.try_get(2)?,
                started_unix_ns: started.unsigned_abs(),
                package: row.try_get(4)?,
                target: row.try_get(5)?,
                machine: row.try_get(6)?,
                machine_name: row.try_get(7)?,
            })
        })
    }

    fn series(&mut self) -> Result<Vec<Series>, Error> {
        self.rows(queries::SERIES, &[], series)
    }

    fn points(&mut self, series: i64, runs: Option<&[i64]>) -> Result<Vec<Point>, Error> {
        let point = |row: &Row| {
            Ok(Point {
                run: row.try_get(0)?,
                value: row.try_get(1)?,
                lower: row.try_get(2)?,
                upper: row.try_get(3)?,
            })
        };
        let all = queries::POINTS;
        match runs {
            None => self.rows(&format!("{all} ORDER BY run"), &[&series], point),
            Some(runs) => {
                let query = format!("{all} AND run = ANY($2) ORDER BY run");
                self.rows(&query, &[&series, &runs], point)
            }
        }
    }
}

fn series(row: &Row) -> Result<Series, ::postgres::Error> {
    Ok(Series {
        number: row.try_get(0)?,
        case: row.try_get(1)?,
        metric: row.try_get(2)?,
        unit: row.try_get(3)?,
        machine: row.try_get(4)?,
        engine: row.try_get(5)?,
        method: row.try_get(6)?,
    })
}

/// What the index has.
fn held(transaction: &mut Transaction<'_>) -> Result<Held, ::postgres::Error> {
    let last_run = transaction.query_one(queries::LAST_RUN, &[])?.try_get(0)?;
    let records = transaction.query(queries::RECORDS, &[])?;
    let records = records.iter().map(|row| row.try_get(0));
    let mut held = Held::new(records.collect::<Result<_, _>>()?, last_run);
    for row in transaction.query(queries::SERIES, &[])? {
        held.add_series(&series(&row)?);
    }
    Ok(held)
}

/// Adds rows. Columns travel as lists: one statement adds many rows, and leaves the connection usable if it fails.
fn insert(transaction: &mut Transaction<'_>, rows: &NewRows<'_>) -> Result<(), ::postgres::Error> {
    let runs = &rows.runs;
    let text = |part: fn(&RunSummary) -> &str| column(runs, |new| part(new.summary));
    transaction.execute(
        "INSERT INTO runs (run, record, commit_id, started, package, target, machine, machine_name) \
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], \
         $7::text[], $8::text[])",
        &[
            &column(runs, |new| new.number),
            &text(|run| &run.record),
            &column(runs, |new| new.summary.commit.as_deref()),
            &column(runs, |new| new.started),
            &text(|run| &run.package),
            &text(|run| &run.target),
            &text(|run| &run.machine.key),
            &text(|run| &run.machine.name),
        ],
    )?;
    let numbers = column(&rows.series, |new| new.0);
    let parts = [0, 1, 2, 3, 4, 5].map(|part| column(&rows.series, |new| new.1[part]));
    let [case, metric, unit, machine, engine, method] = &parts;
    transaction.execute(
        "INSERT INTO series (series, case_id, metric, unit, machine, engine, method) \
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])",
        &[&numbers, case, metric, unit, machine, engine, method],
    )?;
    let statement = transaction.prepare(
        "INSERT INTO points (series, run, value, lower_end, upper_end) \
         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::float8[], $4::float8[], $5::float8[])",
    )?;
    for points in rows.points.chunks(POINTS_AT_ONCE) {
        transaction.execute(
            &statement,
            &[
                &column(points, |point| point.series),
                &column(points, |point| point.run),
                &column(points, |point| point.value),
                &column(points, |point| point.lower),
                &column(points, |point| point.upper),
            ],
        )?;
    }
    Ok(())
}

fn column<'r, R, T>(rows: &'r [R], part: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(part).collect()
}
