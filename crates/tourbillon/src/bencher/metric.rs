//! Numbers that bodies return.

use std::cell::Cell;
use std::time::Duration;

use tourbillon_engine::{Arm, Counted, Iterated, Measures, Metered, Number, Prepared, Restored};

use super::inputs::{Resettable, WithInputs, WithStream};
use super::terminal::Bencher;

/// A number that a body returns for each of its ops: its name and its unit.
///
/// # Examples
///
/// ```
/// use tourbillon::{Bencher, Metric, bench};
///
/// const SENT: Metric = Metric::bytes("sent");
///
/// #[bench]
/// fn compressed(b: Bencher<'_>) {
///     let text = "to be or not to be".repeat(100);
///     b.measure(SENT, || text.split(' ').filter(|word| *word != "be").map(str::len).sum::<usize>());
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    name: &'static str,
    unit: &'static str,
    more_is_better: bool,
}

impl Metric {
    /// A metric that is called `name` and counts in `unit`, such as `("heat", "J")`. The units `ns` and
    /// `bytes` are shown with what fits the size, as times and sizes are; others with a prefix.
    ///
    /// # Panics
    ///
    /// When one of them is empty, and when the name is that of a metric that Tourbillon measures itself,
    /// such as `time` or `cycles`. In a constant that is an error of the compiler.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::Metric;
    ///
    /// const HEAT: Metric = Metric::new("heat", "J");
    /// const RETRIES: Metric = Metric::count("retries");
    /// const ON_DEVICE: Metric = Metric::nanoseconds("on_device");
    /// assert_ne!(HEAT, RETRIES);
    /// ```
    #[track_caller]
    pub const fn new(name: &'static str, unit: &'static str) -> Metric {
        assert!(
            !name.is_empty() && !unit.is_empty(),
            "a metric needs a name and a unit, such as Metric::new(\"heat\", \"J\")"
        );
        assert!(
            !is_taken(name),
            "the name of this metric is that of one that Tourbillon measures; choose another one"
        );
        Metric {
            name,
            unit,
            more_is_better: false,
        }
    }

    /// The same of which a larger number is the better one, such as a rate of hits: comparisons, gates and exports
    /// follow.
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::Metric;
    ///
    /// const HITS: Metric = Metric::count("hits").more_is_better();
    /// assert_ne!(HITS, Metric::count("hits"));
    /// ```
    #[must_use]
    pub const fn more_is_better(self) -> Metric {
        Metric {
            more_is_better: true,
            ..self
        }
    }

    /// A count, such as of `retries`, which is also the unit; [`Metric::new`] has an example.
    ///
    /// # Panics
    ///
    /// As [`Metric::new`].
    #[track_caller]
    pub const fn count(name: &'static str) -> Metric {
        Metric::new(name, name)
    }

    /// A number of bytes.
    ///
    /// # Panics
    ///
    /// As [`Metric::new`].
    pub const fn bytes(name: &'static str) -> Metric {
        Metric::new(name, "bytes")
    }

    /// A time that another clock has measured, such as that of a device: in nanoseconds. [`Metric::new`] has
    /// an example.
    ///
    /// # Panics
    ///
    /// As [`Metric::new`].
    #[track_caller]
    pub const fn nanoseconds(name: &'static str) -> Metric {
        Metric::new(name, "ns")
    }

    const fn measures(self) -> Measures {
        Measures {
            metric: tourbillon_record::Metric::Own,
            own: Some(Number {
                name: self.name,
                unit: self.unit,
                more_is_better: self.more_is_better,
            }),
            step_ns: None,
        }
    }
}

/// Names of metrics in records.
const TAKEN: [&str; 11] = [
    "time",
    "cpu_time",
    "user_time",
    "kernel_time",
    "own",
    "cycles",
    "allocs",
    "bytes",
    "peak",
    "kept",
    "moved",
];

const fn is_taken(name: &str) -> bool {
    let mut index = 0;
    while index < TAKEN.len() {
        if same(TAKEN[index].as_bytes(), name.as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

/// Whether two texts are equal; `==` is not for constants.
const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A number that a body returns: an integer, a float, or a [`Duration`], which counts in nanoseconds.
///
/// Sums are floats of 64 bits: integers beyond 2^53 in a batch are rounded.
///
/// # Examples
///
/// ```
/// use tourbillon::Amount;
///
/// assert_eq!(std::time::Duration::from_micros(7).amount(), 7_000.0);
/// ```
pub trait Amount {
    /// The number.
    fn amount(self) -> f64;
}

macro_rules! amounts {
    ($($number:ty)*) => {
        $(impl Amount for $number {
            #[inline]
            fn amount(self) -> f64 {
                self as f64
            }
        })*
    };
}

amounts!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

impl Amount for Duration {
    #[inline]
    fn amount(self) -> f64 {
        self.as_nanos() as f64
    }
}

/// The sum over a batch: the body adds to it, the arm takes it.
#[derive(Default)]
struct Sum(Cell<f64>);

impl Sum {
    // Inline: it is in the timed loop, in whichever codegen unit that is.
    #[inline]
    fn add(&self, amount: impl Amount) {
        self.0.set(self.0.get() + amount.amount());
    }
}

/// Terminals for bodies that return a number. Ops run in batches whose length fits their wall time; the
/// table shows the number per op. [`Metric`] has an example.
impl Bencher<'_> {
    /// Measures what `body` returns, one op a call: a count of retries, a number of bytes, the time that
    /// a device took by its own clock.
    ///
    /// # Accuracy
    ///
    /// A launch is the sum of all its ops divided by their number, so that rare events are in it; the
    /// figure is the median of the launches and has an interval as times have. Nothing is subtracted, and
    /// no op is discarded. Wall time, cycles and throughput are not shown.
    pub fn measure<A: Amount>(self, metric: Metric, mut body: impl FnMut() -> A) {
        let sum = Sum::default();
        let mut arm = Iterated::single(|| sum.add(body()));
        self.drive_summed(metric, "measure", &mut arm, &sum);
    }

    /// Measures what a body that loops itself returns: it gets the number of ops to do, and returns their
    /// sum.
    ///
    /// # Accuracy
    ///
    /// As [`Bencher::measure`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, Metric, bench, hide};
    ///
    /// #[bench]
    /// fn ones(b: Bencher<'_>) {
    ///     b.measure_n(Metric::count("ones"), |count| (0..count).map(|n| hide(n).count_ones()).sum::<u32>());
    /// }
    /// ```
    pub fn measure_n<A: Amount>(self, metric: Metric, mut body: impl FnMut(u64) -> A) {
        let sum = Sum::default();
        let mut arm = Counted::new(|count| sum.add(body(count)));
        self.drive_summed(metric, "measure_n", &mut arm, &sum);
    }

    fn drive_summed(
        mut self,
        metric: Metric,
        terminal: &'static str,
        arm: &mut dyn Arm,
        sum: &Sum,
    ) {
        self.measures = Some(metric.measures());
        let take = || sum.0.replace(0.0);
        let mut metered = Metered::new(arm, metric.measures(), None, &take);
        self.drive(terminal, 1, &mut metered);
    }
}

impl<I, M: FnMut() -> I> WithInputs<'_, M> {
    /// Measures the number that a body returns which reads its input; see [`Bencher::measure`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, Metric, bench};
    ///
    /// #[bench]
    /// fn steps(b: Bencher<'_>) {
    ///     let numbers = || (0..1_000).collect::<Vec<u32>>();
    ///     b.with_inputs(numbers).measure_ref(Metric::count("steps"), |numbers| numbers.len().ilog2());
    /// }
    /// ```
    pub fn measure_ref<A: Amount>(self, metric: Metric, mut body: impl FnMut(&I) -> A) {
        let sum = Sum::default();
        let mut arm = Prepared::borrowing(self.make, |input: &mut I| sum.add(body(input)), false);
        let bencher = self.bencher;
        bencher.drive_summed(metric, "with_inputs.measure_ref", &mut arm, &sum);
    }

    /// Measures the number that a body returns which changes its input; see [`Bencher::measure`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, Metric, bench};
    ///
    /// #[bench]
    /// fn grown(b: Bencher<'_>) {
    ///     b.with_inputs(Vec::new).measure_mut(Metric::bytes("grown"), |bytes: &mut Vec<u8>| {
    ///         bytes.extend([0; 100]);
    ///         bytes.capacity()
    ///     });
    /// }
    /// ```
    pub fn measure_mut<A: Amount>(self, metric: Metric, mut body: impl FnMut(&mut I) -> A) {
        let sum = Sum::default();
        let mut arm = Prepared::borrowing(self.make, |input: &mut I| sum.add(body(input)), false);
        let bencher = self.bencher;
        bencher.drive_summed(metric, "with_inputs.measure_mut", &mut arm, &sum);
    }

    /// Measures the number that a body returns which consumes its input; see [`Bencher::measure`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tourbillon::{Bencher, Metric, bench};
    ///
    /// #[bench]
    /// fn digits(b: Bencher<'_>) {
    ///     let text = || "a1b22".to_owned();
    ///     b.with_inputs(text)
    ///         .measure_owned(Metric::count("digits"), |text| text.matches(char::is_numeric).count());
    /// }
    /// ```
    pub fn measure_owned<A: Amount>(self, metric: Metric, mut body: impl FnMut(I) -> A) {
        let sum = Sum::default();
        let mut arm = Prepared::consuming(self.make, |input| sum.add(body(input)), false);
        let bencher = self.bencher;
        bencher.drive_summed(metric, "with_inputs.measure_owned", &mut arm, &sum);
    }
}

impl<S, M: FnMut() -> S, Z: FnMut(&mut S)> Resettable<'_, M, Z> {
    /// Measures the number that a body returns which changes the state; see [`Bencher::measure`].
    pub fn measure_mut<A: Amount>(self, metric: Metric, mut body: impl FnMut(&mut S) -> A) {
        let sum = Sum::default();
        let add = |state: &mut S| sum.add(body(state));
        let mut arm = Restored::new(self.make, self.reset, add, false);
        let bencher = self.bencher;
        bencher.drive_summed(metric, "with_state.measure_mut", &mut arm, &sum);
    }
}

impl<I> WithStream<'_, '_, I> {
    /// Measures the number that a body returns which reads an item; see [`Bencher::measure`].
    pub fn measure<A: Amount>(self, metric: Metric, mut body: impl FnMut(&I) -> A) {
        const TERMINAL: &str = "with_stream.measure";
        let sum = Sum::default();
        let add = |item: &I| sum.add(body(item));
        self.armed(TERMINAL, add, |bencher, arm| {
            bencher.drive_summed(metric, TERMINAL, arm, &sum);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_numbers_and_durations() {
        assert_eq!(3_u8.amount(), 3.0);
        assert_eq!((-3_i64).amount(), -3.0);
        assert_eq!(0.25_f32.amount(), 0.25);
        assert_eq!(Duration::from_micros(7).amount(), 7_000.0);
    }

    #[test]
    fn a_metric_has_a_name_and_a_unit() {
        assert_eq!(Metric::count("retries"), Metric::new("retries", "retries"));
        assert_eq!(Metric::bytes("sent"), Metric::new("sent", "bytes"));
        assert_eq!(Metric::nanoseconds("kernel"), Metric::new("kernel", "ns"));
        let refused = |name, unit| std::panic::catch_unwind(|| Metric::new(name, unit)).is_err();
        assert!(refused("", "J") && refused("heat", "") && refused("time", "ns"));
        assert!(!refused("times", "ns") && !refused("tim", "ns"));
    }

    #[test]
    fn names_of_metrics_in_records_are_taken() {
        use tourbillon_record::Metric as Recorded;
        for metric in [
            Recorded::Time,
            Recorded::CpuTime,
            Recorded::UserTime,
            Recorded::KernelTime,
            Recorded::Own,
            Recorded::Cycles,
            Recorded::Allocs,
            Recorded::Bytes,
            Recorded::Peak,
            Recorded::Kept,
            Recorded::Moved,
        ] {
            assert!(is_taken(metric.name()), "{metric:?}");
        }
    }
}
