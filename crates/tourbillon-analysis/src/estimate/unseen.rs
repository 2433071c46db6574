//! What contention and waiting that no reading shows may add to long batches.
//!
//! The empty loop is read between the batches. What slows a processor down for less time than a batch takes is in the
//! batch, and perhaps in no reading beside it: of 121 bodies that time themselves in batches of milliseconds, next to
//! busy guests of the host, 19 had an interval above the truth, by up to 2 % (`scripts/agree.sh`).
//!
//! ```text
//! long    = batches of one unit take 0.3 ms or more, by the median of the launches
//! slowed  = mean of turn read / turn by itself over the readings of the launches that count; 1 where that is below
//!           1.1, 2.5 at most; 1 where fewer than 5 % of all readings are above 1.2
//! waited  = share of their time that these launches waited for a processor, from 5 % on
//! unseen  = slowed / (1 - waited); 1 of short batches
//! ```
//!
//! The lower end of a case's interval allows for it.

use tourbillon_record::{LaunchSamples, Metric};

use super::contention::{Contention, FEWEST, TOLERANCE, turn};
use super::notes::{WAITED, waited_share};
use super::readings::{median_of, median_of_kind};
use super::totals::is_contention_seen;
use crate::Frequency;

/// From how many nanoseconds on a batch is long: contention comes and goes in it.
const LONG_NS: f64 = 300_000.0;
/// Two busy processors of a core take turns: neither takes longer than this many times as long as alone. A reading of
/// twice as much was interrupted, and says nothing.
const MOST: f64 = 2.5;
/// Share of slow readings from which on something else used the core: single readings are interrupted everywhere.
const SEEN: f64 = 0.05;

/// How many times as long as by themselves the launches that count may have taken, without a reading that shows it;
/// 1 where batches are short, and where nothing can be known.
pub(crate) fn unseen(
    launches: &[LaunchSamples],
    counts: impl Fn(usize) -> bool,
    metric: Metric,
    frequency: &Frequency,
) -> f64 {
    let lengths = launches.iter().filter_map(|launch| {
        let batches = &launch.batches;
        median_of_kind(batches, 1, &batches.ticks)
    });
    let length = median_of(lengths).unwrap_or(0.0) * frequency.nanos_per_tick();
    if length < LONG_NS || !launches.iter().all(is_contention_seen) {
        return 1.0;
    }
    // The time of the processor has no waiting in it.
    let has_waiting = matches!(metric, Metric::Time | Metric::Cycles | Metric::Own);
    let counted = (0..launches.len()).filter(|index| counts(*index));
    let share = waited_share(counted.map(|index| &launches[index]), frequency);
    let waited = match share {
        Some(share) if has_waiting && share >= WAITED => share,
        _ => 0.0,
    };
    slowed(launches, counts) / (1.0 - waited).max(1.0 / MOST)
}

/// The mean slowdown of the empty loop in the launches that count.
fn slowed(launches: &[LaunchSamples], counts: impl Fn(usize) -> bool) -> f64 {
    let all: Vec<Option<Contention>> = launches.iter().map(Contention::of_any).collect();
    let indices = (0..all.len()).filter(|index| counts(*index));
    let counted = Contention::together(indices.filter_map(|index| all[index].as_ref()));
    // Launches of long batches have few readings each: together they are three alike.
    let together = Contention::together(all.iter().flatten());
    let classified = |one: &Option<Contention>| {
        let is_known = |one: &Contention| one.usable().count() >= FEWEST;
        one.clone().filter(is_known)
    };
    let of_launches: Vec<Option<Contention>> = all.iter().map(classified).collect();
    let by_itself = turn(&of_launches).or_else(|| turn(&vec![together.clone(); FEWEST]));
    let (Some(counted), Some(together), Some(turn)) = (counted, together, by_itself) else {
        return 1.0;
    };
    let readings = together.usable();
    let slow = readings
        .clone()
        .filter(|read| *read > (1.0 + TOLERANCE) * turn);
    if (slow.count() as f64) < SEEN * readings.count() as f64 {
        return 1.0;
    }
    let slower = 1.0 + TOLERANCE / 2.0..2.0 * MOST;
    let slowdown = |read: f64| {
        let by = read / turn;
        if slower.contains(&by) {
            by.min(MOST)
        } else {
            1.0
        }
    };
    let count = counted.usable().count().max(1) as f64;
    counted.usable().map(slowdown).sum::<f64>() / count
}
