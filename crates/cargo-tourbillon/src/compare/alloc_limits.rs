//! How much more a case may allocate.

use tourbillon_record::{CaseResult, Metric};
use tourbillon_report::{bytes, same_count};

use super::value::share;

/// The counts that a gate limits. Moved bytes are shown only: whether a block can grow in place
/// depends on the rest of the heap.
pub(crate) const LIMITED: [Metric; 4] = [Metric::Allocs, Metric::Bytes, Metric::Peak, Metric::Kept];

/// How much more than the reference a case may have of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AllocLimits {
    /// A share of the reference's count.
    Share(f64),
    /// So many requests, or bytes, per op; 0 by default.
    More(f64),
    /// No limit.
    Any,
}

impl Default for AllocLimits {
    fn default() -> AllocLimits {
        AllocLimits::More(0.0)
    }
}

/// Units in bytes.
const UNITS: [(&str, f64); 4] = [
    ("B", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1024.0 * 1024.0),
    ("GiB", 1024.0 * 1024.0 * 1024.0),
];

impl AllocLimits {
    /// Parses `5%`, `2` requests, `64 B`, or `any`.
    pub(crate) fn parse(metric: Metric, text: &str) -> Result<AllocLimits, String> {
        let text = text.trim();
        if text == "any" {
            return Ok(AllocLimits::Any);
        }
        if text.ends_with('%') {
            return share(text).map(AllocLimits::Share);
        }
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        let (number, unit) = text.split_at(end.unwrap_or(text.len()));
        let factor = match (metric, unit.trim()) {
            (Metric::Allocs, "") => Some(1.0),
            (Metric::Allocs, _) => None,
            (_, unit) => UNITS
                .iter()
                .find_map(|(name, factor)| (*name == unit).then_some(*factor)),
        };
        match (number.parse::<f64>(), factor) {
            (Ok(number), Some(factor)) => Ok(AllocLimits::More(number * factor)),
            _ => Err(format!(
                "{text:?} is not a limit; write {}",
                AllocLimits::example(metric)
            )),
        }
    }

    /// Examples for messages.
    pub(crate) fn example(metric: Metric) -> &'static str {
        match metric {
            Metric::Allocs => "\"1\" for one more, \"5%\", or \"any\"",
            _ => "\"64 B\" or \"1 KiB\" for so much more, \"5%\", or \"any\"",
        }
    }

    /// Whether a count is too high. A count that varies may reach the reference's maximum plus the
    /// limit.
    pub(crate) fn is_exceeded(self, then: &CaseResult, now: &CaseResult) -> bool {
        let (Ok(before), Ok(after)) = (then.estimate, now.estimate) else {
            return false;
        };
        let most = then.upper.unwrap_or(before);
        let allowed = match self {
            AllocLimits::Share(share) => share * most.abs(),
            AllocLimits::More(more) => more,
            AllocLimits::Any => return false,
        };
        after > before && !same_count(then, now) && now.lower.unwrap_or(after) > most + allowed
    }

    /// ` (5 % more allowed)`; empty if nothing more is allowed.
    pub(crate) fn text(self, metric: Metric) -> String {
        match self {
            AllocLimits::Share(share) if share > 0.0 => {
                format!(
                    " ({} % more allowed)",
                    super::results::trimmed(100.0 * share)
                )
            }
            AllocLimits::More(more) if more > 0.0 => match metric {
                Metric::Allocs => format!(" ({} more allowed)", super::results::trimmed(more)),
                _ => format!(" ({} more allowed)", bytes(more)),
            },
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::tests::counts;
    use super::*;

    fn exceeded(allowed: AllocLimits, then: [&[u64]; 2], now: [&[u64]; 2]) -> bool {
        let pairs = counts(then, now).pairs("c");
        let pair = pairs.first().expect("requests come first");
        allowed.is_exceeded(&pair.then, &pair.now)
    }

    const TEN: [&[u64]; 2] = [&[10, 10], &[10, 10]];
    const ELEVEN: [&[u64]; 2] = [&[11, 11], &[11, 11]];
    const VARYING: [&[u64]; 2] = [&[8, 8, 11], &[8, 9, 10]];

    #[test]
    fn nothing_more_is_allowed_unless_it_is_said() {
        assert!(exceeded(AllocLimits::default(), TEN, ELEVEN));
        assert!(!exceeded(AllocLimits::default(), TEN, TEN));
        assert!(!exceeded(AllocLimits::default(), ELEVEN, TEN));
        assert!(!exceeded(AllocLimits::More(1.0), TEN, ELEVEN));
        assert!(exceeded(AllocLimits::More(0.5), TEN, ELEVEN));
        assert!(!exceeded(AllocLimits::Share(0.1), TEN, ELEVEN));
        assert!(exceeded(AllocLimits::Share(0.05), TEN, ELEVEN));
        assert!(!exceeded(AllocLimits::Any, TEN, [&[99, 99], &[99, 99]]));
    }

    #[test]
    fn what_varies_may_vary_as_far_as_it_was_seen_to() {
        assert!(!exceeded(AllocLimits::default(), VARYING, ELEVEN));
        assert!(!exceeded(AllocLimits::default(), TEN, VARYING));
        assert!(exceeded(
            AllocLimits::default(),
            VARYING,
            [&[12, 12], &[12, 12]]
        ));
        assert!(!exceeded(
            AllocLimits::More(1.0),
            VARYING,
            [&[12, 12], &[12, 12]]
        ));
        assert!(exceeded(
            AllocLimits::default(),
            VARYING,
            [&[12, 12, 14], &[12, 12, 13]]
        ));
    }

    #[test]
    fn allowances_are_read() {
        let allocs = |text| AllocLimits::parse(Metric::Allocs, text);
        let peak = |text| AllocLimits::parse(Metric::Peak, text);
        assert_eq!(allocs("2"), Ok(AllocLimits::More(2.0)));
        assert_eq!(allocs("5%"), Ok(AllocLimits::Share(0.05)));
        assert_eq!(allocs("any"), Ok(AllocLimits::Any));
        assert_eq!(peak("64 B"), Ok(AllocLimits::More(64.0)));
        assert_eq!(peak("1.5KiB"), Ok(AllocLimits::More(1536.0)));
        for (error, expected) in [
            (
                allocs("64 B"),
                "\"64 B\" allows nothing; write \"1\" for one more",
            ),
            (peak("64"), "\"64\" allows nothing; write \"64 B\""),
            (peak("-1 B"), "\"-1 B\" allows nothing"),
            (allocs("-5%"), "out of range"),
        ] {
            let error = error.expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(
            AllocLimits::Share(0.05).text(Metric::Peak),
            " (5 % more may be)"
        );
        assert_eq!(
            AllocLimits::More(1536.0).text(Metric::Peak),
            " (1.5 KiB more may be)"
        );
        assert_eq!(AllocLimits::default().text(Metric::Allocs), "");
    }
}
