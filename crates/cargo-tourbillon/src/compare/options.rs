//! The flags of all comparisons of builds.

use std::path::PathBuf;

use clap::{Args, value_parser};
use tourbillon_analysis::Criteria;
use tourbillon_builds::{Executable, Flag, Selection};
use tourbillon_stats::Rng;
use tourbillon_values::{Partition, SettingsFile, duration, seed};

use super::gate::Gate;
use super::gate_flags::GateFlags;
use super::limits::{confidence, share};
use crate::bench_flags::partition;
use crate::config_file::{ConfigFlag, store_of, store_variable};
use crate::exit::Stop;
use crate::output_flags::ColorFlag;
use crate::records::StoreFlag;

/// Number of placements to begin with: as many as the first look at the samples needs.
const LAYOUTS: u32 = 16;

/// How builds are made and compared.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) selected: Selected,
    /// One shard of the cases: hash:2/4, slice:2/4 or auto
    #[arg(long, value_name = "PART", value_parser = partition)]
    pub(super) partition: Option<Partition>,
    /// Time to measure a case [10s, all together 3.5min]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) time: Option<u64>,
    /// Silence that counts as a hang [the case's, or 30s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) timeout: Option<u64>,
    /// Smaller differences count as the same, such as 1%
    #[arg(long, value_name = "PCT", value_parser = share)]
    pub(super) margin: Option<f64>,
    /// Confidence of a verdict, such as 99.9%
    #[arg(long, value_name = "PCT", value_parser = confidence)]
    pub(super) confidence: Option<f64>,
    /// Placements [another for every pair]; 1: as built
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000))]
    layouts: Option<u32>,
    /// Seed of everything that is drawn, as the header shows it
    #[arg(long, value_name = "HEX", value_parser = seed)]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) store: StoreFlag,
    #[command(flatten)]
    pub(super) gate_flags: GateFlags,
    /// Exit with 5 while another program measures
    #[arg(long)]
    pub(crate) no_wait: bool,
    #[command(flatten)]
    pub(crate) color: ColorFlag,
    /// For the bench binaries, after --
    #[arg(value_name = "BENCH FLAGS", num_args = 0.., last = true, allow_hyphen_values = true)]
    pub(super) bench_flags: Vec<String>,
    /// The ratio that decides between faster and slower, in place of 1 and the margin.
    #[arg(skip)]
    pub(super) limit: Option<f64>,
    /// The file of defaults.
    #[arg(skip)]
    pub(super) file: Option<PathBuf>,
    /// The flag and the file together.
    #[arg(skip)]
    pub(super) gate: Option<Gate>,
}

/// Default limit for a comparison with a limit, a step of a search: each of them has to decide.
const STEP_NS: u64 = 30_000_000_000;

/// How subcommands that compare commits build and measure them.
#[derive(Clone, Debug, Args)]
pub(crate) struct RevisionFlags {
    #[command(flatten)]
    pub(crate) selected: Selected,
    /// Time to measure a case [10s, of a step of bisect 30s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    /// Exit with 5 while another program measures
    #[arg(long)]
    pub(crate) no_wait: bool,
}

/// What verdicts have to meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Demand {
    /// Relative difference up to which two times count as the same; `None` for the default.
    pub(crate) margin: Option<f64>,
    /// The ratio that decides between faster and slower, in place of 1 and the margin.
    pub(crate) limit: Option<f64>,
    /// Confidence of a verdict.
    pub(crate) confidence: f64,
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
    pub(crate) fn is_met_by(self, confidence: f64) -> bool {
        1.0 - confidence <= (1.0 - self.confidence) * (1.0 + ROUNDING)
    }

    /// Whether this is the margin that verdicts are to have.
    pub(crate) fn has_margin(self, margin: f64) -> bool {
        self.margin.unwrap_or(Criteria::BUILDS.margin) == margin
    }
}

/// Which targets are built, with cargo's names for these flags.
#[derive(Clone, Debug, Args)]
pub(crate) struct Selected {
    /// Packages to build, as cargo takes them
    #[arg(short, long, value_name = "SPEC")]
    package: Vec<String>,
    /// Bench targets to build
    #[arg(long, value_name = "NAME")]
    bench: Vec<String>,
    /// Features, of all sides
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// All features, of all sides
    #[arg(long)]
    all_features: bool,
    /// No default features, on any side
    #[arg(long)]
    no_default_features: bool,
    /// Profile of all sides [bench]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// All packages of the workspace
    #[arg(long)]
    workspace: bool,
    /// Passed on to cargo
    #[arg(long)]
    locked: bool,
    /// Passed on to cargo
    #[arg(long)]
    offline: bool,
}

impl Selected {
    /// Whether an executable that was built elsewhere is of a selected target.
    pub(super) fn takes(&self, executable: &Executable) -> bool {
        let takes = |names: &[String], name: &String| names.is_empty() || names.contains(name);
        takes(&self.package, &executable.package) && takes(&self.bench, &executable.target)
    }

    pub(crate) fn selection(&self) -> Selection {
        let features = self.features.iter();
        let features = features.map(|features| Flag::new("--features=", features));
        let flags = features.chain(self.switches().map(Flag::switch)).collect();
        Selection {
            packages: self.package.clone(),
            workspace: self.workspace,
            benches: self.bench.clone(),
            flags,
            profile: self.profile.clone(),
        }
    }

    /// Whether no target is excluded by its name.
    pub(super) fn is_all(&self) -> bool {
        self.package.is_empty() && self.bench.is_empty()
    }

    /// The flags without a value of `cargo bench` and of `cargo rustc`.
    fn switches(&self) -> impl Iterator<Item = &'static str> + use<> {
        let flags = [
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
            (self.locked, "--locked"),
            (self.offline, "--offline"),
        ];
        let given = flags.into_iter().filter(|(given, _)| *given);
        given.map(|(_, flag)| flag)
    }
}

impl Options {
    /// For these cases, whose ids are whole; all without any. The gate of the file of defaults does not count.
    ///
    /// # Errors
    ///
    /// When the file of defaults cannot be found.
    pub(crate) fn of_cases(
        flags: &RevisionFlags,
        store: &StoreFlag,
        cases: &[String],
        demand: Demand,
    ) -> Result<Options, Stop> {
        // Ids come from records, and may begin as flags do.
        let exact = ["--exact", "--"].map(str::to_owned);
        let exact = exact.into_iter().filter(|_| !cases.is_empty());
        Ok(Options {
            selected: flags.selected.clone(),
            partition: None,
            time: flags.time.or(demand.limit.map(|_| STEP_NS)),
            timeout: None,
            margin: demand.margin,
            confidence: Some(demand.confidence),
            layouts: None,
            seed: None,
            store: store.clone(),
            gate_flags: GateFlags::default(),
            no_wait: flags.no_wait,
            color: ColorFlag::default(),
            bench_flags: exact.chain(cases.iter().cloned()).collect(),
            limit: demand.limit,
            file: store.config.file()?.map(|file| file.path),
            gate: None,
        })
    }

    /// The file of defaults that is read; `None` where there is none or it cannot be read.
    pub(crate) fn settings_file(&self) -> Option<PathBuf> {
        let file = self.store.config.file().ok().flatten();
        file.map(|file| file.path)
    }

    /// Finds the file of defaults and reads the gate.
    pub(crate) fn complete(&mut self) -> Result<(), Stop> {
        let file = self.store.config.file()?;
        self.gate = Gate::read(&self.gate_flags.gates, file.as_ref())?;
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
        self.gate = Gate::read(&self.gate_flags.gates, file)?;
        self.file = copy;
        self.keep_in(|| file.and_then(store_of));
        Ok(())
    }

    /// Keeps records in the folder that was named, else in this one, and reads no file for it.
    pub(crate) fn keep_in(&mut self, folder: impl FnOnce() -> Option<PathBuf>) {
        let named = self.store.folder().map(PathBuf::from);
        let named = named.or_else(store_variable).or_else(folder);
        self.store = StoreFlag::of(named, ConfigFlag::none());
    }

    /// Has a gate in any case: without a threshold for times, the margin is theirs.
    pub(crate) fn require_gate(&mut self) {
        let margin = self.margin.unwrap_or(Criteria::BUILDS.margin);
        let gate = self.gate.take().unwrap_or_default();
        self.gate = Some(gate.or_relative(margin));
    }

    /// The allowed probability of a wrong verdict.
    pub(super) fn error(&self) -> f64 {
        error(self.confidence)
    }

    /// Number of placements of each executable to begin with, at least one.
    pub(super) fn layouts(&self) -> u32 {
        self.layouts.unwrap_or(LAYOUTS)
    }

    /// Whether there are no more placements than that.
    pub(super) fn layouts_limited(&self) -> bool {
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
    pub(super) fn placement(&self, number: u32) -> u64 {
        Rng::new(self.seed.unwrap_or(0)).derive(number.into())
    }
}
