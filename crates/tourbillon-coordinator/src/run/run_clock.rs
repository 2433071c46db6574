//! The clock of a run: chosen, described, and compared with the system's clock at both ends.

use tourbillon_clock::{Absence, Anchor, Choice, Clock, CrossCheck, Frequency, Stopwatch};
use tourbillon_os::{MachineCounts, machine_counts};
use tourbillon_record::{ClockCheck, ClockFacts, MachineEvents};

use crate::runner::RunClock;

/// The clock that the workers of a run read, and the stopwatch of the coordinator.
#[derive(Debug)]
pub struct SystemRunClock {
    choice: Choice,
    frequency: Frequency,
    start: Anchor,
    stopwatch: Stopwatch,
    counts: MachineCounts,
    /// Whether launches are made since it was started, before the cases are known.
    pub(super) has_begun: bool,
}

impl SystemRunClock {
    /// Chooses the clock and starts the stopwatch.
    pub fn start() -> SystemRunClock {
        let choice = Clock::choose();
        let frequency = choice.clock.frequency();
        let start = Anchor::take(&choice.clock);
        SystemRunClock {
            choice,
            frequency,
            start,
            stopwatch: Stopwatch::start(),
            counts: machine_counts(),
            has_begun: false,
        }
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.choice.clock
    }

    /// The clock, for the record.
    pub fn facts(&self) -> ClockFacts {
        let cycles_from = cycles_from(&self.choice.clock);
        ClockFacts {
            source: self.choice.clock.name().to_owned(),
            why: self.choice.why.clone(),
            hz_numerator: self.frequency.numerator,
            hz_denominator: self.frequency.denominator,
            frequency_from: self.frequency.from.to_string(),
            frequency_error_ppm: self.frequency.error_ppm,
            cycles_from: cycles_from.as_ref().ok().cloned(),
            no_cycles: cycles_from.err().map(|absence| absence.to_string()),
        }
    }
}

/// Where the cycles come from, or why there are none. A counter stays open in this process, so that the kernel does not set
/// counting up anew for each worker.
fn cycles_from(clock: &Clock) -> Result<String, Absence> {
    if clock.counting_cycles().is_some() {
        return Ok("hardware counter".to_owned());
    }
    let chain = clock.reference_chain()?;
    Ok(format!("reference chain of {chain}"))
}

impl RunClock for SystemRunClock {
    fn now_ns(&self) -> u64 {
        self.stopwatch.elapsed_ns()
    }

    fn begun_ns(&self) -> u64 {
        if self.has_begun { 0 } else { self.now_ns() }
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

    fn machine_events(&self) -> Option<MachineEvents> {
        between(&self.counts, &machine_counts())
    }
}

/// The counts from one moment to a later one; `None` where the system counts nothing.
fn between(from: &MachineCounts, to: &MachineCounts) -> Option<MachineEvents> {
    if to.wanted_ticks == 0 {
        return None;
    }
    Some(MachineEvents {
        busy_ticks: to.wanted_ticks.saturating_sub(from.wanted_ticks),
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
    fn counts_in_between() {
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
        let seen = MachineEvents {
            busy_ticks: 200,
            stolen_ticks: 20,
            own_ticks: 70,
            swapped_pages: 5,
            throttled: 1,
        };
        assert_eq!(between(&earlier, &later), Some(seen));
        assert_eq!(between(&later, &MachineCounts::default()), None);
    }
}
