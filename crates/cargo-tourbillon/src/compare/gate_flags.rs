//! The flags of the gate.

use clap::{Args, ValueEnum};
use tourbillon_record::Metric;

use super::limits::share;

/// The flags of the gate.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GateFlags {
    /// Exit with 2 when a case is slower by more, such as 2% or p99=5%
    #[arg(long = "gate", value_name = "[PERCENTILE=]PCT", value_parser = GateFlag::parse)]
    pub(crate) gates: Vec<GateFlag>,
    /// Undecided cases and the gate: pass or fail
    #[arg(long, value_name = "WHAT", default_value = "pass")]
    undecided: Undecided,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Undecided {
    #[default]
    Pass,
    Fail,
}

impl GateFlags {
    /// Whether an undecided case fails the gate.
    pub(crate) fn undecided_fails(&self) -> bool {
        self.undecided == Undecided::Fail
    }
}

/// A value of `--gate`: `2%` for times, `p99=5%` for a percentile of single calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GateFlag {
    pub(super) metric: Metric,
    pub(super) share: f64,
}

impl GateFlag {
    /// Parses `2%` or `p99=5%`.
    pub(super) fn parse(text: &str) -> Result<GateFlag, String> {
        let Some((name, value)) = text.split_once('=') else {
            let metric = Metric::Time;
            return share(text).map(|share| GateFlag { metric, share });
        };
        let mut percentiles = Metric::PERCENTILES.into_iter();
        let Some(metric) = percentiles.find(|metric| metric.name() == name) else {
            return Err(format!(
                "{name:?} is not a percentile; write p50, p90, p99 or p99.9, or a share alone for times"
            ));
        };
        share(value).map(|share| GateFlag { metric, share })
    }
}
