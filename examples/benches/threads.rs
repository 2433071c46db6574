//! What counting costs when several threads do it at once: on one atomic number, behind a mutex, and on
//! a number for each thread, in one cache line and in several.
//!
//! The time is that of a call while the other threads make theirs; the rate is that of all of them. A
//! counter that scales keeps its time and multiplies its rate. Every counter is checked before it is
//! measured: what four threads count has to be there.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use examples::counters::{Apart, Close, Shards, check};
use tourbillon::{Bencher, Items, bench};

fn main() -> ExitCode {
    tourbillon::main()
}

#[bench(threads = [1, 2, 4], group = "count")]
fn atomic(b: Bencher<'_>) {
    let counter = AtomicU64::new(0);
    let count = || counter.fetch_add(1, Relaxed);
    check(|_| _ = count(), || counter.load(Relaxed));
    b.throughput(Items(1)).iter_threads(|_thread| count);
}

#[bench(threads = [1, 2, 4], group = "count")]
fn mutex(b: Bencher<'_>) {
    let counter = Mutex::new(0_u64);
    let locked = || counter.lock().unwrap_or_else(PoisonError::into_inner);
    let count = || *locked() += 1;
    check(|_| count(), || *locked());
    b.throughput(Items(1)).iter_threads(|_thread| count);
}

/// Measures counting on a number for each thread.
fn sharded<T: Default + AsRef<AtomicU64> + Sync>(b: Bencher<'_>) {
    let shards = Shards::<T>::default();
    check(
        |thread| _ = shards.of(thread).fetch_add(1, Relaxed),
        || shards.sum(),
    );
    b.throughput(Items(1)).iter_threads(|thread| {
        // Found once, on its thread, before the clock starts.
        let own = shards.of(thread);
        move || own.fetch_add(1, Relaxed)
    });
}

/// The threads share no number and still wait for each other: for the cache line.
#[bench(threads = [1, 2, 4], group = "count")]
fn shards_in_one_line(b: Bencher<'_>) {
    sharded::<Close>(b);
}

#[bench(threads = [1, 2, 4], group = "count")]
fn shards_apart(b: Bencher<'_>) {
    sharded::<Apart<AtomicU64>>(b);
}
