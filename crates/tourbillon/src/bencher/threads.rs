//! Bodies on several threads at once.

use tourbillon_engine::on_threads;

use super::terminal::Bencher;
use crate::panics;

const TERMINAL: &str = "iter_threads";

/// Threads.
impl Bencher<'_> {
    /// Measures a body on several threads at once: on as many as the attribute names, with a case for
    /// each number of `threads = [1, 2, 4]`.
    ///
    /// `make` is called once on each thread, with the number of the thread, from 0. What it sets up
    /// there is not timed and need not be [`Send`]; what it returns is the body of that thread. What
    /// all threads share, it borrows.
    ///
    /// An iteration is one call on each thread. So the time per op is that of a call while the other
    /// threads make theirs: where threads do not disturb each other it stays the same with more of them,
    /// where they wait for each other it grows with their number.
    /// [`throughput`](Bencher::throughput) is that of one call; the rate in the table is that of all
    /// threads together, and so are allocations.
    ///
    /// # Accuracy
    ///
    /// Threads are started before anything is timed, sleep between batches, and spin for a common start.
    /// A batch takes from the first start to the last end, each read by the thread itself, without
    /// a system call in between. The record holds how far the threads were from each other, and a line
    /// below the table reports when it is much, or when there are more threads than processors.
    /// Cycles are given for one thread only, because they are derived from the clock of one core. Outputs that need
    /// dropping are kept as with [`Bencher::iter`].
    ///
    /// # Panics
    ///
    /// When `make` or a body does, on whichever thread: the case fails with its message.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench(threads = [1, 2, 4])]
    /// fn count(b: Bencher<'_>) {
    ///     let counter = AtomicU64::new(0);
    ///     b.iter_threads(|_thread| || counter.fetch_add(1, Ordering::Relaxed));
    /// }
    /// ```
    ///
    /// What a thread shares with others must be [`Sync`]:
    ///
    /// ```compile_fail,E0277
    /// use std::cell::Cell;
    ///
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench(threads = [1, 2, 4])]
    /// fn count(b: Bencher<'_>) {
    ///     let counter = Cell::new(0);
    ///     b.iter_threads(|_thread| || counter.set(counter.get() + 1));
    /// }
    /// ```
    pub fn iter_threads<R, F: FnMut() -> R>(mut self, make: impl Fn(usize) -> F + Sync) {
        let threads = match self.threads {
            None => {
                let why = "`iter_threads` needs to know on how many threads: write \
                           #[bench(threads = [1, 2, 4])]";
                return self.refuse(TERMINAL, why);
            }
            Some(0) => return self.refuse(TERMINAL, "`threads` must be at least 1"),
            Some(threads) => threads,
        };
        if let Some(throughput) = &mut self.throughput {
            throughput.per_op = throughput.per_op.saturating_mul(threads as u64);
        }
        let drop_inside = self.drop_inside;
        let mut bencher = Some(self);
        // The panic of a thread is passed on to this one.
        let make = |thread| {
            panics::come_here();
            make(thread)
        };
        let started = on_threads(threads, drop_inside, &make, &mut |arm| {
            if let Some(bencher) = bencher.take() {
                bencher.drive(TERMINAL, 1, arm);
            }
        });
        if let (Err(why), Some(bencher)) = (started, bencher) {
            bencher.refuse(TERMINAL, &why);
        }
    }
}
