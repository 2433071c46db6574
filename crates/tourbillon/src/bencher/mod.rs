//! What a benchmark holds: says what it is, then hands over its body.

mod inputs;
mod metric;
mod mode;
mod refused;
mod state;
mod stream;
mod threads;
mod throughput;

use std::fmt;
use std::mem::needs_drop;

use tourbillon_engine::{
    About, Arm, Awaited, Chained, Control, Controlled, Counted, Drive, Executor, Iterated, Kept,
    Measures, hide,
};
use tourbillon_record::{Metric as Metered, Throughput};

pub use inputs::WithInputs;
pub use metric::{Amount, Metric};
use mode::Mode;
use refused::Refused;
pub use state::{Resettable, WithState};
pub use stream::WithStream;
pub use throughput::{Bytes, Items};

/// What a benchmark says about itself and hands its body to.
///
/// Modifiers return the `Bencher`; a terminal such as [`Bencher::iter`] consumes it. A benchmark
/// calls exactly one terminal; one that returns without is reported as an error.
///
/// The body borrows from the stack frame of the benchmark: what is set up before the terminal is
/// called is not timed.
///
/// # Examples
///
/// ```
/// use tourbillon::{Bencher, Bytes, bench};
///
/// #[bench]
/// fn sum(b: Bencher<'_>) {
///     let numbers: Vec<u64> = (0..1_000).collect();
///     b.throughput(Bytes::of::<u64>(numbers.len())).iter(|| numbers.iter().sum::<u64>());
/// }
/// ```
pub struct Bencher<'a> {
    driver: &'a mut dyn Drive,
    throughput: Option<Throughput>,
    drop_inside: bool,
    isolated: bool,
    mode: Option<Mode>,
    measures: Option<Measures>,
    threads: Option<usize>,
}

impl fmt::Debug for Bencher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bencher")
            .field("throughput", &self.throughput)
            .field("drop_inside", &self.drop_inside)
            .field("isolated", &self.isolated)
            .finish_non_exhaustive()
    }
}

/// Modifiers.
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

    /// In a time of processors, where the attribute says so.
    pub(crate) fn measured_in(mut self, metric: Option<Metered>) -> Self {
        self.measures = metric
            .filter(|metric| *metric != Metered::Time)
            .map(|metric| Measures {
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

    /// Says what one op processes: [`Bytes`] or [`Items`]. The table then shows a rate.
    pub fn throughput(mut self, per_op: impl Into<Throughput>) -> Self {
        self.throughput = Some(per_op.into());
        self
    }

    /// Times the drop of the outputs too. Without it, outputs that need dropping are kept while the
    /// clock runs and dropped afterwards.
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
    pub fn isolated(mut self) -> Self {
        self.isolated = true;
        self
    }
}

/// Terminals.
impl<'a> Bencher<'a> {
    /// Measures `body`, one op a call.
    ///
    /// # Accuracy
    ///
    /// Before each op the optimiser is made to forget what the captures of `body` hold, and the
    /// output is made observable; neither adds an instruction. Calls may overlap in the processor:
    /// the figure is a throughput, and marked `t` in the table where they do; for latency see
    /// [`Bencher::chain`]. Outputs that need dropping are kept in windows and dropped outside the timed
    /// region, unless [`drop_inside`](Bencher::drop_inside) was called.
    pub fn iter<R>(self, body: impl FnMut() -> R) {
        self.iter_checked(body, |_| Ok(()));
    }

    /// Measures `body` and has the output of its first call looked at by `check`.
    #[doc(hidden)]
    pub fn iter_checked<R>(self, body: impl FnMut() -> R, check: fn(&R) -> Result<(), String>) {
        if const { needs_drop::<R>() } && !self.drop_inside {
            self.drive("iter", 1, &mut Kept::outputs(body, check));
        } else {
            self.drive("iter", 1, &mut Iterated::new(body, check));
        }
    }

    /// Measures `body`, each call of which takes the output of the call before: its latency.
    ///
    /// Every batch starts from a clone of `first`.
    pub fn chain<T: Clone>(self, first: T, body: impl FnMut(T) -> T) {
        self.drive("chain", 1, &mut Chained::new(body, first));
    }

    /// Measures a function in the modes that the attribute names: `modes = [throughput, latency]`
    /// makes a case of each, so that they stand below each other.
    ///
    /// * `throughput`: every call gets `first`, and calls may overlap.
    /// * `latency`: every call gets the output of the call before, as with [`Bencher::chain`]; each
    ///   batch starts from `first`.
    ///
    /// Without `modes` it is the throughput. Where calls overlap, which shows in a throughput clearly
    /// below the latency, or in calls that take longer one by one, it is marked `t` in the table.
    ///
    /// # Accuracy
    ///
    /// Neither mode adds an instruction. What a call costs may depend on its argument: choose
    /// a `first` from which the outputs stay where the cost is the same, best one that `body` maps to
    /// itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench(modes = [throughput, latency])]
    /// fn cosine(b: Bencher<'_>) {
    ///     b.function(0.739, |x: f64| x.cos());
    /// }
    /// ```
    pub fn function<T: Copy>(self, first: T, mut body: impl FnMut(T) -> T) {
        match self.mode {
            Some(Mode::Latency) => {
                self.drive("function.latency", 1, &mut Chained::new(body, first));
            }
            _ => {
                let body = move || body(hide(first));
                self.drive(
                    "function.throughput",
                    1,
                    &mut Iterated::new(body, |_| Ok(())),
                );
            }
        }
    }

    /// Measures a body that loops itself: it gets the number of ops to do, which is chosen for it.
    pub fn iter_n<R>(self, body: impl FnMut(u64) -> R) {
        self.drive("iter_n", 1, &mut Counted::new(body));
    }

    /// Measures a body that does `count` ops in each call, where the count is part of the problem.
    ///
    /// # Panics
    ///
    /// When `count` is zero.
    pub fn iter_fixed<R>(self, count: u64, mut body: impl FnMut(u64) -> R) {
        assert!(count > 0, "iter_fixed needs a count of at least 1");
        self.drive(
            "iter_fixed",
            count,
            &mut Iterated::single(move || body(count)),
        );
    }

    /// Measures a body that loops itself and pauses the clock around what does not belong to the
    /// ops.
    ///
    /// # Accuracy
    ///
    /// See [`Control`]. Inputs that are prepared ahead need no pause:
    /// [`Bencher::with_inputs`], [`Bencher::with_state`].
    pub fn iter_controlled<R>(self, body: impl FnMut(u64, &mut Control<'_>) -> R) {
        self.drive("iter_controlled", 1, &mut Controlled::new(body));
    }

    /// Measures a body that does `count` ops in each call and pauses the clock around what does not
    /// belong to them.
    ///
    /// # Accuracy
    ///
    /// As [`Bencher::iter_controlled`].
    ///
    /// # Panics
    ///
    /// When `count` is zero.
    pub fn iter_controlled_fixed<R>(
        self,
        count: u64,
        body: impl FnMut(u64, &mut Control<'_>) -> R,
    ) {
        assert!(
            count > 0,
            "iter_controlled_fixed needs a count of at least 1"
        );
        self.drive(
            "iter_controlled_fixed",
            count,
            &mut Controlled::fixed(body, count),
        );
    }

    /// Prepares an input with `make` for every call of the body, before the clock starts.
    pub fn with_inputs<I, M: FnMut() -> I>(self, make: M) -> WithInputs<'a, M> {
        WithInputs::new(self, make)
    }

    /// Works on a state that is made once with `make` and brought back in place before every call
    /// of the body, outside the timed region: say how with [`WithState::reset`].
    pub fn with_state<S, M: FnMut() -> S>(self, make: M) -> WithState<'a, M> {
        WithState::new(self, make)
    }

    /// Measures a body that is awaited, one call after the other, on an executor: any type that can run a
    /// future to its end. [`BlockOn`](crate::BlockOn) does it without a runtime.
    ///
    /// What has to be awaited before is set up on the same executor, before this is called.
    ///
    /// # Accuracy
    ///
    /// The executor is entered once for a batch, outside of the timed region; what it does between two
    /// polls of a body that has to wait is inside. Calls are awaited one after the other. Outputs that
    /// need dropping are kept as with [`Bencher::iter`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, BlockOn, Executor, bench};
    ///
    /// async fn connect() -> u64 {
    ///     42
    /// }
    ///
    /// #[bench]
    /// fn ask(b: Bencher<'_>) {
    ///     let executor = BlockOn;
    ///     let connection = executor.block_on(connect());
    ///     b.iter_async(&executor, async || connection + 1);
    /// }
    /// ```
    ///
    /// Another crate's executor:
    ///
    /// ```ignore
    /// struct Tokio(tokio::runtime::Runtime);
    ///
    /// impl Executor for Tokio {
    ///     fn block_on<F: Future>(&self, future: F) -> F::Output {
    ///         self.0.block_on(future)
    ///     }
    /// }
    /// ```
    pub fn iter_async<R>(self, executor: impl Executor, body: impl AsyncFnMut() -> R) {
        let drop_inside = self.drop_inside;
        self.drive(
            "iter_async",
            1,
            &mut Awaited::new(executor, body, drop_inside),
        );
    }

    /// Gives the body one item of a prepared slice after the other, and begins again behind the last.
    ///
    /// The same input again and again is the fastest there is: the branch predictor knows its way and
    /// the cache has it. One fixed item is tried beside the stream, and a line below the table says so
    /// when the two differ by more than 10 %.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// /// More items than a branch predictor learns by heart.
    /// fn words() -> Vec<u32> {
    ///     (0..1 << 16).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect()
    /// }
    ///
    /// #[bench]
    /// fn ones(b: Bencher<'_>) {
    ///     b.with_stream(&words()).iter(|&word| word.leading_zeros());
    /// }
    ///
    /// /// What getting at an item costs, as a case of its own.
    /// #[bench]
    /// fn fetch(b: Bencher<'_>) {
    ///     b.with_stream(&words()).fetch();
    /// }
    /// ```
    pub fn with_stream<'i, I>(self, items: &'i [I]) -> WithStream<'a, 'i, I> {
        WithStream::new(self, items)
    }

    /// Hands `arm` to the driver.
    #[inline(never)]
    fn drive(self, terminal: &'static str, ops_per_iteration: u64, arm: &mut dyn Arm) {
        let about = About {
            terminal,
            drop_inside: self.drop_inside,
            isolated: self.isolated,
            ops_per_iteration,
            throughput: self.throughput,
            measures: self.measures,
        };
        if self.mode.is_some() && !terminal.starts_with("function.") {
            let why = "`modes` is for `b.function(first, |x| ..)`, and another terminal was called";
            return self.driver.drive(&mut Refused(why), about);
        }
        if self.threads.is_some() && terminal != "iter_threads" {
            let why = "`threads` is for `b.iter_threads(|thread| || ..)`, and another terminal was called";
            return self.driver.drive(&mut Refused(why), about);
        }
        self.driver.drive(arm, about);
    }
}
