//! The queue in its tables.

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::job::Job;
use super::patience::Patience;
use crate::Error;
use crate::postgres::{Client, ServerAddress, ServerError, Transaction, connect, failed};

/// Most letters of the reason of a failure.
const LONGEST_REASON: usize = 4_000;

/// A queue on a server, in the schema of the [index](crate::PostgresIndex).
pub struct Queue {
    pub(super) client: Client,
    pub(super) address: ServerAddress,
    pub(super) patience: Patience,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut queue = f.debug_struct("Queue");
        queue
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Queue {
    /// Connects, and makes the tables or brings them up to date where the role may.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached or refuses, or when the tables are of a newer version.
    pub fn open(address: &ServerAddress, patience: Patience) -> Result<Queue, Error> {
        Ok(Queue {
            client: connect(address)?,
            address: address.clone(),
            patience,
        })
    }

    /// Adds a request with a job for each of `shards`, and gives its number. A job fails after `attempts` claims
    /// without a result.
    ///
    /// # Errors
    ///
    /// When the server refuses or the connection is lost; nothing is added then.
    pub fn add(&mut self, comparison: &str, shards: u64, attempts: u64) -> Result<i64, Error> {
        let (shards, attempts) = (bounded(shards), bounded(attempts));
        let transaction = self.client.transaction();
        let added = transaction.and_then(|transaction| {
            let query = "INSERT INTO requests (comparison) VALUES ($1) RETURNING request";
            let request: i64 = transaction.query_one(query, &[&comparison])?.try_get(0)?;
            transaction.execute(
                "INSERT INTO jobs (request, shard, shards, state, attempts, attempts_left) \
                 SELECT $1::bigint, shard, $2::bigint, 'waiting', 0, $3::bigint \
                 FROM generate_series(1, $2::bigint) AS shard ORDER BY shard",
                &[&request, &shards, &attempts],
            )?;
            transaction.commit()?;
            Ok(request)
        });
        added.map_err(|error| self.failed(&error))
    }

    /// Whether no job is waiting or running.
    ///
    /// # Errors
    ///
    /// When the connection is lost.
    pub fn is_drained(&mut self) -> Result<bool, Error> {
        let query = "SELECT count(*) FROM jobs WHERE state IN ('waiting', 'running')";
        let row = self.client.query_one(query, &[]);
        let open: Result<i64, _> = row.and_then(|row| Ok(row.try_get(0)?));
        open.map(|open| open == 0)
            .map_err(|error| self.failed(&error))
    }

    /// Notes that a job is still being measured. `false`: it is no longer this claim's.
    ///
    /// # Errors
    ///
    /// When the connection is lost.
    pub fn beat(&mut self, job: &Job) -> Result<bool, Error> {
        let beat = self.change(
            "UPDATE machines SET seen = clock_timestamp() WHERE machine = $1",
            &[&job.machine],
        );
        beat?;
        self.change_claimed(job, "seen = clock_timestamp()", &[])
    }

    /// Stores the result of a job. `false`: the job is no longer this claim's, and nothing is stored. Storing again
    /// changes nothing.
    ///
    /// # Errors
    ///
    /// When the connection is lost.
    pub fn finish(&mut self, job: &Job, exit_code: u8, record: &[u8]) -> Result<bool, Error> {
        let exit_code = i64::from(exit_code);
        let transaction = self.client.transaction();
        let finished = transaction.and_then(|transaction| {
            let changed = transaction.execute(
                "UPDATE jobs SET state = 'done', failure = NULL \
                 WHERE job = $1 AND attempts = $2 AND state = 'running'",
                &[&job.number, &job.attempt],
            )?;
            if changed == 0 {
                // The answer to an earlier call may have been lost with its connection.
                let query = "SELECT count(*) FROM results WHERE job = $1 AND attempt = $2";
                let row = transaction.query_one(query, &[&job.number, &job.attempt])?;
                return Ok(row.try_get::<_, i64>(0)? == 1);
            }
            transaction.execute(
                "INSERT INTO results (job, attempt, machine, exit_code, record) VALUES ($1, $2, $3, $4, $5)",
                &[&job.number, &job.attempt, &job.machine, &exit_code, &record],
            )?;
            transaction.commit()?;
            Ok(true)
        });
        finished.map_err(|error| self.failed(&error))
    }

    /// Notes that a job has no result: it is tried again, or has failed if that was the last attempt. `false`: the
    /// job is no longer this claim's.
    ///
    /// # Errors
    ///
    /// When the connection is lost.
    pub fn fail(&mut self, job: &Job, reason: &str) -> Result<bool, Error> {
        // PostgreSQL has no text with a NUL.
        let reason = reason.replace('\0', "\u{fffd}");
        let skipped = reason.chars().count().saturating_sub(LONGEST_REASON);
        let reason: String = reason.chars().skip(skipped).collect();
        let change =
            "failure = $3, state = CASE WHEN attempts_left > 0 THEN 'waiting' ELSE 'failed' END";
        self.change_claimed(job, change, &[&reason])
    }

    /// Gives a job back as if it had not been claimed. `false`: it is no longer this claim's.
    ///
    /// # Errors
    ///
    /// When the connection is lost.
    pub fn give_back(&mut self, job: &Job) -> Result<bool, Error> {
        let change = "state = 'waiting', attempts_left = attempts_left + 1";
        self.change_claimed(job, change, &[])
    }

    /// Changes a job as long as it is this claim's.
    fn change_claimed(
        &mut self,
        job: &Job,
        change: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<bool, Error> {
        let query = format!(
            "UPDATE jobs SET {change} WHERE job = $1 AND attempts = $2 AND state = 'running'"
        );
        let own: [&(dyn ToSql + Sync); 2] = [&job.number, &job.attempt];
        let values = [&own, values].concat();
        Ok(self.change(&query, &values)? == 1)
    }

    /// How many rows a statement changes.
    pub(super) fn change(
        &mut self,
        statement: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, Error> {
        let changed = self.client.execute(statement, values);
        changed.map_err(|error| self.failed(&error))
    }

    pub(super) fn failed(&self, error: &ServerError) -> Error {
        failed(&self.address, error)
    }
}

/// A number for a column.
pub(super) fn bounded(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

type Values<'v> = &'v [&'v (dyn ToSql + Sync)];

impl Client {
    pub(super) fn query_one(&self, query: &str, values: Values<'_>) -> Result<Row, ServerError> {
        self.link.within(self.client.query_one(query, values))
    }

    pub(super) fn execute(&self, query: &str, values: Values<'_>) -> Result<u64, ServerError> {
        self.link.within(self.client.execute(query, values))
    }
}

impl Transaction<'_> {
    pub(super) fn query_opt(
        &self,
        query: &str,
        values: Values<'_>,
    ) -> Result<Option<Row>, ServerError> {
        self.link.within(self.transaction.query_opt(query, values))
    }
}
