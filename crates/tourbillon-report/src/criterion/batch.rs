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
    let batches = launch.batches.kind.iter().zip(&launch.batches.ticks);
    let batches = batches.enumerate().filter(|(_, (kind, _))| **kind > 0);
    let batches = batches.map(|(index, (kind, ticks))| Batch {
        iterations: (u64::from(*kind) * launch.batch_shape.iterations()) as f64,
        amount: match amounts.and_then(|amounts| amounts.get(index)) {
            Some(amount) => *amount,
            None => *ticks as f64 * ns_per_tick,
        },
    });
    batches.collect()
}
