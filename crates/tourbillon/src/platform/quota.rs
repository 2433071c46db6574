//! How much processor time the control group of this process may have.

use tourbillon_report::Pieces;

use super::fact::{self, Facts};
use crate::processors::whole;
use crate::text::text;

/// Adds the limit where there is one. A program outside of a container is mostly in a group without
/// one, which is nothing to mention.
pub(super) fn add(facts: &mut Facts) {
    if let Ok(limit) = fact::read("/sys/fs/cgroup/cpu.max")
        && let Some(processors) = processors(&limit)
    {
        facts.known("cpu_quota", &text!("{processors:.2} processors"));
    }
}

/// Reads `MAX PERIOD`, both in microseconds; `max` is no limit (cgroup v2, cpu.max).
fn processors(limit: &str) -> Option<f64> {
    let mut words = Pieces::divided(limit, b' ');
    let (most, period) = (whole(words.next()?), whole(words.next()?));
    match (most, period) {
        (Some(most), Some(period)) if period > 0 => Some(most as f64 / period as f64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::processors;

    #[test]
    fn limits() {
        assert_eq!(processors("50000 100000"), Some(0.5));
        assert_eq!(processors("300000 100000"), Some(3.0));
        for none in ["max 100000", "", "50000", "50000 0", "a b"] {
            assert_eq!(processors(none), None, "{none}");
        }
    }
}
