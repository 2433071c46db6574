//! How builds are made and compared.

use std::path::PathBuf;

use tourbillon_analysis::Criteria;
use tourbillon_builds::Selection;
use tourbillon_coordinator::values::{ColorChoice, Partition, SettingsFile};
use tourbillon_record::Metric;
use tourbillon_report::Style;
use tourbillon_stats::Rng;
use tourbillon_tool::bench_flags::flag_of_runs;
use tourbillon_tool::config_file::{ConfigPath, store_of, store_variable};
use tourbillon_tool::exit::Stop;
use tourbillon_tool::records::StorePath;
use tourbillon_tool::screen::style;

use crate::confirmation::Explain;
use crate::gate::flag::GateFlag;
use crate::gate::thresholds::Gate;
use crate::pairing::file_pattern::FilePattern;

/// Number of placements to begin with: as many as the first look at the samples needs.
const LAYOUTS: u32 = 16;
/// Default limit for a comparison with a limit, a step of a search: each of them has to decide.
const STEP_NS: u64 = 30_000_000_000;

/// How builds are made and compared.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is built, and how.
    pub selection: Selection,
    /// One shard of the cases.
    pub partition: Option<Partition>,
    /// Time to measure a case, in nanoseconds; `None` for the usual one.
    pub time_ns: Option<u64>,
    /// Silence that counts as a hang, in nanoseconds; `None` for that of the case.
    pub timeout_ns: Option<u64>,
    /// Relative difference up to which two times count as the same; `None` for the default.
    pub margin: Option<f64>,
    /// Whether a comparison ends with its direction, however wide the interval is.
    pub direction: bool,
    /// Confidence of a verdict; `None` for the default.
    pub confidence: Option<f64>,
    /// Whether cases are measured that have the same code in both builds.
    pub measure_unchanged: bool,
    /// Files that no benchmark reads; empty for the usual ones.
    pub documentation: Vec<FilePattern>,
    /// What is counted besides the time, also where no gate asks for it.
    pub counters: Vec<Metric>,
    /// Number of placements; `None`: another one for every pair.
    pub layouts: Option<u32>,
    /// Seed of everything that is drawn.
    pub seed: Option<u64>,
    /// Where records are kept, and the file of defaults.
    pub store: StorePath,
    /// Thresholds of the command line.
    pub gates: Vec<GateFlag>,
    /// Whether an undecided case fails the gate.
    pub undecided_fails: bool,
    /// Whether it fails while another program measures.
    pub no_wait: bool,
    /// When text has colour.
    pub color: ColorChoice,
    /// Whether all rows and notes are printed.
    pub list_all: bool,
    /// Whether the table has a column of what placement does to each case.
    pub shows_placement: bool,
    /// Arguments of the bench programs.
    pub bench_flags: Vec<String>,
    /// The ratio that decides between faster and slower, in place of 1 and the margin.
    pub limit: Option<f64>,
    /// The file of defaults that bench programs read.
    pub file: Option<PathBuf>,
    /// The thresholds of the command line and of the file together.
    pub gate: Option<Gate>,
    /// The allowed probability that any verdict on a case that is measured is wrong, in place of the confidence of each.
    pub shared_error: Option<f64>,
    /// Whether bodies that became shorter than anything that can be measured count as failed.
    pub refuse_empty_bodies: bool,
    /// Whether cases that the newer build ignores, and its reference does not, are measured all the same.
    pub holds_head: bool,
    /// What explains the cases that are faster or slower.
    pub explain: Option<Explain>,
}

/// How subcommands that compare commits build and measure them.
#[derive(Clone, Debug, Default)]
pub struct RevisionOptions {
    /// What is built, and how.
    pub selection: Selection,
    /// Time to measure a case, in nanoseconds; `None` for the usual one.
    pub time_ns: Option<u64>,
    /// Whether it fails while another program measures.
    pub no_wait: bool,
    /// Whether cases are measured that have the same code in both builds.
    pub measure_unchanged: bool,
}

/// What verdicts have to meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Relative difference up to which two times count as the same; `None` for the default.
    pub margin: Option<f64>,
    /// The ratio that decides between faster and slower, in place of 1 and the margin.
    pub limit: Option<f64>,
    /// Confidence of a verdict.
    pub confidence: f64,
}

/// The allowed probability of a wrong verdict with a confidence, or with the default.
pub(crate) fn error(confidence: Option<f64>) -> f64 {
    confidence.map_or(Criteria::BUILDS.error, |confidence| 1.0 - confidence)
}

impl Default for Demand {
    fn default() -> Demand {
        Demand {
            margin: None,
            limit: None,
            confidence: 1.0 - Criteria::BUILDS.error,
        }
    }
}

/// What an error that was computed from a confidence may be off by, as a share of it.
const ROUNDING: f64 = 1e-9;

impl Demand {
    /// Whether a verdict of this confidence is as certain as this asks for.
    pub fn is_met_by(self, confidence: f64) -> bool {
        1.0 - confidence <= (1.0 - self.confidence) * (1.0 + ROUNDING)
    }

    /// Whether this is the margin that verdicts are to have.
    pub fn has_margin(self, margin: f64) -> bool {
        self.margin.unwrap_or(Criteria::BUILDS.margin) == margin
    }
}

impl Options {
    /// For these cases, whose ids are whole; all without any. The gate of the file of defaults does not count.
    ///
    /// # Errors
    ///
    /// When the file of defaults cannot be found.
    pub fn of_cases(
        revisions: &RevisionOptions,
        store: &StorePath,
        cases: &[String],
        demand: Demand,
    ) -> Result<Options, Stop> {
        let mut bench_flags = Vec::new();
        if !cases.is_empty() {
            // They were measured, although a build may ignore them. Ids come from records, and may begin as flags do.
            let flags = ["--include-ignored", "--exact", "--"];
            bench_flags.extend(flags.map(str::to_owned));
            bench_flags.extend_from_slice(cases);
        }
        Ok(Options {
            selection: revisions.selection.clone(),
            time_ns: revisions.time_ns.or(demand.limit.map(|_| STEP_NS)),
            margin: demand.margin,
            confidence: Some(demand.confidence),
            store: store.clone(),
            no_wait: revisions.no_wait,
            measure_unchanged: revisions.measure_unchanged,
            bench_flags,
            limit: demand.limit,
            file: store.config.file()?.map(|file| file.path),
            ..Options::default()
        })
    }

    /// The style of text on stdout.
    pub(crate) fn style(&self) -> Style {
        style(self.color)
    }

    /// The file of defaults that is read; `None` where there is none or it cannot be read.
    pub(crate) fn settings_file(&self) -> Option<PathBuf> {
        let file = self.store.config.file().ok().flatten();
        file.map(|file| file.path)
    }

    /// Finds the file of defaults and reads the gate.
    pub(crate) fn complete(&mut self) -> Result<(), Stop> {
        if let Some(flag) = flag_of_runs(&self.bench_flags) {
            return Err(Stop::Usage(format!(
                "{flag} after -- would have no effect: a comparison has flags of its own, before --; after it \
                 select cases by filters, --exact, --skip, --tag, --ignored"
            )));
        }
        let file = self.store.config.file()?;
        self.gate = Gate::read(&self.gates, file.as_ref())?;
        self.file = file.map(|file| file.path);
        Ok(())
    }

    /// Has the settings of this file alone, which bench programs read at `copy`.
    ///
    /// # Errors
    ///
    /// When its gate cannot be read.
    pub(crate) fn hold(
        &mut self,
        file: Option<&SettingsFile>,
        copy: Option<PathBuf>,
    ) -> Result<(), Stop> {
        self.gate = Gate::read(&self.gates, file)?;
        self.file = copy;
        self.keep_in(|| file.and_then(store_of));
        Ok(())
    }

    /// Keeps records in the folder that was named, else in this one, and reads no file for it.
    pub(crate) fn keep_in(&mut self, folder: impl FnOnce() -> Option<PathBuf>) {
        let named = self
            .store
            .folder()
            .map(PathBuf::from)
            .or_else(store_variable)
            .or_else(folder);
        self.store = StorePath::new(named, ConfigPath::none());
    }

    /// Has a gate in any case: without a threshold for times, the margin is theirs.
    pub(crate) fn require_gate(&mut self) {
        let margin = self.margin.unwrap_or(Criteria::BUILDS.margin);
        let gate = self.gate.take().unwrap_or_default();
        self.gate = Some(gate.or_relative(margin));
    }

    /// The allowed probability of a wrong verdict.
    pub(crate) fn error(&self) -> f64 {
        error(self.confidence)
    }

    /// Number of placements of each executable to begin with, at least one.
    pub(crate) fn layouts(&self) -> u32 {
        self.layouts.unwrap_or(LAYOUTS)
    }

    /// Whether there are no more placements than that.
    pub(crate) fn layouts_limited(&self) -> bool {
        self.layouts.is_some()
    }

    /// Whether executables have several placements.
    pub(crate) fn has_placements(&self) -> bool {
        self.layouts() > 1
    }

    /// The seed of a placement, for the executables of all sides.
    ///
    /// Without `--seed` the placements are the same each time, so that they are found in the cache; what
    /// else is drawn is not.
    pub(crate) fn placement(&self, number: u32) -> u64 {
        Rng::new(self.seed.unwrap_or(0)).derive(number.into())
    }
}
