//! What can be measured: cases, offered one by one.

use std::ops::ControlFlow;

use tourbillon_record::{Case, Metric};

use crate::Drive;

/// A collection of cases.
///
/// The functions registered by the `bench` attribute are one; a facade that discovers its cases by
/// running functions is another. Cases come in the same order with the same identities in every
/// process of a run.
pub trait Suite {
    /// Offers every case to `visitor`, until it breaks off.
    fn visit(&self, visitor: &mut dyn Visitor);
}

/// What looks at the cases of a [`Suite`]: to list them, to test them, or to measure one.
pub trait Visitor {
    /// Whether the case with this identity is one to look at. A suite that can tell identities before it has all of a
    /// case asks this first, so that a worker finds its own among thousands in no time.
    fn wants(&self, _id: &str) -> bool {
        true
    }

    /// Looks at one case. Calling `body` with a driver runs the benchmark once, up to its terminal,
    /// which hands its arm to the driver; `Err` holds what the benchmark returned as its error.
    fn case(
        &mut self,
        case: &Case,
        options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()>;
}

/// What a case asks for itself, in place of the settings of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CaseOptions {
    /// Launches at most.
    pub launches: Option<u32>,
    /// Time for measuring the case, all launches together, in nanoseconds: not less, unless the
    /// launches end before.
    pub min_time_ns: Option<u64>,
    /// Time for measuring the case, all launches together, in nanoseconds: not more.
    pub max_time_ns: Option<u64>,
    /// Fewest iterations in each visit.
    pub min_iterations: Option<u64>,
    /// Relative half-width of the interval at which measuring stops: 0.01 for 1 %.
    pub precision: Option<f64>,
    /// Time without a sign of life after which a visit counts as hanging, in nanoseconds.
    pub timeout_ns: Option<u64>,
    /// What is measured: wall time, or a time of processors.
    pub metric: Option<Metric>,
}
