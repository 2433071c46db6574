//! How long a worker may be silent.

use crate::runner::observer::RunClock;

/// Silence that counts as a hang unless another was requested.
pub const SILENCE_NS: u64 = 30_000_000_000;
/// First calls, or set-ups, that may pass in silence.
pub const SILENT_CALLS: u64 = 10;
/// Longest time between two signs of life, so that a call may begin as long after the last one.
const BETWEEN_SIGNS_NS: u64 = 250_000_000;
/// The limit of silence is waited for in this many slices; see [`waited_ns`].
const PARTS: u64 = 16;

/// Silence that counts as a hang with a timeout, or `else_ns` without one: calls that are shorter than the
/// timeout never hang.
pub fn limit_ns(timeout_ns: Option<u64>, else_ns: u64) -> u64 {
    timeout_ns.map_or(else_ns, |timeout| timeout.saturating_add(BETWEEN_SIGNS_NS))
}

/// The silence in nanoseconds that counts as a hang of a worker whose set-up was seen to take so long before: what was
/// asked for, or the default as `None`; but ten times the set-up if that is longer.
pub fn timeout_of_set_up(set_up_ns: u64, requested_ns: Option<u64>) -> Option<u64> {
    let needed_ns = set_up_ns.saturating_mul(SILENT_CALLS);
    match requested_ns {
        Some(requested_ns) => Some(requested_ns.max(needed_ns)),
        None => (needed_ns > SILENCE_NS).then_some(needed_ns),
    }
}

/// How long to wait at a time for a worker that may be silent so long.
pub fn part_ns(limit: u64) -> u64 {
    (limit / PARTS).max(1)
}

/// How much of a wait since `before` was silence of the worker: at most `wait_ns`. During the rest
/// the coordinator was stopped (Ctrl-Z, a frozen container or virtual machine), and perhaps the worker with it.
pub fn waited_ns(wait_ns: u64, before: u64, run_clock: &dyn RunClock) -> u64 {
    run_clock.now_ns().saturating_sub(before).min(wait_ns)
}
