//! Profilers that `--profile-time` starts and stops.

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
