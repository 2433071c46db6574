//! Methods of the `Bencher` that describe the benchmark.

use tourbillon_engine::{Drive, Measures};
use tourbillon_record::{Metric, Throughput, ThroughputUnit};

use super::terminal::{Bencher, Mode};

/// Modifiers: how it is measured and shown.
impl<'a> Bencher<'a> {
    #[doc(hidden)]
    pub fn new(driver: &'a mut dyn Drive) -> Self {
        Self {
            driver,
            throughput: None,
            drop_inside: false,
            isolated: false,
            mode: None,
            measures: None,
            threads: None,
        }
    }

    /// In processor time, where the attribute asks for it.
    pub(crate) fn measured_in(mut self, metric: Option<Metric>) -> Self {
        let metric = metric.filter(|metric| *metric != Metric::Time);
        self.measures = metric.map(|metric| Measures {
            metric,
            own: None,
            step_ns: None,
        });
        self
    }

    /// One of the attribute's `modes`.
    #[doc(hidden)]
    pub fn mode(mut self, mode: &str) -> Self {
        self.mode = Some(match mode {
            "latency" => Mode::Latency,
            _ => Mode::Throughput,
        });
        self
    }

    /// One of the attribute's `threads`.
    #[doc(hidden)]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// What one op processes: [`Bytes`] or [`Items`]. The table then shows a rate.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, Items, bench};
    ///
    /// #[bench]
    /// fn words(b: Bencher<'_>) {
    ///     let text = "to be or not to be".repeat(100);
    ///     let words = text.split(' ').count() as u64;
    ///     b.throughput(Items(words)).iter(|| text.split(' ').count());
    /// }
    /// ```
    pub fn throughput(mut self, per_op: impl Into<Throughput>) -> Self {
        self.throughput = Some(per_op.into());
        self
    }

    /// Times the drop of the outputs too. Without it, outputs that need dropping are kept while the
    /// clock runs and dropped afterwards.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn allocate_and_free(b: Bencher<'_>) {
    ///     b.drop_inside().iter(|| vec![1_u8; 1_000]);
    /// }
    /// ```
    pub fn drop_inside(mut self) -> Self {
        self.drop_inside = true;
        self
    }

    /// Gives every iteration a process of its own: what is measured is the first call, with cold
    /// caches and nothing initialised yet.
    ///
    /// # Accuracy
    ///
    /// One call is timed in each launch. What the two clock readings cost is inside; it is part of
    /// the interval.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::LazyLock;
    ///
    /// use tourbillon::{Bencher, bench};
    ///
    /// static SQUARES: LazyLock<Vec<u64>> = LazyLock::new(|| (0..10_000).map(|n| n * n).collect());
    ///
    /// #[bench]
    /// fn first_use(b: Bencher<'_>) {
    ///     b.isolated().iter(|| SQUARES[100]);
    /// }
    /// ```
    pub fn isolated(mut self) -> Self {
        self.isolated = true;
        self
    }
}

/// Bytes that an op processes; see [`Bencher::throughput`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(
    /// How many.
    pub u64,
);

impl Bytes {
    /// The bytes of `count` values of type `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(tourbillon::Bytes::of::<u64>(1_000), tourbillon::Bytes(8_000));
    /// ```
    pub const fn of<T>(count: usize) -> Self {
        Self(count as u64 * size_of::<T>() as u64)
    }
}

/// Items that an op processes; see [`Bencher::throughput`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Items(
    /// How many.
    pub u64,
);

impl From<Bytes> for Throughput {
    fn from(bytes: Bytes) -> Self {
        Self {
            unit: ThroughputUnit::Bytes,
            per_op: bytes.0,
        }
    }
}

impl From<Items> for Throughput {
    fn from(items: Items) -> Self {
        Self {
            unit: ThroughputUnit::Items,
            per_op: items.0,
        }
    }
}
