//! Which job a machine gets next.

use super::job::Job;
use super::patience::Patience;
use super::store::Queue;
use crate::Error;
use crate::postgres::{ServerError, Transaction};

/// Jobs of workers that are dead and had their last attempt.
const GIVE_UP: &str = "UPDATE jobs SET state = 'failed', failure = 'the last worker ended without a result' \
    WHERE job IN (SELECT job FROM jobs WHERE state = 'running' AND attempts_left = 0 \
        AND seen < clock_timestamp() - make_interval(secs => $1) FOR UPDATE SKIP LOCKED)";

const NOTE_MACHINE: &str = "INSERT INTO machines (machine, seen) VALUES ($1, clock_timestamp()) \
    ON CONFLICT (machine) DO UPDATE SET seen = clock_timestamp()";

/// A job of the oldest request that has one which is free and not pinned to another machine that is there: first what is
/// pinned to this machine, last what is pinned to an absent one.
const CHOOSE: &str = "SELECT jobs.job, jobs.shard, jobs.shards FROM jobs \
    LEFT JOIN pins USING (shard, shards) LEFT JOIN machines ON machines.machine = pins.machine \
    WHERE (jobs.state = 'waiting' OR jobs.state = 'running' AND jobs.attempts_left > 0 \
            AND jobs.seen < clock_timestamp() - make_interval(secs => $2)) \
        AND (pins.machine IS NULL OR pins.machine = $1 \
            OR machines.seen < clock_timestamp() - make_interval(secs => $3)) \
    ORDER BY jobs.request, \
        CASE WHEN pins.machine = $1 THEN 0 WHEN pins.machine IS NULL THEN 1 ELSE 2 END, jobs.job \
    LIMIT 1 FOR UPDATE OF jobs SKIP LOCKED";

/// Changes nothing if another machine that is there was first.
const PIN: &str = "INSERT INTO pins (shard, shards, machine) VALUES ($2, $3, $1) \
    ON CONFLICT (shard, shards) DO UPDATE SET machine = $1 \
    WHERE pins.machine = $1 OR (SELECT seen FROM machines WHERE machines.machine = pins.machine) \
        < clock_timestamp() - make_interval(secs => $4)";

const CLAIM: &str = "UPDATE jobs SET state = 'running', attempts = attempts + 1, \
        attempts_left = attempts_left - 1, machine = $2, seen = clock_timestamp() \
    FROM requests WHERE jobs.job = $1 AND requests.request = jobs.request \
    RETURNING jobs.attempts, jobs.request, requests.comparison";

impl Queue {
    /// Claims a job for a machine; `None` where none is free for it.
    ///
    /// # Errors
    ///
    /// When the server refuses or the connection is lost.
    pub fn claim(&mut self, machine: &str) -> Result<Option<Job>, Error> {
        loop {
            let patience = self.patience;
            let transaction = self.client.transaction();
            let claimed = transaction.and_then(|transaction| claim(transaction, machine, patience));
            match claimed.map_err(|error| self.failed(&error))? {
                Claimed::Job(job) => return Ok(Some(job)),
                Claimed::Nothing => return Ok(None),
                Claimed::PinnedMeanwhile => {}
            }
        }
    }
}

enum Claimed {
    Job(Job),
    Nothing,
    /// Another machine pinned the shard after it was chosen.
    PinnedMeanwhile,
}

fn claim(
    transaction: Transaction<'_>,
    machine: &str,
    patience: Patience,
) -> Result<Claimed, ServerError> {
    let lease = patience.lease.as_secs_f64();
    let absence = patience.absence.as_secs_f64();
    transaction.execute(GIVE_UP, &[&lease])?;
    transaction.execute(NOTE_MACHINE, &[&machine])?;
    let chosen = transaction.query_opt(CHOOSE, &[&machine, &lease, &absence])?;
    let Some(chosen) = chosen else {
        transaction.commit()?;
        return Ok(Claimed::Nothing);
    };
    let (number, shard, shards): (i64, i64, i64) =
        (chosen.try_get(0)?, chosen.try_get(1)?, chosen.try_get(2)?);
    if transaction.execute(PIN, &[&machine, &shard, &shards, &absence])? == 0 {
        return Ok(Claimed::PinnedMeanwhile);
    }
    let row = transaction.query_one(CLAIM, &[&number, &machine])?;
    let job = Job {
        number,
        attempt: row.try_get(0)?,
        request: row.try_get(1)?,
        comparison: row.try_get(2)?,
        shard: shard.unsigned_abs(),
        shards: shards.unsigned_abs(),
        machine: machine.to_owned(),
    };
    transaction.commit()?;
    Ok(Claimed::Job(job))
}
