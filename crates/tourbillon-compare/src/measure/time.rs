//! Time limits of a comparison, and its progress.

use tourbillon_present::number::minutes;

use crate::options::Options;

/// Default limit for measuring a case.
pub(crate) const CASE_NS: u64 = 10_000_000_000;
/// Default limit for all cases: four minutes for a suite, less half a minute for listing, linking and
/// counting.
const SUITE_NS: u64 = 210_000_000_000;

/// Limits for each case and for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Nanoseconds of measuring for a case.
    pub(super) case_ns: u64,
    /// Nanoseconds of wall time for all cases; none with `--time`.
    all_ns: Option<u64>,
}

impl Budget {
    pub(super) fn of(options: &Options) -> Budget {
        Budget {
            case_ns: options.time_ns.unwrap_or(CASE_NS),
            // A limit of each case is no limit of all: each has at least one launch.
            all_ns: options.time_ns.is_none().then_some(SUITE_NS),
        }
    }

    /// Whether the time for all cases is used up.
    pub(super) fn is_over(&self, gone_ns: u64) -> bool {
        self.all_ns.is_some_and(|all_ns| gone_ns >= all_ns)
    }

    /// The progress of a comparison; of each case, whether it is open and the nanoseconds of measuring.
    pub(super) fn progress(&self, cases: &[(bool, u64)], gone_ns: u64, linking_ns: u64) -> String {
        let linking = match minutes(linking_ns) {
            none if none == "0:00" => String::new(),
            some => format!(", {some} linking"),
        };
        format!(
            "comparing: {} of {} cases decided, {} measuring{linking}, about {} left",
            cases.iter().filter(|(open, _)| !open).count(),
            cases.len(),
            minutes(cases.iter().map(|(_, spent_ns)| spent_ns).sum()),
            minutes(self.left_ns(cases, gone_ns))
        )
    }

    /// The estimated remaining time: what the open cases have left, at the pace so far, which
    /// includes starting and linking.
    fn left_ns(&self, cases: &[(bool, u64)], gone_ns: u64) -> u64 {
        let spent_ns: u64 = cases.iter().map(|(_, spent_ns)| spent_ns).sum();
        let open = cases.iter().filter(|(open, _)| *open);
        let left_ns: u64 = open
            .map(|(_, spent_ns)| self.case_ns.saturating_sub(*spent_ns))
            .fold(0, u64::saturating_add);
        let pace = match spent_ns {
            0 => 1.0,
            spent_ns => (gone_ns as f64 / spent_ns as f64).max(1.0),
        };
        let left_ns = (left_ns as f64 * pace) as u64;
        match self.all_ns {
            Some(all_ns) => left_ns.min(all_ns.saturating_sub(gone_ns)),
            None => left_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn what_is_left_is_that_of_open_cases_at_the_pace_so_far() {
        let budget = Budget {
            case_ns: 10 * SECOND,
            all_ns: None,
        };
        assert_eq!(budget.left_ns(&[(true, 0), (true, 0)], 0), 20 * SECOND);
        let cases = [(true, SECOND), (false, 2 * SECOND), (true, 3 * SECOND)];
        // Six seconds of measuring took nine, and there are sixteen at most.
        assert_eq!(budget.left_ns(&cases, 9 * SECOND), 24 * SECOND);
        assert!(!budget.is_over(u64::MAX));
    }

    #[test]
    fn all_cases_together_have_a_limit() {
        let budget = Budget {
            case_ns: CASE_NS,
            all_ns: Some(SUITE_NS),
        };
        let cases = vec![(true, 0); 50];
        assert_eq!(budget.left_ns(&cases, SECOND), SUITE_NS - SECOND);
        assert!(budget.is_over(SUITE_NS) && !budget.is_over(SUITE_NS - 1));
    }

    #[test]
    fn progress_has_measuring_and_linking() {
        let budget = Budget {
            case_ns: 100 * SECOND,
            all_ns: None,
        };
        let cases = [(false, 20 * SECOND), (true, 21 * SECOND)];
        assert_eq!(
            budget.progress(&cases, 41 * SECOND, 0),
            "comparing: 1 of 2 cases decided, 0:41 measuring, about 1:19 left"
        );
        let text = budget.progress(&cases, 41 * SECOND, 61 * SECOND);
        assert!(
            text.contains("0:41 measuring, 1:01 linking, about"),
            "{text}"
        );
    }
}
