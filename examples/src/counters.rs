//! Counters that several threads count on at once, and the check that none of their counts is lost.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Threads that check a counter.
const CHECKING: usize = 4;
/// Times that each of them counts.
const TIMES: u64 = 10_000;

/// Something in cache lines of its own: two of 64 bytes, because processors fetch them in pairs.
#[repr(align(128))]
#[derive(Debug, Default)]
pub struct Apart<T>(pub T);

/// A counter for each of four threads, whose sum is what all have counted. They begin with a cache line, so
/// that small ones share it.
#[derive(Debug, Default)]
pub struct Shards<T>(Apart<[T; 4]>);

impl<T: AsRef<AtomicU64>> Shards<T> {
    /// The counter of a thread.
    #[must_use]
    pub fn of(&self, thread: usize) -> &AtomicU64 {
        self.0.0[thread % 4].as_ref()
    }

    /// What all have counted.
    #[must_use]
    pub fn sum(&self) -> u64 {
        let counts = self
            .0
            .0
            .iter()
            .map(|shard| shard.as_ref().load(Ordering::Relaxed));
        counts.sum()
    }
}

/// A counter next to others.
#[derive(Debug, Default)]
pub struct Close(AtomicU64);

impl AsRef<AtomicU64> for Close {
    fn as_ref(&self) -> &AtomicU64 {
        &self.0
    }
}

impl AsRef<AtomicU64> for Apart<AtomicU64> {
    fn as_ref(&self) -> &AtomicU64 {
        &self.0
    }
}

/// Has several threads call `count` with their number, and looks whether `sum` has grown by all of it.
///
/// # Panics
///
/// When it has not.
pub fn check(count: impl Fn(usize) + Sync, sum: impl Fn() -> u64) {
    let before = sum();
    thread::scope(|scope| {
        for thread in 0..CHECKING {
            let count = &count;
            scope.spawn(move || (0..TIMES).for_each(|_| count(thread)));
        }
    });
    let counted = sum() - before;
    assert_eq!(counted, CHECKING as u64 * TIMES, "counts were lost");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_on_counters_that_are_fit_for_threads() {
        let close = Shards::<Close>::default();
        let add = |shard: &AtomicU64| {
            shard.fetch_add(1, Ordering::Relaxed);
        };
        check(|thread| add(close.of(thread)), || close.sum());
        let apart = Shards::<Apart<AtomicU64>>::default();
        check(|thread| add(apart.of(thread)), || apart.sum());
        assert_eq!(size_of::<Shards<Apart<AtomicU64>>>(), 4 * 128);
        assert_eq!(size_of::<Shards<Close>>(), 128);
    }

    #[test]
    #[should_panic(expected = "counts were lost")]
    fn lost_counts_are_seen() {
        let counter = AtomicU64::new(0);
        let lossy = |thread: usize| {
            if thread > 0 {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        };
        check(lossy, || counter.load(Ordering::Relaxed));
    }
}
