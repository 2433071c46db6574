//! Flags that select series, and those that nominate changes in them.

use clap::{Args, value_parser};
use tourbillon_index::{Index, Series};

use super::branch_runs::BranchRuns;
use super::nominate::{Nominations, nominate, of_cases, of_metric};
use crate::exit::{Stop, say};
use tourbillon_compare::share;

/// Which runs count.
#[derive(Clone, Debug, Args)]
pub(super) struct BranchFlags {
    /// Branch whose commits count
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub(super) branch: String,
    /// Commits with runs, from the newest on
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u64).range(1..=100_000))]
    last: u64,
}

impl BranchFlags {
    /// The runs of the newest commits. Those that began after now are named.
    pub(super) fn newest(&self, index: &mut dyn Index) -> Result<BranchRuns, Stop> {
        let runs = BranchRuns::of_branch(&self.branch, index, self.last)?;
        if let Some(warning) = &runs.warning {
            say(&format!("warning: {warning}\n"));
        }
        Ok(runs)
    }

    /// All runs of the branch.
    pub(super) fn all(&self, index: &mut dyn Index) -> Result<BranchRuns, Stop> {
        BranchRuns::of_branch(&self.branch, index, u64::MAX)
    }
}

/// Which series are examined.
#[derive(Clone, Debug, Args)]
pub(super) struct SeriesFlags {
    /// Metric, such as time or allocs [cycles, else time]
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    #[command(flatten)]
    pub(super) branch: BranchFlags,
}

impl SeriesFlags {
    /// The series of the cases whose ids contain one of `cases`; of all cases without any.
    pub(super) fn select(
        &self,
        index: &mut dyn Index,
        cases: &[String],
    ) -> Result<Vec<Series>, Stop> {
        let series = of_cases(index.series()?, cases);
        Ok(of_metric(series, self.metric.as_deref()))
    }
}

/// How easily a change is nominated.
#[derive(Clone, Debug, Args)]
pub(super) struct LevelFlag {
    /// Share of stable series that may be nominated
    #[arg(long, value_name = "PCT", default_value = "5%", value_parser = level)]
    pub(super) error: f64,
}

impl LevelFlag {
    /// The changes in series.
    pub(super) fn nominate<'r>(
        &self,
        index: &mut dyn Index,
        runs: &'r BranchRuns,
        series: Vec<Series>,
    ) -> Result<Nominations<'r>, Stop> {
        nominate(index, runs, series, self.error)
    }
}

fn level(text: &str) -> Result<f64, String> {
    match share(text)? {
        level if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("it is not between 0 and 100 %; write 5%".to_owned()),
    }
}
