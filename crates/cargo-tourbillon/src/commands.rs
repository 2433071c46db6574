//! `commands`: measures commands. Flags are named as in hyperfine where it has them.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use tourbillon_present::kind::COMMANDS;

use clap::{Args, ValueEnum, value_parser};
use tourbillon_analysis::Criteria;
use tourbillon_commands::record::{keep, store_of};
use tourbillon_commands::{Columns, IgnoredCodes, Options, Shell, failure, results};
use tourbillon_compare::{confidence, share};
use tourbillon_record::Run;
use tourbillon_report::Style;
use tourbillon_values::{duration, seed, size};

use crate::exit::{INTERRUPTED, Stop, print_data};
use crate::export::{HyperfineSchema, hyperfine_csv, hyperfine_json};
use crate::hyperfine_flags::refuse_shell_as_command;
use crate::output;
use crate::output_flags::{ColorFlag, FormatFlag};
use crate::store::announce;
use crate::store_flags::StoreFlag;

const AFTER: &str = "\
Flags that may be given for each command stand once for all commands, or once for each in their order.

Examples:
  tourbillon commands 'grep -c foo big.txt' 'rg -c foo big.txt'
  tourbillon commands --input numbers 'sort -n' 'LC_ALL=C sort -n'
  tourbillon commands -L level 1,6,9 'gzip -kf -{level} big.txt' --export-json gzip.json
  tourbillon commands -S 'seq 1000 | sort' 'seq 1000 | sort -n'";

/// Measure commands, each run a fresh process
///
/// Runs the commands in rounds, one process of each in random order, until it is decided whether the others are faster
/// or slower than the first, or the time is up. A single command has an estimate with an interval. Nothing is subtracted:
/// the start of an empty program is shown below the table. Commands run without a shell unless -S or --shell asks for
/// one; a line that needs one is refused.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Commands; the first is the reference of the others
    #[arg(value_name = "COMMAND", required = true)]
    commands: Vec<String>,
    /// Name of a command in results; repeatable
    #[arg(short = 'n', long, value_name = "NAME")]
    command_name: Vec<String>,
    /// A command that the others are compared with
    #[arg(long, value_name = "COMMAND")]
    reference: Option<String>,
    /// Name of the reference in results
    #[arg(long, value_name = "NAME", requires = "reference")]
    reference_name: Option<String>,

    /// Time to measure [10s for each further command; 3s for one]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "How much")]
    time: Option<u64>,
    /// Untimed runs of each command first
    #[arg(short, long, value_name = "N", default_value = "0", value_parser = value_parser!(u32).range(..=100_000), help_heading = "How much")]
    warmup: u32,
    /// Runs of each command, whatever they show
    #[arg(short, long, value_name = "N", value_parser = runs(), help_heading = "How much")]
    runs: Option<u64>,
    /// Fewest runs of each command [10, or what a verdict needs]
    #[arg(short, long, value_name = "N", value_parser = runs(), help_heading = "How much")]
    min_runs: Option<u64>,
    /// Most runs of each command
    #[arg(short = 'M', long, value_name = "N", value_parser = runs(), help_heading = "How much")]
    max_runs: Option<u64>,
    /// Smaller differences count as the same [1%]
    #[arg(long, value_name = "PCT", value_parser = share, help_heading = "How much")]
    margin: Option<f64>,
    /// Confidence of the verdicts, all together [99.9%]
    #[arg(long, value_name = "PCT", value_parser = confidence, help_heading = "How much")]
    confidence: Option<f64>,

    /// Run before the first run of a command
    #[arg(short, long, value_name = "CMD", help_heading = "Before and after")]
    setup: Vec<String>,
    /// Run before each run of a command, untimed
    #[arg(short, long, value_name = "CMD", help_heading = "Before and after")]
    prepare: Vec<String>,
    /// Run after each run of a command, untimed
    #[arg(
        short = 'C',
        long,
        value_name = "CMD",
        help_heading = "Before and after"
    )]
    conclude: Vec<String>,
    /// Run after the last run of a command
    #[arg(short, long, value_name = "CMD", help_heading = "Before and after")]
    cleanup: Vec<String>,

    /// Replace {VAR} by each number from MIN to MAX
    #[arg(short = 'P', long, value_names = ["VAR", "MIN", "MAX"], num_args = 3, allow_negative_numbers = true, help_heading = "Parameters")]
    parameter_scan: Vec<String>,
    /// Distance of two numbers of a scan [1]
    #[arg(
        short = 'D',
        long,
        value_name = "STEP",
        requires = "parameter_scan",
        allow_negative_numbers = true,
        help_heading = "Parameters"
    )]
    parameter_step_size: Vec<String>,
    /// Replace {VAR} by each value, separated by commas
    #[arg(short = 'L', long, value_names = ["VAR", "VALUES"], num_args = 2, help_heading = "Parameters")]
    parameter_list: Vec<String>,

    /// Run commands in the default shell (sh; Windows: cmd.exe)
    #[arg(short = 'S', conflicts_with = "shell", help_heading = "Processes")]
    with_shell: bool,
    /// Shell that runs commands: default, one such as bash, or none
    #[arg(long, value_name = "SHELL", value_parser = Shell::parse, help_heading = "Processes")]
    shell: Option<Shell>,
    /// No shell, whatever a command has
    #[arg(short = 'N', conflicts_with_all = ["shell", "with_shell"], help_heading = "Processes")]
    no_shell: bool,
    /// File for stdin of a command, or null
    #[arg(long, value_name = "FILE", help_heading = "Processes")]
    input: Vec<String>,
    /// Destination of stdout: null, inherit or a file [null]
    #[arg(long, value_name = "WHERE", help_heading = "Processes")]
    output: Vec<String>,
    /// Show stdout and stderr of commands
    #[arg(long, conflicts_with = "output", help_heading = "Processes")]
    show_output: bool,
    /// Working folder of a command
    #[arg(long, value_name = "DIR", help_heading = "Processes")]
    folder: Vec<String>,
    /// Variables of a command, 'A=1 B=2'; also before its program
    #[arg(long, value_name = "VARIABLES", help_heading = "Processes")]
    env: Vec<String>,
    /// Fail a run that takes longer
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Processes")]
    timeout: Option<u64>,
    /// Measure commands that fail, all or those with exit codes such as 1,2
    #[arg(short, long, value_name = "CODES", num_args = 0..=1, require_equals = true, default_missing_value = "all-non-zero", value_parser = IgnoredCodes::parse, help_heading = "Processes")]
    ignore_failure: Option<IgnoredCodes>,
    /// Fail if commands write different things to stdout, or more than this [4GiB]
    #[arg(long, value_name = "SIZE", num_args = 0..=1, require_equals = true, default_missing_value = "4GiB", value_parser = size, help_heading = "Processes")]
    same_output: Option<u64>,

    /// Exit with 5 while another program measures
    #[arg(long, help_heading = "How much")]
    no_wait: bool,

    /// Order of the rows: command, or time
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "command",
        help_heading = "Results"
    )]
    sort: RowOrder,
    /// More columns: cpu, runs, faults, switches
    #[arg(long, value_name = "NAMES", value_parser = Columns::parse, help_heading = "Results")]
    columns: Option<Columns>,
    /// Counters of the processor: instructions, cpu_cycles, branch_misses, cache_references, cache_misses
    #[arg(long, value_name = "NAMES", value_parser = Columns::of_counters, help_heading = "Results")]
    counters: Option<Columns>,
    /// Columns and counters by their names in hyperfine
    #[arg(long, value_name = "METRICS", value_parser = Columns::of_metrics, help_heading = "Results")]
    metrics: Option<Columns>,
    /// Write hyperfine's JSON, with every run
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    export_json: Option<PathBuf>,
    /// Write hyperfine's CSV
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    export_csv: Option<PathBuf>,
    /// Form of hyperfine's JSON and CSV: 2, or 1 as before hyperfine 2
    #[arg(long, value_name = "N", default_value = "2", help_heading = "Results")]
    export_schema: HyperfineSchema,
    /// Write a table in Markdown
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    export_markdown: Option<PathBuf>,
    /// Seed of everything that is drawn, as the result shows it
    #[arg(long, value_name = "HEX", value_parser = seed, help_heading = "Results")]
    seed: Option<u64>,
    #[command(flatten)]
    store: StoreFlag,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
}

/// The order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RowOrder {
    /// As typed.
    #[value(alias = "auto")]
    Command,
    /// The fastest first.
    #[value(alias = "mean-time")]
    Time,
}

impl From<RowOrder> for tourbillon_commands::RowOrder {
    fn from(order: RowOrder) -> tourbillon_commands::RowOrder {
        match order {
            RowOrder::Command => tourbillon_commands::RowOrder::Command,
            RowOrder::Time => tourbillon_commands::RowOrder::Time,
        }
    }
}

impl From<&Arguments> for Options {
    fn from(arguments: &Arguments) -> Options {
        let columns = arguments.shown();
        let arguments = arguments.clone();
        let error = arguments.confidence.map(|confidence| 1.0 - confidence);
        let exports = [
            arguments.export_json,
            arguments.export_csv,
            arguments.export_markdown,
        ];
        let shell = match arguments.shell {
            Some(shell) => shell,
            None if arguments.with_shell => Shell::default_shell(),
            None if arguments.no_shell => Shell::None,
            None => Shell::Unset,
        };
        Options {
            commands: arguments.commands,
            command_name: arguments.command_name,
            reference: arguments.reference,
            reference_name: arguments.reference_name,
            time_ns: arguments.time,
            warmup: arguments.warmup,
            runs: arguments.runs,
            min_runs: arguments.min_runs,
            max_runs: arguments.max_runs,
            criteria: Criteria {
                margin: arguments.margin.unwrap_or(Criteria::COMMANDS.margin),
                error: error.unwrap_or(Criteria::COMMANDS.error),
                ..Criteria::COMMANDS
            },
            setup: arguments.setup,
            prepare: arguments.prepare,
            conclude: arguments.conclude,
            cleanup: arguments.cleanup,
            parameter_scan: arguments.parameter_scan,
            parameter_step_size: arguments.parameter_step_size,
            parameter_list: arguments.parameter_list,
            shell,
            input: arguments.input,
            output: arguments.output,
            show_output: arguments.show_output,
            folder: arguments.folder,
            env: arguments.env,
            timeout_ns: arguments.timeout,
            ignore_failure: arguments.ignore_failure,
            counters: columns.counters(),
            same_output: arguments.same_output,
            no_wait: arguments.no_wait,
            exports: exports.into_iter().flatten().collect(),
            seed: arguments.seed,
        }
    }
}

impl Arguments {
    /// The columns that people see.
    fn shown(&self) -> Columns {
        let columns = self.metrics.clone().unwrap_or_default();
        let more = [self.columns.clone(), self.counters.clone()];
        more.into_iter().flatten().fold(columns, Columns::and)
    }
}

/// Measures the commands; prints, exports and stores the result.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    if arguments.with_shell {
        refuse_shell_as_command(&arguments.commands)?;
    }
    finish(&tourbillon_commands::run(&arguments.into())?, arguments)
}

/// Prints, exports and stores the result.
fn finish(run: &Run, arguments: &Arguments) -> Result<(), Stop> {
    let is_empty = run.rounds.iter().all(|rounds| rounds.ticks.is_empty());
    let code = run.end.as_ref().map_or(0, |end| end.exit_code);
    if let (true, Some(fault)) = (is_empty, run.faults.first()) {
        return Err(Stop::Failed(code, failure(fault)));
    }
    if is_empty {
        return Err(Stop::Failed(
            INTERRUPTED,
            "interrupted before the first round".to_owned(),
        ));
    }
    // First: what was measured is kept, whatever becomes of the rest.
    let kept = store_of(arguments.store.path().folder()).and_then(|store| keep(run, &store));
    let style = arguments.color.style();
    let order = arguments.sort.into();
    let columns = arguments.shown();
    let document = results::document(run, order, &columns, &style);
    // The answer is the last line.
    let stored = announce(kept);
    let mut written = arguments.format.print(&document, &COMMANDS, &style);
    for (path, text) in [
        (
            &arguments.export_json,
            &(|| hyperfine_json(run, arguments.export_schema)) as &dyn Fn() -> String,
        ),
        (&arguments.export_csv, &|| {
            hyperfine_csv(run, arguments.export_schema)
        }),
        (&arguments.export_markdown, &|| {
            results::document(run, order, &columns, &Style::default()).markdown()
        }),
    ] {
        // One that fails costs no other.
        if let Some(path) = path {
            written = written.and(write(path, &text()));
        }
    }
    written?;
    if let (Some(fault), false) = (run.faults.first(), io::stdout().is_terminal()) {
        // The answer has gone where stdout leads.
        return Err(Stop::Failed(code, failure(fault)));
    }
    match (code, stored?) {
        (0, 0) => Ok(()),
        (0, code) | (code, _) => Err(Stop::Code(code)),
    }
}

/// Writes a file; `-` is stdout.
fn write(path: &Path, text: &str) -> Result<(), Stop> {
    if path == Path::new("-") {
        return print_data(text);
    }
    output::write(path, text)
}

/// A number of runs.
fn runs() -> clap::builder::RangedU64ValueParser {
    value_parser!(u64).range(1..=1_000_000)
}
