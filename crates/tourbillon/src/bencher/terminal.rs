//! The `Bencher`, and its methods that take a body.

use std::fmt;
use std::mem::needs_drop;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_engine::{
    About, Arm, Awaited, Chained, Control, Controlled, Counted, Drive, Executor, Iterated, Kept,
    Limits, Measures, Reading, hide,
};
use tourbillon_record::{BatchShape, Throughput};

/// Passed to a benchmark function; takes the benchmark's settings and its body.
///
/// Modifiers such as [`Bencher::throughput`] return the `Bencher`; a terminal such as [`Bencher::iter`]
/// consumes it. A benchmark calls exactly one terminal; one that returns without is reported as an
/// error.
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
    pub(super) driver: &'a mut dyn Drive,
    pub(super) throughput: Option<Throughput>,
    pub(super) drop_inside: bool,
    pub(super) isolated: bool,
    pub(super) mode: Option<Mode>,
    pub(super) measures: Option<Measures>,
    pub(super) threads: Option<usize>,
}

/// Which side of a function is measured.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    /// Calls that do not wait for each other.
    Throughput,
    /// Calls each of which takes the output of the one before.
    Latency,
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

/// Terminals: what is measured.
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
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench(args = [100, 1_000])]
    /// fn reverse(b: Bencher<'_>, length: usize) {
    ///     let text = "abc".repeat(length);
    ///     b.iter(|| text.chars().rev().collect::<String>());
    /// }
    /// ```
    pub fn iter<R>(self, body: impl FnMut() -> R) {
        self.iter_checked(body, |_| Ok(()));
    }

    /// Measures `body` and has `check` look at the output of its first call.
    #[doc(hidden)]
    pub fn iter_checked<R>(self, body: impl FnMut() -> R, check: fn(&R) -> Result<(), String>) {
        if const { needs_drop::<R>() } && !self.drop_inside {
            self.drive("iter", 1, &mut Kept::outputs(body, check));
        } else {
            self.drive("iter", 1, &mut Iterated::new(body, check));
        }
    }

    /// Measures the latency of `body`: each call takes the output of the call before.
    ///
    /// Every batch starts from a clone of `first`.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn collatz(b: Bencher<'_>) {
    ///     b.chain(27_u64, |n| if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
    /// }
    /// ```
    pub fn chain<T: Clone>(self, first: T, body: impl FnMut(T) -> T) {
        self.drive("chain", 1, &mut Chained::new(body, first));
    }

    /// Measures a function in the modes that the attribute names: `modes = [throughput, latency]`
    /// makes a case of each, which the table shows next to each other.
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
        if let Some(Mode::Latency) = self.mode {
            return self.drive("function.latency", 1, &mut Chained::new(body, first));
        }
        let mut arm = Iterated::new(move || body(hide(first)), |_| Ok(()));
        self.drive("function.throughput", 1, &mut arm);
    }

    /// Measures a body that contains its own loop: it is passed the number of ops to do.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench, hide};
    ///
    /// #[bench]
    /// fn remainder(b: Bencher<'_>) {
    ///     b.iter_n(|count| (0..count).fold(0, |sum, i| sum + hide(i) % 13));
    /// }
    /// ```
    #[doc(alias = "iter_custom")]
    pub fn iter_n<R>(self, body: impl FnMut(u64) -> R) {
        self.drive("iter_n", 1, &mut Counted::new(body));
    }

    /// Measures a body that does `count` ops in each call, where the count is part of the problem.
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
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn insert(b: Bencher<'_>) {
    ///     b.iter_fixed(1_000, |count| BTreeSet::from_iter(0..count).len());
    /// }
    /// ```
    pub fn iter_fixed<R>(self, count: u64, mut body: impl FnMut(u64) -> R) {
        assert!(count > 0, "iter_fixed needs a count of at least 1");
        let mut arm = Iterated::single(move || body(count));
        self.drive("iter_fixed", count, &mut arm);
    }

    /// Measures a body that loops itself and pauses the clock around what does not belong to the
    /// ops. [`Control`] has the accuracy and an example.
    ///
    /// Inputs that are prepared ahead need no pause: [`Bencher::with_inputs`], [`Bencher::with_state`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, bench};
    ///
    /// #[bench]
    /// fn push(b: Bencher<'_>) {
    ///     b.iter_controlled(|count, control| {
    ///         control.pause();
    ///         let mut numbers = Vec::with_capacity(count as usize);
    ///         control.resume();
    ///         (0..count).for_each(|number| numbers.push(number));
    ///     });
    /// }
    /// ```
    #[doc(alias = "iter_custom")]
    pub fn iter_controlled<R>(self, body: impl FnMut(u64, &mut Control<'_>) -> R) {
        self.drive("iter_controlled", 1, &mut Controlled::new(body));
    }

    /// Measures a body that does `count` ops in each call and pauses the clock around what does not
    /// belong to them. [`Control`] has the accuracy; [`Bencher::iter_controlled`] has an example.
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
        let mut arm = Controlled::fixed(body, count);
        self.drive("iter_controlled_fixed", count, &mut arm);
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
        let mut arm = Awaited::new(executor, body, self.drop_inside);
        self.drive("iter_async", 1, &mut arm);
    }

    /// Passes `arm` to the driver.
    pub(super) fn drive(self, terminal: &'static str, ops_per_iteration: u64, arm: &mut dyn Arm) {
        if self.mode.is_some() && !terminal.starts_with("function.") {
            let why = "`modes` is for `b.function(first, |x| ..)`, and another terminal was called";
            return self.refuse(terminal, why);
        }
        if self.threads.is_some() && terminal != "iter_threads" {
            let why = "`threads` is for `b.iter_threads(|thread| || ..)`, and another terminal was called";
            return self.refuse(terminal, why);
        }
        self.pass_on(terminal, ops_per_iteration, arm);
    }

    /// Has the case fail when it is run.
    pub(super) fn refuse(self, terminal: &'static str, why: &str) {
        self.pass_on(terminal, 1, &mut Refused(why));
    }

    fn pass_on(self, terminal: &'static str, ops_per_iteration: u64, arm: &mut dyn Arm) {
        let about = About {
            terminal,
            drop_inside: self.drop_inside,
            isolated: self.isolated,
            ops_per_iteration,
            throughput: self.throughput,
            measures: self.measures,
        };
        self.driver.drive(arm, about);
    }
}

/// A benchmark that contradicts itself.
struct Refused<'w>(&'w str);

impl Arm for Refused<'_> {
    fn batch(&mut self, _clock: &Clock, _shape: BatchShape) -> Reading {
        Reading {
            ticks: Ticks(0),
            pauses: 0,
        }
    }

    fn first(&mut self, _clock: &Clock) -> Result<Reading, String> {
        Err(self.0.to_owned())
    }

    fn limits(&self) -> Limits {
        Limits::default()
    }
}
