//! Readings of batches, and what the batches of a visit add up to.

use tourbillon_record::{Absence, Batches, CaseResult, Metric, Scope, Visit};
use tourbillon_stats::{Sample, median};

/// Name and version of the method for amounts that are averaged.
pub(crate) const AVERAGED: &str = "totals-1";

/// Differences of readings from here on are negative: the engine subtracts modulo 2^64, and no batch takes
/// half of that range.
const BACKWARDS: u64 = 1 << 63;

/// Whether the clock went backwards during a batch, so that its reading is unusable.
pub fn went_backwards(ticks: u64) -> bool {
    ticks >= BACKWARDS
}

/// The ticks of all batches with a usable reading.
pub fn ticks_inside(batches: &Batches) -> u64 {
    let usable = batches
        .ticks
        .iter()
        .filter(|ticks| !went_backwards(**ticks));
    usable.fold(0, |sum, ticks| sum.saturating_add(*ticks))
}

/// The median of a column over the batches of one kind; `None` where there is none.
pub fn median_of_kind(batches: &Batches, kind: u8, column: &[u64]) -> Option<f64> {
    let rows = batches.kind.iter().zip(column);
    let usable = rows.filter(|(own, value)| **own == kind && !went_backwards(**value));
    median_of(usable.map(|(_, value)| *value as f64).collect())
}

/// The median of values in any order; `None` without values, or where one is not a number.
pub(crate) fn median_of(values: Vec<f64>) -> Option<f64> {
    Some(median(&Sample::new(values).ok()?))
}

/// The median of readings; `None` without any.
pub(crate) fn median_of_ticks(ticks: &[u64]) -> Option<f64> {
    Some(median(&Sample::from_ticks(ticks).ok()?))
}

/// Whether a launch is the sum of its batches divided by their ops: for numbers that a body returns, and for
/// times that the system attributes in steps. A single batch may then come to nothing and the next one to
/// a lot, so that a median over batches would mean nothing. Contention changes neither.
pub(crate) fn is_averaged(visit: &Visit) -> bool {
    let measured = visit.measured.as_deref();
    measured.is_some_and(|one| one.metric == Metric::Own || one.step_ns.is_some())
}

/// What the batches of visits add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Batches of at least one call.
    pub(crate) samples: u64,
    /// Calls of the body in them.
    pub(crate) iterations: u64,
    /// Ops in them.
    pub(crate) ops: u64,
}

impl Totals {
    /// Adds the batches of a visit that have a usable reading.
    pub(crate) fn add(&mut self, visit: &Visit) {
        let counts_itself = counts_itself(&visit.terminal);
        let rows = visit.batches.kind.iter().zip(&visit.batches.ticks);
        for (kind, _) in rows.filter(|(kind, ticks)| **kind > 0 && !went_backwards(**ticks)) {
            let short_batches = u64::from(*kind);
            let calls = if counts_itself {
                1
            } else {
                short_batches.saturating_mul(iterations_of_short(visit))
            };
            let ops = short_batches.saturating_mul(ops_of_short(visit));
            self.samples += 1;
            self.iterations = self.iterations.saturating_add(calls);
            self.ops = self.ops.saturating_add(ops);
        }
    }
}

/// Whether the body gets the number of ops as its argument, so that a batch is one call of it.
fn counts_itself(terminal: &str) -> bool {
    let terminal = terminal.strip_prefix("isolated.").unwrap_or(terminal);
    matches!(terminal, "iter_n" | "iter_controlled" | "measure_n")
}

/// Ops in a short batch.
pub(crate) fn ops_of_short(visit: &Visit) -> u64 {
    iterations_of_short(visit).saturating_mul(visit.ops_per_iteration)
}

/// Iterations in a short batch; for a body that counts itself, the number that it gets.
fn iterations_of_short(visit: &Visit) -> u64 {
    visit.length.windows.saturating_mul(visit.length.items)
}

/// A result without figures.
pub(crate) fn blank(case: &str, metric: Metric, method: &str) -> CaseResult {
    CaseResult {
        case: case.to_owned(),
        metric,
        estimate: Err(Absence::Failed),
        lower: None,
        upper: None,
        confidence: None,
        own: None,
        scope: Scope::Process,
        systematic: 0.0,
        launches: 0,
        samples: 0,
        mean: None,
        stddev: None,
        mad: None,
        fixed_cost: None,
        first_call: None,
        resolution: None,
        ops: 0,
        iterations: 0,
        elapsed_ns: 0.0,
        method: method.to_owned(),
        notes: Vec::new(),
        unknown: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_tells_whether_a_body_counts_itself() {
        for terminal in [
            "iter_n",
            "iter_controlled",
            "measure_n",
            "isolated.iter_n",
            "isolated.iter_controlled",
        ] {
            assert!(counts_itself(terminal), "{terminal}");
        }
        for terminal in [
            "iter",
            "iter_fixed",
            "iter_controlled_fixed",
            "with_inputs.iter_mut",
            "isolated.iter",
            "measure",
            "time",
            "",
        ] {
            assert!(!counts_itself(terminal), "{terminal}");
        }
    }

    #[test]
    fn a_clock_that_went_backwards_is_recognised() {
        assert!(went_backwards(u64::MAX));
        assert!(went_backwards(0_u64.wrapping_sub(1 << 40)));
        assert!(!went_backwards(0));
        assert!(!went_backwards(1 << 62));
        let batches = Batches {
            kind: vec![1, 1, 2, 1, 1],
            ticks: vec![10, u64::MAX - 5, 1_000, 30, 20],
            ..Batches::default()
        };
        assert_eq!(ticks_inside(&batches), 1_060);
        assert_eq!(median_of_kind(&batches, 1, &batches.ticks), Some(20.0));
        assert_eq!(median_of_kind(&batches, 0, &batches.ticks), None);
    }
}
