//! `cargo tourbillon`: what benchmarks need beside themselves.
//!
//! One folder per subcommand: what it does is in its `mod.rs`, the flags it takes in its
//! `command.rs`. A subcommand prints one text, on stdout, made by functions that turn data into
//! text; what it says while it works goes to stderr.
//!
//! Invariant: nothing here times anything itself. Clocks are read by `tourbillon-clock`.

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
mod report;
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
        Some(("report", matches)) => report::run(matches),
        Some(("explain", matches)) => explain::run(matches),
        Some(("baselines", matches)) => baselines::run(matches),
        Some(("clocks", matches)) => clocks::run(matches),
        Some(("doctor", matches)) => doctor::run(matches),
        Some((clocks::RIVAL, _)) => clocks::run_rival(),
        // clap has asked for one of those that it knows.
        other => unreachable!("no subcommand is called {:?}", other.map(|(name, _)| name)),
    }
}
