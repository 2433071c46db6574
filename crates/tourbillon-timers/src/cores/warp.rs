//! All processors at once, compared with the highest reading that any of them has published.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tourbillon_clock::{Clock, Ticks};
use tourbillon_os::set_affinity;

/// How long all processors read, in nanoseconds, as in Linux's own test of this kind
/// (`arch/x86/kernel/tsc_sync.c`).
const LENGTH_NS: u64 = 20_000_000;

/// The readings of all processors at once, compared with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warp {
    /// Those that took part, in ascending order; the others were not available.
    pub processors: Vec<usize>,
    /// Readings of all of them.
    pub readings: u64,
    /// Readings that were lower than one that was published before they were taken.
    pub negative: u64,
    /// The greatest difference among them, in ticks, a negative number; 0 without one.
    pub worst: i128,
}

impl Warp {
    fn merge(&mut self, one: &Warp) {
        self.processors.extend(&one.processors);
        self.readings += one.readings;
        self.negative += one.negative;
        self.worst = self.worst.min(one.worst);
    }

    /// Adds a reading, and the highest one that was published before it.
    fn add(&mut self, reading: Ticks, before: Ticks) {
        self.readings += 1;
        let gained = reading.signed_since(before);
        if gained < 0 {
            self.negative += 1;
            self.worst = self.worst.min(gained);
        }
    }
}

/// Moves this thread, which is about to end, to a processor; whether it is there.
pub(super) fn move_to(cpu: usize) -> bool {
    set_affinity(&[cpu as u32]).is_ok()
}

/// Reads on all processors at once; they wait for each other for `patience`.
pub(super) fn compare(clock: &str, patience: Ticks, processors: &[usize]) -> Warp {
    let Ok(named) = Clock::by_name(clock) else {
        return Warp::default();
    };
    let length = named.frequency().ticks_in(LENGTH_NS);
    let take_part = |index: usize| {
        let clock = Clock::by_name(clock).ok()?;
        // Fenced: the highest reading is looked up before, and this one is published after.
        move_to(processors[index]).then_some(move || clock.start())
    };
    let mut found = hunt(processors.len(), length, patience, take_part);
    // So far the numbers of threads.
    for processor in &mut found.processors {
        *processor = processors[*processor];
    }
    found
}

/// Reads on a number of threads, each with the clock that `take_part` makes for it, or absent without one.
///
/// They read for `length` by their own clocks, and at least until each of them has published a reading: a
/// processor that is far off and starts late is not missed.
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
            // Looked up before the reading, so that one more follows after the last thread has started.
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

    /// Clocks that count the readings of all threads together, the second one `behind`.
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
    fn a_slow_clock_is_detected_however_late_it_starts() {
        // Once all have started, the others read some ten thousand counts more: the second one's last reading
        // is far below.
        let found = hunt_with(500_000);
        assert!(found.negative > 0, "{found:?}");
        assert!((-500_000..=-400_000).contains(&found.worst), "{found:?}");
    }

    #[test]
    fn absent_threads_are_not_waited_for() {
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
