//! `cargo tourbillon history`: results over time.

mod accepted;
mod add;
mod backfill;
mod bisect;
mod branch_runs;
mod changes;
mod confirm;
mod confirmations;
mod examined;
mod found;
#[cfg(feature = "postgres")]
mod grant;
mod history_flags;
mod index;
mod listing;
mod log;
mod meant;
mod nominate;
mod picture;
mod prune;
mod report;
mod revisions;
mod search;
mod series_flags;

use clap::{Args, Subcommand};

use self::history_flags::HistoryFlags;
use crate::exit::Stop;

const AFTER: &str = "\
Examples:
  cargo bench -- --format jsonl > run.jsonl
  cargo tourbillon history add run.jsonl
  cargo tourbillon history backfill v1.0..main
  cargo tourbillon history log sort/100
  cargo tourbillon history changes
  cargo tourbillon history confirm
  cargo tourbillon history bisect sort 1a2b3c4 main
  cargo tourbillon history accept 1a2b3c4 sort \"exact rounding costs that\"";

/// Keep results over time, and find where they change
///
/// The history is a folder of records, which are never changed, and an index that can be deleted. Figures are
/// compared within one kind of machine, one engine and one method only.
#[derive(Debug, Args)]
#[command(after_help = AFTER, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    flags: HistoryFlags,
}

#[derive(Debug, Subcommand)]
enum Task {
    Add(add::Arguments),
    Backfill(backfill::Arguments),
    Log(log::Arguments),
    Changes(changes::Arguments),
    Confirm(Box<confirm::Arguments>),
    Bisect(Box<bisect::Arguments>),
    Report(report::Arguments),
    Accept(accepted::Arguments),
    Prune(prune::Arguments),
    #[cfg(feature = "postgres")]
    Grant(grant::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let flags = &arguments.flags;
    match &arguments.task {
        Task::Add(own) => add::run(own, flags),
        Task::Backfill(own) => backfill::run(own, flags),
        Task::Log(own) => log::run(own, flags),
        Task::Changes(own) => changes::run(own, flags),
        Task::Confirm(own) => confirm::run(own, flags),
        Task::Bisect(own) => bisect::run(own, flags),
        Task::Report(own) => report::run(own, flags),
        Task::Accept(own) => accepted::run(own),
        Task::Prune(own) => prune::run(own, flags),
        #[cfg(feature = "postgres")]
        Task::Grant(own) => grant::run(own),
    }
}
