//! Timing one thing in this process, in one call.

use tourbillon_engine::Control;

use super::timer::Timer;
use super::timing::Timing;

/// Times `body`, one op a call; prints one line and returns what was found.
///
/// # Accuracy
///
/// All samples come from this process: another one may differ by more than the interval, which is why
/// the line says "this process". A bench target measures in twenty processes.
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
/// As [`time`]; the cost of the pauses is subtracted, see [`Control`].
///
/// # Examples
///
/// ```
/// tourbillon::time_controlled("sort", |control| {
///     control.pause();
///     let mut numbers: Vec<u32> = (0..100).rev().collect();
///     control.resume();
///     numbers.sort();
///     numbers
/// });
/// ```
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

/// Times a body that loops itself and pauses the clock, with a count that is chosen for it; its count is as
/// in [`time_n`], its pauses as in [`time_controlled`].
///
/// # Accuracy
///
/// As [`time_controlled`].
///
/// # Examples
///
/// ```
/// use tourbillon::Control;
///
/// tourbillon::time_n_controlled("push", |count, control: &mut Control<'_>| {
///     control.pause();
///     let mut numbers = Vec::with_capacity(count as usize);
///     control.resume();
///     (0..count).for_each(|number| numbers.push(number));
/// });
/// ```
pub fn time_n_controlled<R>(name: &str, body: impl FnMut(u64, &mut Control<'_>) -> R) -> Timing {
    Timer::new().time_n_controlled(name, body)
}

/// Times a body that does `count` ops in each call, where the count is part of the problem; as in
/// [`time_fixed_controlled`], without the pauses.
///
/// # Accuracy
///
/// As [`time`].
///
/// # Panics
///
/// When `count` is zero.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeSet;
///
/// let timing = tourbillon::time_fixed("insert", 100, |count| BTreeSet::from_iter(0..count));
/// assert_eq!(timing.ops(), 100 * timing.iterations());
/// ```
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
