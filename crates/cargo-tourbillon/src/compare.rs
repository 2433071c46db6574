//! `compare`: builds side by side.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use tourbillon_builds::Variation;
use tourbillon_compare::{Explain, Options, Request, Subjects};
use tourbillon_why::explain;

use crate::build_flags::BuildFlags;
use crate::exit::Stop;
use crate::output_flags::FormatOrLinesFlag;

const USAGE: &str = "\
cargo tourbillon compare [OPTIONS] REV [REV2] [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] REV::CASE [REV]::CASE
       cargo tourbillon compare [OPTIONS] --with SETTING.. [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] --bin OLD NEW [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] --bundle FILE.. [-- BENCH FLAGS]";

const AFTER: &str = "\
Settings for --with: features=A,B  rustflags=FLAGS  profile=NAME
  toolchain=NAME  target-cpu=NAME  env=NAME=VALUE; several in one build with
  \"; \" between them.

Defaults of flags and thresholds of single cases are in tourbillon.toml:
  [compare]
  time = \"20s\"
  [gate]
  relative = \"2%\"
  absolute = \"5ns\"
  [gate.cases]
  \"sort::\" = { relative = \"5%\" }

Examples:
  cargo tourbillon compare main
  cargo tourbillon compare v1.0 v1.1 --time 20s -- sort
  cargo tourbillon compare main --gate 2% --format md
  cargo tourbillon compare --with features=simd --with target-cpu=native
  cargo tourbillon compare --bin old/sort new/sort";

/// Compare two revisions, or several variations, side by side
///
/// Builds the bench targets of a revision in a clone in the user's cache folder, and those of the working
/// tree in place; lists the cases of both, and measures them in pairs of processes that take turns, every
/// pair with its functions in another order. The checkout, its index and uncommitted changes stay as they
/// are. With one REV the other side is the working tree; of two, the first is the reference. A REV may also
/// be the name of a saved build (saved:NAME if both exist).
///
/// Arguments after -- go to the bench binaries: filters, --exact, --skip, --tag.
#[derive(Debug, Args)]
#[command(
    override_usage = USAGE,
    after_help = AFTER,
    group = ArgGroup::new("what").args(["rev", "with", "bin", "bundle"]).required(true)
)]
pub(crate) struct Arguments {
    /// One or two revisions or saved builds, REV::CASE for one case of it
    #[arg(value_name = "REV", num_args = 0..=2)]
    rev: Vec<String>,
    /// The working tree built another way; repeatable
    #[arg(long, value_name = "SETTING", value_parser = Variation::parse)]
    with: Vec<Variation>,
    /// Two executables
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2)]
    bin: Vec<PathBuf>,
    /// The builds in the files that `bundle` made; builds nothing
    #[arg(long, value_name = "FILE", num_args = 1..)]
    bundle: Vec<PathBuf>,
    /// Prepare executables and placements, print them, measure nothing
    ///
    /// For example, a job of a CI can fill the cache for others.
    #[arg(long)]
    build_only: bool,
    /// List all rows that are the same, and print all notes
    #[arg(long)]
    list_all: bool,
    /// Columns at the right of the others: placement
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<ExtraColumn>,
    /// Explain cases that are slower or faster, at most five in 20s
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    format: FormatOrLinesFlag,
    #[command(flatten)]
    build: BuildFlags,
}

/// A column that the table has on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExtraColumn {
    /// How much times differ between placements of the code
    Placement,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    tourbillon_compare::run(Request {
        subjects: Subjects {
            revisions: arguments.rev,
            variations: arguments.with,
            files: arguments.bin,
            bundles: arguments.bundle,
        },
        only_built: arguments.build_only,
        format: arguments.format.format(),
        options: Options {
            list_all: arguments.list_all,
            shows_placement: arguments.columns.contains(&ExtraColumn::Placement),
            explain: arguments.why.then_some(explain as Explain),
            ..arguments.build.into()
        },
    })
}
