//! The units in which a measurement of a suite shows its numbers. They are in the record, for the process that prints
//! them, and for those that read it later.

use tourbillon_record::{Scale, ScaleUnit};

use crate::Throughput;
use crate::measurement::Measurement;

/// The units of a measurement: of its numbers, and of its rates if there is a throughput.
pub(crate) fn scales<M: Measurement>(
    measurement: &M,
    throughput: Option<&Throughput>,
) -> [Scale; 2] {
    let formatter = measurement.formatter();
    let in_files = |number: f64| {
        let mut numbers = [number];
        formatter.scale_for_machines(&mut numbers);
        numbers[0]
    };
    let values = probed(in_files, |typical, numbers| {
        formatter.scale_values(typical, numbers)
    });
    let rates = throughput.map(|throughput| {
        probed(in_files, |typical, numbers| {
            formatter.scale_throughputs(typical, throughput, numbers)
        })
    });
    [values, rates.unwrap_or_default()]
}

/// The units that a formatter has for powers of ten. Each holds up to the next one.
fn probed(in_files: impl Fn(f64) -> f64, scale: impl Fn(f64, &mut [f64]) -> &'static str) -> Scale {
    let mut units: Vec<ScaleUnit> = Vec::new();
    for exponent in -9..=18 {
        // Exact on every system, as powers are not.
        let number: f64 = format!("1e{exponent}").parse().unwrap_or(1.0);
        let mut numbers = [number, 2.0 * number];
        let unit = scale(number, &mut numbers).trim();
        let unit = ScaleUnit {
            from: in_files(number),
            shown: numbers[0],
            unit: unit.to_owned(),
            falls: numbers[1] < numbers[0],
        };
        let is_usable = |number: f64| number.is_finite() && number > 0.0;
        let is_new = units.last().is_none_or(|last| !holds(last, &unit));
        if is_usable(unit.from) && is_usable(unit.shown) && is_new {
            units.push(unit);
        }
    }
    Scale(units)
}

/// Whether `unit` shows the least number of another one in the same way.
fn holds(unit: &ScaleUnit, other: &ScaleUnit) -> bool {
    let apart = (unit.of(other.from) / other.shown - 1.0).abs();
    unit.unit == other.unit && unit.falls == other.falls && apart < 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::WallTime;
    use crate::values::show;

    #[test]
    fn numbers_are_shown_as_the_formatter_does() {
        let throughput = Throughput::Elements(1_000);
        let [values, rates] = scales(&WallTime, Some(&throughput));
        assert!(
            values.0.len() < 8 && rates.0.len() < 8,
            "{values:?} {rates:?}"
        );
        let formatter = WallTime.formatter();
        for number in [0.5, 1.0, 12.5, 999.9, 1_500.0, 2.5e6, 4e9] {
            let value = formatter.format_value(number);
            assert_eq!(show(&values, number, number), Some(value));
        }
        // Units of rates change between powers of ten.
        for number in [1.0, 10.0, 1e3, 1e6, 1e9] {
            let rate = formatter.format_throughput(&throughput, number);
            let shown = show(&rates, number, number).expect("a rate");
            assert_eq!(shown, rate.replace("  elem/s", " elem/s"));
            let falls = |scale: &Scale| scale.unit(number).map(|unit| unit.falls);
            assert_eq!([falls(&rates), falls(&values)], [Some(true), Some(false)]);
        }
        // Both ends of an interval are in the unit of its middle.
        assert_eq!(show(&values, 1e3, 950.0).as_deref(), Some("0.9500 µs"));
        assert_eq!(scales(&WallTime, None)[1], Scale::default());
    }
}
