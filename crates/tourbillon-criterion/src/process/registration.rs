//! A benchmark when the suite comes to it.

use std::cell::RefCell;
use std::panic::Location;
use std::path::Path;
use std::rc::Rc;

use tourbillon_engine::Drive;

use tourbillon_criterion_files::BenchmarkName;

use crate::amount::Amount;
use crate::baseline::Baselines;
use crate::filter::BenchmarkFilter;
use crate::options::Options;
use crate::profiler::Profiler;

/// Calls the function of a benchmark, which passes its body to the driver.
pub(crate) type Body<'b> = &'b mut dyn FnMut(&mut dyn Drive) -> Result<(), String>;

/// A benchmark that is registered.
pub(crate) struct Registration<'r> {
    pub(crate) named: &'r BenchmarkName,
    pub(crate) location: &'static Location<'static>,
    pub(crate) options: &'r Options,
    pub(crate) throughput: Option<Amount>,
    /// The filter of its `Criterion`.
    pub(crate) filter: &'r BenchmarkFilter,
    pub(crate) profiler: &'r Rc<RefCell<dyn Profiler>>,
    /// What becomes of the results of its `Criterion`.
    pub(crate) baselines: &'r Baselines,
    /// The folder of files, where the suite sets one.
    pub(crate) output_directory: Option<&'r Path>,
}
