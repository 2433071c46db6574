//! The arm of bodies with a measurement of their own.

use std::any::type_name;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_engine::{Arm, Limits, Measures, Number, Reading};
use tourbillon_record::{BatchShape, Measured, Metric};

use crate::Throughput;
use crate::measurement::Measurement;
use crate::scale::scales;

/// A body that is measured by a [`Measurement`]: `run` does this many iterations and returns what they measured.
pub(crate) struct Routine<'m, M: Measurement, F> {
    measurement: &'m M,
    throughput: Option<&'m Throughput>,
    run: F,
    first: f64,
    last: f64,
    amounts: Vec<f64>,
}

impl<'m, M: Measurement, F: FnMut(u64) -> M::Value> Routine<'m, M, F> {
    pub(crate) fn new(measurement: &'m M, throughput: Option<&'m Throughput>, run: F) -> Self {
        Routine {
            measurement,
            throughput,
            run,
            first: 0.0,
            last: 0.0,
            amounts: Vec::new(),
        }
    }
}

/// What a measurement measures: its name is that of its type, its unit that of its files.
pub(crate) fn measures<M: Measurement>(measurement: &M) -> Measures {
    let path = type_name::<M>();
    let path = path.split_once('<').map_or(path, |(path, _)| path);
    let name = path.rsplit_once("::").map_or(path, |(_, name)| name);
    let unit = measurement.formatter().scale_for_machines(&mut []).trim();
    let unit = if unit.is_empty() { "units" } else { unit };
    Measures {
        metric: Metric::Own,
        own: Some(Number {
            name,
            unit,
            more_is_better: false,
        }),
        step_ns: None,
    }
}

impl<M: Measurement, F: FnMut(u64) -> M::Value> Arm for Routine<'_, M, F> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let iterations = shape.iterations();
        let start = clock.start();
        self.last = 0.0;
        if iterations > 0 {
            let value = (self.run)(iterations);
            self.last = value_for_machines(self.measurement, &value);
        }
        Reading {
            ticks: Ticks(clock.stop().0.wrapping_sub(start.0)),
            pauses: 0,
        }
    }

    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        let reading = self.batch(clock, BatchShape::of_items(1));
        self.first = self.last;
        Ok(reading)
    }

    fn limits(&self) -> Limits {
        Limits {
            loops_itself: true,
            ..Limits::default()
        }
    }

    fn note(&mut self) {
        self.amounts.push(self.last);
    }

    fn noted(&mut self) -> Result<Option<Box<Measured>>, String> {
        let Measures { metric, own, .. } = measures(self.measurement);
        let own = own.map(Number::recorded);
        let amounts = std::mem::take(&mut self.amounts);
        if let Some(amount) = amounts.iter().find(|amount| !amount.is_finite()) {
            return Err(format!("a batch measured {amount}, which is not a number"));
        }
        let [units, rates] = scales(self.measurement, self.throughput);
        Ok(Some(Box::new(Measured {
            metric,
            own,
            units,
            rates,
            step_ns: None,
            first_call: self.first,
            amounts,
        })))
    }
}

/// A value as a number in the unit of the files.
pub(crate) fn value_for_machines<M: Measurement>(measurement: &M, value: &M::Value) -> f64 {
    let mut values = [measurement.to_f64(value)];
    measurement.formatter().scale_for_machines(&mut values);
    values[0]
}

/// Does `iterations` in parts of at most `most_alive`, each measured by itself by `part`.
pub(crate) fn in_parts<M: Measurement>(
    measurement: &M,
    iterations: u64,
    most_alive: Option<u64>,
    mut part: impl FnMut(usize) -> M::Value,
) -> M::Value {
    /// Inputs that are alive at once where the benchmark has no limit.
    const USUAL: u64 = 1024;
    let most = most_alive.unwrap_or(USUAL);
    let (mut value, mut left) = (measurement.zero(), iterations);
    while left > 0 {
        let items = left.min(most);
        value = measurement.add(&value, &part(items as usize));
        left -= items;
    }
    value
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::Script;

    use super::*;
    use crate::measurement::ValueFormatter;

    /// Counts halves.
    struct Halves;

    impl ValueFormatter for Halves {
        fn scale_values(&self, _typical_value: f64, _values: &mut [f64]) -> &'static str {
            "halves"
        }

        fn scale_throughputs(
            &self,
            _typical_value: f64,
            _throughput: &Throughput,
            _values: &mut [f64],
        ) -> &'static str {
            "halves/s"
        }

        fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
            for value in values {
                *value /= 2.0;
            }
            "wholes"
        }
    }

    impl Measurement for Halves {
        type Intermediate = ();
        type Value = u64;

        fn start(&self) {}

        fn end(&self, (): ()) -> u64 {
            2
        }

        fn add(&self, v1: &u64, v2: &u64) -> u64 {
            v1 + v2
        }

        fn zero(&self) -> u64 {
            0
        }

        fn to_f64(&self, value: &u64) -> f64 {
            *value as f64
        }

        fn formatter(&self) -> &dyn ValueFormatter {
            self
        }
    }

    #[test]
    fn amounts_are_in_the_unit_of_files() {
        let clock = Clock::scripted(&Script::new());
        let mut arm = Routine::new(&Halves, None, |iterations| 6 * iterations);
        assert!(arm.first(&clock).is_ok());
        for iterations in [0, 1, 10] {
            arm.batch(&clock, BatchShape::of_items(iterations));
            arm.note();
        }
        let noted = arm.noted().expect("numbers").expect("amounts");
        assert_eq!(
            (noted.first_call, noted.amounts),
            (3.0, vec![0.0, 3.0, 30.0])
        );
        let unit = noted.units.unit(3.0).expect("a unit");
        assert_eq!((unit.of(3.0), unit.unit.as_str()), (6.0, "halves"));
        assert!(noted.rates.0.is_empty());
        let own = noted.own.expect("a name");
        assert_eq!((own.name.as_str(), own.unit.as_str()), ("Halves", "wholes"));
    }

    #[test]
    fn parts_hold_no_more_inputs_than_requested() {
        let mut parts = Vec::new();
        let value = in_parts(&Halves, 7, Some(3), |items| {
            parts.push(items);
            2
        });
        assert_eq!((value, parts), (6, vec![3, 3, 1]));
        assert_eq!(in_parts(&Halves, 0, None, |_| 1), 0);
    }
}
