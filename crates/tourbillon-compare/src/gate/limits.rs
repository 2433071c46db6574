//! Values on the command line and in tourbillon.toml: percentages, times, and limits of allocations.

use tourbillon_record::{CaseResult, Metric};
use tourbillon_report::{bytes, same_count};
use tourbillon_values::{DURATION_FORM, nanoseconds};

use tourbillon_present::number::trimmed;

/// Units of memory in bytes.
const SIZES: [(&str, f64); 4] = [
    ("B", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1024.0 * 1024.0),
    ("GiB", 1024.0 * 1024.0 * 1024.0),
];

/// The counts that a gate limits. Moved bytes are shown only: whether a block can grow in place depends on the
/// rest of the heap.
pub(crate) const LIMITED: [Metric; 5] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Peak,
    Metric::Kept,
    Metric::Instructions,
];

/// Whether a gate limits a count. Instructions in a cycle are a quotient.
pub(crate) fn is_limited(metric: Metric) -> bool {
    LIMITED.contains(&metric) || metric.is_event() && metric != Metric::Ipc
}

/// A percentage as a share: `2%`, `2` and `0.02` are 0.02.
///
/// # Errors
///
/// When it is none, or 1000% or more.
pub fn share(text: &str) -> Result<f64, String> {
    match tourbillon_values::share(text)? {
        share if share < 10.0 => Ok(share),
        _ => Err(format!("{text:?} is out of range; write 0% to 1000%")),
    }
}

/// A confidence of at least one half: `99.9%` is 0.999.
///
/// # Errors
///
/// When it is none, or outside of this range.
pub fn confidence(text: &str) -> Result<f64, String> {
    match share(text)? {
        level if (0.5..1.0).contains(&level) => Ok(level),
        _ => Err(format!(
            "{text:?} is not a confidence; write 50% or more, below 100%"
        )),
    }
}

/// A number times its unit.
fn amount(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    Some(number.parse::<f64>().ok()? * factor)
}

/// A time above zero in nanoseconds: `10s`, `1min 30s`, `2.5ns`.
pub(crate) fn time_ns(text: &str) -> Result<f64, String> {
    let ns = nanoseconds(text).filter(|ns| *ns > 0.0 && *ns < 1e18);
    ns.ok_or_else(|| format!("{text:?} is not a time above 0; write {DURATION_FORM}"))
}

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

impl AllocLimits {
    /// Parses `5%`, `2` requests, or `any`.
    pub(crate) fn requests(text: &str) -> Result<AllocLimits, String> {
        let example = "\"1\" for one more, \"5%\", or \"any\"";
        AllocLimits::parse(text, &[("", 1.0)], example)
    }

    /// Parses `5%`, `64 B`, or `any`.
    pub(crate) fn bytes(text: &str) -> Result<AllocLimits, String> {
        let example = "\"64 B\" or \"1 KiB\" for so much more, \"5%\", or \"any\"";
        AllocLimits::parse(text, &SIZES, example)
    }

    fn parse(text: &str, units: &[(&str, f64)], example: &str) -> Result<AllocLimits, String> {
        let text = text.trim();
        if text == "any" {
            return Ok(AllocLimits::Any);
        }
        if text.ends_with('%') {
            return share(text).map(AllocLimits::Share);
        }
        let more = amount(text, units).map(AllocLimits::More);
        more.ok_or_else(|| format!("{text:?} is not a limit; write {example}"))
    }

    /// How much more than a count is allowed; `None` without a limit.
    pub(crate) fn allowed(self, count: f64) -> Option<f64> {
        match self {
            AllocLimits::Share(share) => Some(share * count.abs()),
            AllocLimits::More(more) => Some(more),
            AllocLimits::Any => None,
        }
    }

    /// Whether a count is too high. A count that varies may reach the reference's maximum plus the limit.
    pub(crate) fn is_exceeded(self, then: &CaseResult, now: &CaseResult) -> bool {
        let (Ok(before), Ok(after)) = (then.estimate, now.estimate) else {
            return false;
        };
        let most = then.upper.unwrap_or(before);
        let Some(allowed) = self.allowed(most) else {
            return false;
        };
        after > before && !same_count(then, now) && now.lower.unwrap_or(after) > most + allowed
    }

    /// ` (5 % more allowed)`; empty if nothing more is allowed.
    pub(crate) fn text(self, metric: Metric) -> String {
        let more = match self {
            AllocLimits::Share(share) if share > 0.0 => format!("{} %", trimmed(100.0 * share)),
            AllocLimits::More(more) if more > 0.0 => match metric {
                Metric::Allocs | Metric::Instructions => trimmed(more),
                metric if metric.is_event() => trimmed(more),
                _ => bytes(more),
            },
            _ => return String::new(),
        };
        format!(" ({more} more allowed)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::tests::counts;

    fn exceeded(allowed: AllocLimits, then: [&[u64]; 2], now: [&[u64]; 2]) -> bool {
        let pairs = counts(then, now).pairs("c");
        let pair = pairs.first().expect("requests come first");
        allowed.is_exceeded(&pair.then, &pair.now)
    }

    const TEN: [&[u64]; 2] = [&[10, 10], &[10, 10]];
    const ELEVEN: [&[u64]; 2] = [&[11, 11], &[11, 11]];
    const VARYING: [&[u64]; 2] = [&[8, 8, 11], &[8, 9, 10]];

    #[test]
    fn nothing_more_is_allowed_by_default() {
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
    fn varying_counts_may_reach_the_maximum_of_the_reference() {
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
    fn limits_are_parsed() {
        let allocs = AllocLimits::requests;
        let peak = AllocLimits::bytes;
        assert_eq!(allocs("2"), Ok(AllocLimits::More(2.0)));
        assert_eq!(allocs("5%"), Ok(AllocLimits::Share(0.05)));
        assert_eq!(allocs("any"), Ok(AllocLimits::Any));
        assert_eq!(peak("64 B"), Ok(AllocLimits::More(64.0)));
        assert_eq!(peak("1.5KiB"), Ok(AllocLimits::More(1536.0)));
        for (error, expected) in [
            (
                allocs("64 B"),
                "\"64 B\" is not a limit; write \"1\" for one more",
            ),
            (peak("64"), "\"64\" is not a limit; write \"64 B\""),
            (peak("-1 B"), "\"-1 B\" is not a limit"),
            (allocs("-5%"), "is not a percentage"),
        ] {
            let error = error.expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(
            AllocLimits::Share(0.05).text(Metric::Peak),
            " (5 % more allowed)"
        );
        assert_eq!(
            AllocLimits::More(1536.0).text(Metric::Peak),
            " (1.5 KiB more allowed)"
        );
        assert_eq!(AllocLimits::default().text(Metric::Allocs), "");
    }
    #[test]
    fn values_are_parsed() {
        for (text, expected) in [("2%", 0.02), ("2", 0.02), ("0.02", 0.02), ("0", 0.0)] {
            assert_eq!(share(text), Ok(expected), "{text}");
        }
        assert_eq!(confidence("99%"), Ok(0.99));
        assert_eq!(time_ns("2.5ns"), Ok(2.5));
        assert_eq!(time_ns("1min 30s"), Ok(90e9));
    }

    #[test]
    fn mistakes_name_the_remedy() {
        for (error, expected) in [
            (share("x"), "write 1% or 0.01"),
            (share("-2%"), "is not a percentage"),
            (share("2000%"), "out of range"),
            (confidence("100%"), "below 100%"),
            (confidence("9%"), "50% or more"),
            (time_ns("10"), "one of ns, us"),
            (time_ns(""), "is not a time"),
            (time_ns("0s"), "above 0"),
            (time_ns("1e3s"), "is not a time"),
            (time_ns("999999999999999999min"), "is not a time"),
        ] {
            let error = error.expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
    }
}
