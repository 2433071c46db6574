//! What `changes`, `confirm` and `report` examine.

use tourbillon_tool::exit::Stop;

use crate::acceptance::{Accepted, accepted};
use crate::branch_runs::BranchRuns;
use crate::confirmations::Comparisons;
use crate::index::Series;
use crate::location::{History, Location};
use crate::series_choice::SeriesChoice;

/// In which series changes are nominated, and how easily.
#[derive(Clone, Debug)]
pub struct HistoryScope {
    /// Parts of ids or of printed names; each selects the cases that have it. All cases without any.
    pub cases: Vec<String>,
    /// Which series.
    pub series: SeriesChoice,
    /// Share of stable series that may be nominated.
    pub error: f64,
}

/// A history, with the part of it that is examined.
pub(crate) struct Examined {
    pub(crate) history: History,
    pub(crate) accepted: Vec<Accepted>,
    pub(crate) comparisons: Comparisons,
    pub(crate) runs: BranchRuns,
    pub(crate) series: Vec<Series>,
}

impl HistoryScope {
    pub(crate) fn read(&self, location: &Location) -> Result<Examined, Stop> {
        let accepted = accepted()?;
        let mut history = location.open_existing()?;
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
