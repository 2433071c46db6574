//! From values to positions on an axis.

/// How values are laid out on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Linear,
    Log,
    Index,
}

/// A position on an axis that has a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Its value.
    pub value: f64,
    /// Distance to the next tick, from which the digits of the label follow.
    pub step: f64,
}

/// Most multiples of a step on an axis: more than any caller asks for.
const MOST_MULTIPLES: usize = 100;

/// Room on either side of the values, as a fraction of their span.
const PADDING: f64 = 0.06;

impl Scale {
    /// A linear scale that holds these values. It does not begin at zero: see [`Scale::from_zero`].
    pub fn linear(values: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = span(values).unwrap_or((0.0, 1.0));
        let room = match high - low {
            0.0 => 0.01 * high.abs().max(1e-9),
            span => PADDING * span,
        };
        Scale {
            kind: Kind::Linear,
            low: (low - room).max(f64::MIN),
            high: (high + room).min(f64::MAX),
        }
    }

    /// A linear scale from zero, for marks whose length is read: bars.
    pub fn from_zero(values: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = span(values).unwrap_or((0.0, 1.0));
        let (low, high) = (low.min(0.0), high.max(0.0));
        let high = if high > low { high } else { low + 1.0 };
        Scale {
            kind: Kind::Linear,
            low,
            high: high + PADDING * (high - low),
        }
    }

    /// A logarithmic scale that holds these values; a linear one where a value is not above zero.
    pub fn log(values: impl IntoIterator<Item = f64>) -> Scale {
        let values: Vec<f64> = values.into_iter().collect();
        match span(values.iter().copied()) {
            Some((low, high)) if low > 0.0 => {
                let room = ((high / low).ln() * PADDING).max(0.01).exp();
                Scale {
                    kind: Kind::Log,
                    low: (low / room).max(f64::MIN_POSITIVE),
                    high: (high * room).min(f64::MAX),
                }
            }
            _ => Scale::linear(values),
        }
    }

    /// Positions for this many things, one after the other: 0, 1, 2, ..
    pub fn index(count: usize) -> Scale {
        Scale {
            kind: Kind::Index,
            low: -0.5,
            high: count.max(1) as f64 - 0.5,
        }
    }

    /// Whether equal factors have equal lengths.
    pub fn is_log(&self) -> bool {
        self.kind == Kind::Log
    }

    /// The position of a value: 0 at the lower end, 1 at the upper one. What lies outside is put at the nearer
    /// end.
    pub fn position(&self, value: f64) -> f64 {
        let position = match self.kind {
            Kind::Log => (value / self.low).ln() / (self.high / self.low).ln(),
            Kind::Linear | Kind::Index => (value - self.low) / (self.high - self.low),
        };
        if position.is_nan() {
            return 0.0;
        }
        position.clamp(0.0, 1.0)
    }

    /// At most `most` round values inside, ascending.
    pub fn ticks(&self, most: usize) -> Vec<Tick> {
        let most = most.max(2);
        match self.kind {
            Kind::Linear => self.linear_ticks(most),
            Kind::Index => {
                let step = nice((self.high - self.low) / most as f64).max(1.0).ceil();
                self.multiples(step)
            }
            Kind::Log => self.log_ticks(most),
        }
    }

    fn linear_ticks(&self, most: usize) -> Vec<Tick> {
        self.multiples(nice((self.high - self.low) / most as f64))
    }

    /// The multiples of a step that are inside; none where values are too close, or too far apart, for one.
    fn multiples(&self, step: f64) -> Vec<Tick> {
        if !step.is_normal() || !(self.high - self.low).is_finite() {
            return Vec::new();
        }
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        let values = (first..=last).take(MOST_MULTIPLES);
        let values = values.map(|at| at as f64 * step);
        values.map(|value| Tick { value, step }).collect()
    }

    /// The densest of a few sets of round values that is not too dense, over the whole axis; on a short axis, multiples.
    fn log_ticks(&self, most: usize) -> Vec<Tick> {
        let (first, last) = (
            self.low.log10().floor() as i32,
            self.high.log10().ceil() as i32,
        );
        let inside = |digits: &[f64]| -> Vec<f64> {
            let powers = (first..=last).map(|power| 10_f64.powi(power));
            let values = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
            values
                .filter(|value| (self.low..=self.high).contains(value))
                .collect()
        };
        let densest = inside(&[1.0, 2.0, 5.0]);
        if densest.len() < 3 {
            return self.linear_ticks(most);
        }
        let sets = [densest.clone(), inside(&[1.0, 3.0]), inside(&[1.0])];
        let is_suitable = |values: &Vec<f64>| (2..=most).contains(&values.len());
        let values = sets.into_iter().find(is_suitable).unwrap_or_else(|| {
            let decades = inside(&[1.0]);
            // More than fit, or at most one.
            let all = if decades.len() > most {
                decades
            } else {
                densest
            };
            let stride = all.len().div_ceil(most);
            all.into_iter().step_by(stride).collect()
        });
        let tick = |value: f64| Tick {
            value,
            step: 10_f64.powi(value.log10().floor() as i32),
        };
        values.into_iter().map(tick).collect()
    }
}

/// The smallest and the largest of the finite values.
fn span(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold(None, |span, value| {
        let (low, high) = span.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// The next larger 1, 2 or 5 times a power of ten.
fn nice(step: f64) -> f64 {
    let power = 10_f64.powi(step.log10().floor() as i32);
    let digit = step / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|round| digit <= *round);
    round.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(scale: &Scale, most: usize) -> Vec<f64> {
        let ticks = scale.ticks(most).into_iter();
        ticks.map(|tick| (tick.value * 1e6).round() / 1e6).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(
            values(&Scale::linear([12.1, 12.9]), 5),
            [12.2, 12.4, 12.6, 12.8]
        );
        assert_eq!(values(&Scale::log([1.0, 500.0]), 4), [1.0, 10.0, 100.0]);
        assert_eq!(values(&Scale::log([1.5, 30.0]), 6), [2.0, 5.0, 10.0, 20.0]);
        // Two decades have more ticks than their upper end.
        assert_eq!(values(&Scale::log([29.7, 2350.0]), 4), [100.0, 1000.0]);
        assert_eq!(
            values(&Scale::log([29.7, 2350.0]), 6),
            [50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0]
        );
        assert_eq!(values(&Scale::log([2.0, 30.0]), 2), [2.0, 10.0]);
        // Less than a decade: as on a linear axis.
        assert_eq!(
            values(&Scale::log([0.97, 1.04]), 5),
            [0.98, 1.0, 1.02, 1.04]
        );
        assert_eq!(values(&Scale::index(20), 5), [0.0, 5.0, 10.0, 15.0]);
        for power in 1..300 {
            let high = 10_f64.powi(power);
            let ticks = Scale::log([1.0, high]).ticks(6);
            assert!((2..=7).contains(&ticks.len()), "{power}: {}", ticks.len());
        }
    }

    #[test]
    fn every_finite_value_has_a_position_and_few_ticks() {
        let odd = [
            f64::MIN,
            -1e300,
            -1.0,
            -5e-324,
            -0.0,
            0.0,
            5e-324,
            1e-310,
            f64::MIN_POSITIVE,
            1.0,
            1.0 + f64::EPSILON,
            1e300,
            f64::MAX,
        ];
        for (low, high) in odd.iter().flat_map(|low| odd.map(|high| (*low, high))) {
            for scale in [Scale::linear, Scale::log, Scale::from_zero].map(|of| of([low, high])) {
                for value in [low, high, 0.0] {
                    let position = scale.position(value);
                    assert!((0.0..=1.0).contains(&position), "{low} {high}: {position}");
                }
                let ticks = scale.ticks(5);
                assert!(
                    ticks.len() <= MOST_MULTIPLES,
                    "{low} {high}: {}",
                    ticks.len()
                );
                assert!(
                    ticks.iter().all(|tick| tick.value.is_finite()),
                    "{low} {high}"
                );
            }
        }
    }

    #[test]
    fn positions_are_inside() {
        let log = Scale::log([1.0, 100.0]);
        assert!(log.is_log());
        assert!((log.position(10.0) - 0.5).abs() < 1e-9);
        for odd in [0.0, -3.0, f64::NAN, f64::INFINITY] {
            assert!((0.0..=1.0).contains(&log.position(odd)), "{odd}");
        }
        assert!(!Scale::log([0.0, 100.0]).is_log());
        assert_eq!(Scale::from_zero([3.0, 4.0]).position(0.0), 0.0);
        // One value, or none, has a scale all the same.
        assert!((Scale::linear([5.0]).position(5.0) - 0.5).abs() < 1e-6);
        assert!((Scale::linear([]).position(0.5) - 0.5).abs() < 1e-6);
        assert!((Scale::log([5.0]).position(5.0) - 0.5).abs() < 1e-6);
    }
}
