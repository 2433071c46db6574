//! One figure from several groups, such as machines, each of which has an effect of its own.

use tourbillon_stats::{Confidence, Interval, TooFew, upper_tail};

use super::student::two_sided;

/// Fewest groups of an interval: with fewer, how much they differ is a guess.
pub const FEWEST_GROUPS: usize = 5;

/// A variance that stands for none, so that weights are finite.
const NO_VARIANCE: f64 = 1e-200;

/// What a group has found: see [`across_groups`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// The estimate, on a scale where differences are comparable: a logarithm of a ratio.
    pub value: f64,
    /// The standard error of the estimate within the group.
    pub error: f64,
}

impl Group {
    /// A group whose estimate has an interval of a confidence: the error is that of a normal estimate with an interval
    /// as wide. One that several looks share is wider, so that the error is too large rather than too small.
    pub fn of(value: f64, interval: Interval) -> Group {
        let tail = (1.0 - interval.confidence) / 2.0;
        let (mut below, mut above) = (0.0, 40.0);
        for _ in 0..60 {
            let middle = (below + above) / 2.0;
            if upper_tail(middle) > tail {
                below = middle;
            } else {
                above = middle;
            }
        }
        Group {
            value,
            error: interval.half_width() / above,
        }
    }
}

/// What groups have in common: see [`across_groups`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcrossGroups {
    /// The estimate of the mean of all groups there could be.
    pub centre: f64,
    /// Its interval.
    pub interval: Interval,
    /// The standard deviation between groups, without the errors within them; 0 where those explain all of it.
    pub between: f64,
}

/// The mean of the population that groups are drawn from, with an interval.
///
/// The variance between groups is that of R. Paule and J. Mandel, "Consensus values and weighting factors", Journal of
/// Research of the National Bureau of Standards 87 (1982), p. 377; the interval that of J. Hartung and G. Knapp, "A
/// refined method for the meta-analysis of controlled clinical trials with binary outcome", Statistics in Medicine 20
/// (2001), p. 3875, and of K. Sidik and J. Jonkman, "A simple confidence interval for meta-analysis", Statistics in
/// Medicine 21 (2002), p. 3153, never narrower than without a variance between groups (G. Knapp and J. Hartung,
/// Statistics in Medicine 22 (2003), p. 2693). It assumes groups that are drawn independently, with normal effects.
///
/// ```
/// use tourbillon_compare::merge::{Group, across_groups};
/// use tourbillon_stats::Confidence;
///
/// // Five machines, on each of which a change is slower by about 2 %.
/// let machines = [0.020, 0.022, 0.021, 0.019, 0.023].map(|value| Group { value, error: 0.0005 });
/// let across = across_groups(&machines, Confidence::P99)?;
/// assert!(across.interval.contains(0.021) && !across.interval.contains(0.0));
/// # Ok::<(), tourbillon_stats::TooFew>(())
/// ```
///
/// # Errors
///
/// [`TooFew`] with fewer than [`FEWEST_GROUPS`].
pub fn across_groups(groups: &[Group], confidence: Confidence) -> Result<AcrossGroups, TooFew> {
    let got = groups.len();
    let freedom = match u32::try_from(got) {
        Ok(count) if got >= FEWEST_GROUPS => count - 1,
        _ => {
            return Err(TooFew {
                needed: FEWEST_GROUPS,
                got,
            });
        }
    };
    let variance = variance_between(groups, f64::from(freedom));
    let Weighed {
        weight,
        centre,
        scatter,
    } = weighed(groups, variance);
    let widening = (scatter / f64::from(freedom)).max(1.0);
    let half = two_sided(freedom, confidence.error()) * (widening / weight).sqrt();
    Ok(AcrossGroups {
        centre,
        interval: Interval {
            lower: centre - half,
            upper: centre + half,
            confidence: confidence.level(),
        },
        between: variance.sqrt(),
    })
}

/// Groups with weights by their variances.
struct Weighed {
    /// The sum of the weights.
    weight: f64,
    /// The weighted mean.
    centre: f64,
    /// The weighted sum of the squared distances from it.
    scatter: f64,
}

fn weighed(groups: &[Group], variance: f64) -> Weighed {
    let weight = |group: &Group| 1.0 / (group.error * group.error + variance).max(NO_VARIANCE);
    let total: f64 = groups.iter().map(weight).sum();
    // Of distances from the first group, which are exact where all groups are equal.
    let first = groups.first().map_or(0.0, |group| group.value);
    let moment = groups
        .iter()
        .map(|group| weight(group) * (group.value - first));
    let centre = first + moment.sum::<f64>() / total;
    let scatter = groups
        .iter()
        .map(|group| weight(group) * (group.value - centre) * (group.value - centre));
    Weighed {
        weight: total,
        centre,
        scatter: scatter.sum(),
    }
}

/// The variance at which the weighted scatter is what is expected of it; 0 where it is not above that without one.
fn variance_between(groups: &[Group], freedom: f64) -> f64 {
    let is_above = |variance: f64| weighed(groups, variance).scatter > freedom;
    let mean = groups.iter().map(|group| group.value).sum::<f64>() / groups.len() as f64;
    let squares = groups
        .iter()
        .map(|group| (group.value - mean) * (group.value - mean));
    // With a variance as large as the total one, the scatter is at most the expected one.
    let (mut below, mut above) = (0.0, squares.sum::<f64>() / freedom);
    if !is_above(0.0) {
        return 0.0;
    }
    for _ in 0..200 {
        let middle = below + (above - below) / 2.0;
        if is_above(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(values: &[f64], error: f64) -> Vec<Group> {
        let group = |&value: &f64| Group { value, error };
        values.iter().map(group).collect()
    }

    fn across(groups: &[Group]) -> AcrossGroups {
        across_groups(groups, Confidence::P99).expect("enough groups")
    }

    #[test]
    fn groups_without_errors_have_students_interval() {
        let found = across(&groups(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.0));
        assert!((found.centre - 3.0).abs() < 1e-12);
        // The standard deviation is sqrt(2.5); t with four degrees of freedom is 4.604 at 99 %.
        assert!((found.between - 2.5_f64.sqrt()).abs() < 1e-12, "{found:?}");
        let half = 4.604_094_87 * (2.5_f64 / 5.0).sqrt();
        assert!(
            (found.interval.half_width() - half).abs() < 1e-7,
            "{found:?}"
        );
        assert_eq!(found.interval.confidence, 0.99);
    }

    #[test]
    fn errors_that_explain_the_scatter_leave_no_variance() {
        let found = across(&groups(&[1.0, 1.1, 0.9, 1.05, 0.95], 1.0));
        assert_eq!(found.between, 0.0);
        // Not narrower for groups that agree by chance.
        let half = 4.604_094_87 / 5.0_f64.sqrt();
        assert!(
            (found.interval.half_width() - half).abs() < 1e-7,
            "{found:?}"
        );
    }

    #[test]
    fn the_variance_is_that_of_the_moment_equation() {
        let mut all = groups(&[0.0, 1.0, 2.0, 4.0, 3.0, 9.0], 0.5);
        all[5].error = 5.0;
        let found = across(&all);
        let variance = found.between * found.between;
        let scatter = weighed(&all, variance).scatter;
        assert!((scatter - 5.0).abs() < 1e-9, "{scatter}");
        // An imprecise group counts less.
        let plain = all.iter().map(|group| group.value).sum::<f64>() / 6.0;
        assert!(found.centre < plain, "{found:?}");
    }

    #[test]
    fn scale_and_place_do_not_matter() {
        let all = groups(&[1.0, 2.0, 1.5, 3.0, 2.5], 0.25);
        let found = across(&all);
        let moved: Vec<Group> = all
            .iter()
            .map(|group| Group {
                value: group.value * 4.0 + 8.0,
                error: group.error * 4.0,
            })
            .collect();
        let then = across(&moved);
        assert!((then.centre - (found.centre * 4.0 + 8.0)).abs() < 1e-12);
        let widths = [then, found].map(|one| one.interval.half_width());
        assert!((widths[0] / widths[1] - 4.0).abs() < 1e-12);
        let mut reversed = all;
        reversed.reverse();
        assert!((across(&reversed).centre - found.centre).abs() < 1e-15);
    }

    #[test]
    fn equal_groups_without_errors_have_no_width() {
        let found = across(&groups(&[0.02; 5], 0.0));
        assert_eq!(found.centre, 0.02);
        assert!(found.interval.half_width() < 1e-90, "{found:?}");
    }

    #[test]
    fn four_groups_are_too_few() {
        let too_few = across_groups(&groups(&[1.0; 4], 1.0), Confidence::P99);
        assert_eq!(too_few, Err(TooFew { needed: 5, got: 4 }));
    }

    #[test]
    fn an_interval_gives_the_error() {
        let interval = Interval {
            lower: -2.575_829_303_548_9,
            upper: 2.575_829_303_548_9,
            confidence: 0.99,
        };
        let group = Group::of(0.5, interval);
        assert!((group.error - 1.0).abs() < 1e-12, "{group:?}");
        assert_eq!(group.value, 0.5);
    }
}
