//! Arms that are measured in something else than wall time.

use std::fmt;

use tourbillon_clock::Clock;
use tourbillon_record::{Frame, Measured, OwnMetric, Plan, Team};

use crate::visit::{find, measured};
use crate::{About, Arm, Limits, Measures, Reading, Stretch, Suite, System};

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
    arm: &'a mut dyn Arm,
    measures: Measures,
    clock: Option<Clock>,
    take: &'a dyn Fn() -> f64,
    /// The amount of the first call, and of the batch before.
    first: f64,
    last: f64,
    amounts: Vec<f64>,
}

impl<'a> Metered<'a> {
    /// `take` says what `arm` came to since it was last called; `clock` is what the arm reads, where
    /// that is not the clock that it is handed.
    #[inline]
    pub fn new(
        arm: &'a mut dyn Arm,
        measures: Measures,
        clock: Option<Clock>,
        take: &'a dyn Fn() -> f64,
    ) -> Metered<'a> {
        Metered {
            arm,
            measures,
            clock,
            take,
            first: 0.0,
            last: 0.0,
            amounts: Vec::new(),
        }
    }
}

impl fmt::Debug for Metered<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metered").finish_non_exhaustive()
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
        self.first = self.last;
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
    fn note(&mut self) {
        self.amounts.push(self.last);
    }

    #[inline]
    fn noted(&mut self) -> Result<Option<Box<Measured>>, String> {
        let Measures {
            metric,
            own,
            step_ns,
        } = self.measures;
        for amount in self.amounts.iter().chain([&self.first]) {
            if !amount.is_finite() {
                let name = own.map_or(metric.name(), |own| own.0);
                return Err(format!("{name} of a batch is {amount}, which is no number"));
            }
        }
        Ok(Some(Box::new(Measured {
            metric,
            own: own.map(|(name, unit)| OwnMetric {
                name: name.to_owned(),
                unit: unit.to_owned(),
            }),
            step_ns,
            first_call: self.first,
            amounts: std::mem::take(&mut self.amounts),
        })))
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
    system: &dyn System,
    send: &mut dyn FnMut(Frame),
) {
    let mut measure = |arm: &mut dyn Arm, about: About, opened, send: &mut dyn FnMut(Frame)| {
        let visit = if about
            .measures
            .is_some_and(|measures| measures.own.is_some())
        {
            measured(arm, about, plan, clock, opened, system, send)?
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
            let take = || meter.take();
            let clock_of_arm = Some(meter.clock(clock));
            let mut metered = Metered::new(arm, meter.measures(), clock_of_arm, &take);
            measured(&mut metered, about, plan, clock, opened, system, send)?
        };
        Ok(Frame::Visit(Box::new(visit)))
    };
    find(suite, plan, clock, &mut measure, send);
}
