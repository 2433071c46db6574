//! How far a figure varies from series to series.

/// A figure as several series of readings had it.
///
/// One series can say anything about what it saw: the next sees something else. The ends of the
/// spread say how much else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The lowest of all series.
    pub lowest: f64,
    /// The median of the series; the mean of the two in the middle where their number is even.
    pub median: f64,
    /// The highest of all series.
    pub highest: f64,
}

impl Spread {
    /// The spread of one figure per series; `None` for no figures, and where one is no number.
    #[must_use]
    pub fn of(figures: &[f64]) -> Option<Spread> {
        if figures.iter().any(|figure| figure.is_nan()) {
            return None;
        }
        let mut sorted = figures.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Spread {
            lowest: *sorted.first()?,
            median: median_of_sorted(&sorted)?,
            highest: *sorted.last()?,
        })
    }

    /// The same spread in another unit, of which one of this has `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Spread {
        Spread {
            lowest: self.lowest * factor,
            median: self.median * factor,
            highest: self.highest * factor,
        }
    }
}

/// The median of ascending numbers; `None` for none.
pub(super) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = sorted[sorted.len() / 2 - 1];
    Some(lower + (upper - lower) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_has_the_ends_and_the_middle_in_any_order() {
        let spread = Spread::of(&[4.0, 1.0, 3.0, 2.0, 9.0]);
        let expected = Spread {
            lowest: 1.0,
            median: 3.0,
            highest: 9.0,
        };
        assert_eq!(spread, Some(expected));
        assert_eq!(Spread::of(&[4.0, 1.0]).map(|two| two.median), Some(2.5));
    }

    #[test]
    fn nothing_has_no_spread() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[1.0, f64::NAN]), None);
    }
}
