//! `history prune`.

use std::collections::HashSet;

use tourbillon_report::{bytes, counted};
use tourbillon_tool::exit::{Stop, print};

use crate::location::Location;
use crate::nominate::{nominate, of_metric};
use crate::series_choice::BranchChoice;

/// Options of this subcommand: which records are old.
#[derive(Clone, Debug)]
pub struct Options {
    /// Print what would be removed, and remove nothing.
    pub dry_run: bool,
    /// Which runs count.
    pub branch: BranchChoice,
    /// Share of stable series that may be nominated.
    pub error: f64,
}

/// Removes raw records that are old.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let mut history = location.open_existing()?;
    let index = &mut *history.index;
    // Asked once: a run that is added meanwhile is not among the old ones.
    let all = options.branch.all(index)?;
    let newest = all.newest(options.branch.last);
    let series = of_metric(index.series()?, None);
    let nominations = nominate(index, &all, series, options.error)?;
    let ends = nominations
        .found
        .iter()
        .flat_map(|one| [one.before, one.after]);
    let kept: HashSet<String> = newest
        .iter()
        .chain(ends)
        .map(|run| run.record.clone())
        .collect();
    let mut old: HashSet<String> = all.runs.iter().map(|run| run.record.clone()).collect();
    old.retain(|record| !kept.contains(record));
    let pruned = history.archive.prune(&old, options.dry_run)?;
    let (records, size) = (
        counted(pruned.records, "record"),
        bytes(pruned.bytes as f64),
    );
    let what = if options.dry_run {
        "would be removed"
    } else {
        "removed"
    };
    print(&format!("{records} {what}, {size}\n"))
}
