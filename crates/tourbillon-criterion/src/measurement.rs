//! What is measured, and how it is shown.

use std::time::{Duration, Instant};

use crate::Throughput;
use crate::amount::amount;
use crate::values::{per_second, rate_unit, short, time_unit};

/// Shows values of a [`Measurement`].
pub trait ValueFormatter {
    /// A value with its unit.
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{:>6} {unit}", short(values[0]))
    }

    /// A rate with its unit, of iterations that take `value`.
    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{:>6} {unit}", short(values[0]))
    }

    /// Changes `values` to a unit that suits `typical_value`, and returns that.
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str;

    /// Changes `values` to rates in a unit that suits `typical_value`, and returns that.
    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str;

    /// Changes `values` to the unit of files that programs read, and returns that.
    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str;
}

/// What a benchmark measures: [`WallTime`], or a number of its own for each batch.
pub trait Measurement {
    /// What is known at the start of a batch.
    type Intermediate;

    /// What was measured.
    type Value;

    /// Called before a batch.
    fn start(&self) -> Self::Intermediate;

    /// Called after a batch.
    fn end(&self, i: Self::Intermediate) -> Self::Value;

    /// The sum of two values.
    fn add(&self, v1: &Self::Value, v2: &Self::Value) -> Self::Value;

    /// The value of no iterations.
    fn zero(&self) -> Self::Value;

    /// The value as a number.
    fn to_f64(&self, value: &Self::Value) -> f64;

    /// What shows these numbers.
    fn formatter(&self) -> &dyn ValueFormatter;
}

/// Wall time: what a benchmark measures by default, with the clock of the engine. Its methods are for bodies
/// that measure themselves.
#[derive(Clone, Copy, Debug)]
pub struct WallTime;

impl Measurement for WallTime {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        Instant::now()
    }

    fn end(&self, i: Instant) -> Duration {
        i.elapsed()
    }

    fn add(&self, v1: &Duration, v2: &Duration) -> Duration {
        *v1 + *v2
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }
}

/// Shows nanoseconds.
struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str {
        let (divisor, unit) = time_unit(typical_value);
        for value in values {
            *value /= divisor;
        }
        unit
    }

    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let amount = amount(throughput);
        let (divisor, unit) = rate_unit(amount, typical_value);
        for value in values {
            *value = per_second(amount, *value) / divisor;
        }
        unit
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_have_units_that_suit_them() {
        let formatter = WallTime.formatter();
        for (ns, text) in [
            (0.5, "500.00 ps"),
            (1.0, "1.0000 ns"),
            (12.5, "12.500 ns"),
            (1_500.0, "1.5000 µs"),
            (2.5e6, "2.5000 ms"),
            (4e9, "4.0000 s"),
        ] {
            assert_eq!(formatter.format_value(ns), text);
        }
        for (throughput, ns, text) in [
            (Throughput::Bytes(1024), 1e9, "1.0000 KiB/s"),
            (Throughput::Bytes(10), 1e9, "10.000   B/s"),
            (Throughput::BytesDecimal(2_000), 1e9, "2.0000 KB/s"),
            (Throughput::Elements(5), 1e3, "5.0000 Melem/s"),
        ] {
            assert_eq!(formatter.format_throughput(&throughput, ns), text);
        }
    }
}
