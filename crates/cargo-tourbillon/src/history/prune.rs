//! `history prune`.

use std::collections::HashSet;

use clap::Args;

use super::line::LineFlags;
use super::nominate::{nominate, of_metric};
use super::place::PlaceFlags;
use crate::exit::{Stop, print};

/// The share of stable series that may be nominated, as in `changes`.
const ERROR: f64 = 0.05;

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
    line: LineFlags,
}

pub(super) fn run(arguments: &Arguments, place: &PlaceFlags) -> Result<(), Stop> {
    let mut history = place.open()?;
    let newest = arguments.line.line(&mut *history.index)?;
    let whole = arguments.line.whole(&mut *history.index)?;
    let series = of_metric(history.index.series()?, None);
    let nominations = nominate(&mut *history.index, &whole, series, ERROR)?;
    let ends = nominations
        .found
        .iter()
        .flat_map(|one| [one.before, one.after]);
    let kept = newest.runs.iter().chain(ends).map(|run| run.record.clone());
    let kept: HashSet<String> = kept.collect();
    let mut old: HashSet<String> = whole.runs.iter().map(|run| run.record.clone()).collect();
    old.retain(|record| !kept.contains(record));
    let pruned = history.archive.prune(&old, arguments.dry_run)?;
    let (records, megabytes) = (pruned.records, pruned.bytes as f64 / 1e6);
    let noun = if records == 1 { "record" } else { "records" };
    let what = if arguments.dry_run {
        "would be removed"
    } else {
        "removed"
    };
    print(&format!("{records} {noun} {what}, {megabytes:.1} MB\n"))
}
