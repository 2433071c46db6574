//! The units in which the numbers of an own metric are shown.

use crate::Error;
use crate::codec::{Json, object};
use crate::json::{Value, Writer};

/// Units, the one of the smallest numbers first. Without any, numbers are shown in the unit of their metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scale(pub Vec<ScaleUnit>);

/// A unit, from a number on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScaleUnit {
    /// The least number that is shown in it, in the unit of the metric.
    pub from: f64,
    /// That number in this unit.
    pub shown: f64,
    /// The name of the unit.
    pub unit: String,
    /// Whether larger numbers are shown as smaller ones, as times are by rates: as `shown * from / number` in place of
    /// `shown * number / from`.
    pub falls: bool,
}

object! {
    ScaleUnit { from, shown, unit, falls }
}

impl Scale {
    /// The unit of numbers of this size; of those below all units, the first one.
    pub fn unit(&self, size: f64) -> Option<&ScaleUnit> {
        let mut units = self.0.iter().rev();
        units.find(|unit| unit.from <= size).or(self.0.first())
    }
}

impl ScaleUnit {
    /// A number of the metric in this unit.
    pub fn of(&self, number: f64) -> f64 {
        if self.falls {
            self.shown * (self.from / number)
        } else {
            self.shown * (number / self.from)
        }
    }
}

impl Json for Scale {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }

    fn read(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        self.0.read(name, value)
    }

    fn is_absent(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_unit_of_their_size() {
        let unit = |from, shown, unit: &str, falls| ScaleUnit {
            from,
            shown,
            unit: unit.to_owned(),
            falls,
        };
        let scale = Scale(vec![
            unit(1.0, 1.0, "counts", false),
            unit(1e3, 1.0, "kilocounts", false),
        ]);
        for (number, shown, name) in [
            (0.5, 0.5, "counts"),
            (999.0, 999.0, "counts"),
            (2_500.0, 2.5, "kilocounts"),
        ] {
            let unit = scale.unit(number).expect("a unit");
            assert_eq!((unit.of(number), unit.unit.as_str()), (shown, name));
        }
        assert_eq!(Scale::default().unit(1.0), None);
        assert_eq!(unit(10.0, 8.0, "per second", true).of(40.0), 2.0);
    }
}
