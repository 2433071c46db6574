//! Flags that select series, and those that nominate changes in them.

use clap::{Args, value_parser};
use tourbillon_compare::share;
use tourbillon_history::{BranchChoice, HistoryScope, SeriesChoice};

/// Which runs count.
#[derive(Clone, Debug, Args)]
pub(super) struct BranchFlags {
    /// Branch whose commits count
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    branch: String,
    /// Commits with runs, from the newest on
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u64).range(1..=100_000))]
    last: u64,
}

/// Which series are examined.
#[derive(Clone, Debug, Args)]
pub(super) struct SeriesFlags {
    /// Metric, such as time or allocs [cycles, else time]
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    #[command(flatten)]
    branch: BranchFlags,
}

/// How easily a change is nominated.
#[derive(Clone, Debug, Args)]
pub(super) struct LevelFlag {
    /// Share of stable series that may be nominated
    #[arg(long, value_name = "PCT", default_value = "5%", value_parser = level)]
    pub(super) error: f64,
}

/// In which series changes are nominated, and how easily.
#[derive(Clone, Debug, Args)]
pub(super) struct ScopeFlags {
    /// Parts of ids or of printed names; each selects the cases that have it [all]
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    #[command(flatten)]
    series: SeriesFlags,
    #[command(flatten)]
    level: LevelFlag,
}

impl From<BranchFlags> for BranchChoice {
    fn from(flags: BranchFlags) -> BranchChoice {
        BranchChoice {
            branch: flags.branch,
            last: flags.last,
        }
    }
}

impl From<SeriesFlags> for SeriesChoice {
    fn from(flags: SeriesFlags) -> SeriesChoice {
        SeriesChoice {
            metric: flags.metric,
            branch: flags.branch.into(),
        }
    }
}

impl From<ScopeFlags> for HistoryScope {
    fn from(flags: ScopeFlags) -> HistoryScope {
        HistoryScope {
            cases: flags.cases,
            series: flags.series.into(),
            error: flags.level.error,
        }
    }
}

fn level(text: &str) -> Result<f64, String> {
    match share(text)? {
        level if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("it is not between 0 and 100 %; write 5%".to_owned()),
    }
}
