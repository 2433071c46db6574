//! Compares the costs of a reading and of the first reading with other clocks, and the costs of a window with
//! and without a canary: see `scripts/clock-cost.sh`.
//!
//! Each round times a batch of readings of each clock, in random order. The figures of a round are divided by
//! that of the bare instruction in the same round, so that changes from round to round cancel; the result is
//! the median of the ratios.

mod batches;
mod first;

use std::process::ExitCode;

use batches::{READERS, WINDOWS};
use tourbillon_clock::Clock;
use tourbillon_stats::Rng;
use tourbillon_timers::Canary;

/// Readings in a batch.
const BATCH: u32 = 2_000;
/// Discarded rounds at the start.
const WARM_UP: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["--first", name] => first::show(name),
        ["--windows", rounds] => match rounds.parse() {
            Ok(rounds @ 1..) => windows(rounds),
            _ => usage(),
        },
        [] => compare(2_000),
        [rounds] => match rounds.parse() {
            Ok(rounds @ 1..) => compare(rounds),
            _ => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!(
        "usage: clock-peers [ROUNDS], clock-peers --windows ROUNDS, a whole number from 1; \
         or clock-peers --first NAME"
    );
    ExitCode::from(1)
}

fn compare(rounds: usize) -> ExitCode {
    let clock = Clock::choose().clock;
    let batches = measure(&clock, rounds, READERS.len(), |index| {
        (READERS[index].1)(BATCH);
    });
    let Some(batches) = batches else {
        return backwards();
    };
    println!("| clock | ns a reading | of the bare instruction |");
    println!("|---|---:|---:|");
    for ((name, _), ns) in READERS.iter().zip(&batches) {
        let ratios = ns.iter().zip(&batches[0]).map(|(one, bare)| one / bare);
        println!(
            "| {name} | {:.2} | {:.3} |",
            median(ns.clone()),
            median(ratios.collect())
        );
    }
    ExitCode::SUCCESS
}

fn windows(rounds: usize) -> ExitCode {
    let clock = Clock::choose().clock;
    let canary = Canary::of_this_thread();
    if let Some(undetected) = canary.undetected() {
        eprintln!("clock-peers: {undetected}");
    }
    let batches = measure(&clock, rounds, WINDOWS.len(), |index| {
        (WINDOWS[index].1)(&clock, &canary, BATCH);
    });
    let Some(batches) = batches else {
        return backwards();
    };
    println!("| window | ns | more than start, stop |");
    println!("|---|---:|---:|");
    for ((name, _), ns) in WINDOWS.iter().zip(&batches) {
        let more = ns.iter().zip(&batches[0]).map(|(one, bare)| one - bare);
        println!(
            "| {name} | {:.2} | {:+.2} |",
            median(ns.clone()),
            median(more.collect())
        );
    }
    ExitCode::SUCCESS
}

/// Nanoseconds of one operation of each of `count` batches in each round; `None` if the clock went backwards.
fn measure(
    clock: &Clock,
    rounds: usize,
    count: usize,
    batch: impl Fn(usize),
) -> Option<Vec<Vec<f64>>> {
    let frequency = clock.frequency();
    let mut batches = vec![Vec::with_capacity(rounds); count];
    let mut rng = Rng::new(rounds as u64);
    let mut order: Vec<usize> = (0..count).collect();
    for round in 0..rounds + WARM_UP {
        rng.shuffle(&mut order);
        for &index in &order {
            let start = clock.start();
            batch(index);
            let ticks = clock.stop().since(start)?;
            if round >= WARM_UP {
                batches[index].push(frequency.nanos(ticks) / f64::from(BATCH));
            }
        }
    }
    Some(batches)
}

fn backwards() -> ExitCode {
    eprintln!("clock-peers: the clock went backwards; run it again");
    ExitCode::from(3)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
