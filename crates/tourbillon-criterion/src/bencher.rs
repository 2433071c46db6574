//! The `Bencher`.

use std::cell::Cell;
use std::fmt;
use std::hint::black_box;
use std::mem::needs_drop;
use std::panic::Location;

use tourbillon_engine::{About, Arm, Drive, Iterated, Kept, Metered, Prepared, SelfTimed};

use crate::Throughput;
use crate::amount::amount;
use crate::batch_size::BatchSize;
use crate::iter_manual_options::IterManualOptions;
use crate::measurement::{Measurement, WallTime};
use crate::routine::{Routine, in_parts, measures, value_for_machines};
use crate::scale::scales;
use crate::wrapper::WrapperRunner;

/// Times the body of a benchmark.
pub struct Bencher<'a, M: Measurement = WallTime> {
    drive: &'a mut (dyn Drive + Send),
    pub(crate) measurement: &'a M,
    /// Whether the engine's clock measures; otherwise the measurement does.
    pub(crate) is_wall_time: bool,
    throughput: Option<&'a Throughput>,
}

impl<M: Measurement> fmt::Debug for Bencher<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bencher").finish_non_exhaustive()
    }
}

impl<'a, M: Measurement> Bencher<'a, M> {
    pub(crate) fn new(
        drive: &'a mut (dyn Drive + Send),
        measurement: &'a M,
        is_wall_time: bool,
        throughput: Option<&'a Throughput>,
    ) -> Bencher<'a, M> {
        Bencher {
            drive,
            measurement,
            is_wall_time,
            throughput,
        }
    }

    /// Times `routine`, with the drop of its output.
    ///
    /// # Accuracy
    ///
    /// Before each iteration the optimiser is made to forget what the captures of `routine` hold, and the
    /// output is made observable. Neither adds an instruction. Bodies that criterion folds to a constant are
    /// executed here.
    pub fn iter<O, R: FnMut() -> O>(&mut self, routine: R) {
        let mut arm = Iterated::new(routine, |_| Ok(()));
        if self.is_wall_time {
            return self.pass_on("iter", needs_drop::<O>(), &mut arm);
        }
        // In the loop in which wall time is measured.
        let measurement = self.measurement;
        let begun = Cell::new(None);
        let take = || {
            let ended = begun.take().map(|begun| measurement.end(begun));
            let value = ended.map_or(0.0, |value| value_for_machines(measurement, &value));
            begun.set(Some(measurement.start()));
            value
        };
        let scales = scales(measurement, self.throughput);
        let mut arm = Metered::new(&mut arm, measures(measurement), None, &take).in_scales(scales);
        self.pass_on("iter", needs_drop::<O>(), &mut arm);
    }

    /// As [`Bencher::iter`], whatever the options. Of codspeed-criterion-compat.
    pub fn iter_manual_unstable<O, R: FnMut() -> O>(&mut self, _: IterManualOptions, routine: R) {
        self.iter(routine);
    }

    /// Measures a body that gets the number of iterations and returns what they took.
    pub fn iter_custom<R: FnMut(u64) -> M::Value>(&mut self, routine: R) {
        self.self_timed("iter_custom", routine);
    }

    /// Measures what a body passes to [`WrapperRunner::run`], without what it does before and after that. As in
    /// criterion2.
    ///
    /// # Accuracy
    ///
    /// Every iteration is timed by itself, with two readings of the system's clock in its time.
    ///
    /// # Panics
    ///
    /// When the body does not call it once.
    #[track_caller]
    pub fn iter_with_setup_wrapper<R: FnMut(&mut WrapperRunner<'_, M>)>(&mut self, mut routine: R) {
        let (measurement, here) = (self.measurement, Location::caller());
        self.self_timed("iter_with_setup_wrapper", |iterations| {
            let mut sum = measurement.zero();
            for _ in 0..iterations {
                let value = WrapperRunner::value_of(measurement, here, &mut routine);
                sum = measurement.add(&sum, &value);
            }
            sum
        });
    }

    /// Times `routine` on inputs that `setup` prepares one at a time.
    #[doc(hidden)]
    pub fn iter_with_setup<I, O, S: FnMut() -> I, R: FnMut(I) -> O>(
        &mut self,
        setup: S,
        routine: R,
    ) {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times `routine` without the drop of its output.
    pub fn iter_with_large_drop<O, R: FnMut() -> O>(&mut self, mut routine: R) {
        if self.is_wall_time {
            let mut arm = Kept::outputs(routine, |_| Ok(()));
            return self.pass_on("iter_with_large_drop", false, &mut arm);
        }
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    /// Times `routine`, which consumes an input that `setup` has prepared before the clock started. Outputs are
    /// dropped after it has stopped.
    ///
    /// # Panics
    ///
    /// When `size` is zero.
    #[track_caller]
    pub fn iter_batched<I, O, S: FnMut() -> I, R: FnMut(I) -> O>(
        &mut self,
        mut setup: S,
        mut routine: R,
        size: BatchSize,
    ) {
        const TERMINAL: &str = "iter_batched";
        let most_alive = size.most_alive();
        if self.is_wall_time {
            let mut arm = Prepared::consuming(setup, routine, false).at_once(most_alive);
            return self.pass_on(TERMINAL, false, &mut arm);
        }
        let measurement = self.measurement;
        self.measure(TERMINAL, |iterations| {
            in_parts(measurement, iterations, most_alive, |items| {
                let inputs: Vec<I> = (0..items).map(|_| setup()).collect();
                let inputs = black_box(inputs);
                let mut outputs = Vec::with_capacity(items);
                let start = measurement.start();
                outputs.extend(inputs.into_iter().map(&mut routine));
                let value = measurement.end(start);
                black_box(outputs);
                value
            })
        });
    }

    /// Times `routine`, which borrows an input that `setup` has prepared before the clock started. Inputs and
    /// outputs are dropped after it has stopped.
    ///
    /// # Panics
    ///
    /// When `size` is zero.
    #[track_caller]
    pub fn iter_batched_ref<I, O, S: FnMut() -> I, R: FnMut(&mut I) -> O>(
        &mut self,
        mut setup: S,
        mut routine: R,
        size: BatchSize,
    ) {
        const TERMINAL: &str = "iter_batched_ref";
        let most_alive = size.most_alive();
        if self.is_wall_time {
            let mut arm = Prepared::borrowing(setup, routine, false).at_once(most_alive);
            return self.pass_on(TERMINAL, false, &mut arm);
        }
        let measurement = self.measurement;
        self.measure(TERMINAL, |iterations| {
            in_parts(measurement, iterations, most_alive, |items| {
                let inputs: Vec<I> = (0..items).map(|_| setup()).collect();
                let mut inputs = black_box(inputs);
                let mut outputs = Vec::with_capacity(items);
                let start = measurement.start();
                outputs.extend(inputs.iter_mut().map(&mut routine));
                let value = measurement.end(start);
                black_box(outputs);
                value
            })
        });
    }

    /// Passes a body on that measures itself.
    fn self_timed(&mut self, terminal: &'static str, mut routine: impl FnMut(u64) -> M::Value) {
        let measurement = self.measurement;
        if self.is_wall_time {
            let mut arm =
                SelfTimed::new(|iterations| duration(measurement.to_f64(&routine(iterations))));
            return self.pass_on(terminal, false, &mut arm);
        }
        self.measure(terminal, routine);
    }

    /// Passes a body on that the measurement measures.
    pub(crate) fn measure(&mut self, terminal: &'static str, run: impl FnMut(u64) -> M::Value) {
        let mut arm = Routine::new(self.measurement, self.throughput, run);
        self.pass_on(terminal, false, &mut arm);
    }

    /// Passes `arm` to the driver.
    pub(crate) fn pass_on(&mut self, terminal: &'static str, drop_inside: bool, arm: &mut dyn Arm) {
        let about = About {
            terminal,
            drop_inside,
            isolated: false,
            ops_per_iteration: 1,
            throughput: self.throughput.map(|of| amount(of).recorded()),
            measures: (!self.is_wall_time).then(|| measures(self.measurement)),
        };
        self.drive.drive(arm, about);
    }
}

/// A wall time in nanoseconds as a duration.
pub(crate) fn duration(ns: f64) -> std::time::Duration {
    // As fine as a duration is: saturates at 0 and at 584 years.
    std::time::Duration::from_nanos(ns as u64)
}
