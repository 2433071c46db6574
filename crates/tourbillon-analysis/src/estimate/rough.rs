//! A rough estimate of a case that has no figure, from all of its launches, contended ones included.
//!
//! ```text
//! slowdown = lower quartile of the empty loop's turns in a launch / turn; at least 1
//! launch   = from (lower quartile of its rounds) / slowdown to their median: contention slows a body down by something
//!            between nothing and what it does to the empty loop
//! range    = lower quartile of the lower ends to upper quartile of the upper ends, over launches
//! estimate = geometric mean of the two
//! ```

use tourbillon_record::{LaunchSamples, Metric, Rough};
use tourbillon_stats::{Sample, median, quantile};

use super::contention::{ContendedParts, Contention, turn};
use super::launch::Launch;
use crate::Frequency;

/// The rough estimate in a metric that is a duration or in cycles; `None` where no launch has enough rounds.
pub(super) fn rough(
    launches: &[LaunchSamples],
    metric: Metric,
    frequency: &Frequency,
) -> Option<Rough> {
    let contention: Vec<Option<Contention>> = launches.iter().map(Contention::of).collect();
    let turn = turn(&contention);
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (launch, contention) in launches.iter().zip(&contention) {
        let all = ContendedParts::default();
        let Some(launch) = Launch::new(launch, metric, false, frequency, &all) else {
            continue;
        };
        let slowdown = contention
            .as_ref()
            .zip(turn)
            .map(|(one, turn)| one.slowdown(turn));
        let typical = median(&launch.rounds);
        let quick = quantile(&launch.rounds, 0.25).unwrap_or(typical);
        lower.push(quick / slowdown.unwrap_or(1.0));
        upper.push(typical);
    }
    let (lower, upper) = (Sample::new(lower).ok()?, Sample::new(upper).ok()?);
    let lower = quantile(&lower, 0.25).unwrap_or_else(|| lower.min());
    let upper = quantile(&upper, 0.75).unwrap_or_else(|| upper.max());
    Some(Rough::between(lower.max(0.0), upper)).filter(|rough| rough.upper > 0.0)
}
