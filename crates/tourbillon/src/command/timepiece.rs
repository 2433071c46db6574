//! The clock of a run: chosen, described, and held against the system's clock at both ends.

use crate::lasting::Lasting;
use crate::text::{owned, said, text};
use tourbillon_clock::{Anchor, Choice, Clock, CrossCheck, Frequency, Stopwatch};
use tourbillon_coordinate::Watch;
use tourbillon_record::{ClockCheck, ClockFacts};

/// The clock that the workers of a run read, and the watch that the coordinator looks at.
#[derive(Debug)]
pub(crate) struct Timepiece {
    choice: Lasting<Choice>,
    frequency: Frequency,
    start: Anchor,
    watch: Stopwatch,
}

impl Timepiece {
    /// Chooses the clock and starts the watch.
    #[inline(never)]
    pub(crate) fn start() -> Timepiece {
        let choice = Lasting::new(Clock::choose());
        let frequency = choice.clock.frequency();
        let start = Anchor::take(&choice.clock);
        Timepiece {
            choice,
            frequency,
            start,
            watch: Stopwatch::start(),
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

impl Watch for Timepiece {
    fn now_ns(&self) -> u64 {
        self.watch.elapsed_ns()
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
}
