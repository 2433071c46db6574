//! The `Bencher` of bodies that are awaited.

use std::fmt;
use std::hint::black_box;
use std::mem::needs_drop;

use tourbillon_engine::{Awaited, Executor, SelfTimed, awaited_borrowing, awaited_consuming};

use crate::async_executor::AsyncExecutor;
use crate::batch_size::BatchSize;
use crate::bencher::{Bencher, duration};
use crate::iter_manual_options::IterManualOptions;
use crate::measurement::{Measurement, WallTime};
use crate::routine::in_parts;

/// Times bodies that are awaited; see [`Bencher::to_async`].
///
/// The executor is entered once for a batch, outside of the timed region. Inputs are prepared on it.
pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    bencher: &'b mut Bencher<'a, M>,
    runner: A,
}

impl<A: AsyncExecutor, M: Measurement> fmt::Debug for AsyncBencher<'_, '_, A, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncBencher").finish_non_exhaustive()
    }
}

/// An executor of criterion as one of the engine.
struct Via<'r, A>(&'r A);

impl<A: AsyncExecutor> Executor for Via<'_, A> {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.0.block_on(future)
    }
}

/// Bodies that are awaited.
impl<'a, M: Measurement> Bencher<'a, M> {
    /// Times bodies that are awaited on `runner`.
    pub fn to_async<'b, A: AsyncExecutor>(&'b mut self, runner: A) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher {
            bencher: self,
            runner,
        }
    }
}

impl<A: AsyncExecutor, M: Measurement> AsyncBencher<'_, '_, A, M> {
    /// Times `routine`, with the drop of its output.
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        const TERMINAL: &str = "iter";
        let AsyncBencher { bencher, runner } = self;
        if bencher.is_wall_time {
            let mut arm = Awaited::new(Via(&*runner), async || routine().await, true);
            return bencher.pass_on(TERMINAL, needs_drop::<O>(), &mut arm);
        }
        let measurement = bencher.measurement;
        bencher.measure(TERMINAL, |iterations| {
            runner.block_on(async {
                let start = measurement.start();
                for _ in 0..iterations {
                    black_box(routine().await);
                }
                measurement.end(start)
            })
        });
    }

    /// As [`AsyncBencher::iter`], whatever the options. Of codspeed-criterion-compat.
    pub fn iter_manual_unstable<O, R, F>(&mut self, _: IterManualOptions, routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.iter(routine);
    }

    /// Measures a body that gets the number of iterations and returns what they took.
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = M::Value>,
    {
        const TERMINAL: &str = "iter_custom";
        let AsyncBencher { bencher, runner } = self;
        let measurement = bencher.measurement;
        let mut run = |iterations| runner.block_on(routine(iterations));
        if bencher.is_wall_time {
            let mut arm =
                SelfTimed::new(|iterations| duration(measurement.to_f64(&run(iterations))));
            return bencher.pass_on(TERMINAL, false, &mut arm);
        }
        bencher.measure(TERMINAL, run);
    }

    /// Times `routine` on inputs that `setup` prepares one at a time.
    #[doc(hidden)]
    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times `routine` on inputs that are all prepared before the clock starts.
    #[doc(hidden)]
    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Times `routine` without the drop of its output.
    pub fn iter_with_large_drop<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        const TERMINAL: &str = "iter_with_large_drop";
        let AsyncBencher { bencher, runner } = self;
        if bencher.is_wall_time {
            let mut arm = Awaited::new(Via(&*runner), async || routine().await, false);
            return bencher.pass_on(TERMINAL, false, &mut arm);
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
    pub fn iter_batched<I, O, S, R, F>(&mut self, mut setup: S, routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.batched("iter_batched", async || setup(), routine, size);
    }

    /// As [`AsyncBencher::iter_batched`], with inputs that are awaited before the clock starts. As in criterion2.
    ///
    /// # Panics
    ///
    /// When `size` is zero.
    #[track_caller]
    pub fn iter_batched_async_setup<FI, I, O, S, R, F>(
        &mut self,
        mut setup: S,
        routine: R,
        size: BatchSize,
    ) where
        S: FnMut() -> FI,
        FI: Future<Output = I>,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let setup = async || setup().await;
        self.batched("iter_batched_async_setup", setup, routine, size);
    }

    #[track_caller]
    fn batched<I, O, R, F>(
        &mut self,
        terminal: &'static str,
        mut setup: impl AsyncFnMut() -> I,
        mut routine: R,
        size: BatchSize,
    ) where
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let AsyncBencher { bencher, runner } = self;
        let most_alive = size.most_alive();
        if bencher.is_wall_time {
            let mut arm = awaited_consuming(Via(&*runner), setup, routine, most_alive);
            return bencher.pass_on(terminal, false, &mut arm);
        }
        let measurement = bencher.measurement;
        bencher.measure(terminal, |iterations| {
            in_parts(measurement, iterations, most_alive, |items| {
                runner.block_on(async {
                    let mut inputs = Vec::with_capacity(items);
                    for _ in 0..items {
                        inputs.push(setup().await);
                    }
                    let mut outputs = Vec::with_capacity(items);
                    let start = measurement.start();
                    for input in black_box(inputs) {
                        outputs.push(routine(input).await);
                    }
                    let value = measurement.end(start);
                    black_box(outputs);
                    value
                })
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
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        const TERMINAL: &str = "iter_batched_ref";
        let AsyncBencher { bencher, runner } = self;
        let most_alive = size.most_alive();
        if bencher.is_wall_time {
            let setup = async || setup();
            let mut arm = awaited_borrowing(Via(&*runner), setup, routine, most_alive);
            return bencher.pass_on(TERMINAL, false, &mut arm);
        }
        let measurement = bencher.measurement;
        bencher.measure(TERMINAL, |iterations| {
            in_parts(measurement, iterations, most_alive, |items| {
                runner.block_on(async {
                    let inputs: Vec<I> = (0..items).map(|_| setup()).collect();
                    let mut inputs = black_box(inputs);
                    let mut outputs = Vec::with_capacity(items);
                    let start = measurement.start();
                    for input in &mut inputs {
                        outputs.push(routine(input).await);
                    }
                    let value = measurement.end(start);
                    black_box(outputs);
                    value
                })
            })
        });
    }
}
