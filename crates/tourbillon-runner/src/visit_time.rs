//! How long the batches of a visit may take, so that a case stays within its budget on this machine.

use tourbillon_analysis::Frequency;
use tourbillon_record::Visit;

use crate::CaseSettings;

/// What the start and the end of a process take where nothing is known yet, in nanoseconds.
const USUAL_START_NS: u64 = 1_300_000;
/// What a visit takes besides its batches where nothing is known of the case yet, in nanoseconds.
const USUAL_BESIDES_NS: u64 = 800_000;
/// The part of the typical start by which one that took longer, or less, moves it.
const STEP: u64 = 16;
/// The part of a share that is kept, two ninths: for what is asked and said besides, and for the launches
/// that replace others.
const RESERVE: (u64, u64) = (2, 9);

/// What a visit takes from the end of the one before to its own start: nearly all of it is the start of
/// a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starts {
    typical_ns: u64,
}

impl Starts {
    pub(crate) fn new() -> Starts {
        Starts {
            typical_ns: USUAL_START_NS,
        }
    }

    /// One more visit: it took `wall_ns` from the end of the one before to its own, `visit_ns` of them
    /// inside.
    ///
    /// What is typical moves towards it by a step, however far away it is. So it stays where half of the
    /// starts take longer, and a single one that took a second does not count for more than another.
    pub(crate) fn count(&mut self, wall_ns: u64, visit_ns: u64) {
        let start = wall_ns.saturating_sub(visit_ns);
        // Not none, from which there would be no way up.
        let step = self.typical_ns / STEP + 1;
        if start > self.typical_ns {
            self.typical_ns += step;
        } else {
            self.typical_ns = self.typical_ns.saturating_sub(step);
        }
    }
}

/// What the visits of a case take besides their batches, in nanoseconds: set-up, first call and warming
/// up. Known when its scout is back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overhead(u64);

impl Overhead {
    pub(crate) fn unknown() -> Overhead {
        Overhead(USUAL_BESIDES_NS)
    }

    pub(crate) fn of(scout: &Visit, frequency: &Frequency) -> Overhead {
        Overhead(frequency.nanos(ticks_besides(scout)))
    }
}

/// Ticks that a visit took for set-up, first call and warming up. Its pilot is not repeated.
pub(crate) fn ticks_besides(visit: &Visit) -> u64 {
    visit
        .setup_ticks
        .saturating_add(visit.first_call_ticks)
        .saturating_add(visit.warmup.ticks)
}

/// Time for the batches of a visit, the reference chain and the empty loop among them, in nanoseconds.
///
/// A visit's share of the budget, less two ninths, less what starting a process takes here, less what
/// the case needs besides; at most three quarters of the share, so that a visit is no longer where
/// processes start at once. Where that would leave less than a quarter of the share, nothing keeps the case
/// within its budget, and three quarters it is.
///
/// A share of 10 ms on two machines (KVM guests of two processors, bodies of 1 ns to 1 ms): starts take
/// 1.3 and 1.7 ms, set-up, first call and warming up 0.4 ms, what is asked and said besides 0.25 ms, and
/// 0.5 ms more for bodies whose calls may overlap. So batches get 6.1 and 5.7 ms, and a visit with its start
/// takes some 8.5 ms on both.
pub(crate) fn batches_ns(
    settings: &CaseSettings,
    launches: u32,
    starts: Starts,
    overhead: Overhead,
) -> u64 {
    let share = share_ns(settings);
    let most = share / 4 * 3;
    let left = (share - share * RESERVE.0 / RESERVE.1)
        .saturating_sub(starts.typical_ns)
        .saturating_sub(overhead.0);
    // Nothing keeps the case within its budget where the rest is less than a quarter.
    let fitting = if left < share / 4 {
        most
    } else {
        left.min(most)
    };
    let least = settings.min_time_ns.div_ceil(u64::from(launches.max(1)));
    fitting.max(least).max(1)
}

fn share_ns(settings: &CaseSettings) -> u64 {
    settings.budget_ns / u64::from(settings.asked())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Starts that took that long, after so many of them.
    fn starts(nanoseconds: u64, count: u32) -> Starts {
        let mut starts = Starts::new();
        for _ in 0..count {
            starts.count(10 * MS + nanoseconds, 10 * MS);
        }
        starts
    }

    fn time(settings: &CaseSettings, launches: u32) -> u64 {
        batches_ns(settings, launches, Starts::new(), Overhead::unknown())
    }

    #[test]
    fn a_visit_gets_its_share() {
        let settings = CaseSettings::default();
        // 10 less 2.2, 1.3 and 0.8 ms.
        assert_eq!(time(&settings, 20), 5_677_778);
        // Fewer launches do not make a visit longer unless a time was asked for.
        assert_eq!(time(&settings, 1), 5_677_778);
        let long = CaseSettings {
            min_time_ns: 1_000_000_000,
            ..settings
        };
        assert_eq!(time(&long, 20), 50_000_000);
        assert_eq!(time(&long, 1), 1_000_000_000);
        assert_eq!(long.budget(), 1_000_000_000);
    }

    #[test]
    fn nothing_asked_for_is_one_launch() {
        let none = CaseSettings {
            launches: 0,
            budget_ns: 0,
            ..CaseSettings::default()
        };
        assert_eq!(none.asked(), 1);
        assert_eq!(time(&none, 0), 1);
    }

    #[test]
    fn what_starts_take_comes_out_of_the_batches() {
        let settings = CaseSettings::default();
        let time = |starts, overhead| batches_ns(&settings, 20, starts, Overhead(overhead));
        // At once: no more than three quarters.
        assert_eq!(time(starts(0, 100), 0), 7_500_000);
        // 7.8 less 0.5 and 2.1 ms, and what a step leaves open.
        let slow = time(starts(2_100_000, 100), 500_000);
        assert!((5_030_000..5_330_000).contains(&slow), "{slow}");
        // A quarter of the share, and not less.
        assert_eq!(time(Starts { typical_ns: 3 * MS }, 2_277_778), 2_500_000);
        assert_eq!(time(Starts { typical_ns: 3 * MS }, 2_277_779), 7_500_000);
        assert_eq!(time(starts(0, 100), 2000 * MS), 7_500_000);
    }

    #[test]
    fn what_is_typical_is_what_half_of_the_starts_exceed() {
        let near = |starts: Starts, expected: u64| {
            let difference = starts.typical_ns.abs_diff(expected);
            assert!(difference <= expected / 8, "{starts:?}, {expected}");
        };
        near(starts(2_000_000, 12), 2_000_000);
        near(starts(600_000, 20), 600_000);
        let mut mixed = starts(2_000_000, 50);
        for round in 0..40 {
            // One in four takes a second.
            let start = if round % 4 == 0 { 1000 * MS } else { 1_900_000 };
            mixed.count(start, 0);
        }
        near(mixed, 2_000_000);
        // Not even the clock of the visit may be ahead.
        let mut none = starts(0, 1000);
        none.count(5, 7);
        assert!(none.typical_ns < 20, "{none:?}");
        for _ in 0..400 {
            none.count(MS, 0);
        }
        near(none, MS);
    }
}
