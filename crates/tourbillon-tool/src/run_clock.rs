//! The clock of a measurement that this program runs itself.

use tourbillon_analysis::Frequency;
use tourbillon_clock::{Choice, Clock, Stopwatch};
use tourbillon_coordinator::runner::RunClock;
use tourbillon_record::ClockFacts;

use crate::exit::Stop;

/// The clock that workers read, and the stopwatch of this program.
#[derive(Debug)]
pub struct ToolRunClock {
    stopwatch: Stopwatch,
    /// The clock as recorded.
    pub facts: ClockFacts,
    /// Its ticks per second.
    pub frequency: Frequency,
}

impl ToolRunClock {
    /// Chooses the clock and starts the stopwatch.
    pub fn start() -> Result<ToolRunClock, Stop> {
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
        Ok(ToolRunClock {
            stopwatch: Stopwatch::start(),
            facts,
            frequency,
        })
    }
}

impl RunClock for ToolRunClock {
    fn now_ns(&self) -> u64 {
        self.stopwatch.elapsed_ns()
    }
}
