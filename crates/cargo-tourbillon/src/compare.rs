//! `compare`: builds side by side.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, ArgMatches, Args, Command, ValueEnum};
use tourbillon_builds::{Cache, Runner, Variation};
use tourbillon_compare::{Explain, Options, Request, Subjects};
use tourbillon_tool::screen::style;
use tourbillon_why::explain;

use crate::build_flags::BuildFlags;
use crate::elsewhere::{self, Sent, runner};
use crate::exit::{Stop, say};
use crate::output_flags::FormatOrLinesFlag;

const USAGE: &str = "\
cargo tourbillon compare [OPTIONS] [REV [REV2]] [-- BENCH FLAGS]
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

Environment:
  TOURBILLON_LOCK  the folder of the lock for which programs wait that measure;
                   none for no lock [/tmp]

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
/// are. With one REV, HEAD if none is given, the other side is the working tree; of two, the first is the
/// reference. A REV may also be the name of a saved build (saved:NAME if both exist).
///
/// Arguments after -- go to the bench binaries: filters, --exact, --skip, --tag.
#[derive(Debug, Args)]
#[command(
    override_usage = USAGE,
    after_help = AFTER,
    group = ArgGroup::new("what").args(["rev", "with", "bin", "bundle"])
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
    /// Measure on another machine, through this program: 'ssh pi'
    #[arg(long, value_name = "PROGRAM", value_parser = runner)]
    runner: Option<Runner>,
    /// What another machine gets of the flags.
    #[arg(skip)]
    typed: Vec<OsString>,
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

/// Flags that are for the builds, and those that the other machine gets otherwise.
const OF_BUILDS: [&str; 18] = [
    "rev",
    "with",
    "bin",
    "bundle",
    "runner",
    "store",
    "config",
    "package",
    "bench",
    "features",
    "all_features",
    "no_default_features",
    "profile",
    "target",
    "workspace",
    "locked",
    "offline",
    "color",
];

impl Arguments {
    /// Notes the flags for another machine.
    pub(crate) fn note(&mut self, matches: &ArgMatches) {
        let subcommand = Arguments::augment_args(Command::new("compare"));
        self.typed = elsewhere::typed_flags(&subcommand, matches, &OF_BUILDS);
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    let mut subjects = Subjects {
        revisions: arguments.rev,
        variations: arguments.with,
        files: arguments.bin,
        bundles: arguments.bundle,
    };
    if subjects.is_empty() {
        subjects.revisions.push("HEAD".to_owned());
    }
    if let Some(runner) = arguments.runner {
        let options = arguments.build.into();
        return measured_elsewhere(&runner, &subjects, &options, arguments.typed);
    }
    tourbillon_compare::run(Request {
        subjects,
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

/// Builds here, and compares on another machine.
fn measured_elsewhere(
    runner: &Runner,
    subjects: &Subjects,
    options: &Options,
    mut words: Vec<OsString>,
) -> Result<(), Stop> {
    if subjects.cases()?.is_some() {
        let what = "REV::CASE is for this machine; with --runner, select cases by filters after --";
        return Err(Stop::Usage(what.to_owned()));
    }
    if style(options.color).color {
        words.insert(0, "--color=always".into());
    }
    if !subjects.bundles.is_empty() {
        let mut selected: Vec<OsString> = Vec::new();
        for (flag, names) in [
            ("--package", &options.selection.packages),
            ("--bench", &options.selection.benches),
        ] {
            selected.extend(names.iter().map(|name| format!("{flag}={name}").into()));
        }
        selected.append(&mut words);
        let sent = Sent::Bundles(&subjects.bundles);
        return elsewhere::measure(runner, &sent, "compare", selected, &options.store);
    }
    let builds = subjects.builds(&Cache::locate(say)?, options, false)?;
    let sent = Sent::Builds(&builds);
    elsewhere::measure(runner, &sent, "compare", words, &options.store)
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    #[test]
    fn another_machine_gets_the_flags_that_are_not_for_builds() {
        let typed = [
            "compare",
            "v1",
            "--runner=ssh pi",
            "--time",
            "3s",
            "--gate=2%",
            "--gate",
            "p99=5%",
            "-p",
            "shop",
            "--direction",
            "--config=build.jobs=1",
            "--target=-Zx",
            "--config=--a=b",
            "--config=a.toml",
            "--",
            "--exact",
            "it's",
        ];
        let command = Arguments::augment_args(Command::new("compare"));
        let matches = command.try_get_matches_from(typed).expect("flags");
        let mut arguments = Arguments::from_arg_matches(&matches).expect("flags");
        arguments.note(&matches);
        let end = arguments.typed.iter().position(|word| word == "--");
        let (flags, last) = arguments.typed.split_at(end.expect("an end"));
        let mut sorted = flags.to_vec();
        sorted.sort();
        let expected = ["--direction", "--gate=2%", "--gate=p99=5%", "--time=3s"];
        assert_eq!(sorted, expected);
        assert_eq!(last, ["--", "--exact", "it's"]);
        // Cargo gets the others, no value as a word of its own.
        let options = Options::from(arguments.build);
        let words = options.selection.flags.iter().map(|flag| flag.word());
        let expected = ["--target=-Zx", "--config=build.jobs=1", "--config=--a=b"];
        assert_eq!(Vec::from_iter(words), expected);
        assert_eq!(options.store.config.named(), Some("a.toml".into()));
    }
}
