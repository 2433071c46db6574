//! How time grows with size: models that are compatible with the times, or why none is reported.

use std::fmt;
use std::ops::Range;

use super::curve::{Curve, Exponent, Kink};
use super::fit::{Fit, fit};
use super::limits::{CACHES, FIT, FLOOR, HALF, SIZES, SPAN, TREND, WORSE};
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
        let usable: Vec<Point> = usable.collect();
        if usable.len() < SIZES {
            return Err(Refused::Sizes {
                got: usable.len(),
                needed: SIZES,
            });
        }
        let curve = Curve::new(usable);
        let sizes = &curve.points;
        if sizes.len() < SIZES {
            return Err(Refused::Sizes {
                got: sizes.len(),
                needed: SIZES,
            });
        }
        let span = sizes[sizes.len() - 1].size / sizes[0].size;
        if span < SPAN {
            return Err(Refused::Span {
                got: span,
                needed: SPAN,
            });
        }
        Ok(examine(&curve))
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

fn examine(curve: &Curve) -> Sweep {
    let fits = Model::ALL.map(|model| (model, fit(model, &curve.points)));
    let best = fits.iter().map(|(_, fit)| fit.residual);
    let best = best.fold(f64::INFINITY, f64::min);
    let fitting = |fit: &Fit| fit.residual <= FIT * curve.scatter;
    let any_fits = fits.iter().any(|(_, fit)| fitting(fit));

    let steps = curve.steps();
    let upper = steps / 3..steps;
    let nearest = Model::ALL
        .into_iter()
        .filter_map(|model| Some((model, curve.median_excess(model, upper.clone())?.abs())))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let kinks = match nearest {
        Some((model, _)) if !any_fits => curve.kinks(model),
        _ => Vec::new(),
    };
    let kinked: Vec<usize> = kinks.iter().map(|(step, _)| *step).collect();
    let middle = usize::midpoint(upper.start, upper.end);
    let excess = |model: Model, from: usize, to: usize| {
        let steps = (from..to).filter(|step| !kinked.contains(step));
        curve.median_excess(model, steps)
    };
    let counted = upper.clone().filter(|step| !kinked.contains(step)).count();
    let tolerance = FLOOR + curve.error(upper.start, counted);
    let half_error = curve.error(upper.start, middle - upper.start);

    let own_exponent = |steps: Range<usize>| {
        let from = curve.points[steps.start].size;
        Model::Log
            .exponent(from, curve.points[steps.end].size)
            .unwrap_or(0.0)
    };

    let mut models = Vec::new();
    let mut by_median = false;
    for (model, fit) in &fits {
        // The steps of a logarithmic algorithm cost up to log n each where they leave the caches.
        let caches = match model {
            Model::Log => own_exponent(upper.clone()),
            _ => 0.0,
        };
        let near = |excess: f64| -tolerance <= excess && excess <= tolerance + caches;
        let near = excess(*model, upper.start, upper.end).is_some_and(near);
        let halves = excess(*model, upper.start, middle).zip(excess(*model, middle, upper.end));
        let halves = halves.filter(|_| !any_fits && kinks.is_empty());
        let halves = halves.filter(|(first, _)| first.abs() > half_error);
        let vanishes = halves.is_some_and(|(first, second)| second.abs() <= HALF * first.abs());
        let may_vanish =
            halves.is_some_and(|(first, second)| first < 0.0 && second.abs() <= FLOOR + half_error);
        let follows = near || vanishes || may_vanish;
        if fitting(fit) || (follows && !(any_fits && fit.residual > WORSE * best)) {
            by_median = !vanishes && !fitting(fit);
            models.push(*model);
        }
    }
    if let [only] = models[..]
        && by_median
        && kinks.is_empty()
        && let Some((slope, error)) = curve.trend(only, upper.start)
        && slope.abs() > TREND + error
    {
        models.extend(only.next(slope > 0.0));
        models.sort_unstable();
    }

    let with_constant = |model: Model| {
        let (_, fit) = fits.iter().find(|(other, _)| *other == model)?;
        (fitting(fit) && is_needed(model, fit, curve)).then_some(fit.constant)
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

/// Whether a constant is more than the scatter at the smallest size.
fn is_needed(model: Model, fit: &Fit, curve: &Curve) -> bool {
    model != Model::Constant && fit.constant > 3.0 * curve.scatter * curve.points[0].time
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Sizes { got, needed } => {
                write!(f, "{got} sizes have an interval, it takes {needed}")
            }
            Refused::Span { got, needed } => write!(
                f,
                "the largest size is {got:.1} times the smallest, it takes {needed}"
            ),
        }
    }
}

impl std::error::Error for Refused {}
