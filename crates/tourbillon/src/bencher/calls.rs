//! Calls that are timed one by one.

use tourbillon_engine::{Pace, Single};

use super::terminal::Bencher;

/// Terminals that time every call by itself.
impl Bencher<'_> {
    /// Times every call of `body` by itself, for the distribution of its latency: the table gets the
    /// percentiles p50, p90, p99 and p99.9, and the longest call.
    ///
    /// A call begins when the one before has ended. For requests that arrive whether or not the one before has
    /// been answered, see [`Bencher::latencies_at`].
    ///
    /// # Accuracy
    ///
    /// Each call includes one reading of the clock, which is measured in the same launch, shown below the row, and
    /// not subtracted. A body whose calls are shorter than a hundred readings, some 2 µs, gets no figures:
    /// measure it with [`Bencher::iter`], or do more in a call.
    ///
    /// A percentile is the median of the launches' percentiles, and its interval lies between two of them. A launch
    /// has a percentile if ten of its calls or more are beyond it: 1,000 calls for p99, 10,000 for p99.9. For more
    /// calls, set `min_iterations` of the attribute. A duration is known to 0.1 %. The maximum is that of all
    /// launches and has no interval: it grows with the number of calls.
    ///
    /// Outputs that need dropping are kept and dropped between calls, unless
    /// [`drop_inside`](Bencher::drop_inside) was called.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench(min_iterations = 10_000)]
    /// fn insert(b: Bencher<'_>) {
    ///     let mut map = BTreeMap::new();
    ///     let mut key = 0_u64;
    ///     b.latencies(|| {
    ///         for _ in 0..100 {
    ///             key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    ///             map.insert(key >> 40, key);
    ///         }
    ///     });
    /// }
    /// ```
    pub fn latencies<R>(self, body: impl FnMut() -> R) {
        let drop_inside = self.drop_inside;
        let mut arm = Single::new(body, |_| Ok(()), Pace::BackToBack, drop_inside);
        self.drive("latencies", 1, &mut arm);
    }

    /// Times every call of `body` by itself, `per_second` calls a second at equal distances, each from the
    /// time at which it was due: as a client sees a service whose requests do not wait for each other.
    ///
    /// A call that is due while the one before still runs begins late, and its wait is in its latency. So a stall
    /// of a millisecond shows in all calls that were due in it, where [`Bencher::latencies`] would show it in one
    /// ("coordinated omission").
    ///
    /// # Accuracy
    ///
    /// As [`Bencher::latencies`], except: the time per op in the row is that of the calls themselves, without
    /// waiting; all calls of a launch are one sequence, at most 1,048,576; the thread spins while no call is due;
    /// outputs are dropped after their call, which may delay the next. A line below the table shows
    /// a rate that was not held: the latencies then grow with the length of a launch and mean nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn answer(b: Bencher<'_>) {
    ///     let words: Vec<String> = (0..200_u32).map(|n| n.wrapping_mul(7919).to_string()).collect();
    ///     b.latencies_at(20_000.0, || {
    ///         let mut sorted = words.clone();
    ///         sorted.sort();
    ///         sorted
    ///     });
    /// }
    /// ```
    pub fn latencies_at<R>(self, per_second: f64, body: impl FnMut() -> R) {
        const TERMINAL: &str = "latencies_at";
        if !(per_second.is_finite() && per_second > 0.0) {
            let why = format!("`latencies_at` needs a rate above 0, not {per_second}");
            return self.refuse(TERMINAL, &why);
        }
        let drop_inside = self.drop_inside;
        let pace = Pace::PerSecond(per_second);
        let mut arm = Single::new(body, |_| Ok(()), pace, drop_inside);
        self.drive(TERMINAL, 1, &mut arm);
    }
}
