//! What was typed.

use std::path::PathBuf;
use tourbillon_record::{CaseOptions, Metric};

use tourbillon_report::{OptionalColumn, ReportFormat, RowOrder};

use crate::platform::core_kinds::CpuChoice;
use crate::values::ColorChoice;

/// What was typed, before environment and defaults are added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LowArgs {
    /// Print the help.
    pub help: bool,
    /// Print the version.
    pub version: bool,
    /// List the cases.
    pub list: bool,
    /// Run each case once.
    pub test: bool,
    /// Measure.
    pub bench: bool,
    /// Run each case for this many nanoseconds.
    pub profile_time: Option<u64>,
    /// Parts of ids, or whole ids.
    pub filters: Vec<String>,
    /// Whether filters are whole ids.
    pub exact: bool,
    /// Filters of cases that are skipped.
    pub skip: Vec<String>,
    /// Tags, one of which a case must have.
    pub tags: Vec<String>,
    /// Only the cases that are marked to be ignored.
    pub ignored: bool,
    /// Ignored cases too.
    pub include_ignored: bool,
    /// The partition, as it was typed: the environment may be part of it.
    pub partition: Option<String>,
    /// Settings of every case.
    pub options: CaseOptions,
    /// The case that the others are compared with.
    pub against: Option<String>,
    /// Processors to pin workers to.
    pub cpus: CpuChoice,
    /// What is counted besides the time.
    pub counters: Vec<Metric>,
    /// The seed.
    pub seed: Option<u64>,
    /// What is printed on stdout.
    pub format: Format,
    /// Columns that are added to the table.
    pub columns: Vec<OptionalColumn>,
    /// The order of the table's rows.
    pub order: RowOrder,
    /// Whether text is coloured.
    pub color: ColorChoice,
    /// Results and failures only.
    pub quiet: bool,
    /// All facts.
    pub verbose: bool,
    /// Whether output of benchmarks is shown.
    pub no_capture: bool,
    /// The name to save the run under.
    pub save: Option<String>,
    /// The baseline to compare with.
    pub baseline: Option<String>,
    /// The folder of the store.
    pub store: Option<PathBuf>,
    /// Whether no record is kept.
    pub no_store: bool,
    /// Whether to exit while another program measures.
    pub no_wait: bool,
    /// Print what holds, and where it comes from.
    pub show_config: bool,
    /// The file of defaults.
    pub config: Option<PathBuf>,
    /// The flags that were given, with their values.
    pub given: Vec<(String, String)>,
}

/// What is printed on stdout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Tables.
    #[default]
    Text,
    /// One JSON object a line.
    Jsonl,
    /// Results in a form for other programs, at the end.
    ReportFormat(ReportFormat),
    /// What test runners read: a line for each case, or a letter for each test.
    Terse,
    /// What another front end prints.
    FrontEnd,
}
