use tourbillon_record::Scope;
use tourbillon_stats::{Confidence, Interval, Sample, median_interval, widest_interval};

use super::launch::{Figure, Launch, values};

/// What an interval covers, and the interval where there is one.
pub(crate) struct Covered {
    pub(crate) scope: Scope,
    pub(crate) interval: Option<Interval>,
}

/// The interval of a case before it is widened.
///
/// With launches enough it is made of their estimates: it holds for fresh processes. With fewer, it
/// spans the intervals that each launch has by its rounds, and holds for these processes only.
pub(crate) fn covered(estimates: &Sample, launches: &[Launch], confidence: Confidence) -> Covered {
    match median_interval(estimates, confidence) {
        Ok(interval) => Covered {
            scope: Scope::Processes,
            interval: Some(interval),
        },
        Err(_) => Covered {
            scope: Scope::Process,
            interval: spanned(launches, confidence),
        },
    }
}

/// The range that holds the interval and the estimate of every launch. Its confidence is that of
/// the least sure of them.
fn spanned(launches: &[Launch], confidence: Confidence) -> Option<Interval> {
    let mut all: Option<Interval> = None;
    for launch in launches {
        let own = match median_interval(&launch.rounds, confidence) {
            Ok(interval) => interval,
            Err(_) => match widest_interval(&launch.rounds) {
                Some(interval) => interval,
                // A single reading says nothing about how sure it is; others may.
                None => continue,
            },
        };
        let so_far = all.unwrap_or(own);
        all = Some(Interval {
            lower: so_far.lower.min(own.lower).min(launch.estimate),
            upper: so_far.upper.max(own.upper).max(launch.estimate),
            confidence: so_far.confidence.min(own.confidence),
        });
    }
    // Launches of a single reading each are readings of one thing all the same.
    match all {
        Some(all) => Some(all),
        None => widest_interval(&values(launches, Figure::Estimate)?),
    }
}
