//! The flags of `doctor`.

use clap::{Arg, ArgMatches, Command};

use crate::screen::{self, Color};

const LONG_ABOUT: &str = "\
Whether this machine is fit for measuring: what slows it down, what makes it
uneven, who else is at work, and whether code whose cost is known measures as
it should. Each finding says why it matters, what to do, and where the guide
explains it.

It takes about three seconds and changes nothing.";

const AFTER: &str = "\
Exit codes: 0 nothing matters, 1 a mistake on the command line, 5 something
that matters was found.";

/// What `doctor` is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) json: bool,
    pub(super) color: Color,
}

pub(crate) fn command() -> Command {
    Command::new("doctor")
        .about("Whether this machine is fit for measuring")
        .long_about(LONG_ABOUT)
        .after_help(AFTER)
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORM")
                .help("Form of what is printed: text or json")
                .hide_possible_values(true)
                .value_parser(["text", "json"])
                .default_value("text"),
        )
        .arg(screen::argument())
}

/// What was typed.
pub(super) fn wish(matches: &ArgMatches) -> Wish {
    Wish {
        json: matches
            .get_one::<String>("format")
            .is_some_and(|form| form == "json"),
        color: screen::color(matches),
    }
}
