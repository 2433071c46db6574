//! How good a rate is that was measured over the first part of a run: see `scripts/calibration.sh`.
//!
//! The counter is held against the system's clock after 10 ms, 100 ms, 1 s and 10 s; each of these
//! rates is then held against what the system's clock makes of the rest of the run, which it has not
//! seen. The rate that the machine states is held against the whole run.

#![expect(clippy::print_stdout, reason = "a program whose output is its purpose")]

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use tourbillon_clock::{Anchor, Clock, CrossCheck, Frequency, Stopwatch, wall};

/// When a rate is taken, in milliseconds from the start.
const STAGES_MS: [u64; 4] = [10, 100, 1_000, 10_000];

/// Names of the columns; errors and bounds in parts per million.
const COLUMNS: &str =
    "unix_s,clock,measured_over_s,hz,bound_ppm,held_against_s,error_ppm,slack_ppm";

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("--columns") => println!("{COLUMNS}"),
        Some(seconds) => match seconds.parse() {
            Ok(seconds @ 1..=3_600) => run(seconds),
            _ => return usage(),
        },
        None => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    println!("usage: calibration SECONDS, a whole number from 1 to 3600; or calibration --columns");
    ExitCode::from(1)
}

fn run(seconds: u64) {
    let clock = Clock::choose().clock;
    let stated = clock.frequency();
    let watch = Stopwatch::start();
    let first = Anchor::take(&clock);
    let at = |ms: u64| {
        // Sleeping: what the machine does meanwhile must not matter.
        let left = (ms * 1_000_000).saturating_sub(watch.elapsed_ns());
        thread::sleep(Duration::from_nanos(left));
        Anchor::take(&clock)
    };
    let stages: Vec<Anchor> = STAGES_MS
        .into_iter()
        .filter(|&ms| ms < seconds * 1_000)
        .map(at)
        .collect();
    let last = at(seconds * 1_000);
    row(
        &clock,
        None,
        stated,
        CrossCheck::between(&first, &last, &stated),
    );
    for stage in &stages {
        let Some(measured) = Frequency::between(&first, stage) else {
            continue;
        };
        let over = CrossCheck::between(&first, stage, &measured);
        row(
            &clock,
            over.map(|check| check.baseline_ns),
            measured,
            CrossCheck::between(stage, &last, &measured),
        );
    }
}

/// One line: a rate, the bound that it came with, and what it turned out to be off.
fn row(clock: &Clock, over_ns: Option<u64>, rate: Frequency, check: Option<CrossCheck>) {
    let Some(check) = check else { return };
    let seconds = |ns: u64| ns as f64 / 1e9;
    let over = over_ns.map_or_else(|| "stated".to_owned(), |ns| format!("{:.3}", seconds(ns)));
    let bound = rate
        .error_ppm
        .map_or_else(String::new, |ppm| format!("{ppm:.6}"));
    println!(
        "{},{},{over},{:.1},{bound},{:.3},{:.6},{:.6}",
        wall::unix_ns() / 1_000_000_000,
        clock.name(),
        rate.hz(),
        seconds(check.baseline_ns),
        // The other way round: how far the rate is above what the system's clock saw.
        -check.deviation_ppm,
        check.bound_ppm,
    );
}
