//! `cargo tourbillon run`: builds the bench targets as `cargo bench` does and runs them, with their exit
//! codes.

mod cargo_flags;
mod program;
mod split_args;
mod start;

use std::ffi::OsString;
use std::path::{Path, absolute};
use std::process::ExitStatus;
use std::slice;

use clap::Args;
use tourbillon_builds::{Cache, Maker, Runner, Selection, Subject, TargetKind, build, cargo, kind};
use tourbillon_clock::wall;
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_record::Case;
use tourbillon_report::did_you_mean;
use tourbillon_tool::program_lines::{record_lines, runs};
use tourbillon_tool::screen::style;

use self::program::Program;
use self::split_args::{Divided, split_args};
use self::start::{Start, each, listed, selected, signals};
use crate::config_file::ConfigPath;
use crate::elsewhere::{self, Sent};
use crate::exit::{INTERRUPTED, NOTHING, Stop, USAGE, print, print_data, say};
use crate::export::ExportFormat;
use crate::program_output::Limits;
use crate::record_file::StoredRun;
use crate::records::Record;
use crate::{exit, export, report, show};

const AFTER: &str = "\
Examples:
  cargo tourbillon run
  cargo tourbillon run sort --launches 40 -p examples
  cargo tourbillon run --features simd --format csv
  cargo tourbillon run -- --help";

/// Build and run the bench targets, with exit codes of their own
///
/// Builds and runs the bench targets, as `cargo bench` does, from any folder of a workspace. Flags of
/// `cargo bench` and of the bench binaries may be mixed, in any order; other arguments are filters.
/// --format csv, md or jsonl gives one output for all targets; --report writes a page of the run, to the
/// file that `report` writes or, as --report=FILE, to FILE.
///
/// --runner 'ssh pi' measures on another machine: builds are sent there, and the records come back.
///
/// --bundle FILE runs the last build of a file that `bundle` made, and builds nothing.
///
/// Exits with the most severe code of any target: 3 when a case failed, 4 when nothing was selected, 5 when
/// a signal ended a target. Such a target is named, and the others are measured.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Of cargo bench and of the bench binaries
    #[arg(value_name = "FLAGS AND FILTERS", num_args = 0..)]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    typed: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let mut typed = arguments.typed.clone();
    let page = report::wanted(&mut typed);
    let begun = wall::unix_ns();
    let divided = split_args(&typed)?;
    if let Some(runner) = &divided.runner {
        let measured = measured_elsewhere(runner, &divided);
        if let Err(Stop::Code(_)) | Ok(()) = &measured
            && let Some(page) = page
        {
            return reported(
                measured,
                report::of_runs_since(begun, &divided.store(), page),
            );
        }
        return measured;
    }
    let ours = programs(&divided, divided.stores())?;
    if divided.asks() {
        // Help, the version and lists: of one target, or of each.
        let only = if divided.lists() { ours.len() } else { 1 };
        let (mut starts, mut position) = (Vec::new(), 0);
        for target in &ours[..only] {
            starts.push(Start::of(target, divided.of_target(position)));
            if divided.partition.is_some() {
                position += selected(target, &divided.bench).unwrap_or_default();
            }
        }
        return ended(each(&starts)?);
    }
    let (mut chosen, mut position) = (Vec::new(), 0);
    let mut worst = 0;
    for target in &ours {
        match selected(target, &divided.bench) {
            Ok(0) => {}
            Ok(cases) => {
                chosen.push(Start::of(target, divided.of_target(position)));
                position += cases;
            }
            // A mistake on the command line is the same for every target, and this one has reported it.
            Err(USAGE) => return Err(Stop::Code(USAGE)),
            Err(code) => worst = worst.max(code),
        }
    }
    if chosen.is_empty() && worst == 0 {
        say(&format!(
            "nothing is selected; `cargo tourbillon run -- --list` lists the cases{}\n",
            meant(&ours, &divided)
        ));
        return Err(Stop::Code(NOTHING));
    }
    let measured = match divided.format {
        Some(format) => together(&chosen, &divided, format)?,
        None if divided.quiet() && chosen.len() > 1 => {
            let mut worst = 0;
            for start in chosen {
                print(&format!("{}\n", start.name()))?;
                worst = worst.max(each(&[start])?);
                if worst == INTERRUPTED {
                    break;
                }
            }
            worst
        }
        None => each(&chosen)?,
    };
    let written = match page {
        Some(page) => report::of_runs_since(begun, &divided.store(), page),
        None => Ok(()),
    };
    reported(ended(worst.max(measured)), written)
}

/// What filters that select nothing may mean, see [`did_you_mean`].
fn meant(programs: &[Program], divided: &Divided) -> String {
    let (flags, filters) = divided.flags_and_filters();
    let all = programs.iter().filter_map(|one| listed(one, &flags).ok());
    let all: Vec<Case> = all.flatten().collect();
    did_you_mean(&filters, &all)
}

/// How measuring ended, else how the page was written.
fn reported(measured: Result<(), Stop>, written: Result<(), Stop>) -> Result<(), Stop> {
    match (measured, written) {
        (Ok(()), reported) => reported,
        (stop, Ok(())) => stop,
        // The exit code is that of the targets.
        (stop, Err(why)) => {
            exit::report(why);
            stop
        }
    }
}

/// Builds here, and measures on another machine.
fn measured_elsewhere(runner: &Runner, divided: &Divided) -> Result<(), Stop> {
    for flag in ["--save", "--baseline"] {
        if divided.value(flag).is_some() {
            let what = format!(
                "{flag} names results in the store of this machine, and --runner measures on another"
            );
            return Err(Stop::Usage(what));
        }
    }
    let mut words: Vec<OsString> = divided.passed.iter().map(OsString::from).collect();
    if style(ColorChoice::Auto).color && divided.value("--color").is_none() {
        words.insert(0, "--color=always".into());
    }
    let store = divided.store();
    if let Some(file) = &divided.bundle {
        divided.refuse_flags_of_cargo()?;
        let sent = Sent::Bundles(slice::from_ref(file));
        return elsewhere::measure(runner, &sent, "run", words, &store);
    }
    let selection = Selection::from_flags(&divided.cargo);
    let maker = Maker::new(Cache::locate(say)?, selection, false)?;
    let builds = [maker.make(&Subject::WorkingTree)?];
    elsewhere::measure(runner, &Sent::Builds(&builds), "run", words, &store)
}

/// The programs that use tourbillon: those of a bundle, or built. Whether they store their runs is known.
fn programs(divided: &Divided, stores: bool) -> Result<Vec<Program>, Stop> {
    let mut programs = match &divided.bundle {
        Some(file) => unpacked(file, divided, stores)?,
        None => built(divided)?,
    };
    // Cargo names them as they are finished; slices need one order on all machines.
    programs.sort_by(|one, other| (&one.package, &one.name).cmp(&(&other.package, &other.name)));
    Ok(programs)
}

/// The programs of the last build of a bundle.
fn unpacked(file: &Path, divided: &Divided, stores: bool) -> Result<Vec<Program>, Stop> {
    divided.refuse_flags_of_cargo()?;
    // The programs lie outside of a target directory.
    let store = if stores {
        let path = absolute(divided.store().locate()?.store.path())
            .map_err(|error| Stop::Environment(error.to_string()))?;
        Some(path.to_string_lossy().into_owned())
    } else {
        None
    };
    let builds = Cache::locate(say)?.unpack(file, false)?;
    let programs = builds.last().map(|build| Program::of_build(build, store));
    Ok(programs.unwrap_or_default())
}

/// Builds the bench targets, and returns those that use tourbillon.
fn built(divided: &Divided) -> Result<Vec<Program>, Stop> {
    let mut ours = Vec::new();
    for target in build(&cargo, &divided.cargo)?.targets {
        match kind(&target.executable) {
            TargetKind::Tourbillon => ours.push(Program::from(target)),
            TargetKind::BuiltInHarness => return Err(Stop::Usage(target.measures_nothing())),
            TargetKind::Other => say(&format!(
                "skipping {}: it does not use tourbillon; `cargo bench` runs it\n",
                target.name
            )),
        }
    }
    if ours.is_empty() {
        let what = "no bench target uses tourbillon; write one as the README shows";
        return Err(Stop::Usage(what.to_owned()));
    }
    Ok(ours)
}

/// The cases that a command line of `run` selects, of all targets in their order. Ignored ones are among them.
pub(crate) fn cases(typed: &[String]) -> Result<Vec<Case>, Stop> {
    let divided = split_args(typed)?;
    let mut all = Vec::new();
    for target in &programs(&divided, false)? {
        all.extend(listed(target, &divided.bench).map_err(Stop::Code)?);
    }
    Ok(all)
}

/// The file of defaults that a command line names.
pub(crate) fn config_of(typed: &[String]) -> Result<ConfigPath, Stop> {
    Ok(split_args(typed)?.config())
}

/// Has every target print its settings.
pub(crate) fn show_config(mut typed: Vec<String>) -> Result<(), Stop> {
    // Words after `--` are for the bench binaries.
    typed.insert(0, "--show-config".to_owned());
    run(&Arguments { typed })
}

fn ended(code: u8) -> Result<(), Stop> {
    match code {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// Runs the targets in turn and prints their results as one output; gives the most severe exit code.
fn together(starts: &[Start<'_>], divided: &Divided, format: ExportFormat) -> Result<u8, Stop> {
    // An interrupt ends the target, and what was measured is printed.
    let signals = signals()?;
    let mut records = Vec::new();
    let mut worst = 0;
    for start in starts {
        // The last format counts.
        let of_record = start.clone().with(["--format", "jsonl"]);
        let (status, stdout) = of_record.output(Limits::RECORD);
        // A target that died may not have begun a record.
        let runs = runs(&stdout);
        let is_due = status.as_ref().is_ok_and(ExitStatus::success);
        if let Err(why) = &runs
            && (is_due || !record_lines(&stdout).is_empty())
        {
            worst = worst.max(start.unreadable(why));
        }
        let (name, runs) = (start.name(), runs.unwrap_or_default());
        records.push(Record { name, runs });
        if signals.noted().is_some() {
            worst = INTERRUPTED;
            break;
        }
        worst = worst.max(start.code("while it ran", status));
    }
    if format == ExportFormat::Md {
        records = vec![merged(records)];
    }
    match format.table() {
        Some(table) => print_data(&show::formed(&records, "target", table, &divided.table))?,
        None => export::print_as(&records, format)?,
    }
    Ok(worst)
}

/// All runs as one, with the name of the target before that of the group.
fn merged(records: Vec<Record>) -> Record {
    let mut all: Option<StoredRun> = None;
    for record in records {
        for mut stored in record.runs {
            for case in &mut stored.run.cases {
                case.group = match case.group.as_str() {
                    "" => record.name.clone(),
                    group => format!("{}/{group}", record.name),
                };
            }
            let Some(all) = &mut all else {
                all = Some(stored);
                continue;
            };
            let (all, mut run) = (&mut all.run, stored.run);
            all.cases.append(&mut run.cases);
            all.results.append(&mut run.results);
            all.faults.append(&mut run.faults);
            all.launches.append(&mut run.launches);
        }
    }
    Record {
        name: String::new(),
        runs: all.into_iter().collect(),
    }
}
