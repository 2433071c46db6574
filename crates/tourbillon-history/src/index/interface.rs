//! Questions that an index answers.

use std::collections::HashSet;

use serde_json::json;

use crate::index::{ComparisonSummary, Error, Failure, FileKind, RunSummary};

/// Receives messages for the user, such as what is waited for, each with its end of the line.
pub type Log = fn(&str);

/// An index of an archive.
///
/// Answers do not depend on the order in which runs were added, except for the numbers of runs and series, which
/// are those of one index.
pub trait Index {
    /// The hashes of the files of an archive that it has.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    fn hashes(&mut self, of: FileKind) -> Result<HashSet<String>, Error>;

    /// Adds runs, all or none. Those that it has are skipped.
    ///
    /// # Errors
    ///
    /// When the index cannot be written.
    fn insert(&mut self, runs: &[RunSummary]) -> Result<(), Error>;

    /// Adds comparisons of commits, all or none. Those that it has are skipped.
    ///
    /// # Errors
    ///
    /// When the index cannot be written.
    fn insert_comparisons(&mut self, comparisons: &[ComparisonSummary]) -> Result<(), Error>;

    /// Adds commits that cannot be measured, all or none. Those that it has are skipped.
    ///
    /// # Errors
    ///
    /// When the index cannot be written.
    fn insert_failures(&mut self, failures: &[Failure]) -> Result<(), Error>;

    /// All runs, by their start and then by the hash of the record.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    fn runs(&mut self) -> Result<Vec<IndexedRun>, Error>;

    /// All series, by case, metric, machine, engine and method.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    fn series(&mut self) -> Result<Vec<Series>, Error>;

    /// The points of a series, those of `runs` or of all runs, by the number of the run.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    fn points(&mut self, series: i64, runs: Option<&[i64]>) -> Result<Vec<Point>, Error>;

    /// All comparisons of commits, by their start and then by the hash of the record.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    fn comparisons(&mut self) -> Result<Vec<ComparisonSummary>, Error>;

    /// The commits that cannot be measured, by the time at which that was noted.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    fn failures(&mut self) -> Result<Vec<Failure>, Error>;
}

/// A run in an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedRun {
    /// Number in this index.
    pub number: i64,
    /// SHA-256 of the record.
    pub record: String,
    /// The commit, where it is known.
    pub commit: Option<String>,
    /// Start in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// Package of the bench target.
    pub package: String,
    /// Bench target.
    pub target: String,
    /// Key of the machine.
    pub machine: String,
    /// Name of the machine.
    pub machine_name: String,
    /// Name of the machine itself, as [`RunSummary::host`] has it; empty for runs without.
    pub host: String,
    /// How the program was compiled, as [`RunSummary::compilation`] has it; `None` for runs of before.
    pub compilation: Option<String>,
    /// The results of which a larger one is better, as [`RunSummary::more_is_better`] has them; `None` for runs of
    /// before.
    pub more_is_better: Option<String>,
}

impl IndexedRun {
    /// Whether a larger figure of a series is the better one.
    pub(crate) fn is_better_with_more(&self, series: &Series) -> bool {
        let listed = json!([series.case, series.metric]).to_string();
        let all = self.more_is_better.as_deref();
        // In the texts of JSON, a quotation mark has a backslash before it.
        all.is_some_and(|all| all.contains(&listed))
    }
}

/// Figures that may be compared: of one case and metric, on one kind of machine, by one engine and method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Number in this index.
    pub number: i64,
    /// Identity of the case.
    pub case: String,
    /// Name of the metric.
    pub metric: String,
    /// Unit.
    pub unit: String,
    /// Key of the machine.
    pub machine: String,
    /// Identity of the engine.
    pub engine: String,
    /// Method of the estimates.
    pub method: String,
}

/// The figure of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Number of the run in this index.
    pub run: i64,
    /// The estimate.
    pub value: f64,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
}
