//! The flags of `show`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use tourbillon_report::ReportFormat;

use crate::records::{self, Place};
use crate::screen::{self, Color};

const ABOUT: &str = "What runs found, from their records alone; several side by side";

const LONG_ABOUT: &str = "\
What runs found, from their records alone: the last run of each bench target,
or what is in the files and baselines that are named. Several of them stand
side by side, from several machines too, with what differs between them named.
They were not measured together: there is no verdict.

A file is a record of the store, an export of a baseline, or what
`--format jsonl` wrote.";

const AFTER: &str = "\
Examples:
  cargo tourbillon show
  cargo tourbillon show main here.jsonl there.jsonl
  cargo tourbillon show here.jsonl there.jsonl --format md --filter sort";

/// Names of forms, as the bench binaries have them.
const FORMS: [(&str, Option<ReportFormat>); 5] = [
    ("text", None),
    ("csv", Some(ReportFormat::Csv)),
    ("csv-semicolon", Some(ReportFormat::CsvSemicolon)),
    ("md", Some(ReportFormat::Markdown)),
    ("gnuplot", Some(ReportFormat::Gnuplot)),
];

/// What `show` is to do.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) records: Vec<PathBuf>,
    pub(super) place: Place,
    pub(super) form: Option<ReportFormat>,
    pub(super) plot: bool,
    pub(super) color: Color,
    filters: Vec<String>,
}

impl Wish {
    /// Whether a case contains one of the filters, or there are none.
    pub(super) fn selects(&self, case: &str) -> bool {
        let mut filters = self.filters.iter();
        self.filters.is_empty() || filters.any(|filter| case.contains(filter.as_str()))
    }
}

pub(crate) fn command() -> Command {
    Command::new("show")
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
            Arg::new("filter")
                .long("filter")
                .value_name("PART")
                .help("Only cases whose id contains it; may be repeated")
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORM")
                .help("text, csv, csv-semicolon, md or gnuplot [text]")
                .hide_possible_values(true)
                .hide_default_value(true)
                .value_parser(FORMS.map(|(name, _)| name))
                .default_value("text"),
        )
        .arg(
            Arg::new("plot")
                .long("plot")
                .help("Draw intervals and sweeps in place of the table")
                .conflicts_with("format")
                .action(ArgAction::SetTrue),
        )
        .args(records::arguments())
        .arg(screen::argument())
}

pub(super) fn wish(matches: &ArgMatches) -> Wish {
    let form = matches.get_one::<String>("format");
    let form = FORMS
        .iter()
        .find(|(name, _)| form.is_some_and(|form| form == name));
    Wish {
        records: many(matches, "records"),
        place: Place::of(matches),
        form: form.and_then(|(_, form)| *form),
        plot: matches.get_flag("plot"),
        color: screen::color(matches),
        filters: many(matches, "filter"),
    }
}

fn many<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> Vec<T> {
    matches
        .get_many::<T>(name)
        .map(|values| values.cloned().collect())
        .unwrap_or_default()
}
