//! The clock of a measurement that this program runs itself.

use tourbillon_analysis::Frequency;
use tourbillon_clock::{Choice, Clock, Stopwatch};
use tourbillon_coordinator::runner::RunClock;
use tourbillon_record::ClockFacts;

use crate::exit::Stop;

/// The clock that workers read, and the stopwatch of this program.
#[derive(Debug)]
pub struct SystemRunClock {
    stopwatch: Stopwatch,
    /// The clock as recorded.
    pub facts: ClockFacts,
    /// Its ticks per second.
    pub frequency: Frequency,
}

impl SystemRunClock {
    /// Chooses the clock and starts the stopwatch.
    pub fn start() -> Result<SystemRunClock, Stop> {
        let Choice { clock, why, .. } = Clock::choose();
        let frequency = clock.frequency();
        let facts = ClockFacts {
            source: clock.name().to_owned(),
            why,
            hz_numerator: frequency.numerator,
            hz_denominator: frequency.denominator,
            frequency_from: frequency.from.to_string(),
            frequency_error_ppm: frequency.error_ppm,
            cycles_from: None,
            no_cycles: None,
        };
        let Some(frequency) = Frequency::of(&facts) else {
            let what = format!("the clock {} has no frequency", facts.source);
            return Err(Stop::Environment(what));
        };
        Ok(SystemRunClock {
            stopwatch: Stopwatch::start(),
            facts,
            frequency,
        })
    }
}

impl RunClock for SystemRunClock {
    fn now_ns(&self) -> u64 {
        self.stopwatch.elapsed_ns()
    }
}
