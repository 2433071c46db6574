//! `queue add`.

use std::env;

use clap::{Args, value_parser};
use tourbillon_builds::commit_of;
use tourbillon_values::duration;

use super::comparison::QueuedComparison;
use super::queue_flag::QueueFlag;
use crate::compare::{Selected, confidence, share};
use crate::exit::{Stop, print};

/// How often a job is tried.
pub(super) const ATTEMPTS: u64 = 3;

/// Add a comparison of two commits
///
/// Prints the number of the request. The commits must be in the repository from which the workers fetch. Gates and
/// other settings are those of tourbillon.toml in the checkouts of the workers.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The commit to compare with
    #[arg(value_name = "REFERENCE")]
    reference: String,
    /// The commit that is judged
    #[arg(value_name = "CANDIDATE", default_value = "HEAD")]
    candidate: String,
    /// Jobs into which the cases are divided; the same number keeps cases on their machines
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u64).range(1..=10_000))]
    shards: u64,
    /// How often a job is tried
    #[arg(long, value_name = "N", default_value_t = ATTEMPTS, value_parser = value_parser!(u64).range(1..=100))]
    attempts: u64,
    #[command(flatten)]
    selected: Selected,
    /// Time to measure a case, as for compare
    #[arg(long, value_name = "TIME", value_parser = checked(duration))]
    time: Option<String>,
    /// Smaller differences count as the same, such as 1%
    #[arg(long, value_name = "PCT", value_parser = checked(share))]
    margin: Option<String>,
    /// Confidence of a verdict, such as 99.9%
    #[arg(long, value_name = "PCT", value_parser = checked(confidence))]
    confidence: Option<String>,
    /// Filters are whole ids
    #[arg(long)]
    exact: bool,
    /// Filters of cases, after --
    #[arg(value_name = "FILTERS", num_args = 0.., last = true)]
    filters: Vec<String>,
}

/// Keeps a value as it was written, if it can be read.
fn checked<T>(
    read: fn(&str) -> Result<T, String>,
) -> impl Fn(&str) -> Result<String, String> + Clone {
    move |text| read(text).map(|_| text.to_owned())
}

pub(super) fn run(arguments: &Arguments, flag: &QueueFlag) -> Result<(), Stop> {
    let folder = env::current_dir().unwrap_or_default();
    let commit = |revision: &str| {
        commit_of(&folder, revision)
            .ok_or_else(|| Stop::Usage(format!("git knows no commit {revision:?}")))
    };
    let comparison = QueuedComparison {
        reference: commit(&arguments.reference)?,
        candidate: commit(&arguments.candidate)?,
        selected: arguments.selected.clone(),
        time: arguments.time.clone(),
        margin: arguments.margin.clone(),
        confidence: arguments.confidence.clone(),
        exact: arguments.exact,
        filters: arguments.filters.clone(),
    };
    comparison.check().map_err(Stop::Usage)?;
    let mut queue = flag.open()?;
    let request = queue.add(&comparison.text(), arguments.shards, arguments.attempts)?;
    print(&format!("{request}\n"))
}
