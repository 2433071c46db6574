//! One size of a series and its time.

use tourbillon_stats::{Confidence, Sample, median, median_interval};

/// A size and what an op takes there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The value of the axis.
    pub size: f64,
    /// Time per op, or whatever else is measured.
    pub time: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
}

impl Point {
    /// The median of the estimates of launches, and their interval at 99 %. `None` for fewer than eight launches, and
    /// for estimates that are not above zero.
    pub fn of_launches(size: f64, launches: &[f64]) -> Option<Point> {
        let sample = Sample::new(launches.to_vec()).ok()?;
        let interval = median_interval(&sample, Confidence::P99).ok()?;
        Some(Point {
            size,
            time: median(&sample),
            lower: interval.lower,
            upper: interval.upper,
        })
        .filter(Point::is_usable)
    }

    /// Whether logarithms can be taken: everything is above zero and finite, and the ends are in order.
    pub(super) fn is_usable(&self) -> bool {
        self.size > 0.0
            && self.lower > 0.0
            && self.lower <= self.time
            && self.time <= self.upper
            && self.size.is_finite()
            && self.upper.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::Point;

    #[test]
    fn eight_launches_make_a_point() {
        let launches = [3.0, 1.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0];
        let point = Point::of_launches(64.0, &launches).expect("a point");
        assert_eq!((point.time, point.lower, point.upper), (4.5, 1.0, 9.0));
        assert_eq!(Point::of_launches(64.0, &launches[1..]), None);
        assert_eq!(Point::of_launches(0.0, &launches), None);
        assert_eq!(Point::of_launches(64.0, &[0.0; 9]), None);
    }
}
