//! How many launches a case gets, and how long their batches may take, so that it stays within its budget.

use tourbillon_analysis::{Frequency, median_of_kind};
use tourbillon_record::{LaunchSamples, Plan};

use crate::runner::settings::{CaseSettings, Settings};

/// Nanoseconds that a process takes to start and to end, before any has.
const USUAL_START_NS: u64 = 1_300_000;
/// Nanoseconds of a launch apart from its batches, before the pilot launch.
pub(crate) const USUAL_OVERHEAD_NS: u64 = 800_000;
/// Fraction of the typical start by which a longer or a shorter one changes it.
const STEP: u64 = 16;
/// Fraction of a share that is kept for communication and for repeated launches: two ninths.
const RESERVE: (u64, u64) = (2, 9);

/// How many launches a case gets, the pilot launch included, when another one costs `cost_ns`.
///
/// If a number was requested explicitly, that number. Otherwise as many as fit into the budget, at most those of
/// the settings. If these are fewer than the `needed` ones of an interval across processes (8 for 99 %), up to
/// the `needed` ones as far as they fit into the limit of the case: an interval that holds for the
/// next process too is worth eight seconds.
pub(crate) fn launch_count(settings: &CaseSettings, cost_ns: u64, needed: u32) -> u32 {
    let requested = settings.requested();
    if settings.launches_fixed {
        return requested;
    }
    let fits = |time_ns: u64| u32::try_from(time_ns / cost_ns.max(1)).unwrap_or(u32::MAX);
    let within_limit = fits(settings.limit_ns).min(needed);
    fits(settings.budget())
        .max(within_limit)
        .clamp(1, requested)
}

/// Time for all launches of a case when one costs `cost_ns`: its budget, or what the `needed` ones take as far as
/// that is within its limit.
pub(crate) fn time_ns(settings: &CaseSettings, cost_ns: u64, needed: u32) -> u64 {
    let needed_ns = cost_ns.saturating_mul(u64::from(needed));
    needed_ns.min(settings.limit_ns).max(settings.budget())
}

/// Expected cost of another launch like this one in nanoseconds: set-up, first call, warm-up and batches. The
/// process is not counted: its start comes out of the time for the batches ([`batches_ns`]), and must not cost a
/// body that needs a bit more than its share a launch.
///
/// Batches count with the median of their length: an interruption of the pilot launch must not cost the case
/// launches.
pub(crate) fn expected_cost(launch: &LaunchSamples, frequency: &Frequency) -> u64 {
    let batches = &launch.batches;
    let of_kind = |kind: u8| {
        let count = batches.kind.iter().filter(|own| **own == kind).count();
        count as f64 * median_of_kind(batches, kind, &batches.ticks).unwrap_or(0.0)
    };
    let inside = of_kind(0) + of_kind(1) + of_kind(2);
    frequency.nanos(overhead_ticks(launch).saturating_add(inside as u64))
}

/// Ticks of a launch apart from its batches: set-up, first call and warm-up. The pilot is not repeated.
pub(crate) fn overhead_ticks(launch: &LaunchSamples) -> u64 {
    launch
        .setup_ticks
        .saturating_add(launch.first_call_ticks)
        .saturating_add(launch.warmup.ticks)
}

/// The time from the end of a launch to the start of the next one, typically: nearly all of it is the start of
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

    /// One more launch, which took `wall_ns` from the end of the one before to its own, `launch_ns` of them
    /// inside. Returns the time of its start.
    ///
    /// The typical time changes by a step, however far away the new one is. So half of the starts take longer,
    /// and one that took a second has no more effect than another.
    pub(crate) fn count(&mut self, wall_ns: u64, launch_ns: u64) -> u64 {
        let start = wall_ns.saturating_sub(launch_ns);
        // At least 1, or it could never grow again.
        let step = self.typical_ns / STEP + 1;
        if start > self.typical_ns {
            self.typical_ns += step;
        } else {
            self.typical_ns = self.typical_ns.saturating_sub(step);
        }
        start
    }
}

/// Time for the batches of a launch in nanoseconds, the reference chain and the empty loop included.
///
/// A launch's share of the budget, less two ninths, less the start of a process, less the overhead of the case;
/// at most three quarters of the share, so that a launch does not grow where processes start at once. If that
/// leaves less than a quarter of the share, nothing keeps the case within its budget, and it is three
/// quarters.
///
/// A share of 10 ms on two machines (KVM guests of two processors, bodies of 1 ns to 1 ms): starts take
/// 1.3 and 1.7 ms, set-up, first call and warm-up 0.4 ms, communication 0.25 ms, and 0.5 ms more for bodies
/// whose calls may overlap. So batches get 6.1 and 5.7 ms, and a launch with its start takes some 8.5 ms on both.
pub(crate) fn batches_ns(
    settings: &CaseSettings,
    launches: u32,
    starts: Starts,
    overhead_ns: u64,
) -> u64 {
    let most = share_ns(settings) / 4 * 3;
    let rest = rest_ns(settings, starts.typical_ns, overhead_ns).unwrap_or(most);
    let least = settings.min_time_ns().div_ceil(u64::from(launches.max(1)));
    rest.min(most).max(least).max(1)
}

/// The plan of the pilot launch of a case before any other launch.
pub(crate) fn pilot_plan(settings: &Settings, case: &str) -> Plan {
    let own = settings.of(case);
    let budget_ns = batches_ns(own, own.requested(), Starts::new(), USUAL_OVERHEAD_NS);
    settings.plan(case, 0, None, budget_ns)
}

/// How much of its time a case has used that took `wall_ns`, in which `start_ns` are the starts of so many
/// `launches`. Starts count only if they fit into the shares of the launches; otherwise, as on systems where one takes
/// 10 ms, no time would be left to repeat a launch.
pub(crate) fn used_ns(
    settings: &CaseSettings,
    overhead_ns: u64,
    wall_ns: u64,
    start_ns: u64,
    launches: u32,
) -> u64 {
    match rest_ns(settings, start_ns / u64::from(launches.max(1)), overhead_ns) {
        Some(_) => wall_ns,
        None => wall_ns.saturating_sub(start_ns),
    }
}

/// What start and overhead leave of a share for batches; `None` if less than a quarter.
fn rest_ns(settings: &CaseSettings, start_ns: u64, overhead_ns: u64) -> Option<u64> {
    let share = share_ns(settings);
    let rest = (share - share * RESERVE.0 / RESERVE.1)
        .saturating_sub(start_ns)
        .saturating_sub(overhead_ns);
    (rest >= share / 4).then_some(rest)
}

fn share_ns(settings: &CaseSettings) -> u64 {
    settings.budget_ns / u64::from(settings.requested())
}

#[cfg(test)]
mod tests {
    use tourbillon_record::CaseOptions;

    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn short_launches_get_what_was_requested() {
        let settings = CaseSettings::default();
        assert_eq!(launch_count(&settings, 8 * MS, 8), 20);
        assert_eq!(launch_count(&settings, 10 * MS, 8), 20);
        assert_eq!(launch_count(&settings, 0, 8), 20);
        assert_eq!(launch_count(&settings, 11 * MS, 8), 18);
        assert_eq!(launch_count(&settings, 20 * MS, 8), 10);
    }

    #[test]
    fn an_interval_across_processes_may_cost_the_limit() {
        let settings = CaseSettings::default();
        assert_eq!(launch_count(&settings, 25 * MS, 8), 8);
        assert_eq!(launch_count(&settings, 800 * MS, 8), 8);
        assert_eq!(launch_count(&settings, 1_000 * MS, 8), 8);
        // Otherwise what fits.
        assert_eq!(launch_count(&settings, 1_001 * MS, 8), 7);
        assert_eq!(launch_count(&settings, 3_000 * MS, 8), 2);
        assert_eq!(launch_count(&settings, 9_000 * MS, 8), 1);
        assert_eq!(launch_count(&settings, u64::MAX, 8), 1);
        let strict = CaseSettings {
            limit_ns: settings.budget_ns,
            ..settings
        };
        assert_eq!(launch_count(&strict, 80 * MS, 8), 2);
    }

    #[test]
    fn the_time_of_a_case_is_its_budget_or_that_of_the_launches_needed() {
        let settings = CaseSettings::default();
        let time = |cost| time_ns(&settings, cost, 8);
        assert_eq!(time(0), 200 * MS);
        assert_eq!(time(10 * MS), 200 * MS);
        assert_eq!(time(30 * MS), 240 * MS);
        assert_eq!(time(400 * MS), 3_200 * MS);
        assert_eq!(time(2_000 * MS), 8_000 * MS);
        assert_eq!(time(u64::MAX), 8_000 * MS);
        let long = CaseSettings {
            options: CaseOptions {
                min_time_ns: Some(60_000 * MS),
                ..CaseOptions::NONE
            },
            ..settings
        };
        assert_eq!(time_ns(&long, MS, 8), 60_000 * MS);
    }

    #[test]
    fn launches_that_were_requested_explicitly_are_made() {
        let of = |launches, launches_fixed, cost| {
            let settings = CaseSettings {
                launches,
                launches_fixed,
                ..CaseSettings::default()
            };
            launch_count(&settings, cost, 8)
        };
        assert_eq!(of(5, true, 3_000 * MS), 5);
        assert_eq!(of(20, true, 3_000 * MS), 20);
        assert_eq!(of(5, false, 1), 5);
        assert_eq!(of(5, false, 3_000 * MS), 2);
    }

    #[test]
    fn time_requested_is_part_of_the_budget() {
        let settings = CaseSettings {
            options: CaseOptions {
                min_time_ns: Some(2000 * MS),
                ..CaseOptions::NONE
            },
            ..CaseSettings::default()
        };
        assert_eq!(launch_count(&settings, 100 * MS, 8), 20);
    }

    /// Starts that took that long, after this many of them.
    fn starts(nanoseconds: u64, count: u32) -> Starts {
        let mut starts = Starts::new();
        for _ in 0..count {
            starts.count(10 * MS + nanoseconds, 10 * MS);
        }
        starts
    }

    fn time(settings: &CaseSettings, launches: u32) -> u64 {
        batches_ns(settings, launches, Starts::new(), USUAL_OVERHEAD_NS)
    }

    #[test]
    fn a_launch_gets_its_share() {
        let settings = CaseSettings::default();
        // 10 less 2.2, 1.3 and 0.8 ms.
        assert_eq!(time(&settings, 20), 5_677_778);
        // Fewer launches do not make a launch longer unless a time was requested.
        assert_eq!(time(&settings, 1), 5_677_778);
        let long = CaseSettings {
            options: CaseOptions {
                min_time_ns: Some(1_000_000_000),
                ..CaseOptions::NONE
            },
            ..settings
        };
        assert_eq!(time(&long, 20), 50_000_000);
        assert_eq!(time(&long, 1), 1_000_000_000);
        assert_eq!(long.budget(), 1_000_000_000);
    }

    #[test]
    fn nothing_requested_is_one_launch() {
        let none = CaseSettings {
            launches: 0,
            budget_ns: 0,
            ..CaseSettings::default()
        };
        assert_eq!(none.requested(), 1);
        assert_eq!(time(&none, 0), 1);
    }

    #[test]
    fn starts_come_out_of_the_time_for_batches() {
        let settings = CaseSettings::default();
        let time = |starts, overhead_ns| batches_ns(&settings, 20, starts, overhead_ns);
        // At once: no more than three quarters.
        assert_eq!(time(starts(0, 100), 0), 7_500_000);
        // 7.8 less 0.5 and 2.1 ms, give or take a step.
        let slow = time(starts(2_100_000, 100), 500_000);
        assert!((5_030_000..5_330_000).contains(&slow), "{slow}");
        // A quarter of the share, and not less.
        assert_eq!(time(Starts { typical_ns: 3 * MS }, 2_277_778), 2_500_000);
        assert_eq!(time(Starts { typical_ns: 3 * MS }, 2_277_779), 7_500_000);
        assert_eq!(time(starts(0, 100), 2000 * MS), 7_500_000);
    }

    #[test]
    fn starts_that_do_not_fit_are_not_time_of_the_case() {
        let settings = CaseSettings::default();
        let used = |launches| used_ns(&settings, 0, 100 * MS, 60 * MS, launches);
        // 5 and 6 ms of shares of 10 ms, of which 2.2 are kept and 2.5 have to be left.
        assert_eq!((used(12), used(10)), (100 * MS, 40 * MS));
    }

    #[test]
    fn half_of_the_starts_exceed_the_typical_one() {
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
        // The clock of the launch may even be ahead.
        let mut none = starts(0, 1000);
        none.count(5, 7);
        assert!(none.typical_ns < 20, "{none:?}");
        for _ in 0..400 {
            none.count(MS, 0);
        }
        near(none, MS);
    }
}
