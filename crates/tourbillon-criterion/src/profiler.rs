//! Profilers that `--profile-time` starts and stops.

use std::marker::PhantomData;
use std::path::Path;

/// A profiler in this process. Only `--profile-time` calls it.
pub trait Profiler {
    /// Called before a benchmark runs; `benchmark_dir` is the folder for what it writes.
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);

    /// Called after a benchmark has run.
    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

/// No profiler in this process: another one looks at it from outside.
#[derive(Clone, Copy, Debug)]
pub struct ExternalProfiler;

impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}

    fn stop_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
}

/// What can be passed to [`Criterion::with_profiler`](crate::Criterion::with_profiler): a [`Profiler`], and with a
/// feature of this crate one that implements the trait of another version of criterion, as pprof's do. The
/// parameter tells them apart, and is inferred.
pub trait ProfilerOf<V> {
    /// Called before a benchmark runs.
    fn start(&mut self, benchmark_id: &str, benchmark_dir: &Path);

    /// Called after a benchmark has run.
    fn stop(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

/// The parameter of profilers with the trait of this crate.
#[derive(Debug)]
pub struct Own;

/// Profilers with the trait of a version of criterion.
macro_rules! profilers_of {
    ($($(#[$feature:meta])? $version:ident: $profiler:path;)*) => {
        $(
            $(#[$feature])?
            impl<P: $profiler> ProfilerOf<$version> for P {
                fn start(&mut self, benchmark_id: &str, benchmark_dir: &Path) {
                    self.start_profiling(benchmark_id, benchmark_dir);
                }

                fn stop(&mut self, benchmark_id: &str, benchmark_dir: &Path) {
                    self.stop_profiling(benchmark_id, benchmark_dir);
                }
            }
        )*
    };
}

profilers_of! {
    Own: Profiler;
    #[cfg(feature = "pprof-0-11")] V04: criterion_0_4::profiler::Profiler;
    #[cfg(feature = "pprof")] V05: criterion_0_5::profiler::Profiler;
}

/// The parameter of profilers with the trait of criterion 0.4.
#[cfg(feature = "pprof-0-11")]
#[derive(Debug)]
pub struct V04;

/// The parameter of profilers with the trait of criterion 0.5.
#[cfg(feature = "pprof")]
#[derive(Debug)]
pub struct V05;

/// A profiler with the trait of this crate.
pub(crate) struct Adapted<P, V> {
    profiler: P,
    of: PhantomData<V>,
}

impl<P: ProfilerOf<V>, V> Adapted<P, V> {
    pub(crate) fn new(profiler: P) -> Adapted<P, V> {
        Adapted {
            profiler,
            of: PhantomData,
        }
    }
}

impl<P: ProfilerOf<V>, V> Profiler for Adapted<P, V> {
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path) {
        self.profiler.start(benchmark_id, benchmark_dir);
    }

    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path) {
        self.profiler.stop(benchmark_id, benchmark_dir);
    }
}

#[cfg(all(test, feature = "pprof", feature = "pprof-0-11"))]
mod tests {
    use super::*;
    use crate::Criterion;

    /// A profiler with the trait of one version.
    macro_rules! profiler {
        ($name:ident: $profiler:path) => {
            struct $name(std::rc::Rc<std::cell::Cell<u32>>);

            impl $profiler for $name {
                fn start_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {
                    self.0.set(self.0.get() + 1);
                }

                fn stop_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {
                    self.0.set(self.0.get() + 10);
                }
            }
        };
    }

    profiler!(Ours: Profiler);
    profiler!(Of04: criterion_0_4::profiler::Profiler);
    profiler!(Of05: criterion_0_5::profiler::Profiler);

    #[test]
    fn profilers_of_all_versions_are_called() {
        let calls = std::rc::Rc::default();
        let of = || std::rc::Rc::clone(&calls);
        for criterion in [
            Criterion::default().with_profiler(Ours(of())),
            Criterion::default().with_profiler(Of04(of())),
            Criterion::default().with_profiler(Of05(of())),
        ] {
            let mut profiler = criterion.profiler.borrow_mut();
            profiler.start_profiling("a", Path::new("a"));
            profiler.stop_profiling("a", Path::new("a"));
        }
        assert_eq!(calls.get(), 33);
    }
}
