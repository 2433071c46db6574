//! What is in a queue, and what the user does with it.

use super::store::{Queue, bounded};
use crate::Error;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedRequest {
    /// Its number.
    pub number: i64,
    /// What is compared, as it was added.
    pub comparison: String,
    /// Its jobs.
    pub jobs: JobCounts,
    /// The shards that failed, each with the reason.
    pub failures: Vec<(i64, String)>,
}

/// How many jobs are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobCounts {
    /// Wait for a machine.
    pub waiting: i64,
    /// Are measured.
    pub running: i64,
    /// Have a result.
    pub done: i64,
    /// Had their last attempt without a result.
    pub failed: i64,
    /// Are no longer wanted.
    pub cancelled: i64,
}

impl JobCounts {
    /// Whether nothing is left to do.
    pub fn is_complete(&self) -> bool {
        self.waiting == 0 && self.running == 0
    }
}

/// A machine that has asked for jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueMachine {
    /// Its name.
    pub name: String,
    /// Seconds since its last sign of life.
    pub silent_s: i64,
    /// How many shards are pinned to it.
    pub pins: i64,
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// The shard, from 1.
    pub shard: i64,
    /// The machine that measured it.
    pub machine: String,
    /// The exit code of the comparison.
    pub exit_code: u8,
    /// The record.
    pub bytes: Vec<u8>,
}

impl Queue {
    /// All requests, the oldest first.
    ///
    /// # Errors
    ///
    /// When the connection is lost.
    pub fn requests(&mut self) -> Result<Vec<QueuedRequest>, Error> {
        let query = "SELECT request, comparison, \
                count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'running'), \
                count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'), \
                count(*) FILTER (WHERE state = 'cancelled') \
            FROM requests JOIN jobs USING (request) GROUP BY request, comparison ORDER BY request";
        let failures = "SELECT request, shard, coalesce(failure, '') FROM jobs WHERE state = 'failed' \
            ORDER BY request, shard";
        let found = self.client.query(query, &[]).and_then(|rows| {
            let mut failures = self.client.query(failures, &[])?.into_iter().peekable();
            let mut requests = Vec::new();
            for row in rows {
                let mut request = QueuedRequest {
                    number: row.try_get(0)?,
                    comparison: row.try_get(1)?,
                    jobs: JobCounts {
                        waiting: row.try_get(2)?,
                        running: row.try_get(3)?,
                        done: row.try_get(4)?,
                        failed: row.try_get(5)?,
                        cancelled: row.try_get(6)?,
                    },
                    failures: Vec::new(),
                };
                let is_own =
                    |row: &tokio_postgres::Row| row.try_get(0).ok() == Some(request.number);
                while let Some(row) = failures.next_if(is_own) {
                    request.failures.push((row.try_get(1)?, row.try_get(2)?));
                }
                requests.push(request);
            }
            Ok(requests)
        });
        found.map_err(|error| self.failed(&error))
    }

    /// All machines, by their names.
    ///
    /// # Errors
    ///
    /// When the connection is lost.
    pub fn machines(&mut self) -> Result<Vec<QueueMachine>, Error> {
        let query = "SELECT machine, extract(epoch FROM clock_timestamp() - seen)::bigint, count(shard) \
            FROM machines LEFT JOIN pins USING (machine) GROUP BY machine, seen ORDER BY machine COLLATE \"C\"";
        let found = self.client.query(query, &[]).and_then(|rows| {
            let machine = |row: tokio_postgres::Row| {
                Ok(QueueMachine {
                    name: row.try_get(0)?,
                    silent_s: row.try_get(1)?,
                    pins: row.try_get(2)?,
                })
            };
            rows.into_iter().map(machine).collect()
        });
        found.map_err(|error| self.failed(&error))
    }

    /// Passes on the results of a request, by shard, one after the other: records may be large.
    ///
    /// # Errors
    ///
    /// When the connection is lost, or the first error of `take`.
    pub fn records<E: From<Error>>(
        &mut self,
        request: i64,
        mut take: impl FnMut(StoredRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let jobs = "SELECT job FROM jobs WHERE request = $1 AND state = 'done' ORDER BY shard";
        let query = "SELECT shard, results.machine, exit_code, record FROM results JOIN jobs USING (job) \
            WHERE job = $1";
        let jobs = self.client.query(jobs, &[&request]);
        for job in jobs.map_err(|error| self.failed(&error))? {
            let number = job.try_get::<_, i64>(0).map_err(Into::into);
            let found = number.and_then(|number| self.client.query_one(query, &[&number]));
            let record = found.and_then(|row| {
                Ok(StoredRecord {
                    shard: row.try_get(0)?,
                    machine: row.try_get(1)?,
                    exit_code: u8::try_from(row.try_get::<_, i64>(2)?).unwrap_or(u8::MAX),
                    bytes: row.try_get(3)?,
                })
            });
            take(record.map_err(|error| self.failed(&error))?)?;
        }
        Ok(())
    }

    /// Gives jobs that failed `attempts` more. Returns how many.
    ///
    /// # Errors
    ///
    /// When the server refuses or the connection is lost.
    pub fn retry(&mut self, request: i64, attempts: u64) -> Result<u64, Error> {
        self.change(
            "UPDATE jobs SET state = 'waiting', attempts_left = $2 \
             WHERE request = $1 AND state IN ('failed', 'cancelled')",
            &[&request, &bounded(attempts)],
        )
    }

    /// Cancels the jobs of a request that have no result. Returns how many.
    ///
    /// # Errors
    ///
    /// When the server refuses or the connection is lost.
    pub fn cancel(&mut self, request: i64) -> Result<u64, Error> {
        self.change(
            "UPDATE jobs SET state = 'cancelled' \
             WHERE request = $1 AND state IN ('waiting', 'running', 'failed')",
            &[&request],
        )
    }

    /// Releases what is pinned to a machine. Returns how many shards.
    ///
    /// # Errors
    ///
    /// When the server refuses or the connection is lost.
    pub fn release(&mut self, machine: &str) -> Result<u64, Error> {
        self.change("DELETE FROM pins WHERE machine = $1", &[&machine])
    }
}
