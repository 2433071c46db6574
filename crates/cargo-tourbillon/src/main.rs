//! `cargo tourbillon`: runs, compares and inspects Tourbillon benchmarks.
//!
//! One module per subcommand. A subcommand prints one text on stdout, made by functions that turn
//! data into text; messages and progress go to stderr.
//!
//! Invariant: only `tourbillon-clock` reads clocks.

#![forbid(unsafe_code)]

mod arguments;
mod baselines;
mod cells;
mod clocks;
mod compare;
mod doctor;
mod exit;
mod explain;
mod paragraph;
mod progress;
mod records;
mod run;
mod save;
mod screen;
mod show;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = arguments::parse(std::env::args_os()).and_then(|matches| run(&matches));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => exit::report(stop),
    }
}

fn run(matches: &clap::ArgMatches) -> Result<(), exit::Stop> {
    match matches.subcommand() {
        Some(("run", matches)) => run::run(matches),
        Some(("compare", matches)) => compare::run(matches),
        Some(("save", matches)) => save::run(matches),
        Some(("show", matches)) => show::run(matches),
        Some(("explain", matches)) => explain::run(matches),
        Some(("baselines", matches)) => baselines::run(matches),
        Some(("clocks", matches)) => clocks::run(matches),
        Some(("doctor", matches)) => doctor::run(matches),
        Some((clocks::RIVAL, _)) => clocks::run_rival(),
        // clap rejects other names.
        other => unreachable!("no subcommand is called {:?}", other.map(|(name, _)| name)),
    }
}
