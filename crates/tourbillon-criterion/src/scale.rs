//! How a measurement of a suite shows its numbers, for the process that prints them.

use crate::Throughput;
use crate::measurement::Measurement;
use crate::values::short;

/// Between the parts of a step, and between steps: what no unit holds.
const BETWEEN: [char; 2] = ['\u{1f}', '\u{1e}'];

/// The units in which numbers are shown, by their size in the unit of files. Found by asking the formatter for powers
/// of ten, whose units hold up to the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scale(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
struct Step {
    /// The least number.
    from: f64,
    /// That number in the unit.
    shown: f64,
    unit: String,
    /// Whether larger numbers are shown as smaller ones, as times are by rates.
    falls: bool,
}

/// The units of a benchmark: of its numbers, and of its rates if it has a throughput.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scales {
    pub(crate) values: Scale,
    pub(crate) rates: Scale,
}

impl Scales {
    /// Those of a measurement.
    pub(crate) fn of<M: Measurement>(measurement: &M, throughput: Option<&Throughput>) -> Scales {
        let formatter = measurement.formatter();
        let in_files = |number: f64| {
            let mut numbers = [number];
            formatter.scale_for_machines(&mut numbers);
            numbers[0]
        };
        let values = Scale::probed(in_files, |typical, numbers| {
            formatter.scale_values(typical, numbers)
        });
        let rates = throughput.map(|throughput| {
            Scale::probed(in_files, |typical, numbers| {
                formatter.scale_throughputs(typical, throughput, numbers)
            })
        });
        Scales {
            values,
            rates: rates.unwrap_or_default(),
        }
    }
}

impl Scale {
    /// Without units.
    #[cfg(test)]
    pub(crate) const NONE: Scale = Scale(Vec::new());

    fn probed(
        in_files: impl Fn(f64) -> f64,
        scale: impl Fn(f64, &mut [f64]) -> &'static str,
    ) -> Scale {
        let mut steps: Vec<Step> = Vec::new();
        for exponent in -9..=18 {
            // Exact on every system, as powers are not.
            let number = format!("1e{exponent}").parse().unwrap_or(1.0);
            let mut numbers = [number, 2.0 * number];
            let unit = scale(number, &mut numbers).trim();
            let step = Step {
                from: in_files(number),
                shown: numbers[0],
                unit: unit.to_owned(),
                falls: numbers[1] < numbers[0],
            };
            let is_usable = |number: f64| number.is_finite() && number > 0.0;
            let is_new = steps.last().is_none_or(|last| !last.holds(&step));
            if is_usable(step.from) && is_usable(step.shown) && is_new {
                steps.push(step);
            }
        }
        Scale(steps)
    }

    /// A number of a result whose size is `typical`, both in the unit of files; `None` without a unit for it.
    pub(crate) fn show(&self, typical: f64, number: f64) -> Option<String> {
        let step = self.step(typical)?;
        Some(format!("{:>6} {}", short(step.of(number)), step.unit))
    }

    /// Whether larger numbers of a size are shown as smaller ones.
    pub(crate) fn falls(&self, typical: f64) -> bool {
        self.step(typical).is_some_and(|step| step.falls)
    }

    fn step(&self, typical: f64) -> Option<&Step> {
        let mut steps = self.0.iter().rev();
        steps.find(|step| step.from <= typical).or(self.0.first())
    }

    pub(crate) fn encode(&self) -> String {
        let [part, step] = BETWEEN.map(String::from);
        let encoded = self.0.iter().map(|of| {
            let numbers = [of.from.to_string(), of.shown.to_string()];
            let falls = u8::from(of.falls).to_string();
            [numbers.join(&part), falls, of.unit.clone()].join(&part)
        });
        encoded.collect::<Vec<_>>().join(&step)
    }

    /// Reads what [`Scale::encode`] wrote; without units for another text.
    pub(crate) fn decode(text: &str) -> Scale {
        let step = |text: &str| {
            let parts: Vec<&str> = text.split(BETWEEN[0]).collect();
            let [from, shown, falls, unit] = parts[..] else {
                return None;
            };
            Some(Step {
                from: from.parse().ok()?,
                shown: shown.parse().ok()?,
                unit: unit.to_owned(),
                falls: falls == "1",
            })
        };
        Scale(text.split(BETWEEN[1]).filter_map(step).collect())
    }
}

impl Step {
    /// A number in the unit.
    fn of(&self, number: f64) -> f64 {
        if self.falls {
            self.shown * (self.from / number)
        } else {
            self.shown * (number / self.from)
        }
    }

    /// Whether this step shows the least number of another one in the same way.
    fn holds(&self, other: &Step) -> bool {
        let apart = (self.of(other.from) / other.shown - 1.0).abs();
        self.unit == other.unit && self.falls == other.falls && apart < 1e-9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::WallTime;

    #[test]
    fn numbers_are_shown_as_the_formatter_does() {
        let throughput = Throughput::Elements(1_000);
        let Scales { values, rates } = Scales::of(&WallTime, Some(&throughput));
        assert!(
            values.0.len() < 8 && rates.0.len() < 8,
            "{values:?} {rates:?}"
        );
        let formatter = WallTime.formatter();
        for number in [0.5, 1.0, 12.5, 999.9, 1_500.0, 2.5e6, 4e9] {
            let value = formatter.format_value(number);
            assert_eq!(values.show(number, number), Some(value));
        }
        // Units of rates change between powers of ten.
        for number in [1.0, 10.0, 1e3, 1e6, 1e9] {
            let rate = formatter.format_throughput(&throughput, number);
            let shown = rates.show(number, number).expect("a rate");
            assert_eq!(shown, rate.replace("  elem/s", " elem/s"));
            assert!(rates.falls(number) && !values.falls(number));
        }
        // Both ends of an interval are in the unit of its middle.
        assert_eq!(values.show(1e3, 950.0).as_deref(), Some("0.9500 µs"));
    }

    #[test]
    fn units_are_read_as_they_were_written() {
        let Scales { values, rates } = Scales::of(&WallTime, Some(&Throughput::Bytes(7)));
        for scale in [values, rates, Scale::default()] {
            assert_eq!(Scale::decode(&scale.encode()), scale);
        }
        assert_eq!(Scale::default().show(1.0, 1.0), None);
    }
}
