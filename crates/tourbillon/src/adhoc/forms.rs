use tourbillon_engine::Control;

use crate::{Timer, Timing};

/// Times `body`, one op a call; prints one line and returns what was found.
///
/// # Accuracy
///
/// All samples come from this process: another one may differ by more than the interval says, which
/// is why it is labelled "this process". A bench target measures in twenty processes.
///
/// # Cost
///
/// About 0.2 s; [`Timer`] changes that.
///
/// # Examples
///
/// ```
/// let name = tourbillon::hide("world");
/// let timing = tourbillon::time("concat", || "hello ".to_owned() + name);
/// assert!(timing.ops() > 0);
/// ```
pub fn time<R>(name: &str, body: impl FnMut() -> R) -> Timing {
    Timer::new().time(name, body)
}

/// Times `body`, one op a call, which pauses the clock around what does not belong to the op.
///
/// # Accuracy
///
/// As [`time`]; what pauses leave behind is taken off, see [`Control`].
pub fn time_controlled<R>(name: &str, body: impl FnMut(&mut Control<'_>) -> R) -> Timing {
    Timer::new().time_controlled(name, body)
}

/// Times a body that loops itself: it gets the number of ops to do, which is chosen for it.
///
/// # Accuracy
///
/// As [`time`].
///
/// # Examples
///
/// ```
/// let timing = tourbillon::time_n("remainder", |count| {
///     (0..count).fold(0, |sum, i| sum + tourbillon::hide(i) % 13)
/// });
/// assert!(timing.ops() > 0);
/// ```
pub fn time_n<R>(name: &str, body: impl FnMut(u64) -> R) -> Timing {
    Timer::new().time_n(name, body)
}

/// Times a body that loops itself, with a count that is chosen for it, and pauses the clock.
///
/// # Accuracy
///
/// As [`time_controlled`].
pub fn time_n_controlled<R>(name: &str, body: impl FnMut(u64, &mut Control<'_>) -> R) -> Timing {
    Timer::new().time_n_controlled(name, body)
}

/// Times a body that does `count` ops in each call, where the count is part of the problem.
///
/// # Accuracy
///
/// As [`time`].
///
/// # Panics
///
/// When `count` is zero.
pub fn time_fixed<R>(name: &str, count: u64, body: impl FnMut(u64) -> R) -> Timing {
    Timer::new().time_fixed(name, count, body)
}

/// Times a body that does `count` ops in each call and pauses the clock around what does not belong
/// to them.
///
/// # Accuracy
///
/// As [`time_controlled`].
///
/// # Panics
///
/// When `count` is zero.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
///
/// tourbillon::time_fixed_controlled("remove", 1_000, |count, control| {
///     control.pause();
///     let mut map: HashMap<u64, String> = (0..count).map(|i| (i, i.to_string())).collect();
///     control.resume();
///     for i in 0..count {
///         map.remove(&i);
///     }
/// });
/// ```
pub fn time_fixed_controlled<R>(
    name: &str,
    count: u64,
    body: impl FnMut(u64, &mut Control<'_>) -> R,
) -> Timing {
    Timer::new().time_fixed_controlled(name, count, body)
}
