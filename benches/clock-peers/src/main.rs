//! What a reading costs, and the first one, beside other clocks: see `scripts/clock-cost.sh`.
//!
//! Each round visits all clocks in a new random order and times a batch of readings of each; a
//! round's figures are divided by that of the bare instruction in the same round, so that what
//! changes from round to round cancels, and the median of the ratios is shown.

mod first;
mod order;
mod readers;

use std::process::ExitCode;

use order::Order;
use readers::{READERS, Reader};
use tourbillon_clock::Clock;

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
        [] => compare(2_000),
        [rounds] => match rounds.parse() {
            Ok(rounds @ 1..) => compare(rounds),
            _ => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: clock-peers [ROUNDS], a whole number from 1; or clock-peers --first NAME");
    ExitCode::from(1)
}

fn compare(rounds: usize) -> ExitCode {
    let clock = Clock::choose().clock;
    let frequency = clock.frequency();
    // The time of each batch, clock by clock, in ticks of ours.
    let mut batches = vec![Vec::with_capacity(rounds); READERS.len()];
    let mut order = Order::new(rounds as u64);
    for round in 0..rounds + WARM_UP {
        for index in order.next_of(READERS.len()) {
            let start = clock.start();
            READERS[index].run(BATCH);
            let stop = clock.stop();
            let Some(ticks) = stop.since(start) else {
                eprintln!("clock-peers: the clock went backwards; run it again");
                return ExitCode::from(3);
            };
            if round >= WARM_UP {
                batches[index].push(frequency.nanos(ticks) / f64::from(BATCH));
            }
        }
    }
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

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
