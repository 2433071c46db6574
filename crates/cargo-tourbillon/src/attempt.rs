//! `attempt`: the working tree against what was kept of the attempts before it.

use clap::{Args, value_parser};
use tourbillon_compare::{AttemptRequest, FilePattern, Options, share};
use tourbillon_values::duration;

use crate::build_flags::Selected;
use crate::exit::Stop;
use crate::output_flags::{ColorFlag, FormatFlag};
use crate::store_flags::StoreFlag;

const AFTER: &str = "\
Exit codes: 0 keep, 2 revert, 6 undecided, 3 broken.

Examples:
  cargo tourbillon attempt --new main -- sort
  cargo tourbillon attempt -- sort
  cargo tourbillon attempt --time 40s --format json
  cargo tourbillon attempt --log";

/// Try a change: keep, revert, undecided or broken
///
/// Compares the working tree with the reference of a campaign, and adds the answer to its ledger. The first call begins
/// a campaign and names its first reference. An attempt that is kept becomes the reference of the next one, as a commit
/// that no branch has. The probability that any attempt of a campaign is kept that is not faster stays below 0.1 %,
/// however many there are: each measurement spends a part of it.
///
/// Arguments after -- go to the bench binaries: filters, --exact, --skip, --tag.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// First reference of the campaign [HEAD]
    #[arg(value_name = "REV")]
    rev: Option<String>,
    /// Begin another campaign
    #[arg(long)]
    new: bool,
    /// Show what was tried, and try nothing
    #[arg(long, conflicts_with_all = ["new", "rev"])]
    log: bool,
    #[command(flatten)]
    selected: Selected,
    /// Time to measure a case [10s, all together 3.5min]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    /// Silence that counts as a hang [the case's, or 30s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<u64>,
    /// Smaller differences count as the same, such as 1%
    #[arg(long, value_name = "PCT", value_parser = share)]
    margin: Option<f64>,
    /// Files that no benchmark reads [README*, /docs/** and others]
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    documentation: Vec<FilePattern>,
    /// Placements [another for every pair]; 1: as built
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000))]
    layouts: Option<u32>,
    /// Exit with 5 while another program measures
    #[arg(long)]
    no_wait: bool,
    /// List all rows that are the same, and print all notes
    #[arg(long)]
    list_all: bool,
    #[command(flatten)]
    store: StoreFlag,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
    /// For the bench binaries, after --
    #[arg(value_name = "BENCH FLAGS", num_args = 0.., last = true, allow_hyphen_values = true)]
    bench_flags: Vec<String>,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    tourbillon_compare::attempt(AttemptRequest {
        reference: arguments.rev,
        begins: arguments.new,
        shows_log: arguments.log,
        format: arguments.format.format(),
        options: Options {
            selection: arguments.selected.selection(),
            time_ns: arguments.time,
            timeout_ns: arguments.timeout,
            margin: arguments.margin,
            documentation: arguments.documentation,
            layouts: arguments.layouts,
            no_wait: arguments.no_wait,
            list_all: arguments.list_all,
            store: arguments.store.path(),
            color: arguments.color.choice(),
            bench_flags: arguments.bench_flags,
            ..Options::default()
        },
    })
}
