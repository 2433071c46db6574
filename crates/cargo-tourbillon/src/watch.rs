//! `watch`: the working tree against a revision, after each save.

use clap::{Args, ValueEnum};
use tourbillon_compare::{FilePattern, Options, WatchRequest, confidence, share};
use tourbillon_values::duration;

use crate::build_flags::Selected;
use crate::exit::Stop;
use crate::output_flags::ColorFlag;
use crate::store_flags::ConfigFlag;

const AFTER: &str = "\
Events of --format jsonl: begun, saved, measuring, outdated, compared, failed;
before `compared` the lines of `compare --format jsonl`.

Examples:
  cargo tourbillon watch
  cargo tourbillon watch main --bench sort -- heap
  cargo tourbillon watch v1.2 --margin 2% --time 2s";

/// Compare the working tree with a revision whenever a file is saved
///
/// Builds a revision once. At once and after each save it builds the working tree, measures the cases that the
/// change can affect in short pairs of processes, and shows the verdicts in place of the last ones. They are for
/// a person who waits: in the placement of one build, with a margin of 5 %, and not stored. `compare` confirms
/// them. Files that git ignores are not watched. Ctrl-C ends.
///
/// Arguments after -- go to the bench binaries: filters, --exact, --skip, --tag.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Revision or saved build to compare with
    #[arg(value_name = "REV", default_value = "HEAD")]
    rev: String,
    #[command(flatten)]
    selected: Selected,
    /// Time to measure a case [1s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    /// Smaller differences count as the same [5%]
    #[arg(long, value_name = "PCT", value_parser = share)]
    margin: Option<f64>,
    /// Confidence of a verdict [99.9%]
    #[arg(long, value_name = "PCT", value_parser = confidence)]
    confidence: Option<f64>,
    /// Measure cases whose code is the same, too
    #[arg(long)]
    measure_unchanged: bool,
    /// Files that no benchmark reads [README*, /docs/** and others]
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    documentation: Vec<FilePattern>,
    /// Fail a comparison, in place of waiting, while another program measures
    #[arg(long)]
    no_wait: bool,
    /// List all rows that are the same, and print all notes
    #[arg(long)]
    list_all: bool,
    /// Format: text, or jsonl with a line for each event
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    config: ConfigFlag,
    #[command(flatten)]
    color: ColorFlag,
    /// For the bench binaries, after --
    #[arg(value_name = "BENCH FLAGS", num_args = 0.., last = true, allow_hyphen_values = true)]
    bench_flags: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Jsonl,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    tourbillon_compare::watch(WatchRequest {
        reference: arguments.rev,
        is_for_programs: arguments.format == Format::Jsonl,
        options: Options {
            selection: arguments.selected.selection(),
            time_ns: arguments.time,
            margin: arguments.margin,
            confidence: arguments.confidence,
            measure_unchanged: arguments.measure_unchanged,
            documentation: arguments.documentation,
            no_wait: arguments.no_wait,
            list_all: arguments.list_all,
            store: arguments.config.store_path(),
            color: arguments.color.choice(),
            bench_flags: arguments.bench_flags,
            ..Options::default()
        },
    })
}
