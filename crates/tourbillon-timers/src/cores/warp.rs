//! All processors at once, against the highest reading that any of them has published.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::move_to;
use tourbillon_clock::{Clock, Ticks};

/// How long all processors read, in nanoseconds: what Linux gives its own test of this kind
/// (`arch/x86/kernel/tsc_sync.c`).
const LENGTH_NS: u64 = 20_000_000;

/// What the processors saw of each other's readings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warp {
    /// Those that took part, in ascending order; the others could not be had.
    pub processors: Vec<usize>,
    /// Readings of all of them.
    pub readings: u64,
    /// Readings that were lower than one that had been published before they were taken.
    pub negative: u64,
    /// By how much the lowest of them was, in ticks, a negative number; 0 where there was none.
    pub worst: i128,
}

impl Warp {
    fn merge(&mut self, one: &Warp) {
        self.processors.extend(&one.processors);
        self.readings += one.readings;
        self.negative += one.negative;
        self.worst = self.worst.min(one.worst);
    }

    /// A reading and the highest one that was published before it.
    fn add(&mut self, reading: Ticks, before: Ticks) {
        self.readings += 1;
        let gained = reading.signed_since(before);
        if gained < 0 {
            self.negative += 1;
            self.worst = self.worst.min(gained);
        }
    }
}

/// Lets all processors read at once; `patience` is the longest that they wait for each other.
pub(super) fn compare(clock: &str, patience: Ticks, processors: &[usize]) -> Warp {
    let Ok(named) = Clock::by_name(clock) else {
        return Warp::default();
    };
    let length = named.frequency().ticks_in(LENGTH_NS);
    let take_part = |index: usize| {
        let clock = Clock::by_name(clock).ok()?;
        // Fenced: the highest reading was looked up before, and is published after.
        move_to(processors[index]).then_some(move || clock.start())
    };
    let mut found = hunt(processors.len(), length, patience, take_part);
    // Numbers of threads so far.
    for processor in &mut found.processors {
        *processor = processors[*processor];
    }
    found
}

/// So many threads, each with the clock that it is given on itself, or with none and then not there.
///
/// They read for `length` by their own clocks, and then until each of them has published a reading
/// that all others could see: a processor that is far off and comes late is not missed.
fn hunt<C: Fn() -> Ticks>(
    threads: usize,
    length: Ticks,
    patience: Ticks,
    take_part: impl Fn(usize) -> Option<C> + Sync,
) -> Warp {
    let highest = AtomicU64::new(0);
    let absent = AtomicUsize::new(0);
    let published = AtomicUsize::new(0);
    let one = |index: usize| {
        let mut seen = Warp::default();
        let Some(read) = take_part(index) else {
            absent.fetch_add(1, Ordering::Release);
            return seen;
        };
        seen.processors.push(index);
        let began = read();
        loop {
            // Looked up before the reading, so that one more follows after the last has come.
            let all = published.load(Ordering::Acquire) + absent.load(Ordering::Acquire) >= threads;
            let before = Ticks(highest.load(Ordering::Acquire));
            let reading = read();
            seen.add(reading, before);
            highest.fetch_max(reading.0, Ordering::AcqRel);
            if seen.readings == 1 {
                published.fetch_add(1, Ordering::AcqRel);
            }
            let spent = reading.signed_since(began).unsigned_abs();
            let over = if all { length } else { patience };
            if spent >= u128::from(over.0) {
                return seen;
            }
        }
    };
    let mut found = Warp::default();
    std::thread::scope(|scope| {
        let one = &one;
        let all: Vec<_> = (0..threads)
            .map(|index| scope.spawn(move || one(index)))
            .collect();
        for thread in all {
            if let Ok(seen) = thread.join() {
                found.merge(&seen);
            }
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// Clocks that count the readings of all of them together, the second's `behind`.
    fn hunt_with(behind: u64) -> Warp {
        let counted = AtomicU64::new(1_000_000);
        let counted = &counted;
        hunt(3, Ticks(10_000), Ticks(u64::MAX), |index| {
            let behind = if index == 1 { behind } else { 0 };
            Some(move || Ticks(counted.fetch_add(1, Ordering::AcqRel) - behind))
        })
    }

    #[test]
    fn clocks_that_agree_never_see_a_higher_reading() {
        let found = hunt_with(0);
        assert_eq!(found.processors, [0, 1, 2]);
        assert!(found.readings >= 10_000);
        assert_eq!((found.negative, found.worst), (0, 0));
    }

    #[test]
    fn a_clock_that_is_behind_is_seen_however_late_it_comes() {
        // Once all are there, the others read some ten thousand counts more: the second one's last
        // reading is far below.
        let found = hunt_with(500_000);
        assert!(found.negative > 0, "{found:?}");
        assert!((-500_000..=-400_000).contains(&found.worst), "{found:?}");
    }

    #[test]
    fn who_is_not_there_is_not_waited_for() {
        let counted = AtomicU64::new(0);
        let counted = &counted;
        let found = hunt(2, Ticks(100), Ticks(u64::MAX), |index| {
            (index == 1).then_some(move || Ticks(counted.fetch_add(1, Ordering::AcqRel)))
        });
        assert_eq!(found.processors, [1]);
        assert!(found.readings >= 100);
        assert_eq!(found.negative, 0);
    }

    #[test]
    fn the_worst_is_the_lowest() {
        let mut seen = Warp::default();
        for (reading, before) in [(10, 5), (5, 5), (3, 5), (4, 9), (8, 9)] {
            seen.add(Ticks(reading), Ticks(before));
        }
        assert_eq!((seen.readings, seen.negative, seen.worst), (5, 3, -5));
    }
}
