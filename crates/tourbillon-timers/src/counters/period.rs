//! What a counter has counted.

use std::cell::OnceCell;
use std::fmt;

use crate::Source;
use tourbillon_clock::{Frequency, Ticks};

/// A frequency that is asked for when it is first needed, and kept.
pub(super) type Late = OnceCell<Option<Frequency>>;

/// What a source has counted between two readings.
///
/// The conversions divide once, in 128 bits: no period is too short or too long for them. They are
/// `None` where the source counts what has no fixed length, such as cycles.
#[derive(Clone, Copy)]
pub struct Period<'a> {
    ticks: Ticks,
    source: &'a dyn Source,
    frequency: &'a Late,
}

impl<'a> Period<'a> {
    /// The period from one reading to another.
    pub(super) fn between(
        source: &'a dyn Source,
        frequency: &'a Late,
        start: Ticks,
        stop: Ticks,
    ) -> Result<Period<'a>, Backwards> {
        match stop.since(start) {
            Some(ticks) => Ok(Period::of(source, frequency, ticks)),
            None => Err(Backwards {
                by: Ticks(start.0 - stop.0),
            }),
        }
    }

    pub(super) fn of(source: &'a dyn Source, frequency: &'a Late, ticks: Ticks) -> Period<'a> {
        Period {
            ticks,
            source,
            frequency,
        }
    }

    /// The period in the source's own unit; asks for no frequency.
    #[must_use]
    pub fn ticks(&self) -> Ticks {
        self.ticks
    }

    /// The period in seconds.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        self.nanoseconds().map(|ns| ns / 1e9)
    }

    /// The period in milliseconds.
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.nanoseconds().map(|ns| ns / 1e6)
    }

    /// The period in microseconds.
    #[must_use]
    pub fn microseconds(&self) -> Option<f64> {
        self.nanoseconds().map(|ns| ns / 1e3)
    }

    /// The period in nanoseconds, as exactly as an `f64` holds it.
    #[must_use]
    pub fn nanoseconds(&self) -> Option<f64> {
        self.frequency()
            .map(|frequency| frequency.nanos(self.ticks))
    }

    /// The period in picoseconds, rounded to the nearest: exact for every count.
    #[must_use]
    pub fn picoseconds(&self) -> Option<u128> {
        self.frequency()
            .map(|frequency| frequency.nanos_exact(self.ticks))
    }

    /// Another count of the same source.
    pub(super) fn with_ticks(self, ticks: Ticks) -> Period<'a> {
        Period { ticks, ..self }
    }

    fn frequency(&self) -> Option<Frequency> {
        *self.frequency.get_or_init(|| self.source.frequency())
    }
}

impl fmt::Debug for Period<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Period({} ticks of {})",
            self.ticks.0,
            self.source.name()
        )
    }
}

/// A source read less at the end than at the start.
///
/// It was stepped, it wrapped, or its reading differs between processors. There is no period then,
/// and none is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backwards {
    /// By how much.
    pub by: Ticks,
}

impl fmt::Display for Backwards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the source went backwards by {} ticks; use one without a caveat",
            self.by.0
        )
    }
}

impl std::error::Error for Backwards {}
