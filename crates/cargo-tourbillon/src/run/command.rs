//! The flags of `run`: those of `cargo bench` and those of the bench binaries, in any order.

use clap::{Arg, ArgAction, ArgMatches, Command};

const ABOUT: &str = "Build and run the bench targets, with exit codes of their own";

const LONG_ABOUT: &str = "\
Build and run the bench targets, as `cargo bench` does, from any folder of a
workspace. Flags of `cargo bench` and of the bench binaries may be mixed, in
any order; what is no flag is a filter. Exits with the most severe code of any
target: 3 when a case failed, 4 when nothing was selected, 5 when a target was
killed by a signal. A target that dies is named, and the others are measured.

`--report` writes a page of the run to report.html, `--report=FILE` to FILE.";

const AFTER: &str = "\
Examples:
  cargo tourbillon run
  cargo tourbillon run sort --launches 40 -p examples
  cargo tourbillon run --features simd --format csv
  cargo tourbillon run -- --help";

pub(crate) fn command() -> Command {
    Command::new("run")
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .after_help(AFTER)
        .arg(
            Arg::new("typed")
                .value_name("FLAGS AND FILTERS")
                .help("Of cargo bench and of the bench binaries")
                .action(ArgAction::Append)
                .num_args(0..)
                .trailing_var_arg(true)
                .allow_hyphen_values(true),
        )
}

/// What was typed, word by word.
pub(super) fn typed(matches: &ArgMatches) -> Vec<String> {
    matches
        .get_many::<String>("typed")
        .map(|words| words.cloned().collect())
        .unwrap_or_default()
}
