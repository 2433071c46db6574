use tourbillon_analysis::{Frequency, median_of_kind};
use tourbillon_record::Visit;

use crate::CaseSettings;
use crate::visit_time::ticks_besides;

/// How many launches a case gets, the pilot launch included, when another one costs `cost_ns`.
///
/// As many as were asked for explicitly, whatever they cost. Else as many as fit into the budget, at most those
/// of the settings; and where that is less than `needed`, the launches without which there is no interval
/// across processes (8 for 99 %), `needed` of them or as many as fit into the limit of the case: an interval
/// that holds for the next process too is worth eight seconds.
pub fn launch_count(settings: &CaseSettings, cost_ns: u64, needed: u32) -> u32 {
    let asked = settings.asked();
    if settings.launches_fixed {
        return asked;
    }
    let fits = |time_ns: u64| u32::try_from(time_ns / cost_ns.max(1)).unwrap_or(u32::MAX);
    let within_limit = fits(settings.limit_ns).min(needed);
    fits(settings.budget()).max(within_limit).clamp(1, asked)
}

/// Time for all launches of a case when one costs `cost_ns`: its budget, or what the `needed` ones take, as far
/// as that is within its limit.
pub(crate) fn time_ns(settings: &CaseSettings, cost_ns: u64, needed: u32) -> u64 {
    let needed_ns = cost_ns.saturating_mul(u64::from(needed));
    needed_ns.min(settings.limit_ns).max(settings.budget())
}

/// What another launch like this one is expected to cost, in nanoseconds: set-up, first call,
/// warming up and batches. The process is not counted: its milliseconds come out of the time for the
/// batches ([`batches_ns`](crate::visit_time::batches_ns)), and a body that needs a bit more than its share
/// shall not lose a launch to them.
///
/// Batches count as often as they were taken with the median of their length: a scout that was
/// interrupted for a moment must not cost the case launches.
pub(crate) fn expected_cost(visit: &Visit, frequency: &Frequency) -> u64 {
    let mut batches = 0.0;
    for kind in &[0, 1, 2] {
        let ticks = &visit.batches.ticks;
        let typical = median_of_kind(&visit.batches, *kind, ticks).unwrap_or(0.0);
        for of in &visit.batches.kind {
            batches += if of == kind { typical } else { 0.0 };
        }
    }
    frequency.nanos(ticks_besides(visit).saturating_add(batches as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn short_visits_get_what_was_asked_for() {
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
        // Else what fits.
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
            min_time_ns: 60_000 * MS,
            ..settings
        };
        assert_eq!(time_ns(&long, MS, 8), 60_000 * MS);
    }

    #[test]
    fn launches_that_were_asked_for_explicitly_are_made() {
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
    fn time_asked_for_is_part_of_the_budget() {
        let settings = CaseSettings {
            min_time_ns: 2000 * MS,
            ..CaseSettings::default()
        };
        assert_eq!(launch_count(&settings, 100 * MS, 8), 20);
    }
}
