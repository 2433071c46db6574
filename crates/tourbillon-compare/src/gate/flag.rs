//! A threshold on the command line.

use tourbillon_record::Metric;

use crate::gate::limits::{is_limited, share};

/// A value of `--gate`: `2%` for times, `p99=5%` for a percentile of single calls, `instructions=0.5%` for a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GateFlag {
    pub(crate) metric: Metric,
    pub(crate) share: f64,
}

impl GateFlag {
    /// Parses `2%`, `p99=5%` or `instructions=0.5%`.
    ///
    /// # Errors
    ///
    /// When it is neither; the text says what to write.
    pub fn parse(text: &str) -> Result<GateFlag, String> {
        let Some((name, value)) = text.split_once('=') else {
            let metric = Metric::Time;
            return share(text).map(|share| GateFlag { metric, share });
        };
        let is_known = |metric: &Metric| {
            let is_count = *metric == Metric::Instructions || metric.is_event();
            Metric::PERCENTILES.contains(metric) || is_count && is_limited(*metric)
        };
        let Some(metric) = Metric::of_name(name).filter(is_known) else {
            return Err(format!(
                "{name:?} has no threshold; write p50, p90, p99, p99.9, instructions or an event such as cpu_cycles, or \
                 a share alone for times"
            ));
        };
        share(value).map(|share| GateFlag { metric, share })
    }
}
