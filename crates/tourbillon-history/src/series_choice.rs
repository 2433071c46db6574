//! Which series are examined.

use tourbillon_tool::exit::{Stop, say};

use crate::branch_runs::BranchRuns;
use crate::index::{Index, Series};
use crate::nominate::{of_cases, of_metric};

/// Which runs count.
#[derive(Clone, Debug)]
pub struct BranchChoice {
    /// Branch whose commits count.
    pub branch: String,
    /// Number of commits with runs, from the newest on.
    pub last: u64,
}

impl BranchChoice {
    /// The runs of the newest commits. Those that began after now are named.
    pub(crate) fn newest(&self, index: &mut dyn Index) -> Result<BranchRuns, Stop> {
        self.of_last(index, self.last)
    }

    /// All runs of the branch. Those that began after now are named.
    pub(crate) fn all(&self, index: &mut dyn Index) -> Result<BranchRuns, Stop> {
        self.of_last(index, u64::MAX)
    }

    fn of_last(&self, index: &mut dyn Index, last: u64) -> Result<BranchRuns, Stop> {
        let runs = BranchRuns::of_branch(&self.branch, index, last)?;
        if let Some(warning) = &runs.warning {
            say(&format!("warning: {warning}\n"));
        }
        Ok(runs)
    }
}

/// Which series are examined.
#[derive(Clone, Debug)]
pub struct SeriesChoice {
    /// Metric, such as time or allocs; `None`: cycles, else time.
    pub metric: Option<String>,
    /// Which runs count.
    pub branch: BranchChoice,
}

impl SeriesChoice {
    /// The series of the cases whose ids contain one of `cases`; of all cases without any.
    pub(crate) fn select(
        &self,
        index: &mut dyn Index,
        cases: &[String],
    ) -> Result<Vec<Series>, Stop> {
        let series = of_cases(index.series()?, cases);
        Ok(of_metric(series, self.metric.as_deref()))
    }
}
