//! `cargo tourbillon baselines`: runs that were saved under a name.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use tourbillon_record::store::{Store, TargetRuns};
use tourbillon_report::escape;
use tourbillon_values::limits::RECORD_BYTES;
use tourbillon_values::regular_file;

use crate::exit::{Stop, print};
use crate::output;
use crate::record_file::unreadable;
use crate::store_flags::StoreFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon baselines
  cargo tourbillon baselines export main main.jsonl
  cargo tourbillon baselines delete main

An export is a file of JSON lines; `cargo tourbillon show` reads it anywhere.";

/// List, export and delete results that were saved under a name
#[derive(Debug, Args)]
#[command(after_help = AFTER, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    store: StoreFlag,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// List the baselines, as without a task
    List,
    /// Write a baseline to a file
    Export {
        /// The baseline
        name: String,
        /// The file, which must not exist yet
        file: PathBuf,
    },
    /// Delete a baseline; the runs that were saved stay in the store
    #[command(alias = "remove")]
    Delete {
        /// The baseline
        name: String,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let store = arguments.store.path().locate()?.store;
    match &arguments.task {
        None | Some(Task::List) => {
            let names = names(&store)?;
            if names.is_empty() {
                return print("no baselines; `cargo bench -- --save NAME` makes one\n");
            }
            print(&(names.join("\n") + "\n"))
        }
        Some(Task::Export { name, file }) => {
            known(&store, name)?;
            export(&store, name, file)
        }
        Some(Task::Delete { name }) => {
            known(&store, name)?;
            Ok(store.delete_baseline(name)?)
        }
    }
}

fn names(store: &Store) -> Result<Vec<String>, Stop> {
    let names = store.baselines()?;
    Ok(names.iter().map(|name| escape(name, true)).collect())
}

/// Fails if there is no such baseline.
fn known(store: &Store, name: &str) -> Result<(), Stop> {
    if store.baseline(name).exists() {
        return Ok(());
    }
    let names = names(store)?;
    let advice = match names.as_slice() {
        [] => "there are none; `cargo bench -- --save NAME` makes one".to_owned(),
        names => format!("known are {}", names.join(", ")),
    };
    let name = escape(name, true);
    Err(Stop::Usage(format!("baseline {name} not found; {advice}")))
}

/// Writes all runs of a baseline to one file, as they were stored.
fn export(store: &Store, name: &str, file: &Path) -> Result<(), Stop> {
    let mut bytes = Vec::new();
    // All of them, whatever their clocks were.
    let targets = store.baseline(name).targets(u64::MAX)?;
    for run in targets.iter().flat_map(TargetRuns::files) {
        let read = regular_file::read(run, RECORD_BYTES).map_err(|why| unreadable(run, &why))?;
        // The last line of a killed run may be incomplete.
        let end = read.iter().rposition(|byte| *byte == b'\n');
        bytes.extend(&read[..end.map_or(0, |end| end + 1)]);
    }
    output::write_new(file, &bytes)
}
