//! Local exponents of a series of sizes, and where they change.

use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad};

use super::limits::{DECADE, FEW, KINK, KINK_INTERVALS, MISFIT, NORMAL_99};
use super::model::Model;
use super::point::Point;
use crate::estimate::median_of;

/// An exponent between two sizes, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponent {
    /// The exponent: 1 where twice the size takes twice the time.
    pub value: f64,
    /// Lower end of its interval at 99 %.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// The smaller size.
    pub from: f64,
    /// The larger size.
    pub to: f64,
}

/// Two sizes between which time grows otherwise than around them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kink {
    /// The smaller size.
    pub from: f64,
    /// The larger size.
    pub to: f64,
    /// The ratio of the times, divided by what the exponents around them predict.
    pub factor: f64,
}

/// Points in the order of their sizes, in logarithms.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) points: Vec<Point>,
    /// What each may deviate from a model by, as a relative standard deviation: its interval or the scatter, and what
    /// no model has.
    pub(super) deviations: Vec<f64>,
    /// ln(size).
    x: Vec<f64>,
    /// ln(time).
    y: Vec<f64>,
    /// The scatter of sizes about the next ones on either side, as a relative standard deviation.
    around: f64,
    /// The larger of that and what the intervals imply.
    pub(super) scatter: f64,
}

impl Curve {
    /// Points in the order of their sizes, three at least.
    pub(super) fn new(points: Vec<Point>) -> Curve {
        let x: Vec<f64> = points.iter().map(|point| point.size.ln()).collect();
        let y: Vec<f64> = points.iter().map(|point| point.time.ln()).collect();
        let around = around(&x, &y);
        let own = points.iter().map(|point| (point.upper / point.lower).ln());
        let own: Vec<f64> = own.map(|width| width / 2.0 / NORMAL_99).collect();
        let scatter = around.max(median_of(own.iter().copied()).unwrap_or(0.0));
        let deviations = own.iter().map(|own| own.max(scatter).hypot(MISFIT));
        Curve {
            deviations: deviations.collect(),
            points,
            x,
            y,
            around,
            scatter,
        }
    }

    /// How many local exponents there are.
    pub(super) fn steps(&self) -> usize {
        self.points.len() - 1
    }

    /// The exponent between two points, with the interval that their own intervals and the scatter give.
    pub(super) fn exponent(&self, from: usize, to: usize) -> Exponent {
        let (a, b) = (&self.points[from], &self.points[to]);
        let run = self.x[to] - self.x[from];
        let value = (self.y[to] - self.y[from]) / run;
        let least = NORMAL_99 * self.around;
        let above = |point: &Point| (point.upper / point.time).ln().max(least);
        let below = |point: &Point| (point.time / point.lower).ln().max(least);
        Exponent {
            value,
            lower: value - below(b).hypot(above(a)) / run,
            upper: value + above(b).hypot(below(a)) / run,
            from: a.size,
            to: b.size,
        }
    }

    /// By how much the local exponent of a step is above that of a model.
    fn excess(&self, model: Model, step: usize) -> Option<f64> {
        let own = model.exponent(self.points[step].size, self.points[step + 1].size)?;
        let run = self.x[step + 1] - self.x[step];
        Some((self.y[step + 1] - self.y[step]) / run - own)
    }

    /// The median of that over steps.
    pub(super) fn median_excess(
        &self,
        model: Model,
        steps: impl Iterator<Item = usize>,
    ) -> Option<f64> {
        median_of(steps.filter_map(|step| self.excess(model, step)))
    }

    /// The error at 99 % of the median of this many local exponents of the steps from `first` on. That of a median is
    /// 1.2533 times that of a mean, for normal deviations.
    pub(super) fn error(&self, first: usize, count: usize) -> f64 {
        let run = (self.x[self.steps()] - self.x[first]) / (self.steps() - first) as f64;
        let one = std::f64::consts::SQRT_2 * self.scatter / run;
        NORMAL_99 * 1.2533 * one / (count.max(1) as f64).sqrt()
    }

    /// The slope of ln(time / g) over ln(size) from a point on, and its error at 99 %: the median of the slopes between
    /// all pairs (Sen, Journal of the American Statistical Association 63 (1968), p. 1379), with the error of least
    /// squares through equally spaced points.
    pub(super) fn trend(&self, model: Model, first: usize) -> Option<(f64, f64)> {
        let last = self.steps();
        let slopes = (first..last).flat_map(|from| {
            let slope = move |to: usize| {
                let (a, b) = (self.points[from].size, self.points[to].size);
                let run = self.x[to] - self.x[from];
                Some((self.y[to] - self.y[from]) / run - model.exponent(a, b)?)
            };
            (from + 1..=last).filter_map(slope)
        });
        let count = (last - first + 1) as f64;
        let run = (self.x[last] - self.x[first]) / (count - 1.0);
        let error = NORMAL_99 * self.scatter * 12_f64.sqrt() / (run * count.powf(1.5));
        Some((median_of(slopes)?, error))
    }

    /// The steps whose local exponents differ from those around them, once a model's is subtracted; and by how much.
    pub(super) fn kinks(&self, model: Model) -> Vec<(usize, Kink)> {
        let mut kinks = Vec::new();
        for step in 0..self.steps() {
            let Some((own, expected)) = self.excess(model, step).zip(self.expected(model, step))
            else {
                continue;
            };
            let run = self.x[step + 1] - self.x[step];
            let local = self.exponent(step, step + 1);
            let interval = if own > expected {
                local.value - local.lower
            } else {
                local.upper - local.value
            };
            if (own - expected).abs() > KINK + KINK_INTERVALS * interval {
                let kink = Kink {
                    from: self.points[step].size,
                    to: self.points[step + 1].size,
                    factor: ((own - expected) * run).exp(),
                };
                kinks.push((step, kink));
            }
        }
        kinks
    }

    /// The excess of a step that those around it predict: their median; at the ends, the straight line through the
    /// next two.
    fn expected(&self, model: Model, step: usize) -> Option<f64> {
        let last = self.steps() - 1;
        let line = |near, far| Some(2.0 * self.excess(model, near)? - self.excess(model, far)?);
        match step {
            0 => line(1, 2),
            _ if step == last => line(last - 1, last - 2),
            _ => self.median_excess(model, step.saturating_sub(2)..last.min(step + 2) + 1),
        }
    }

    /// The exponent at the end: of the last stretch of two steps or more without one of these, at most a decade long.
    pub(super) fn last_exponent(&self, kinked: &[usize]) -> Exponent {
        let mut to = self.steps();
        let mut start = 0;
        for &kink in kinked.iter().rev() {
            if to >= kink + 3 {
                start = kink + 1;
                break;
            }
            to = kink;
        }
        if to < start + 2 {
            (start, to) = (0, self.steps());
        }
        let mut from = start;
        while to - from > 2 && self.points[to].size >= DECADE * self.points[from + 1].size {
            from += 1;
        }
        self.exponent(from, to)
    }
}

/// The scatter of points about the lines between the next ones on either side, without what all deviate by: a steady
/// bend.
fn around(x: &[f64], y: &[f64]) -> f64 {
    let deviations = (1..x.len() - 1).map(|at| {
        let near = (x[at + 1] - x[at]) / (x[at + 1] - x[at - 1]);
        let far = 1.0 - near;
        let line = near * y[at - 1] + far * y[at + 1];
        (y[at] - line) / (1.0 + near * near + far * far).sqrt()
    });
    let deviations = Sample::new(deviations.collect());
    let few = 1.0 + FEW / (x.len() - 2) as f64;
    deviations.map_or(0.0, |deviations| MAD_TO_STDDEV * mad(&deviations) * few)
}

#[cfg(test)]
mod tests {
    use super::super::model::Model;
    use super::super::point::Point;
    use super::Curve;

    fn curve(time: impl Fn(f64) -> f64) -> Curve {
        let point = |power: i32| {
            let size = 2_f64.powi(power);
            let time = time(size);
            Point {
                size,
                time,
                lower: time * 0.99,
                upper: time * 1.01,
            }
        };
        Curve::new((4..16).map(point).collect())
    }

    #[test]
    fn a_power_has_its_exponent_and_no_kink() {
        let curve = curve(|n| 3.0 * n.powf(1.5));
        let exponent = curve.last_exponent(&[]);
        assert!((exponent.value - 1.5).abs() < 1e-9, "{exponent:?}");
        assert_eq!((exponent.from, exponent.to), (2048.0, 32_768.0));
        // sqrt(2) times 1 %, over ln 16.
        assert!(
            (exponent.upper - 1.5 - 0.005_08).abs() < 1e-4,
            "{exponent:?}"
        );
        assert_eq!(curve.kinks(Model::Linear), []);
    }

    #[test]
    fn a_step_is_a_kink_between_two_sizes() {
        let curve = curve(|n| if n < 2_000.0 { n } else { 3.0 * n });
        let kinks = curve.kinks(Model::Linear);
        let [(step, kink)] = kinks.as_slice() else {
            panic!("{kinks:?}");
        };
        assert_eq!((kink.from, kink.to), (1024.0, 2048.0));
        assert!((kink.factor - 3.0).abs() < 0.01, "{kink:?}");
        let exponent = curve.last_exponent(&[*step]);
        assert_eq!((exponent.from, exponent.to), (2048.0, 32_768.0));
        assert!((exponent.value - 1.0).abs() < 1e-9, "{exponent:?}");
    }

    #[test]
    fn kinks_at_the_end_leave_the_stretch_before_them() {
        let curve = curve(|n| n);
        // Twelve points, eleven steps.
        let exponent = curve.last_exponent(&[9]);
        assert_eq!((exponent.from, exponent.to), (512.0, 8192.0));
        let all: Vec<usize> = (0..11).collect();
        assert_eq!(curve.last_exponent(&all).to, 32_768.0);
    }
}
