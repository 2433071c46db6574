//! Arms that are measured in something else than wall time.

use std::fmt;

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Calls, Measured, Metric, Scale, Team};

use crate::arm::{About, Arm, Limits, Measures, Number, Pace, Reading};
use crate::arms::LoopKind;

/// Knows the amount of a batch.
pub trait Meter: Sync {
    /// What it measures.
    fn measures(&self) -> Measures;

    /// Whether it can be read here.
    ///
    /// # Errors
    ///
    /// Why not.
    fn check(&self) -> Result<(), String>;

    /// `clock`, which calls the meter where timed regions begin and end.
    fn clock(&self, clock: &Clock) -> Clock;

    /// The amount since the last call; NaN if it could not be read.
    fn take(&self) -> f64;
}

/// An arm with its meter.
pub struct Metered<'a> {
    arm: &'a mut dyn Arm,
    measures: Measures,
    clock: Option<Clock>,
    take: &'a dyn Fn() -> f64,
    /// Units in which its numbers and rates are shown.
    scales: [Scale; 2],
    /// The amount of the first call, and of the batch before.
    first: f64,
    last: f64,
    amounts: Vec<f64>,
}

impl<'a> Metered<'a> {
    /// `take` returns the amount since its last call. The arm reads `clock`, if given, in place of the clock of
    /// the launch.
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
            scales: Default::default(),
            first: 0.0,
            last: 0.0,
            amounts: Vec::new(),
        }
    }

    /// Shows numbers and rates in these units.
    #[must_use]
    pub fn in_scales(self, scales: [Scale; 2]) -> Metered<'a> {
        Metered { scales, ..self }
    }
}

impl fmt::Debug for Metered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metered").finish_non_exhaustive()
    }
}

impl Arm for Metered<'_> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        (self.take)();
        let reading = self.arm.batch(self.clock.as_ref().unwrap_or(clock), shape);
        self.last = (self.take)();
        reading
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        (self.take)();
        let first = self.arm.first(self.clock.as_ref().unwrap_or(clock));
        self.last = (self.take)();
        self.first = self.last;
        first
    }

    fn limits(&self) -> Limits {
        self.arm.limits()
    }

    fn loop_kind(&self) -> LoopKind {
        self.arm.loop_kind()
    }

    fn work(&self) -> Option<u64> {
        self.arm.work()
    }

    fn team(&mut self) -> Option<Team> {
        self.arm.team()
    }

    fn pace(&self) -> Option<Pace> {
        self.arm.pace()
    }

    fn time_calls(&mut self, clock: &Clock, tick_hz: u64) {
        self.arm.time_calls(clock, tick_hz);
    }

    fn calls(&mut self) -> Option<Box<Calls>> {
        self.arm.calls()
    }

    fn note(&mut self) {
        self.amounts.push(self.last);
    }

    fn noted(&mut self) -> Result<Option<Box<Measured>>, String> {
        let Measures {
            metric,
            own,
            step_ns,
        } = self.measures;
        for amount in self.amounts.iter().chain([&self.first]) {
            if !amount.is_finite() {
                let name = own.map_or(metric.name(), |own| own.name);
                return Err(format!(
                    "{name} of a batch is {amount}, which is not a number"
                ));
            }
        }
        let [units, rates] = std::mem::take(&mut self.scales);
        Ok(Some(Box::new(Measured {
            units,
            rates,
            metric,
            own: own.map(Number::recorded),
            step_ns,
            first_call: self.first,
            amounts: std::mem::take(&mut self.amounts),
        })))
    }
}

/// Has `launch` measure the arm in the metric that a plan asks for, else in that of its case. A body that returns a
/// number is measured in that; `meter_of` gives what reads a processor time.
pub(crate) fn with_meter<T>(
    arm: &mut dyn Arm,
    about: About,
    planned: Option<Metric>,
    clock: &Clock,
    meter_of: impl Fn(Metric) -> Option<Box<dyn Meter>>,
    launch: impl FnOnce(&mut dyn Arm, About) -> Result<T, String>,
) -> Result<T, String> {
    let own = about.measures;
    if own.is_some_and(|measures| measures.own.is_some()) {
        return launch(arm, about);
    }
    let asked = planned.or(own.map(|measures| measures.metric));
    let Some(metric) = asked.filter(|metric| *metric != Metric::Time) else {
        let in_wall_time = About {
            measures: None,
            ..about
        };
        return launch(arm, in_wall_time);
    };
    let what = metric.name().replace('_', " ");
    if arm.limits().pauses {
        return Err(format!(
            "the body pauses the clock, which takes more {what} than it keeps out; let `with_inputs` or \
             `with_state` prepare what does not belong to the ops"
        ));
    }
    let meter = meter_of(metric).ok_or_else(|| format!("{what} is not measured here"))?;
    meter.check()?;
    let about = About {
        measures: Some(meter.measures()),
        ..about
    };
    let take = || meter.take();
    let clock_of_arm = Some(meter.clock(clock));
    let mut metered = Metered::new(arm, meter.measures(), clock_of_arm, &take);
    launch(&mut metered, about)
}
