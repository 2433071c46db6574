//! The least-squares fit of a model to points.

use super::limits::LEADS;
use super::model::Model;
use super::point::Point;

/// c0 h(n) + c1 g(n), fitted to points; h is a slower model than g, or there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// h and c0.
    pub(super) lower_order: Option<(Model, f64)>,
    /// Root mean square of the relative errors, each divided by the standard deviation of its point.
    pub(super) residual: f64,
}

/// The best fit of a model by least squares of relative errors, neither coefficient negative. The model leads: at the
/// largest size, its term is at least `LEADS` of the time, unless the other is a constant.
pub(super) fn fit(model: Model, points: &[Point], deviations: &[f64]) -> Fit {
    let slower = Model::ALL.into_iter().filter(|other| *other < model);
    let with = slower.filter_map(|other| pair(other, model, points, deviations));
    with.fold(alone(model, points, deviations), |best, fit| {
        if fit.residual < best.residual {
            fit
        } else {
            best
        }
    })
}

fn alone(model: Model, points: &[Point], deviations: &[f64]) -> Fit {
    let (mut sum, mut squares) = (0.0, 0.0);
    for (point, deviation) in points.iter().zip(deviations) {
        let b = model.at(point.size) / point.time;
        sum += b / deviation.powi(2);
        squares += (b / deviation).powi(2);
    }
    let factor = sum / squares;
    Fit {
        lower_order: None,
        residual: residual(points, deviations, |size| factor * model.at(size)),
    }
}

/// `None` where a coefficient is not above zero, or the model does not lead.
fn pair(slower: Model, model: Model, points: &[Point], deviations: &[f64]) -> Option<Fit> {
    // A point is 1 = c0 a + c1 b, with a = h / time and b = g / time.
    let (mut a_sum, mut b_sum, mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (point, deviation) in points.iter().zip(deviations) {
        let weight = deviation.powi(-2);
        let (a, b) = (
            slower.at(point.size) / point.time,
            model.at(point.size) / point.time,
        );
        a_sum += weight * a;
        b_sum += weight * b;
        aa += weight * a * a;
        bb += weight * b * b;
        ab += weight * a * b;
    }
    let determinant = aa * bb - ab * ab;
    // The columns are one.
    if determinant <= 1e-12 * aa * bb {
        return None;
    }
    let constant = (a_sum * bb - b_sum * ab) / determinant;
    let factor = (b_sum * aa - a_sum * ab) / determinant;
    let fitted = |size: f64| constant * slower.at(size) + factor * model.at(size);
    let smallest = points.iter().map(|point| point.size);
    let smallest = smallest.fold(f64::INFINITY, f64::min);
    let leads =
        slower == Model::Constant || factor * model.at(smallest) >= LEADS * fitted(smallest);
    (constant > 0.0 && factor > 0.0 && leads).then(|| Fit {
        lower_order: Some((slower, constant)),
        residual: residual(points, deviations, fitted),
    })
}

fn residual(points: &[Point], deviations: &[f64], fitted: impl Fn(f64) -> f64) -> f64 {
    let squares = points
        .iter()
        .zip(deviations)
        .map(|(point, deviation)| ((1.0 - fitted(point.size) / point.time) / deviation).powi(2));
    (squares.sum::<f64>() / points.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::model::Model;
    use super::super::point::Point;
    use super::{Fit, fit};

    fn best(model: Model, time: impl Fn(f64) -> f64) -> Fit {
        let sizes = (1..9).map(|power| f64::from(1 << power));
        let point = |size| {
            let time = time(size);
            Point {
                size,
                time,
                lower: time,
                upper: time,
            }
        };
        let points: Vec<Point> = sizes.map(point).collect();
        fit(model, &points, &[0.01; 8])
    }

    #[test]
    fn lower_order_terms_are_found() {
        for (model, slower) in [
            (Model::LogLinear, Model::Constant),
            (Model::LogLinear, Model::Linear),
            (Model::Square, Model::LogLinear),
        ] {
            let found = best(model, |n| 3.0 * model.at(n) + 2.0 * slower.at(n));
            let (other, factor) = found.lower_order.expect("a second term");
            assert_eq!(other, slower);
            assert!((factor - 2.0).abs() < 1e-6, "{found:?}");
            assert!(found.residual < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn no_coefficient_is_negative() {
        for (model, time) in [
            (Model::Linear, (|n| 3.0 * n - 1.0) as fn(f64) -> f64),
            (Model::Constant, |_| 5.0),
            (Model::Square, |n| 1000.0 - n / 2.0),
        ] {
            let found = best(model, time);
            assert!(
                found.lower_order.is_none_or(|(_, factor)| factor > 0.0),
                "{found:?}"
            );
            assert!(found.residual < 100.0, "{found:?}");
        }
    }

    #[test]
    fn what_does_not_lead_is_no_fit() {
        let found = best(Model::LogLinear, |n| 1000.0 * n + n * n.log2());
        assert!(found.residual > 2.0, "{found:?}");
        let found = best(Model::Linear, |n| 1000.0 * n + n * n.log2());
        assert!(found.residual < 2.0, "{found:?}");
    }

    #[test]
    fn uncertain_points_weigh_less() {
        let point = |size: f64| Point {
            size,
            time: if size > 100.0 { 3.0 * size } else { size },
            lower: size,
            upper: size,
        };
        let points: Vec<Point> = (1..8).map(|power| point(f64::from(1 << power))).collect();
        let mut deviations = [0.01; 7];
        assert!(fit(Model::Linear, &points, &deviations).residual > 2.0);
        deviations[6] = 0.5;
        assert!(fit(Model::Linear, &points, &deviations).residual < 1.0);
    }
}
