//! `Criterion`: settings, and what benchmarks are registered with.

use std::any::type_name;
use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use crate::baseline::{Baseline, Baselines};
use crate::filter::{BenchmarkFilter, Regex};
use crate::measurement::{Measurement, WallTime};
use crate::options::Options;
use crate::plot::PlottingBackend;
use crate::process;
use crate::profiler::{Adapted, ExternalProfiler, Profiler, ProfilerOf};

/// What benchmarks are registered with, and the settings that they get.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use criterion::Criterion;
///
/// let criterion = Criterion::default()
///     .sample_size(10)
///     .measurement_time(Duration::from_secs(10));
/// # let _ = criterion;
/// ```
pub struct Criterion<M: Measurement = WallTime> {
    pub(crate) options: Options,
    pub(crate) filter: BenchmarkFilter,
    pub(crate) measurement: M,
    /// Whether the engine's clock measures; otherwise the measurement does.
    pub(crate) is_wall_time: bool,
    pub(crate) profiler: Rc<RefCell<dyn Profiler>>,
    pub(crate) baselines: Baselines,
    pub(crate) output_directory: Option<PathBuf>,
}

impl<M: Measurement> fmt::Debug for Criterion<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Criterion")
            .field("options", &self.options)
            .field("filter", &self.filter)
            .finish_non_exhaustive()
    }
}

impl Default for Criterion {
    fn default() -> Criterion {
        Criterion {
            options: Options::default(),
            filter: BenchmarkFilter::AcceptAll,
            measurement: WallTime,
            is_wall_time: true,
            profiler: Rc::new(RefCell::new(ExternalProfiler)),
            baselines: Baselines::last_run(),
            output_directory: None,
        }
    }
}

/// Settings. Those without an effect here are accepted.
impl<M: Measurement> Criterion<M> {
    /// Measures something else.
    #[must_use]
    pub fn with_measurement<M2: Measurement>(self, m: M2) -> Criterion<M2> {
        Criterion {
            options: self.options,
            filter: self.filter,
            // A measurement need not be 'static, so that its type has no other identity.
            is_wall_time: type_name::<M2>() == type_name::<WallTime>(),
            measurement: m,
            profiler: self.profiler,
            baselines: self.baselines,
            output_directory: self.output_directory,
        }
    }

    /// The profiler that `--profile-time` starts and stops. The features `pprof` and `pprof-0-11` accept those of
    /// the crate pprof.
    #[must_use]
    pub fn with_profiler<V: 'static, P: ProfilerOf<V> + 'static>(mut self, p: P) -> Criterion<M> {
        self.profiler = Rc::new(RefCell::new(Adapted::<P, V>::new(p)));
        self
    }

    /// What draws plots; without effect.
    #[must_use]
    pub fn plotting_backend(mut self, _backend: PlottingBackend) -> Criterion<M> {
        self.options.has_no_effect("plotting_backend");
        self
    }

    /// With plots; without effect.
    #[must_use]
    pub fn with_plots(mut self) -> Criterion<M> {
        self.options.has_no_effect("with_plots");
        self
    }

    /// Without plots.
    #[must_use]
    pub fn without_plots(self) -> Criterion<M> {
        self
    }

    /// Criterion's number of samples; without effect.
    ///
    /// # Panics
    ///
    /// When it is below 10.
    #[must_use]
    #[track_caller]
    pub fn sample_size(mut self, n: usize) -> Criterion<M> {
        self.options.set_sample_size(n);
        self
    }

    /// Criterion's time of the warm-up, a part of what a benchmark may take where eight launches need it.
    ///
    /// # Panics
    ///
    /// When it is zero.
    #[must_use]
    #[track_caller]
    pub fn warm_up_time(mut self, dur: Duration) -> Criterion<M> {
        self.options.set_warm_up_time(dur);
        self
    }

    /// Criterion's time of the samples, a part of what a benchmark may take where eight launches need it.
    ///
    /// # Panics
    ///
    /// When it is zero.
    #[must_use]
    #[track_caller]
    pub fn measurement_time(mut self, dur: Duration) -> Criterion<M> {
        self.options.set_measurement_time(dur);
        self
    }

    /// Criterion's number of resamples; without effect.
    ///
    /// # Panics
    ///
    /// When it is zero.
    #[must_use]
    #[track_caller]
    pub fn nresamples(mut self, n: usize) -> Criterion<M> {
        self.options.set_nresamples(n);
        self
    }

    /// The relative difference below which a change is not reported.
    ///
    /// # Panics
    ///
    /// When it is negative.
    #[must_use]
    #[track_caller]
    pub fn noise_threshold(mut self, threshold: f64) -> Criterion<M> {
        self.options.set_noise_threshold(threshold);
        self
    }

    /// Criterion's confidence of intervals; without effect, that of the engine is 99 %.
    ///
    /// # Panics
    ///
    /// When it is not between 0 and 1.
    #[must_use]
    #[track_caller]
    pub fn confidence_level(mut self, cl: f64) -> Criterion<M> {
        self.options.set_confidence_level(cl);
        self
    }

    /// Criterion's probability of a wrong verdict; without effect.
    ///
    /// # Panics
    ///
    /// When it is not between 0 and 1.
    #[must_use]
    #[track_caller]
    pub fn significance_level(mut self, sl: f64) -> Criterion<M> {
        self.options.set_significance_level(sl);
        self
    }

    /// Compares with the results that were saved under a name, and replaces them; as the flag `--save-baseline`.
    #[must_use]
    pub fn save_baseline(mut self, baseline: String) -> Criterion<M> {
        self.baselines = Baselines::new(Baseline::Save, baseline);
        self
    }

    /// Compares with the results that were saved under a name, which have to exist if `strict`; as the flags
    /// `--baseline` and `--baseline-lenient`.
    #[must_use]
    pub fn retain_baseline(mut self, baseline: String, strict: bool) -> Criterion<M> {
        let compare = if strict {
            Baseline::CompareStrict
        } else {
            Baseline::CompareLenient
        };
        self.baselines = Baselines::new(compare, baseline);
        self
    }

    /// Runs the benchmarks in whose id a regular expression is found.
    ///
    /// # Panics
    ///
    /// When it is no regular expression.
    #[must_use]
    #[track_caller]
    pub fn with_filter<S: Into<String>>(self, filter: S) -> Criterion<M> {
        let text = filter.into();
        match Regex::new(&text) {
            Ok(regex) => self.with_benchmark_filter(BenchmarkFilter::Regex(regex)),
            Err(error) => panic!("{text:?} is not a regular expression: {error}"),
        }
    }

    /// Runs the benchmarks that a filter accepts.
    #[must_use]
    pub fn with_benchmark_filter(mut self, filter: BenchmarkFilter) -> Criterion<M> {
        self.filter = filter;
        self
    }

    /// Colours; without effect, see the flag `--color`.
    #[must_use]
    pub fn with_output_color(mut self, _enabled: bool) -> Criterion<M> {
        self.options.has_no_effect("with_output_color");
        self
    }

    /// The folder of files.
    #[doc(hidden)]
    #[must_use]
    pub fn output_directory(mut self, path: &Path) -> Criterion<M> {
        self.output_directory = Some(path.to_owned());
        self
    }

    /// Runs each benchmark for a time in place of measuring it; without effect, see the flag `--profile-time`.
    #[doc(hidden)]
    #[must_use]
    pub fn profile_time(mut self, _profile_time: Option<Duration>) -> Criterion<M> {
        self.options.has_no_effect("profile_time");
        self
    }

    /// Takes the settings of the command line.
    ///
    /// In a program that is to measure, this function does not return: it starts the program again for every
    /// launch, prints the results and ends the process. In the processes that it starts, and in all other modes,
    /// it returns.
    #[must_use]
    pub fn configure_from_args(mut self) -> Criterion<M> {
        let Some(flags) = process::begin(None) else {
            return self;
        };
        if let Some(filter) = &flags.filter {
            self.filter = filter.clone();
        }
        flags.settings.apply(&mut self.options);
        if let Some(baselines) = &flags.baselines {
            self.baselines = baselines.clone();
        }
        self
    }

    /// Ends a suite with a `main` of its own.
    #[doc(hidden)]
    pub fn final_summary(&self) {
        process::finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_builder_decides_what_is_saved() {
        let new = |baseline| Baselines::new(baseline, "a".to_owned());
        let name = || "a".to_owned();
        let criterion = Criterion::default().retain_baseline(name(), true);
        assert_eq!(criterion.baselines, new(Baseline::CompareStrict));
        let criterion = criterion.retain_baseline(name(), false);
        assert_eq!(criterion.baselines, new(Baseline::CompareLenient));
        let criterion = criterion.configure_from_args().save_baseline(name());
        assert_eq!(criterion.baselines, new(Baseline::Save));
    }
}
