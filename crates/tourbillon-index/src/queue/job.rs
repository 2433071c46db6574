//! A job, as it was claimed.

/// A claimed job: a shard of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number.
    pub number: i64,
    /// The number of this claim among those of the job.
    pub attempt: i64,
    /// The number of the request.
    pub request: i64,
    /// What is compared, as it was added.
    pub comparison: String,
    /// The shard, from 1.
    pub shard: u64,
    /// How many shards the request has.
    pub shards: u64,
    /// The machine that claimed it.
    pub machine: String,
}
