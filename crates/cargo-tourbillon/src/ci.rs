//! `ci`: base against head in one job.

use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use tourbillon_compare::ci::{self, CiOptions};
use tourbillon_compare::{Explain, Options};
use tourbillon_coordinator::values::SettingsFile;
use tourbillon_why::explain;

use crate::build_flags::BuildFlags;
use crate::exit::Stop;

/// The name of this subcommand.
pub(crate) const NAME: &str = "ci";

const AFTER: &str = "\
The base comes from the service: of a pull request, a merge group or a push on
GitHub, and of a merge request or a push on GitLab. Elsewhere --base names it:
  cargo tourbillon ci --base origin/main

Files in the output folder: summary.md (also appended to the file in
GITHUB_STEP_SUMMARY), comment.md, comparison.jsonl, junit.xml,
code-quality.json, outcomes.json, settings.toml, pull-request with its
number, and the folder store with the records.

Thresholds of single cases are in tourbillon.toml: [gate]. Defaults of these
flags are in [ci]. Both are read from the base: what the head changes of them
is named, and applies once it is merged.";

/// Compare the head of a branch with its base, for CI
///
/// Builds both commits in a clone in the user's cache folder, measures them as `compare` does, and writes
/// a summary, a comment and reports. The base is the last commit that the head and the base's branch have in
/// common. Uncommitted changes are no part of it.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Branch or commit to compare with [that of the pull request]
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Commit that is compared
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    head: String,
    /// Folder of the files
    #[arg(
        long,
        short,
        value_name = "DIR",
        default_value = "target/tourbillon-ci"
    )]
    output: PathBuf,
    /// Cases that the head lacks or ignores, and the exit code: pass or fail
    #[arg(long, value_name = "WHAT", default_value = "pass")]
    missing: Missing,
    /// The builds of base and head in files that `bundle` made; builds nothing
    #[arg(long, value_name = "FILE", num_args = 1..)]
    bundle: Vec<PathBuf>,
    /// Flags in one text, split into words as a shell does
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    flags: Option<String>,
    /// List all rows that are the same, and print all notes
    #[arg(long)]
    list_all: bool,
    /// Explain cases that are slower or faster, at most five in 20s
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    build: BuildFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Missing {
    Pass,
    Fail,
}

impl From<Arguments> for CiOptions {
    fn from(arguments: Arguments) -> CiOptions {
        CiOptions {
            base: arguments.base,
            head: arguments.head,
            output: arguments.output,
            missing_fails: arguments.missing == Missing::Fail,
            bundles: arguments.bundle,
            options: Options {
                list_all: arguments.list_all,
                explain: arguments.why.then_some(explain as Explain),
                ..arguments.build.into()
            },
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    if arguments.flags.is_some() {
        let what = "--flags cannot be among the flags of --flags; write them without it";
        return Err(Stop::Usage(what.to_owned()));
    }
    ci::run(arguments.into())
}

/// The file whose defaults a command line has: that of its base.
pub(crate) fn settings_file(matches: &ArgMatches) -> Option<SettingsFile> {
    let arguments = Arguments::from_arg_matches(matches).ok()?;
    ci::settings_file(&arguments.into())
}
