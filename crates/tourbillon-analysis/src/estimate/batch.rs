use tourbillon_record::{Batches, Visit};
use tourbillon_stats::{Sample, median};

/// Differences from here on are those of a clock that went backwards: the engine subtracts modulo
/// 2^64, and no batch lasts half of that (a century, at any frequency there is).
const BACKWARDS: u64 = 1 << 63;

/// Whether a reading is that of a clock that went backwards: it says nothing.
pub fn went_backwards(ticks: u64) -> bool {
    ticks >= BACKWARDS
}

/// The ticks of all batches together; those without a usable reading do not count.
#[inline(never)]
pub fn ticks_inside(batches: &Batches) -> u64 {
    let mut sum: u64 = 0;
    for ticks in &batches.ticks {
        if !went_backwards(*ticks) {
            sum = sum.saturating_add(*ticks);
        }
    }
    sum
}

/// The median of a column, over the batches of one kind; `None` where there is none.
#[inline(never)]
pub fn median_of_kind(batches: &Batches, kind: u8, column: &[u64]) -> Option<f64> {
    let mut values = Vec::new();
    for index in 0..batches.kind.len() {
        if let Some(value) = column.get(index)
            && batches.kind[index] == kind
            && !went_backwards(*value)
        {
            values.push(*value as f64);
        }
    }
    median_of(values)
}

/// The median of values in any order; `None` without values, or where one is no number.
#[inline(never)]
pub(crate) fn median_of(values: Vec<f64>) -> Option<f64> {
    Some(median(&sample_of(values)?))
}

/// The sample of values that there may be none of.
#[inline(never)]
pub(crate) fn sample_of(values: Vec<f64>) -> Option<Sample> {
    Sample::new(values).ok()
}

/// The sample of readings that there may be none of.
#[inline(never)]
pub(crate) fn sample_of_ticks(ticks: &[u64]) -> Option<Sample> {
    Sample::from_ticks(ticks).ok()
}

/// The median of readings; `None` without any.
#[inline(never)]
pub(crate) fn median_of_ticks(ticks: &[u64]) -> Option<f64> {
    Some(median(&sample_of_ticks(ticks)?))
}

/// Whether a launch is the sum of its batches, so that contention does nothing to it.
pub(crate) fn is_averaged(visit: &Visit) -> bool {
    let measured = visit.measured.as_deref();
    measured.is_some_and(super::amounts::is_averaged)
}

/// What was measured in visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    /// Batches of at least one call.
    pub(crate) samples: u64,
    /// Calls of the body in them.
    pub(crate) iterations: u64,
    /// Ops in them.
    pub(crate) ops: u64,
}

impl Measured {
    /// Adds the batches of a visit that have a usable reading.
    #[inline(never)]
    pub(crate) fn add(&mut self, visit: &Visit) {
        let batches = &visit.batches;
        let counts_itself = counts_itself(&visit.terminal);
        for index in 0..batches.kind.len().min(batches.ticks.len()) {
            let times = u64::from(batches.kind[index]);
            if times == 0 || went_backwards(batches.ticks[index]) {
                continue;
            }
            let calls = if counts_itself {
                1
            } else {
                times.saturating_mul(iterations_of_short(visit))
            };
            self.samples += 1;
            self.iterations = self.iterations.saturating_add(calls);
            self.ops = self
                .ops
                .saturating_add(times.saturating_mul(ops_of_short(visit)));
        }
    }
}

/// Whether the body is told how many ops to do, so that a batch is one call of it.
fn counts_itself(terminal: &str) -> bool {
    let terminal = terminal.strip_prefix("isolated.").unwrap_or(terminal);
    matches!(terminal, "iter_n" | "iter_controlled" | "measure_n")
}

/// Ops in a short batch.
pub(crate) fn ops_of_short(visit: &Visit) -> u64 {
    iterations_of_short(visit).saturating_mul(visit.ops_per_iteration)
}

/// Iterations in a short batch, as its length has them: bodies that count themselves are called
/// once and told this number.
fn iterations_of_short(visit: &Visit) -> u64 {
    visit.length.windows.saturating_mul(visit.length.items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_count_themselves_are_known_by_their_terminal() {
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
    fn readings_of_a_clock_that_went_backwards_are_told_apart() {
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
