//! Batches of iterations.

use tourbillon_record::{ClockFacts, LaunchSamples};

/// A batch of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Batch {
    /// Its iterations.
    pub iterations: f64,
    /// Its time in nanoseconds, or its amount in the unit of the metric.
    pub amount: f64,
}

/// The batches of a launch that have iterations, in the order in which they were measured.
pub fn batches(launch: &LaunchSamples, clock: &ClockFacts) -> Vec<Batch> {
    let ns_per_tick = 1e9 * clock.hz_denominator as f64 / clock.hz_numerator as f64;
    let amounts = launch.measured.as_ref().map(|measured| &measured.amounts);
    let mut batches = Vec::new();
    for (index, (kind, ticks)) in launch
        .batches
        .kind
        .iter()
        .zip(&launch.batches.ticks)
        .enumerate()
    {
        if *kind > 0 {
            let amount = amounts.and_then(|amounts| amounts.get(index));
            batches.push(Batch {
                iterations: (u64::from(*kind) * launch.batch_shape.iterations()) as f64,
                amount: amount.copied().unwrap_or(*ticks as f64 * ns_per_tick),
            });
        }
    }
    batches
}
