//! What all cases of a comparison share.

use tourbillon_analysis::{Criteria, Design, Frequency};
use tourbillon_coordinator::runner::Settings;
use tourbillon_record::{Case, Metric};
use tourbillon_tool::run_clock::ToolRunClock;

use super::pace::Pace;
use super::spawner::Spawner;
use crate::gate::thresholds::Gate;

/// What all cases of a comparison share.
#[derive(Debug)]
pub(super) struct Common<'c> {
    pub(super) spawner: &'c Spawner,
    pub(super) run_clock: &'c ToolRunClock,
    pub(super) criteria: Criteria,
    pub(super) gate: Option<&'c Gate>,
    pub(super) settings: Settings,
    pub(super) pace: Pace,
    /// How long a worker may be silent; `None` for the limit of the case, or the default.
    pub(super) timeout_ns: Option<u64>,
}

/// The percentiles that are compared, whether a gate names them or not.
const COMPARED: [Metric; 2] = [Metric::P50, Metric::P99];
/// Least relative difference of two percentiles above the median that counts, unless a gate has another:
/// a hundredth of the calls is behind p99.
const TAIL_MARGIN: f64 = 0.05;

impl Common<'_> {
    /// The designs of the verdicts on percentiles of a case, with their criteria.
    pub(super) fn percentiles(&self, case: &Case) -> Vec<(Design, Criteria)> {
        let percentiles = Metric::PERCENTILES.into_iter().filter_map(|metric| {
            let of_gate = self.gate.and_then(|gate| gate.percentile(case, metric));
            let usual = match metric {
                Metric::P50 => self.criteria.margin,
                _ => self.criteria.margin.max(TAIL_MARGIN),
            };
            let margin = of_gate.or_else(|| COMPARED.contains(&metric).then_some(usual))?;
            let criteria = Criteria {
                margin,
                // More pairs hardly narrow what few calls decide.
                size: None,
                ..self.criteria
            };
            Some((Design::Percentile(metric), criteria))
        });
        percentiles.collect()
    }

    pub(super) fn frequency(&self) -> &Frequency {
        &self.run_clock.frequency
    }
}
