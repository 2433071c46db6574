//! Groups, and how benchmarks are registered.

use std::collections::HashSet;
use std::fmt;
use std::hint::black_box;
use std::panic::Location;
use std::time::Duration;

use crate::Throughput;
use crate::amount::amount;
use crate::bencher::Bencher;
use crate::criterion::Criterion;
use crate::id::{BenchmarkId, IntoBenchmarkId};
use crate::measurement::Measurement;
use crate::options::{Options, SamplingMode};
use crate::plot::PlotConfiguration;
use crate::process::{self, BenchmarkName, Registration};

/// Benchmarks that are shown together, with settings of their own.
///
/// # Examples
///
/// ```
/// use criterion::{BenchmarkId, Criterion, Throughput};
///
/// fn sums(c: &mut Criterion) {
///     let mut group = c.benchmark_group("sum");
///     for length in [10_u64, 1_000] {
///         group.throughput(Throughput::Elements(length));
///         group.bench_with_input(BenchmarkId::from_parameter(length), &length, |b, length| {
///             b.iter(|| (0..*length).sum::<u64>());
///         });
///     }
///     group.finish();
/// }
/// # let _ = sums;
/// ```
pub struct BenchmarkGroup<'a, M: Measurement> {
    criterion: &'a mut Criterion<M>,
    name: String,
    ids: HashSet<BenchmarkId>,
    options: Options,
    throughput: Option<Throughput>,
}

impl<M: Measurement> fmt::Debug for BenchmarkGroup<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BenchmarkGroup")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Benchmarks.
impl<M: Measurement> Criterion<M> {
    /// Opens a group.
    ///
    /// # Panics
    ///
    /// When its name is empty.
    #[track_caller]
    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        let name = group_name.into();
        assert!(!name.is_empty(), "Group name must not be empty.");
        BenchmarkGroup {
            options: self.options.clone(),
            criterion: self,
            name,
            ids: HashSet::new(),
            throughput: None,
        }
    }

    /// Registers a benchmark: `f` passes its body to a [`Bencher`].
    ///
    /// # Panics
    ///
    /// When its name is empty.
    #[track_caller]
    pub fn bench_function<F: FnMut(&mut Bencher<'_, M>)>(
        &mut self,
        id: &str,
        mut f: F,
    ) -> &mut Criterion<M> {
        let none = BenchmarkId {
            function: None,
            parameter: None,
        };
        self.benchmark_group(id).register(none, &mut |b| f(b));
        self
    }

    /// Registers a benchmark with an input, whose id needs a function name.
    ///
    /// # Panics
    ///
    /// When the id has no function name.
    #[track_caller]
    pub fn bench_with_input<F: FnMut(&mut Bencher<'_, M>, &I), I>(
        &mut self,
        id: BenchmarkId,
        input: &I,
        mut f: F,
    ) -> &mut Criterion<M> {
        let Some(function) = id.function else {
            panic!(
                "Cannot use BenchmarkId::from_parameter with Criterion::bench_with_input. \
                 Consider using a BenchmarkGroup or BenchmarkId::new instead."
            );
        };
        let of_parameter = BenchmarkId {
            function: None,
            parameter: id.parameter,
        };
        self.benchmark_group(function)
            .register(of_parameter, &mut |b| f(b, black_box(input)));
        self
    }
}

/// Settings of a group, for the benchmarks that follow; see those of [`Criterion`].
impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    /// As [`Criterion::sample_size`].
    #[track_caller]
    pub fn sample_size(&mut self, n: usize) -> &mut Self {
        self.options.set_sample_size(n);
        self
    }

    /// As [`Criterion::warm_up_time`].
    #[track_caller]
    pub fn warm_up_time(&mut self, dur: Duration) -> &mut Self {
        self.options.set_warm_up_time(dur);
        self
    }

    /// As [`Criterion::measurement_time`].
    #[track_caller]
    pub fn measurement_time(&mut self, dur: Duration) -> &mut Self {
        self.options.set_measurement_time(dur);
        self
    }

    /// As [`Criterion::nresamples`].
    #[track_caller]
    pub fn nresamples(&mut self, n: usize) -> &mut Self {
        self.options.set_nresamples(n);
        self
    }

    /// As [`Criterion::noise_threshold`].
    #[track_caller]
    pub fn noise_threshold(&mut self, threshold: f64) -> &mut Self {
        self.options.set_noise_threshold(threshold);
        self
    }

    /// As [`Criterion::confidence_level`].
    #[track_caller]
    pub fn confidence_level(&mut self, cl: f64) -> &mut Self {
        self.options.set_confidence_level(cl);
        self
    }

    /// As [`Criterion::significance_level`].
    #[track_caller]
    pub fn significance_level(&mut self, sl: f64) -> &mut Self {
        self.options.set_significance_level(sl);
        self
    }

    /// How plots are drawn; without effect.
    pub fn plot_config(&mut self, _new_config: PlotConfiguration) -> &mut Self {
        self.options.has_no_effect("plot_config");
        self
    }

    /// What an iteration processes.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    /// How criterion spreads iterations over its samples; without effect.
    pub fn sampling_mode(&mut self, _new_mode: SamplingMode) -> &mut Self {
        self.options.has_no_effect("sampling_mode");
        self
    }

    /// Registers a benchmark of the group: `f` passes its body to a [`Bencher`].
    ///
    /// # Panics
    ///
    /// When the group has another benchmark with this id.
    #[track_caller]
    pub fn bench_function<ID: IntoBenchmarkId, F: FnMut(&mut Bencher<'_, M>)>(
        &mut self,
        id: ID,
        mut f: F,
    ) -> &mut Self {
        self.register(id.into_benchmark_id(), &mut |b| f(b));
        self
    }

    /// Registers a benchmark of the group with an input.
    ///
    /// # Panics
    ///
    /// When the group has another benchmark with this id.
    #[track_caller]
    pub fn bench_with_input<ID, F, I>(&mut self, id: ID, input: &I, mut f: F) -> &mut Self
    where
        ID: IntoBenchmarkId,
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        self.register(id.into_benchmark_id(), &mut |b| f(b, black_box(input)));
        self
    }

    /// Closes the group.
    pub fn finish(self) {}

    #[track_caller]
    fn register(&mut self, id: BenchmarkId, function: &mut dyn FnMut(&mut Bencher<'_, M>)) {
        let named = BenchmarkName {
            group: self.name.clone(),
            function: id.function.clone(),
            parameter: id.parameter.clone(),
        };
        assert!(
            self.ids.insert(id),
            "Benchmark IDs must be unique within a group. Encountered duplicated benchmark ID {}",
            named.id()
        );
        let criterion = &*self.criterion;
        let throughput = self.throughput.as_ref();
        let registration = Registration {
            named: &named,
            location: Location::caller(),
            options: &self.options,
            throughput: throughput.map(amount),
            filter: &criterion.filter,
            profiler: &criterion.profiler,
            baselines: &criterion.baselines,
            output_directory: criterion.output_directory.as_deref(),
        };
        process::register(&registration, &mut |drive| {
            let measurement = &criterion.measurement;
            let is_wall_time = criterion.is_wall_time;
            // Suites pass their `Bencher` to threads of a pool.
            let drive = drive
                .movable()
                .ok_or("benchmarks of criterion suites cannot be interleaved with others")?;
            function(&mut Bencher::new(
                drive,
                measurement,
                is_wall_time,
                throughput,
            ));
            Ok(())
        });
    }
}

/// Runs a target of a group.
pub fn target<M: Measurement>(
    criterion: &mut Criterion<M>,
    name: &str,
    run: &mut dyn FnMut(&mut Criterion<M>),
) {
    process::target(name, &mut || run(criterion));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "Group name must not be empty")]
    fn a_group_has_a_name() {
        Criterion::default().benchmark_group("");
    }

    #[test]
    #[should_panic(expected = "Function name must not be empty")]
    fn a_function_has_a_name() {
        let mut criterion = Criterion::default();
        criterion
            .benchmark_group("group")
            .bench_function("", |b| b.iter(|| 1));
    }

    #[test]
    #[should_panic(expected = "Cannot use BenchmarkId::from_parameter")]
    fn a_parameter_alone_is_no_name() {
        let id = BenchmarkId::from_parameter(1);
        Criterion::default().bench_with_input(id, &1, |b, n| b.iter(|| *n));
    }
}
