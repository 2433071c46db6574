//! Models of growth, from constant to cubic.

use std::fmt;

/// How time may grow with the size n, slower ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Model {
    /// 1
    Constant,
    /// log n
    Log,
    /// n
    Linear,
    /// n log n
    LogLinear,
    /// n^2
    Square,
    /// n^3
    Cube,
}

impl Model {
    /// All of them, slower ones first.
    pub const ALL: [Model; 6] = [
        Model::Constant,
        Model::Log,
        Model::Linear,
        Model::LogLinear,
        Model::Square,
        Model::Cube,
    ];

    /// How it is written: `1`, `log n`, `n`, `n log n`, `n^2` or `n^3`.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Constant => "1",
            Model::Log => "log n",
            Model::Linear => "n",
            Model::LogLinear => "n log n",
            Model::Square => "n^2",
            Model::Cube => "n^3",
        }
    }

    /// The model that is written so.
    pub fn named(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Its value at a size.
    pub fn at(self, size: f64) -> f64 {
        match self {
            Model::Constant => 1.0,
            Model::Log => size.log2(),
            Model::Linear => size,
            Model::LogLinear => size * size.log2(),
            Model::Square => size * size,
            Model::Cube => size * size * size,
        }
    }

    /// Its exponent between two sizes; `None` where it is not above zero at both.
    pub fn exponent(self, from: f64, to: f64) -> Option<f64> {
        let exponent = (self.at(to) / self.at(from)).ln() / (to / from).ln();
        (self.at(from) > 0.0 && exponent.is_finite()).then_some(exponent)
    }

    /// The next faster one, or the next slower one.
    pub(super) fn next(self, faster: bool) -> Option<Model> {
        let mut others = Model::ALL.into_iter();
        if faster {
            others.find(|other| *other > self)
        } else {
            others.rfind(|other| *other < self)
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Model;

    #[test]
    fn names_are_read_back() {
        for model in Model::ALL {
            assert_eq!(Model::named(model.name()), Some(model));
        }
        assert_eq!(Model::named("n!"), None);
    }

    #[test]
    fn exponents_of_powers_are_their_powers() {
        let exponent = |model: Model| model.exponent(8.0, 64.0).expect("above zero");
        for (model, power) in [
            (Model::Constant, 0.0),
            (Model::Linear, 1.0),
            (Model::Square, 2.0),
            (Model::Cube, 3.0),
        ] {
            assert!((exponent(model) - power).abs() < 1e-12, "{model}");
        }
        // log 64 / log 8 = 2, over three doublings.
        assert!((exponent(Model::Log) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(Model::Log.exponent(1.0, 2.0), None);
    }

    #[test]
    fn models_are_in_order() {
        assert_eq!(Model::Linear.next(true), Some(Model::LogLinear));
        assert_eq!(Model::Linear.next(false), Some(Model::Log));
        assert_eq!(Model::Constant.next(false), None);
        assert_eq!(Model::Cube.next(true), None);
    }
}
