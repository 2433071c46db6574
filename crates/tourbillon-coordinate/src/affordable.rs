use tourbillon_record::Visit;

use crate::estimate::median_of_kind;
use crate::visit_time::ticks_besides;
use crate::{CaseSettings, Frequency};

/// How far over its budget a case may go for an interval across processes.
const OVERDRAFT: u64 = 10;

/// How many launches a case gets, the scout included, when another one costs `cost_ns`.
///
/// budget / cost, at least 1 and at most what was asked for. With one exception: where that is
/// less than `needed`, the launches without which there is no interval across processes (8 for
/// 99 %), and `needed` launches fit into ten times the budget, there are `needed` launches. An
/// interval that holds for the next process too is worth two seconds.
pub fn affordable(settings: &CaseSettings, cost_ns: u64, needed: u32) -> u32 {
    let asked = settings.asked();
    let fits = |budget: u64| u32::try_from(budget / cost_ns.max(1)).unwrap_or(u32::MAX);
    let budget = settings.budget();
    let plain = fits(budget).clamp(1, asked);
    if plain < needed && fits(budget.saturating_mul(OVERDRAFT)) >= needed {
        needed.min(asked)
    } else {
        plain
    }
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
        assert_eq!(affordable(&settings, 8 * MS, 8), 20);
        assert_eq!(affordable(&settings, 10 * MS, 8), 20);
        assert_eq!(affordable(&settings, 0, 8), 20);
        assert_eq!(affordable(&settings, 11 * MS, 8), 18);
        assert_eq!(affordable(&settings, 20 * MS, 8), 10);
    }

    #[test]
    fn an_interval_across_processes_may_cost_ten_budgets() {
        let settings = CaseSettings::default();
        assert_eq!(affordable(&settings, 25 * MS, 8), 8);
        assert_eq!(affordable(&settings, 26 * MS, 8), 8);
        assert_eq!(affordable(&settings, 250 * MS, 8), 8);
        assert_eq!(affordable(&settings, 251 * MS, 8), 1);
        assert_eq!(affordable(&settings, 80 * MS, 30), 2);
        assert_eq!(affordable(&settings, u64::MAX, 8), 1);
    }

    #[test]
    fn never_more_than_asked_for() {
        let settings = CaseSettings {
            launches: 5,
            ..CaseSettings::default()
        };
        assert_eq!(affordable(&settings, 1, 8), 5);
        assert_eq!(affordable(&settings, 100 * MS, 8), 5);
        assert_eq!(affordable(&settings, 1001 * MS, 8), 1);
    }

    #[test]
    fn time_asked_for_is_part_of_the_budget() {
        let settings = CaseSettings {
            min_time_ns: 2000 * MS,
            ..CaseSettings::default()
        };
        assert_eq!(affordable(&settings, 100 * MS, 8), 20);
    }
}
