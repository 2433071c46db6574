//! Measures commands, each run a fresh process.
//!
//! The coordinator (this program) decides what runs; the launcher, a small process of the same executable, starts
//! the commands and waits for them. On systems other than Linux the coordinator does that itself. Rounds of one process of each command are judged as pairs by
//! [`tourbillon_analysis`], like builds.
//!
//! A part of Tourbillon; use the command `tourbillon commands`.

#![warn(clippy::match_bool)]

mod advice;
mod answer;
mod arms;
mod besides;
mod columns;
mod estimate;
mod failure;
mod fingerprint;
mod idle_parameters;
mod launcher_entry;
mod line;
mod measure;
mod options;
mod parameters;
pub mod record;
pub mod results;
mod runner;
mod runs;
mod same_output;
mod shell_syntax;
mod wire;

#[cfg(target_os = "linux")]
mod canary;
#[cfg(target_os = "linux")]
mod group_file;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(not(target_os = "linux"))]
mod own_processes;

use std::path::{Path, PathBuf};

use tourbillon_clock::wall;
use tourbillon_record::Run;
use tourbillon_stats::Rng;

pub use self::columns::Columns;
pub use self::estimate::estimate;
pub use self::failure::failure;
pub use self::launcher_entry::launched;
pub use self::line::Shell;
pub use self::options::{IgnoredCodes, Options, RowOrder};
pub use self::runs::CommandRuns;
pub use self::wire::message_again;

use self::arms::{Arm, arms};
use self::idle_parameters::unused_parameters;
use self::line::{Words, job};
use self::measure::{Limits, Subjects, Word, measure};
use self::record::Before;
use self::runner::{Execute, Processes};
use self::wire::{Job, Output};
use tourbillon_tool::exit::{Stop, say};
use tourbillon_tool::machine_lock::machine_lock;
use tourbillon_tool::output;
use tourbillon_tool::run_clock::ToolRunClock;
use tourbillon_tool::screen::ProgressLine;

/// Time to measure one command.
const ONE_NS: u64 = 3_000_000_000;
/// Time to measure two commands, and each further one.
const PAIR_NS: u64 = 10_000_000_000;

/// Measures commands and returns the record of it, which may hold faults or have been interrupted.
///
/// # Errors
///
/// What is wrong with the options, or with this machine.
pub fn run(options: &Options) -> Result<Run, Stop> {
    refuse_limits(options)?;
    let arms = arms(options)?;
    refuse_inputs(&arms, options)?;
    if let Some(why) = missing_counters(&options.counters) {
        return Err(Stop::Environment(why));
    }
    for name in unused_parameters(options) {
        say(&format!(
            "! no command contains {{{name}}}: its values change nothing\n"
        ));
    }
    let lock = machine_lock("tourbillon commands", options.no_wait)?;
    let run_clock = ToolRunClock::start()?;
    let mut processes = Processes::start(&run_clock)?;
    let run = measured(&arms, options, &run_clock, &mut processes)?;
    drop(processes);
    drop(lock);
    Ok(run)
}

/// Why counters of the processor cannot be read.
fn missing_counters(places: &[u8]) -> Option<String> {
    let advice = "leave --counters out; `doctor` shows what the machine has";
    #[cfg(target_os = "linux")]
    let why = tourbillon_os::command::CommandCounters::open(places).err()?;
    #[cfg(not(target_os = "linux"))]
    let why = Some("only Linux shows them").filter(|_| !places.is_empty())?;
    Some(format!(
        "counters of the processor cannot be read: {why}; {advice}"
    ))
}

/// What is wrong with the commands of a command line.
pub fn mistake(options: &Options) -> Option<Stop> {
    refuse_limits(options).and_then(|()| arms(options)).err()
}

/// Fails if fewer runs are allowed than are requested.
fn refuse_limits(options: &Options) -> Result<(), Stop> {
    match (options.min_runs, options.max_runs) {
        (Some(fewest), Some(most)) if fewest > most => Err(Stop::Usage(format!(
            "--min-runs {fewest} is more than --max-runs {most}; leave one out"
        ))),
        _ => Ok(()),
    }
}

/// Fails if a command would write to a file that one reads or is, or an export would replace it or another output.
fn refuse_inputs(arms: &[Arm], options: &Options) -> Result<(), Stop> {
    let read = arms.iter().filter_map(|arm| arm.job.input.as_ref());
    let programs = arms.iter().flat_map(Arm::jobs).map(Job::executable);
    let inputs: Vec<PathBuf> = read.map(PathBuf::from).chain(programs).collect();
    let exports: Vec<&Path> = options.exports.iter().map(PathBuf::as_path).collect();
    let of_commands: Vec<&Path> = arms
        .iter()
        .filter_map(|arm| match &arm.job.output {
            Output::File(path) => Some(Path::new(path)),
            Output::Null | Output::Inherit => None,
        })
        .collect();
    for output in of_commands.iter().chain(&exports) {
        output::refuse_inputs(output, &inputs)?;
    }
    for output in &of_commands {
        output::refuse_tracked_link(output, Some("--output FILE"))?;
    }
    for (at, export) in exports.iter().enumerate() {
        if *export != Path::new("-") {
            output::refuse_unwritable(export)?;
        }
        output::refuse_same(export, of_commands.iter().chain(&exports[..at]))?;
    }
    Ok(())
}

/// Measures the commands.
fn measured(
    arms: &[Arm],
    options: &Options,
    run_clock: &ToolRunClock,
    execute: &mut dyn Execute,
) -> Result<Run, Stop> {
    let criteria = options.criteria;
    let further = arms.len().saturating_sub(1) as u64;
    let usual_ns = if further == 0 {
        ONE_NS
    } else {
        PAIR_NS * further
    };
    let limits = Limits {
        warmup: options.warmup,
        runs: options.runs,
        min_runs: options.min_runs,
        max_runs: options.max_runs,
        time_ns: options.time_ns.unwrap_or(usual_ns),
        criteria,
        ignored: options.ignore_failure.clone(),
    };
    let empty = empty_program(&options.shell);
    let before = Before {
        run_clock,
        seed: options.seed.unwrap_or_else(new_seed),
        criteria,
        time_ns: limits.time_ns,
        runs: limits.runs,
        max_runs: limits.max_runs,
        started_unix_ns: wall::unix_ns(),
    };
    let mut line = ProgressLine::new();
    if let Some(most_bytes) = options.same_output {
        line.show("comparing what the commands write");
        same_output::check(arms, most_bytes, options.ignore_failure.as_ref(), execute)?;
    }
    let mut hear = |word: Word<'_>| match word {
        Word::Progress(progress) => line.show(&progress.text(ProgressLine::room())),
        Word::Note(note) => line.remark(&format!("! {note}")),
    };
    let start_ns = execute.now_ns();
    let frequency = run_clock.frequency;
    let subjects = Subjects {
        arms,
        empty: empty.clone().map(|(_, job)| job),
    };
    let seed = before.seed;
    let measured = measure(subjects, &limits, seed, frequency, execute, &mut hear);
    line.clear();
    for (arm, _) in arms
        .iter()
        .zip(&measured.left_processes)
        .filter(|(_, left)| **left)
    {
        let name = &arm.case.id;
        say(&format!(
            "! {name:?} leaves processes running, which may disturb the next runs\n"
        ));
    }
    let wall_ns = execute.now_ns().saturating_sub(start_ns);
    let program = empty.map_or_else(|_| String::new(), |(program, _)| program);
    Ok(record::run(arms, &before, measured, &program, wall_ns))
}

/// A program that does nothing, with its command line; or why there is none.
fn empty_program(shell: &Shell) -> Result<(String, Job), String> {
    let line = match shell {
        Shell::Unset | Shell::None => "true",
        Shell::Program(_) => "",
    };
    let reason = |stop: Stop| match stop {
        Stop::Usage(why) | Stop::Environment(why) => why,
        _ => "it cannot be run".to_owned(),
    };
    let words = Words::of(line, shell).map_err(reason)?;
    let job = job(&words, &[], None, None, Output::Null).map_err(reason)?;
    let line: Vec<&str> = words
        .arguments
        .iter()
        .map(|word| if word.is_empty() { "''" } else { word })
        .collect();
    Ok((line.join(" "), job))
}

/// A new seed of 32 bits, short enough to be typed.
fn new_seed() -> u64 {
    let process = u64::from(std::process::id()).rotate_left(40);
    Rng::new(wall::unix_ns() ^ process).next_u64() >> 32
}
