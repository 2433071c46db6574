//! The subcommands of `history`.

use std::path::PathBuf;

use clap::{ArgAction, Args, value_parser};
use tourbillon_compare::{Explain, confidence, share};
use tourbillon_history::{acceptance, add, backfill, bisect, changes, confirm, log, prune, report};
use tourbillon_why::explain;

use super::scope_flags::{BranchFlags, LevelFlag, ScopeFlags, SeriesFlags};
use crate::build_flags::{RevisionFlags, Selected};
use crate::output_flags::{ColorFlag, FormatOrLinesFlag};

/// Add records of runs
///
/// A record is a file of the store, an export, or the output of --format jsonl. Adding it again changes
/// nothing. Runs without results, or without their end, are skipped. Comparisons of two commits confirm nominations.
#[derive(Debug, Args)]
pub(super) struct Add {
    /// Records
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// The commit that was measured [as in the record]
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
}

impl From<Add> for add::Options {
    fn from(arguments: Add) -> add::Options {
        add::Options {
            records: arguments.records,
            commit: arguments.commit,
        }
    }
}

const BACKFILL_AFTER: &str = "\
Examples:
  cargo tourbillon history backfill v1.0..main
  cargo tourbillon history backfill main --last 200 --every 5
  cargo tourbillon history backfill v1.0.. -- --max-time 1s sort";

/// Measure commits that have no results yet
///
/// Builds each commit of a range as `compare` does, runs its benchmarks, and adds their results. Commits with
/// results of this kind of machine are skipped, so that an interrupted backfill goes on where it ended. The order is
/// from coarse to fine: what is measured first covers the whole range.
///
/// Arguments after -- go to the bench binaries.
#[derive(Debug, Args)]
#[command(after_help = BACKFILL_AFTER)]
pub(super) struct Backfill {
    /// Commits as git log takes them, of which first parents count: A..B, or B for all up to it
    #[arg(value_name = "RANGE")]
    range: String,
    /// Only the newest commits of the range
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    last: Option<u64>,
    /// Only each N-th commit, from the newest on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Try commits again that could not be measured
    #[arg(long)]
    again: bool,
    /// Print what would be measured, and measure nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    selected: Selected,
    /// For the bench binaries, after --
    #[arg(value_name = "BENCH FLAGS", num_args = 0.., last = true, allow_hyphen_values = true)]
    bench_flags: Vec<String>,
}

impl From<Backfill> for backfill::Options {
    fn from(arguments: Backfill) -> backfill::Options {
        backfill::Options {
            range: arguments.range,
            last: arguments.last,
            every: arguments.every,
            again: arguments.again,
            dry_run: arguments.dry_run,
            selection: arguments.selected.selection(),
            bench_flags: arguments.bench_flags,
        }
    }
}

/// Print the results of cases over time
///
/// One table for each kind of machine, in the order of the commits of a branch.
#[derive(Debug, Args)]
pub(super) struct Log {
    /// Parts of ids or of printed names; each selects the cases that have it
    #[arg(value_name = "CASE", required = true)]
    cases: Vec<String>,
    #[command(flatten)]
    series: SeriesFlags,
    #[command(flatten)]
    format: FormatOrLinesFlag,
    #[command(flatten)]
    color: ColorFlag,
}

impl From<Log> for log::Options {
    fn from(arguments: Log) -> log::Options {
        log::Options {
            cases: arguments.cases,
            series: arguments.series.into(),
            format: arguments.format.format(),
            color: arguments.color.choice(),
        }
    }
}

const CHANGES_AFTER: &str = "\
A nomination is no verdict: conditions of the machine change, too. `history confirm` measures both ends of the
range side by side, and decides.";

/// List ranges of commits in which results change
///
/// Examines cycles, else times, of each case on each kind of machine. Each range contains a change with the
/// stated confidence, as far as the results of a stable program are exchangeable.
#[derive(Debug, Args)]
#[command(after_help = CHANGES_AFTER)]
pub(super) struct Changes {
    /// Accepted changes as well
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    scope: ScopeFlags,
    #[command(flatten)]
    format: FormatOrLinesFlag,
    #[command(flatten)]
    color: ColorFlag,
}

impl From<Changes> for changes::Options {
    fn from(arguments: Changes) -> changes::Options {
        changes::Options {
            all: arguments.all,
            scope: arguments.scope.into(),
            format: arguments.format.format(),
            color: arguments.color.choice(),
        }
    }
}

const CONFIRM_AFTER: &str = "\
Verdicts are kept in the history: what was measured is not measured again, after an interrupt for example.
`changes` shows them. Accepted changes are not measured.";

/// Measure both ends of nominated ranges side by side
///
/// Builds a commit before and a commit after each change that `changes` nominates on this kind of machine, and
/// compares the case of both. Only what is confirmed is news.
#[derive(Debug, Args)]
#[command(after_help = CONFIRM_AFTER)]
pub(super) struct Confirm {
    /// Smaller differences count as the same [1%]
    #[arg(long, value_name = "PCT", value_parser = share)]
    margin: Option<f64>,
    /// Measure again what was undecided or not confirmed
    #[arg(long)]
    again: bool,
    /// Print what would be measured, and measure nothing
    #[arg(long)]
    dry_run: bool,
    /// Exit with 2 when a change to slower or worse is confirmed that no gate has reported
    #[arg(long)]
    gate: bool,
    #[command(flatten)]
    scope: ScopeFlags,
    #[command(flatten)]
    revisions: RevisionFlags,
    #[command(flatten)]
    format: FormatOrLinesFlag,
    #[command(flatten)]
    color: ColorFlag,
}

impl From<Confirm> for confirm::Options {
    fn from(arguments: Confirm) -> confirm::Options {
        confirm::Options {
            margin: arguments.margin,
            again: arguments.again,
            dry_run: arguments.dry_run,
            gate: arguments.gate,
            scope: arguments.scope.into(),
            revisions: (&arguments.revisions).into(),
            format: arguments.format.format(),
            color: arguments.color.choice(),
        }
    }
}

const BISECT_AFTER: &str = "\
Verdicts and commits that do not build are kept in the history: a search that was interrupted goes on where it
ended. Commits that do not build, and comparisons that do not decide, make the answer a range.

Examples:
  cargo tourbillon history bisect checkout::heap v1.0 main
  cargo tourbillon history bisect checkout::heap --deps main Cargo.lock";

/// Find the commit that changes a case
///
/// Compares GOOD with BAD, and then with commits between them until one is left. The commits are those of the first
/// parents of BAD. The error of a verdict is divided over the comparisons. With --deps, the commits have the files of
/// HEAD, and each has one dependency more in its newer version.
#[derive(Debug, Args)]
#[command(after_help = BISECT_AFTER)]
pub(super) struct Bisect {
    /// Id or printed name of the case, or a part that no other has
    #[arg(value_name = "CASE")]
    case: String,
    /// Commit before the change
    #[arg(value_name = "GOOD", required_unless_present = "deps")]
    good: Option<String>,
    /// Commit after it
    #[arg(value_name = "BAD", required_unless_present = "deps")]
    bad: Option<String>,
    /// Find the dependency instead: lock files of cargo before and after the change, or revisions that have them
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2, action = ArgAction::Set)]
    #[arg(conflicts_with_all = ["good", "bad"])]
    deps: Option<Vec<String>>,
    /// Smaller differences of GOOD and BAD count as the same [1%]
    #[arg(long, value_name = "PCT", value_parser = share)]
    margin: Option<f64>,
    /// Confidence of the verdict on GOOD and BAD, and of the search
    #[arg(long, value_name = "PCT", default_value = "99.9%", value_parser = confidence)]
    confidence: f64,
    /// Try again what was undecided or did not build
    #[arg(long)]
    again: bool,
    /// Print what is known and what would be compared next, and measure nothing
    #[arg(long)]
    dry_run: bool,
    /// Explain the commit that is found, as `why` does
    #[arg(long, conflicts_with = "dry_run")]
    why: bool,
    #[command(flatten)]
    revisions: RevisionFlags,
    #[command(flatten)]
    format: FormatOrLinesFlag,
    #[command(flatten)]
    color: ColorFlag,
}

impl From<Bisect> for bisect::Options {
    fn from(arguments: Bisect) -> bisect::Options {
        bisect::Options {
            case: arguments.case,
            range: range(arguments.deps, [arguments.good, arguments.bad]),
            margin: arguments.margin,
            confidence: arguments.confidence,
            again: arguments.again,
            dry_run: arguments.dry_run,
            revisions: (&arguments.revisions).into(),
            explain: arguments.why.then_some(explain as Explain),
            format: arguments.format.format(),
            color: arguments.color.choice(),
        }
    }
}

/// Where the change is looked for: clap has seen to it that there are two of one kind.
fn range(deps: Option<Vec<String>>, commits: [Option<String>; 2]) -> bisect::Range {
    match deps.and_then(|files| <[String; 2]>::try_from(files).ok()) {
        Some(files) => bisect::Range::LockFiles(files),
        None => bisect::Range::Commits(commits.map(Option::unwrap_or_default)),
    }
}

/// Write a page with a picture of each series and its changes
///
/// Ranges of commits in which a series changes are drawn, with what `confirm` and `accept` made of them. The page is
/// one file of HTML that requests nothing. Its figures are inside as JSON, in the element `figures`.
#[derive(Debug, Args)]
pub(super) struct Report {
    /// Where to write the page [tourbillon/history.html in the target folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    pub(super) open: bool,
    #[command(flatten)]
    scope: ScopeFlags,
}

impl From<Report> for report::Options {
    fn from(arguments: Report) -> report::Options {
        report::Options {
            output: arguments.output,
            scope: arguments.scope.into(),
        }
    }
}

/// Note that a commit changes a case on purpose
///
/// Adds to tourbillon-accepted.toml in the root of the checkout, which is reviewed like code. `changes` does
/// not list changes whose range has the commit.
#[derive(Debug, Args)]
pub(super) struct Accept {
    /// The commit
    #[arg(value_name = "COMMIT")]
    commit: String,
    /// Part of the ids or of the printed names of the cases
    #[arg(value_name = "CASE")]
    case: String,
    /// The reason
    #[arg(value_name = "WHY")]
    why: String,
}

impl From<Accept> for acceptance::Options {
    fn from(arguments: Accept) -> acceptance::Options {
        acceptance::Options {
            commit: arguments.commit,
            case: arguments.case,
            why: arguments.why,
        }
    }
}

/// Remove raw records that are old
///
/// Removes those of the branch's older commits, except at the ends of the ranges in which results change. Records of
/// other branches and the results of all runs stay.
#[derive(Debug, Args)]
pub(super) struct Prune {
    /// Print what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    branch: BranchFlags,
    #[command(flatten)]
    level: LevelFlag,
}

impl From<Prune> for prune::Options {
    fn from(arguments: Prune) -> prune::Options {
        prune::Options {
            dry_run: arguments.dry_run,
            branch: arguments.branch.into(),
            error: arguments.level.error,
        }
    }
}
