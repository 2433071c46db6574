//! `tourbillon.toml`: defaults of the flags of subcommands, and `cargo tourbillon config`, which prints what
//! holds.
//!
//! Bench programs read their part of the file themselves.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use tourbillon_coordinator::values::{Setting, SettingScope, SettingsFile, TomlValue};
use tourbillon_present::{Style, Table};
use tourbillon_values::nearest;

use crate::ci;
use crate::config_file::ConfigPath;
use crate::exit::{Stop, print};
use crate::store_flags::file_among;

/// Flags without a default, and where their settings are instead.
const ELSEWHERE: [(&str, &str); 15] = [
    ("help", "is for the command line"),
    ("version", "is for the command line"),
    ("config", "is for the command line"),
    ("with", "is for the command line"),
    ("bin", "is for the command line"),
    ("bundle", "is for the command line"),
    ("partition", "is for the command line"),
    ("runner", "is for the command line"),
    ("base", "is for the command line"),
    ("head", "is for the command line"),
    ("flags", "is for the command line"),
    ("list", "is for the command line"),
    ("remove", "is for the command line"),
    ("store", "is for all programs; write it in [bench]"),
    ("gate", "has thresholds in [gate]"),
];
/// What `report` writes and opens: a commit does not choose which file of the user is replaced.
const OF_USER: [&str; 3] = ["output", "svg", "open"];
/// The flag whose value is a path, relative to the file: of `ci`, which reads the file of the base.
const OUTPUT: &str = "output";

const AFTER: &str = "\
Examples:
  cargo tourbillon config
  cargo tourbillon config --bench sort
  cargo tourbillon config --config quick.toml sort/100";

/// Print the settings that hold, and where each comes from
///
/// Builds the bench targets, and prints for each of them and for its cases what the command line, the
/// environment, the attributes and tourbillon.toml set, in this order of precedence. The settings of
/// subcommands in the file are printed first. Takes the flags of `run`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Of cargo bench and of the bench binaries
    #[arg(value_name = "FLAGS AND FILTERS", num_args = 0..)]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) typed: Vec<String>,
}

/// The flag `--config` of a subcommand.
pub(crate) fn flag(matches: &ArgMatches) -> ConfigPath {
    let named = matches.try_get_many::<PathBuf>("config").ok().flatten();
    ConfigPath::new(named.and_then(file_among))
}

/// A command line with the defaults of its subcommand, before the flags that were typed.
pub(crate) fn with_defaults(
    command: Command,
    arguments: Vec<OsString>,
) -> Result<Vec<OsString>, Stop> {
    // A mistake is reported when the arguments are read.
    let Ok(matches) = command.clone().try_get_matches_from(&arguments) else {
        return Ok(arguments);
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(arguments);
    };
    let flag = flag(matches);
    flag.note();
    let Some(subcommand) = command.find_subcommand(name).filter(|_| has_table(name)) else {
        return Ok(arguments);
    };
    let file = if name == ci::NAME {
        ci::settings_file(matches)
    } else {
        flag.file()?
    };
    let Some(file) = file else {
        return Ok(arguments);
    };
    let (program, typed) = arguments.split_at(2);
    let mut all = program.to_vec();
    for setting in &file.settings {
        if setting.scope != SettingScope::Command(name.to_owned()) {
            continue;
        }
        let stop = |what: &str| Stop::Usage(file.at(setting.line, what));
        let argument = argument(subcommand, &setting.key).map_err(|what| stop(&what))?;
        let words = words(setting, argument, file.folder()).map_err(|what| stop(&what))?;
        let alone = [program, &words, typed].concat();
        if matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        if let Err(error) = command.clone().try_get_matches_from(alone) {
            let text = error.render().to_string();
            let first = text.lines().next().unwrap_or_default();
            return Err(stop(first.trim_start_matches("error: ")));
        }
        all.extend(words);
    }
    all.extend_from_slice(typed);
    Ok(all)
}

/// Whether a subcommand has a table in the file.
fn has_table(name: &str) -> bool {
    matches!(name, "compare" | "ci" | "save" | "show" | "report")
}

/// The flag of a key.
fn argument<'c>(command: &'c Command, key: &str) -> Result<&'c Arg, String> {
    if let Some((_, elsewhere)) = ELSEWHERE.iter().find(|(flag, _)| *flag == key) {
        return Err(format!("{key} {elsewhere}"));
    }
    if command.get_name() == "report" && OF_USER.contains(&key) {
        return Err(format!("{key} is for the command line"));
    }
    let mut flags = command.get_arguments();
    flags
        .find(|flag| flag.get_long() == Some(key))
        .ok_or_else(|| {
            let known = command.get_arguments().filter_map(Arg::get_long);
            match nearest(key, known) {
                Some(meant) => format!("unknown key {key}; did you mean {meant}?"),
                None => format!("unknown key {key}; keys are flags without dashes, see --help"),
            }
        })
}

/// A setting as words of a command line.
fn words(setting: &Setting, argument: &Arg, folder: &Path) -> Result<Vec<OsString>, String> {
    let (key, action) = (&setting.key, argument.get_action());
    let takes_value = action.takes_values();
    let values = setting.typed(takes_value)?;
    if values.len() > 1 && !matches!(action, ArgAction::Append) {
        return Err(format!("{key} takes one value"));
    }
    let words = values.into_iter().map(|value| {
        if !takes_value {
            format!("--{key}").into()
        } else if key == OUTPUT {
            format!("--{key}={}", folder.join(value).display()).into()
        } else {
            format!("--{key}={value}").into()
        }
    });
    Ok(words.collect())
}

/// Prints the settings of subcommands and of the gate.
pub(crate) fn of_subcommands(flag: &ConfigPath) -> Result<(), Stop> {
    match flag.file()? {
        Some(file) => print(&of_commands(&file)),
        None => Ok(()),
    }
}

/// The settings of subcommands and of the gate.
fn of_commands(file: &SettingsFile) -> String {
    let of_command = |setting: &&Setting| matches!(setting.scope, SettingScope::Command(_));
    let rows = file.settings.iter().filter(of_command).map(|setting| {
        let place = file.at(setting.line, "");
        vec![
            format!("{} {}", setting.scope.table(), setting.key),
            shown(&setting.value),
            place.trim_end_matches([':', ' ']).to_owned(),
        ]
    });
    match Table::without_titles(rows.collect()).text(&Style::FILE) {
        none if none.is_empty() => none,
        rows => format!("subcommands\n{rows}\n"),
    }
}

/// A value as it is written.
fn shown(value: &TomlValue) -> String {
    match value {
        TomlValue::Text(text) | TomlValue::Number(text) => text.clone(),
        TomlValue::Switch(on) => on.to_string(),
        TomlValue::Table => "{}".to_owned(),
        TomlValue::List(values) => {
            let texts: Vec<String> = values.iter().map(shown).collect();
            texts.join(",")
        }
    }
}
