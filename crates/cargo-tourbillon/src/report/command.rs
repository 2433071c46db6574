//! The flags of `report`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::records::{self, Place};

const ABOUT: &str = "A page with tables and pictures, from records alone";

const LONG_ABOUT: &str = "\
A page with tables and pictures, from records alone: the last run of each bench
target and the last comparison, or what is in the files and baselines that are
named. The page is one file of HTML that requests nothing: mail it, or keep it
as an artifact of a CI job. Its figures are inside as JSON, in the element
`figures`. Records of any machine and any year can be read.";

const AFTER: &str = "\
Examples:
  cargo tourbillon report
  cargo tourbillon report main here.jsonl -o compared.html --open
  cargo tourbillon report --filter sort --svg pictures";

/// Where the page goes by default.
pub(super) const PAGE: &str = "report.html";

/// What `report` is to do.
#[derive(Debug, Default)]
pub(super) struct Options {
    pub(super) records: Vec<PathBuf>,
    pub(super) place: Place,
    pub(super) output: PathBuf,
    pub(super) svg: Option<PathBuf>,
    pub(super) open: bool,
    pub(super) filters: Vec<String>,
}

pub(crate) fn command() -> Command {
    let path = |name: &'static str, value: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .value_parser(value_parser!(PathBuf))
    };
    Command::new("report")
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .after_help(AFTER)
        .arg(
            Arg::new("records")
                .value_name("RECORD")
                .help("Files and names of baselines [the last runs]")
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            path("output", "FILE")
                .short('o')
                .help("Where to write the page [report.html]"),
        )
        .arg(path("svg", "DIR").help("Write each picture as a file of its own, too"))
        .arg(
            Arg::new("open")
                .long("open")
                .help("Show the page in the browser")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("filter")
                .long("filter")
                .value_name("PART")
                .help("Only cases whose id contains it; may be repeated")
                .action(ArgAction::Append),
        )
        .args(records::arguments())
}

pub(super) fn options(matches: &ArgMatches) -> Options {
    let path = |name| matches.get_one::<PathBuf>(name).cloned();
    let records = matches.get_many::<PathBuf>("records");
    let filters = matches.get_many::<String>("filter");
    Options {
        records: records
            .map(|names| names.cloned().collect())
            .unwrap_or_default(),
        place: Place::of(matches),
        output: path("output").unwrap_or_else(|| PAGE.into()),
        svg: path("svg"),
        open: matches.get_flag("open"),
        filters: filters
            .map(|parts| parts.cloned().collect())
            .unwrap_or_default(),
    }
}
