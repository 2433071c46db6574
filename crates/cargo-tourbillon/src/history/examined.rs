//! What `changes`, `confirm` and `report` examine.

use clap::Args;
use tourbillon_index::Series;

use super::accepted::{Accepted, accepted};
use super::branch_runs::BranchRuns;
use super::confirmations::Comparisons;
use super::history_flags::{History, HistoryFlags};
use super::series_flags::{LevelFlag, SeriesFlags};
use crate::exit::Stop;

/// In which series changes are nominated, and how easily.
#[derive(Clone, Debug, Args)]
pub(super) struct ExaminedFlags {
    /// Parts of ids or of printed names; each selects the cases that have it [all]
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    #[command(flatten)]
    pub(super) series: SeriesFlags,
    #[command(flatten)]
    pub(super) level: LevelFlag,
}

/// A history, with the part of it that is examined.
pub(super) struct Examined {
    pub(super) history: History,
    pub(super) accepted: Vec<Accepted>,
    pub(super) comparisons: Comparisons,
    pub(super) runs: BranchRuns,
    pub(super) series: Vec<Series>,
}

impl ExaminedFlags {
    pub(super) fn read(&self, flags: &HistoryFlags) -> Result<Examined, Stop> {
        let accepted = accepted()?;
        let mut history = flags.open()?;
        let index = &mut *history.index;
        let runs = self.series.branch.newest(index)?;
        let series = self.series.select(index, &self.cases)?;
        let comparisons = Comparisons::read(index)?;
        Ok(Examined {
            history,
            accepted,
            comparisons,
            runs,
            series,
        })
    }
}
