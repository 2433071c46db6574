//! `cargo tourbillon run`: builds the bench targets as `cargo bench` does and runs them, with their exit
//! codes.

mod split_args;

use std::io;
use std::process::{Command, ExitStatus, Stdio};

use clap::Args;
use tourbillon_builds::{Target, TargetKind, build, cargo, kind};
use tourbillon_clock::wall;
use tourbillon_os::{Ending, Signals};
use tourbillon_report::ReportFormat;

use self::split_args::{Divided, split_args};
use crate::config_file::ConfigFlag;
use crate::exit::{ENVIRONMENT, INTERRUPTED, NOTHING, Stop, USAGE, print, say};
use crate::export::TextFormat;
use crate::records::{self, Record, StoredRun};
use crate::{exit, export, report, show};

/// Exit code for a target that did not end by itself.
const DIED: u8 = ENVIRONMENT;

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
    let targets = build(cargo(), &divided.cargo)?.targets;
    let mut ours: Vec<&Target> = Vec::new();
    for target in &targets {
        match kind(&target.executable) {
            TargetKind::Tourbillon => ours.push(target),
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
    if divided.asks() {
        // Help, the version and lists: of one target, or of each.
        let only = if divided.lists() { ours.len() } else { 1 };
        return ended(each(&ours[..only], &divided.bench));
    }
    let mut chosen = Vec::new();
    let mut worst = 0;
    for target in ours {
        match selects(target, &divided.bench) {
            Ok(true) => chosen.push(target),
            Ok(false) => {}
            // A mistake on the command line is the same for every target, and this one has reported it.
            Err(USAGE) => return Err(Stop::Code(USAGE)),
            Err(code) => worst = worst.max(code),
        }
    }
    if chosen.is_empty() && worst == 0 {
        say("nothing is selected; `cargo tourbillon run -- --list` lists the cases\n");
        return Err(Stop::Code(NOTHING));
    }
    let measured = match divided.format {
        Some(format) => together(&chosen, &divided, format)?,
        None if divided.quiet() && chosen.len() > 1 => {
            let mut worst = 0;
            for target in chosen {
                print(&format!("{}\n", name(target)))?;
                worst = worst.max(each(&[target], &divided.bench));
            }
            worst
        }
        None => each(&chosen, &divided.bench),
    };
    let reported = match page {
        Some(page) => report::of_runs_since(begun, divided.store_flag(), page),
        None => Ok(()),
    };
    match (ended(worst.max(measured)), reported) {
        (Ok(()), reported) => reported,
        (stop, Ok(())) => stop,
        // The exit code is that of the targets.
        (stop, Err(why)) => {
            exit::report(why);
            stop
        }
    }
}

/// The file of defaults that a command line names.
pub(crate) fn config_of(typed: &[String]) -> Result<ConfigFlag, Stop> {
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

fn name(target: &Target) -> String {
    format!("{}/{}", target.package, target.name)
}

/// Runs the targets in turn and gives the most severe exit code.
fn each(targets: &[&Target], arguments: &[String]) -> u8 {
    let codes = targets.iter().map(|target| {
        let status = started(target, arguments).status();
        code(target, "while it ran", status)
    });
    codes.max().unwrap_or(0)
}

/// Runs the targets in turn and prints their results as one output; gives the most severe exit code.
fn together(targets: &[&Target], divided: &Divided, format: TextFormat) -> Result<u8, Stop> {
    // An interrupt ends the target, and what was measured is printed.
    let signals = Signals::install()
        .map_err(|error| Stop::Environment(format!("signals cannot be handled: {error}")))?;
    let mut arguments = divided.bench.clone();
    // The last format counts.
    arguments.extend(["--format", "jsonl"].map(str::to_owned));
    let mut records = Vec::new();
    let mut worst = 0;
    for target in targets {
        let (status, stdout) = output(target, &arguments);
        // A target that died may not have begun a record.
        let runs = records::parse(&stdout).unwrap_or_default();
        let name = name(target);
        records.push(Record { name, runs });
        if signals.noted().is_some() {
            worst = INTERRUPTED;
            break;
        }
        worst = worst.max(code(target, "while it ran", status));
    }
    if format == TextFormat::Table(ReportFormat::Markdown) {
        records = vec![merged(records)];
    }
    match format {
        TextFormat::Table(format) => {
            print(&show::formed(&records, "target", format, &divided.table))?;
        }
        format => export::print_as(&records, format)?,
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

/// Whether the filters select a case of a target, or the exit code of the target.
fn selects(target: &Target, arguments: &[String]) -> Result<bool, u8> {
    let mut list = arguments.to_vec();
    // The last format counts.
    list.extend(["--list", "--format", "terse"].map(str::to_owned));
    let (status, stdout) = output(target, &list);
    match code(target, "while it listed its benchmarks", status) {
        0 => Ok(!stdout.is_empty()),
        code => Err(code),
    }
}

/// Runs a target and gives its output.
fn output(target: &Target, arguments: &[String]) -> (io::Result<ExitStatus>, Vec<u8>) {
    let mut command = started(target, arguments);
    match command.stderr(Stdio::inherit()).output() {
        Ok(output) => (Ok(output.status), output.stdout),
        Err(error) => (Err(error), Vec::new()),
    }
}

/// The exit code for the status of a target. A target that died is reported here, because it may not have
/// printed anything.
///
/// Never that of an interrupt: a signal to this program ends it.
fn code(target: &Target, when: &str, status: io::Result<ExitStatus>) -> u8 {
    let (code, how) = match status.map(Ending::from) {
        // The bench binary has printed the reason.
        Ok(Ending::Exited(code @ 0..=4)) => return code as u8,
        Ok(ending @ Ending::Exited(code)) if code != i32::from(INTERRUPTED) => {
            (u8::try_from(code).unwrap_or(DIED), ending.to_string())
        }
        Ok(ending) => (DIED, ending.to_string()),
        Err(error) => (DIED, format!("cannot be started: {error}")),
    };
    let (name, path) = (&target.name, &target.executable);
    say(&format!(
        "error: the bench target {name} {how} {when}; run {path:?} to see why\n"
    ));
    code
}

/// A command for a target as cargo would start it: in the folder of its package, with its variables.
fn started(target: &Target, arguments: &[String]) -> Command {
    let (mut command, folder) = (Command::new(&target.executable), &target.folder);
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_MANIFEST_DIR", folder);
    command
}
