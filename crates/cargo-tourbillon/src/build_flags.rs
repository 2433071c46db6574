//! Flags of the subcommands that build and compare.

use clap::{Args, ValueEnum, value_parser};
use tourbillon_builds::{Flag, Selection};
use tourbillon_compare::{FilePattern, GateFlag, Options, RevisionOptions, confidence, share};
use tourbillon_coordinator::values::Partition;
use tourbillon_record::Metric;
use tourbillon_tool::bench_flags::partition;
use tourbillon_values::{duration, seed};

use crate::output_flags::ColorFlag;
use crate::store_flags::StoreFlag;

/// How builds are made and compared.
#[derive(Clone, Debug, Args)]
pub(crate) struct BuildFlags {
    #[command(flatten)]
    selected: Selected,
    /// One shard of the cases: hash:2/4, slice:2/4 or auto
    #[arg(long, value_name = "PART", value_parser = partition)]
    partition: Option<Partition>,
    /// Time to measure a case [10s, all together 3.5min]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    /// Silence that counts as a hang [the case's, or 30s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<u64>,
    /// Smaller differences count as the same, such as 1%
    #[arg(long, value_name = "PCT", value_parser = share)]
    margin: Option<f64>,
    /// End with faster or slower; do not go on until the size is known to 2%
    #[arg(long)]
    direction: bool,
    /// Confidence of a verdict, such as 99.9%
    #[arg(long, value_name = "PCT", value_parser = confidence)]
    confidence: Option<f64>,
    /// Measure cases whose code is the same, too
    #[arg(long)]
    measure_unchanged: bool,
    /// Count besides the time: instructions, exactly, or events such as cpu_cycles, branch_misses (Linux on x86-64)
    #[arg(long, value_name = "COUNTERS", value_parser = counters)]
    counters: Option<CounterList>,
    /// Files that no benchmark reads [README*, /docs/** and others]
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    documentation: Vec<FilePattern>,
    /// Placements [another for every pair]; 1: as built
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000))]
    layouts: Option<u32>,
    /// Seed of everything that is drawn, as the header shows it
    #[arg(long, value_name = "HEX", value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    store: StoreFlag,
    #[command(flatten)]
    gate: GateFlags,
    /// Exit with 5 while another program measures
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    color: ColorFlag,
    /// For the bench binaries, after --
    #[arg(value_name = "BENCH FLAGS", num_args = 0.., last = true, allow_hyphen_values = true)]
    bench_flags: Vec<String>,
}

/// How subcommands that compare commits build and measure them.
#[derive(Clone, Debug, Args)]
pub(crate) struct RevisionFlags {
    #[command(flatten)]
    selected: Selected,
    /// Time to measure a case [10s, of a step of bisect 30s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    /// Exit with 5 while another program measures
    #[arg(long)]
    no_wait: bool,
    /// Measure cases whose code is the same, too
    #[arg(long)]
    measure_unchanged: bool,
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
    /// Target triple of all sides [the host's]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
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

/// The flags of the gate.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GateFlags {
    /// Exit with 2 when a case is slower by more, such as 2%, p99=5% or instructions=0.5%
    #[arg(long = "gate", value_name = "[METRIC=]PCT", value_parser = GateFlag::parse)]
    pub(crate) gates: Vec<GateFlag>,
    /// Undecided cases and the gate: pass or fail
    #[arg(long, value_name = "WHAT", default_value = "pass")]
    undecided: Undecided,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Undecided {
    #[default]
    Pass,
    Fail,
}

/// What is counted besides the time.
#[derive(Clone, Debug)]
struct CounterList(Vec<Metric>);

/// Names of counters with commas between them.
fn counters(typed: &str) -> Result<CounterList, String> {
    tourbillon_coordinator::values::counters(typed).map(CounterList)
}

impl GateFlags {
    /// Whether an undecided case fails the gate.
    pub(crate) fn undecided_fails(&self) -> bool {
        self.undecided == Undecided::Fail
    }
}

impl From<BuildFlags> for Options {
    fn from(flags: BuildFlags) -> Options {
        let (store, of_cargo) = flags.store.of_build();
        let mut selection = flags.selected.selection();
        selection.flags.extend(of_cargo);
        Options {
            selection,
            partition: flags.partition,
            time_ns: flags.time,
            timeout_ns: flags.timeout,
            margin: flags.margin,
            direction: flags.direction,
            confidence: flags.confidence,
            measure_unchanged: flags.measure_unchanged,
            documentation: flags.documentation,
            counters: flags.counters.map_or_else(Vec::new, |list| list.0),
            layouts: flags.layouts,
            seed: flags.seed,
            store,
            undecided_fails: flags.gate.undecided_fails(),
            gates: flags.gate.gates,
            no_wait: flags.no_wait,
            color: flags.color.choice(),
            bench_flags: flags.bench_flags,
            ..Options::default()
        }
    }
}

impl From<&RevisionFlags> for RevisionOptions {
    fn from(flags: &RevisionFlags) -> RevisionOptions {
        RevisionOptions {
            selection: flags.selected.selection(),
            time_ns: flags.time,
            no_wait: flags.no_wait,
            measure_unchanged: flags.measure_unchanged,
        }
    }
}

impl Selected {
    pub(crate) fn selection(&self) -> Selection {
        let flags = self
            .features
            .iter()
            .map(|features| Flag::new("--features=", features))
            .chain(
                self.target
                    .iter()
                    .map(|target| Flag::new("--target=", target)),
            )
            .chain(self.switches().map(Flag::switch))
            .collect();
        Selection {
            packages: self.package.clone(),
            workspace: self.workspace,
            benches: self.bench.clone(),
            flags,
            profile: self.profile.clone(),
        }
    }

    /// The flags of `cargo bench` without a value.
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
