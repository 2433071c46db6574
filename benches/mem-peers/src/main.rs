//! Compares the costs of counting, per call of an allocator: see `scripts/mem-cost.sh`.
//!
//! A round runs the same body with every allocator, in random order. The figure of the allocator that does not
//! count is subtracted from the others of the round, so that changes from round to round cancel. The result of
//! a launch is the median of its rounds, that of the table the median of the launches with its interval.

mod allocators;
mod bodies;
mod launch;
mod tables;

use std::process::{Command, ExitCode};

use launch::Figure;
use tables::{TABLES, Table};
use tourbillon_stats::{Confidence, Sample, median, median_interval};

const USAGE: &str = "usage: mem-peers [LAUNCHES], a whole number from 8";
/// The argument of a launch, followed by its seed.
const LAUNCH: &str = "--launch";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [LAUNCH, seed] => seed
            .parse()
            .map_err(|_| USAGE.to_owned())
            .and_then(print_launch),
        [] => compare(40),
        [launches] => match launches.parse() {
            Ok(launches) if launches >= 8 => compare(launches),
            _ => Err(USAGE.to_owned()),
        },
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mem-peers: {error}");
            ExitCode::from(1)
        }
    }
}

/// Prints a line for each row of each table: the time of a call, and the difference to the first row.
fn print_launch(seed: u64) -> Result<(), String> {
    tourbillon_mem::check_installed().map_err(|error| error.to_string())?;
    let _heap_profiler = dhat::Profiler::builder().testing().build();
    let tables = launch::measure(seed)
        .ok_or("the clock went backwards, or a thread failed; run it again")?;
    for Figure { ns, more_ns } in tables.into_iter().flatten() {
        println!("{ns} {more_ns}");
    }
    Ok(())
}

fn compare(launches: u64) -> Result<(), String> {
    let runs: Vec<Vec<Figure>> = (0..launches).map(launch).collect::<Result<_, _>>()?;
    let mut place = 0;
    for table in TABLES {
        println!("### {}\n", table.title);
        println!("| allocator | ns a call | more | 99 % interval | more a block |");
        println!("|---|---:|---:|---:|---:|");
        for row in table.rows {
            let figures: Option<Vec<Figure>> =
                runs.iter().map(|run| run.get(place).copied()).collect();
            let figures = figures.ok_or("a launch ended early")?;
            let line = line(table, &figures)
                .ok_or("there are too few launches, or a figure is not a number")?;
            println!("| {} | {line} |", row.name);
            place += 1;
        }
        println!();
    }
    Ok(())
}

fn line(table: &Table, figures: &[Figure]) -> Option<String> {
    let ns = Sample::new(figures.iter().map(|figure| figure.ns).collect()).ok()?;
    let more = Sample::new(figures.iter().map(|figure| figure.more_ns).collect()).ok()?;
    let interval = median_interval(&more, Confidence::P99).ok()?;
    let a_block = median(&more) * f64::from(table.pass.calls) / f64::from(table.pass.blocks);
    Some(format!(
        "{:.2} | {:+.2} | {:+.2} .. {:+.2} | {a_block:+.2}",
        median(&ns),
        median(&more),
        interval.lower,
        interval.upper,
    ))
}

/// Starts this program again and reads its figures.
fn launch(seed: u64) -> Result<Vec<Figure>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args([LAUNCH, &seed.to_string()])
        .output()
        .map_err(|error| format!("cannot start a launch: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let read = |line: &str| {
        let (ns, more_ns) = line.split_once(' ')?;
        Some(Figure {
            ns: ns.parse().ok()?,
            more_ns: more_ns.parse().ok()?,
        })
    };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| read(line).ok_or_else(|| format!("a launch printed `{line}`")))
        .collect()
}
