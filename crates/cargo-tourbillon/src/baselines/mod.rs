//! `cargo tourbillon baselines`: runs that were saved under a name.

use std::fs;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use tourbillon_record::store::Store;
use tourbillon_report::escape;

use crate::exit::{Stop, print};
use crate::records::{self, Place};

const ABOUT: &str = "List, export and delete what was saved under a name";

const AFTER: &str = "\
Examples:
  cargo tourbillon baselines
  cargo tourbillon baselines export main main.jsonl
  cargo tourbillon baselines delete main

An export is a file of JSON lines; `cargo tourbillon show` reads it anywhere.";

pub(crate) fn command() -> Command {
    let name = || Arg::new("name").value_name("NAME").required(true);
    let file = Arg::new("file")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf));
    Command::new("baselines")
        .about(ABOUT)
        .after_help(AFTER)
        .disable_help_subcommand(true)
        .args(records::arguments().map(|argument| argument.global(true)))
        .subcommand(
            Command::new("export")
                .about("Write a baseline to a file")
                .arg(name().help("The baseline"))
                .arg(file.help("The file, which must not exist yet")),
        )
        .subcommand(
            Command::new("delete")
                .about("Remove a baseline; the runs that were saved stay in the store")
                .arg(name().help("The baseline")),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Stop> {
    match matches.subcommand() {
        Some((task, matches)) => {
            let store = Place::of(matches).store()?;
            let name = matches.get_one::<String>("name").map_or("", String::as_str);
            known(&store, name)?;
            match matches.try_get_one::<PathBuf>("file") {
                Ok(Some(file)) if task == "export" => export(&store, name, file),
                _ => store.delete_baseline(name).map_err(refused),
            }
        }
        None => {
            let store = Place::of(matches).store()?;
            let mut text = String::new();
            for name in store.baselines().map_err(refused)? {
                text.push_str(&escape(&name, true));
                text.push('\n');
            }
            if text.is_empty() {
                text = "no baselines; `cargo bench -- --save NAME` makes one\n".to_owned();
            }
            print(&text)
        }
    }
}

/// Fails if there is no such baseline.
fn known(store: &Store, name: &str) -> Result<(), Stop> {
    if store.baseline(name).exists() {
        return Ok(());
    }
    let shown = escape(name, true);
    let names = store.baselines().map_err(refused)?;
    let advice = if names.is_empty() {
        "there are none; `cargo bench -- --save NAME` makes one".to_owned()
    } else {
        let names: Vec<String> = names.iter().map(|name| escape(name, true)).collect();
        format!("known are {}", names.join(", "))
    };
    Err(Stop::Usage(format!("baseline {shown} not found; {advice}")))
}

/// Writes all runs of a baseline to one file, as they were stored.
fn export(store: &Store, name: &str, file: &PathBuf) -> Result<(), Stop> {
    if file.exists() {
        let what = format!("{file:?} exists; name another file or remove it");
        return Err(Stop::Usage(what));
    }
    let mut bytes = Vec::new();
    for run in records::files(&store.baseline(name))?.iter().flatten() {
        let mut read = fs::read(run)
            .map_err(|error| Stop::Environment(format!("{run:?} cannot be read: {error}")))?;
        // The last line of a killed run may be incomplete.
        if let Some(end) = read.iter().rposition(|byte| *byte == b'\n') {
            read.truncate(end + 1);
            bytes.append(&mut read);
        }
    }
    fs::write(file, bytes)
        .map_err(|error| Stop::Environment(format!("{file:?} cannot be written: {error}")))
}

fn refused(error: tourbillon_record::store::Error) -> Stop {
    Stop::Environment(error.to_string())
}
