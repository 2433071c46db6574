use std::error::Error;
use std::fmt;

use crate::{Invalid, Sample, median};

/// A straight line, y = intercept + slope x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Units of y per unit of x.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
}

/// The line of Theil and Sen through points (x, y): its slope is the median of the slopes between
/// all pairs of points with distinct x, its intercept the median of y - slope x.
///
/// A constant cost does not disturb the slope, and 29 % of the points may be arbitrarily wrong
/// (Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of the American
/// Statistical Association 63 (1968), p. 1379).
///
/// # Errors
///
/// [`NoLine::Points`] without points or for a coordinate that a [`Sample`] does not take;
/// [`NoLine::OneX`] when all x are equal, so that there is no slope; [`NoLine::Steep`] when x are so
/// close together that a slope has no finite value.
///
/// # Cost
///
/// All n (n - 1) / 2 slopes are made and sorted: meant for up to some hundred points.
#[inline]
pub fn theil_sen(points: &[(f64, f64)]) -> Result<Line, NoLine> {
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for &(x, y) in points {
        xs.push(x);
        ys.push(y);
    }
    let xs = Sample::new(xs).map_err(NoLine::Points)?;
    Sample::new(ys).map_err(NoLine::Points)?;
    if xs.min() >= xs.max() {
        return Err(NoLine::OneX);
    }
    let mut slopes = Vec::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        for &(other_x, other_y) in &points[i + 1..] {
            let run = other_x - x;
            if run.abs() > 0.0 {
                slopes.push((other_y - y) / run);
            }
        }
    }
    let slope = median(&Sample::new(slopes).map_err(|_| NoLine::Steep)?);
    let mut rests = Vec::new();
    for &(x, y) in points {
        rests.push(y - slope * x);
    }
    let intercept = median(&Sample::new(rests).map_err(|_| NoLine::Steep)?);
    Ok(Line { slope, intercept })
}

/// Why there is no line through some points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// There are no points, or a coordinate is no usable number; the index is that of the point.
    Points(Invalid),
    /// All points have the same x.
    OneX,
    /// The points lie on a line that is too steep to have a finite slope or intercept.
    Steep,
}

impl fmt::Display for NoLine {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoLine::Points(invalid) => write!(f, "no line through these points: {invalid}"),
            NoLine::OneX => {
                f.write_str("all points have the same x; a slope needs at least two distinct ones")
            }
            NoLine::Steep => f.write_str(
                "the x of two points are too close together for a finite slope; use another unit",
            ),
        }
    }
}

impl Error for NoLine {
    #[inline]
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            NoLine::Points(invalid) => Some(invalid),
            NoLine::OneX | NoLine::Steep => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_point_of_five_does_not_move_the_line() {
        // Exact: whole numbers. Six of the ten slopes are 2, the others 24.75 and more.
        let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 7.0), (4.0, 100.0)];
        let line = theil_sen(&points).unwrap();
        assert_eq!((line.slope, line.intercept), (2.0, 1.0));
    }

    #[test]
    fn an_even_number_of_slopes_has_the_mean_of_the_middle_two() {
        // Exact: slopes 2 2 2 33 48.5 95; rests 1 - 0, 3 - 17.5, 5 - 35, 100 - 52.5.
        let points = [(3.0, 100.0), (1.0, 3.0), (0.0, 1.0), (2.0, 5.0)];
        let line = theil_sen(&points).unwrap();
        assert_eq!((line.slope, line.intercept), (17.5, -6.75));
    }

    #[test]
    fn points_above_each_other_have_no_slope_between_them() {
        // Exact: only the four slopes between x = 1 and x = 2 count: 8 9 10 11.
        let points = [(1.0, 10.0), (2.0, 20.0), (1.0, 11.0), (2.0, 21.0)];
        let line = theil_sen(&points).unwrap();
        assert_eq!((line.slope, line.intercept), (10.0, 0.5));
    }

    #[test]
    fn says_why_there_is_no_line() {
        assert_eq!(theil_sen(&[]), Err(NoLine::Points(Invalid::Empty)));
        assert_eq!(theil_sen(&[(1.0, 2.0)]), Err(NoLine::OneX));
        assert_eq!(theil_sen(&[(1.0, 2.0), (1.0, 3.0)]), Err(NoLine::OneX));
        assert_eq!(theil_sen(&[(0.0, 2.0), (-0.0, 3.0)]), Err(NoLine::OneX));
        let nan = NoLine::Points(Invalid::NotFinite { index: 1 });
        assert_eq!(theil_sen(&[(1.0, 2.0), (2.0, f64::NAN)]), Err(nan));
        assert_eq!(theil_sen(&[(1.0, 2.0), (f64::NAN, 3.0)]), Err(nan));
        assert_eq!(theil_sen(&[(0.0, 0.0), (5e-324, 1.0)]), Err(NoLine::Steep));
    }
}
