//! How time grows with size: models that are compatible with the times, or why none is reported.

use std::ops::Range;

use super::curve::{Curve, Exponent, Kink};
use super::fit::{Fit, fit};
use super::limits::{CACHES, FIT, FLOOR, SIZES, SPAN, WORSE};
use super::model::Model;
use super::point::Point;

/// How time grows with size.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Local exponents, from each size to the next.
    pub local: Vec<Exponent>,
    /// The exponent at the end of the sizes, without kinks.
    pub exponent: Exponent,
    /// The models that the times are compatible with, slower ones first; none where no model is.
    pub models: Vec<Compatible>,
    /// Sizes between which the cost per step of the algorithm changes, as where a cache ends.
    pub kinks: Vec<Kink>,
}

/// A model that times are compatible with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compatible {
    /// The model.
    pub model: Model,
    /// The constant that it needs to fit, in the unit of the times.
    pub constant: Option<f64>,
}

/// Why sizes say nothing about growth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refused {
    /// Too few of them have an interval.
    Sizes {
        /// How many do.
        got: usize,
        /// How many it takes.
        needed: usize,
    },
    /// The largest is too near the smallest.
    Span {
        /// Their ratio.
        got: f64,
        /// What it must be.
        needed: f64,
    },
}

impl Sweep {
    /// Examines times at several sizes, in any order. Points that have no logarithm are discarded.
    ///
    /// # Errors
    ///
    /// [`Refused`] below six sizes, and where the largest is less than 16 times the smallest.
    pub fn of(points: &[Point]) -> Result<Sweep, Refused> {
        let usable = points.iter().copied().filter(Point::is_usable);
        let mut points: Vec<Point> = usable.collect();
        points.sort_by(|a, b| a.size.total_cmp(&b.size));
        points.dedup_by(|a, b| a.size <= b.size);
        if points.len() < SIZES {
            return Err(Refused::Sizes {
                got: points.len(),
                needed: SIZES,
            });
        }
        let span = points[points.len() - 1].size / points[0].size;
        if span < SPAN {
            return Err(Refused::Span {
                got: span,
                needed: SPAN,
            });
        }
        Ok(examine(&Curve::new(points)))
    }

    /// Whether time grows faster than a model allows: every compatible model does, and the lower end of the exponent by
    /// more than caches add to an exponent. A factor of log n is within that.
    pub fn exceeds(&self, limit: Model) -> bool {
        let Exponent {
            from, to, lower, ..
        } = self.exponent;
        let allowed = limit.exponent(from, to);
        let faster = |compatible: &Compatible| compatible.model > limit;
        self.models.iter().all(faster) && allowed.is_some_and(|allowed| lower > allowed + CACHES)
    }

    /// Whether a model is compatible.
    pub fn allows(&self, model: Model) -> bool {
        self.models
            .iter()
            .any(|compatible| compatible.model == model)
    }
}

/// A model and how well it fits.
type Fitted = (Model, Fit);

/// How well each model fits, and those that do.
fn fits(curve: &Curve) -> (Vec<Fitted>, Vec<Model>) {
    let all = Model::ALL.map(|model| (model, fit(model, &curve.points, &curve.deviations)));
    let limit = FIT.min(WORSE * least(&all));
    let fitting = all.iter().filter(|(_, fit)| fit.residual <= limit);
    (all.to_vec(), fitting.map(|(model, _)| *model).collect())
}

/// The least residual.
fn least(fits: &[Fitted]) -> f64 {
    let residuals = fits.iter().map(|(_, fit)| fit.residual);
    residuals.fold(f64::INFINITY, f64::min)
}

fn examine(curve: &Curve) -> Sweep {
    let steps = curve.steps();
    let upper = steps / 3..steps;
    let (all, fitting) = fits(curve);
    let mut kinks = Vec::new();
    if fitting.is_empty() {
        let excess = |model| Some((model, curve.median_excess(model, upper.clone())?.abs()));
        let nearest = Model::ALL.into_iter().filter_map(excess);
        if let Some((model, _)) = nearest.min_by(|a, b| a.1.total_cmp(&b.1)) {
            kinks = curve.kinks(model);
        }
    }
    let kinked: Vec<usize> = kinks.iter().map(|(step, _)| *step).collect();
    let mut models: Vec<Model> = Model::ALL
        .into_iter()
        .filter(|model| follows(*model, curve, &kinked))
        .collect();
    if !fitting.is_empty() {
        let limit = WORSE * least(&all);
        let near = |model: &Model| {
            all.iter()
                .any(|(other, fit)| other == model && fit.residual <= limit)
        };
        models.retain(near);
        models.extend(&fitting);
        models.sort_unstable();
        models.dedup();
    }
    if let [only] = models[..]
        && fitting.is_empty()
        && kinks.is_empty()
        && let Some((slope, error)) = curve.trend(only, upper.start)
        && slope.abs() > FLOOR + error
    {
        models.extend(only.next(slope > 0.0));
        models.sort_unstable();
    }
    let with_constant = |model: Model| {
        let (_, fit) = all.iter().find(|(other, _)| *other == model)?;
        let (_, constant) = fit
            .lower_order
            .filter(|(slower, _)| *slower == Model::Constant)?;
        // More than the scatter at the smallest size.
        let is_needed = constant > 3.0 * curve.scatter * curve.points[0].time;
        (fitting.contains(&model) && is_needed).then_some(constant)
    };
    Sweep {
        local: (0..steps)
            .map(|step| curve.exponent(step, step + 1))
            .collect(),
        exponent: curve.last_exponent(&kinked),
        models: models
            .into_iter()
            .map(|model| Compatible {
                model,
                constant: with_constant(model),
            })
            .collect(),
        kinks: kinks.into_iter().map(|(_, kink)| kink).collect(),
    }
}

/// Whether the local exponents are those of a model: their median at the upper two thirds of the sizes; or at the lower
/// half, if the exponents are higher at the upper half, because caches make the steps of an algorithm slower there.
fn follows(model: Model, curve: &Curve, kinked: &[usize]) -> bool {
    let steps = curve.steps();
    let of = |range: Range<usize>| {
        let counted: Vec<usize> = range
            .clone()
            .filter(|step| !kinked.contains(step))
            .collect();
        let tolerance = FLOOR + curve.error(range.start, counted.len());
        Some((curve.median_excess(model, counted.into_iter())?, tolerance))
    };
    let near = of(steps / 3..steps).is_some_and(|(excess, tolerance)| excess.abs() <= tolerance);
    let slows = of(0..steps / 2).zip(of(steps / 2..steps));
    let slows = slows.is_some_and(|((first, tolerance), (second, _))| {
        first.abs() <= tolerance && second >= -tolerance
    });
    near || slows
}
