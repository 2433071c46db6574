//! The clock of a run: chosen, described, and held against the system's clock at both ends.

use crate::lasting::Lasting;
use crate::text::{owned, said, text};
use tourbillon_clock::{Anchor, Choice, Clock, CrossCheck, Frequency, Stopwatch};
use tourbillon_os::{MachineCounts, machine_counts};
use tourbillon_record::{ClockCheck, ClockFacts, Meanwhile};
use tourbillon_runner::RunClock;

/// The clock that the workers of a run read, and the watch that the coordinator looks at.
#[derive(Debug)]
pub(crate) struct SystemRunClock {
    choice: Lasting<Choice>,
    frequency: Frequency,
    start: Anchor,
    run_clock: Stopwatch,
    counts: MachineCounts,
}

impl SystemRunClock {
    /// Chooses the clock and starts the watch.
    #[inline(never)]
    pub(crate) fn start() -> SystemRunClock {
        let choice = Lasting::new(Clock::choose());
        let frequency = choice.clock.frequency();
        let start = Anchor::take(&choice.clock);
        SystemRunClock {
            choice,
            frequency,
            start,
            run_clock: Stopwatch::start(),
            counts: machine_counts(),
        }
    }

    /// What the record says of the clock.
    #[inline(never)]
    pub(crate) fn facts(&self) -> ClockFacts {
        ClockFacts {
            source: owned(self.choice.clock.name()),
            why: self.choice.why.clone(),
            hz_numerator: self.frequency.numerator,
            hz_denominator: self.frequency.denominator,
            frequency_from: said(&self.frequency.from),
            frequency_error_ppm: self.frequency.error_ppm,
            cycles_from: cycles_from(&self.choice.clock),
        }
    }
}

/// Where the cycles come from. A counter stays with this process, so that the kernel need not get ready
/// for the first one of each worker.
fn cycles_from(clock: &Clock) -> Option<String> {
    if clock.counting_cycles().is_some() {
        return Some(owned("hardware counter"));
    }
    let chain = clock.reference_chain()?;
    Some(text!("reference chain of {chain}"))
}

impl RunClock for SystemRunClock {
    fn now_ns(&self) -> u64 {
        self.run_clock.elapsed_ns()
    }

    fn check(&self) -> Option<ClockCheck> {
        let end = Anchor::take(&self.choice.clock);
        let check = CrossCheck::between(&self.start, &end, &self.frequency)?;
        Some(ClockCheck {
            deviation_ppm: check.deviation_ppm,
            bound_ppm: check.bound_ppm,
            baseline_ns: check.baseline_ns,
        })
    }

    fn meanwhile(&self) -> Option<Meanwhile> {
        between(&self.counts, &machine_counts())
    }
}

/// What was counted from one moment to a later one; `None` where the system counts nothing.
#[inline(never)]
fn between(from: &MachineCounts, to: &MachineCounts) -> Option<Meanwhile> {
    if to.wanted_ticks == 0 {
        return None;
    }
    Some(Meanwhile {
        wanted_ticks: to.wanted_ticks.saturating_sub(from.wanted_ticks),
        // In a guest that moves to another host it may begin anew.
        stolen_ticks: to.stolen_ticks.saturating_sub(from.stolen_ticks),
        own_ticks: to.own_ticks.saturating_sub(from.own_ticks),
        swapped_pages: to.swapped_pages.saturating_sub(from.swapped_pages),
        throttled: to.throttled.saturating_sub(from.throttled),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_in_between() {
        let earlier = MachineCounts {
            wanted_ticks: 100,
            stolen_ticks: 10,
            own_ticks: 30,
            swapped_pages: 2,
            throttled: 4,
        };
        let later = MachineCounts {
            wanted_ticks: 300,
            stolen_ticks: 30,
            own_ticks: 100,
            swapped_pages: 7,
            throttled: 5,
        };
        let seen = Meanwhile {
            wanted_ticks: 200,
            stolen_ticks: 20,
            own_ticks: 70,
            swapped_pages: 5,
            throttled: 1,
        };
        assert_eq!(between(&earlier, &later), Some(seen));
        assert_eq!(between(&later, &MachineCounts::default()), None);
    }
}
