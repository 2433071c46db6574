//! A queue of comparisons for several machines, on a server of PostgreSQL.
//!
//! A request is divided into shards; a job is one shard of a request. A worker claims a job, measures it and stores its
//! result. Each claim has a number: only the latest one of a job can store, so that a job has one result, also if a
//! worker that was believed dead comes back.

mod claim;
mod job;
mod overview;
mod patience;
mod store;
mod worker;

pub use self::job::Job;
pub use self::overview::{JobCounts, QueueMachine, QueuedRequest, StoredRecord};
pub use self::patience::Patience;
pub use self::store::Queue;
pub use self::worker::{Event, Measure, Outcome, work};
