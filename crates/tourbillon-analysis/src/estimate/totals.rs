//! What the batches of launches add up to, and which launches are averaged: method `totals-1`.

use tourbillon_record::{LaunchSamples, Measured, Metric};

use super::readings::went_backwards;

/// Name and version of the method for amounts that are averaged.
pub(crate) const AVERAGED: &str = "totals-1";

/// Whether a launch is the sum of its batches divided by their ops: for numbers that a body returns, and for
/// times that the system attributes in steps. A single batch may then come to nothing and the next one to
/// a lot, so that a median over batches would mean nothing.
pub(crate) fn is_averaged(launch: &LaunchSamples) -> bool {
    let is_number = |one: &Measured| {
        // A measurement of a suite of criterion that is a duration is one of its batches.
        let is_of_body = launch.terminal.starts_with("measure") || !is_duration(one);
        one.metric == Metric::Own && is_of_body
    };
    let measured = launch.measured.as_deref();
    measured.is_some_and(|one| is_number(one) || one.step_ns.is_some())
}

/// Whether contention changes what a launch measures: not what is counted, nor what the system attributes in steps.
pub(crate) fn is_contention_seen(launch: &LaunchSamples) -> bool {
    let measured = launch.measured.as_deref();
    !is_averaged(launch) || measured.is_some_and(|one| one.step_ns.is_none() && is_duration(one))
}

/// Whether an own metric is a duration, by its unit.
fn is_duration(measured: &Measured) -> bool {
    let unit = measured.own.as_ref().map(|own| own.unit.as_str());
    matches!(unit, Some("ns" | "us" | "µs" | "ms" | "s"))
}

/// What the batches of launches add up to.
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
    /// Adds the batches of a launch that have a usable reading.
    pub(crate) fn add(&mut self, launch: &LaunchSamples) {
        let counts_itself = counts_itself(&launch.terminal);
        let rows = launch.batches.kind.iter().zip(&launch.batches.ticks);
        for (kind, _) in rows.filter(|(kind, ticks)| **kind > 0 && !went_backwards(**ticks)) {
            let short_batches = u64::from(*kind);
            let calls = if counts_itself {
                1
            } else {
                short_batches.saturating_mul(iterations_of_short(launch))
            };
            let ops = short_batches.saturating_mul(ops_of_short(launch));
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
pub(crate) fn ops_of_short(launch: &LaunchSamples) -> u64 {
    iterations_of_short(launch).saturating_mul(launch.ops_per_iteration)
}

/// Iterations in a short batch; for a body that counts itself, the number that it gets.
fn iterations_of_short(launch: &LaunchSamples) -> u64 {
    launch
        .batch_shape
        .windows
        .saturating_mul(launch.batch_shape.items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_shows_whether_a_body_counts_itself() {
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
}
