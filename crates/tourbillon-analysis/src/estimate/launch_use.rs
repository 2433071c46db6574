//! What the results of a case use of each launch.

use tourbillon_record::{LaunchSamples, Metric};

use super::case::Given;
use super::chain::CoreClock;
use super::contention::{Contended, ContendedParts, FEWEST, contended_parts};
use super::launch::Launch;
use super::rules::{Rules, Tally};
use crate::Frequency;

/// One launch, as the results of its case take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchUse {
    /// Whether it counts, and if not, why.
    pub usage: Usage,
    /// Its estimate of the main metric, per op, in the unit of that result: of the rounds that count, or of all
    /// rounds of a contended launch, which does not count. `None` with too few.
    pub estimate: Option<f64>,
    /// The same in cycles; `None` where the case has none.
    pub cycles: Option<f64>,
    /// Frequency of the core in hertz; `None` where fewer than three readings of the reference chain are usable.
    pub core_hz: Option<f64>,
}

/// Whether a launch counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Usage {
    /// It does, with those of its rounds that are quiet. Both are zero where rounds are not classified.
    Used {
        /// Rounds that are not next to a slow turn of the empty loop.
        quiet: usize,
        /// All rounds.
        rounds: usize,
    },
    /// It was contended.
    Contended(Contended),
    /// It has too few rounds for an estimate.
    TooFewRounds,
}

/// What the results of a case use of each of its launches, in their order.
#[must_use]
pub fn used(launches: &[LaunchSamples], rules: &Rules) -> Vec<LaunchUse> {
    let parts = contended_parts(launches);
    let given = Given {
        case: "",
        launches,
        tally: &Tally::default(),
        rules,
        parts: &parts,
    };
    let measured = launches.first().and_then(|first| first.measured.as_deref());
    let main = measured.map_or(Metric::Time, |measured| measured.metric);
    let counted = given.cycles().1;
    let quiet = ContendedParts::default();
    let uses = launches.iter().zip(&parts).map(|(launch, parts)| {
        let rounds = if parts.is_contended() { &quiet } else { parts };
        let of = |metric, counted| {
            let launch = Launch::new(launch, metric, counted, &rules.frequency, rounds);
            launch.map(|launch| launch.estimate)
        };
        let estimate = of(main, false);
        LaunchUse {
            usage: usage(parts, estimate.is_some()),
            estimate,
            cycles: of(Metric::Cycles, counted).filter(|_| main == Metric::Time),
            core_hz: core_hz(launch, &rules.frequency),
        }
    });
    uses.collect()
}

fn usage(parts: &ContendedParts, has_estimate: bool) -> Usage {
    match parts.contended {
        Some(contended) => Usage::Contended(contended),
        None if !has_estimate => Usage::TooFewRounds,
        None => {
            let quiet = parts.rounds.iter().filter(|contended| !**contended);
            Usage::Used {
                quiet: quiet.count(),
                rounds: parts.rounds.len(),
            }
        }
    }
}

fn core_hz(launch: &LaunchSamples, frequency: &Frequency) -> Option<f64> {
    let core = CoreClock::new(launch.chain.as_ref()?)?;
    let hz = 1e9 / (frequency.nanos_per_tick() * core.typical);
    (core.usable >= FEWEST).then_some(hz)
}
