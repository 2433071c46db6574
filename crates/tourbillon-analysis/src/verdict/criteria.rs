//! What a verdict has to meet.

/// What a verdict has to meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criteria {
    /// Relative difference up to which two times count as the same: 0.005 for 0.5 %.
    pub margin: f64,
    /// How often a verdict may be wrong, at most.
    pub error: f64,
    /// Of an assertion, the ratio that is compared with: below it is *faster*, above it *slower*. The margin does not
    /// count then.
    pub limit: Option<f64>,
    /// Half-width of the interval, as a fraction of the ratio, up to which a comparison goes on after its direction is
    /// decided; `None` where it ends with the direction.
    pub size: Option<f64>,
}

impl Criteria {
    /// For two functions in one process: a margin of 0.5 %, wrong once in a thousand times.
    pub const FUNCTIONS: Criteria = Criteria {
        margin: 0.005,
        error: 0.001,
        limit: None,
        size: None,
    };

    /// For cases of a run, each in processes of its own: as for functions, and the size is known to 2 %.
    pub const CASES: Criteria = Criteria {
        size: Some(0.02),
        ..Criteria::FUNCTIONS
    };

    /// For two builds: a margin of 1 %, wrong once in a thousand times. Placement alone changes the time
    /// of unchanged code by up to 0.8 %.
    pub const BUILDS: Criteria = Criteria {
        margin: 0.01,
        error: 0.001,
        limit: None,
        size: Some(0.02),
    };

    /// For two commands: as for builds, but the number of runs is a matter of the caller.
    pub const COMMANDS: Criteria = Criteria {
        size: None,
        ..Criteria::BUILDS
    };

    /// The criteria of a pair of so many arms, of which the reference is number 0. The pairs share the error, so that their
    /// verdicts hold together. Pairs with the reference have half of it, or more. The others have the rest: one of them
    /// is compared, the fastest and the next, which the same launches choose.
    #[must_use]
    pub fn of_pair(self, arms: usize, (first, second): (usize, usize)) -> Criteria {
        let candidates = arms.saturating_sub(1);
        let others = candidates * candidates.saturating_sub(1) / 2;
        let pairs = match first.min(second) {
            0 => candidates + candidates.min(others),
            _ => others + others.max(candidates),
        };
        Criteria {
            error: self.error / pairs.max(1) as f64,
            ..self
        }
    }

    /// Whether an interval of log ratios is narrow enough.
    pub(super) fn is_narrow(&self, (lower, upper): (f64, f64)) -> bool {
        self.limit.is_some()
            || self
                .size
                .is_none_or(|size| upper - lower <= 2.0 * size.ln_1p())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pairs_of_a_comparison_share_the_error() {
        for arms in 2..40_usize {
            let pairs = (0..arms).flat_map(|second| (0..second).map(move |first| (first, second)));
            let errors = pairs.map(|pair| Criteria::CASES.of_pair(arms, pair).error);
            let sum: f64 = errors.sum();
            assert!((0.999e-3..1.000_001e-3).contains(&sum), "{arms}: {sum}");
        }
        let with_reference = Criteria::CASES.of_pair(31, (0, 7)).error;
        assert!((with_reference - 1e-3 / 60.0).abs() < 1e-9);
        assert_eq!(Criteria::CASES.of_pair(2, (0, 1)), Criteria::CASES);
    }
}
