//! `cargo tourbillon queue`: comparisons for a pool of machines.

mod add;
mod comparison;
mod fetch;
mod list;
mod measurer;
mod queue_flag;
mod work;

use clap::{Args, Subcommand};
use tourbillon_report::counted;

use self::queue_flag::QueueFlag;
pub(crate) use self::work::{Arguments as WorkArguments, run as run_work};
use crate::exit::{Stop, print};
use crate::grant;

const AFTER: &str = "\
Examples:
  cargo tourbillon queue add main HEAD --shards 8
  cargo tourbillon queue list
  cargo tourbillon queue fetch 12 results --wait
  cargo tourbillon merge results -o all.jsonl
On each machine, in a checkout:
  cargo tourbillon work";

/// Queue comparisons for a pool of machines
///
/// A request compares two commits. Each of its jobs is a shard of the cases, as with --partition, which one machine
/// measures with `cargo tourbillon work`. A shard stays on its machine from request to request.
#[derive(Debug, Args)]
#[command(after_help = AFTER, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    queue: QueueFlag,
}

#[derive(Debug, Subcommand)]
enum Task {
    Add(Box<add::Arguments>),
    List(list::Arguments),
    Fetch(fetch::Arguments),
    /// Try jobs of a request again that failed or were cancelled
    Retry {
        /// The request
        request: i64,
    },
    /// Cancel the jobs of a request that have no result
    Cancel {
        /// The request
        request: i64,
    },
    /// Release the shards of a machine, so that others measure them
    Release {
        /// The machine
        machine: String,
    },
    /// Print the SQL that gives a role rights on a queue
    ///
    /// For psql, as the owner of the tables. No role of these can change a result.
    Grant(grant::Arguments<grant::OfQueue>),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let flag = &arguments.queue;
    match &arguments.task {
        Task::Add(own) => add::run(own, flag),
        Task::List(own) => list::run(own, flag),
        Task::Fetch(own) => fetch::run(own, flag),
        Task::Retry { request } => {
            let count = flag.open()?.retry(*request, add::ATTEMPTS)?;
            print(&format!("{} waiting\n", counted(count, "job")))
        }
        Task::Cancel { request } => {
            let count = flag.open()?.cancel(*request)?;
            print(&format!("{} cancelled\n", counted(count, "job")))
        }
        Task::Release { machine } => {
            let count = flag.open()?.release(machine)?;
            print(&format!("{} released\n", counted(count, "shard")))
        }
        Task::Grant(own) => grant::run(own),
    }
}
