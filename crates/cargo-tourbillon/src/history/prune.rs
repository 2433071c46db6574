//! `history prune`.

use std::collections::HashSet;

use clap::Args;
use tourbillon_report::counted;

use super::history_flags::HistoryFlags;
use super::nominate::of_metric;
use super::series_flags::{BranchFlags, LevelFlag};
use crate::exit::{Stop, print};

/// Remove raw records that are old
///
/// Removes those of the branch's older commits, except at the ends of the ranges in which results change. Records of
/// other branches and the results of all runs stay.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    branch: BranchFlags,
    #[command(flatten)]
    level: LevelFlag,
}

pub(super) fn run(arguments: &Arguments, flags: &HistoryFlags) -> Result<(), Stop> {
    let mut history = flags.open()?;
    let index = &mut *history.index;
    let newest = arguments.branch.newest(index)?;
    let all = arguments.branch.all(index)?;
    let series = of_metric(index.series()?, None);
    let nominations = arguments.level.nominate(index, &all, series)?;
    let ends = nominations
        .found
        .iter()
        .flat_map(|one| [one.before, one.after]);
    let kept = newest.runs.iter().chain(ends).map(|run| run.record.clone());
    let kept: HashSet<String> = kept.collect();
    let mut old: HashSet<String> = all.runs.iter().map(|run| run.record.clone()).collect();
    old.retain(|record| !kept.contains(record));
    let pruned = history.archive.prune(&old, arguments.dry_run)?;
    let (records, megabytes) = (counted(pruned.records, "record"), pruned.bytes as f64 / 1e6);
    let what = if arguments.dry_run {
        "would be removed"
    } else {
        "removed"
    };
    print(&format!("{records} {what}, {megabytes:.1} MB\n"))
}
