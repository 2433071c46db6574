//! The least-squares fit of a model to points.

use super::model::Model;
use super::point::Point;

/// c0 + c1 g(n), fitted to points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// c0.
    pub(super) constant: f64,
    /// Root mean square of the relative errors.
    pub(super) residual: f64,
}

/// The fit with the least squares of relative errors, neither coefficient negative.
pub(super) fn fit(model: Model, points: &[Point]) -> Fit {
    // A point is 1 = c0 a + c1 b, with a = 1 / time and b = g / time.
    let (mut a_sum, mut b_sum, mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for point in points {
        let (a, b) = (1.0 / point.time, model.at(point.size) / point.time);
        a_sum += a;
        b_sum += b;
        aa += a * a;
        bb += b * b;
        ab += a * b;
    }
    let residual = |constant: f64, factor: f64| {
        let squares = points.iter().map(|point| {
            let fitted = constant + factor * model.at(point.size);
            (1.0 - fitted / point.time).powi(2)
        });
        (squares.sum::<f64>() / points.len() as f64).sqrt()
    };
    let proportional = Fit {
        constant: 0.0,
        residual: residual(0.0, b_sum / bb),
    };
    let determinant = aa * bb - ab * ab;
    // The columns of a constant model are one.
    if determinant <= 1e-12 * aa * bb {
        return proportional;
    }
    let constant = (a_sum * bb - b_sum * ab) / determinant;
    let factor = (b_sum * aa - a_sum * ab) / determinant;
    if constant <= 0.0 || factor < 0.0 {
        return proportional;
    }
    Fit {
        constant,
        residual: residual(constant, factor),
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Model;
    use super::super::point::Point;
    use super::fit;

    fn points(time: impl Fn(f64) -> f64) -> Vec<Point> {
        let sizes = (0..8).map(|power| f64::from(1 << power));
        let point = |size| {
            let time = time(size);
            Point {
                size,
                time,
                lower: time,
                upper: time,
            }
        };
        sizes.map(point).collect()
    }

    #[test]
    fn a_constant_is_found() {
        let found = fit(Model::LogLinear, &points(|n| 7.0 + 3.0 * n * n.log2()));
        assert!((found.constant - 7.0).abs() < 1e-9, "{found:?}");
        assert!(found.residual < 1e-12, "{found:?}");
    }

    #[test]
    fn no_coefficient_is_negative() {
        for (model, time) in [
            (Model::Linear, (|n| 3.0 * n - 1.0) as fn(f64) -> f64),
            (Model::Constant, |_| 5.0),
            (Model::Square, |n| 100.0 - n / 2.0),
        ] {
            let found = fit(model, &points(time));
            assert!(found.constant >= 0.0 && found.residual < 1.0, "{found:?}");
        }
    }
}
