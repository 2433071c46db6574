//! What a reading costs, and the first one, beside other clocks, and what a window with a canary costs:
//! see `scripts/clock-cost.sh`.
//!
//! Each round visits all clocks in a new random order and times a batch of readings of each; a
//! round's figures are divided by that of the bare instruction in the same round, so that what
//! changes from round to round cancels, and the median of the ratios is shown.

mod first;
mod order;
mod readers;
mod windows;

use std::process::ExitCode;

use order::Order;
use readers::{READERS, Reader};
use tourbillon_clock::Clock;
use tourbillon_timers::Canary;
use windows::{WINDOWS, Window};

/// Readings in a batch.
const BATCH: u32 = 2_000;
/// Rounds before the first that counts.
const WARM_UP: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
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
        READERS[index].run(BATCH);
    });
    let Some(batches) = batches else {
        return backwards();
    };
    println!("| clock | ns a reading | of the bare instruction |");
    println!("|---|---:|---:|");
    for (Reader { name, .. }, ns) in READERS.iter().zip(&batches) {
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
        WINDOWS[index].run(&clock, &canary, BATCH);
    });
    let Some(batches) = batches else {
        return backwards();
    };
    println!("| window | ns | more than start, stop |");
    println!("|---|---:|---:|");
    for (Window { name, .. }, ns) in WINDOWS.iter().zip(&batches) {
        let more = ns.iter().zip(&batches[0]).map(|(one, bare)| one - bare);
        println!(
            "| {name} | {:.2} | {:+.2} |",
            median(ns.clone()),
            median(more.collect())
        );
    }
    ExitCode::SUCCESS
}

/// Nanoseconds that each of so many things takes, round by round, in a new random order each; `None`
/// where the clock went backwards.
fn measure(
    clock: &Clock,
    rounds: usize,
    things: usize,
    batch: impl Fn(usize),
) -> Option<Vec<Vec<f64>>> {
    let frequency = clock.frequency();
    let mut batches = vec![Vec::with_capacity(rounds); things];
    let mut order = Order::new(rounds as u64);
    for round in 0..rounds + WARM_UP {
        for index in order.next_of(things) {
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
