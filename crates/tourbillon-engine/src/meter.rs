//! Arms that are measured in something else than wall time.

use std::fmt;

use tourbillon_clock::Clock;
use tourbillon_record::{Frame, Plan, SystemCounts, Team};

use crate::visit::{find, measured};
use crate::{About, Arm, Limits, Measures, Reading, Stretch, Suite};

/// Who knows what a batch comes to.
pub trait Meter {
    /// What it measures.
    fn measures(&self) -> Measures;

    /// Whether it can be read here.
    ///
    /// # Errors
    ///
    /// Why not.
    fn check(&self) -> Result<(), String>;

    /// `clock`, so that the meter is told where timed regions begin and end.
    fn clock(&self, clock: &Clock) -> Clock;

    /// The amount since this was last called; not a number where it could not be read after all.
    fn take(&self) -> f64;
}

/// An arm with its meter.
///
/// Its methods are `#[inline]`: compiled into the programs that have one, not into every bench binary.
pub struct Metered<'a> {
    /// The arm.
    pub arm: &'a mut dyn Arm,
    /// The clock that the arm reads, where that is not the one that it is handed.
    pub clock: Option<Clock>,
    /// What the arm came to since this was last called.
    pub take: &'a dyn Fn() -> f64,
    /// The amount of the batch before.
    pub last: f64,
}

impl fmt::Debug for Metered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metered")
            .field("clock", &self.clock)
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}

impl Arm for Metered<'_> {
    #[inline]
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        (self.take)();
        let reading = self
            .arm
            .batch(self.clock.as_ref().unwrap_or(clock), stretch);
        self.last = (self.take)();
        reading
    }

    #[inline]
    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        (self.take)();
        let first = self.arm.first(self.clock.as_ref().unwrap_or(clock));
        self.last = (self.take)();
        first
    }

    #[inline]
    fn limits(&self) -> Limits {
        self.arm.limits()
    }

    #[inline]
    fn work(&self) -> Option<u64> {
        self.arm.work()
    }

    #[inline]
    fn team(&mut self) -> Option<Team> {
        self.arm.team()
    }

    #[inline]
    fn amount(&mut self) -> Option<f64> {
        Some(self.last)
    }
}

/// As [`visit`](crate::visit), measured by `meter`; an arm that is measured in something of its own
/// stays what it is.
#[inline]
pub fn visit_by(
    meter: &dyn Meter,
    suite: &dyn Suite,
    plan: &Plan,
    clock: &Clock,
    count: &dyn Fn() -> SystemCounts,
    send: &mut dyn FnMut(Frame),
) {
    let mut measure = |arm: &mut dyn Arm, about: About, opened, send: &mut dyn FnMut(Frame)| {
        let visit = if about.measures.is_some() {
            measured(arm, about, plan, clock, opened, count, send)?
        } else if arm.limits().pauses {
            let what = meter.measures().metric.name().replace('_', " ");
            return Err(format!(
                "the body pauses the clock, which takes more {what} than it keeps out; let \
                 `with_inputs` or `with_state` prepare what does not belong to the ops"
            ));
        } else {
            meter.check()?;
            let about = About {
                measures: Some(meter.measures()),
                ..about
            };
            let mut metered = Metered {
                arm,
                clock: Some(meter.clock(clock)),
                take: &|| meter.take(),
                last: 0.0,
            };
            measured(&mut metered, about, plan, clock, opened, count, send)?
        };
        Ok(Frame::Visit(Box::new(visit)))
    };
    find(suite, plan, clock, &mut measure, send);
}
