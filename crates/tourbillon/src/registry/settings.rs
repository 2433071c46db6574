//! Settings of a benchmark in the attribute.

use tourbillon_record::{CaseOptions, Metric};

/// Settings of one registered function. Each option of the attribute is a method of its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    pub(super) name: Option<&'static str>,
    pub(super) group: Option<&'static str>,
    pub(super) reference: bool,
    pub(super) tags: &'static [&'static str],
    pub(super) ignored: Option<&'static str>,
    pub(super) at_most: Option<&'static str>,
    pub(super) verify: &'static [&'static str],
    pub(super) options: CaseOptions,
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}

impl Settings {
    /// No setting.
    pub const fn new() -> Self {
        Self {
            name: None,
            group: None,
            reference: false,
            tags: &[],
            ignored: None,
            at_most: None,
            verify: &[],
            options: CaseOptions::NONE,
        }
    }

    /// Name in place of the function's.
    pub const fn name(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// Heading in place of the module.
    pub const fn group(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }

    /// The others of the group are compared with this one.
    pub const fn reference(mut self) -> Self {
        self.reference = true;
        self
    }

    /// Words to select by.
    pub const fn tags(mut self, tags: &'static [&'static str]) -> Self {
        self.tags = tags;
        self
    }

    /// Skipped unless selected; `why` may be empty.
    pub const fn ignore(mut self, why: &'static str) -> Self {
        self.ignored = Some(why);
        self
    }

    /// The fastest growth with the size of the last numeric axis: a model's name.
    pub const fn at_most(mut self, model: &'static str) -> Self {
        self.at_most = Some(model);
        self
    }

    /// Assertions about times.
    pub const fn verify(mut self, assertions: &'static [&'static str]) -> Self {
        self.verify = assertions;
        self
    }

    /// Launches at most.
    pub const fn launches(mut self, launches: u32) -> Self {
        self.options.launches = Some(launches);
        self
    }

    /// Time for measuring each case in nanoseconds, at least.
    pub const fn min_time(mut self, ns: u64) -> Self {
        self.options.min_time_ns = Some(ns);
        self
    }

    /// Time for measuring each case in nanoseconds, at most.
    pub const fn max_time(mut self, ns: u64) -> Self {
        self.options.max_time_ns = Some(ns);
        self
    }

    /// Fewest iterations in each launch.
    pub const fn min_iterations(mut self, iterations: u64) -> Self {
        self.options.min_iterations = Some(iterations);
        self
    }

    /// Relative half-width of the interval at which measuring stops.
    pub const fn precision(mut self, share: f64) -> Self {
        self.options.precision = Some(share);
        self
    }

    /// Measured in wall time.
    pub const fn clock_wall(self) -> Self {
        self.metric(Metric::Time)
    }

    /// Measured in processor time.
    pub const fn clock_cpu(self) -> Self {
        self.metric(Metric::CpuTime)
    }

    /// Measured in the processor time of the program's own code.
    pub const fn clock_user(self) -> Self {
        self.metric(Metric::UserTime)
    }

    /// Measured in the processor time of the kernel.
    pub const fn clock_kernel(self) -> Self {
        self.metric(Metric::KernelTime)
    }

    const fn metric(mut self, metric: Metric) -> Self {
        self.options.metric = Some(metric);
        self
    }

    /// Time without a sign of life after which a launch counts as hanging, in nanoseconds.
    pub const fn timeout(mut self, ns: u64) -> Self {
        self.options.timeout_ns = Some(ns);
        self
    }
}
