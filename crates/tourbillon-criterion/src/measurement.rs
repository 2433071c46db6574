//! What is measured, and how it is shown.

use std::time::{Duration, Instant};

use crate::throughput::Throughput;

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

/// A number in about five digits.
pub(crate) fn short(value: f64) -> String {
    let decimals = match value {
        _ if value < 10.0 => 4,
        _ if value < 100.0 => 3,
        _ if value < 1_000.0 => 2,
        _ if value < 10_000.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
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

/// Units, each with the value from which on it is used.
type Units = [(f64, &'static str)];

const TIMES: &Units = &[
    (1e-3, "ps"),
    (1.0, "ns"),
    (1e3, "µs"),
    (1e6, "ms"),
    (1e9, "s"),
];
#[cfg(not(feature = "throughput-0-5"))]
const BITS: &Units = &[(1.0, "  b/s"), (1e3, "Kb/s"), (1e6, "Mb/s"), (1e9, "Gb/s")];
const BYTES: &Units = &[
    (1.0, "  B/s"),
    (1024.0, "KiB/s"),
    (1024.0 * 1024.0, "MiB/s"),
    (1024.0 * 1024.0 * 1024.0, "GiB/s"),
];
const DECIMAL_BYTES: &Units = &[(1.0, "  B/s"), (1e3, "KB/s"), (1e6, "MB/s"), (1e9, "GB/s")];
const ELEMENTS: &Units = &[
    (1.0, " elem/s"),
    (1e3, "Kelem/s"),
    (1e6, "Melem/s"),
    (1e9, "Gelem/s"),
];

/// The largest unit that is not above a value, else the first.
fn unit_of(units: &Units, value: f64) -> (f64, &'static str) {
    let fitting = units.iter().rev().find(|(from, _)| value >= *from);
    *fitting.unwrap_or(&units[0])
}

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str {
        let (divisor, unit) = unit_of(TIMES, typical_value);
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
        let (amount, units) = match *throughput {
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::Bits(bits) => (bits, BITS),
            Throughput::Bytes(bytes) => (bytes, BYTES),
            Throughput::BytesDecimal(bytes) => (bytes, DECIMAL_BYTES),
            Throughput::Elements(elements) => (elements, ELEMENTS),
            #[cfg(not(feature = "throughput-0-5"))]
            Throughput::ElementsAndBytes { elements, .. } => (elements, ELEMENTS),
        };
        let rate = |ns: f64| amount as f64 * 1e9 / ns;
        let (divisor, unit) = unit_of(units, rate(typical_value));
        for value in values {
            *value = rate(*value) / divisor;
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
