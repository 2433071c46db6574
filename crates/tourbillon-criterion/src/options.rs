//! Settings of criterion, as far as they are kept.

use std::collections::BTreeSet;
use std::time::Duration;

/// How criterion spreads iterations over its samples. Accepted; the pilot launch finds the length of batches.
#[derive(Clone, Copy, Debug, Default)]
pub enum SamplingMode {
    /// Chosen by the benchmark's time.
    #[default]
    Auto,
    /// More iterations from sample to sample.
    Linear,
    /// As many iterations in every sample.
    Flat,
}

/// Settings of a [`Criterion`](crate::Criterion) or of a group.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) warm_up_time: Duration,
    pub(crate) measurement_time: Duration,
    pub(crate) noise_threshold: f64,
    /// Methods of the suite that were called and have no effect.
    pub(crate) without_effect: BTreeSet<&'static str>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            warm_up_time: Duration::from_secs(3),
            measurement_time: Duration::from_secs(5),
            noise_threshold: 0.01,
            without_effect: BTreeSet::new(),
        }
    }
}

impl Options {
    #[track_caller]
    pub(crate) fn set_sample_size(&mut self, n: usize) {
        assert!(n >= 10, "the sample size must be at least 10");
        self.has_no_effect("sample_size");
    }

    #[track_caller]
    pub(crate) fn set_warm_up_time(&mut self, time: Duration) {
        assert!(!time.is_zero(), "the warm-up time must be above zero");
        self.warm_up_time = time;
    }

    #[track_caller]
    pub(crate) fn set_measurement_time(&mut self, time: Duration) {
        assert!(!time.is_zero(), "the measurement time must be above zero");
        self.measurement_time = time;
    }

    #[track_caller]
    pub(crate) fn set_nresamples(&mut self, n: usize) {
        assert!(n > 0, "the number of resamples must be above zero");
        self.has_no_effect("nresamples");
    }

    #[track_caller]
    pub(crate) fn set_noise_threshold(&mut self, threshold: f64) {
        assert!(threshold >= 0.0, "the noise threshold must not be negative");
        self.noise_threshold = threshold;
    }

    #[track_caller]
    pub(crate) fn set_confidence_level(&mut self, level: f64) {
        assert!(
            level > 0.0 && level < 1.0,
            "the confidence level must be between 0 and 1"
        );
        self.has_no_effect("confidence_level");
    }

    #[track_caller]
    pub(crate) fn set_significance_level(&mut self, level: f64) {
        assert!(
            level > 0.0 && level < 1.0,
            "the significance level must be between 0 and 1"
        );
        self.has_no_effect("significance_level");
    }

    /// Notes the call of a method without effect.
    pub(crate) fn has_no_effect(&mut self, method: &'static str) {
        self.without_effect.insert(method);
    }

    /// The time that criterion would spend on a benchmark, in nanoseconds.
    pub(crate) fn time_ns(&self) -> u64 {
        let time = self.warm_up_time.saturating_add(self.measurement_time);
        u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_benchmark_may_take_what_it_takes_by_criterion() {
        let mut options = Options::default();
        assert_eq!(options.time_ns(), 8_000_000_000);
        options.set_measurement_time(Duration::from_secs(60));
        assert_eq!(options.time_ns(), 63_000_000_000);
        options.set_warm_up_time(Duration::MAX);
        assert_eq!(options.time_ns(), u64::MAX);
    }

    #[test]
    #[should_panic(expected = "at least 10")]
    fn a_sample_has_ten_values() {
        Options::default().set_sample_size(9);
    }
}
