//! The flags of `explain`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::records::{self, Place};
use crate::screen::{self, Color};

const ABOUT: &str = "How the figures of a case came to be, from its record alone";

const LONG_ABOUT: &str = "\
How the figures of a case came to be, from its record alone: how the length of
a batch was found, what each launch found and when, what was noticed about its
batches, and whether the samples still give the figures that were shown. Of a
comparison: its pairs, their order, what was left out and why, the control,
the drift, and whether the samples still give the verdict.";

const AFTER: &str = "\
Examples:
  cargo tourbillon explain sort::heap
  cargo tourbillon explain sort::heap here.jsonl";

/// What `explain` is to do.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) case: String,
    pub(super) record: Option<PathBuf>,
    pub(super) place: Place,
    pub(super) color: Color,
}

pub(crate) fn command() -> Command {
    Command::new("explain")
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .after_help(AFTER)
        .arg(
            Arg::new("case")
                .value_name("CASE")
                .required(true)
                .help("The case's id, or a part of it that no other has"),
        )
        .arg(
            Arg::new("record")
                .value_name("RECORD")
                .help("A file or the name of a baseline [the last runs]")
                .value_parser(value_parser!(PathBuf)),
        )
        .args(records::arguments())
        .arg(screen::argument())
}

pub(super) fn wish(matches: &ArgMatches) -> Wish {
    Wish {
        case: matches.get_one("case").cloned().unwrap_or_default(),
        record: matches.get_one("record").cloned(),
        place: Place::of(matches),
        color: screen::color(matches),
    }
}
